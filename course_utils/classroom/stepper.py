"""A run, one round at a time: what was drafted, p, q, the coin, the verdict.

`round_html` draws one round (pure); `stepper` puts buttons around it.
"""

from collections.abc import Sequence
from html import escape

import ipywidgets as widgets

from course_utils.classroom.palette import DRAFT, KINDS, MARKS
from course_utils.classroom.tokens import Decode, Html, pieces
from course_utils.decoding.contracts import Round


def round_html(rounds: Sequence[Round], index: int, decode: Decode) -> str:
    """Round `index` as markup: the text so far, a line a drafted token, the outcome."""
    r = rounds[index]
    before = [token for earlier in rounds[:index] for token in earlier.emitted]
    drafted = pieces(r.drafted, decode)
    last = r.kinds[-1]
    lines = [_line(r, i, text) for i, text in enumerate(drafted)]
    if r.verdict.accepted < len(r.emitted):
        outcome = f"{_mark(decode([r.verdict.token]), last)} is the <b>{last}</b>"
    else:
        outcome = "a stop token ends the text inside the accepted draft"
    text = escape("".join(pieces(before, decode)))
    return (
        f'<div style="font-size:1.05em;line-height:1.7">'
        f"<b>Round {index + 1} of {len(rounds)}</b> &nbsp; "
        f"{r.accepted} of {len(r.drafted)} drafted tokens accepted; {outcome}."
        f"<br>Text so far: <code>{text or '(nothing)'}</code>"
        f"{_verification(lines)}"
        f"Target cache: {r.cache_before} → {r.cache_after} tokens; one target call "
        f"bought {len(r.emitted)} token{'s' * (len(r.emitted) != 1)}.</div>"
    )


def stepper(rounds: Sequence[Round], decode: Decode) -> widgets.VBox:
    """Previous, next, play and a slider over `round_html`."""
    last = len(rounds) - 1
    slider = widgets.IntSlider(0, 0, last, description="round", readout=False)
    play = widgets.Play(value=0, min=0, max=last, interval=1200)
    view = widgets.HTML(round_html(rounds, 0, decode))
    buttons = []
    for label, step in (("◀ previous", -1), ("next ▶", 1)):
        button = widgets.Button(description=label)
        button.on_click(lambda _, step=step: _move(slider, step))
        buttons.append(button)
    widgets.link((play, "value"), (slider, "value"))
    slider.observe(lambda e: setattr(view, "value", round_html(rounds, e["new"], decode)), "value")
    return widgets.VBox([widgets.HBox([*buttons, play, slider]), view])


def all_rounds(rounds: Sequence[Round], decode: Decode, first: int = 4) -> Html:
    """The static twin: the first rounds below one another, for paper and GitHub."""
    shown = range(min(first, len(rounds)))
    text = "\n".join(
        f"round {i + 1}: drafted {decode(list(rounds[i].drafted))!r}, "
        f"emitted {decode(list(rounds[i].emitted))!r}"
        for i in shown
    )
    return Html("<hr>".join(round_html(rounds, i, decode) for i in shown), text)


def _move(slider: widgets.IntSlider, step: int) -> None:
    slider.value = min(max(slider.value + step, slider.min), slider.max)


def _line(r: Round, i: int, text: str) -> str:
    x = r.drafted[i]
    p = float(r.p[i, x])
    q = 1.0 if r.q is None else float(r.q[i, x])
    if i > r.verdict.accepted:
        coin, fate = "", "not examined"
    else:
        kept = i < r.verdict.accepted
        sign = "&lt;" if kept else "≥"
        coin = f"{r.uniforms[i]:.3f} {sign} {p / q:.3f}"
        fate = _mark("accepted" if kept else "rejected", "accepted" if kept else "rejected")
    return (
        f'<tr><td style="text-align:left"><span style="background:{DRAFT}55;white-space:pre">'
        f"{escape(_visible(text)) or '·'}</span></td>"
        f"<td>{q:.3f}</td><td>{p:.3f}</td><td>{coin}</td><td>{fate}</td></tr>"
    )


def _visible(text: str) -> str:
    """Blanks as signs where there is nothing else: no drafted token looks empty."""
    shown = text.replace("\n", "⏎")
    return shown if text.strip() else shown.replace(" ", "␣")


def _verification(lines: list[str]) -> str:
    if not lines:
        return "<br>Nothing was drafted.<br>"
    head = "<tr><th>draft</th><th>q(x)</th><th>p(x)</th><th>u against p/q</th><th></th></tr>"
    return f"<table>{head}{''.join(lines)}</table>"


def _mark(text: str, kind: str) -> str:
    return f'<span style="background:{KINDS[kind]}55;{MARKS[kind]}">{escape(text)}</span>'
