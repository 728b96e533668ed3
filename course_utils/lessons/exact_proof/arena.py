"""The rule arena: decoders that are right or wrong; vote, then see what they do to the text.

`exam` finds out what a decoder does, `findings` gathers it at every setting, `PARTS` sorts the
decoders by the part of the round in which each has its own way.  A heading says where to look
and not whether what stands there is right: nearly every part has a right decoder among its
wrong ones.  The scene `verdicts` asks the room and shows it.  Over two hundred exams take seconds,
so those of the lesson stand in data/exams.json.  A test holds the file to fresh exams; to write
it anew: python -m course_utils.lessons.exact_proof.arena
"""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from textwrap import dedent
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.decoding import rules
from course_utils.lessons.exact_proof import exam
from course_utils.lessons.exact_proof.evidence import differing_code
from course_utils.lessons.exact_proof.exam import CONTESTANTS, GAMMAS, MENU, Outcome
from course_utils.models.names import DATA
from course_utils.proofs import broken_drafters, bugs


@dataclass(frozen=True)
class Part:
    """A part of the round, and the names of the decoders that differ there."""

    name: str
    about: str  # what this part does in every decoder
    decoders: tuple[str, ...]


PARTS = (
    Part(
        "the draft",
        "what is drafted, and its q",
        (
            "q at another temperature", "candidates", "argmax draft, soft q", "q rounded",
            "unlikely drafts dropped", "fixed set, soft q",
        ),
    ),
    Part(
        "the ratio p/q",
        "how u is held against p/q",
        ("p and q swapped", "token-wise", "row off by one", "ensemble 0.5", "block"),
    ),
    Part(
        "other tests",
        "tests that are not u < p/q",
        (
            "p >= q", "p >= 0.5 q", "typical", "greedy match", "no uniform",
            "first token unverified",
        ),
    ),
    Part(
        "correction, bonus",
        "what comes after the test",
        (
            "resample from p", "residual swapped", "argmax residual", "argmax correction",
            "redraft", "no bonus", "argmax bonus",
        ),
    ),
    Part(
        "what is remembered",
        "uniforms, and the target's cache",
        (
            "one uniform for all", "uniform used twice", "one noise stream", "target cache kept",
            "stale slot",
        ),
    ),
)  # fmt: skip
OTHERS = ("more decoders", "decoders of your own")

# Where a decoder's own lines stand: a function, how the first of them begins, how many.
_REPORTED = (
    (broken_drafters.Colder.propose, "self.sampling =", 1),
    (broken_drafters.Colder.propose, "return replace", 1),
)
_AT_LEAST = (rules.ratio_threshold, "return float(p[x])", 1)
_LINES: Mapping[str, Sequence[tuple[Callable, str, int]]] = {
    "token-wise": [(rules.token_wise, "if not uniforms[i]", 3)],
    "block": [(rules.block, "if uniforms[i - 1]", 2)],
    "greedy match": [(rules.greedy_match, "y = sample", 3)],
    "ensemble 0.5": [(rules.ensemble, "mixed =", 2)],
    "typical": [(rules.typical, "return float(p[x])", 1)],
    "p >= 0.5 q": [_AT_LEAST],
    "p >= q": [_AT_LEAST],
    "redraft": [(rules.REDRAFT.verify, "common = p[i] -", 1)],
    "candidates": [
        (rules.recursive_rejection, "if uniforms[i]", 1),
        (rules.recursive_rejection, "left = without", 1),
    ],
    "q at another temperature": [(broken_drafters.Colder, "share =", 1), *_REPORTED],
    "argmax draft, soft q": [(broken_drafters.Likeliest, "share =", 1), *_REPORTED],
    "q rounded": [(broken_drafters.Rounded.propose, "return", 1)],
    "unlikely drafts dropped": [
        (broken_drafters.Dropping.propose, "length =", 1),
        (broken_drafters.Dropping.propose, "return Draft", 1),
    ],
    "fixed set, soft q": [(broken_drafters.SoftSet.propose, "row = rows_along", 1)],
    "one noise stream": [(bugs.one_stream, "correction =", 2)],
    "target cache kept": [(bugs.KeptSession.rollback, "def rollback", 2)],
    "stale slot": [(bugs.StaleSlotSession.extend, "if len(tokens) == 1", 2)],
}


def code_of(name: str) -> list[str]:
    """The lines in which the decoder differs, as they run here; [] if there are none to show.

    Raises:
        LookupError: the source no longer has the lines that `_LINES` names.
    """
    if name in _LINES:
        return [line for place in _LINES[name] for line in _found(*place)]
    edited = [bug for bug in bugs.BUGS if bug.name == name and bug.edits]
    shown = [line for bug in edited for line in differing_code(bug).splitlines()]
    return dedent("\n".join(line[1:] for line in shown if line.startswith("+"))).splitlines()


def _found(function: Callable, beginning: str, count: int) -> list[str]:
    """`count` lines of a function, without comments and without their common margin."""
    lines = inspect.getsource(function).splitlines()
    starts = [i for i, line in enumerate(lines) if line.strip().startswith(beginning)]
    if not starts:
        raise LookupError(f"{function.__qualname__} has no line that begins with {beginning!r}")
    bare = [re.sub(r"\s*(#.*)?$", "", line) for line in lines[starts[0] : starts[0] + count]]
    return dedent("\n".join(bare)).splitlines()


START = "resample from p"
AGREEMENT = 0.5  # what the slider begins with
FILE = DATA / "exams.json"  # of the findings
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
