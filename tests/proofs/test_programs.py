"""Programs with the signature of a student's decoder: walked and recorded, with their faults."""

import pytest

from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.lessons.exact_proof.own_decoder import speculate
from course_utils.proofs.decoders import distribution_of, exam
from course_utils.proofs.program_faults import first_deviation, first_fault, guessed
from course_utils.proofs.programs import EXTEND, START, TARGET, Program, StrictModel
from course_utils.refused import Refused

SMALL = exam(gamma=2, length=3)


def test_a_right_decoder_has_neither_a_distance_nor_a_fault():
    wide = exam(2, gamma=3, length=4, sampling=Sampling(0.7))
    for e in wide, exam(gamma=2, length=4, stop_tokens=(1,), prompt=(0, 2)):
        paths = list(e.paths(Program(speculate)))
        assert e.distance(Program(speculate)) < 1e-12
        assert first_deviation(distribution_of(paths), e.truth()) is None
        for _, rounds in paths:
            assert first_fault(rounds, e) is None


def alone(target, draft, prompt, gamma, sampling, most, stop_tokens, uniform):
    """Decode without a draft, and return all tokens at once."""
    session, tokens = target.start(prompt[:-1]), []
    while len(tokens) < most and not {*tokens} & {*stop_tokens}:
        row = probabilities(session.extend([*prompt, *tokens][-1:]), sampling)[0]
        tokens.append(sample(row, uniform()))
    return tokens


def test_a_program_may_return_its_tokens_at_once():
    for e in SMALL, exam(length=3, stop_tokens=(1,)):
        assert e.distance(Program(alone)) < 1e-12


def test_a_guess_where_only_the_bonus_fits_is_a_fault():
    """Two guesses with room for two tokens: the second one is useless."""

    def too_far(*args):
        yield next(speculate(*args[:5], 3, *args[6:]))[:2]

    e = exam(gamma=2, length=2)
    assert first_fault(e.record(Program(too_far)), e).kinds == ("ahead",)


def test_the_calls_of_each_round_are_recorded():
    e = exam(gamma=2, length=8)
    rounds, committed = e.record(Program(speculate), seed=1), e.prompt
    for r in rounds:
        (read,) = (call for call in r.calls if call.who == TARGET and call.does == EXTEND)
        assert read.after == committed + guessed(committed, r.calls)
        assert read.before == committed[:-1]
        committed += r.emitted
    assert next(call.does for call in rounds[0].calls if call.who == TARGET) == START


def test_an_endless_program_is_ended():
    def empty(target, draft, prompt, *_):
        while True:
            yield []

    def asks_for_ever(target, draft, prompt, *_):
        session = target.start(prompt)
        while True:
            session.extend([0])

    assert len(SMALL.record(Program(empty))) == SMALL.length + 1
    assert isinstance(SMALL.record(Program(asks_for_ever))[-1].error, Refused)


@pytest.mark.parametrize(
    ("method", "argument"),
    [*(("extend", new) for new in ([], ["a"], None, [3])), ("rollback", 4), ("rollback", -1)],
)
def test_a_session_refuses_what_cannot_be(method, argument):
    session = StrictModel(SMALL.target, TARGET, []).start([0, 1])
    with pytest.raises(Refused):
        getattr(session, method)(argument)
