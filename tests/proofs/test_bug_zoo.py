"""Every specimen of the bug zoo is killed by a promise that the correct decoder keeps.

The table that `make test` prints at its end is made from what is recorded here.
"""

from dataclasses import replace

import pytest

from course_utils.decoding import sampling
from course_utils.decoding.rules import (
    BLOCK,
    GREEDY_MATCH,
    RECURSIVE_REJECTION,
    recursive_rejection,
)
from course_utils.drafters.candidates import Candidates, with_replacement
from course_utils.edits import slip
from course_utils.proofs.bugs import BUGS, bug
from course_utils.proofs.decoders import CORRECT, Decoder, exam
from course_utils.proofs.table_checks import (
    ON_TABLES,
    distance_of,
    excluded_tokens_stay_out,
)
from tests.promises import PROMISES

# Their text has the target's distribution; what they cost is something else.
DISTRIBUTION_IS_RIGHT = {"no bonus", "not strict", "draft cache lags"}
SMALL = exam(3, gamma=2, length=3)  # the TV of every other mutant is at least 6e-5 here
# The cheapest promise first: enumerating whole texts takes twenty times as long as all others.
CHEAPEST_FIRST = sorted(PROMISES, key=lambda promise: "exact" in promise.__name__)


# Other ways to draw candidates have the same rule; test_enumeration.py walks them.
LOSSLESS = {
    "token-wise": CORRECT,
    "block": Decoder(BLOCK),
    "greedy match": Decoder(GREEDY_MATCH),
    "candidates": Decoder(RECURSIVE_REJECTION, lambda model: Candidates(model, with_replacement)),
}


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_the_correct_decoder_keeps_its_promise(promise):
    finding = promise(CORRECT)
    assert finding.passed, finding


# Greedy match draws from p at every guess, so it has many times the paths.  It divides by
# nothing, so rare tokens are like others; test_enumeration.py walks gamma 3 over two tokens.
TOO_MANY_PATHS = {"exact distribution", "exact distribution, rare tokens"}
ASKED_OF_EACH = [
    (name, promise)
    for promise in ON_TABLES
    for name in LOSSLESS
    if name != "token-wise" and not (name == "greedy match" and promise.__name__ in TOO_MANY_PATHS)
]


@pytest.mark.parametrize(
    ("name", "promise"), ASKED_OF_EACH, ids=lambda x: getattr(x, "__name__", x)
)
def test_every_lossless_decoder_keeps_what_any_must(name, promise):
    finding = promise(LOSSLESS[name])
    assert finding.passed, finding


def test_candidates_that_are_not_strict_are_found():
    at_most = slip(recursive_rejection, ("uniforms[i] <", "uniforms[i] <="))
    rule = replace(RECURSIVE_REJECTION, verify=at_most)
    finding = excluded_tokens_stay_out(replace(LOSSLESS["candidates"], rule=rule))
    assert not finding.passed


def test_a_nucleus_that_keeps_one_token_too_many_is_found(monkeypatch):
    """top-p with <= for <: wrong only where the mass is exactly reached."""

    def nucleus(xp, p, top_p):
        order = xp.argsort(p, axis=-1, descending=True)
        sorted_p = xp.take_along_axis(p, order, axis=-1)
        before = xp.cumulative_sum(sorted_p, axis=-1) - sorted_p
        kept = xp.where(before <= top_p, sorted_p, 0.0)
        kept = kept / xp.sum(kept, axis=-1, keepdims=True)
        return xp.take_along_axis(kept, xp.argsort(order, axis=-1), axis=-1)

    monkeypatch.setattr(sampling, "_nucleus", nucleus)
    assert not distance_of("exact distribution, edges of filters")(CORRECT).passed


@pytest.mark.parametrize("specimen", BUGS, ids=lambda specimen: specimen.name)
def test_a_mutant_is_killed(specimen, record_property):
    distance = SMALL.distance(specimen.decoder)
    killer = next((p.__name__ for p in CHEAPEST_FIRST if not p(specimen.decoder).passed), "")
    record_property("mutant", [specimen.name, killer, distance])
    assert killer, f"{specimen.name} is alive"
    if specimen.name in DISTRIBUTION_IS_RIGHT:
        assert distance < 1e-12
    else:
        assert distance > 1e-5


def test_an_unknown_bug_is_named():
    with pytest.raises(ValueError, match="no bug is called 'mosquito'"):
        bug("mosquito")
    assert bug("no uniform").name == "no uniform"
