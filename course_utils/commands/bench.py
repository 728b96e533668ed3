"""Measure the trained pair against transformers, and say where the time goes.

With --shape qwen3, measure models of the real shapes with random weights instead;
with --widgets, how long a moved slider takes to be answered.
"""

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path

import torch

from course_utils.commands.choices import set_threads
from course_utils.commands.gallery import gallery
from course_utils.commands.parser import Parser
from course_utils.commands.present import PAGE
from course_utils.measuring.bench import FULL, QUICK, measure
from course_utils.measuring.browser import find_chromium, lab, run_all, visiting
from course_utils.measuring.competitors import Competitors
from course_utils.measuring.floors import memory_bandwidth
from course_utils.measuring.imports import import_seconds
from course_utils.measuring.protocol import machine
from course_utils.measuring.redraw import as_text as redraw_text
from course_utils.measuring.redraw import in_a_browser, in_the_kernel, quantiles
from course_utils.measuring.report import Row, as_json, prediction_errors
from course_utils.measuring.shapes import as_json as shapes_json
from course_utils.measuring.shapes import as_text as shapes_text
from course_utils.measuring.shapes import measure_shapes
from course_utils.models.pairs import PAIRS, load_pair
from course_utils.models.precision import DTYPES, is_native
from course_utils.models.prompts import held_out_prompts


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    set_threads(options.threads)
    if options.out and options.out.exists():
        raise ValueError(f"{options.out} exists and is not overwritten: name another file")
    if options.shape:
        shapes = measure_shapes()
        report, page = shapes_json(shapes), shapes_text(shapes)
    elif options.widgets:
        report = _widgets()
        page = redraw_text(report["rows"])
    else:
        report = _bench(options)
        page = as_text(report)
    text = json.dumps(report, ensure_ascii=False, allow_nan=False, indent=1)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text + "\n", encoding="utf-8")
    print(text if options.json else page)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser("bench", __doc__)
    parser.add_argument("--quick", action="store_true", help="two prompts, fewer settings")
    parser.add_argument("--shape", choices=("qwen3",), help="the exact shapes of Qwen3-0.6B and 4B")
    parser.add_argument("--widgets", action="store_true", help="the redraws of every widget")
    parser.add_argument("--threads", type=int, help="CPU threads (default: the cores given)")
    parser.add_argument("--temperatures", type=float, nargs="+", default=[0.0, 1.0])
    parser.add_argument(
        "--dtypes", nargs="+", choices=DTYPES, help="default: those the processor has natively"
    )
    parser.add_argument("--out", type=Path, help="also write the JSON here; never overwrites")
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    return parser


def _bench(options: argparse.Namespace) -> dict[str, object]:
    extent, per_kind = (QUICK, 1) if options.quick else (FULL, 4)
    rows: list[Row] = []
    costs, bandwidth = {}, memory_bandwidth()
    native = [name for name, dtype in DTYPES.items() if is_native(dtype, torch.device("cpu"))]
    dtypes = options.dtypes or native
    for dtype in dtypes:
        pair = load_pair("tiny", dtype=dtype, packed=True)
        prompts = [
            pair.encode(text)
            for kind in ("code", "prose")
            for text in held_out_prompts(kind)[:per_kind]
        ]
        competitors = Competitors(*PAIRS["tiny"], pair.target.dtype)
        for temperature in options.temperatures:
            found, spent = measure(
                pair.target, pair.draft, competitors, prompts, temperature, dtype, extent, bandwidth
            )
            rows += found
            costs[f"T={temperature:g} {dtype}"] = spent
    return {
        "command": "python -m course_utils bench" + " --quick" * options.quick,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "memory_bandwidth_gb_s": bandwidth,
        "toy_import_seconds": import_seconds(),
        "emulated": [name for name in DTYPES if name not in native],
        "prompts": 2 * per_kind,
        "new_tokens": extent.new_tokens,
        **as_json(rows, costs),
    }


