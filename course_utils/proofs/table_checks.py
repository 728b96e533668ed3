"""The properties of any lossless decoder on tables, each as a check."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.certificate import Check, at_most
from course_utils.proofs.decoders import Exam, Subject, exam, prompt_of
from course_utils.proofs.enumeration import REPEATED_RUNS, check_repeatable
from course_utils.proofs.exact_walk import exact_check

FILTERED = exam(4, gamma=2, length=3, sampling=Sampling(0.8, top_k=3, top_p=0.95))


ALL_FILTERS = Sampling(1.25, top_k=3, top_p=0.8, min_p=0.15)  # each order of them cuts differently


def _on_curve(curve: Sequence[float], *settings: Sampling) -> tuple[Exam, ...]:
    """Return exams of models whose rows are the same four probabilities, in different orders.

    No filter cuts where a mass, which is rounded, reaches its limit: either side is right there.
    """
    target, draft = (
        TableModel(np.stack([np.roll(curve, step * i + first) for i in range(4)]))
        for step, first in ((1, 0), (2, 1))
    )
    return tuple(Exam(target, draft, s, gamma=2, length=3, seed=i) for i, s in enumerate(settings))


HALVES, EVEN = (0.5, 0.25, 0.125, 0.125), (0.2505, 0.2502, 0.2498, 0.2495)


ALONE = {  # one setting per check, so that a failed check names it
    "temperature": Sampling(0.6),
    "top-k": Sampling(top_k=2),
    "top-p": Sampling(top_p=0.75),
    "min-p": Sampling(min_p=0.3),
}
EXAMS: dict[str, tuple[Exam, ...]] = {  # the exams of each check
    # the second has three rounds, so that a lagging draft is detected
    "exact distribution": (exam(gamma=2, length=3), exam(2, gamma=2, length=5)),
    **{f"exact distribution, {k}": (replace(FILTERED, sampling=s),) for k, s in ALONE.items()},
    "exact distribution, filters together": (FILTERED, replace(FILTERED, sampling=ALL_FILTERS)),
    "exact distribution, few tokens left": _on_curve(
        HALVES, Sampling(top_p=0.45), Sampling(top_p=0.7), Sampling(min_p=0.4),
        Sampling(top_k=2, top_p=0.6), Sampling(0.5, min_p=0.2),
    ),
    "exact distribution, top-k (tokens as likely as the k-th stay)": _on_curve(
        HALVES, Sampling(top_k=3)
    ),
    "exact distribution, extreme temperatures": _on_curve(EVEN, Sampling(0.001), Sampling(100.0)),
    "exact distribution, texts that end": (
        exam(seed=2, gamma=2, stop_tokens=(1,)),
        exam(seed=4, gamma=2, length=3, stop_tokens=(0, 2)),
        exam(seed=4, gamma=2, target_context=9),
    ),
    "greedy text": (exam(seed=7, sampling=GREEDY, gamma=2, length=3),),
}  # fmt: skip
LONG = exam(5, seed=7, sampling=GREEDY, length=60)
EXCLUDED = Exam(
    TableModel(np.array([0.0, 1.0])), TableModel(np.array([0.5, 0.5])), gamma=1, length=8
)  # token 0


def distance_of(name: str) -> Callable[[Subject], Check]:
    """Return the check with this name in `EXAMS`: a text's distribution is the target's."""

    def check(subject: Subject) -> Check:
        return exact_check(name, subject, EXAMS[name])

    check.__name__ = name
    return check


def repeatable(subject: Subject) -> Check:
    """Check that equal uniforms give equal texts; raise Unrepeatable if they do not."""
    exams = [
        replace(LONG, sampling=Sampling(), prompt=prompt_of(5, s)) for s in range(REPEATED_RUNS)
    ]
    check_repeatable(lambda seed: exams[seed].text(subject, Noise(seed)))
    return at_most("texts that do not repeat", 0, 0)


def long_greedy_text(subject: Subject) -> Check:
    """Check greedy texts too long to walk every path, if the draft is not greedy."""
    texts = {LONG.text(subject, Noise(seed)) for seed in range(REPEATED_RUNS)}
    return at_most("long greedy texts that are not the target's", len(texts - {*LONG.truth()}), 0)


def excluded_tokens_stay_out(subject: Subject) -> Check:
    """Check that uniforms of exactly 0, as in float32 generators, never give a token with p = 0."""
    zeros = SimpleNamespace(uniforms=lambda purpose, count: [0.0] * count)
    tokens = EXCLUDED.text(subject, SimpleNamespace(round=lambda index: zeros))
    return at_most("p = 0 stays out", tokens.count(0), 0)


# The properties of any lossless decoder; each is called with a decoder.
ON_TABLES: tuple[Callable[[Subject], Check], ...] = (
    repeatable,
    *map(distance_of, EXAMS),
    long_greedy_text,
    excluded_tokens_stay_out,
)
