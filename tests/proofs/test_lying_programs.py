"""No lying program passes: each is found, and by the examination that it should be.

Each is put to that one alone.  What a certificate as a whole says is shown of one of them.
"""

from itertools import islice

import numpy as np
import pytest

from course_utils.decoding.rules import RULES
from course_utils.lessons.exact_proof.own_decoder import speculate
from course_utils.models.pairs import load_pair
from course_utils.proofs import narrowed, programs
from course_utils.proofs import program_certificate as whole
from course_utils.proofs.certificate import LOSSY, attempted
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.examination import PLAIN
from course_utils.proofs.narrowed import Reader
from course_utils.proofs.programs import ENOUGH, EXACT, Endless, as_program, distance
from course_utils.proofs.synthetic import shifted_pair
from tests.lying_programs import PROGRAMS

pytestmark = pytest.mark.slow

SIZE = 300  # tokens of two models without weights, in place of a pair's
PROMPTS = [np.random.default_rng(i).integers(0, SIZE, 60).tolist() for i in range(3)]
STOPS = (0,)


def examination(program, name):
    """The checks of one kind: on tables, on made-up models, or of sampled texts."""
    if name in whole.ON_TABLES:
        return [whole._exact(program, name, whole.ON_TABLES[name])]
    exams = whole.made_up(SIZE, PROMPTS, 4, 0, STOPS)
    if name in exams:
        return [whole._exact(program, name, exams[name], repeated=0)]
    tasks = [(PLAIN, prompt, 400, ()) for prompt in PROMPTS]
    return whole._samples(program, *shifted_pair(SIZE), tasks, 4, 0, "texts")


def findings(program, name):
    """What stands in the way of "no defect found"; the last one is by the named check."""
    every = attempted(name, lambda: examination(program, name))
    return [found for found in every if isinstance(found, str) or not found.passed]


@pytest.mark.parametrize("liar", PROGRAMS, ids=lambda liar: liar.name)
def test_a_lying_program_is_found(record_property, liar):
    found = [f for f in findings(liar.program, liar.seen_by) if liar.seen_by in str(f)]
    assert found, f"{liar.name} passes"
    verdict = "inconclusive" if isinstance(found[0], str) else "lossy"
    record_property("liar", [liar.name, verdict, liar.seen_by])


@pytest.mark.parametrize("liar", [x for x in PROGRAMS if "knows a narrowed row" in x.name])
def test_who_knows_the_rows_of_exams_is_found_in_long_texts(liar):
    assert not all(check.passed for check in whole._long_texts(liar.program, 4, 0))


def test_a_certificate_says_so_and_says_it_at_once(fast):
    """What the tables convict is not put to the rest."""
    liar = next(liar for liar in PROGRAMS if liar.name == "no trigram twice")
    found = whole.certify_program(fast.target, fast.draft, liar.program, PROMPTS[:1])
    assert found.verdict == LOSSY
    assert not any(":" in check.name for check in found.checks)


HONEST = {
    rule.name: as_program(Decoder(rule)) for rule in RULES if rule.lossless and not rule.trees
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_program_has_no_distance(name):
    exams = whole.made_up(SIZE, PROMPTS, 4, 1, STOPS)
    for kind in "temperatures and filters", "γ = 4", "each round of a text":
        for each in islice(exams[kind], 2):
            assert distance(HONEST[name], each, 0) < EXACT


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_on_the_pair_only_float64_rounds(dtype):
    pair = load_pair("tiny", dtype=dtype)
    models = Reader(pair.target), Reader(pair.draft)
    prompt = pair.encode("def add(a, b):\n    return")
    exams = [next(narrowed.wide_rows(models, [prompt], 4)), *narrowed.places(models, [prompt], 4)]
    assert max(distance(speculate, each, 0) for each in exams[:4]) < EXACT


def test_a_penalty_over_64_tokens_is_seen_on_the_pair_in_bfloat16():
    """Its distance was .09, and .6 was allowed."""
    pair = load_pair("tiny", dtype="bfloat16")
    prompts = [pair.encode("for i in range(10):\n    print(i)\n")]
    liar = next(liar for liar in PROGRAMS if "64 tokens" in liar.name)
    exams = whole.of_the_pair(pair.target, pair.draft, prompts, 4, pair.stop_tokens)
    check = whole._exact(liar.program, "every token possible", exams["every token possible"])
    assert (check.passed, check.threshold) == (False, EXACT)


def test_paths_without_end_are_not_walked():
    """All tokens possible at each of two places: a defect is certain after some thousands of
    tokens, and without one there is no verdict."""
    models = tuple(map(Reader, shifted_pair(SIZE)))
    every = dict.fromkeys(range(2), (SIZE, SIZE))
    each = narrowed.narrowed(models, PROMPTS[0], 2, every, gamma=1)
    walked = []
    liar = next(liar for liar in PROGRAMS if liar.name == "two ids exchanged").program
    assert distance(lambda *given: walked.append(1) or liar(*given), each, 0) > EXACT
    assert len(walked) <= ENOUGH


def test_paths_without_end_and_without_a_defect_are_no_verdict(monkeypatch):
    monkeypatch.setattr(programs, "MOST", 2)
    monkeypatch.setattr(programs, "ENOUGH", 2)
    with pytest.raises(Endless, match="no defect in those that were walked"):
        distance(speculate, whole.SMALL)
