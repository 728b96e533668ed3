"""What one's own decoder did: the rounds of one path, and the first that went wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from course_utils.classroom.limits import Stopped, within_limits
from course_utils.classroom.palette import (
    ACCEPTED,
    DRAFT,
    INK,
    PALE,
    REJECTED,
    ROLES,
    TARGET,
    mix,
)
from course_utils.classroom.picture import Picture, entitle, panels, picture
from course_utils.classroom.words import in_words, shortened
from course_utils.lessons.exact_proof import own_decoder
from course_utils.lessons.exact_proof.decoder_checks import EXAMS, LAG, Examined, examined
from course_utils.lessons.exact_proof.part_forms import asked
from course_utils.proofs.program_faults import SAME, Fault, guessed
from course_utils.proofs.programs import DRAFT as THE_DRAFT
from course_utils.proofs.programs import EXTEND, Call, NoOutput, Transcript
from course_utils.proofs.programs import TARGET as THE_TARGET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ACROSS = 72  # characters of a title
MOST = 3  # rounds that are drawn, up to the one that went wrong
WRONG = mix(REJECTED, "#FFFFFF", 0.75)

Box = tuple[str, str, str]  # (text, ground, edge)


def at_work(speculate: Callable | None = None, **parts: Callable) -> Picture:
    """Draw one path of a decoder, or of the one that is made with `parts` of the student's.

    Of the exams the first that shows a fault or a wrong distribution; else the first.  What
    is not written yet, or cannot be walked, is the course's: a picture never raises.
    """
    whose, why = "your decoder", ""
    try:
        found, name = within_limits(lambda: _written(speculate, parts))
    except NoOutput:
        whose = "the course's decoder, until yours is written"
        found, name = _most_telling(own_decoder.speculate)
    except (Exception, SystemExit, Stopped) as error:
        whose, why = "the course's decoder, as yours cannot be walked", in_words(error)
        found, name = _most_telling(own_decoder.speculate)
    figure, shown = _drawn(found, f"{whose}, on {name}", why)
    return picture(figure, shown)


def _written(speculate: object, parts: dict[str, object]) -> tuple[Examined, str]:
    """Raises NoOutput: nothing of it is."""
    if not parts:
        return _most_telling(speculate if callable(speculate) else lambda *_: None)
    made = {name: asked(name, part) for name, part in parts.items() if callable(part)}
    while made:
        try:
            return _most_telling(own_decoder.speculate_with(**made, behind=LAG))
        except NoOutput as which:
            del made[str(which)]
    raise NoOutput


def _most_telling(program: Callable) -> tuple[Examined, str]:
    every = [(examined(program, exam), name) for name, exam in EXAMS.items()]
    wrong = (pair for pair in every if pair[0].distance > SAME or pair[0].fault)
    return next(wrong, every[0])


def _drawn(found: Examined, whose: str, why: str = "") -> tuple[Figure, str]:
    """The figure, and what it shows in words."""
    path, fault = found.path, found.fault
    last = max(0, min(fault.round if fault else MOST - 1, len(path.calls) - 1))
    shown = range(max(0, last - MOST + 1), last + 1)
    figure, (axes,) = panels(height=1.1 + 1.25 * len(shown))
    lines = []
    for row, index in enumerate(shown):
        wrong = bool(fault) and index == fault.round
        for place, (label, boxes) in enumerate(_strips(path, index)):
            height = -(4 * row + place)
            colour = REJECTED if wrong and place == _at_fault(fault) else INK
            axes.text(-0.6, height, label, ha="right", va="center", color=colour)
            _boxes(axes, height, boxes)
            lines.append(f"{label}: {' '.join(text for text, *_ in boxes)}")
    axes.set(xlim=(-6.2, 13), ylim=(-4 * len(shown) + 0.9, 0.8))
    axes.set(xticks=[], yticks=[])
    axes.axis("off")
    said = [f"Distance {found.distance:.1e}: {whose}", why]
    if fault:
        said.append(f"Round {fault.round + 1}: {fault.what}")
    elif found.distance > SAME:
        said.append("Each call is in order here: look at the rule, the rows and the uniforms")
    title = "\n".join(fill(shortened(line, 200), ACROSS) for line in said if line)
    entitle(figure, title)
    return figure, f"{title}. " + "; ".join(lines)


def _at_fault(fault: Fault) -> int:
    """The strip that shows it: the draft's, the target's, or the text's."""
    whose = fault.what.split()[:2]
    return 0 if "draft" in whose else 1 if "target" in whose else 2


def _boxes(axes, height: float, boxes: Sequence[Box]) -> None:
    from matplotlib.patches import Rectangle

    for place, (text, ground, edge) in enumerate(boxes):
        box = Rectangle((place - 0.44, height - 0.4), 0.88, 0.8, fc=ground, ec=edge, lw=1.6)
        axes.add_patch(box)
        axes.text(place, height, text, ha="center", va="center", color=INK)


def _strips(path: Transcript, index: int) -> list[tuple[str, list[Box]]]:
    """(label, boxes) of a round: what the draft read and guessed, what the target read, and
    what became text."""
    text = (*path.prompt, *(token for emitted in path.rounds[:index] for token in emitted))
    calls = path.calls[index] if path.calls else ()
    guesses = guessed(text, calls)
    emitted = path.rounds[index] if index < len(path.rounds) else ()
    return [
        (f"round {index + 1}: the draft reads", _read(calls, THE_DRAFT, (*text, *guesses))),
        ("the target reads", _read(calls, THE_TARGET, (*text, *guesses))),
        ("the text after it", _text(text, guesses, emitted)),
    ]


def _read(calls: Sequence[Call], who: str, expected: Sequence[int]) -> list[Box]:
    """What a session held (pale) and read in the round (in the model's colour); vermilion
    where that is not the text and its guesses."""
    mine = [call for call in calls if call.who == who and call.does == EXTEND]
    if not mine:
        return []
    held, read = len(mine[0].before), mine[-1].after
    colour = TARGET if who == THE_TARGET else DRAFT
    boxes = []
    for place, token in enumerate(read):
        right = place < len(expected) and token == expected[place]
        ground = PALE if place < held else mix(colour, "#FFFFFF", 0.7)
        edge = ground if place < held else colour
        boxes.append((str(token), ground if right else WRONG, edge if right else REJECTED))
    return boxes


def _text(text: Sequence[int], guesses: Sequence[int], emitted: Sequence[int]) -> list[Box]:
    boxes = [(str(token), PALE, PALE) for token in text]
    for place, token in enumerate(emitted):
        accepted = place < len(guesses) and emitted[: place + 1] == tuple(guesses[: place + 1])
        colour = ACCEPTED if accepted else ROLES["target"].colour
        boxes.append((str(token), mix(colour, "#FFFFFF", 0.7), colour))
    return boxes
