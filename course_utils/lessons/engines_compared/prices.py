"""What a round brings and what it costs, engine by engine, from what was recorded and reported."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from course_utils.engines.published import Table
from course_utils.engines.sessions import Run
from course_utils.lessons.engines_compared.others import Wrote

Price = Callable[[float, float, float], float]  # (plain, speed, tokens per round) -> plain passes
VLLM = {
    "ngram": "n-gram",
    "draft_model": "draft, drawn from q",
    "draft_model_greedy": "draft, default: likeliest",
    "suffix": "suffix",
}


@dataclass(frozen=True)
class Priced:
    """One engine with one way to guess."""

    name: str
    tokens: float  # per round
    price: float  # of a round, in plain passes of the same engine

    @property
    def speedup(self) -> float:
        return self.tokens / self.price


def of_others(wrote: Sequence[Wrote], price: Price) -> list[Priced]:
    """Of the engines that were recorded in turns, each against itself without a draft."""
    plain = {w.engine: w.speed for w in wrote if w.passes is None}
    return [
        Priced(f"{w.engine}: {w.guess}", n, price(plain[w.engine], w.speed, n))
        for w in wrote
        if (n := w.tokens_per_round) is not None
    ]


def of_vllm(runs: Mapping[str, Run], price: Price) -> list[Priced]:
    """Of the session's sampled requests, with the fault mended."""
    plain = runs["none"].parts["sampled"].tokens_per_second
    found = []
    for name, way in VLLM.items():
        part = runs[f"{name}, mended"].parts["sampled"]
        tokens = part.counters.mean_acceptance_length or 1.0
        found.append(Priced(f"vLLM: {way}", tokens, price(plain, part.tokens_per_second, tokens)))
    return found


def of_reported(tables: Sequence[Table], price: Price) -> list[Priced]:
    """Of tables that others reported, each at its best draft length."""
    found = []
    for t in tables:
        at = t.lengths.index(t.best)
        cost = price(1 / t.plain, 1 / t.times[at], t.tokens[at])
        found.append(Priced(f"reported, a GPU: {t.name}, K = {t.best}", t.tokens[at], cost))
    return found
