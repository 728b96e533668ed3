"""What the exams of all decoders found, as the arena's scene draws it.

Over two hundred exams take seconds, so those of the lesson stand in data/exams.json.  A test
holds the file to fresh exams; to write it anew: python -m course_utils.lessons.exact_proof.findings
"""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from course_utils.lessons.exact_proof.arena_view import arena_view
from course_utils.lessons.exact_proof.exam import CONTESTANTS, GAMMAS, Outcome, examine

FILE = Path(__file__).parents[3] / "data" / "exams.json"
AGREEMENTS = (0.0, 0.25, 0.5, 0.75, 1.0)
FINEST = 1e7  # errors are stored in these parts of 1: only a picture is drawn from them
Examine = Callable[[str, int, float], Outcome]  # (name, gamma, agreement)
Finding = list[Any]  # [TV, acceptance, tokens per round, [error of each text, in 1 / FINEST]]


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
    errors = [round(error * FINEST) for error in arena_view(outcome).errors]
    log = _log(outcome.acceptance, outcome.tokens)
    return [outcome.drift, *log, errors if any(errors) else []]


@cache
def recorded() -> dict[str, Any]:
    """The findings of the lesson's exams, `GAMMAS` by `AGREEMENTS`."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def _log(acceptance: float, tokens: float) -> list[float]:
    return [round(acceptance, 9), round(tokens, 9)]


if __name__ == "__main__":
    fresh = json.dumps(findings(CONTESTANTS, examine, GAMMAS), separators=(",", ":"))
    FILE.write_text(fresh + "\n", encoding="utf-8")
