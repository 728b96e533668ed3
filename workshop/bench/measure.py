"""Compare a pair with other engines: choose settings on some prompts, report on others.

First the target continues the prompts, and its texts are split into passages that loop and
passages that do not.  Then all sides choose their settings on passages of the first prompts; the
reported figures are measured afterwards, on passages of the others.
"""

import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

import torch

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.registry import INT8
from course_utils.measuring.costs import round_costs
from course_utils.measuring.recorded import FRESH, LOOPING
from course_utils.models.device import processor_name
from course_utils.models.names import PAIRS
from course_utils.writing.writing import guessing_model, load_pair
from workshop.bench.competitors import Genai, Transformers, genai_is_here
from workshop.bench.contenders import (
    COURSE,
    GENAI,
    TRANSFORMERS,
    Contender,
    settings,
)
from workshop.bench.ours import Ours
from workshop.bench.passages import Passage, choosing_and_reporting, passages
from workshop.bench.report import rows_of
from workshop.bench.runs import Continue, Side, choose, interleaved


@dataclass(frozen=True)
class Extent:
    """The amount of measuring."""

    settings: Sequence[Contender]
    per_kind: int = 8  # prompts of code, and of prose, on each side
    written: int = 128  # tokens of each text, before it is split
    reported: int = 96  # the most tokens of a passage
    tried: int = 32  # the same while settings are chosen
    rungs: Sequence[int] = (1, 2, 4)  # passages for all settings, for the faster half, ...
    fewest: int = 3  # a kind with fewer passages is not reported


def quick(drafters: Sequence[str]) -> Extent:
    tried = settings(drafters, (1, 3, 6), (2, 8), (2,), thresholds=(0.0, 0.4))
    return Extent(tried, 4, 96, 48, 24, (1, 1))


def bench(
    command: str,
    names: tuple[str, str],
    dtypes: Sequence[str],
    temperatures: Sequence[float],
    extent: Extent,
) -> Iterator[dict[str, object]]:
    """Yield the report so far after each dtype and temperature."""
    start = now()
    report = {
        "command": command,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {
            "processor": processor_name(),
            "threads": torch.get_num_threads(),
            "torch": torch.__version__,
            "python": platform.python_version(),
        },
        "rows": [],
        "costs": {},
    }
    for dtype in dtypes:
        pair = load_pair(*names, dtype=dtype)
        sides: dict[str, Side] = {TRANSFORMERS: Transformers(*names, pair.target.dtype)}
        if dtype == "float32" and names == PAIRS["tiny"] and genai_is_here():
            sides[GENAI] = Genai(*names, torch.get_num_threads())
        # a quantised draft runs on ONNX Runtime, which has float32 only
        run = [c for c in extent.settings if dtype == "float32" or c.drafter.guesses_with != INT8]
        drafters = [contender.drafter for contender in run if contender.who == COURSE]
        made = {named.guesses_with: guessing_model(named, pair) for named in drafters}
        sides[COURSE] = Ours(pair.target, pair.draft, made)
        prompts = [
            [pair.encode(text) for text in side] for side in choosing_and_reporting(extent.per_kind)
        ]
        for temperature in temperatures:
            measured = measure(sides, prompts, temperature, dtype, replace(extent, settings=run))
            report["rows"] += measured["rows"]
            report["costs"][f"T={temperature:g} {dtype}"] = measured["costs"]
            report["seconds"] = now() - start
            yield report


def measure(
    sides: Mapping[str, Side],
    prompts: Sequence[Sequence[Sequence[int]]],
    temperature: float,
    dtype: str,
    extent: Extent,
) -> dict[str, object]:
    """Choose settings on the first of two lists of prompts, report on the second.

    Args:
        sides: by their names in `contenders`; settings of other sides are left out.

    Raises:
        ValueError: too few passages of either kind of text.
    """
    ours = sides[COURSE]
    extent = replace(extent, settings=[c for c in extent.settings if c.who in sides])
    costs = round_costs(ours.target, ours.draft, sampling=Sampling(temperature))
    choosing, reporting = (
        by_text(ours.target, side, temperature, extent.written, most)
        for side, most in zip(prompts, (extent.tried, extent.reported), strict=True)
    )
    rows = []
    for text in (FRESH, LOOPING):
        if not choosing[text] or len(reporting[text]) < extent.fewest:
            continue

        def ready(contenders: Sequence[Contender]) -> dict[Contender, Continue]:
            return {c: sides[c.who].continuing(c, temperature) for c in contenders}

        label = f"T={temperature:g} {dtype}, {text}"
        # at temperature 0 all lossless rules decide alike
        tried = [c for c in extent.settings if temperature or c.verified_by is None]
        chosen = choose(ready(tried), choosing[text], extent.rungs, f"{label}: choosing")
        # also with its drafter's default rule
        shown = [*chosen, *(replace(contender, verified_by=None) for contender in chosen)]
        runs = interleaved(ready(dict.fromkeys(shown)), reporting[text], label)
        rows += rows_of(runs, chosen, temperature=temperature, dtype=dtype, text=text)
    if not rows:
        raise ValueError(f"no kind of text has {extent.fewest} passages: measure without --quick")
    return {"rows": rows, "costs": asdict(costs) | {"c": costs.c, "v": costs.v}}


def by_text(
    target: LanguageModel,
    prompts: Sequence[Sequence[int]],
    temperature: float,
    written: int,
    most: int,
) -> dict[str, list[Passage]]:
    """Split the texts that the target writes into passages by kind."""
    by_kind: dict[str, list[Passage]] = {text: [] for text in (FRESH, LOOPING)}
    for number, prompt in enumerate(prompts):
        rounds = generate(
            target, prompt, sampling=Sampling(temperature), max_new_tokens=written, seed=number
        )
        for passage in passages(prompt, emitted_tokens(rounds), most):
            by_kind[passage.text].append(passage)
    return by_kind
