"""Each figure of this lesson, drawn from made-up data."""

from types import SimpleNamespace

import numpy as np

from course_utils.lessons.exact_proof import decoder_figures, figures
from course_utils.lessons.exact_proof.checks import check_commit
from course_utils.models.tables import TableModel
from course_utils.proofs.decoders import CORRECT, Exam
from tests.pictures import COMMON, TEN, WORDS, P


def _paths():
    for draft, p_kept, emitted, weight in (
        (0, 1, (0, 0), 1 / 9),
        (0, 1, (0, 1), 2 / 9),
        (0, 0, (1,), 1 / 3),
        (1, 1, (1, 0), 1 / 9),
        (1, 1, (1, 1), 2 / 9),
    ):
        kinds = ("accepted", "bonus") if p_kept else ("correction",)
        q = np.array([[2 / 3, 1 / 3]])
        yield (
            weight,
            SimpleNamespace(drafted=(draft,), q=q, accepted=p_kept, emitted=emitted, kinds=kinds),
        )


SPECIMENS = [(f"specimen {i}", 0.5 / 2**i, 0.5 + 0.03 * (i % 6)) for i in range(18)]
PICTURES = {
    "at_work": lambda: decoder_figures.at_work(commit=next(iter(check_commit.known.values()))),
    "strayed": lambda: figures.strayed(
        TEN / 45,
        {"correct": TEN / 5, "uniform used twice": -TEN / 4, "another bug": TEN - 4.5},
        4,
    ),
    "unit_square": lambda: figures.unit_square(
        list(_paths()), "AB", ["1/9", "2/9", "1/3", "1/9", "2/9"]
    ),
    "errors_by_text": lambda: figures.errors_by_text(
        TEN / 45, {"correct": TEN * 1e-17, "a bug": (TEN - 4.5) / 1000}, "Enumeration shows it all"
    ),
    "suspects": lambda: figures.suspects(
        WORDS,
        P,
        Exam(TableModel(P), TableModel(COMMON / COMMON.sum()), gamma=2, length=3),
        {name: CORRECT for name in ("correct", *"ABCDE")},
    ),
    "zoo": lambda: figures.zoo(
        [*SPECIMENS, ("no bonus", 0.0, 0.38)], 0.56, {"no bonus": "3.44 tokens, not 4.68"}
    ),
}
