"""Answers that the exercises of this room do not hold themselves, and what the room computes."""

import numpy as np
import pytest

from course_utils.decoding.outcomes import round_cost
from course_utils.decoding.sampling import Sampling, sample
from course_utils.drafters.lengths import Constant, Heuristic
from course_utils.lessons.adaptive_speculation import regret, workloads
from course_utils.lessons.adaptive_speculation.checks import (
    check_alpha_of,
    check_draft_until,
    check_would_have,
    draft_until,
)
from course_utils.lessons.adaptive_speculation.complexity import (
    ComplexityPolicy,
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


def by_odds(rounds):
    """1 / (1 + rejections per accepted guess)"""
    accepted = sum(n for _, n in rounds)
    return 1 / (1 + sum(n < drafted for drafted, n in rounds) / accepted)


RIGHT_ANSWERS = [
    (check_draft_until, with_a_while),
    (check_alpha_of, by_odds),
    (check_would_have, lambda d, n, k: n + 1 if n < min(d, k) else k + 1 if k <= d else "unknown"),
]  # fmt: skip

WRONG_ANSWERS = [
    (check_draft_until, lambda *_: [0], "Return two lists"),
    (check_draft_until, lambda *_: ([0, 1], [np.ones(3) / 3]), "the row that each"),
    (check_draft_until, asks_the_next_uniform, "the guesses are [2, 0], not []"),
    (check_draft_until, hands_over_the_next_row, "guess 1 was drawn from the row [0.5, 0.1, 0.4]"),
    (check_alpha_of, lambda rounds: 0.5, "For rounds"),
    (check_would_have, lambda d, n, k: 1, "For drafted"),
    (check_would_have, lambda d, n, k: "unknown", "For drafted"),
]


COST = round_cost(0.2)
HALVES = regret.Text(
    np.arange(200), np.repeat([0.95, 0.05], 100), np.repeat([0.9, 0.1], 100)
)  # fmt: skip


@pytest.fixture(scope="module")
def uniforms():
    return np.random.default_rng(3).random((4, 200))


def test_a_course_covers_the_text(uniforms):
    for policy in (Constant(1), Constant(7), Heuristic(2)):
        course = regret.follow(HALVES, policy, uniforms[0], COST)
        assert course.places[0] == 0
        assert (np.diff(course.places) >= 1).all()
        assert (np.diff(course.places) <= course.lengths[:-1] + 1).all()
        assert course.spent[-1] == pytest.approx(sum(map(COST, course.lengths)))


def test_the_oracle_is_a_bound_and_a_constant_has_no_regret_against_itself(uniforms):
    best = regret.best_constant(HALVES, uniforms, COST)

    def reference(seed):
        return regret.follow(HALVES, Constant(best), uniforms[seed], COST)

    policies = {
        "itself": reference,
        "oracle": lambda s: regret.oracle(HALVES, uniforms[s], COST),
        "other": lambda s: regret.follow(HALVES, Constant(best + 5), uniforms[s], COST),
        "stops": lambda s: regret.follow(HALVES, Constant(16), uniforms[s], COST, 0.5),
    }
    found = regret.regrets(HALVES, policies, reference, len(uniforms))
    assert not found["itself"].any()
    assert (found["oracle"][:, -1] < 0).all()
    assert found["other"][:, -1].mean() > 0 > found["stops"][:, -1].mean()
    assert found["oracle"][:, -1].mean() < found["stops"][:, -1].mean()


def test_a_row_is_recorded_for_each_place():
    target, draft = (TableModel.random(5, order=1, seed=s) for s in (0, 1))
    text = regret.recorded(target, draft, [0, 3, 1, 4])
    p, q = (np.stack([m.distribution([x]) for x in (0, 3, 1)]) for m in (target, draft))
    assert text.tokens.tolist() == [3, 1, 4]
    assert text.accepted == pytest.approx(np.minimum(p, q).sum(-1))
    assert text.sure == pytest.approx(q.max(-1))
    assert len(regret.one_after_another([text, text], 7)) == 14


def test_the_articles_complexity():
    assert complexity([1] * 9) == 0.1
    assert complexity([7] * 500) == pytest.approx(0.2012)
    assert complexity(range(1000)) == pytest.approx(1.0)
    assert [length_for(x) for x in (0.1, 0.3, 0.69, 0.7)] == [8, 5, 5, 3]
    policy = ComplexityPolicy([1] * 9 + list(range(91)))
    lengths = []
    for place in (0, 9, 50):
        policy.see(place)
        lengths.append(policy.length())
    assert lengths == [8, 8, 5]


def test_passes_are_counted_and_plain_decoding_would_have_speedup_one():
    target, draft = (TableModel.random(4, order=2, seed=s) for s in (0, 1))
    texts = {"a": [0, 1, 2], "b": [3, 3]}
    runs = [workloads.compared((target, draft), texts, Sampling(), 12, 0.5, s) for s in (0, 1)]
    done = workloads.together(runs)
    assert done["lookup"]["a"].draft_passes == 0
    assert {d.tokens for kinds in done.values() for d in kinds.values()} == {24}
    assert done["model"]["a"].draft_passes > done["lookup, else model"]["a"].draft_passes
    passes = [run["model"]["a"].target_passes for run in runs]
    assert passes[0] != passes[1]
    assert done["model"]["a"].target_passes == sum(passes)
    assert workloads.Worked(10, 10, 0).speedup(0.5) == 1.0
    speeds = workloads.speedups(done, 0.5)
    assert speeds["lookup"][workloads.MIXED] == pytest.approx(
        48 / sum(d.target_passes for d in done["lookup"].values())
    )


@pytest.mark.parametrize("kind", ["code", "prose", "a list", "an edit"])
def test_there_is_a_beginning_for_each_kind_of_work(kind):
    assert len(workloads.prompts("x = 1", "Once")[kind]) > 0
