"""What happened in rounds, as text: a line for each round, a record for each drafted token."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import zip_longest

from course_utils.classroom.palette import KINDS
from course_utils.classroom.stepper import guesses
from course_utils.classroom.tokens import Html, block, marked
from course_utils.decoding.contracts import Round

GIVEN = "prompt"
DISCARDED = "draft"  # the kind whose mark is "drafted, not yet examined"


def committed(rounds: Iterable[Round], words: Sequence[str], prompt: Sequence[int]) -> Html:
    """A line for each round: the text committed before it, then what it drafted.

    Words stand in columns, so a word stands under the one that it replaces.  The last
    line is the text after the last round.  Where a stop token ended a round, what was drafted
    behind it is discarded.

    Args:
        words: of each token, its word.
    """
    text, lines = [(words[token], GIVEN) for token in prompt], {}
    for number, r in enumerate(rounds, 1):
        missed = ["rejected"] * (r.kinds[-1] == "correction")
        fates = ["accepted"] * r.accepted + missed + [DISCARDED] * len(r.drafted)
        drafted = [(words[token], fate) for token, fate in zip(r.drafted, fates, strict=False)]
        lines[f"round {number}"] = text + drafted
        text = text + [(words[t], kind) for t, kind in zip(r.emitted, r.kinds, strict=True)]
    lines["the text"] = text
    columns = zip_longest(*lines.values(), fillvalue=("", GIVEN))
    widths = [max(len(word) for word, _ in column) + 1 for column in columns]
    markup = "\n".join(
        f"{name:10}" + "".join(map(_cell, line, widths)) for name, line in lines.items()
    )
    used = {kind for line in lines.values() for _, kind in line}
    legend = [marked(kind, kind) for kind in KINDS if kind in used and kind != DISCARDED]
    return block(
        f'<span style="font-family:var(--jp-code-font-family, monospace)">{markup}</span>',
        [*legend, f"{marked('discarded', DISCARDED)} drafted and never examined"],
        "\n".join(" ".join([f"{name:9}", *(w for w, _ in line)]) for name, line in lines.items()),
    )


def _cell(said: tuple[str, str], width: int) -> str:
    word, kind = said
    shown = escape(word) if kind == GIVEN else marked(word, kind)
    return shown + " " * (width - len(word))


def line_by_line(r: Round, decode: Callable[[list[int]], str]) -> list[dict[str, object]]:
    """Of each drafted token its q, p, p/q and uniform, and what the rule said of it."""
    return [
        {
            "token": ascii(guess.text),
            "q(x)": guess.q,
            "p(x)": guess.p,
            "p/q": guess.p / guess.q,
            "u": guess.uniform,
            "verdict": guess.fate,
        }
        for guess in guesses(r, decode)
    ]
