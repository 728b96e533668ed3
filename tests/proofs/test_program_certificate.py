"""A certificate for programs: none for what is wrong, and for what deceives an examination."""

from functools import partial
from itertools import islice

import numpy as np
import pytest

from course_utils.decoding.sampling import probabilities, sample
from course_utils.lessons.exact_proof import own_decoder
from course_utils.models.loading.prompts import held_out_prompts
from course_utils.models.toys.tables import TableModel
from course_utils.proofs import program_certificate as whole
from course_utils.proofs.bugs import bug
from course_utils.proofs.certificate import (
    INCONCLUSIVE,
    LOSSY,
    NO_DEFECT,
    attempted,
    certificate_of,
)
from course_utils.proofs.narrowed import Narrowed, Reader, further
from course_utils.proofs.program_certificate import certify_program, on_tables
from course_utils.proofs.programs import as_program
from course_utils.proofs.table_checks import Check


@pytest.fixture
def short(monkeypatch):
    """One small table, and one exam of a kind."""
    monkeypatch.setattr(whole, "ON_TABLES", {"exact distribution": (whole.SMALL,)})
    monkeypatch.setattr(whole, "TINY", whole.SMALL)
    for name in ("made_up", "of_the_pair"):
        monkeypatch.setattr(whole, name, partial(_first_of_each, getattr(whole, name)))


def _first_of_each(exams, *given):
    dear = ("every token possible", "late in a text")
    return {name: islice(each, 1) for name, each in exams(*given).items() if name not in dear}


@pytest.fixture(scope="module")
def prompts(pair):
    return [pair.encode(prompt) for prompt in held_out_prompts("code")[:2]]


def target_alone(target, draft, prompt, gamma, sampling, most, stop_tokens, uniform):
    """Lossless, without a draft."""
    session = target.start(prompt[:-1])
    token = prompt[-1]
    for _ in range(most):
        token = sample(probabilities(session.extend([token]), sampling)[0], uniform())
        yield token
        if token in stop_tokens:
            return


def when(lies, cheat, honest=own_decoder.speculate):
    """A program that is honest but where lies(target, text, uniform) says so."""

    def program(target, draft, prompt, gamma, sampling, most, stop_tokens, uniform):
        new = []
        settings = gamma, sampling, most, stop_tokens, uniform
        for emitted in honest(target, draft, prompt, *settings):
            token = emitted[-1]
            if lies(target, new, uniform):
                emitted = [*emitted[:-1], cheat(token, target)]
            new += emitted
            yield emitted

    return program


def test_tables_find_nothing_in_the_model_solution_and_say_what_was_examined():
    certificate = certificate_of(list(on_tables(own_decoder.speculate)), 0.0)
    assert [c for c in certificate.checks if not c.passed] == []
    assert certificate.checks[-1].figure == 0
    assert "temperature 0, 0.5, 0.6, 0.8, 1; top-k 2, 3; top-p 0.5, " in certificate.examined
    assert "texts of up to 11 tokens; every path at new tokens 0, 1, 2, 3" in certificate.examined
    assert certificate_of([], 0.0).verdict == INCONCLUSIVE  # nothing was examined


@pytest.mark.slow
def test_no_defect_is_found_in_what_is_lossless(fast, prompts, short):
    for program in own_decoder.speculate, target_alone:
        certificate = certify_program(fast.target, fast.draft, program, prompts, stop_tokens=(0,))
        assert [c for c in certificate.checks if not c.passed] == []
        assert (certificate.verdict, certificate.not_run) == (NO_DEFECT, ())


@pytest.mark.parametrize("name", ["resample from p", "argmax bonus", "q at another temperature"])
def test_a_bug_is_named(name, short):
    checks = list(on_tables(as_program(bug(name).decoder)))
    assert not checks[0].passed
    assert repr(name) in checks[0].detail


def test_a_missing_bonus_is_lossless_and_told(short):
    checks = list(on_tables(as_program(bug("no bonus").decoder)))
    assert all(check.passed for check in checks)
    assert "it holds one more token" in checks[-1].detail


def is_number(target, new, uniform):
    return isinstance(uniform(), float)


def other(token, target):
    return (token + 1) % target.vocabulary_size


LIARS = {
    "knows an interval from a number": when(is_number, other),
    "lies on the pair, where more than two tokens are possible": when(
        lambda target, new, uniform: target.vocabulary_size > 1000 and len(new) > 3,
        lambda token, target: 17,
    ),
}


@pytest.mark.parametrize("name", LIARS)
def test_a_liar_is_found(name, fast, prompts, short):
    """On one text of the pair, though a certificate looks at several."""
    certificate = certify_program(fast.target, fast.draft, LIARS[name], prompts[:1])
    assert certificate.verdict == LOSSY


rng = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda *_: None, "nothing came back"),
        (lambda *given: target_alone(*given[:-1], rng.random), "random numbers of its own"),
        (lambda *_: 1 / 0, "division by zero"),
    ],
)
def test_what_cannot_be_examined_is_inconclusive(fast, prompts, short, program, words):
    certificate = certify_program(fast.target, fast.draft, program, prompts[:1])
    assert certificate.verdict == INCONCLUSIVE
    assert any(words in reason for reason in certificate.not_run)


def test_when_the_seconds_are_over_the_rest_is_named_and_nothing_is_certified(fast, prompts):
    certificate = certify_program(fast.target, fast.draft, target_alone, prompts[:1], seconds=0)
    assert certificate.verdict == INCONCLUSIVE
    assert certificate.checks == ()
    assert certificate.not_run == ("all further checks, since 0 seconds were over",)


def test_an_examination_that_is_left_early_ends_quietly():
    def endless():
        while True:
            yield Check("one more", True, 0, 0)

    checks = attempted("endless", endless)
    assert next(checks).name == "one more"
    checks.close()  # RuntimeError if it went on


def test_keys_of_a_prompt_do_not_depend_on_the_one_before():
    model = Narrowed(Reader(TableModel.random(5, order=1, seed=0)), {2: 3})
    for prompt in ([1, 2, 3, 4], [1, 2, 3, 4, 0], [1, 3, 3, 4], [1, 2], []):
        assert model.keys(prompt) == further([], prompt)
