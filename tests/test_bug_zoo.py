"""Every specimen of the bug zoo is killed by a promise that the correct decoder keeps.

The table that `make test` prints at its end is made from what is recorded here.
"""

import pytest

from course_utils.decoding.contracts import Rule
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.proofs.bugs import BUGS, bug, token_wise_from
from course_utils.proofs.decoders import CORRECT, Decoder
from course_utils.proofs.promises import PROMISES, TINY

# Their text has the target's law; what they cost is something else.
LAW_IS_RIGHT = {"no bonus", "not strict", "draft cache lags"}


def acceptance_in_a_log(decoder):
    """accepted / examined over 3000 tokens, as a log would print it."""
    rounds = generate(
        decoder.target(TINY.target), TINY.prompt, decoder.drafter(TINY.draft, TINY.sampling),
        gamma=TINY.gamma, sampling=TINY.sampling, rule=decoder.rule, max_new_tokens=3000,
    )  # fmt: skip
    return summarise(rounds).accepted_per_examined


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_the_correct_decoder_keeps_its_promise(promise):
    finding = promise(CORRECT)
    assert finding.passed, finding


def test_the_correct_decoder_is_in_the_table(record_property):
    record_property(
        "mutant",
        ["(none: correct)", "", TINY.distance(CORRECT), acceptance_in_a_log(CORRECT)],
    )


@pytest.mark.parametrize("specimen", BUGS, ids=lambda specimen: specimen.name)
def test_a_mutant_is_killed(specimen, record_property):
    decoder = specimen.decoder
    findings = {promise.__name__: promise(decoder) for promise in PROMISES}
    killers = [name for name, finding in findings.items() if not finding.passed]
    distance = findings["exact_law"].figure
    record_property(
        "mutant",
        [specimen.name, ", ".join(killers), distance, acceptance_in_a_log(decoder)],
    )
    assert killers, f"{specimen.name} is alive"
    if specimen.name in LAW_IS_RIGHT:
        assert distance < 1e-12
    else:
        assert distance > 1e-5


def test_the_parts_make_the_correct_rule():
    """A specimen differs from the token-wise rule by its replaced part alone."""
    assembled = Decoder(Rule("assembled", token_wise_from(), True, "tests"))
    assert TINY.distance(assembled) < 1e-12


def test_an_unknown_bug_is_named():
    with pytest.raises(ValueError, match="no bug is called 'mosquito'"):
        bug("mosquito")
    assert bug("no coin").name == "no coin"
