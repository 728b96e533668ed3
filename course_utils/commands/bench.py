"""Measure the trained pair against transformers, and say where the time goes.

With --shape qwen3, measure models of the real shapes with random weights instead.
"""

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path

from course_utils.commands.choices import set_threads
from course_utils.measuring.bench import FULL, QUICK, Row, as_json, measure, prediction_errors
from course_utils.measuring.competitors import Competitors
from course_utils.measuring.floors import memory_bandwidth
from course_utils.measuring.protocol import machine
from course_utils.measuring.shapes import as_text as shapes_text
from course_utils.measuring.shapes import measure_shapes
from course_utils.models.pairs import PAIRS, load_pair
from course_utils.models.prompts import held_out_prompts


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    set_threads(options.threads)
    if options.out and options.out.exists():
        raise ValueError(f"{options.out} exists and is not overwritten: name another file")
    if options.shape:
        print(shapes_text(measure_shapes()))
        return 0
    report = _bench(options)
    text = json.dumps(report, ensure_ascii=False, allow_nan=False, indent=1)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text + "\n", encoding="utf-8")
    print(text if options.json else as_text(report))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m course_utils bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two prompts, fewer settings")
    parser.add_argument("--shape", choices=("qwen3",), help="the exact shapes of Qwen3-0.6B and 4B")
    parser.add_argument("--threads", type=int, help="CPU threads (default: torch's)")
    parser.add_argument("--temperatures", type=float, nargs="+", default=[0.0, 1.0])
    parser.add_argument("--dtypes", nargs="+", default=["float32", "bfloat16"])
    parser.add_argument("--out", type=Path, help="also write the JSON here; never overwrites")
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    return parser


def _bench(options: argparse.Namespace) -> dict[str, object]:
    extent, per_kind = (QUICK, 1) if options.quick else (FULL, 4)
    rows: list[Row] = []
    costs, bandwidth = {}, memory_bandwidth()
    for dtype in options.dtypes:
        pair = load_pair("tiny", dtype=dtype).packed()
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
        "prompts": 2 * per_kind,
        "new_tokens": extent.new_tokens,
        **as_json(rows, costs),
    }


def as_text(report: dict[str, object]) -> str:
    """The report as a table a setting, with the headline below each."""
    m = report["machine"]
    lines = [
        f"{m['processor']}, {m['threads']} threads, torch {m['torch']}; "
        f"{report['prompts']} held-out prompts x {report['new_tokens']} tokens, interleaved, "
        "medians over prompts"
    ]
    for label in report["best_hf"]:
        rows = [r for r in report["rows"] if f"T={r['temperature']:g} {r['dtype']}" == label]
        lines += ["", label, _HEADER, *(_line(row) for row in rows)]
        lines.append(_headline(report, label, rows))
    return "\n".join(lines)


_HEADER = (
    f"{'':<32}{'tok/s':>6} {'±':>4}{'/hf':>6}{'/ar':>6}{'pred':>6}{'iid':>6}{'fwd/tok':>8}"
    f"{'tok/rd':>7}{'alpha':>6}{'draft':>7}{'verify':>7}{'host':>6}{'floor':>6}{'mem':>6}"
)


def _line(row: dict[str, object]) -> str:
    def cell(name: str, width: int, form: str) -> str:
        value = row[name]
        return " " * width if value is None else f"{value:>{width}{form}}"

    return (
        f"{row['name']:<32}{cell('tokens_per_second', 6, '.0f')} {cell('spread', 4, '.0f')}"
        f"{cell('ratio_vs_hf', 6, '.2f')}{cell('ratio_vs_autoregressive', 6, '.2f')}"
        f"{cell('predicted_ratio', 6, '.2f')}{cell('iid_ratio', 6, '.2f')}"
        f"{cell('forwards_per_token', 8, '.2f')}{cell('tokens_per_round', 7, '.2f')}"
        f"{cell('alpha', 6, '.2f')}{cell('draft_share', 7, '.0%')}{cell('verify_share', 7, '.0%')}"
        f"{cell('host_share', 6, '.0%')}{cell('floor_ratio', 6, '.2f')}"
        f"{cell('memory_ratio', 6, '.2f')}"
    )


def _headline(report: dict[str, object], label: str, rows: list[dict[str, object]]) -> str:
    largest, median = prediction_errors(rows)
    return (
        f"{report['best_ours'][label]}: {report['ratio_vs_hf'][label]:.2f}x "
        f"{report['best_hf'][label]}, {report['ratio_vs_autoregressive'][label]:.2f}x our own "
        f"autoregressive; predictions off by {median:.0%} (median), {largest:.0%} (largest); gamma "
        f"{report['auto_gamma'][label]} picked from the prediction, "
        f"{report['auto_loss'][label]:.0%} below the best"
    )
