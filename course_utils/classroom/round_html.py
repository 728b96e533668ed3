"""One round as markup; `round_view` computes what it shows."""

from html import escape

from course_utils.classroom.palette import DRAFT, KINDS, TARGET
from course_utils.classroom.round_view import Guess, RoundView
from course_utils.classroom.table import markup_table
from course_utils.classroom.tokens import marked, visible
from course_utils.classroom.words import printable


def round_html(view: RoundView, details: bool = True) -> str:
    """The round as markup: the text so far, a line per guess, the outcome.

    Args:
        details: then what the last token was drawn from, and the caches.
    """
    below = f"{_distribution(view)}<div>{_caches(view)}</div>" if details else ""
    accepted = sum(kind == "accepted" for _, kind in view.emitted)
    said = "".join(marked(visible(text), kind) for text, kind in view.emitted)
    return printable(
        f"<b>Round {view.number} of {view.rounds}: {accepted} of {len(view.guesses)} guesses "
        f"accepted; {_outcome(view)}.</b>"
        '<div style="white-space:pre-wrap;font-family:monospace;margin:.3em 0">'
        f"{escape(_end_of(view.before))}{said}</div>{_guesses(view)}{below}"
    )


def _outcome(view: RoundView) -> str:
    text, kind = view.emitted[-1]
    if kind == "accepted":
        return "a stop token ends the text inside the draft"
    return (
        f"{marked(visible(text), kind)} is the {kind}"
        if kind != "target"
        else (f"the target says {marked(visible(text), kind)}")
    )


def _guesses(view: RoundView) -> str:
    if not view.guesses:
        return "<div>Nothing was drafted.</div>"
    uniform = "uniform u against p/q" if view.uniforms else "uniform u"
    lines = [_cells(guess, view.uniforms) for guess in view.guesses]
    return markup_table(("guess", "q(x)", "p(x)", uniform, ""), lines, left=(0,))


def _cells(guess: Guess, uniforms: bool) -> tuple[str, ...]:
    uniform = "" if guess.fate == "not examined" else f"{guess.uniform:.3f}"
    if uniform and uniforms:
        sign = "&lt;" if guess.fate == "accepted" else "≥"
        uniform += f" {sign} {guess.p / guess.q:.3f}"
    fate = marked(guess.fate, guess.fate) if guess.fate in KINDS else guess.fate
    text = marked(visible(guess.text) or "·", "draft")
    return text, _amount(guess.q, DRAFT), _amount(guess.p, TARGET), uniform, fate


def _amount(value: float, colour: str) -> str:
    """A number with a bar of its size."""
    bar = f"display:inline-block;height:.7em;width:{4 * value:.2f}em;background:{colour}"
    return f'{value:.3f}&nbsp;<span style="display:inline-block;width:4em;text-align:left">' + (
        f'<span style="{bar}"></span></span>'
    )


def _distribution(view: RoundView) -> str:
    if not view.distribution:
        return ""
    name = {
        "correction": "The correction is drawn from the residual, norm(max(p − q, 0))",
        "bonus": "The bonus is drawn from p, the target's row after the last guess",
        "target": "The token is drawn from p, the target's row",
    }[view.emitted[-1][1]]
    entries = " &nbsp; ".join(
        '<span style="white-space:nowrap"><code style="white-space:pre">'
        f"{escape(visible(text)) or '·'}</code> {value:.2f}</span>"
        for text, value in view.distribution
    )
    return f"<div>{name}: {entries}</div>"


def _caches(view: RoundView) -> str:
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
