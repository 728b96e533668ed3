"""Servers that lie are seen or stand among the blind spots; honest ones are left in peace."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.proofs.certificate import INCONCLUSIVE, Check, certificate_of
from course_utils.proofs.passes import ROUNDING
from course_utils.proofs.served import checks
from course_utils.proofs.served_rows import Rows, Text, kept
from tests.lying_servers import (
    COOL,
    HONEST,
    LIARS,
    PLAIN,
    QWEN,
    SPECULATIVE,
    STOPS,
    draft_of,
    rows_of,
    texts_of,
)

FLOAT32 = ROUNDING["float32"]
SETTINGS = (PLAIN, Sampling(0.6), QWEN, Sampling(top_k=50), Sampling(min_p=0.05), GREEDY)
FILTERED = (*SETTINGS[:-1], Sampling(1.3), Sampling(0.8, 40, 0.9), Sampling(0.7, min_p=0.1),
            Sampling(0.6, 7, 0.5), Sampling(top_k=5, min_p=0.02))  # fmt: skip


def found(texts, sampling, **options) -> list[Check | str]:
    options |= {"stops": STOPS, "draft_of": lambda text: draft_of(text, sampling)}
    return list(checks(texts, rows_of, sampling, FLOAT32, **options))


def failed(made) -> list[str]:
    return [check.name for check in made if isinstance(check, Check) and not check.passed]


def honest_runs(runs: int, requests: int) -> dict[Sampling, list[str]]:
    """By settings the checks that called an honest server wrong; half of the runs speculate.
    200 runs of 16 requests at each: none (2026-11-26).
    """
    return {
        sampling: [
            name
            for seed in range(runs)
            for name in failed(
                found(texts_of((HONEST, SPECULATIVE)[seed % 2], sampling, requests, seed), sampling)
            )
        ]
        for sampling in SETTINGS
    }


def test_honest_servers_are_left_in_peace():
    assert not any(honest_runs(2, 8).values())


@pytest.mark.parametrize("liar", LIARS, ids=lambda liar: liar.name)
def test_a_liar_is_seen_or_is_a_blind_spot(liar):
    texts = texts_of(liar.write, liar.asked)
    assert bool(failed(found(texts, liar.asked))) == liar.seen


def test_at_temperature_0_ties_are_excused_and_nothing_else_is():
    logits = np.array([[3.0, 3.0 - 1e-4, 1.0], [5.0, 1.0, 0.0]])
    for tokens, wrong in (((0, 0), 0), ((1, 0), 0), ((2, 0), 1), ((0, 2), 1)):
        (check,) = checks([Text((0,), tokens)], lambda _: Rows.of(logits), GREEDY, FLOAT32)
        assert check.figure == wrong


@pytest.mark.parametrize("sampling", FILTERED)
def test_what_is_kept_is_what_is_sampled_from(sampling, rng):
    logits = rng.normal(0, 3, (40, 30))
    rows = Rows.of(logits)
    low, high = kept(rows, rows.at(sampling.temperature), sampling)
    assert ((probabilities(logits, sampling) > 0).sum(-1) == low).all()
    assert (low == high).all()


def test_short_rows_weigh_the_same_and_edges_lie_in_the_groups_around_them(rng):
    whole, tokens, at = Rows.of(rng.normal(0, 2, (20, 3000))), rng.integers(0, 3000, 20), range(20)
    short = whole.short(tokens)
    assert short.logits.shape[1] < 400
    assert np.allclose(short.at(1.0).sums[:, -1], whole.at(1.0).sums[:, -1])
    ends, own, ranks = np.cumsum(short.many, -1), short.ranks(tokens), whole.ranks(tokens)
    assert (ends[at, own] - short.many[at, own] <= ranks).all()
    assert (ranks < ends[at, own]).all()
    for sampling in Sampling(top_p=0.97), Sampling(2.0, top_p=0.9), Sampling(min_p=1e-3):
        (low, high), (exact, _) = (
            kept(rows, rows.at(sampling.temperature), sampling) for rows in (short, whole)
        )
        assert (ends[at, low - 1] <= exact).all()
        assert (exact <= ends[at, high - 1]).all()


@pytest.mark.parametrize("sampling", [PLAIN, QWEN, COOL, Sampling(1.3, top_p=0.9)])
@pytest.mark.parametrize("temperature", [None, 2.5])
def test_the_likeliest_tokens_of_a_row_judge_as_far_as_they_reach(sampling, temperature):
    """Rows as a server tells them: the 20 likeliest, and the text's own token."""

    def partial_rows(text):
        whole, at = rows_of(text), np.arange(len(text.tokens))
        own = whole.ranks(text.tokens)
        columns = np.concatenate([np.tile(np.arange(20), (len(at), 1)), own[:, None]], -1)
        logits = np.take_along_axis(whole.logits, columns, -1)
        logits[own < 20, -1] = -np.inf
        return Rows(np.take_along_axis(whole.tokens, columns, -1), logits, 20)

    liar = replace(sampling, temperature=temperature or sampling.temperature)
    texts = texts_of(HONEST, liar, 16)
    made = list(checks(texts, partial_rows, sampling, FLOAT32))
    assert bool(failed(made)) == (temperature is not None)


def test_too_few_tokens_are_inconclusive_and_an_early_end_is_judged():
    texts = texts_of(HONEST, QWEN, 2)
    made = found(texts, QWEN)
    assert certificate_of(made, 0.0).verdict == INCONCLUSIVE
    assert any("too few" in each for each in made if isinstance(each, str))
    cut = [replace(text, tokens=text.tokens[:9], ended=True) for text in texts_of(HONEST, PLAIN)]

    def one_more(text):
        return rows_of(replace(text, tokens=(*text.tokens, 0)))

    made = list(checks(cut, one_more, PLAIN, FLOAT32, stops=STOPS, ends=True))
    (name,) = failed(made)
    assert "stop tokens" in name
