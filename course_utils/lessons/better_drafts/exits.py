"""Early exits of a target: the acceptance and the cost of its first layers as a draft."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import inf
from types import SimpleNamespace

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Session
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.measuring.pass_clock import passes_in_turn, timed_pass, undisturbed
from course_utils.models.qwen3.onnx import AnyQwen3
from course_utils.theory.speedup import overlap


def alpha_by_layer(
    target: AnyQwen3, texts: Iterable[Sequence[int]], layers: Sequence[int]
) -> dict[int, float]:
    """Return {layers: `alpha_of` an exit after them}, on the target's own cache of each text."""
    alphas: dict[int, list[np.ndarray]] = {count: [] for count in layers}
    for text in texts:
        session = target.start([])
        p = _rows(session, text)
        for count in layers:
            view = session.first(count)
            view.rollback(0)  # the same tokens again, so the same keys and values
            alphas[count].append(overlap(p, _rows(view, text)))
    return {count: float(np.concatenate(each).mean()) for count, each in alphas.items()}


def alpha_of(target: LanguageModel, draft: LanguageModel, texts: Iterable[Sequence[int]]) -> float:
    """Return a draft's alpha at temperature 1 along given texts: the mean of sum(min(p, q))."""
    overlaps = [
        overlap(*(_rows(model.start([]), text) for model in (target, draft))) for text in texts
    ]
    return float(np.concatenate(overlaps).mean())


def _rows(session: Session, text: Sequence[int]) -> np.ndarray:
    return as_numpy(probabilities(session.extend(text), Sampling()))


def pass_costs(session: Session, largest: int, repeats: int) -> list[float]:
    """Return v(1), ..., v(largest): the time of a pass over k tokens, in one-token passes.

    The minimum of each pass counts, since other work on the machine only adds time.
    """
    seconds = passes_in_turn({"target": session}, [1] * largest, repeats)["target"]
    least = undisturbed([min(tries) for tries in seconds.values()])
    return [each / least[0] for each in least]


def first_layers(target: AnyQwen3, layers: int) -> SimpleNamespace:
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
