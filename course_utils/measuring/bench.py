"""One protocol for every contender: transformers' modes and ours, on the same passages.

`measure` compares them in one dtype at one temperature.  First the target writes on, and
its texts are taken apart into passages that loop and passages that do not.  Then both
sides choose their settings on passages of the first prompts; what is reported was
measured afterwards, on passages of the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import Sampling
from course_utils.measuring.choosing import choose
from course_utils.measuring.competitors import Competitors
from course_utils.measuring.contenders import (
    COURSE,
    GAMMAS,
    PLAIN,
    TARGET_AS_DRAFT,
    TRANSFORMERS,
    Contender,
    settings,
)
from course_utils.measuring.costs import Costs, pass_seconds, predict
from course_utils.measuring.ours import Ours
from course_utils.measuring.passages import TEXTS, Passage, passages
from course_utils.measuring.protocol import Run, interleaved
from course_utils.measuring.report import (
    Comparison,
    Price,
    Row,
    Setting,
    comparison,
    rows_of_setting,
)

Runs = Mapping[Contender, Sequence[Run]]


@dataclass(frozen=True)
class Extent:
    """How much is measured."""

    per_kind: int  # prompts of code, and of prose, on each side
    written: int  # tokens of each text, before it is taken apart
    reported: int  # tokens of a passage at most
    tried: int  # the same while settings are chosen
    rungs: Sequence[int]  # passages on which all settings are tried, then half of them, ...
    settings: Sequence[Contender]
    gammas: Sequence[int] = GAMMAS  # all of these are reported of our draft model
    fewest: int = 3  # passages without which nothing is reported


FULL = Extent(8, 128, 96, 32, (1, 2, 4), settings())
QUICK = Extent(
    4, 96, 48, 24, (1, 1), settings((1, 3, 6), (2, 8), (2,), thresholds=(0.0, 0.4)), (1, 3, 6)
)


@dataclass(frozen=True)
class Found:
    """All about one dtype at one temperature."""

    rows: list[Row]
    compared: list[Comparison]  # one for each kind of text that there was
    costs: Costs


def measure(
    target: LanguageModel,
    draft: LanguageModel,
    competitors: Competitors,
    prompts: Sequence[Sequence[Sequence[int]]],
    temperature: float,
    dtype: str,
    extent: Extent,
    bandwidth: float,
) -> Found:
    """Choose on the first of two lists of prompts, report the second; bandwidth in GB/s.

    Raises:
        ValueError: too few passages of either kind of text.
    """
    sides = {TRANSFORMERS: competitors, COURSE: Ours(target, draft)}
    passes = pass_seconds(target, draft)
    choosing, reporting = (
        by_text(target, side, temperature, extent.written, most)
        for side, most in zip(prompts, (extent.tried, extent.reported), strict=True)
    )
    runs: dict[str, Runs] = {}
    chosen: dict[str, list[Contender]] = {}
    for text in TEXTS:
        if not choosing[text] or len(reporting[text]) < extent.fewest:
            continue
        label = f"T={temperature:g} {dtype}, {text}"
        tried = {c: sides[c.who].continuing(c, temperature) for c in extent.settings}
        chosen[text] = choose(tried, choosing[text], extent.rungs, f"{label}: choosing")
        reported = {
            c: sides[c.who].continuing(c, temperature)
            for c in _reported(chosen[text], extent.gammas)
        }
        runs[text] = interleaved(reported, reporting[text], label)
    if not runs:
        raise ValueError(f"no kind of text came {extent.fewest} times: measure without --quick")
    costs = _costs(*passes, list(runs.values()), max(extent.gammas))
    price = Price(target.weight_bytes, draft.weight_bytes, bandwidth * 1e9)
    rows, compared = [], []
    for text, found in runs.items():
        here = Setting(temperature, dtype, text)
        rates, alpha = _acceptance(found[Contender(COURSE, "model", max(extent.gammas))])
        predictions = {p.gamma: p for p in predict(costs, rates, alpha)}
        rows += rows_of_setting(here, found, chosen[text], predictions, price)
        compared.append(comparison(here, found, chosen[text], predictions))
    return Found(rows, compared, costs)


def by_text(
    target: LanguageModel,
    prompts: Sequence[Sequence[int]],
    temperature: float,
    written: int,
    most: int,
) -> dict[str, list[Passage]]:
    """What the target itself writes, taken apart."""
    found: dict[str, list[Passage]] = {text: [] for text in TEXTS}
    for number, prompt in enumerate(prompts):
        rounds = generate(
            target, prompt, sampling=Sampling(temperature), max_new_tokens=written, seed=number
        )
        for passage in passages(prompt, emitted_tokens(rounds), most):
            found[passage.text].append(passage)
    return found


def _reported(chosen: Sequence[Contender], gammas: Sequence[int]) -> list[Contender]:
    """Of each family the chosen one; of our draft model every gamma, which the lessons draw."""
    best = {contender.family: contender for contender in chosen}
    theirs = [best[TRANSFORMERS, kind] for kind in ("plain", "lookup", "model")]
    models = [Contender(COURSE, "model", gamma) for gamma in gammas]
    listed = [*theirs, PLAIN[COURSE], *models]
    others = [best[family] for family in sorted(best.keys() - {c.family for c in listed})]
    return [*listed, *others, TARGET_AS_DRAFT]


def _costs(draft: list[float], verify: list[float], found: Sequence[Runs], longest: int) -> Costs:
    """Host time from the runs without a draft and those with the longest."""
    plain = [run for runs in found for run in runs[PLAIN[COURSE]]]
    drafted = [run for runs in found for run in runs[Contender(COURSE, "model", longest)]]
    per_round, longer = (
        sum(run.parts.host for run in runs) / sum(run.metrics.rounds for run in runs)
        for runs in (plain, drafted)
    )
    tokens = sum(run.metrics.drafted for run in drafted)
    rounds = sum(run.metrics.rounds for run in drafted)
    return Costs(draft, verify, per_round, (longer - per_round) * rounds / tokens)


def _acceptance(runs: Sequence[Run]) -> tuple[list[float | None], float]:
    """By position, and over all; of the longest drafts, from which every gamma is predicted."""
    positions = zip(*(run.reached for run in runs), strict=True)
    counts = [tuple(map(sum, zip(*position, strict=True))) for position in positions]
    rates = [kept / reached if reached else None for kept, reached in counts]
    examined = sum(run.metrics.examined for run in runs)
    return rates, sum(run.metrics.accepted for run in runs) / max(examined, 1)
