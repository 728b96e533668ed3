"""The rule arena: decoders that are right or wrong; vote, then see what they do to the text.

They are sorted by the part of the round in which they differ, so a heading says where to look, not
whether the code there is right.  The results of the exams are stored; a test compares them with
fresh ones.  To write the file again: python -m course_utils.lessons.what_tests_see.arena
"""

import json
from collections.abc import Iterator
from functools import cache
from itertools import product

from course_utils.classroom.scene import Scene
from course_utils.decoding.rules import RECURSIVE_REJECTION, RULES, token_wise
from course_utils.drafters.candidates import Candidates, without_replacement
from course_utils.edits import statements
from course_utils.models.names import DATA
from course_utils.proofs.bugs import BUGS, DRAFT, ENUMERATION, MEMORY, RATIO, TEST, TOKEN, Bug
from course_utils.proofs.decoders import (
    Decoder,
    acceptance_shown,
    distribution_of,
    exam,
    tokens_per_round,
)
from course_utils.proofs.enumeration import distribution_distance

FILE = DATA / "exams.json"
WORDS, LENGTH = "ABC", 3  # of a text
TEXTS = [*product(range(len(WORDS)), repeat=LENGTH)]
GAMMAS = (1, 2)  # three guesses would take thousands of paths
AGREEMENTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # the target's share in the draft's rows
FINEST = 1e7  # errors are stored as multiples of 1 / FINEST, enough for a picture

ABOUT = {
    DRAFT: "what is drafted, and its q",
    RATIO: "how u is compared with p/q",
    TEST: "tests that are not u < p/q",
    TOKEN: "the token after the test",
    MEMORY: "uniforms, and the target's cache",
}
PART_OF_RULE = {"token-wise": RATIO, "ensemble 0.5": RATIO, "block": RATIO, "redraft": TOKEN}


def _contestants() -> Iterator[Bug]:
    """Yield the rules as specimens, right or wrong, and the bugs that texts or rounds reveal."""
    killers = {True: "", False: ENUMERATION}  # by lossless
    for rule in RULES:
        part = PART_OF_RULE.get(rule.name, TEST)
        yield Bug(rule.name, part, rule.what, Decoder(rule), killer=killers[rule.lossless])
    drawn = Decoder(RECURSIVE_REJECTION, lambda model: Candidates(model, without_replacement))
    yield Bug("candidates", DRAFT, RECURSIVE_REJECTION.what, drawn, killer="")
    yield from (bug for bug in BUGS if bug.killer in (ENUMERATION, "expected_tokens"))


CONTESTANTS = {each.name: each for each in _contestants()}
CODE = {bug.name: statements(token_wise, *bug.edits) for bug in BUGS if bug.edits}
CODE["token-wise"] = statements(token_wise)


def arena() -> Scene:
    """Return the scene with all contestants, sorted by their parts."""
    results = {k: one | {"code": CODE.get(k, [])} for k, one in stored_findings()["found"].items()}
    parts = [
        {
            "name": part,
            "about": about,
            "decoders": sorted(name for name, one in CONTESTANTS.items() if one.part == part),
        }
        for part, about in ABOUT.items()
    ]
    choices = {"start": "resample from p", "gammas": GAMMAS, "agreements": AGREEMENTS}
    at = {"at": (len(GAMMAS) - 1, AGREEMENTS.index(0.5))}
    return Scene(
        "verdicts",
        stored_findings() | {"found": results, "parts": parts} | choices | at,
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
    truth = exam(length=LENGTH).truth()
    results = {
        name: {
            "what": one.what,
            "lossless": one.killer != ENUMERATION,
            "cells": [[_cell(one.decoder, gamma, a) for a in AGREEMENTS] for gamma in GAMMAS],
        }
        for name, one in CONTESTANTS.items()
    }
    return {
        "texts": ["".join(WORDS[token] for token in text) for text in TEXTS],
        "truth": [truth[text] for text in TEXTS],
        "right": [[cell[1:3] for cell in row] for row in results["token-wise"]["cells"]],
        "found": results,
    }


def _cell(decoder: Decoder, gamma: int, agreement: float) -> list:
    paper = exam(agreement=agreement, gamma=gamma, length=LENGTH)
    # a text is as long as the longest round, so the first round drafts gamma tokens
    paths = list(paper.paths(decoder))
    first = [(weight, rounds[0]) for weight, rounds in paths]
    output, truth = distribution_of(paths), paper.truth()
    errors = [round((output.get(text, 0.0) - truth[text]) * FINEST) for text in TEXTS]
    log = [round(acceptance_shown(first), 9), round(tokens_per_round(first), 9)]
    return [distribution_distance(output, truth), *log, errors if any(errors) else []]


if __name__ == "__main__":
    FILE.write_text(json.dumps(findings(), separators=(",", ":")) + "\n", encoding="utf-8")
