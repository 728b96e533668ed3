"""Compare a pair's speed with the installed engines, and show where the time goes.

transformers is always measured; ONNX Runtime GenAI, if installed, with the trained pair in
float32.  --target and --draft name your own pair: two folders, or hub ids.
All sides choose their settings on prompts that are not reported; looping and other text
are reported separately.  Ctrl-C prints the results so far, which are also in --out.
"""

import json
from pathlib import Path

from course_utils.commands.choices import pair_names, set_threads
from course_utils.commands.program import Parser
from course_utils.drafters.registry import DRAFTERS, ON_THE_TARGET
from course_utils.files import check_new, write_whole
from course_utils.models.names import DTYPES
from workshop.bench.contenders import TRIED, settings


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    import torch

    from course_utils.models.device import native_dtypes
    from course_utils.models.names import PAIRS
    from workshop.bench import four_bits
    from workshop.bench.measure import Extent, bench, quick
    from workshop.bench.report import page

    set_threads(options.threads)
    if options.out:
        check_new(options.out)
    names = pair_names(options.target, options.draft, "model")
    heads = [name for name in TRIED if DRAFTERS[name].guesses_with in ON_THE_TARGET]
    is_trained_pair = names == PAIRS["tiny"]  # the heads belong to it
    drafters = options.drafter or [name for name in TRIED if is_trained_pair or name not in heads]
    extent = quick(drafters) if options.quick else Extent(settings(drafters))
    dtypes = options.dtypes or native_dtypes(torch.device("cpu"))
    command = " ".join(["python -m workshop bench", *arguments])
    report = None
    try:
        reports = bench(command, names, dtypes, options.temperatures, extent)
        for report in [four_bits.measure(command)] if options.four_bits else reports:
            if options.out:
                text = json.dumps(report, ensure_ascii=False, allow_nan=False, indent=1)
                write_whole(options.out, f"{text}\n")
    finally:  # also after Ctrl-C
        if report:
            print(json.dumps(report, indent=1) if options.four_bits else page(report))
    return 0


def _parser() -> Parser:
    parser = Parser("bench", __doc__, "workshop", work="workshop.bench.measure")
    parser.add_argument("--quick", action="store_true", help="fewer prompts and settings")
    parser.add_argument(
        "--four-bits", action="store_true", help="measure SmolLM2 in float32 and in four bits"
    )
    parser.add_argument("--target", help="a folder or a hub id (default: the trained pair's)")
    parser.add_argument("--draft", help="the same for the draft model")
    parser.add_argument(
        "--drafter",
        nargs="+",
        choices=[name for name in DRAFTERS if name not in ("none", "target_as_draft")],
        help=f"the course's drafters besides the draft model (default: {' '.join(TRIED[1:])})",
    )
    parser.add_argument("--threads", type=int, help="CPU threads (default: all available cores)")
    parser.add_argument("--temperatures", type=float, nargs="+", default=[0.0, 1.0])
    parser.add_argument(
        "--dtypes", nargs="+", choices=DTYPES, help="default: the processor's native formats"
    )
    parser.add_argument("--out", type=Path, help="write the JSON to this new file")
    return parser
