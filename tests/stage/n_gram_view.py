"""What a counted model and a lookup know of the next token of a text.

`stage/formulas/n_grams.mjs` says the same in the browser, and is held to this.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from course_utils.classroom.tokens import Decode

LIKELIEST = 6  # bars


class CountedModel(Protocol):
    """What is asked of a counted model; `models.n_grams.NGram` is one."""

    n: int
    discount: float

    def distribution(self, tokens: Sequence[int]) -> Any:
        """Probabilities (vocabulary,) of the next token."""

    def matches(self, tokens: Sequence[int]) -> Sequence[Mapping[int, int]]:
        """Counts of the followers of every seen ending, shortest (empty) ending first."""


Find = Callable[[Sequence[int], int], tuple[int, int] | None]


@dataclass(frozen=True)
class Order:
    """What the model counted after the last `length` tokens of the text."""

    length: int
    ending: str | None  # None: the text is shorter than that
    total: int  # how often the ending was followed by anything; 0: never seen
    followers: tuple[tuple[str, int], ...]  # most frequent first
    share: float  # of the resulting distribution


@dataclass(frozen=True)
class Bar:
    """One likely token."""

    text: str
    probability: float
    parts: tuple[float, ...]  # of each order, longest first, then of "any token"


@dataclass(frozen=True)
class NGramView:
    """What both drafters know of the next token."""

    texts: tuple[str, ...]  # one a token
    orders: tuple[Order, ...]  # longest first
    rest: float  # share of "any token" in the distribution
    bars: tuple[Bar, ...]  # likeliest first
    ties: int  # tokens as likely as the first of them
    match: tuple[int, int] | None  # (start, length)
    copied: tuple[str, ...]


def ngram_view(
    model: CountedModel,
    find: Find,
    tokens: Sequence[int],
    decode: Decode,
    longest: int = 3,
    gamma: int = 3,
) -> NGramView:
    """The counts behind model.distribution(tokens), and where find(tokens, longest) matched."""
    tokens, orders, layers, left = list(tokens), [], [], 1.0
    seen = model.matches(tokens)
    for length in reversed(range(model.n)):
        counts = seen[length] if length < len(seen) else {}
        total = sum(counts.values())
        passed_on = model.discount * len(counts) / total if total else 1.0
        orders.append(_order(tokens, length, counts, left * (1 - passed_on), decode))
        layers.append((counts, left / total if total else 0.0))
        left *= passed_on
    distribution = model.distribution(tokens).tolist()
    best = sorted(range(len(distribution)), key=distribution.__getitem__, reverse=True)[:LIKELIEST]
    match = find(tokens, longest)
    end = sum(match) if match else len(tokens)
    return NGramView(
        texts=tuple(decode([token]) for token in tokens),
        orders=tuple(orders),
        rest=left,
        bars=tuple(
            Bar(
                decode([x]),
                distribution[x],
                (*_parts(x, layers, model.discount), left / len(distribution)),
            )
            for x in best
            if distribution[x] > 0
        ),
        ties=sum(value > distribution[best[0]] - 1e-9 for value in distribution),
        match=match,
        copied=tuple(decode([token]) for token in tokens[end : end + gamma]),
    )


def _order(
    tokens: list[int], length: int, counts: Mapping[int, int], share: float, decode: Decode
) -> Order:
    if length > len(tokens):
        return Order(length, None, 0, (), 0.0)
    ending = decode(tokens[len(tokens) - length :]) if length else ""
    ranked = sorted(counts.items(), key=lambda pair: -pair[1])
    followers = tuple((decode([token]), count) for token, count in ranked)
    return Order(length, ending, sum(counts.values()), followers, share)


def _parts(
    token: int, layers: Sequence[tuple[Mapping[int, int], float]], discount: float
) -> list[float]:
    """What each order gives to a token: its discounted count times the weight of one count."""
    return [max(counts.get(token, 0) - discount, 0.0) * weight for counts, weight in layers]
