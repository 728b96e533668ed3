"""What is kept of a round's rows: the numbers at its own tokens.

Rows are most of a round: at a vocabulary of 151,936 each is 0.6 MB in float32, on the model's
device.  Counts and most figures ask only for p and q of the drafted and emitted tokens.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NoReturn

from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.theory import overlap

NOT_KEPT = (
    "of these rows only the numbers at the drafted and emitted tokens were kept; for whole rows, "
    "decode with generate(..., rows=True)"
)


@dataclass(frozen=True)
class Entries:
    """Rows of which a few numbers are kept: `rows[i, x]` as before, and nothing else.

    Raises:
        LookupError: another place was asked for.
        AttributeError: a method of an array.
    """

    shape: tuple[int, int]
    kept: Mapping[tuple[int, int], float]

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, place: tuple[int, int]) -> float:
        if not isinstance(place, tuple) or place not in self.kept:
            raise LookupError(f"{place}: {NOT_KEPT}")
        return self.kept[place]

    def __array_namespace__(self, **_: object) -> NoReturn:
        raise LookupError(NOT_KEPT)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name}: {NOT_KEPT}")


def lean(r: Round) -> Round:
    """The round with p and q at the drafted tokens, p at the one that the verdict added, and of a
    chain sum(min(p, q)) where they were examined."""
    before = range(len(r.drafted)) if r.parents is None else [i + 1 for i in r.parents]
    last = r.verdict.accepted if r.verdict.path is None else (-1, *r.verdict.path)[-1] + 1
    kept = {
        "p": _entries(r.p, [*zip(before, r.drafted, strict=True), (last, r.verdict.token)]),
        "q": None if r.q is None else _entries(r.q, enumerate(r.drafted)),
        "overlaps": tuple(examined_overlaps(r)) if r.parents is None else (),
    }
    return Round(**vars(r) | kept)  # faster than `dataclasses.replace`


def examined_overlaps(r: Round) -> list[float]:
    """sum(min(p, q)) at each examined position of a chain; p(x) for a one-hot draft.

    Each is the probability with which the token-wise rule accepts a token there,
    whatever the uniform then said, so sums of these and counts of accepted tokens
    have one expectation under that rule.  Block verification and the lossy rules
    accept at other rates.
    """
    if r.overlaps is not None:
        return list(r.overlaps)
    examined = min(len(r.drafted), len(r.emitted))  # up to the correction
    if r.q is None:
        return [float(r.p[i, x]) for i, x in enumerate(r.drafted[:examined])]
    return overlap(r.p[:examined], r.q[:examined]).tolist()


def _entries(rows: Rows, places: Iterable[tuple[int, int]]) -> Entries:
    return Entries(tuple(rows.shape), {place: float(rows[place]) for place in places})
