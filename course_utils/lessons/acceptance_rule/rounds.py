"""What happened in rounds, as text: a line for each round, a record for each drafted token."""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from course_utils.classroom.palette import KINDS
from course_utils.classroom.tokens import Html, block, marked, visible
from course_utils.decoding.contracts import Round

NEVER_EXAMINED = "draft"  # the kind whose mark is "drafted, not yet examined"


def committed(rounds: Iterable[Round], words: Sequence[str], prompt: Sequence[int]) -> Html:
    """A line for each round: the text committed before it, then what it drafted.

    Words stand in columns, so a word stands under the one that it replaces.  The last
    line is the text after the last round.

    Args:
        words: of each token, its word.
    """
    width = max(map(len, words)) + 1

    def cells(tokens: Iterable[int], kinds: Iterable[str]) -> list[tuple[str, str]]:
        return [(words[token], kind) for token, kind in zip(tokens, kinds, strict=True)]

    text, lines, used = cells(prompt, ["prompt"] * len(prompt)), [], set()
    for r in rounds:
        unread = max(0, len(r.drafted) - r.accepted - 1)
        fates = ["accepted"] * r.accepted + ["rejected"] * (r.accepted < len(r.drafted))
        lines.append(text + cells(r.drafted, fates + [NEVER_EXAMINED] * unread))
        text = text + cells(r.emitted, r.kinds)
    lines.append(text)
    used = {kind for line in lines for _, kind in line}
    names = [f"round {n}" for n in range(1, len(lines))] + ["the text"]
    legend = [f"{marked(kind, kind)}" for kind in KINDS if kind in used and kind != NEVER_EXAMINED]
    legend += [f"{marked('discarded', NEVER_EXAMINED)} drafted and never examined"]
    return block(
        "\n".join(
            f"{name:9}" + "".join(_cell(word, kind, width) for word, kind in line)
            for name, line in zip(names, lines, strict=True)
        ),
        legend,
        "\n".join(
            f"{name:9}" + " ".join(f"{word}" for word, _ in line)
            for name, line in zip(names, lines, strict=True)
        ),
    )


def _cell(word: str, kind: str, width: int) -> str:
    shown = escape(word) if kind == "prompt" else marked(word, kind)
    return shown + " " * (width - len(word))


def line_by_line(r: Round, decode: Callable[[list[int]], str]) -> list[dict[str, object]]:
    """Of each drafted token its q, p, p/q and uniform, and what the rule said of it."""
    verdicts = ["accepted"] * r.accepted + ["rejected"] + ["not examined"] * len(r.drafted)
    return [
        {
            "token": visible(decode([x])),
            "q(x)": float(r.q[i, x]),
            "p(x)": float(r.p[i, x]),
            "p/q": float(r.p[i, x] / r.q[i, x]),
            "u": r.uniforms[i],
            "verdict": verdicts[i],
        }
        for i, x in enumerate(r.drafted)
    ]
