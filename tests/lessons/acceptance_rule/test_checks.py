"""The exercises of this lesson, beyond what `tests/classroom/test_checks.py` proves of each."""

from itertools import islice

import numpy as np
import pytest

from course_utils.classroom.rounds import as_answer
from course_utils.decoding.rules import block, residual, token_wise
from course_utils.decoding.sampling import sample
from course_utils.decoding.theory import overlap
from course_utils.edits import slip
from course_utils.lessons.acceptance_rule import by_hand, checks, rebuilt
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import CORRECT, Decoder, Exam, exam
from course_utils.proofs.enumeration import distribution_distance, merge_paths, outcomes
from tests.rule_by_parts import token_wise_from

P, Q = np.array([0.45, 0.25, 0.15, 0.10, 0.05]), np.array([0.25, 0.10, 0.40, 0.15, 0.10])


def eats(p, q, drafted, uniforms):
    return as_answer(token_wise)(p, q, drafted, [*uniforms[:-1], uniforms.pop()])


def with_a_table_of_rows(target, draft, prompt, gamma, rounds, uniform):
    """All guesses, then all rows, then the rule: written as the lesson's token-wise rule is."""
    text, written = [*prompt], []
    for _ in range(rounds):
        read = text[-1:]
        for _ in range(gamma):
            read.append(sample(draft[read[-1]], uniform()))
        uniforms = [uniform() for _ in range(gamma + 1)]
        n, token = checks.token_wise(target[read], draft[read[:-1]], read[1:], uniforms)
        written.append([*read[1 : n + 1], token])
        text += written[-1]
    return written


def alone(target, draft, prompt, gamma, rounds, uniform):
    """The target without a draft."""
    text = [*prompt]
    for _ in range(rounds):
        text.append(sample(target[text[-1]], uniform()))
    return [[token] for token in text[len(prompt) :]]


def of_its_own(target, draft, prompt, gamma, rounds, uniform):
    row = target[prompt[-1]]
    return [[int(np.random.default_rng().choice(len(row), p=row))] for _ in range(rounds)]


def slipped(*edits):
    return slip(checks.token_wise, *edits)


MULTIPLIED = "uniforms[i] * q[i, x] < p[i, x]"  # as the lesson says it of a dart
RIGHT_ANSWERS = [
    (checks.check_shared_and_residual, lambda p, q: [1 - abs(p - q).sum() / 2, residual(p, q)]),
    (checks.check_token_wise, as_answer(token_wise_from())),
    (checks.check_token_wise, lambda *given: [*map(float, as_answer(token_wise)(*given))]),
    (checks.check_token_wise, eats),
    (checks.check_token_wise, slipped((checks.ACCEPTS, MULTIPLIED))),
    (
        checks.check_rebuilt_loop,
        slip(rebuilt.decode, (rebuilt.ACCEPTS, "q[x] * uniform() < p[x]")),
    ),
    (checks.check_proof_steps, lambda p, q: [np.minimum(p, q), 1 - overlap(p, q), (p - q).clip(0)]),
    (
        checks.check_round_by_hand,
        by_hand.RIGHT
        | {"A residual": (0, 0.14, 0.29, 0.57, 0), "A word": " By", "ratios": (0.38, 0.4)},
    ),
    (checks.check_rebuilt_loop, with_a_table_of_rows),
]


def two_drafts_only(p, q, drafted, uniforms):
    for i in (0, 1):
        if not uniforms[i] < p[i, drafted[i]] / q[i, drafted[i]]:
            return i, sample(residual(p[i], q[i]), uniforms[-1])
    return 2, sample(p[2], uniforms[-1])


DRAWN = "np.random.random()"  # in place of a uniform that was given


