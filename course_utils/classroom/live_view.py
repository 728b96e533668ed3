"""A run so far: computed after each round, drawn as coloured text with its metrics.

Rounds are added up and let go: with a large vocabulary the rows of one take megabytes.
`live` shows this while it decodes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape

from course_utils.classroom.palette import KINDS, MARKS, MEANINGS, TINT
from course_utils.classroom.table import markup_table
from course_utils.classroom.tokens import Decode, Detokenizer
from course_utils.classroom.words import printable
from course_utils.decoding.contracts import Round
from course_utils.decoding.metrics import Metrics, summarise

PROMPT_SHOWN = 600  # characters, from its end
LEGEND = ("accepted", "correction", "bonus", "target")
TYPED = "course-live-prompt"  # the class of a field that looks like the text
LOOKS = "".join(
    f".course-live .{kind}{{background:{KINDS[kind]}{TINT};border-radius:3px;{MARKS[kind]}}}"
    for kind in LEGEND
)
LOOKS += (
    f".course-live pre,.{TYPED} textarea{{font-family:var(--jp-code-font-family,monospace)}}"
    ".course-live .given{opacity:.75}.course-live pre{white-space:pre-wrap;line-height:1.6;"
    "font-size:1em;overflow-wrap:anywhere;color:inherit;background:none;padding:0;"
    "margin:.6em 0 0;min-height:8em}"
)


@dataclass(frozen=True)
class LiveView:
    """A run so far."""

    prompt: str
    said: tuple[tuple[str, str], ...] = ()  # (text, kind), as it becomes readable
    metrics: Metrics | None = None  # None before the first round


def follow(rounds: Iterable[Round], decode: Decode, prompt: str = "") -> Iterator[LiveView]:
    """What there is to see after each round; no token is decoded twice for it."""
    said: list[tuple[str, str]] = []
    metrics, detokenizer = None, Detokenizer(decode)
    for r in rounds:
        this = summarise([r])
        metrics = added(metrics, this) if metrics else this
        texts = [detokenizer.push(token) for token in r.emitted]
        if r.stop_reason:
            texts[-1] += detokenizer.rest()
        said += [(text, kind) for text, kind in zip(texts, r.kinds, strict=True) if text]
        yield LiveView(prompt, tuple(said), metrics)


def added(a: Metrics, b: Metrics) -> Metrics:
    """The metrics of two stretches of a run, b after a, as those of one."""
    counts = ("tokens", "rounds", "drafted", "accepted", "examined", "corrections", "bonuses")
    times = ("draft_seconds", "verify_seconds", "host_seconds")
    sums = {name: getattr(a, name) + getattr(b, name) for name in (*counts, *times)}
    judged = [m for m in (a, b) if m.examined]
    overlap = None
    if judged and all(m.overlap is not None for m in judged):
        overlap = sum(m.overlap * m.examined for m in judged) / sums["examined"]
    return replace(b, **sums, overlap=overlap)


def live_html(view: LiveView, state: str = "") -> str:
    """The message, the numbers, the text; `state` says what the decoder is doing."""
    shown = view.prompt
    if len(shown) > PROMPT_SHOWN:
        shown = "… " + shown[-PROMPT_SHOWN:]
    spans = "".join(f'<span class="{kind}">{escape(text)}</span>' for text, kind in view.said)
    legend = " &nbsp; ".join(f'<span class="{k}">{k}</span> {MEANINGS[k]}' for k in LEGEND)
    return printable(
        f'<style>{LOOKS}</style><div class="course-live">'
        f"{head_html(view.metrics, state)}<small>{legend}</small>"
        f'<pre><span class="given">{escape(shown)}</span>{spans}</pre></div>'
    )


def head_html(metrics: Metrics | None, state: str) -> str:
    """What the run amounts to, in a sentence and in a table."""
    return f'<div role="status"><b>{message(metrics)}</b> {escape(state)}</div>{_numbers(metrics)}'


def message(m: Metrics | None) -> str:
    """The sentence."""
    if m is None:
        return "Nothing decoded yet."
    calls = f"{m.target_forwards} target call{'s' * (m.target_forwards != 1)}"
    tokens = f"{m.tokens} token{'s' * (m.tokens != 1)}"
    return f"{tokens} from {calls}: {m.tokens_per_round:.2f} tokens per call."


def _numbers(m: Metrics | None) -> str:
    values = ["–"] * 5
    if m is not None:
        values[:3] = [str(m.tokens), str(m.target_forwards), f"{m.tokens_per_round:.2f}"]
        if m.examined:
            values[3] = f"{m.accepted} / {m.examined} = {m.accepted_per_examined:.2f}"
        values[4] = f"{m.tokens / m.seconds:.0f}" if m.seconds else "–"
    names = (
        "tokens",
        "target calls",
        "tokens per call",
        "accepted / examined",
        "tokens per second",
    )
    return markup_table(names, [values])
