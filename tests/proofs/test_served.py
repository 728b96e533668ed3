"""Servers that lie are seen or stand among the blind spots; honest ones are left in peace."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.proofs.certificate import INCONCLUSIVE, certificate_of
from course_utils.proofs.examination import ROUNDING
from course_utils.proofs.served import Rows, Settings, Text, as_settings, checks, kept, looks_like
from course_utils.proofs.table_checks import Check
from course_utils.proofs.two_samples import two_samples
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
NAMED = ("Qwen3's generation config", "presence penalty 1")  # the others take a minute
SETTINGS = (PLAIN, QWEN, COOL, Sampling(1.3), Sampling(top_k=50, min_p=0.02),
            Sampling(0.8, 40, 0.9))  # fmt: skip


def found(texts, sampling, **options) -> list[Check | str]:
    options |= {"stops": STOPS, "draft_of": lambda text: draft_of(text, sampling)}
    return list(checks(texts, rows_of, sampling, FLOAT32, **options))


def failed(made) -> list[str]:
    return [check.name for check in made if isinstance(check, Check) and not check.passed]


def honest_runs(runs: int, requests: int) -> dict[Sampling, list[str]]:
    """By settings the checks that called an honest server wrong; half of the runs speculate.
    200 runs of 16 requests at temperature 1 without filters: none (2026-11-26).
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
    assert failed(made) == [name for name in failed(made) if "stop tokens, 6" in name] != []


def test_settings_are_told_by_what_differs():
    assert Settings(0.6, 20).differing(Sampling(0.6)) == ["top_k = 20"]
    assert as_settings(QWEN).differing(QWEN) == []


def test_two_samples_of_one_server_agree_and_of_another_not():
    def answers(write, sampling, seed):
        rng = np.random.default_rng(seed)
        return [[write((i, 3), sampling, rng)[:8] for _ in range(24)] for i in range(8)]

    first, second = (answers(HONEST, PLAIN, seed) for seed in (1, 2))
    (check,) = two_samples(list(zip(first, second, strict=True)))
    assert check.passed
    assert check.sees
    other = answers(HONEST, Sampling(0.3), 3)
    assert not next(two_samples(list(zip(first, other, strict=True)))).passed
    with pytest.raises(ValueError, match="two answers"):
        next(two_samples([([[1]], [[1], [2]])]))
