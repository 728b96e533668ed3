"""The rule arena: decoders that are right or wrong; vote, then see what they do to the text.

`exam` finds out what a decoder does, `findings` gathers it at every setting, `parts` sorts the
decoders; the scene `verdicts` asks the room and shows it.  Over two hundred exams take seconds,
so those of the lesson stand in data/exams.json.  A test holds the file to fresh exams; to write
it anew: python -m course_utils.lessons.exact_proof.arena
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.lessons.exact_proof import exam
from course_utils.lessons.exact_proof.exam import CONTESTANTS, GAMMAS, MENU, Outcome
from course_utils.lessons.exact_proof.parts import OTHERS, PARTS, Part, code_of

START = "resample from p"
AGREEMENT = 0.5  # what the slider begins with
FILE = Path(__file__).parents[3] / "data" / "exams.json"  # of the findings
AGREEMENTS = (0.0, 0.25, 0.5, 0.75, 1.0)
FINEST = 1e7  # errors are stored in these parts of 1: only a picture is drawn from them
Examine = Callable[[str, int, float], Outcome]  # (name, gamma, agreement)
Finding = list[Any]  # [TV, acceptance, tokens per round, [error of each text, in 1 / FINEST]]


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


def findings(names: Iterable[str], examine: Examine, gammas: Sequence[int]) -> dict[str, Any]:
    """Every decoder at every setting, for JSON.

    Returns:
        "texts" and "truth", their probabilities under the target; "right", the acceptance and
        the tokens per round of the token-wise rule; "found", {name: {"what", "lossless",
        "cells"}}.  "right" and "cells" have a row for each gamma and in it an item for each
        of `AGREEMENTS`.

    Raises:
        ValueError: what `examine` raises; exams over different texts.
    """
    found, first, right = {}, None, []
    for name in names:
        rows = [[examine(name, gamma, share) for share in AGREEMENTS] for gamma in gammas]
        first = first or rows[0][0]
        right = right or [[_log(o.right_acceptance, o.right_tokens) for o in row] for row in rows]
        if any(o.texts != first.texts or o.truth != first.truth for row in rows for o in row):
            raise ValueError(f"{name} is examined on other texts than {first.name}")
        found[name] = {
            "what": first.what if first.name == name else rows[0][0].what,
            "lossless": rows[0][0].lossless,
            "cells": [[finding(o) for o in row] for row in rows],
        }
    return {"texts": first.texts, "truth": first.truth, "right": right, "found": found}


def finding(outcome: Outcome) -> Finding:
    """One exam as a list; its distance is exact, its errors are rounded for the picture."""
    both = zip(outcome.distribution, outcome.truth, strict=True)
    errors = [round((said - true) * FINEST) for said, true in both]
    log = _log(outcome.acceptance, outcome.tokens)
    return [outcome.drift, *log, errors if any(errors) else []]


@cache
def recorded() -> dict[str, Any]:
    """The findings of the lesson's exams, `GAMMAS` by `AGREEMENTS`."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def _log(acceptance: float, tokens: float) -> list[float]:
    return [round(acceptance, 9), round(tokens, 9)]


if __name__ == "__main__":
    fresh = json.dumps(findings(CONTESTANTS, exam.examine, GAMMAS), separators=(",", ":"))
    FILE.write_text(fresh + "\n", encoding="utf-8")
