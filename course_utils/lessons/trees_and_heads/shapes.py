"""Trees of several shapes with as many nodes, on the trained pair: tokens per round and time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from course_utils.decoding.contracts import Drafter, LanguageModel, Round, Rule
from course_utils.decoding.lean import lean
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.optimal_trees import sequoia
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.rules import (
    MULTI_PATH_MATCH,
    RECURSIVE_REJECTION,
    residual,
    without,
)
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.trees import Parents, chain, star, widths
from course_utils.drafters.candidates import Draw
from course_utils.drafters.tree import Expanded, Tree

Make = Callable[[], Drafter | None]


def rule_for(sampling: Sampling) -> Rule:
    """At temperature 0 the longest path of the target's own likeliest tokens."""
    return RECURSIVE_REJECTION if sampling.temperature else MULTI_PATH_MATCH


def rounds_of(
    target: LanguageModel, make: Make, texts: Iterable[Sequence[int]], sampling: Sampling,
    new_tokens: int, gamma: int = 64, rule: Rule | None = None,
) -> list[Round]:  # fmt: skip
    """All rounds but the first of each text, in which a draft reads the prompt."""
    rounds: list[Round] = []
    for seed, text in enumerate(texts):
        run = generate(
            target, text, make(), gamma=gamma, sampling=sampling, max_new_tokens=new_tokens,
            seed=seed, rule=rule or rule_for(sampling),
        )  # fmt: skip
        rounds += list(run)[1:]
    return rounds


def fixed_shapes(rates: Sequence[float], nodes: int, levels: int) -> dict[str, Parents]:
    """Two chains, a star and Sequoia's tree, of at most so many nodes."""
    return {
        "short chain": chain(max(1, levels // 2)),
        "chain": chain(levels),
        "two chains": widths([2] + [1] * (min(levels, nodes // 2) - 1)),
        "star": star(min(nodes, len(rates))),
        "Sequoia's": sequoia(rates, nodes, levels),
    }


@dataclass(frozen=True)
class Served:
    """What became of a shape: counts, and medians in seconds."""

    tokens: float  # per round
    nodes: float
    draft: float  # seconds per round
    verify: float
    host: float

    @property
    def seconds(self) -> float:
        """Of a round."""
        return self.draft + self.verify + self.host


def served(rounds: Sequence[Round]) -> Served:
    """Of whole rounds: those at a text's end, which are cut, are few and count as well."""
    found = summarise(rounds)
    return Served(
        found.tokens_per_round,
        found.drafted / found.rounds,
        median(r.seconds.draft for r in rounds),
        median(r.seconds.verify for r in rounds),
        median(r.seconds.host for r in rounds),
    )


def drafters(
    model: LanguageModel, shapes: Mapping[str, Parents], nodes: int, levels: int, width: int,
    sampling: Sampling,
) -> dict[str, Make]:  # fmt: skip
    """One for each shape, and EAGLE-2's, which makes a shape of its own in each round."""
    made: dict[str, Make] = {
        name: lambda shape=shape: Tree(model, shape, sampling) for name, shape in shapes.items()
    }
    made["EAGLE-2's"] = lambda: Expanded(model, width, levels, nodes, sampling)
    return made


def compared(
    target: LanguageModel, makes: Mapping[str, Make], texts: Sequence[Sequence[int]],
    sampling: Sampling, new_tokens: int,
) -> dict[str, Served]:  # fmt: skip
    """All of them on each text in turn, so that a slow moment of the machine meets all."""
    rounds: dict[str, list[Round]] = {name: [] for name in makes}
    for text in texts:
        for name, make in makes.items():
            rounds[name] += map(lean, rounds_of(target, make, [text], sampling, new_tokens))
    return {name: served(each) for name, each in rounds.items()}


def ranks_on_text(
    target: LanguageModel, draft: LanguageModel, texts: Iterable[Sequence[int]], draw: Draw,
    most: int, seed: int = 0,
) -> list[float]:  # fmt: skip
    """Acceptance by rank, at temperature 1: one set of candidates is drawn and judged behind each
    token of the texts, as `recursive_rejection` does it with the children of one node."""
    rng, accepted, places = np.random.default_rng(seed), np.zeros(most), 0
    for text in texts:
        p, q = (
            as_numpy(probabilities(model.start([]).extend(text), Sampling())).astype(np.float64)
            for model in (target, draft)
        )
        for left, row in zip(p, q, strict=True):
            tokens, rows = draw(row, rng.random(most).tolist())
            places += 1
            for rank, token in enumerate(tokens):
                ratio = left[token] if rows is None else left[token] / rows[rank][token]
                if rng.random() < ratio:
                    accepted[rank] += 1
                    break
                left = without(left, token) if rows is None else residual(left, rows[rank])
    return (accepted / places).tolist()
