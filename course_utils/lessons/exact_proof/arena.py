"""The rule arena: decoders that are right or wrong; vote, then see what they do to the text.

`PARTS` sorts the rules and bugs of the course by the part of the round in which they differ.  A
heading says where to look, not whether the code there is right.  The results of the exams are
stored; a test compares them with fresh ones.  To write the file again:
python -m course_utils.lessons.exact_proof.arena
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from course_utils.classroom.scene import Scene
from course_utils.decoding.rules import RECURSIVE_REJECTION, RULES, token_wise
from course_utils.drafters.candidates import Candidates, without_replacement
from course_utils.edits import statements
from course_utils.models.names import DATA
from course_utils.proofs.bugs import BUGS
from course_utils.proofs.decoders import (
    CORRECT,
    Decoder,
    acceptance_shown,
    distribution_of,
    exam,
    tokens_per_round,
)
from course_utils.proofs.enumeration import distribution_distance

FILE = DATA / "exams.json"
WORDS, LENGTH = "ABC", 3  # of a text
GAMMAS = (1, 2)  # three guesses would take thousands of paths
AGREEMENTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # the target's share in the draft's rows
FINEST = 1e7  # errors are stored as multiples of 1 / FINEST, enough for a picture
# Their distribution and first round equal the correct decoder's: see `bugs`.
UNSEEN = ("not strict", "draft cache lags")
SLOW_BUT_RIGHT = ("no bonus",)

# (a part of the round, what it is, the decoders that differ there)
PARTS = (
    ("the draft", "what is drafted, and its q",
     ("q at another temperature", "candidates", "argmax draft, soft q", "q rounded",
      "unlikely drafts dropped", "fixed set, soft q")),
    ("the ratio p/q", "how u is compared with p/q",
     ("p and q swapped", "token-wise", "row off by one", "ensemble 0.5", "block")),
    ("other tests", "tests that are not u < p/q",
     ("p >= q", "p >= 0.5 q", "typical", "greedy match", "no uniform", "first token unverified")),
    ("correction, bonus", "the token after the test",
     ("resample from p", "residual swapped", "argmax residual", "argmax correction", "redraft",
      "no bonus", "argmax bonus")),
    ("memory", "uniforms, and the target's cache",
     ("one uniform for all", "uniform used twice", "one noise stream", "target cache kept",
      "stale slot")),
)  # fmt: skip


@dataclass(frozen=True)
class Contestant:
    """A decoder, with a phrase that says what it does or what is wrong with it."""

    what: str
    decoder: Decoder
    lossless: bool  # does it have the target's distribution by design?


def _contestants() -> Iterator[tuple[str, Contestant]]:
    for rule in RULES:
        yield rule.name, Contestant(rule.what, Decoder(rule), rule.lossless)
    drawn = Decoder(RECURSIVE_REJECTION, lambda model: Candidates(model, without_replacement))
    yield "candidates", Contestant(RECURSIVE_REJECTION.what, drawn, lossless=True)
    for bug in BUGS:
        if bug.name not in UNSEEN:
            yield bug.name, Contestant(bug.what, bug.decoder, bug.name in SLOW_BUT_RIGHT)


CONTESTANTS = dict(_contestants())
CODE = {bug.name: statements(token_wise, *bug.edits) for bug in BUGS if bug.edits}
CODE["token-wise"] = statements(token_wise)


def arena() -> Scene:
    """Return the scene with all contestants, sorted by `PARTS`."""
    results = {k: one | {"code": CODE.get(k, [])} for k, one in stored_findings()["found"].items()}
    return Scene(
        "verdicts",
        {
            **stored_findings(),
            "found": results,
            "parts": [
                dict(zip(("name", "about", "decoders"), part, strict=True)) for part in PARTS
            ],
            "start": "resample from p",
            "gammas": GAMMAS,
            "agreements": AGREEMENTS,
            "at": (len(GAMMAS) - 1, AGREEMENTS.index(0.5)),
        },
        f"{len(CONTESTANTS)} decoders, right or wrong: read one, vote, then see its exam.",
    )


@cache
def stored_findings() -> dict:
    """Return the stored `findings`."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def findings() -> dict:
    """Examine every contestant at every setting.

    Returns:
        "texts" and "truth", their probabilities under the target; "right", the acceptance and
        the tokens per round of the token-wise rule; "found", {name: {"what", "lossless",
        "cells"}}.  "right" and "cells" have a row for each of `GAMMAS` and in it an item for each
        of `AGREEMENTS`; one of "cells" is [TV, acceptance, tokens per round, the error of each
        text in 1 / FINEST, or [] if there is none].
    """
    texts = ["".join(text) for text in product(WORDS, repeat=LENGTH)]
    truth = exam(length=LENGTH).truth()
    results = {
        name: {"what": one.what, "lossless": one.lossless, "cells": _cells(one.decoder)}
        for name, one in CONTESTANTS.items()
    }
    right = [[cell[1:3] for cell in row] for row in _cells(CORRECT)]
    ordered = [truth[tuple(map(WORDS.index, text))] for text in texts]
    return {"texts": texts, "truth": ordered, "right": right, "found": results}


def _cells(decoder: Decoder) -> list[list[list]]:
    rows = []
    for gamma in GAMMAS:
        rows.append([])
        for agreement in AGREEMENTS:
            subject = exam(agreement=agreement, gamma=gamma, length=LENGTH)
            # a text is as long as the longest round, so the first round drafts gamma tokens
            paths = list(subject.paths(decoder))
            first = [(weight, rounds[0]) for weight, rounds in paths]
            output, truth = distribution_of(paths), subject.truth()
            errors = [
                round((output.get(text, 0.0) - truth[text]) * FINEST)
                for text in product(range(len(WORDS)), repeat=LENGTH)
            ]
            log = [round(acceptance_shown(first), 9), round(tokens_per_round(first), 9)]
            tv = distribution_distance(output, truth)
            rows[-1].append([tv, *log, errors if any(errors) else []])
    return rows


if __name__ == "__main__":
    FILE.write_text(json.dumps(findings(), separators=(",", ":")) + "\n", encoding="utf-8")
