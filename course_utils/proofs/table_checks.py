"""What any lossless decoder promises on tables, each promise a check it can be put to."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.certificate import Check, at_most
from course_utils.proofs.decoders import Decoder, Exam, exam
from course_utils.proofs.exact_walk import SMALL, exact_check
from course_utils.proofs.programs import Program, check_repeatable, write_text

THREE_ROUNDS = exam(2, gamma=2, length=5)  # so that a draft that lags is seen
FILTERED = exam(4, gamma=2, length=3, sampling=Sampling(0.8, top_k=3, top_p=0.95))
ENDINGS = (
    exam(seed=2, gamma=2, stop_tokens=(1,)),
    exam(seed=4, gamma=2, length=3, stop_tokens=(0, 2)),
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
RARE = (_rare(16, 1, 5), _rare(5, 2, 8))
ALONE = {  # a setting by itself, so that a check that fails has its name
    "temperature": Sampling(0.6),
    "top-k": Sampling(top_k=2),
    "top-p": Sampling(top_p=0.8),
    "min-p": Sampling(min_p=0.3),
}
EXAMS: dict[str, tuple[Exam, ...]] = {  # a check, and what it walks
    "exact distribution": (SMALL, THREE_ROUNDS),
    **{f"exact distribution, {k}": (replace(FILTERED, sampling=s),) for k, s in ALONE.items()},
    "exact distribution, filters together": (FILTERED,),
    "exact distribution, edges of filters": EDGES,
    "exact distribution, rare tokens": RARE,
    "exact distribution, texts that end": ENDINGS,
}
COLD = replace(exam(5, seed=7), sampling=GREEDY, length=60)  # for a greedy text
EXCLUDED = Exam(TableModel([0.0, 1.0]), TableModel([0.5, 0.5]), gamma=1, length=8)  # token 0
NO_DRAFT = Decoder(drafter=lambda model: None)


@cache
def distance_of(name: str) -> Callable[[Decoder | Program], Check]:
    """The check of that name in `EXAMS`: a text's joint distribution is the target's."""

    def check(decoder: Decoder | Program) -> Check:
        return exact_check(name, decoder, EXAMS[name])

    check.__name__ = name
    return check


def repeatable(decoder: Decoder | Program) -> Check:
    """The same uniforms lead to the same text.  Raises Unrepeatable: they do not."""
    check_repeatable(decoder, SMALL)
    return at_most("texts that do not repeat", 0, 0)


def greedy_text(decoder: Decoder | Program) -> Check:
    """At temperature 0 the text is the target's: tokens that differ, of 60."""
    text, expected = (write_text(each, COLD, Noise(0)) for each in (decoder, NO_DRAFT))
    differ = sum(a != b for a, b in zip(text, expected, strict=False))
    differ += abs(len(text) - len(expected))
    return replace(at_most("greedy text", differ, 0), settings=(GREEDY,))


def excluded_tokens_stay_out(decoder: Decoder | Program) -> Check:
    """With uniforms of exactly 0 no token with p = 0 is emitted: how many are."""
    return at_most("p = 0 stays out", write_text(decoder, EXCLUDED, _Zeros()).count(0), 0)


class _Zeros:
    """Uniforms that are all exactly 0, which float32 generators do return."""

    def round(self, index: int) -> "_Zeros":
        return self

    def uniforms(self, purpose: str, count: int) -> Sequence[float]:
        return [0.0] * count


# What any lossless decoder keeps to; each is called with a decoder.
ON_TABLES: tuple[Callable[[Decoder | Program], Check], ...] = (
    repeatable,
    *map(distance_of, EXAMS),
    greedy_text,
    excluded_tokens_stay_out,
)
