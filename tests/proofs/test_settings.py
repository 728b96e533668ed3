"""Settings and places: some are drawn by the seed, others are asked for by name, and a decoder
that is wrong under one hears which."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.lessons.exact_proof.own_decoder import speculate
from course_utils.proofs import program_certificate as whole
from course_utils.proofs.program_certificate import SMALL, made_up, on_tables
from course_utils.proofs.programs import EXACT, distance
from course_utils.proofs.table_checks import in_words

PROMPTS = [np.random.default_rng(7).integers(0, 600, 70).tolist()]
SEEDS = range(10)
LIES = {  # a setting that is taken for another; one by name that shows it; the seeds that see it
    "top-k above 40 is clipped": (
        lambda s: replace(s, top_k=min(s.top_k, 40)), Sampling(top_k=50), {0, 1, 3, 4, 5, 6, 8},
    ),
    "temperature .75 to .95 is .7": (
        lambda s: replace(s, temperature=0.7) if 0.75 <= s.temperature <= 0.95 else s,
        Sampling(0.8), {0, 1, 2, 3, 5, 6, 7, 8},
    ),
    "top-p below .85 is .9": (
        lambda s: replace(s, top_p=0.9) if s.top_p < 0.85 else s, Sampling(top_p=0.7), {*SEEDS},
    ),
}  # fmt: skip
IGNORED = {"temperature": 1.0, "top-k": 0, "top-p": 1.0, "min-p": 0.0}


def under(lie):
    """The model solution, with other settings than it is asked for."""

    def program(target, draft, prompt, gamma, sampling, *given):
        return speculate(target, draft, prompt, gamma, lie(sampling), *given)

    return program


def seen(program, exams):
    return any(distance(program, exam, repeated=0) > EXACT for exam in exams)


@pytest.mark.slow
@pytest.mark.parametrize("name", LIES)
def test_a_setting_taken_for_another_is_seen_by_some_seeds_and_by_name(name):
    lie, asked, seeds = LIES[name]

    def wrong(exams):
        return seen(under(lie), (e for e in exams if lie(e.sampling) != e.sampling))

    drawn = [made_up(600, PROMPTS, 4, seed) for seed in SEEDS]
    kinds = "temperatures and filters", "γ = 4"
    assert {i for i, exams in enumerate(drawn) if any(wrong(exams[k]) for k in kinds)} == seeds
    assert wrong(made_up(600, PROMPTS, asked=[asked])[in_words(asked)])


@pytest.mark.parametrize("name", IGNORED)
def test_a_decoder_that_ignores_a_setting_hears_its_name(monkeypatch, name):
    monkeypatch.setitem(whole.ON_TABLES, "exact distribution", (SMALL,))
    off = {name.replace("-", "_"): IGNORED[name]}
    checks = on_tables(under(lambda s: replace(s, **off)))
    wrong = next(check for check in checks if not check.passed)
    assert wrong.name == f"exact distribution, {name}"
    assert wrong.detail.startswith(f"at {name} ")


def deciding(rule):
    """The model solution, with rule(text, new tokens, p, guesses, uniforms, verdict) as its own."""

    def program(target, draft, prompt, *given):
        def verify(session, text, guesses, q, sampling, uniform, honest):
            logits = session.extend([*text, *guesses][session.length :])
            p = probabilities(logits[-len(guesses) - 1 :], sampling)
            uniforms = [uniform() for _ in range(len(guesses) + 1)]
            verdict = honest(p, q, guesses, uniforms)
            return rule(text, len(text) - len(prompt), p, guesses, uniforms, verdict)

        return speculate(target, draft, prompt, *given, verify=verify)

    return program


@deciding
def keeps_all_at_a_page(text, new, p, guesses, uniforms, verdict):
    crosses = len(text) // 256 != (len(text) + len(guesses)) // 256
    return (len(guesses), sample(p[-1], uniforms[-1])) if crosses else verdict


@deciding
def corrects_greedily(text, new, p, guesses, uniforms, verdict):
    accepted, token = verdict
    late = accepted < len(guesses) and 400 <= new + accepted < 500
    return accepted, int(p[accepted].argmax()) if late else token


def test_what_is_done_at_a_page_is_seen_by_most_seeds():
    drawn = [made_up(600, PROMPTS, 4, seed)["at a page's end"] for seed in SEEDS]
    found = {i for i, exams in enumerate(drawn) if seen(keeps_all_at_a_page, exams)}
    assert found == {0, 1, 3, 5, 6, 7, 8, 9}


@pytest.mark.slow
def test_what_is_done_late_is_seen_by_some_seeds():
    drawn = [made_up(600, PROMPTS, 4, seed)["late in a text"] for seed in SEEDS]
    there = [[e for e in exams if 400 <= e.decided[0] < 500] for exams in drawn]
    found = {i for i, exams in enumerate(there) if seen(corrects_greedily, exams)}
    assert found == {1, 3, 4, 5, 6, 9}
