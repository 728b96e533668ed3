"""Answers that the exercises of this room do not hold themselves, and what the room computes."""

import numpy as np
import pytest

from course_utils.decoding.sampling import sample
from course_utils.drafters.lengths import Constant, Heuristic
from course_utils.lessons.adaptive_speculation.checks import (
    check_draft_until,
    check_would_have,
    draft_until,
)
from course_utils.lessons.adaptive_speculation.complexity import (
    complexity,
    length_for,
)
from course_utils.lessons.adaptive_speculation.recorded_text import (
    Text,
    follow,
    one_after_another,
    recorded,
)
from course_utils.models.toys.tables import TableModel


def with_a_while(row_after, uniforms, threshold):
    """Counts places, returns a tuple and arrays."""
    guesses, rows, sure = [], [], True
    while sure and len(guesses) < len(uniforms):
        row = row_after(tuple(guesses))
        guess = sample(row, uniforms[len(guesses)])
        sure = row[guess] >= threshold
        guesses, rows = [*guesses, guess], [*rows, row]
    return tuple(guesses), np.array(rows)


def asks_the_next_uniform(row_after, uniforms, threshold):
    """Lossy in a way that no known mistake explains."""
    guesses, rows = [], []
    for uniform in uniforms:
        if uniform > 0.7:
            break
        rows.append(row_after(guesses))
        guesses.append(sample(rows[-1], uniform))
    return guesses, rows


def hands_over_the_next_row(row_after, uniforms, threshold):
    guesses, rows = draft_until(row_after, uniforms, threshold)
    return guesses, [row_after(guesses[: i + 1]) for i in range(len(rows))]


def hands_over_probabilities(row_after, uniforms, threshold):
    guesses, rows = draft_until(row_after, uniforms, threshold)
    return guesses, [row[x] for x, row in zip(guesses, rows)]  # noqa: B905


RIGHT_ANSWERS = [
    (check_draft_until, with_a_while),
    (check_would_have, lambda d, n, k: n + 1 if n < min(d, k) else k + 1 if k <= d else "unknown"),
]  # fmt: skip

WRONG_ANSWERS = [
    (check_draft_until, lambda *_: [0], "Return two lists"),
    (check_draft_until, lambda *_: ([0, 1], [np.ones(3) / 3]), "the row that each"),
    (check_draft_until, lambda *given: draft_until(*given)[::-1], "they come first"),
    (check_draft_until, hands_over_probabilities, "the whole distribution"),
    (check_draft_until, asks_the_next_uniform, "the guesses are [2, 0], not []"),
    (check_draft_until, hands_over_the_next_row, "guess 1 was drawn from the row [0.5, 0.1, 0.4]"),
    (check_would_have, lambda d, n, k: "unknown", "For drafted"),
]


def test_a_policy_is_asked_along_the_whole_text():
    text = Text(np.repeat([0.95, 0.05], 100), np.repeat([0.9, 0.1], 100))
    uniforms = np.random.default_rng(3).random(200)
    for policy in (Constant(1), Constant(7), Heuristic(2)):
        places, drafted = np.array([*follow(text, policy, uniforms)]).T
        assert places[0] == 0
        assert (np.diff(places) >= 1).all()
        assert (np.diff(places) <= drafted[:-1] + 1).all()
    _, drafted = np.array([*follow(text, Constant(7), uniforms)]).T
    assert max(drafted) == 7 == np.median(drafted)  # at the text's end it may be less
    stopped = [n for at, n in follow(text, Constant(7), uniforms, 0.5) if at >= 100]
    assert set(stopped) == {1}  # the draft is unsure there


def test_a_row_is_recorded_for_each_place():
    target, draft = (TableModel.random(5, order=1, seed=s) for s in (0, 1))
    text = recorded(target, draft, [0, 3, 1, 4])
    p, q = (np.stack([m.distribution([x]) for x in (0, 3, 1)]) for m in (target, draft))
    assert text.accepted == pytest.approx(np.minimum(p, q).sum(-1))
    assert text.sure == pytest.approx(q.max(-1))
    assert len(one_after_another([text, text], 7)) == 14


def test_the_articles_complexity():
    assert [complexity(text) for text in ([1] * 9, [7] * 500, range(1000))] == pytest.approx(
        [0.1, 0.2012, 1.0]
    )
    assert [length_for(x) for x in (0.1, 0.3, 0.69, 0.7)] == [8, 5, 5, 3]
