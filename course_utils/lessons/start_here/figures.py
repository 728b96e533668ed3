"""Figures of this lesson: two ways to write a text, a round, the effect of gamma, and rounds of
the word pair."""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import INK, KINDS, NEUTRAL, ROLES, mix
from course_utils.classroom.picture import Picture, curves, entitle, finished, panels, picture
from course_utils.classroom.rounds import stepper
from course_utils.classroom.scene import Scene
from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys import word_pair as pair

BEFORE = "The cat sat on"
PASSES = (("the", "old", "sofa"), ("by", "night", "and", "it", "slept"))  # the last is the target's
DRAFT = ("the", "old", "mat", "all", "day")  # after BEFORE
# the target's word after "on" and after each guess, also the wrong one: not a sentence
WANTED = ("the", "old", "sofa", "and", "night", "long")
RIGHT = 2  # guesses before the first that is wrong


def _pale(kind: str) -> str:
    return mix(KINDS[kind], "#FFFFFF", 0.45)


def two_ways() -> Picture:
    """Draw eight tokens written in eight passes, or in two that check the guesses of a draft."""
    figure, (axes,) = panels(height=3.1)
    text = [word for words in PASSES for word in words]
    edge = {"edgecolor": "white", "linewidth": 2}
    written = {"ha": "center", "va": "center", "fontsize": 10.5}
    for y, name, passes in ((3.2, "the big model alone", [[word] for word in text]),
                            (0.9, "with a small model\nthat guesses ahead", PASSES)):  # fmt: skip
        axes.text(-0.25, y + 0.3, name, ha="right", va="center", fontsize=11)
        start = 0
        for number, words in enumerate(passes, 1):
            axes.barh(y + 0.75, len(words), 0.5, start, color=KINDS["target"], **edge)
            label = f"pass {number}" if len(words) > 1 else str(number)
            axes.text(start + len(words) / 2, y + 0.75, label, color="white", **written)
            for place, word in enumerate(words, start):
                guessed = place < start + len(words) - 1
                colour = _pale("accepted") if guessed else mix(KINDS["target"], "#FFFFFF", 0.6)
                axes.barh(y, 1, 0.7, place, color=colour, **edge)
                axes.text(place + 0.5, y, word, color=INK, **written)
            start += len(words)
    legend = (
        (mix(KINDS["target"], "#FFFFFF", 0.6), "written by the big model"),
        (_pale("accepted"), "guessed by the small one, then checked"),
    )
    for x, (colour, meaning) in zip((0, 3.2), legend, strict=True):
        axes.barh(-0.35, 0.3, 0.4, x, color=colour)
        axes.text(x + 0.42, -0.35, meaning, va="center", fontsize=10.5)
    axes.set(xlim=(-2.6, len(text)), ylim=(-0.7, 4.4), xticks=[], yticks=[])
    axes.axis("off")
    return finished(figure, f"Eight words after “{BEFORE}”: eight passes of the big model, or two")


def one_round() -> Picture:
    """Draw a round: draft, one pass of the target, acceptance, correction or bonus, rollback."""
    figure, (axes,) = panels(height=5.6)
    green, orange, blue, red, purple, sky = map(
        _pale, ("accepted", "draft", "target", "rejected", "correction", "bonus")
    )
    accepted, unread = [green] * RIGHT, len(DRAFT) - RIGHT - 1
    forgotten = f"{', '.join(DRAFT[RIGHT:-1])} and {DRAFT[-1]}"
    own = [f"…{before} →\n{word}" for before, word in zip(("on", *DRAFT), WANTED, strict=True)]
    steps = (
        (5.3, 0.56, f"1  After “{BEFORE}” the draft\n    writes γ = 5 guesses", DRAFT,
         [orange] * 5),
        (4.2, 0.86, "2  One pass of the target: its own\n    word after each of these words", own,
         [blue] * 6),
        (3.1, 0.56, "3  Accept from the left, up to the\n    first guess that is rejected",
         ["✓"] * RIGHT + ["✗"] + ["unread"] * unread, [*accepted, red] + [orange] * unread),
        (2.1, 0.56, "4  The target’s own token replaces\n    it: the correction",
         WANTED[: RIGHT + 1], [*accepted, purple]),
        (1.1, 0.56, "    Or, if all guesses are accepted,\n    it comes sixth: the bonus",
         (*"✓✓✓✓✓", "bonus"), [green] * 5 + [sky]),
        (0.1, 0.56, f"5  {forgotten} are forgotten.\n    The next round follows {WANTED[RIGHT]}",
         WANTED[: RIGHT + 1], [*accepted, purple]),
    )  # fmt: skip
    for y, height, step, words, colours in steps:
        axes.text(0, y, step, va="center", fontsize=10.5)
        left = [5.35 + 1.11 * i for i in range(len(words))]
        edge = {"edgecolor": NEUTRAL, "linewidth": 0.8}
        boxes = axes.barh([y] * len(words), 1.03, height, left, color=colours, **edge)
        axes.bar_label(boxes, words, label_type="center", fontsize=10.5, color=INK)
    axes.set(xlim=(0, 12), ylim=(-0.4, 5.7), xticks=[], yticks=[])
    axes.axis("off")
    entitle(figure, "One round: cheap guesses, one pass of the target, at least one token")
    in_words = [f"{step}: {', '.join(words)}" for _, _, step, words, _ in steps]
    return picture(figure, "A round. " + " ".join("; ".join(in_words).split()))


def by_gamma(lines: Sequence[Mapping[str, int]]) -> Picture:
    """Draw the calls of the target and the guesses thrown away, against the guesses per round.

    Args:
        lines: {"gamma": , "calls": , "wasted": } of each run.
    """
    figure, (axes,) = panels()
    gammas, calls, wasted = ([line[k] for line in lines] for k in ("gamma", "calls", "wasted"))
    counts = {"calls of the target": calls, "guesses thrown away": wasted}
    looks = [ROLES["target"], ROLES["rejected"]]
    curves(axes, gammas, counts, "γ, guesses per round", "in the whole run", looks, xticks=gammas)
    axes.legend(loc="upper center")
    return finished(figure, "Longer drafts: fewer calls of the target, more guesses thrown away")


def word_rounds(
    prompt: str = pair.PROMPT, gamma: int = pair.GAMMA, sampling: Sampling = Sampling()
) -> list[Round]:
    """Return the rounds in which the word pair continues `prompt` to the end of its sentence."""
    return list(generate(
        pair.target(), pair.encode(prompt), Sampled(pair.draft()), gamma=gamma,
        sampling=sampling, stop_tokens=pair.encode("."), seed=pair.SEED, rows=True,
    ))  # fmt: skip


def greedy_rounds() -> Scene:
    """Return a scene without probabilities: three greedy rounds, a bonus, two corrections."""
    rounds = word_rounds("the cat", gamma=3, sampling=GREEDY)[:3]
    return stepper(rounds, pair.joined, details=False, prompt="the cat", between=" ")
