"""Rounds without their rows, to be kept.

A round as `generate` yields it holds each row of p and q whole: at a vocabulary of 151,936 they
are 0.6 MB each in float32, on the model's device.  Of a round that is past, counts and most
figures ask for the numbers at its own tokens.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.theory import overlap


@dataclass(frozen=True)
class Entries:
    """Rows of which a few numbers were kept: `rows[i, x]` as before, and nothing else.

    Raises:
        LookupError: another place was asked for.
    """

    shape: tuple[int, int]
    kept: Mapping[tuple[int, int], float]

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, place: tuple[int, int]) -> float:
        if not isinstance(place, tuple) or place not in self.kept:
            raise LookupError(
                f"{place} of these rows was not kept: leave `lean` away where whole rows are asked "
                "for"
            )
        return self.kept[place]


def lean(r: Round) -> Round:
    """The round with p and q at the drafted and emitted tokens, and sum(min(p, q)) where they
    were examined."""
    parents = range(-1, len(r.drafted) - 1) if r.parents is None else r.parents
    drafted = list(zip((i + 1 for i in parents), r.drafted, strict=True))
    path = range(r.verdict.accepted) if r.verdict.path is None else r.verdict.path
    emitted = list(zip((0, *(i + 1 for i in path)), r.emitted, strict=False))
    return replace(
        r,
        p=_entries(r.p, drafted + emitted),
        q=None if r.q is None else _entries(r.q, enumerate(r.drafted)),
        overlaps=tuple(examined_overlaps(r)) if r.parents is None else (),
    )


def examined_overlaps(r: Round) -> list[float]:
    """sum(min(p, q)) at each examined position of a chain; p(x) for a one-hot draft.

    Each is the probability with which the token-wise rule accepts a token there,
    whatever the uniform then said, so sums of these and counts of accepted tokens
    have one expectation under that rule.  Block verification and the lossy rules
    accept at other rates.
    """
    if r.overlaps is not None:
        return list(r.overlaps)
    examined = r.accepted + r.kinds.count("correction")
    if r.q is None:
        return [float(r.p[i, x]) for i, x in enumerate(r.drafted[:examined])]
    return overlap(r.p[:examined], r.q[:examined]).tolist()


def _entries(rows: Rows, places: Iterable[tuple[int, int]]) -> Entries:
    places = [(int(i), int(x)) for i, x in places]
    if isinstance(rows, Entries):
        return rows
    at, tokens = map(list, zip(*places, strict=True)) if places else ([], [])
    return Entries(tuple(rows.shape), dict(zip(places, rows[at, tokens].tolist(), strict=True)))
