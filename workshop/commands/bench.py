"""Measure a pair against the engines that are here, and say where the time goes.

transformers is always; ONNX Runtime GenAI and llama.cpp run the trained pair in float32 where they
are installed.  --target and --draft name a pair of yours: two folders, or hub ids.
All sides choose their settings on prompts that are not reported; text that loops and
text that does not are told apart.  Ctrl-C prints what has been measured; --out has it.

With --shape qwen3, measure models of the real shapes with random weights instead.
"""

import argparse
import json
from pathlib import Path

from course_utils.commands.choices import set_threads
from course_utils.commands.program import Parser
from course_utils.drafters.named import DRAFTERS
from course_utils.files import check_new, write_whole
from course_utils.models.names import DTYPES
from workshop.bench.contenders import TRIED


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    from workshop.bench.modes import asked_for

    set_threads(options.threads)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        check_new(options.out)
    reports, page = asked_for(options)
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


def _keep(path: Path, text: str, first: bool) -> None:
    """The whole file or none of it; only what this run wrote is replaced."""
    if first:
        check_new(path)  # it was, but that is minutes ago
    write_whole(path, text)


def _parser() -> argparse.ArgumentParser:
    parser = Parser("bench", __doc__, "workshop", work="workshop.bench.modes")
    parser.add_argument("--quick", action="store_true", help="fewer prompts and settings")
    parser.add_argument("--shape", choices=("qwen3",), help="the exact shapes of Qwen3-0.6B and 4B")
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
