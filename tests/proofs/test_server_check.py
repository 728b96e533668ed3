"""Lying servers are detected or listed as blind spots; honest ones are never called lossy."""

import numpy as np
import pytest

from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.proofs.certificate import INCONCLUSIVE, Check, certificate_of
from course_utils.proofs.server_check import server_checks
from course_utils.proofs.server_rows import LOGIT_ROUNDING, ServedText, TargetRows, left_by_filters
from tests.lying_servers import (
    HONEST,
    LIARS,
    PLAIN,
    QWEN,
    SPECULATIVE,
    STOP_TOKENS,
    TARGET,
    WITHOUT_STOP_TOKENS,
    texts_of,
    with_settings,
)

FLOAT32 = LOGIT_ROUNDING["float32"]
SETTINGS = (PLAIN, Sampling(0.6), QWEN, Sampling(top_k=50), Sampling(min_p=0.05), GREEDY)
FILTERED = (*SETTINGS[:-1], Sampling(0.6, 7, 0.5), Sampling(0.7, 5, min_p=0.1), Sampling(top_k=1))
LISTED = 20


def copied_rows(text):
    return TargetRows.along(TARGET, text)


def listed_rows(text):
    """Rows as a server returns them: the likeliest tokens, and the text's own."""
    logits = copied_rows(text).logits
    logprobs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    rows = []
    for row, token in zip(logprobs, text.tokens, strict=True):
        ids = np.argsort(-row)[:LISTED].tolist()
        rows.append([[i, row[i]] for i in (*ids, *[token] * (token not in ids))])
    return TargetRows.from_server(rows, LISTED)


def findings(texts, sampling, rows_of=copied_rows, **options) -> list[Check | str]:
    return list(server_checks(texts, rows_of, sampling, FLOAT32, **options))


def failed(results) -> list[str]:
    return [check.name for check in results if isinstance(check, Check) and not check.passed]


@pytest.mark.parametrize("sampling", SETTINGS, ids=str)
def test_an_honest_server_is_never_called_lossy(sampling):
    """Half of 10 seeds of 4 requests speculate."""
    for seed in range(10):
        texts = texts_of((HONEST, SPECULATIVE)[seed % 2], sampling, 4, seed)
        for rows_of in (copied_rows, listed_rows):
            assert failed(findings(texts, sampling, rows_of)) == [], seed


@pytest.mark.parametrize("liar", LIARS, ids=lambda liar: liar.name)
def test_a_liar_is_seen_or_is_a_blind_spot(liar):
    results = findings(texts_of(liar.write, liar.sampling), liar.sampling)
    names = failed(results)
    assert any(liar.sees in name for name in names) if liar.sees else names == []


@pytest.mark.parametrize("sampling", [Sampling(top_k=20), GREEDY])
def test_the_first_token_that_cannot_be_is_named_with_its_request(sampling):
    texts = texts_of(HONEST, sampling, 4)
    wrong = int(copied_rows(texts[2]).logits[5].argmin())
    texts[2] = texts[2]._replace(tokens=(*texts[2].tokens[:5], wrong, *texts[2].tokens[6:]))
    (check,) = [c for c in findings(texts, sampling) if isinstance(c, Check) and not c.passed][:1]
    assert f"request 2, prompt {texts[2].prompt[0]}, " in check.detail
    assert f"token 6 is {wrong}, p = " in check.detail


@pytest.mark.parametrize("sampling", [PLAIN, QWEN, Sampling(0.7), Sampling(1.3, top_p=0.9)])
def test_rows_of_the_server_show_a_wrong_temperature(sampling):
    texts = texts_of(with_settings(temperature=2.5), sampling, 16)
    assert failed(findings(texts, sampling, listed_rows))


def test_a_filter_at_the_end_of_a_list_of_rows_is_seen():
    texts = texts_of(with_settings(top_k=LISTED), PLAIN)
    name = "server: tokens that are not listed (deviations)"
    assert name in failed(findings(texts, PLAIN, listed_rows))


def test_at_temperature_0_ties_are_excused_and_nothing_else_is():
    logits = np.array([[3.0, 3.0 - 1e-4, 1.0], [5.0, 1.0, 0.0]])
    rows = TargetRows(logits, np.broadcast_to(np.arange(3), logits.shape))
    for tokens, faults in (((0, 0), 0), ((1, 0), 0), ((2, 0), 1), ((0, 2), 1)):
        (check,) = findings([ServedText((0,), tokens)], GREEDY, lambda _: rows)
        assert check.figure == faults


def test_the_tokens_that_filters_leave_are_those_that_are_sampled(rng):
    logits = rng.normal(0, 3, (40, 30))
    for sampling in FILTERED:
        exact = probabilities(logits, sampling) > 0
        for slack in (0.0, -1e-9, 1e-9):
            assert (left_by_filters(logits, sampling, slack, slack) == exact).all()
        surely, perhaps = (left_by_filters(logits, sampling, s, s / 3) for s in (-0.3, 0.3))
        assert ((surely <= exact) & (exact <= perhaps)).all()


def test_a_text_that_ends_at_a_stop_token_holds_none():
    """Elsewhere the tokens are the target's, given that the text continues."""
    texts = texts_of(WITHOUT_STOP_TOKENS.write, PLAIN)
    assert failed(findings(texts, PLAIN, never=STOP_TOKENS)) == []


def test_too_little_text_is_inconclusive():
    for texts in (texts_of(HONEST, QWEN, 2), [ServedText((1,), ())]):
        results = findings(texts, QWEN)
        assert certificate_of(results, 0.0).verdict == INCONCLUSIVE
    assert results == ["server: the answers have no tokens"]
