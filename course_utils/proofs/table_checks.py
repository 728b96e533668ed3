"""What any lossless decoder promises on tables, each promise a check it can be put to."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, Exam, exam
from course_utils.proofs.programs import EXACT

TINY = exam()
FILTERED = exam(4, gamma=2, length=3, sampling=Sampling(0.8, top_k=3, top_p=0.95))
ENDINGS = (
    exam(seed=2, gamma=2, stop_tokens=(1,)),
    exam(seed=4, gamma=2, target_context=9),
)


def _edges() -> tuple[Exam, ...]:
    """Rows of halves, quarters and eighths, which floats hold exactly, under filters that
    cut at them; tied tokens are never on different sides, where any choice is right."""
    curve = np.array([0.5, 0.25, 0.125, 0.125])
    target, draft = (
        TableModel(np.stack([np.roll(curve, step * i + first) for i in range(4)]))
        for step, first in ((1, 0), (2, 1))
    )
    settings = (
        Sampling(top_p=0.5), Sampling(top_p=0.75), Sampling(min_p=0.5), Sampling(top_k=3),
        Sampling(top_k=2, top_p=2 / 3), Sampling(0.5, min_p=0.25),
    )  # fmt: skip
    return tuple(Exam(target, draft, s, gamma=2, length=3, seed=i) for i, s in enumerate(settings))


def _rare(vocabulary_size: int, gamma: int, seed: int) -> Exam:
    """Each model gives most tokens little; what is rare for one is often not for the other."""
    rng = np.random.default_rng(seed)
    shares = 10.0 ** rng.uniform(-4, 0, (2, vocabulary_size, vocabulary_size))
    target, draft = (TableModel(table / table.sum(-1, keepdims=True)) for table in shares)
    return Exam(target, draft, gamma=gamma, length=gamma + 1, seed=seed)


EDGES = _edges()
ALONE_ON = {  # a setting by itself, so that a check that fails has its name
    "temperature": replace(FILTERED, sampling=Sampling(0.6)),
    "top-k": replace(FILTERED, sampling=Sampling(top_k=2)),
    "top-p": replace(FILTERED, sampling=Sampling(top_p=0.8)),
    "min-p": replace(FILTERED, sampling=Sampling(min_p=0.3)),
}
RARE = (_rare(16, 1, 5), _rare(16, 1, 6), _rare(20, 1, 7), _rare(5, 2, 8))
EXAMS: dict[str, tuple[Exam, ...]] = {  # a check of both certificates: its exams
    "exact distribution": (TINY,),
    **{f"exact distribution, {name}": (each,) for name, each in ALONE_ON.items()},
    "exact distribution, filters together": (FILTERED,),
    "exact distribution, edges of filters": EDGES,
    "exact distribution, rare tokens": RARE,
    "exact distribution, texts that end": ENDINGS,
}
COLD = replace(exam(5, seed=7), sampling=GREEDY, length=60)  # for a greedy text
EXCLUDED = Exam(TableModel([0.0, 1.0]), TableModel([0.5, 0.5]), gamma=1, length=8)  # token 0
ALONE = Decoder(drafter=lambda model: None)


def in_words(sampling: Sampling) -> str:
    """Sampling(0.7, top_k=20) -> "temperature 0.7, top-k 20"; what is off is left out."""
    there = {name: x for name, x in vars(sampling).items() if x != getattr(Sampling, name)}
    named = [f"{name.replace('_', '-')} {x:g}" for name, x in there.items()]
    return ", ".join(named) or "temperature 1"


@dataclass(frozen=True)
class Check:
    """A check that was made: what it measured, and what that means."""

    name: str
    passed: bool
    figure: float  # what was measured
    threshold: float  # passed if the figure is no larger
    sees: str = ""  # the least fault that is seen 99 times in 100; "" where all are
    decisive: bool = True  # if it fails: is the decoder lossy, or can it just not be said?
    detail: str = ""  # the first fault, in words
    settings: tuple[Sampling, ...] = ()  # that were examined
    longest: int = 0  # tokens of the longest text, its prompt's among them
    places: tuple[int, ...] = ()  # new tokens of walked texts at which something was decided


def greedy_text(decoder: Decoder) -> Check:
    """At temperature 0 the text is the target's: tokens that differ, of 60."""
    text, expected = (emitted_tokens(COLD.rounds(each)) for each in (decoder, ALONE))
    differ = sum(a != b for a, b in zip(text, expected, strict=True))
    return replace(at_most("greedy text", differ, 0), settings=(GREEDY,))


def excluded_tokens_stay_out(decoder: Decoder) -> Check:
    """With uniforms of exactly 0 no token with p = 0 is emitted: how many are."""
    rounds = EXCLUDED.rounds(decoder, noise=lambda _: _Zeros())
    return at_most("p = 0 stays out", emitted_tokens(rounds).count(0), 0)


class _Zeros:
    """Uniforms that are all exactly 0, which float32 generators do return."""

    def round(self, index: int) -> "_Zeros":
        return self

    def uniforms(self, purpose: str, count: int) -> list[float]:
        return [0.0] * count


def at_most(name: str, figure: float, threshold: float) -> Check:
    """A check that is passed if the figure is no larger than the threshold."""
    return Check(name, figure <= threshold, figure, threshold)


@cache
def distance_of(name: str) -> Callable[[Decoder], Check]:
    """The check of that name in `EXAMS`: a text's joint distribution is the target's."""

    def check(decoder: Decoder) -> Check:
        return _farthest(name, decoder)

    check.__name__ = name
    return check


def _farthest(name: str, decoder: Decoder) -> Check:
    """The largest distance of a check's exams, total variation, or the first that is a defect.

    Rows of q that a drafter hands over in float32 may be off by that format's rounding.
    """
    figure, most = 0.0, EXACT
    for each in EXAMS[name]:
        found, rounding = each.distance(decoder), EXACT
        if found > EXACT and _drafts_in_float32(each, decoder):
            rounding = each.rounding()
        figure, most = max(figure, found), max(most, rounding)
        if found > rounding:
            break
    return replace(at_most(name, figure, most), settings=tuple(e.sampling for e in EXAMS[name]))


def _drafts_in_float32(each: Exam, decoder: Decoder) -> bool:
    return any(r.q is not None and as_numpy(r.q).dtype == np.float32
               for _, r in each.first_rounds(decoder))  # fmt: skip


# What any lossless decoder keeps to; each is called with a decoder.
ON_TABLES: tuple[Callable[[Decoder], Check], ...] = (
    *map(distance_of, EXAMS),
    greedy_text,
    excluded_tokens_stay_out,
)
