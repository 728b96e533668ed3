"""Programs with the signature of a student's decoder: walked and recorded, with their faults."""

import numpy as np
import pytest

from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.proofs.decoders import CORRECT, exam
from course_utils.proofs.enumeration import merge_paths
from course_utils.proofs.program_faults import first_deviation, first_fault, guessed
from course_utils.proofs.programs import (
    EXTEND,
    START,
    TARGET,
    Malformed,
    Recorder,
    as_program,
    distance,
    texts,
    write,
)

SMALL = exam(gamma=2, length=3)


def written(program, e=SMALL, uniform=np.random.default_rng(0).random):
    return write(program, e, uniform)


def test_the_courses_own_decoder_is_without_distance_and_without_fault():
    wide = exam(2, gamma=3, length=4, sampling=Sampling(0.7))
    for e in wide, exam(gamma=2, length=4, stop_tokens=(1,), prompt=(0, 2)):
        paths = texts(as_program(CORRECT), e)
        assert distance(as_program(CORRECT), e) < 1e-12
        assert not any(first_fault(path, e.length, e.stop_tokens) for _, path in paths)
        written_texts = merge_paths((weight, path.tokens) for weight, path in paths)
        assert first_deviation(written_texts, e.truth()) is None


def plain(target, draft, prompt, gamma, sampling, most, stop_tokens, uniform):
    """Decoding without a draft, all tokens returned at once."""
    session, tokens = target.start(prompt[:-1]), []
    while len(tokens) < most and not {*tokens} & {*stop_tokens}:
        row = probabilities(session.extend([*prompt, *tokens][-1:]), sampling)[0]
        tokens.append(sample(row, uniform()))
    return tokens


def test_a_program_may_return_its_tokens_at_once():
    for e in SMALL, exam(length=3, stop_tokens=(1,)):
        assert distance(plain, e) < 1e-12


def test_a_guess_where_only_the_bonus_fits_is_named():
    """Two guesses with room for two tokens: the second one is useless."""

    def too_far(*args):
        yield next(as_program(CORRECT)(*args[:5], 3, *args[6:]))[:2]

    assert first_fault(written(too_far, exam(gamma=2, length=2)), 2).kinds == ("ahead",)


def test_what_a_program_calls_is_noted_round_by_round():
    text = written(as_program(CORRECT), exam(gamma=2, length=8), np.random.default_rng(1).random)
    committed = text.prompt
    for emitted, calls in zip(text.rounds, text.calls, strict=True):
        (read,) = (call for call in calls if call.who == TARGET and call.does == EXTEND)
        assert read.after == committed + guessed(committed, calls)
        assert read.before == (committed if calls is not text.calls[0] else text.prompt)[:-1]
        committed += emitted
    assert next(call.does for call in text.calls[0] if call.who == TARGET) == START


def test_an_endless_program_is_ended():
    def empty(target, draft, prompt, *_):
        while True:
            yield []

    def asks_for_ever(target, draft, prompt, *_):
        session = target.start(prompt)
        while True:
            session.extend([0])

    assert len(written(empty).rounds) == SMALL.length + 1
    assert isinstance(written(asks_for_ever).error, Malformed)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s: s.extend([]), "no token to read"),
        (lambda s: s.extend(["a"]), "pass token ids"),
        (lambda s: s.extend(None), "pass token ids"),
        (lambda s: s.extend([3]), "does not know"),
        (lambda s: s.rollback(4), "of a session with 2 tokens"),
        (lambda s: s.rollback(-1), "of a session with 2 tokens"),
    ],
)
def test_a_session_refuses_what_cannot_be(call, words):
    session = Recorder(SMALL.target, TARGET, [], 100).start([0, 1])
    with pytest.raises(Malformed, match=words):
        call(session)
