"""The n-gram explorer as markup and as sentences; `ngram_view` computes what it shows."""

from collections.abc import Sequence
from html import escape

from course_utils.classroom.palette import DRAFT, TARGET, TINT
from course_utils.classroom.table import markup_table
from course_utils.classroom.tokens import visible
from course_utils.lessons.ngram_drafter.ngram_view import Bar, NGramView, Order

FOLLOWERS = 4  # counts named in a line
# How the share of an order is filled: by tokens of context; "any token" is left empty.
FILLS = (
    f"{DRAFT}{TINT}",
    f"repeating-linear-gradient(45deg,{DRAFT} 0 .2em,transparent .2em .4em)",
    DRAFT,
    f"repeating-linear-gradient(90deg,{DRAFT} 0 .35em,transparent .35em .5em)",
)
EMPTY = "transparent"
# Looks and tags of a token: where CSS is lost, the tags stay.
MARKS = {
    "match": (f"background:{TARGET}{TINT}", "b", "the same tokens, earlier"),
    "source": ("border-bottom:.15em dotted", "span", "what followed them"),
    "ending": (f"background:{TARGET}{TINT}", "ins", "how the text ends"),
    "guess": (f"background:{DRAFT}{TINT};outline:1px dashed", "i", "the draft, copied"),
}


def ngram_html(view: NGramView) -> str:
    """The counts at every order, the distribution they make, and the lookup below."""
    halves = f"<div>{_orders(view)}</div><div>{_bars(view)}</div>"
    return (
        f"<b>{escape(backed_off(view))}</b>"
        f'<div style="display:flex;flex-wrap:wrap;gap:0 1.5em">{halves}</div>'
        f'<div style="margin-top:.7em"><b>{escape(looked_up(view))}</b></div>{_text(view)}'
    )


def backed_off(view: NGramView) -> str:
    """The message of the upper half."""
    seen = next((order for order in view.orders if order.total), None)
    if seen is None:
        return "Nothing was ever counted: any token is as likely as any other."
    unseen = [order for order in view.orders if order.ending and not order.total]
    if not unseen:
        return f"After {seen.ending or 'no context'} (seen {seen.total}×) {_likeliest(view)}."
    shorter = f"to {seen.ending}" if seen.ending else "to no context at all"
    return f"{unseen[0].ending} was never seen: the model backs off {shorter}; {_likeliest(view)}."


def _likeliest(view: NGramView) -> str:
    best = view.bars[0]
    if view.ties == 1:
        return f"{visible(best.text)} is likeliest, {best.probability:.2f}"
    return f"{view.ties} tokens are equally likely, {best.probability:.2f} each"


def looked_up(view: NGramView) -> str:
    """The message of the lower half."""
    if view.match is None:
        return "The lookup drafts nothing: nothing earlier in the text matches its end."
    ending, copied = (" ".join(t) for t in (view.texts[-view.match[1] :], view.copied))
    return f"The lookup has seen {ending} in this text before, and drafts {copied}."


def ngram_text(view: NGramView) -> str:
    """The same in words, a line each."""
    bars = ", ".join(f"{bar.text} {bar.probability:.2f}" for bar in view.bars)
    return "\n".join([backed_off(view), f"distribution: {bars}", looked_up(view)])


def _orders(view: NGramView) -> str:
    """A line an order, longest first."""
    head = ("tokens of context", "followed by", "share of the distribution")
    rest = ("", "any token, all alike", _amount(view.rest, [(view.rest, EMPTY)], 4))
    return markup_table(head, [*map(_order, view.orders), rest], left=range(len(head)))


def _order(order: Order) -> tuple[str, str, str]:
    words = escape(visible(order.ending)) if order.ending else "none" * (not order.length)
    ending = f"{order.length}: {words}"
    if order.ending is None:
        return ending, "the text is too short", "–"
    if not order.total:
        return ending, "<b>never seen: skipped</b>", "–"
    named = [
        f"{escape(visible(text))}\u2009×{count}" for text, count in order.followers[:FOLLOWERS]
    ]
    more = len(order.followers) - FOLLOWERS
    counts = ", ".join(named) + (f", {more} more" if more > 0 else "")
    return ending, counts, _amount(order.share, [(order.share, FILLS[order.length])], 4)


def _bars(view: NGramView) -> str:
    """The likeliest tokens, each bar filled with what every order gave to it."""
    head = ("next", "probability q, made of these shares")
    return markup_table(head, [_bar(bar, view) for bar in view.bars], left=range(len(head)))


def _bar(bar: Bar, view: NGramView) -> tuple[str, str]:
    fills = [*(FILLS[order.length] for order in view.orders), EMPTY]
    amount = _amount(bar.probability, list(zip(bar.parts, fills, strict=True)), 14)
    return escape(visible(bar.text)), amount


def _amount(value: float, parts: Sequence[tuple[float, str]], full: float) -> str:
    """A number and a bar of its parts; `full` em are 1."""
    bars = "".join(
        f'<span style="width:{full * part:.3f}em;background:{fill}"></span>' for part, fill in parts
    )
    shape = "display:inline-flex;height:.9em;vertical-align:-.1em;outline:1px solid"
    bar = f'<span style="{shape}">{bars}</span>' if value > 0 else ""
    return f'<span style="white-space:nowrap">{value:.2f}&nbsp; {bar}</span>'


def _text(view: NGramView) -> str:
    """The text, a box a token, with the match, the ending and the guesses marked."""
    marked: list[list[str]] = [[] for _ in view.texts]
    if view.match:
        start, length = view.match
        end = start + length
        for mark, low, high in (
            ("match", start, end),
            ("source", end, end + len(view.copied)),
            ("ending", len(marked) - length, len(marked)),
        ):
            for marks in marked[low:high]:
                marks.append(mark)
    boxes = [_box(text, marks) for text, marks in zip(view.texts, marked, strict=True)]
    boxes += [_box(text, ["guess"]) for text in view.copied]
    legend = " ".join(_box(meaning, [mark]) for mark, (*_, meaning) in MARKS.items())
    shown = f'<div style="margin:.3em 0">{" ".join(boxes)}</div>'
    return f"{shown}<small>{legend}</small>" if view.match else shown


def _box(text: str, marks: Sequence[str]) -> str:
    shown = escape(visible(text))
    for _, tag, _ in (MARKS[mark] for mark in marks):
        shown = f"<{tag}>{shown}</{tag}>"
    looks = ";".join(MARKS[mark][0] for mark in marks)
    title = ", ".join(MARKS[mark][-1] for mark in marks)
    return (
        '<span style="display:inline-block;padding:0 .3em;margin:.1em;border-radius:3px;'
        f'white-space:pre;{looks}" title="{title}">{shown}</span>'
    )
