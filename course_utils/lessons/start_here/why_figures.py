"""A picture of why it works: what happens in a round."""

from course_utils.classroom.palette import INK, KINDS, NEUTRAL, mix
from course_utils.classroom.picture import Picture, entitle, panels, picture

DRAFT = ("the", "old", "mat", "all", "day")  # after "The cat sat on"
# what the target says after "on" and after each guess, the wrong one among them: no text
WANTED = ("the", "old", "sofa", "and", "night", "long")
RIGHT = 2  # guesses before the first that is wrong


def one_round() -> Picture:
    """Draft, one pass of the target, accept from the left, correction or bonus, roll back."""
    figure, (axes,) = panels(height=5.6)
    green, orange, blue, red, purple, sky = (
        mix(KINDS[kind], "#FFFFFF", 0.45)
        for kind in ("accepted", "draft", "target", "rejected", "correction", "bonus")
    )
    accepted, unread = [green] * RIGHT, len(DRAFT) - RIGHT - 1
    forgotten = f"{', '.join(DRAFT[RIGHT:-1])} and {DRAFT[-1]}"
    verdicts = ["✓"] * RIGHT + ["✗"] + ["unread"] * unread
    said = [f"…{before} →\n{word}" for before, word in zip(("on", *DRAFT), WANTED, strict=True)]
    edge = {"edgecolor": NEUTRAL, "linewidth": 0.8}
    for y, height, step, words, colours in (
        (5.3, 0.56, "1  After “The cat sat on” the draft\n    writes γ = 5 guesses", DRAFT,
         [orange] * 5),
        (4.2, 0.86, "2  One pass of the target: what it\n    says after each of these words", said,
         [blue] * 6),
        (3.1, 0.56, "3  Accept from the left, up to the\n    first guess that is rejected",
         verdicts, [*accepted, red] + [orange] * unread),
        (2.1, 0.56, "4  There the target’s own token\n    comes in: the correction",
         WANTED[: RIGHT + 1], [*accepted, purple]),
        (1.1, 0.56, "    Or, if no guess was rejected, at\n    the sixth place: the bonus",
         (*"✓✓✓✓✓", "bonus"), [green] * 5 + [sky]),
        (0.1, 0.56, f"5  {forgotten} are forgotten.\n    The next round follows {WANTED[RIGHT]}",
         WANTED[: RIGHT + 1], [*accepted, purple]),
    ):  # fmt: skip
        axes.text(0, y, step, va="center", fontsize=10.5)
        left = [5.35 + 1.11 * i for i in range(len(words))]
        boxes = axes.barh([y] * len(words), 1.03, height, left, color=colours, **edge)
        axes.bar_label(boxes, words, label_type="center", fontsize=10.5, color=INK)
    axes.set(xlim=(0, 12), ylim=(-0.4, 5.7), xticks=[], yticks=[])
    axes.axis("off")
    entitle(figure, "One round: cheap guesses, one pass of the target, at least one token")
    return picture(
        figure,
        f"A round in five steps. The draft writes {' '.join(DRAFT)}. One pass of the target gives "
        f"what it says after on and after each guess: {', '.join(WANTED)}. The first {RIGHT} "
        f"guesses are the same and accepted, {DRAFT[RIGHT]} is rejected, the rest is unread. "
        f"{WANTED[RIGHT]} comes in as the correction; had all been accepted, a bonus would "
        f"follow. {forgotten} are forgotten; the next round follows {WANTED[RIGHT]}.",
    )
