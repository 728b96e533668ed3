"""A run, one round at a time: what was drafted, p, q, the coin, the verdict.

`look` computes what there is to see of a round, `round_html` draws it, `stepper`
puts buttons around it, `all_rounds` is its form on paper.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from html import escape

import ipywidgets as widgets

from course_utils.classroom.card import Card
from course_utils.classroom.palette import DRAFT, KINDS, TARGET
from course_utils.classroom.style import SIZE
from course_utils.classroom.tokens import Decode, Html, marked, pieces, visible
from course_utils.classroom.words import printable
from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.rules import residual, token_wise, without

LIKELIEST = 5  # entries shown of a law


@dataclass(frozen=True)
class Guess:
    """One drafted token and what became of it."""

    text: str
    q: float
    p: float
    uniform: float
    fate: str  # "accepted", "rejected" or "not examined"


@dataclass(frozen=True)
class View:
    """What there is to see of one round."""

    number: int
    rounds: int
    before: str  # the text so far
    guesses: tuple[Guess, ...]
    coins: bool  # does u < p/q decide in every round, as in the token-wise rule?
    emitted: tuple[tuple[str, str], ...]  # (text, kind)
    law: tuple[tuple[str, float], ...]  # the likeliest tokens of what the last one was drawn from
    target_cache: tuple[int, int]  # tokens before and after the round
    draft_cache: tuple[int, int] | None  # after drafting, and what of it stays; None: no model


def look(rounds: Sequence[Round], index: int, decode: Decode, coins: bool | None = None) -> View:
    """Round `index` of a run, whatever model, drafter and rule it came from.

    Args:
        coins: does u < p/q decide in every round?  None: found out.

    Raises:
        IndexError: there is no such round.
    """
    r = rounds[index]
    before = [token for earlier in rounds[:index] for token in earlier.emitted]
    coins = by_coins(rounds) if coins is None else coins
    return View(
        number=index + 1,
        rounds=len(rounds),
        before="".join(pieces(before, decode)),
        guesses=_guesses(r, decode),
        coins=coins,
        emitted=tuple(zip(pieces(r.emitted, decode), r.kinds, strict=True)),
        law=_likeliest(_last_law(r), decode) if coins and r.accepted < len(r.emitted) else (),
        target_cache=(r.cache_before, r.cache_after),
        draft_cache=_draft_cache(r),
    )


def round_html(view: View) -> str:
    """The round as markup: the text so far, a line a guess, the outcome, the caches."""
    accepted = sum(kind == "accepted" for _, kind in view.emitted)
    said = "".join(marked(visible(text), kind) for text, kind in view.emitted)
    return printable(
        f"<b>Round {view.number} of {view.rounds}: {accepted} of {len(view.guesses)} guesses "
        f"accepted; {_outcome(view)}.</b>"
        '<div style="white-space:pre-wrap;font-family:monospace;margin:.3em 0">'
        f"{escape(_end_of(view.before))}{said}</div>{_table(view)}{_law(view)}<div>{_caches(view)}</div>"
    )


def stepper(rounds: Sequence[Round], decode: Decode) -> Card:
    """Previous, next, play and a slider (click it, then ← →) over `round_html`.

    Raises:
        ValueError: no rounds.
    """
    if not rounds:
        raise ValueError("there is no round to show: hand over the rounds of a run, as a list")
    rounds, last = list(rounds), len(rounds) - 1
    slider = widgets.IntSlider(0, 0, last, description="round", readout=False)
    slider.style.description_width = "initial"
    play = widgets.Play(value=0, min=0, max=last, interval=1200)
    view, coins = widgets.HTML(), by_coins(rounds)  # once: with a large vocabulary it takes time
    buttons = [_button("◀ previous", slider, -1), _button("next ▶", slider, 1)]
    widgets.link((play, "value"), (slider, "value"))

    def draw(_: object = None) -> None:
        view.value = round_html(look(rounds, slider.value, decode, coins))

    slider.observe(draw, "value")
    draw()
    controls = widgets.HBox([*buttons, play, slider])
    return Card([controls, view])


def all_rounds(rounds: Sequence[Round], decode: Decode, first: int = 4) -> Html:
    """The static twin: the first rounds below one another, for paper and GitHub."""
    shown = range(min(first, len(rounds)))
    text = "\n".join(
        f"round {i + 1}: drafted {decode(list(rounds[i].drafted))!r}, "
        f"emitted {decode(list(rounds[i].emitted))!r}"
        for i in shown
    )
    html = "<hr>".join(round_html(look(rounds, i, decode)) for i in shown)
    return Html(f'<div style="font-size:{SIZE}">{html}</div>', text)


def by_coins(rounds: Sequence[Round]) -> bool:
    """Does u < p/q, token by token, explain every verdict?"""
    return all(
        r.parents is None and token_wise(r.p, r.q, r.drafted, r.uniforms) == r.verdict
        for r in rounds
    )


def _guesses(r: Round, decode: Decode) -> tuple[Guess, ...]:
    stay = range(r.verdict.accepted) if r.verdict.path is None else r.verdict.path
    seen = len(r.drafted) if r.parents else r.verdict.accepted + 1
    return tuple(
        Guess(
            text,
            1.0 if r.q is None else float(r.q[i, x]),
            float(r.p[i if r.parents is None else r.parents[i] + 1, x]),
            float(r.uniforms[i]),
            "accepted" if i in stay else "rejected" if i < seen else "not examined",
        )
        for i, (x, text) in enumerate(zip(r.drafted, _texts(r, decode), strict=True))
    )


def _texts(r: Round, decode: Decode) -> list[str]:
    if r.parents is None:
        return pieces(r.drafted, decode)
    return [decode([token]) for token in r.drafted]


def _last_law(r: Round) -> Rows:
    """What the correction or the bonus was drawn from."""
    i = r.verdict.accepted
    if i == len(r.drafted):
        return r.p[i]
    return without(r.p[i], r.drafted[i]) if r.q is None else residual(r.p[i], r.q[i])


def _likeliest(law: Rows, decode: Decode) -> tuple[tuple[str, float], ...]:
    values = law.tolist()
    best = nlargest(LIKELIEST, range(len(values)), key=values.__getitem__)
    return tuple((decode([token]), values[token]) for token in best if values[token] >= 0.005)


def _draft_cache(r: Round) -> tuple[int, int] | None:
    """A draft model has read all of its guesses but the last; what was rejected goes."""
    if r.q is None or not r.drafted or r.parents is not None:
        return None
    read = r.context + len(r.drafted) - 1
    return read, min(read, r.context + r.accepted)


def _outcome(view: View) -> str:
    text, kind = view.emitted[-1]
    if kind == "accepted":
        return "a stop token ends the text inside the draft"
    return (
        f"{marked(visible(text), kind)} is the {kind}"
        if kind != "target"
        else (f"the target says {marked(visible(text), kind)}")
    )


def _table(view: View) -> str:
    if not view.guesses:
        return "<div>Nothing was drafted.</div>"
    coin = "coin u against p/q" if view.coins else "coin u"
    head = f"<tr><th>guess</th><th>q(x)</th><th>p(x)</th><th>{coin}</th><th></th></tr>"
    lines = "".join(_line(guess, view.coins) for guess in view.guesses)
    return f'<table style="font-size:1em">{head}{lines}</table>'


def _line(guess: Guess, coins: bool) -> str:
    coin = "" if guess.fate == "not examined" else f"{guess.uniform:.3f}"
    if coin and coins:
        sign = "&lt;" if guess.fate == "accepted" else "≥"
        coin += f" {sign} {guess.p / guess.q:.3f}"
    fate = marked(guess.fate, guess.fate) if guess.fate in KINDS else guess.fate
    return (
        f'<tr><td style="text-align:left">{marked(visible(guess.text) or "·", "draft")}</td>'
        f"<td>{_amount(guess.q, DRAFT)}</td><td>{_amount(guess.p, TARGET)}</td>"
        f"<td>{coin}</td><td>{fate}</td></tr>"
    )


def _amount(value: float, colour: str) -> str:
    """A number with a bar of its size."""
    bar = f"display:inline-block;height:.7em;width:{4 * value:.2f}em;background:{colour}"
    return f'{value:.3f}&nbsp;<span style="display:inline-block;width:4em;text-align:left">' + (
        f'<span style="{bar}"></span></span>'
    )


def _law(view: View) -> str:
    if not view.law:
        return ""
    name = {
        "correction": "The correction is drawn from the residual, norm(max(p − q, 0))",
        "bonus": "The bonus is drawn from p, the target's row after the last guess",
        "target": "The token is drawn from p, the target's row",
    }[view.emitted[-1][1]]
    entries = " &nbsp; ".join(
        '<span style="white-space:nowrap"><code style="white-space:pre">'
        f"{escape(visible(text)) or '·'}</code> {value:.2f}</span>"
        for text, value in view.law
    )
    return f"<div>{name}: {entries}</div>"


def _caches(view: View) -> str:
    before, after = view.target_cache
    target = f"Target cache: {before} → {after} tokens"
    bought = len(view.emitted)
    price = f"one target call bought {bought} token{'s' * (bought != 1)}"
    if view.draft_cache is None:
        return f"{target}; {price}."
    read, kept = view.draft_cache
    return (
        f"{target}. Draft cache: {read} after drafting, {kept} of them stay. {price.capitalize()}."
    )


def _end_of(text: str, lines: int = 6) -> str:
    """The last lines of a long text."""
    kept = text.split("\n")[-lines:]
    return "\n".join(kept) if len(kept) == text.count("\n") + 1 else "…\n" + "\n".join(kept)


def _button(label: str, slider: widgets.IntSlider, step: int) -> widgets.Button:
    button = widgets.Button(description=label)
    button.on_click(lambda _: _move(slider, step))
    return button


def _move(slider: widgets.IntSlider, step: int) -> None:
    slider.value = min(max(slider.value + step, slider.min), slider.max)
