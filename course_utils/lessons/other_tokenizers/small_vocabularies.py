"""Two vocabularies small enough to enumerate: what is right, what is lossy, what only costs."""

from collections.abc import Sequence

import numpy as np

from course_utils.decoding.theory import overlap
from course_utils.drafters.sampled import Sampled
from course_utils.models.tables import TableModel
from course_utils.models.translated import Translated, Translation
from course_utils.proofs.broken_drafters import (
    FallingBack,
    Unnormalised,
    Unreported,
    off_by_one,
)
from course_utils.proofs.decoders import Decoder, Exam, acceptance_shown

TARGET_WORDS = ("<end>", "in", "put", "input")
DRAFT_WORDS = ("put", "<end>", "in", "er", "out")
SMALL = Translation(spellings=((1,), (2,), (0,), (2, 0)), shared=(1, 2, 0, -1))
GAMMA = 2


def _ending_rarely(words: Sequence[str], seed: int) -> TableModel:
    """A random table in which <end> is a tenth as likely as the others, as in real text."""
    table = TableModel.random(len(words), order=2, seed=seed).table
    table = table * [0.1 if word == "<end>" else 1.0 for word in words]
    return TableModel(table / table.sum(-1, keepdims=True))


TARGET, DRAFT = _ending_rarely(TARGET_WORDS, seed=0), _ending_rarely(DRAFT_WORDS, seed=1)


def dictionary() -> list[dict[str, object]]:
    """A line for each target token: how the draft reads it, and what it proposes it as."""
    return [
        {
            "target token": f"{token} {word}",
            "the draft reads": " ".join(DRAFT_WORDS[piece] for piece in SMALL.spellings[token]),
            "the draft proposes": DRAFT_WORDS[same] if same >= 0 else "never",
        }
        for token, (word, same) in enumerate(zip(TARGET_WORDS, SMALL.shared, strict=True))
    ]


def verdicts() -> list[dict[str, object]]:
    """A line for each way to translate: exact TV of the text, and acceptance in a round."""
    right = Translated(DRAFT, SMALL)
    ways = {
        "restricted, renormalised": (right, Sampled),
        "unmapped → <end>, and q says so": (FallingBack(DRAFT, SMALL), Sampled),
        "unmapped → <end>, q does not say so": (right, Unreported),
        "restricted, ratio with the whole q": (right, Unnormalised),
        "map off by one": (Translated(DRAFT, off_by_one(SMALL)), Sampled),
    }
    return [
        {"translation": name, "TV": f"{tv:.1e}", "accepted / examined": f"{shown:.3f}"}
        for name, (tv, shown) in ((name, _examined(*way)) for name, way in ways.items())
    ]


def _examined(draft: Translated, drafter: type[Sampled]) -> tuple[float, float]:
    """(TV from the target's text, acceptance): every path of the loop, added up."""
    exam = Exam(TARGET, draft, gamma=GAMMA, length=GAMMA + 1, prompt=(1,))
    decoder = Decoder(drafter=drafter)
    return exam.distance(decoder), acceptance_shown(exam.first_rounds(decoder))


def restricted(q: np.ndarray, held: Sequence[int]) -> np.ndarray:
    """q (..., vocabulary) on the tokens `held` only, renormalised; they must have some mass."""
    kept = np.zeros_like(q)
    kept[..., list(held)] = q[..., list(held)]
    return kept / kept.sum(-1, keepdims=True)


def bounds(p: np.ndarray, q: np.ndarray, held: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Between what the acceptance of `restricted(q, held)` lies, (lowest, highest).

    Lowest: the sum of min(p, q) over `held`, all that a draft over both vocabularies gets, since
    what the target cannot say is never accepted.  Highest: that sum over the mass of q on `held`,
    and no more than the mass of p on it.  For q/m >= q and min(p, q/m) <= min(p, q)/m, m <= 1.
    """
    ids = list(held)
    shared = overlap(p[..., ids], q[..., ids])
    return shared, np.minimum(p[..., ids].sum(-1), shared / q[..., ids].sum(-1))


def random_rows(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """p and q, each (count, 6), flat to peaked, over the union of two vocabularies.

    p has no mass on token 5, which only the draft has, and q none on token 0.
    """
    rng = np.random.default_rng(seed)
    p, q = (rng.dirichlet(np.full(6, 0.7), count) for _ in range(2))
    p[:, 5], q[:, 0] = 0, 0
    return p / p.sum(-1, keepdims=True), q / q.sum(-1, keepdims=True)


HELD = (1, 2, 3, 4)  # of random_rows: what both can say
