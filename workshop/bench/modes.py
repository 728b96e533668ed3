"""What the bench measures: a pair beside other engines, or models of the real shapes."""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import torch

from course_utils.commands.choices import pair_names
from course_utils.drafters.named import DRAFTERS, ON_THE_TARGET
from course_utils.engines.sessions import read_session
from course_utils.measuring.costs import Costs
from course_utils.models.device import DTYPES, native_dtypes
from course_utils.pairs import PAIRS, load_pair
from course_utils.writing import guessing_model
from workshop.bench.comparisons import Comparison, Row, as_json
from workshop.bench.competitors import UNTRAINED, Competitors, others
from workshop.bench.contenders import GENAI, LLAMA, TRANSFORMERS, TRIED, with_drafters
from workshop.bench.measure import FULL, QUICK, measure
from workshop.bench.pages import bench_page, shapes_page
from workshop.bench.passages import choosing_and_reporting
from workshop.bench.protocol import Report, beginning, by_setting
from workshop.bench.real_shapes import measure_shapes, memory_bandwidth

WITHOUT_HEADS = [name for name in TRIED if DRAFTERS[name].guesses_with not in ON_THE_TARGET]
NOT_THEIRS = dict.fromkeys((GENAI, LLAMA), "it is compared on the trained pair only")
ALONE = "none"  # vLLM's configuration without a draft


def asked_for(options: argparse.Namespace) -> tuple[Iterator[Report], Callable[[Report], str]]:
    """(reports, page): a report as often as there is something new to say, holding all before it;
    and how it is read."""
    if not options.shape:
        return _bench(options), bench_page
    if options.target or options.draft:
        raise ValueError("--target and --draft are for the bench of a pair: leave --shape out")
    return iter([measure_shapes()]), shapes_page


def _bench(options: argparse.Namespace) -> Iterator[Report]:
    """The report after each dtype and temperature."""
    extent, asked = QUICK if options.quick else FULL, ["--quick"] * options.quick
    names = pair_names(options.target, options.draft, "model")
    for option, name in (("--target", options.target), ("--draft", options.draft)):
        asked += [option, Path(name).name] if name else []
    ours = names == PAIRS["tiny"]
    if not ours and not options.drafter:  # heads are the trained pair's
        extent = replace(extent, settings=with_drafters(extent.settings, WITHOUT_HEADS))
    if options.drafter:
        asked += ["--drafter", *options.drafter]
        extent = replace(extent, settings=with_drafters(extent.settings, options.drafter))
    native = _native()
    dtypes = options.dtypes or native
    beside, missed = {}, dict.fromkeys((GENAI, LLAMA), "it is compared in float32 only")
    if "float32" in dtypes:
        beside, missed = others(*names, torch.get_num_threads()) if ours else ({}, NOT_THEIRS)
    absent = UNTRAINED | missed
    report = beginning(*asked) | {
        "memory_bandwidth_gb_s": memory_bandwidth(),
        "emulated": [name for name in DTYPES if name not in native],
        "prompts": 2 * extent.per_kind,  # to choose on, and as many to report
        "new_tokens": extent.reported,
        "settings": Counter(c.who for c in extent.settings if c.who not in absent),
        "absent": absent,
        "recorded": _recorded(),
    }
    rows: list[Row] = []
    compared: list[Comparison] = []
    costs: dict[str, Costs] = {}

    def measuring(dtype: str) -> Callable[[float, str], Report]:
        pair = load_pair(*names, dtype=dtype)
        made = {
            named.guesses_with: guessing_model(named, pair)
            for name, named in DRAFTERS.items()
            if name in {c.kind for c in extent.settings} and not named.of_the_pair
        }
        engines = {TRANSFORMERS: Competitors(*names, pair.target.dtype)}
        if dtype == "float32":
            engines |= beside
        sides = choosing_and_reporting(extent.per_kind)
        prompts = [[pair.encode(text) for text in side] for side in sides]

        def measured(temperature: float, label: str) -> Report:
            found = measure(
                pair.target, pair.draft, engines, prompts, temperature, dtype, extent,
                report["memory_bandwidth_gb_s"], made,
            )  # fmt: skip
            rows.extend(found.rows)
            compared.extend(found.compared)
            costs[label] = found.costs
            return as_json(rows, compared, costs)

        return measured

    return by_setting(report, dtypes, options.temperatures, measuring)


def _recorded() -> Report:
    """What vLLM did in the session that lesson 12 reads, on another machine and over HTTP; at
    temperature 1 with its fault mended."""
    session = read_session()
    rows = []
    for temperature, part in ((0.0, "greedy"), (1.0, "sampled")):
        speeds = {
            run.configuration: run.parts[part].tokens_per_second
            for run in session.runs.values()
            if part in run.parts and (run.repaired or not temperature or run.configuration == ALONE)
        }
        best = max(speeds, key=speeds.__getitem__)
        found = {"temperature": temperature, "plain": speeds[ALONE]}
        rows.append(found | {"best": best, "speed": speeds[best]})
    who = f"vLLM {session.runs[ALONE].engine}"
    return {"who": who, "date": session.date, "hardware": session.hardware, "rows": rows}


def _native() -> list[str]:
    return native_dtypes(torch.device("cpu"))
