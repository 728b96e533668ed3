"""Measure a pair against the engines that are here, and say where the time goes.

transformers is always; ONNX Runtime GenAI and llama.cpp run the trained pair in float32 where they
are installed.  --target and --draft name a pair of yours: two folders, or hub ids.
All sides choose their settings on prompts that are not reported; text that loops and
text that does not are told apart.  Ctrl-C prints what has been measured; --out has it.

With --shape qwen3, measure models of the real shapes with random weights instead; with --lookup,
what a proposal of a lookup costs in a long text.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import torch

from course_utils.classroom.files import check_new, write_whole
from course_utils.commands.choices import guessing_model, pair_names, set_threads
from course_utils.commands.parser import Parser
from course_utils.drafters.named import DRAFTERS, ON_THE_TARGET
from course_utils.engines.sessions import read_session
from course_utils.measuring.costs import Costs
from course_utils.measuring.lookups import GAMMA, LENGTHS, LONGEST, NEW, ROUNDS, hard_texts
from course_utils.measuring.lookups import measured as measured_lookups
from course_utils.models.device import DTYPES, native_dtypes
from course_utils.models.pairs import PAIRS, load_pair
from course_utils.training.counted import library_texts
from workshop.bench.comparisons import Comparison, Row, as_json
from workshop.bench.competitors import UNTRAINED, Competitors, others
from workshop.bench.contenders import GENAI, LLAMA, TRANSFORMERS, TRIED, with_drafters
from workshop.bench.measure import FULL, QUICK, import_seconds, measure
from workshop.bench.pages import (
    bench_page,
    lookups_page,
    shapes_page,
)
from workshop.bench.passages import choosing_and_reporting
from workshop.bench.protocol import Report, beginning, by_setting
from workshop.bench.real_shapes import measure_shapes, memory_bandwidth

WITHOUT_HEADS = [name for name in TRIED if DRAFTERS[name].guesses_with not in ON_THE_TARGET]
NOT_THEIRS = dict.fromkeys((GENAI, LLAMA), "it is compared on the trained pair only")
ALONE = "none"  # vLLM's configuration without a draft


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    set_threads(options.threads)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        check_new(options.out)
    reports, page = _mode(options)
    said = ""
    try:
        for report in reports:
            text = json.dumps(report, ensure_ascii=False, allow_nan=False, indent=1)
            if options.out:
                _keep(options.out, f"{text}\n", first=not said)
            said = text if options.json else page(report)
    finally:  # Ctrl-C, too, leaves what was measured
        if said:
            print(said)
    return 0


def _mode(options: argparse.Namespace) -> tuple[Iterator[Report], Callable[[Report], str]]:
    """(reports, page): a report as often as there is something new to say, holding all before it;
    and how it is read."""
    if (options.target or options.draft) and _other_mode(options):
        raise ValueError("--target and --draft are for the bench of a pair: leave the mode out")
    if options.shape:
        return _once(measure_shapes), shapes_page
    if options.lookup:
        return _once(_lookup), lookups_page
    return _bench(options), bench_page


def _other_mode(options: argparse.Namespace) -> bool:
    return any((options.shape, options.lookup))


def _once(measured: Callable[[], Report]) -> Iterator[Report]:
    yield measured()


def _keep(path: Path, text: str, first: bool) -> None:
    """The whole file or none of it; only what this run wrote is replaced."""
    if first:
        check_new(path)  # it was, but that is minutes ago
    write_whole(path, text)


def _parser() -> argparse.ArgumentParser:
    parser = Parser("bench", __doc__, "workshop")
    parser.add_argument("--quick", action="store_true", help="fewer prompts and settings")
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--shape", choices=("qwen3",), help="the exact shapes of Qwen3-0.6B and 4B")
    one.add_argument("--lookup", action="store_true", help="lookups in 1k, 8k, 32k tokens")
    parser.add_argument("--target", help="a folder or a hub id (default: the trained pair's)")
    parser.add_argument("--draft", help="the same, of the draft model")
    parser.add_argument(
        "--drafter",
        nargs="+",
        choices=[name for name in DRAFTERS if name not in ("none", "target_as_draft")],
        help=f"the course's that are tried beside the draft model (default: {' '.join(TRIED[1:])})",
    )
    parser.add_argument("--threads", type=int, help="CPU threads (default: the cores given)")
    parser.add_argument("--temperatures", type=float, nargs="+", default=[0.0, 1.0])
    parser.add_argument(
        "--dtypes", nargs="+", choices=DTYPES, help="default: those the processor has natively"
    )
    parser.add_argument("--out", type=Path, help="also write the JSON here; never overwrites")
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    return parser


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
        "toy_import_seconds": import_seconds(),
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
            named.guesses_with: guessing_model(name, pair, names[1])
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


def _lookup() -> Report:
    """On code of this machine's library, and on texts that are hard to look something up in."""
    pair, most = load_pair("tiny", dtype="float32"), max(LENGTHS) + NEW * ROUNDS
    code: list[int] = []
    for source in library_texts():
        if len(code) < most:
            code += pair.encode(source)
    return beginning("--lookup") | {
        "new_tokens": NEW,
        "gamma": GAMMA,
        "longest": LONGEST,
        "rows": measured_lookups({"code": code} | hard_texts(most, pair.target.vocabulary_size)),
    }
