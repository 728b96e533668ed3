"""A certificate for a real pair: everything that can be checked of a decoder, in two minutes.

The rule and the drafter are enumerated on tables, exactly.  What tables cannot
show is checked on the pair itself: that the caches hold what they should, that
greedy text is the target's (or differs by a numerical tie), that sampled texts
are samples of the target, and that every recorded decision replays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rules import RULES, TOKEN_WISE
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.decoding.trace import Setting, trace_line
from course_utils.proofs.audit import audit
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.promises import (
    Finding,
    exact_law,
    exact_law_of_filtered_sampling,
    excluded_tokens_stay_out,
)
from course_utils.proofs.scores import ScoredTexts, evenness, score_texts
from course_utils.proofs.ties import (
    BUG,
    Comparison,
    compare,
    largest_change,
    noise_floor,
    score,
    score_again,
)

TEMPERATURES = (0.7, 1.0)
SAMPLED_TOKENS = 96  # a prompt and temperature
GREEDY_TOKENS = 48  # a prompt
GREEDY_PROMPTS = 8
ON_TABLES = (exact_law, exact_law_of_filtered_sampling, excluded_tokens_stay_out)


@dataclass(frozen=True)
class Certificate:
    """A verdict and what it rests on."""

    verdict: str  # "lossless", "lossy" or "inconclusive"
    checks: tuple[Finding, ...]
    not_run: tuple[str, ...]  # what could not be checked, and why
    drift_seen: float | None  # TV towards the draft that would be seen, 99 times in 100
    tokens: int  # sampled and scored
    ties: int  # greedy texts that differ by a numerical tie
    seconds: float


def certify(
    target: LanguageModel,
    draft: LanguageModel | None,
    decoder: Decoder,
    prompts: Sequence[Sequence[int]],
    gamma: int = 4,
    seed: int = 0,
) -> Certificate:
    """Put a decoder to every check that applies.

    Args:
        target, draft: the pair; None if the drafter needs no model.
        decoder: its rule and drafter; the drafter must also run on tables.
        prompts: at least one; a dozen give the power that is stated.

    Raises:
        ValueError: no prompts.
    """
    if not prompts:
        raise ValueError("there is nothing to certify on: give at least one prompt")
    start, checks, not_run = perf_counter(), [], []
    for check in ON_TABLES:
        try:
            checks.append(check(decoder))
        except Exception as error:  # a plug-in may fail in any way; that is a finding
            not_run.append(f"{check.__name__}: {type(error).__name__}: {error}")
    comparisons = []
    try:
        comparisons, on_pair = _greedy(target, draft, decoder, prompts[:GREEDY_PROMPTS], gamma)
        checks += on_pair
    except ValueError as error:  # scoring twice differs, or rounding is no explanation
        not_run.append(f"greedy texts and caches: {error}")
    scored = [
        score_texts(target, draft, decoder, prompts, Sampling(t), SAMPLED_TOKENS, gamma, seed)
        for t in TEMPERATURES
    ]
    for temperature, texts in zip(TEMPERATURES, scored, strict=True):
        checks += _sampled(temperature, texts)
    checks.append(_audited(target, draft, decoder, prompts[0], gamma, seed))
    seen = [texts.drift_seen for texts in scored if texts.drift_seen is not None]
    return Certificate(
        _verdict(checks, not_run),
        tuple(checks),
        tuple(not_run),
        max(seen, default=None),
        sum(len(texts.by_probability) for texts in scored),
        sum(comparison.verdict not in ("same", BUG) for comparison in comparisons),
        perf_counter() - start,
    )


def _verdict(checks: Sequence[Finding], not_run: Sequence[str]) -> str:
    if not all(check.passed for check in checks):
        return "lossy"
    return "inconclusive" if not_run else "lossless"


def _greedy(
    target: LanguageModel,
    draft: LanguageModel | None,
    decoder: Decoder,
    prompts: Sequence[Sequence[int]],
    gamma: int,
) -> tuple[list[Comparison], list[Finding]]:
    """Greedy texts against the target's own, and the cache along the way."""
    noise = noise_floor(target, prompts)
    reached = decoder.target(target)
    comparisons, moved = [], 0.0
    for prompt in prompts:
        options = {"sampling": GREEDY, "max_new_tokens": GREEDY_TOKENS}
        plain = emitted_tokens(generate(target, prompt, **options))
        drafter = decoder.drafter(draft, GREEDY)
        rounds = list(generate(reached, prompt, drafter, gamma=gamma, rule=decoder.rule, **options))
        comparisons.append(compare(target, prompt, plain, rounds, noise))
        moved = max(moved, _cache_change(target, reached, prompt, rounds))
    bugs = sum(comparison.verdict == BUG for comparison in comparisons)
    return comparisons, [
        Finding("cache equals a fresh one (logits)", moved <= noise, moved, noise),
        Finding("greedy texts that differ, but for ties", bugs == 0, bugs, 0),
    ]


def _cache_change(
    target: LanguageModel, reached: LanguageModel, prompt: Sequence[int], rounds: list[Round]
) -> float:
    """How far the leads move between the decoder's cache and a fresh prefill, in logits."""
    through_rounds = score_again(reached, prompt, rounds)
    tokens = emitted_tokens(rounds)
    fresh = score(target, prompt, tokens, k=len(tokens))
    return max(
        largest_change(fresh[i : i + 1], row[None]) for i, (_, row) in enumerate(through_rounds)
    )


def _sampled(temperature: float, texts: ScoredTexts) -> Iterator[Finding]:
    for order, landed in (("p/q", texts.by_ratio), ("p", texts.by_probability)):
        if landed is not None:
            test = evenness(landed)
            name = f"samples at T={temperature:g}, by {order} (chi-square)"
            yield Finding(name, test.passed, test.statistic, test.threshold)


def _audited(
    target: LanguageModel,
    draft: LanguageModel | None,
    decoder: Decoder,
    prompt: Sequence[int],
    gamma: int,
    seed: int,
) -> Finding:
    """Replays the decisions of a recorded run; a rule of no known name must be token-wise."""
    rule = decoder.rule if decoder.rule in RULES else TOKEN_WISE
    sampling = Sampling(TEMPERATURES[-1])
    reached = decoder.target(target)
    setting = Setting(
        seed, rule.name, sampling, "certified", gamma, len(prompt), SAMPLED_TOKENS, (),
        reached.context,
    )  # fmt: skip
    rounds = generate(
        reached, prompt, decoder.drafter(draft, sampling),
        gamma=gamma, sampling=sampling, rule=decoder.rule, max_new_tokens=SAMPLED_TOKENS, seed=seed,
    )  # fmt: skip
    found = audit("".join(trace_line(r, setting) for r in rounds)).findings
    return Finding("recorded decisions that do not replay", not found, len(found), 0)
