"""More answers to this room's exercises, and what the room computes."""

import numpy as np
import pytest

from course_utils.decoding.rules import BLOCK, GREEDY_MATCH
from course_utils.decoding.sampling import sample
from course_utils.drafters.lengths import Constant
from course_utils.lessons.adaptive_speculation.checks import (
    check_draft_until,
    check_would_have,
    draft_until,
)
from course_utils.lessons.adaptive_speculation.recorded_text import (
    RecordedText,
    follow,
    record_text,
)
from course_utils.lessons.adaptive_speculation.sorted_rules import (
    EXAM,
    KNOWN_AFTER,
    KNOWN_BEFORE,
    complexity,
    length_for,
    verdicts,
)
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder


def with_a_while(row_after, uniforms, threshold):
    """Count positions, and return a tuple and arrays."""
    guesses, rows, sure = [], [], True
    while sure and len(guesses) < len(uniforms):
        row = row_after(tuple(guesses))
        guess = sample(row, uniforms[len(guesses)])
        sure = row[guess] >= threshold
        guesses, rows = [*guesses, guess], [*rows, row]
    return tuple(guesses), np.array(rows)


def looks_at_the_next_uniform(row_after, uniforms, threshold):
    """Stop by the next uniform: lossy, and no known mistake explains it."""
    drawn = [*(uniform > 0.7 for uniform in uniforms), True].index(True)
    return draft_until(row_after, uniforms[:drawn], threshold)


def takes_from_the_sure(row_after, uniforms, threshold):
    """Draw from sure tokens only: lossy, but not by taking the likeliest one."""
    sure = lambda guesses: np.where((q := row_after(guesses)) < threshold, 0, q)  # noqa: E731
    guesses = draft_until(lambda g: sure(g) / sure(g).sum(), uniforms, threshold)[0]
    return guesses, [row_after(guesses[:i]) for i in range(len(guesses))]


def hands_over_probabilities(row_after, uniforms, threshold):
    guesses, rows = draft_until(row_after, uniforms, threshold)
    return guesses, [row[x] for x, row in zip(guesses, rows)]  # noqa: B905


RIGHT_ANSWERS = [
    (check_draft_until, with_a_while),
    (check_would_have, lambda d, n, k: n + 1 if n < min(d, k) else k + 1 if k <= d else "unknown"),
]  # fmt: skip
WRONG_ANSWERS = [
    (check_draft_until, looks_at_the_next_uniform, "this is lossy"),
    (check_draft_until, hands_over_probabilities, "threshold = 0.35 your code raised"),
    (check_draft_until, takes_from_the_sure, "this is lossy"),
    (check_draft_until, lambda row, us, t: draft_until(row, us[:1], t), "draws 0 from [0.5 0.1"),
]


@pytest.mark.slow
def test_what_is_known_before_is_lossless_and_what_is_known_after_is_not():
    """As in the lesson and its quiz; some rules vary the length within the first round."""
    before = verdicts(KNOWN_BEFORE)
    assert sum("," in row["first drafts"] for row in before) >= 3
    assert max(float(row["TV"]) for row in before) < 1e-12
    assert min(float(row["TV"]) for row in verdicts(KNOWN_AFTER)) > 1e-2
    for case in KNOWN_AFTER.values():
        assert EXAM.distance(Decoder(BLOCK, case.drafter)) > 1e-2
        assert EXAM.distance(Decoder(GREEDY_MATCH, case.drafter)) < 1e-12


def test_a_policy_runs_along_the_whole_text():
    text = RecordedText(np.repeat([0.95, 0.05], 100), np.repeat([0.9, 0.1], 100))
    uniforms = np.random.default_rng(3).random(200)
    places, drafted = np.array([*follow(text, Constant(7), uniforms)]).T
    assert places[0] == 0
    assert (np.diff(places) >= 1).all()
    assert (np.diff(places) <= drafted[:-1] + 1).all()
    assert max(drafted) == 7 == np.median(drafted)  # at the text's end it may be less
    stopped = [n for at, n in follow(text, Constant(7), uniforms, 0.5) if at >= 100]
    assert set(stopped) == {1}  # the draft is unsure there


def test_each_position_has_an_acceptance_and_a_confidence():
    target, draft = (TableModel.random(5, order=1, seed=s) for s in (0, 1))
    text = record_text(target, draft, [0, 3, 1, 4])
    p, q = (np.stack([m.distribution([x]) for x in (0, 3, 1)]) for m in (target, draft))
    assert text.acceptance == pytest.approx(np.minimum(p, q).sum(-1))
    assert text.confidence == pytest.approx(q.max(-1))


def test_the_articles_complexity():
    assert [complexity(text) for text in ([1] * 9, range(1000))] == pytest.approx([0.1, 1.0])
    assert [length_for(x) for x in (0.1, 0.3, 0.69, 0.7)] == [8, 5, 5, 3]
