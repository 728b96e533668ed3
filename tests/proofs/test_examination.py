"""A certificate: no defect in lossless decoders, lossy for others, else inconclusive."""

import re
from dataclasses import replace
from functools import partial
from itertools import count, pairwise, permutations

import numpy as np
import pytest
import torch
from transformers import (
    MinPLogitsWarper,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from course_utils.classroom.trial import as_answer
from course_utils.decoding.contracts import NO_DRAFT, Draft
from course_utils.decoding.rules import BLOCK
from course_utils.decoding.sampling import GREEDY, Sampling, log_rows, probabilities, sample
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.exact_proof import own_decoder
from course_utils.lessons.exact_proof.own_decoder import speculate
from course_utils.proofs import exact_walk, examination
from course_utils.proofs.bugs import BUGS, CORRECT_TREE, ENUMERATION, SHAPE, bug
from course_utils.proofs.certificate import INCONCLUSIVE, LOSSY, NO_DEFECT, OVER, certificate_of
from course_utils.proofs.decoders import CORRECT, Decoder, exam
from course_utils.proofs.exact_walk import FLOAT32, exact_check
from course_utils.proofs.examination import (
    certify,
    every_check,
    long_exams,
    sampled_checks,
    sampled_exams,
    short_exams,
)
from course_utils.proofs.programs import Program
from course_utils.proofs.restricted_support import RowReader, restricted_exam
from course_utils.proofs.synthetic import Shifted, shifted_pair
from course_utils.proofs.table_checks import EXAMS, ON_TABLES, distance_of
from tests.promises import edited

SMALL = exam(gamma=2, length=3)
TARGET, DRAFT = shifted_pair(700, seed=7)  # in place of a real pair: a pass costs nothing
PROMPTS = [np.random.default_rng(7).integers(0, 700, 70).tolist()]
ITS_OWN = np.random.default_rng(0)
MODELS = RowReader(TARGET), RowReader(DRAFT)


@pytest.fixture
def short(monkeypatch):
    """Use one table, and a few short exams of each kind."""
    monkeypatch.setattr(examination, "ON_TABLES", [distance_of("exact distribution, top-k")])
    monkeypatch.setattr(examination, "SETTINGS", examination.SETTINGS[:1])
    monkeypatch.setattr(examination, "ALL", (100, 1))
    for name in ("long_exams", "late_exams"):
        monkeypatch.setattr(examination, name, lambda *args: {})


def alone(target, draft, prompt, gamma, sampling, most, stop_tokens, uniform, draw=sample):
    """Lossless, without a draft; singly."""
    session, token = target.start(prompt[:-1]), prompt[-1]
    for _ in range(most):
        token = draw(probabilities(session.extend([token]), sampling)[0], uniform())
        yield token
        if token in stop_tokens:
            return


HONEST = {
    "model": (CORRECT, 2),
    "block, lookup": (Decoder(BLOCK, lambda model: PromptLookup()), 4),
    "tree": (CORRECT_TREE, len(SHAPE)),
    "program": (Program(speculate), 3),
    "program without a draft": (Program(alone), 4),
}


@pytest.mark.parametrize("name", HONEST)
def test_no_defect_is_found_in_what_is_lossless(short, name):
    decoder, gamma = HONEST[name]
    certificate = certify(TARGET, DRAFT, decoder, PROMPTS, gamma, stop_tokens=(0,))
    assert [check for check in certificate.checks if not check.passed] == []
    assert (certificate.verdict, certificate.not_run) == (NO_DEFECT, ())
    assert "top-k 2, 20; top-p 0.95" in certificate.examined


@pytest.mark.slow
@pytest.mark.parametrize("name", HONEST)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_no_defect_is_found_on_the_trained_pair(name, dtype):
    from course_utils.writing.writing import load_pair

    pair, (decoder, gamma) = load_pair("tiny", dtype=dtype), HONEST[name]
    prompts = [pair.encode("def add(a, b):"), pair.encode("The river")]
    certificate = certify(pair.target, pair.draft, decoder, prompts, gamma)
    assert [check for check in certificate.checks if not check.passed] == []
    assert certificate.verdict == NO_DEFECT


CHAINS = [bug for bug in BUGS if bug.killer == ENUMERATION and bug.edits]


@pytest.mark.parametrize("specimen", CHAINS, ids=lambda specimen: specimen.name)
def test_a_wrong_rule_is_found_in_a_program_as_in_a_decoder_of_the_library(specimen):
    check = distance_of("exact distribution")
    rule = as_answer(specimen.decoder.rule.verify)
    result = check(Program(partial(speculate, rule=rule)))
    assert result.figure == pytest.approx(check(specimen.decoder).figure)
    assert not result.passed


@pytest.mark.parametrize("first_look", [exact_walk.FIRST_LOOK, 20])
def test_a_witness_is_the_defect_and_neither_rounding_nor_a_path_not_walked(
    monkeypatch, first_look
):
    monkeypatch.setattr(exact_walk, "FIRST_LOOK", first_look)
    rounded = with_rows_in(torch.float32)
    check = exact_check("", replace(rounded, rule=bug("argmax bonus").decoder.rule), [SMALL])
    assert re.search(r"after new tokens \[., .\]: .* but is written with 1$", check.detail)


# --- faults that tables do not reveal ---------------------------------------------------------


def with_prompt(change):
    return Program(
        lambda target, draft, prompt, *args: speculate(target, draft, change(prompt), *args)
    )


def with_settings(change):
    return Program(lambda *args: speculate(*args[:4], change(args[4]), *args[5:]))


def with_filters(filters):
    """The course's decoder, with `filters(logits, sampling)` in place of `probabilities`."""

    def program(target, draft, prompt, gamma, sampling, *rest):
        models = (
            edited(model, lambda tokens, rows: log_rows(filters(rows, sampling)))
            for model in (target, draft)
        )
        return speculate(*models, prompt, gamma, Sampling(), *rest)

    return Program(program)


def of_transformers(dtype):
    """Temperature and filters as transformers applies them, in this format."""

    def filters(logits, s):
        if s.temperature == 0:
            return probabilities(logits, s)
        rows = TemperatureLogitsWarper(float(s.temperature))(None, torch.tensor(logits).to(dtype))
        if s.top_k:
            rows = TopKLogitsWarper(s.top_k)(None, rows)
        if s.top_p < 1:
            rows = TopPLogitsWarper(s.top_p)(None, rows)
        if s.min_p:
            rows = MinPLogitsWarper(s.min_p)(None, rows)
        return rows.softmax(-1).numpy()

    return filters


def in_order(*names):
    """Temperature and filters one after the other, each on what the one before has left."""

    def filters(logits, sampling):
        for name in names if sampling.temperature else [Ellipsis]:
            only = sampling if name is ... else Sampling(**{name: getattr(sampling, name)})
            logits = log_rows(probabilities(logits, only))
        return np.exp(logits)

    return filters


def likeliest_half(logits, sampling):
    """Drop the unlikelier half of the vocabulary."""
    p = probabilities(logits, sampling)
    p = np.where(p > np.sort(p)[:, [p.shape[-1] // 2]], p, 0.0)
    return p / p.sum(-1, keepdims=True)


def with_rule(condition):
    """All guesses are accepted where condition(text's length, new tokens, guesses)."""

    def all_kept(p, q, guesses, uniforms):
        return len(guesses), sample(p[-1], uniforms[-1])

    def program(target, draft, prompt, *args):
        def verify(session, text, guesses, *rest):
            if condition(len(text), len(text) - len(prompt), len(guesses)):
                rest = (*rest[:-1], all_kept)
            return own_decoder.verify(session, text, guesses, *rest)

        return speculate(target, draft, prompt, *args, verify=verify)

    return Program(program)


@Program
def exchanged(target, draft, prompt, *args):
    """Exchange two ids, as a wrong table of tokens would."""
    for emitted in speculate(target, draft, prompt, *args):
        yield [{17: 18, 18: 17}.get(token, token) for token in emitted]


@Program
def ends_at_token_0(*args):
    return speculate(*args[:6], (0,), args[-1])


@Program
def prompt_ends(target, draft, prompt, *args):
    """Let a stop token in the prompt end the text, too."""
    ended = {*prompt} & {*args[-2]}
    return [[prompt[-1]]] if ended else speculate(target, draft, prompt, *args)


def with_sharper_q(condition):
    """q is reported at 0.8 of its temperature where condition(proposals, committed text)."""

    class Sharper(Sampled):
        proposals = 0

        def propose(self, tokens, gamma, noise):
            self.proposals += 1
            draft = super().propose(tokens, gamma, noise)
            if not draft.tokens or not condition(self.proposals, tokens):
                return draft
            q = np.where(draft.q > 0, draft.q, 0.0) ** 1.25
            return replace(draft, q=q / q.sum(-1, keepdims=True))

    return Decoder(drafter=Sharper)


LONG, EACH, LATE = "after a long prompt", "each place of a round, γ = 9", "late in a text"
SERVERS, ROUNDS, ENDS = "settings of servers", "each round of a text", "texts that end"
FAULTS = {
    "a prompt is cut to 512 tokens": (with_prompt(lambda prompt: prompt[-512:]), LONG),
    "the context's end is kept whole": (with_rule(lambda n, new, g: n > 1900), LONG),
    "a long prompt has temperature 1": (
        Program(lambda target, draft, prompt, gamma, s, *args: speculate(
            target, draft, prompt, gamma, replace(s, temperature=1.0) if prompt[900:] else s, *args
        )), LONG,
    ),
    "q is another after 200 rounds": (with_sharper_q(lambda n, tokens: n > 200), LATE),
    "one round is kept whole": (with_rule(lambda n, new, g: 70 <= new < 75), ROUNDS),
    "long drafts are kept whole": (with_rule(lambda n, new, g: g > 6), EACH),
    "top-k above 40 is 40": (with_settings(lambda s: replace(s, top_k=min(s.top_k, 40))), SERVERS),
    "temperature below 0.7 is 0.7": (
        with_settings(lambda s: replace(s, temperature=max(s.temperature, 0.7))), SERVERS,
    ),
    "two ids are exchanged": (exchanged, "many tokens possible"),
    "a stop token of the prompt": (prompt_ends, ENDS),
    "a token ends the text unasked": (ends_at_token_0, ENDS),
    "a text is one token too long": (
        Program(lambda *args: speculate(*args[:5], args[5] + 1, *args[6:])), ENDS,
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (FAULTS[n][1] == LATE)) for n in FAULTS]
)
def test_what_tables_do_not_show_is_found_by_its_exams(name):
    decoder, kind = FAULTS[name]
    exams = long_exams(4, 64, 0) | short_exams(MODELS, PROMPTS, 4, 64, 0)
    assert not exact_check(kind, decoder, exams[kind]).passed


@pytest.mark.parametrize(
    ("decoder", "setting", "kind"),
    [
        (with_settings(lambda s: replace(s, top_k=0) if s.top_k == 33 else s), "top-k 33", 0),
        (with_filters(likeliest_half), "temperature 1.3", 0),
        (with_filters(likeliest_half), "temperature 2", "many tokens possible"),
    ],
)
def test_a_setting_that_is_asked_for_has_exams_of_its_own(decoder, setting, kind):
    settings = [Sampling(top_k=33), Sampling(1.3)]
    exams = short_exams(MODELS, PROMPTS, 4, 64, 0, settings)
    check = exact_check("named", decoder, exams[kind or setting])
    assert not check.passed
    assert f"{setting}, γ = 4, prompt [... " in check.detail


FILTERS = ("temperature", "top_k", "top_p", "min_p")  # in their order; the first two commute


@pytest.mark.parametrize("order", permutations(FILTERS), ids=", ".join)
def test_another_order_of_the_filters_is_found_on_tables(order):
    right = order in (FILTERS, ("top_k", "temperature", "top_p", "min_p"))
    check = distance_of("exact distribution, filters together")
    assert check(with_filters(in_order(*order))).passed == right


@pytest.mark.parametrize("limits", [(0.01, 2), (0, 50), (0.002, 100)])
def test_a_temperature_that_is_clamped_is_found(limits):
    clamped = with_settings(
        lambda s: replace(s, temperature=float(np.clip(s.temperature, *limits)))
    )
    assert not distance_of("exact distribution, extreme temperatures")(clamped).passed


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_transformers_own_filters_are_no_defect(dtype):
    """They may cut elsewhere if a mass reaches a limit exactly, or tokens are equally likely."""
    decoder = with_filters(of_transformers(dtype))
    tied = [RowReader(edited(m, lambda tokens, rows: np.round(rows, 1))) for m in (TARGET, DRAFT)]
    servers = short_exams(tied, PROMPTS, 4, 64, 0)[SERVERS]
    checks = [check(decoder) for check in ON_TABLES]
    checks.append(exact_check(SERVERS, decoder, [each for each in servers if each.length == 2]))
    assert [check for check in checks if not check.passed] == []


def test_no_exam_on_tables_cuts_at_a_mass():
    exams = [each for name in EXAMS for each in EXAMS[name]]
    assert [each.sampling for each in exams if each.cuts_at_a_mass(1e-3)] == []
    few = EXAMS["exact distribution, few tokens left"][0]
    assert replace(few, sampling=Sampling(top_p=0.5)).cuts_at_a_mass()


def test_rows_that_depend_on_how_they_are_asked_for_are_found():
    """In walked paths a text has one row, so only rounds on the pair reveal this."""
    passes = count(1)

    def wrong_once(tokens, rows):
        return np.roll(rows, next(passes) == 12, axis=-1)

    coarse = edited(TARGET, wrong_once)
    coarse.dtype = "bfloat16"  # whose rounding would explain a mean
    by_size = edited(TARGET, lambda tokens, rows: rows / 0.97 if len(rows) == 5 else rows)
    results = [
        [c.name for c in sampled_checks(CORRECT, texts, 0) if not c.passed]
        for target in (TARGET, by_size, coarse)
        for texts in [sampled_exams(target, DRAFT, PROMPTS, 4, (0,))]
    ]
    assert results[0] == []
    assert "pair: row in a round, row alone (mean TV)" in results[1]
    assert results[2] == ["pair: row in a round, row alone (largest TV)"]


@pytest.mark.parametrize(
    "program",
    [
        with_settings(lambda sampling: GREEDY),
        with_settings(lambda sampling: sampling if sampling.temperature else Sampling()),
        with_settings(lambda s: GREEDY if s.temperature == 2 else s),
    ],
    ids=["always the likeliest", "never the likeliest", "the likeliest where it is asked for"],
)
def test_samples_and_greedy_texts_of_the_pair_show_what_is_gross(short, monkeypatch, program):
    monkeypatch.setattr(examination, "ON_TABLES", ())
    monkeypatch.setattr(examination, "short_exams", lambda *args: {})
    certificate = certify(TARGET, DRAFT, program, PROMPTS * 2, settings=[Sampling(2.0)])
    assert certificate.verdict == LOSSY
    assert all(check.passed for check in certificate.checks[:-1])  # no check follows a defect


# --- formats, ends, inconclusive cases --------------------------------------------------------


def drawing_in(dtype):
    """A program that sums rows in a format of torch."""

    def draw(row, u):
        row = torch.tensor(row, dtype=dtype)
        ends = row.cumsum(0)
        return min(int((ends / ends[-1] <= u).sum()), int(row.nonzero()[-1]))

    return Program(partial(alone, draw=draw))


def with_rows_in(dtype):
    """A decoder whose models give rows of a format of torch, as real ones do."""

    in_torch = partial(edited, change=lambda tokens, rows: torch.tensor(rows, dtype=dtype))
    return Decoder(BLOCK, target=in_torch, drafter=lambda model: Sampled(in_torch(model)))


@pytest.mark.parametrize("decoder", [drawing_in, with_rows_in])
def test_float32_is_no_defect_and_half_precision_is(decoder):
    wide = restricted_exam(MODELS, (1, 2), 1, {0: (600, 1)}, gamma=1)
    for exams in [SMALL, replace(SMALL, sampling=GREEDY)], [wide]:
        check = exact_check("rounded", decoder(torch.float32), exams)
        assert (check.passed, check.detail) == (True, f"within {FLOAT32}")
        assert check.figure > 1e-9
        assert not exact_check("rounded", decoder(torch.bfloat16), exams).passed


def test_a_drafter_of_too_many_paths_is_judged_by_samples_in_their_place(short, monkeypatch):
    """A drafter's own model may guess any of thousands of tokens; a table is still walked."""
    wide = Shifted(700, seed=1)
    own = Decoder(drafter=lambda model: Sampled(wide if model.vocabulary_size == 700 else model))
    for name in ("FIRST_LOOK", "MAX_WALKED_TOKENS"):
        monkeypatch.setattr(exact_walk, name, 1000)
    on_a_table = partial(exact_check, "wide", exams=[replace(SMALL, gamma=4, length=5)])
    on_a_table.__name__ = "wide"
    monkeypatch.setattr(examination, "ON_TABLES", [on_a_table, *examination.ON_TABLES])
    certificate = certify(TARGET, DRAFT, own, PROMPTS)
    assert (certificate.verdict, certificate.not_run) == (NO_DEFECT, ())
    names = [check.name for check in certificate.checks]
    assert "exact distribution, top-k" in names  # after a table of too many paths
    assert any(name.startswith("samples of the made-up models") for name in names)
    bent = replace(own, rule=bug("argmax bonus").decoder.rule)
    assert certify(TARGET, DRAFT, bent, PROMPTS).verdict == LOSSY


@Program
def seeding(*args):
    return alone(*args[:-1], np.random.default_rng(int(args[-1]() * 2**32)).random)


class Remembering:
    """Guesses what followed the last two tokens in any earlier text."""

    def __init__(self, model, seen={}):  # noqa: B006
        self.seen = seen

    def propose(self, tokens, gamma, noise):
        self.seen.update(zip(pairwise(tokens), tokens[2:], strict=False))
        guess = self.seen.get((tokens[-2], tokens[-1]))
        return NO_DRAFT if guess is None else Draft((guess,), None)


@pytest.mark.parametrize(
    ("decoder", "words"),
    [
        (Program(lambda *_: None), "returned nothing"),
        (Program(lambda *args: alone(*args[:-1], ITS_OWN.random)), "draws its own random numbers"),
        (Program(lambda *_: 1 / 0), "'repeatable' on: ZeroDivisionError"),
        (Program(lambda *_: iter([["a"]])), "pass token ids"),
        (Decoder(drafter=lambda model: model.no_such_name), "no_such_name"),
        (Decoder(drafter=Remembering), "remembers earlier texts"),
        (seeding, "instead of seeding a generator"),
    ],
)
def test_what_cannot_be_examined_is_inconclusive(short, monkeypatch, decoder, words):
    monkeypatch.setattr(examination, "ON_TABLES", ON_TABLES[:1])
    certificate = certify(TARGET, DRAFT, decoder, PROMPTS)
    assert certificate.verdict == INCONCLUSIVE
    assert words in certificate.not_run[0]


def test_when_the_seconds_are_over_nothing_is_certified():
    certificate = certify(TARGET, DRAFT, Program(alone), PROMPTS, seconds=0)
    assert (certificate.verdict, len(certificate.checks)) == (INCONCLUSIVE, 1)
    assert certificate.not_run == (OVER.format(0),)
    assert certificate_of([], 0.0).verdict == INCONCLUSIVE  # nothing was examined


@pytest.mark.parametrize("changed", [{"prompts": []}, {"gamma": 0}, {"seed": -1}])
def test_an_impossible_examination_is_refused(changed):
    with pytest.raises(ValueError, match=r"prompt|gamma|seed"):
        next(every_check(TARGET, DRAFT, CORRECT, **({"prompts": PROMPTS} | changed)))
