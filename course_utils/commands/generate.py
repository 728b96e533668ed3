"""Continue a prompt and report the cost.  In Python: `load_pair(...).write(...)`."""

import argparse
import json
import os
import sys
from dataclasses import asdict
from inspect import signature
from itertools import chain, islice
from typing import TYPE_CHECKING, TextIO

from course_utils.commands.choices import (
    add_pair,
    add_rule,
    add_settings,
    pair_names,
    set_threads,
)
from course_utils.commands.program import Parser
from course_utils.decoding.metrics import Metrics
from course_utils.writing.request import Request

if TYPE_CHECKING:
    from course_utils.writing.writing import Pair, Writing


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    if not options.prompt:
        raise ValueError("the prompt is empty: give some text to continue")
    given = vars(options) | {"text": options.prompt}
    request = Request(**{field: given[field] for field in signature(Request).parameters})
    target, draft = pair_names(options.target, options.draft, options.drafter)
    request = request.resolved(draft)  # so that a wrong name fails before a model is loaded
    set_threads(options.threads, options.target or "tiny")
    from course_utils.writing.writing import Writing, load_pair

    pair = load_pair(
        target, draft, dtype=options.dtype, device_map=options.device_map, form=options.form
    )
    writing = Writing(pair, request)
    if options.json:
        print(json.dumps(_report(writing.finish(), pair), allow_nan=False))
        return 0
    begun = list(islice(writing, 1))  # so that errors come before any output
    print(pair.decode(writing.prompt) if options.chat else options.prompt, end="", flush=True)
    for piece in chain(begun, writing):
        print(_coloured(piece, piece.kind, sys.stdout), end="", flush=True)
    print(f"\n\n{_summary(writing, pair, options.chat)}", file=sys.stderr)
    return 0


def _coloured(text: str, kind: str, stream: TextIO) -> str:
    """Colour the text if `_has_colours(stream)`."""
    if not _has_colours(stream):
        return text
    from course_utils.classroom.tokens import ansi

    return ansi(text, kind)


def _has_colours(stream: TextIO) -> bool:
    """Return whether `stream` is a terminal and NO_COLOR (no-color.org) is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def _legend(writing: "Writing") -> list[str]:
    """Return the line that says what the colours mean, if there are colours."""
    if not _has_colours(sys.stderr):
        return []
    from course_utils.classroom.palette import MEANINGS

    used = [kind for kind in MEANINGS if any(kind in r.kinds for r in writing.rounds)]
    return [" · ".join(_coloured(MEANINGS[kind], kind, sys.stderr) for kind in used)]


def _summary(writing: "Writing", pair: "Pair", chat: bool) -> str:
    """Return the legend of the colours, the speed, stop reason, sampling and acceptance."""
    m, rule = writing.metrics, writing.rule
    lossy = "" if rule.lossless else ", a LOSSY rule: the text is not the target's"
    lines = [
        *_legend(writing),
        f"{m.tokens} tokens from {m.target_forwards} target calls, {m.tokens / m.seconds:.0f} "
        f"tokens/s, {_dtype(pair)}, {rule.name}{lossy}, stopped by {m.stop_reason}",
    ]
    if writing.predicted_speedup is not None:
        lines.append(
            f"gamma {writing.gamma}, chosen in {writing.choosing_seconds:.1f} s: predicted "
            f"{writing.predicted_speedup:.2f}x decoding without a draft"
            + (", so no draft pays here" if not writing.gamma else "")
        )
    if chat:
        settings = asdict(writing.sampling).items()
        lines.append(f"chat: {', '.join(f'{name} {x:g}' for name, x in settings)}")
    return "\n".join([*lines, _acceptance(m)])


def _acceptance(m: Metrics) -> str:
    """Return the four numbers called "acceptance", and the estimator of alpha."""
    if m.accepted_per_drafted is None or m.accepted_per_examined is None:
        return "nothing was drafted"
    overlap = "" if m.overlap is None else f" · sum min(p, q) {m.overlap:.2f}"
    return (
        f"accepted {m.accepted}: {m.accepted_per_drafted:.2f} of drafted · "
        f"{m.accepted_per_examined:.2f} of examined{overlap} · "
        f"{m.accepted_per_emitted:.2f} of emitted · {m.tokens_per_round:.2f} tokens per round"
    )


def _report(writing: "Writing", pair: "Pair") -> dict[str, object]:
    """Return the output of --json: metrics and settings of the run."""
    m = writing.metrics
    return asdict(m) | {
        "text": writing.text,
        "tokens": writing.tokens,
        "prompt_tokens": len(writing.prompt),
        "seconds": m.seconds,
        "tokens_per_second": m.tokens / m.seconds,
        "tokens_per_round": m.tokens_per_round,
        "accepted_per_drafted": m.accepted_per_drafted,
        "accepted_per_examined": m.accepted_per_examined,
        "accepted_per_emitted": m.accepted_per_emitted,
        "gamma": writing.gamma,
        "sampling": asdict(writing.sampling),
        "rule": writing.rule.name,
        "lossless": writing.rule.lossless,
        "dtype": _dtype(pair),
    }


def _dtype(pair: "Pair") -> str:
    return str(getattr(pair.target, "dtype", "")).removeprefix("torch.")


def _parser() -> Parser:
    parser = Parser("generate", __doc__, work="course_utils.writing.writing")
    parser.add_argument(
        "prompt",
        metavar="PROMPT",
        nargs="?",
        help="the text to continue, or with --chat the user's message; put -- before "
        "a text that begins with a -",
    )
    add_pair(parser)
    add_rule(parser)
    parser.add_argument(
        "--gamma",
        type=lambda text: int(text) if text.isdecimal() else text,  # `Request` checks it
        default=4,
        help='drafted tokens per round (default: 4); "auto" measures for about a second which '
        'number is fastest on this machine; "adaptive" chooses before each round; trees ignore it',
    )
    parser.add_argument(
        "--chat",
        action="store_true",
        help="use the chat template of the target's tokenizer for PROMPT, and by default the "
        "settings of its generation_config.json. The trained pair has no template",
    )
    parser.add_argument(
        "--thinking",
        action=argparse.BooleanOptionalAction,
        help="with --chat: whether the model thinks before it answers",
    )
    parser.add_argument("--system", metavar="TEXT", help="with --chat: the system message")
    add_settings(parser, "(default: off; with --chat the target's)")
    parser.add_argument("--max-new-tokens", type=int, default=128)
    parser.add_argument(
        "--stop", metavar="TEXT", action="append", default=[],
        help="end the text before this string; can be repeated",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--trace", metavar="FILE.jsonl", help="record the rounds in a new file, one line each"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    return parser
