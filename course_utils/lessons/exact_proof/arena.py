"""The rule arena: decoders that are right or wrong; vote, then see what they do to the text.

`exam` finds out what a decoder does, `findings` gathers it at every setting, `parts` sorts the
decoders; the scene `verdicts` asks the room and shows it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.lessons.exact_proof import exam
from course_utils.lessons.exact_proof.exam import GAMMAS, MENU
from course_utils.lessons.exact_proof.findings import AGREEMENTS, Examine, findings, recorded
from course_utils.lessons.exact_proof.parts import OTHERS, PARTS, Part, code_of

START = "resample from p"
AGREEMENT = 0.5  # what the slider begins with


def arena(
    menu: Mapping[str, str] = MENU,
    examine: Examine = exam.examine,
    start: str = START,
    gammas: Sequence[int] = GAMMAS,
) -> Scene:
    """The decoders of a menu (what is read -> name), by the part in which they differ.

    The findings of the course's own `examine` are the recorded ones; any other is called for
    every decoder, gamma and agreement.

    Raises:
        ValueError: `start` is not on the menu; what `examine` raises.
    """
    names = list(dict.fromkeys(menu.values()))
    if start not in names:
        raise ValueError(f"{start!r} is not on the menu; choose {', '.join(names)}")
    words = f"{len(names)} decoders, right or wrong: read what one does, vote, then see its exam."
    return Scene("verdicts", arena_data(names, examine, start, gammas), words)


def arena_data(
    names: Sequence[str], examine: Examine, start: str, gammas: Sequence[int]
) -> dict[str, Any]:
    """What the scene draws: `findings`, and the decoders in their parts.

    "parts" is [{"name", "about", "decoders": [names]}]; "found" has the lines of code, too.
    """
    known = examine is exam.examine and set(names) <= set(recorded()["found"])
    if known and set(gammas) <= set(GAMMAS):
        data = _cut(recorded(), names, [GAMMAS.index(gamma) for gamma in gammas])
    else:
        data = findings(names, examine, gammas)
    found = {name: {**one, "code": code_of(name)} for name, one in data["found"].items()}
    return {
        **data,
        "found": found,
        "parts": [vars(part) for part in parts_of(names)],
        "start": start,
        "gammas": list(gammas),
        "agreements": list(AGREEMENTS),
        "at": [len(gammas) - 1, AGREEMENTS.index(AGREEMENT)],
    }


def parts_of(names: Iterable[str]) -> list[Part]:
    """`PARTS` with these decoders only; those in none of them come last."""
    names = list(names)
    kept = [
        Part(part.name, part.about, tuple(name for name in part.decoders if name in names))
        for part in PARTS
    ]
    sorted_ones = {name for part in kept for name in part.decoders}
    others = Part(*OTHERS, tuple(name for name in names if name not in sorted_ones))
    return [part for part in (*kept, others) if part.decoders]


def _cut(data: Mapping[str, Any], names: Iterable[str], rows: Sequence[int]) -> dict[str, Any]:
    """Findings of these decoders and these rows of settings only."""
    found = {
        name: {**data["found"][name], "cells": [data["found"][name]["cells"][i] for i in rows]}
        for name in names
    }
    return {**data, "right": [data["right"][i] for i in rows], "found": found}
