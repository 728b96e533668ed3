"""What any lossless decoder promises on tables, each promise a check it can be put to."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.models.tables import TableModel
from course_utils.proofs.decoders import Decoder, Exam, exam

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
RARE = (_rare(16, 1, 5), _rare(16, 1, 6), _rare(20, 1, 7), _rare(5, 2, 8))
EXAMS: dict[str, tuple[Exam, ...]] = {  # a check of both certificates: its exams
    "exact distribution": (TINY,),
    "exact distribution, filtered": (FILTERED,),
    "exact distribution, edges of filters": EDGES,
    "exact distribution, rare tokens": RARE,
    "exact distribution, texts that end": ENDINGS,
}
COLD = replace(exam(5, seed=7), sampling=GREEDY, length=60)  # for a greedy text
EXCLUDED = Exam(TableModel([0.0, 1.0]), TableModel([0.5, 0.5]), gamma=1, length=8)  # token 0
ALONE = Decoder(drafter=lambda model: None)


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


def exact_distribution(decoder: Decoder) -> Check:
    """The joint distribution of a text is the target's: total variation, enumerated."""
    return _farthest("exact distribution", decoder)


def exact_distribution_of_filtered_sampling(decoder: Decoder) -> Check:
    """The same with temperature, top-k and top-p on."""
    return _farthest("exact distribution, filtered", decoder)


def exact_distribution_at_the_edges_of_filters(decoder: Decoder) -> Check:
    """The same where a token lies exactly on the edge of top-p, min-p or top-k."""
    return _farthest("exact distribution, edges of filters", decoder)


def exact_distribution_of_rare_tokens(decoder: Decoder) -> Check:
    """The same with tokens a thousand times as likely for one model as for the other, down
    to one in ten thousand."""
    return _farthest("exact distribution, rare tokens", decoder)


def exact_distribution_of_texts_that_end(decoder: Decoder) -> Check:
    """The same where a stop token ends the text, and where the context does."""
    return _farthest("exact distribution, texts that end", decoder)


def greedy_text(decoder: Decoder) -> Check:
    """At temperature 0 the text is the target's: tokens that differ, of 60."""
    text, expected = (emitted_tokens(COLD.rounds(each)) for each in (decoder, ALONE))
    return at_most("greedy text", sum(a != b for a, b in zip(text, expected, strict=True)), 0)


def excluded_tokens_stay_out(decoder: Decoder) -> Check:
    """With uniforms of exactly 0 no token with p = 0 is emitted: how many are."""
    rounds = EXCLUDED.rounds(decoder, noise=lambda _: _Zeros())
    return at_most("p = 0 stays out", emitted_tokens(rounds).count(0), 0)


ON_TABLES: tuple[Callable[[Decoder], Check], ...] = (
    exact_distribution,
    exact_distribution_of_filtered_sampling,
    exact_distribution_at_the_edges_of_filters,
    exact_distribution_of_rare_tokens,
    exact_distribution_of_texts_that_end,
    greedy_text,
    excluded_tokens_stay_out,
)


class _Zeros:
    """Uniforms that are all exactly 0, which float32 generators do return."""

    def round(self, index: int) -> "_Zeros":
        return self

    def uniforms(self, purpose: str, count: int) -> list[float]:
        return [0.0] * count


def at_most(name: str, figure: float, threshold: float) -> Check:
    """A check that is passed if the figure is no larger than the threshold."""
    return Check(name, figure <= threshold, figure, threshold)


def _farthest(name: str, decoder: Decoder) -> Check:
    """The largest distance of a check's exams."""
    return at_most(name, max(each.distance(decoder) for each in EXAMS[name]), 1e-12)