WRONG_ANSWERS = [
    *(
        (checks.check_token_wise, slipped((piece, piece.replace(given, DRAWN))), "of your own")
        for piece, given in (
            (checks.ACCEPTS, "uniforms[i]"),
            (checks.CORRECTION, "uniforms[-1]"),
            (checks.BONUS, "uniforms[-1]"),
        )
    ),
    (
        checks.check_token_wise,
        slipped((checks.ACCEPTS, MULTIPLIED.replace("<", "<="))),
        "must be strict",
    ),
    (
        checks.check_token_wise,
        slipped((checks.ACCEPTS, MULTIPLIED.replace("*", "/"))),
        "",
    ),
    # of the zoo, what is no known mistake of the exercise
    *(
        (checks.check_token_wise, as_answer(bug(name).decoder.rule.verify), "")
        for name in ("first token unverified", "no bonus")
    ),
    (checks.check_shared_and_residual, lambda p, q: (0.6, q - p), "too much of"),
    (
        checks.check_shared_and_residual,
        lambda p, q: (np.minimum(p, q).sum(), abs(p - q) / abs(p - q).sum()),
        "|p − q|",
    ),
    (checks.check_shared_and_residual, residual, "Return two things"),
    (checks.check_shared_and_residual, lambda p, q: (0.6, None), "still open"),
    (checks.check_shared_and_residual, lambda p, q: (np.minimum(p, q), p), "one number"),
    (checks.check_shared_and_residual, lambda p, q: (0.6, 0.5), "shape"),
    (checks.check_shared_and_residual, lambda p, q: (0.6, p - q), "negative"),
    (checks.check_shared_and_residual, lambda p, q: (0.6, (p - q).clip(0)), "Renormalise"),
    (checks.check_token_wise, as_answer(block), "accepted: For drafted = "),
    (
        checks.check_token_wise,
        slipped((checks.ACCEPTS, "True"), (checks.CORRECTION, "0")),
        "accept every drafted token",  # of two mistakes the first is told
    ),
    (checks.check_token_wise, two_drafts_only, "are such numbers in your code?"),
    (checks.check_proof_steps, lambda p, q: (overlap(p, q), 0.1, p), "One probability per token"),
    (checks.check_proof_steps, lambda p, q: (np.minimum(p, q), 0.1, ...), "still open"),
    (
        checks.check_proof_steps,
        lambda p, q: (np.minimum(p, q), 1 - np.minimum(p, q), p),
        "one number",
    ),
    (checks.check_proof_steps, lambda p, q: p, "Return three things"),
    (
        checks.check_proof_steps,
        lambda p, q: (checks._ratio(p, q), 1 - overlap(p, q), (p - q).clip(0)),
        "once it was drafted",
    ),
    (checks.check_round_by_hand, by_hand.RIGHT | {"A word": "roof"}, "is 'by', not 'roof'"),
    (checks.check_round_by_hand, by_hand.RIGHT | {"B word": ...}, "B word is still open"),
    (checks.check_round_by_hand, by_hand.RIGHT | {"ratios": [0.375, ...]}, "ratios is still open"),
    (checks.check_round_by_hand, by_hand.RIGHT | {"ratios": [37.5, 40]}, "hundredths"),
    (
        checks.check_rebuilt_loop,
        slip(rebuilt.decode, ("target[new[-1]]", "target[guesses[0]]")),
        "gamma = 2, rounds = 2, the words of round 1 are [1, 0, 0] with probability 0.053, not",
    ),
    (checks.check_rebuilt_loop, lambda *given: [*rebuilt.decode(*given), [0]], "rounds"),
    (checks.check_rebuilt_loop, lambda *given: [[0] * 9] * given[-2], "are the most"),
    (checks.check_rebuilt_loop, alone, "no round has the length 2. Where the whole draft"),
    (
        checks.check_rebuilt_loop,
        slip(
            rebuilt.decode,
            (
                "        else:\n            new.append(sample",
                "        if True:\n            new.append(sample",
            ),
        ),
        "A bonus follows a rejection",
    ),
    (
        checks.check_rebuilt_loop,
        slip(
            rebuilt.decode,
            ("        else:\n            new", "        if len(new) == gamma:\n            new"),
        ),
        "no round has the length 1. Where guess 1",
    ),
    (
        checks.check_rebuilt_loop,
        slip(rebuilt.decode, (rebuilt.CORRECTED, "x")),
        "the rejected word stays, or",
    ),
    (checks.check_rebuilt_loop, of_its_own, "no random numbers but those"),
    (
        checks.check_rebuilt_loop,
        lambda *given: [[int(given[-1]() * 2)]] * given[-2],
        "You calculate",
    ),
]


# ------------------------------------------------------------------ the token-wise rule


def test_a_students_rule_runs_in_the_loop_and_is_proved_or_refuted_there():
    small = exam(gamma=2, length=3)
    assert small.distance(Decoder(checks.as_rule(as_answer(token_wise)))) < 1e-12
    from_p = bug("resample from p").decoder
    mine = checks.as_rule(as_answer(from_p.rule.verify))
    assert small.distance(Decoder(mine)) == pytest.approx(small.distance(from_p))
    assert small.distance(from_p) > 0.01


# ------------------------------------------------------------------ what is taken for true


@pytest.mark.parametrize(
    ("decoder", "correction"),
    [(CORRECT, residual(P, Q)), (bug("resample from p").decoder, P)],
    ids=["residual", "p itself"],
)
def test_the_emitted_row_is_what_the_loop_emits(decoder, correction):
    row = np.zeros(5)
    for weight, r in Exam(TableModel(P), TableModel(Q), gamma=1).first_rounds(decoder):
        row[r.emitted[0]] += weight
    np.testing.assert_allclose(row, checks.emitted(P, Q, correction))


def test_the_round_by_hand_is_what_the_rule_makes_of_it():
    places = by_hand.PLACES
    p = np.array([place.p for place in places])
    q = np.array([place.q for place in places if place.q])
    np.testing.assert_allclose([p.sum(axis=1)], 1)
    np.testing.assert_allclose([q.sum(axis=1)], 1)
    drafted = [place.words.index(w) for place, w in zip(places, by_hand.DRAFTED, strict=False)]
    for name, uniforms in by_hand.UNIFORMS.items():
        n, token = as_answer(token_wise)(p, q, drafted, uniforms)
        assert by_hand.RIGHT[f"{name} accepted"] == n
        assert by_hand.RIGHT[f"{name} word"] == places[n].words[token]
    ratios = [p[i, x] / q[i, x] for i, x in enumerate(drafted)]
    assert by_hand.RIGHT["ratios"] == pytest.approx(ratios)


def test_the_rebuilt_loop_writes_the_texts_of_the_course():
    """Round by round, with the same models as tables for the real loop."""
    for case in rebuilt.CASES:
        target, draft, prompt, gamma, rounds, _ = case
        models = TableModel(target), TableModel(draft)
        e = Exam(*models, gamma=gamma, length=rounds * (gamma + 1), prompt=tuple(prompt))

        def run(noise, e=e, rounds=rounds, length=(rounds + 1) * (gamma + 1)):
            these = e.rounds(CORRECT, length, noise=lambda _: noise)
            return tuple(tuple(r.emitted) for r in islice(these, rounds))

        wanted = merge_paths(outcomes(run))
        assert distribution_distance(rebuilt._walked(rebuilt.decode, *case), wanted) < 1e-12
