"""Answers that the exercises of this room do not hold themselves, and what the room computes."""

import numpy as np
import pytest

from course_utils.decoding.outcomes import round_cost
from course_utils.decoding.sampling import sample
from course_utils.drafters.lengths import Constant, Heuristic
from course_utils.lessons.adaptive_speculation import regret
from course_utils.lessons.adaptive_speculation.checks import (
    check_draft_until,
    check_would_have,
    draft_until,
)
from course_utils.lessons.adaptive_speculation.complexity import (
    complexity,
    length_for,
)
from course_utils.models.tables import TableModel


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


COST = round_cost(0.2)
HALVES = regret.Text(
    np.arange(200), np.repeat([0.95, 0.05], 100), np.repeat([0.9, 0.1], 100)
)  # fmt: skip
UNIFORMS = np.random.default_rng(3).random((4, 200))


def followed(policy, seed, *least_sure):
    return regret.follow(HALVES, policy, UNIFORMS[seed], COST, *least_sure)


def test_a_course_covers_the_text_and_drafts_what_it_is_asked_for():
    for policy in (Constant(1), Constant(7), Heuristic(2)):
        course = followed(policy, 0)
        assert course.places[0] == 0
        assert (np.diff(course.places) >= 1).all()
        assert (np.diff(course.places) <= course.lengths[:-1] + 1).all()
        assert course.spent[-1] == pytest.approx(sum(map(COST, course.lengths)))
    lengths = followed(Constant(7), 0).lengths
    assert max(lengths) == 7 == np.median(lengths)  # at the text's end it may be less


def test_the_oracle_is_a_bound_and_a_constant_has_no_regret_against_itself():
    best = regret.best_constant(HALVES, UNIFORMS, COST)
    policies = {
        "itself": lambda s: followed(Constant(best), s),
        "oracle": lambda s: regret.oracle(HALVES, UNIFORMS[s], COST),
        "other": lambda s: followed(Constant(best + 5), s),
        "stops": lambda s: followed(Constant(16), s, 0.5),
    }
    found = regret.regrets(HALVES, policies, policies["itself"], len(UNIFORMS))
    assert not found["itself"].any()
    assert (found["oracle"][:, -1] < 0).all()
    ends = {name: curves[:, -1].mean() for name, curves in found.items()}
    assert ends["oracle"] < ends["stops"] < 0 < ends["other"]


def test_a_row_is_recorded_for_each_place():
    target, draft = (TableModel.random(5, order=1, seed=s) for s in (0, 1))
    text = regret.recorded(target, draft, [0, 3, 1, 4])
    p, q = (np.stack([m.distribution([x]) for x in (0, 3, 1)]) for m in (target, draft))
    assert text.tokens.tolist() == [3, 1, 4]
    assert text.accepted == pytest.approx(np.minimum(p, q).sum(-1))
    assert text.sure == pytest.approx(q.max(-1))
    assert len(regret.one_after_another([text, text], 7)) == 14


def test_the_articles_complexity():
    assert [complexity(text) for text in ([1] * 9, [7] * 500, range(1000))] == pytest.approx(
        [0.1, 0.2012, 1.0]
    )
    assert [length_for(x) for x in (0.1, 0.3, 0.69, 0.7)] == [8, 5, 5, 3]
