"""Figures of this lesson: what each way of decoding asks of the target, and what gamma changes."""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import INK, KINDS, ROLES, mix
from course_utils.classroom.picture import Picture, entitle, panels, picture
from course_utils.classroom.table import table
from course_utils.classroom.tokens import Html
from course_utils.decoding.metrics import Metrics

BEFORE = "The cat sat on"
PASSES = (("the", "old", "sofa"), ("by", "night", "and", "it", "slept"))  # the last is the target's


def two_ways() -> Picture:
    """The same eight tokens: a pass for each, or two passes that check what a draft has guessed."""
    figure, (axes,) = panels(height=3.1)
    guessed, own, work = (
        mix(colour, "#FFFFFF", share)
        for colour, share in (
            (KINDS["accepted"], 0.45),
            (KINDS["target"], 0.6),
            (KINDS["target"], 0),
        )
    )
    text = [word for words in PASSES for word in words]
    edge = {"edgecolor": "white", "linewidth": 2}
    written = {"ha": "center", "va": "center", "fontsize": 10.5}
    for y, name, passes in ((3.2, "the big model alone", [[word] for word in text]),
                            (0.9, "with a small model\nthat guesses ahead", PASSES)):  # fmt: skip
        axes.text(-0.25, y + 0.3, name, ha="right", va="center", fontsize=11)
        start = 0
        for number, words in enumerate(passes, 1):
            axes.barh(y + 0.75, len(words), 0.5, start, color=work, align="center", **edge)
            label = f"pass {number}" if len(words) > 1 else str(number)
            axes.text(start + len(words) / 2, y + 0.75, label, color="white", **written)
            colours = [guessed] * (len(words) - 1) + [own]
            axes.barh(
                [y] * len(words), 1, 0.7, range(start, start + len(words)), color=colours, **edge
            )
            for place, word in enumerate(words, start):
                axes.text(place + 0.5, y, word, color=INK, **written)
            start += len(words)
    legend = (own, "said by the big model"), (guessed, "guessed by the small one, then checked")
    for x, (colour, meaning) in zip((0, 3.2), legend, strict=True):
        axes.barh(-0.35, 0.3, 0.4, x, color=colour)
        axes.text(x + 0.42, -0.35, meaning, va="center", fontsize=10.5)
    axes.set(xlim=(-2.6, len(text)), ylim=(-0.7, 4.4), xticks=[], yticks=[])
    axes.axis("off")
    entitle(figure, f"Eight words after “{BEFORE}”: eight passes of the big model, or two")
    return picture(
        figure,
        f"The words {' '.join(text)}, written in two ways. Alone, the big model makes a pass for "
        f"each of the {len(text)} words. With a small model that guesses ahead it makes "
        f"{len(PASSES)}: each checks several guesses and adds one word of its own.",
    )


def call_strips(plain: Metrics, speculative: Metrics, lengths: list[int]) -> Picture:
    """Two strips over the same tokens, cut where a new call of the target begins.

    Args:
        lengths: tokens emitted by each speculative round, in order.
    """
    figure, (axes,) = panels(height=2.6)
    cut = ROLES["target"].bars() | {"height": 0.55, "linewidth": 1}
    axes.barh([1] * plain.tokens, 1, left=range(plain.tokens), **cut)
    start = 0
    for length in lengths:
        axes.barh(0, length, left=start, **cut)
        if length > 2:
            axes.text(start + length / 2, 0, str(length), ha="center", va="center", color="white")
        start += length
    axes.set_yticks([0, 1], [f"speculative: {len(lengths)} calls", f"plain: {plain.rounds} calls"])
    axes.set(xlabel="token of the text; each bar is one call of the target", xlim=(0, plain.tokens))
    axes.grid(False)
    saved = 1 - speculative.rounds / plain.rounds
    entitle(figure, f"The same {plain.tokens} tokens, {saved:.0%} of the target's calls saved")
    return picture(
        figure,
        f"Two strips over the same {plain.tokens} tokens. Plain decoding is cut into "
        f"{plain.rounds} calls of the target, speculative decoding into {len(lengths)}.",
    )


def reports(told: Mapping[tuple[str, float], Mapping[str, float | None]]) -> Html:
    """A line for each run, {(text, temperature): its report}, with the tokens per call."""
    lines = []
    for (text, temperature), report in told.items():
        line = {"text": text, "temperature": temperature}
        line |= {"tokens per call": 1 / (1 - report["saved"]), "calls saved": report["saved"]}
        lines.append(line | {"acceptance rate": report["rate"]})
    return table(lines)


def by_gamma(lines: Sequence[Mapping[str, int]]) -> Picture:
    """Calls of the target and guesses thrown away, against the guesses per round.

    Args:
        lines: {"gamma": , "calls": , "wasted": } of each run.
    """
    figure, (axes,) = panels()
    gammas, calls, wasted = ([line[k] for line in lines] for k in ("gamma", "calls", "wasted"))
    axes.plot(gammas, calls, label="calls of the target", **ROLES["target"].line())
    axes.plot(gammas, wasted, label="guesses thrown away", **ROLES["rejected"].line())
    axes.set(xticks=gammas, xlabel="γ, guesses per round", ylabel="in the whole run")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper center")
    entitle(figure, "Longer drafts: fewer calls of the target, more guesses for nothing")
    return picture(
        figure,
        f"Against gamma from {gammas[0]} to {gammas[-1]}: the calls of the target go from "
        f"{calls[0]} to {calls[-1]}, the guesses thrown away from {wasted[0]} to {wasted[-1]}.",
    )
