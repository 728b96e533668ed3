"""One protocol for every contender: the engines' modes and ours, on the same passages.

`measure` compares them in one dtype at one temperature.  First the target writes on, and
its texts are taken apart into passages that loop and passages that do not.  Then all
sides choose their settings on passages of the first prompts; what is reported was
measured afterwards, on passages of the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from types import MappingProxyType

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.named import ON_THE_TARGET
from course_utils.measuring.costs import Costs, predict, round_costs
from course_utils.measuring.recorded import FRESH, LOOPING
from workshop.bench.comparisons import (
    Comparison,
    Price,
    Row,
    Setting,
    comparison,
    rows_of_setting,
)
from workshop.bench.contenders import (
    COURSE,
    GAMMAS,
    TARGET_AS_DRAFT,
    Contender,
    settings,
)
from workshop.bench.ours import Ours
from workshop.bench.passages import Passage, passages
from workshop.bench.protocol import (
    Continue,
    Run,
    Runs,
    Side,
    interleaved,
    tokens_per_second,
)


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
    compared: list[Comparison]  # of each kind of text that there was, one for each engine
    costs: Costs


def measure(
    target: LanguageModel,
    draft: LanguageModel,
    engines: Mapping[str, Side],
    prompts: Sequence[Sequence[Sequence[int]]],
    temperature: float,
    dtype: str,
    extent: Extent,
    bandwidth: float,
    made: Mapping[str, LanguageModel] = MappingProxyType({}),
) -> Found:
    """Choose on the first of two lists of prompts, report the second; bandwidth in GB/s.

    Args:
        engines: by their names in `contenders.ENGINES`; others' settings are left out.
        made: models that some of the course's drafters need besides; see `Ours`.

    Raises:
        ValueError: too few passages of either kind of text.
    """
    sides = {**engines, COURSE: Ours(target, draft, made)}
    extent = replace(extent, settings=[c for c in extent.settings if c.who in sides])
    costs = round_costs(target, draft, largest=max(extent.gammas), sampling=Sampling(temperature))
    choosing, reporting = (
        by_text(target, side, temperature, extent.written, most)
        for side, most in zip(prompts, (extent.tried, extent.reported), strict=True)
    )
    timed = {
        here: _choose_then_time(sides, here, choosing[here.text], reporting[here.text], extent)
        for here in (Setting(temperature, dtype, text) for text in (FRESH, LOOPING))
        if choosing[here.text] and len(reporting[here.text]) >= extent.fewest
    }
    if not timed:
        raise ValueError(f"no kind of text came {extent.fewest} times: measure without --quick")
    read = {name: bytes_read(name, model) for name, model in sides[COURSE].models.items()}
    price = Price(target.weight_bytes, read, bandwidth * 1e9)
    rows, compared = [], []
    for here, (chosen, runs) in timed.items():
        rates, alpha = _acceptance(runs[Contender(COURSE, "model", max(extent.gammas))])
        predictions = {p.gamma: p for p in predict(costs, rates, alpha)}
        rows += rows_of_setting(here, runs, chosen, predictions, price)
        compared += [comparison(here, runs, chosen, predictions, who) for who in engines]
    return Found(rows, compared, costs)


def bytes_read(guesses_with: str | None, model: LanguageModel | None) -> int | None:
    """Weights that a pass of a guessing model reads; None if that is not known, as of parts of
    the target and of heads on it."""
    if model is None:
        return 0
    return None if guesses_with in ON_THE_TARGET else getattr(model, "weight_bytes", None)


def by_text(
    target: LanguageModel,
    prompts: Sequence[Sequence[int]],
    temperature: float,
    written: int,
    most: int,
) -> dict[str, list[Passage]]:
    """What the target itself writes, taken apart."""
    found: dict[str, list[Passage]] = {text: [] for text in (FRESH, LOOPING)}
    for number, prompt in enumerate(prompts):
        rounds = generate(
            target, prompt, sampling=Sampling(temperature), max_new_tokens=written, seed=number
        )
        for passage in passages(prompt, emitted_tokens(rounds), most):
            found[passage.text].append(passage)
    return found


def _choose_then_time(
    sides: Mapping[str, Side],
    here: Setting,
    choosing: Sequence[Passage],
    reporting: Sequence[Passage],
    extent: Extent,
) -> tuple[list[Contender], Runs]:
    """The best of each family on some passages; what is reported, timed on the others."""

    def ready(contenders: Sequence[Contender]) -> dict[Contender, Continue]:
        return {c: sides[c.who].continuing(c, here.temperature) for c in contenders}

    label = f"T={here.temperature:g} {here.dtype}, {here.text}"
    # greedily all lossless rules decide alike
    tried = [c for c in extent.settings if here.temperature or c.verified_by is None]
    chosen = choose(ready(tried), choosing, extent.rungs, f"{label}: choosing")
    return chosen, interleaved(ready(reported(chosen, extent)), reporting, label)


def reported(chosen: Sequence[Contender], extent: Extent) -> list[Contender]:
    """Of each family that was tried the chosen one, the engines' first; the same under its
    drafter's own rule; of our draft model every gamma besides, which the lessons draw."""
    best = {
        contender.family: list(dict.fromkeys([contender, replace(contender, verified_by=None)]))
        for contender in chosen
    }
    models = [Contender(COURSE, "model", gamma) for gamma in extent.gammas]
    best[models[0].family] = list(dict.fromkeys(models + best[models[0].family]))
    families = dict.fromkeys(contender.family for contender in extent.settings)
    theirs_first = sorted(families, key=lambda family: family[0] == COURSE)
    return [*(contender for family in theirs_first for contender in best[family]), TARGET_AS_DRAFT]