def _widgets() -> dict[str, object]:
    """Sliders moved at random in this process, and by keys in a browser if there is one.

    Those of the live decoder redraw nothing: they say what its next run will do.
    """
    cards = gallery(load_pair("tiny", dtype="float32", packed=True))
    places = {name: place for place, name in enumerate(cards)}
    del cards["live"]
    rows = [
        {
            "widget": name,
            "kernel": quantiles(seconds),
            "kernel_moves": len(seconds),
            "browser": None,
        }
        for name, card in cards.items()
        if (seconds := in_the_kernel(card))
    ]
    if find_chromium():
        with lab(PAGE) as address, visiting() as visit:
            run_all(visit, address, PAGE)
            shown = visit.page.locator(".course-card")
            for row in rows:
                seconds = in_a_browser(shown.nth(places[row["widget"]]))
                row |= {"browser": quantiles(seconds), "browser_moves": len(seconds)}
    return {"command": "python -m course_utils bench --widgets", "machine": machine(), "rows": rows}


def as_text(report: dict[str, object]) -> str:
    """The report as a table a setting, with the headline below each."""
    m = report["machine"]
    lines = [
        f"{m['processor']}, {m['threads']} threads, torch {m['torch']}; "
        f"{report['prompts']} held-out prompts x {report['new_tokens']} tokens, interleaved, "
        "medians over prompts",
        f"memory is read at {report['memory_bandwidth_gb_s']:.0f} GB/s; the toy lessons' modules "
        f"load in {report['toy_import_seconds']:.2f} s",
    ]
    lines += [
        f"{name} is left out: this processor emulates it (--dtypes {name} measures it all the same)"
        for name in report["emulated"]
        if not any(row["dtype"] == name for row in report["rows"])
    ]
    for label in report["best_hf"]:
        rows = [r for r in report["rows"] if f"T={r['temperature']:g} {r['dtype']}" == label]
        lines += ["", label, _HEADER, *(_line(row) for row in rows)]
        lines.append(_headline(report, label, rows))
    return "\n".join(lines)


_COLUMNS = (  # title, field, format
    ("tok/s", "tokens_per_second", ".0f"),
    ("±", "spread", ".0f"),
    ("/hf", "ratio_vs_hf", ".2f"),
    ("/ar", "ratio_vs_autoregressive", ".2f"),
    ("decode", "decode_ratio", ".2f"),
    ("pred", "predicted_ratio", ".2f"),
    ("iid", "iid_ratio", ".2f"),
    ("fwd/tok", "forwards_per_token", ".2f"),
    ("tok/rd", "tokens_per_round", ".2f"),
    ("alpha", "alpha", ".2f"),
    ("draft", "draft_share", ".0%"),
    ("verify", "verify_share", ".0%"),
    ("host", "host_share", ".0%"),
    ("floor", "floor_ratio", ".2f"),
    ("memory", "memory_ratio", ".2f"),
)
_HEADER = " " * 28 + "".join(f"{title:>8}" for title, _, _ in _COLUMNS)


def _line(row: dict[str, object]) -> str:
    cells = [
        " " * 8 if row[field] is None else f"{row[field]:>8{form}}" for _, field, form in _COLUMNS
    ]
    return f"{row['name']:<28}" + "".join(cells)


def _headline(report: dict[str, object], label: str, rows: list[dict[str, object]]) -> str:
    largest, median = prediction_errors(rows)
    return (
        f"{report['best_ours'][label]}: {report['ratio_vs_hf'][label]:.2f}x "
        f"{report['best_hf'][label]}, {report['ratio_vs_autoregressive'][label]:.2f}x our own "
        f"autoregressive; predictions off by {median:.0%} (median), {largest:.0%} (largest); gamma "
        f"{report['auto_gamma'][label]} picked from the prediction, "
        f"{report['auto_loss'][label]:.0%} below the best"
    )
