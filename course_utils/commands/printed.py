"""What `generate` prints: the text as it comes, in colours, then what it cost."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TextIO

from course_utils.classroom.palette import MEANINGS
from course_utils.classroom.tokens import Detokenizer, ansi
from course_utils.decoding.contracts import Round, Rule
from course_utils.decoding.metrics import Metrics, summarise
from course_utils.models.pairs import Pair


def stream(rounds: Iterator[Round], pair: Pair, prompt: str) -> Iterator[Round]:
    """The same rounds, each passed on once its text is on stdout, after the prompt."""
    detokenizer = Detokenizer(pair.decode)
    print(prompt, end="", flush=True)
    kind = "target"
    for r in rounds:
        for token, kind in zip(r.emitted, r.kinds, strict=True):
            _print_piece(detokenizer.push(token), kind)
        yield r
    _print_piece(detokenizer.rest(), kind)
    print()


def _print_piece(text: str, kind: str) -> None:
    print(_coloured(text, kind, sys.stdout), end="", flush=True)


def _coloured(text: str, kind: str, stream: TextIO) -> str:
    """In its colour where `stream` is a terminal, and NO_COLOR (no-color.org) is not set."""
    return ansi(text, kind) if stream.isatty() and not os.environ.get("NO_COLOR") else text


def print_summary(
    report: Mapping[str, object], rule: Rule, rounds: Sequence[Round], chat: str = ""
) -> None:
    """To stderr: which colour says what, the speed, why it stopped, how a chat was sampled, and
    the acceptance."""
    metrics: Metrics = summarise(rounds)
    used = [kind for kind in MEANINGS if any(kind in r.kinds for r in rounds)]
    legend = " · ".join(_coloured(MEANINGS[kind], kind, sys.stderr) for kind in used)
    lossy = "" if rule.lossless else ", a LOSSY rule: the text is not the target's"
    settings = f"{chat}\n" if chat else ""
    print(
        f"\n{legend}\n"
        f"{metrics.tokens} tokens from {metrics.target_forwards} target calls, "
        f"{report['tokens_per_second']:.0f} tokens/s, {report['dtype']}, "
        f"{report['threads']} threads, {rule.name}{lossy}, stopped by {metrics.stop_reason}\n"
        f"{settings}"
        f"{_chosen(report)}"
        f"{_acceptance(metrics)}",
        file=sys.stderr,
    )


def _chosen(report: Mapping[str, object]) -> str:
    """Which gamma was taken, and what for; nothing if it was given."""
    if report["choosing_seconds"] is None:
        return ""
    speedup = report["predicted_speedup"]
    if speedup is None:
        return f"gamma adapts, at most {report['gamma']}\n"
    advice = "" if speedup > 1 else ", which does not pay: --drafter none is faster here"
    return (
        f"gamma {report['gamma']}, chosen in {report['choosing_seconds']:.1f} s: predicted "
        f"{speedup:.2f}x decoding without a draft{advice}\n"
    )


def _acceptance(m: Metrics) -> str:
    """The four numbers called "acceptance", and the estimator of alpha."""
    if not m.drafted:
        return "nothing was drafted"
    overlap = "" if m.overlap is None else f" · sum min(p, q) {m.overlap:.2f}"
    return (
        f"accepted {m.accepted}: {m.accepted_per_drafted:.2f} of drafted · "
        f"{m.accepted_per_examined:.2f} of examined{overlap} · "
        f"{m.accepted_per_emitted:.2f} of emitted · {m.tokens_per_round:.2f} tokens per round"
    )