def _acceptance(runs: Sequence[Run]) -> tuple[list[float | None], float]:
    """By position, and over all; of the longest drafts, from which every gamma is predicted."""
    positions = zip(*(run.reached for run in runs), strict=True)
    counts = [tuple(map(sum, zip(*position, strict=True))) for position in positions]
    rates = [accepted / reached if reached else None for accepted, reached in counts]
    examined = sum(run.metrics.examined for run in runs)
    return rates, sum(run.metrics.accepted for run in runs) / max(examined, 1)


def choose(
    contenders: Mapping[Contender, Continue],
    passages: Sequence[Passage],
    rungs: Sequence[int],
    label: str = "",
) -> list[Contender]:
    """The fastest setting of each family, fastest first.

    All settings are tried on the first `rungs[0]` passages, the faster half of each
    family on the next `rungs[1]`, and so on as long as there are passages.  So transformers
    and the course spend as much on a setting, and each choice rests on as many passages.
    """
    left, coming = list(contenders), iter(passages)
    runs: dict[Contender, list[Run]] = {contender: [] for contender in contenders}
    for rung in rungs:
        met = list(islice(coming, rung))
        if not met:
            break
        trying = {contender: contenders[contender] for contender in left}
        for contender, found in interleaved(trying, met, label).items():
            runs[contender] += found
        left = _faster_halves(runs, left)
    best = {contender.family: contender for contender in reversed(_ranked(runs, left))}
    return _ranked(runs, best.values())


def _faster_halves(
    runs: Mapping[Contender, Sequence[Run]], left: Sequence[Contender]
) -> list[Contender]:
    kept = []
    for family in dict.fromkeys(contender.family for contender in left):
        members = _ranked(runs, [c for c in left if c.family == family])
        kept += members[: -(-len(members) // 2)]
    return kept


def _ranked(runs: Mapping[Contender, Sequence[Run]], among: Sequence[Contender]) -> list[Contender]:
    """Fastest first."""
    return sorted(among, key=lambda contender: -tokens_per_second(runs[contender]))
