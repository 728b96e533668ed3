"""The exercises of this lesson, beyond what `tests/classroom/test_checks.py` proves for each."""

from itertools import islice

import numpy as np
import pytest

from course_utils.classroom.trial import as_answer, rule_of
from course_utils.decoding.rules import residual, token_wise
from course_utils.decoding.sampling import sample
from course_utils.edits import slip
from course_utils.lessons.acceptance_rule import by_hand, checks
from course_utils.lessons.acceptance_rule.playground import playground
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import CORRECT, Decoder, Exam, exam
from course_utils.proofs.enumeration import distribution_distance, merge_paths, outcomes

P, Q = np.array([0.45, 0.25, 0.15, 0.10, 0.05]), np.array([0.25, 0.10, 0.40, 0.15, 0.10])


def with_a_table_of_rows(target, draft, prompt, gamma, rounds, uniform):
    """Collect all guesses and all rows, then call the lesson's token-wise rule."""
    text, output = [*prompt], []
    for _ in range(rounds):
        window = text[-1:]
        for _ in range(gamma):
            window.append(sample(draft[window[-1]], uniform()))
        uniforms = [uniform() for _ in range(gamma + 1)]
        n, token = checks.token_wise(target[window], draft[window[:-1]], window[1:], uniforms)
        output.append([*window[1 : n + 1], token])
        text += output[-1]
    return output


RATIO = "p[i, x] / q[i, x]"
PAPER = {"A residual": (0, 0.14, 0.29, 0.57, 0), "A word": " By", "ratios": (0.38, 0.4)}
RIGHT_ANSWERS = [
    (checks.check_shared_and_residual, lambda p, q: [1 - abs(p - q).sum() / 2, residual(p, q)]),
    (
        checks.check_token_wise,
        slip(checks.token_wise, (f"uniforms[i] < {RATIO}", "q[i, x] * uniforms[i] < p[i, x]")),
    ),
    (checks.check_round_by_hand, by_hand.RIGHT | PAPER),
    (checks.check_rebuilt_loop, with_a_table_of_rows),
]
WRONG_ANSWERS = [
    (
        checks.check_token_wise,
        slip(checks.token_wise, ("uniforms[i] <", "uniforms[i] <=")),
        "uniforms [0.0, 0.5",
    ),
    (checks.check_round_by_hand, by_hand.RIGHT | {"A word": "roof"}, "is 'by', not 'roof'"),
    (
        checks.check_rebuilt_loop,
        slip(checks.decode, ("target[new[-1]]", "target[guesses[0]]")),
        "the next word is 0 with probability",
    ),
    (checks.check_rebuilt_loop, slip(checks.decode, ("list(prompt)", "prompt")), "You change"),
    (checks.check_rebuilt_loop, lambda *case: [[int(case[-1]() * 2)]], "You calculate"),
]


def test_a_students_rule_runs_in_the_loop_and_is_proved_or_refuted_there():
    small = exam(gamma=2, length=3)
    assert small.distance(Decoder(rule_of(as_answer(token_wise)))) < 1e-12
    from_p = bug("resample from p").decoder
    student = rule_of(as_answer(from_p.rule.verify))
    assert small.distance(Decoder(student)) == pytest.approx(small.distance(from_p))
    assert small.distance(from_p) > 0.01


def test_the_emitted_row_is_what_the_loop_emits():
    row, from_p = np.zeros(5), bug("resample from p").decoder
    for weight, r in Exam(TableModel(P), TableModel(Q), gamma=1).first_rounds(from_p):
        row[r.emitted[0]] += weight
    np.testing.assert_allclose(row, checks.emitted(P, Q, P))


def test_the_answers_by_hand_are_those_of_the_rule():
    positions = by_hand.POSITIONS
    p = np.array([position.p for position in positions])
    q = np.array([position.q for position in positions if position.q])
    drafted = [at.words.index(w) for at, w in zip(positions, by_hand.DRAFTED, strict=False)]
    for name, uniforms in by_hand.UNIFORMS.items():
        n, token = as_answer(token_wise)(p, q, drafted, uniforms)
        assert by_hand.RIGHT[f"{name} accepted"] == n
        assert by_hand.RIGHT[f"{name} word"] == positions[n].words[token]
    assert by_hand.RIGHT["ratios"] == pytest.approx(
        [p[i, x] / q[i, x] for i, x in enumerate(drafted)]
    )


@pytest.mark.parametrize("case", checks.LOOP_CASES)
def test_the_rebuilt_loop_writes_the_texts_of_the_course(case):
    """Compare round by round with the real loop on the same tables."""
    target, draft, prompt, gamma, rounds = case
    models = TableModel(target), TableModel(draft)
    small = Exam(*models, gamma=gamma, length=rounds * (gamma + 1), prompt=tuple(prompt))

    def run(noise):
        these = small.rounds(CORRECT, (rounds + 1) * (gamma + 1), noise=lambda _: noise)
        return tuple(tuple(r.emitted) for r in islice(these, rounds))

    texts = merge_paths(outcomes(run))
    assert distribution_distance(checks.written(checks.decode, *case), texts) < 1e-12


def test_weights_and_words_that_do_not_fit_are_refused():
    assert playground(p=(1, 1, 0, 0, 2)).data["p"] == [0.25, 0.25, 0, 0, 0.5]
    for weights in (0, 0), (1, -1), (float("nan"), 1), (float("inf"), 1):
        with pytest.raises(ValueError, match="weight"):
            playground("ab", p=weights, q=(1, 1))
    with pytest.raises(ValueError, match="words"):
        playground("abcd")
