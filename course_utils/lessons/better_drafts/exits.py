"""Early exits of a target: the quality and the cost of its first layers as a draft."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf
from types import SimpleNamespace
from typing import Protocol

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Session
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.measuring.pass_clock import passes_in_turn, timed_pass, undisturbed
from course_utils.theory.speedup import overlap

LARGEST = 6  # gamma


class EarlyExitSession(Session, Protocol):
    """A session with views that run only the first layers."""

    def first(self, layers: int) -> Session: ...


class EarlyExitModel(Protocol):
    """A target with early exits: the course's readable Qwen3."""

    def start(self, prompt: Sequence[int]) -> EarlyExitSession: ...


@dataclass(frozen=True)
class DraftQuality:
    """The agreement of a draft with its target along a given text."""

    alpha: float  # at temperature 1: mean of sum(min(p, q))
    greedy: float  # share of positions where both have the same likeliest token


def draft_quality(p: np.ndarray, q: np.ndarray) -> DraftQuality:
    """Compare rows p and q of probabilities, both (tokens, vocabulary)."""
    return DraftQuality(float(overlap(p, q).mean()), float((p.argmax(-1) == q.argmax(-1)).mean()))


def quality_by_layer(
    target: EarlyExitModel,
    texts: Iterable[Sequence[int]],
    layers: Sequence[int],
) -> dict[int, DraftQuality]:
    """Return {layers: quality of an exit after them}, on the target's own cache of each text."""
    p: list[np.ndarray] = []
    q: dict[int, list[np.ndarray]] = {count: [] for count in layers}
    for text in texts:
        session = target.start([])
        p.append(_rows(session, text))
        for count in layers:
            view = session.first(count)
            view.rollback(0)  # the same tokens again, so the same keys and values
            q[count].append(_rows(view, text))
    return {
        count: draft_quality(np.concatenate(p), np.concatenate(rows)) for count, rows in q.items()
    }


def quality_of(
    target: LanguageModel, draft: LanguageModel, texts: Iterable[Sequence[int]]
) -> DraftQuality:
    """Return the quality of another model as the draft."""
    pairs = [[_rows(model.start([]), text) for model in (target, draft)] for text in texts]
    p, q = (np.concatenate(rows) for rows in zip(*pairs, strict=True))
    return draft_quality(p, q)


def _rows(session: Session, text: Sequence[int]) -> np.ndarray:
    return as_numpy(probabilities(session.extend(text), Sampling()))


@dataclass(frozen=True)
class Times:
    """The milliseconds of a pass over k = 1, 2, ... tokens, by name."""

    ms: dict[str, list[float]]

    def v(self, name: str) -> list[float]:
        """v(1), v(2), ...: the time of a pass over k tokens, in one-token passes."""
        return [each / self.ms[name][0] for each in self.ms[name]]


def times(sessions: Mapping[str, Session], largest: int = LARGEST, repeats: int = 15) -> Times:
    """Time all passes alternately; take the minimum of each, since other work only adds time."""
    seconds = passes_in_turn(sessions, [1] * (largest + 1), repeats)
    least = {name: [1e3 * min(s) for s in by_k.values()] for name, by_k in seconds.items()}
    return Times({name: undisturbed(ms) for name, ms in least.items()})


def first_layers(target: EarlyExitModel, layers: int) -> SimpleNamespace:
    """Return the target's first layers as a draft; its sessions are views of the target's."""
    return SimpleNamespace(start=lambda tokens: target.start(tokens).first(layers))


def costs_in_a_round(
    drafts: Mapping[str, LanguageModel], target: LanguageModel, text: Sequence[int],
    repeats: int = 30, guesses: int = 3,
) -> dict[str, float]:  # fmt: skip
    """Return c of each draft: the mean of a few passes after one of the target, as in a round.

    The first pass finds the processor's caches full of the target's weights.  Drafts alternate,
    and the minimum of each pass counts, since other work on the machine only adds time.
    """
    verifier, one = target.start(text), inf
    sessions = {name: model.start(text) for name, model in drafts.items()}
    least = {name: [inf] * guesses for name in drafts}
    for _, (name, session) in product(range(repeats), sessions.items()):
        one = min(one, timed_pass(verifier, text[:1])[1])
        passes = [timed_pass(session, text[:1])[1] for _ in range(guesses)]
        least[name] = list(map(min, least[name], passes))
        verifier.rollback(len(text))
        session.rollback(len(text))
    return {name: sum(passes) / guesses / one for name, passes in least.items()}
