"""Every outcome of a randomised program, with its exact probability.

The program runs unchanged; only its uniforms are special.  An enumerated uniform is not a number
but an interval, at first [0, 1).  A comparison with a threshold inside the interval splits it in
two: this run follows one half, and a later run the other.  When no half is left, the weights of
all runs sum to 1, so no path of the program was missed.

This works because the shared code only compares uniforms, or multiples of them as in u * q < p.
It is the depth-first search of a stateless model checker (Godefroid 1997, "VeriSoft"), with
probabilities.  It makes no assumption about the program's state between rounds: every run starts
from the beginning.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import fsum
from types import SimpleNamespace
from typing import Any

import numpy as np

from course_utils.decoding.contracts import LanguageModel, RoundNoise
from course_utils.decoding.rows import as_numpy, namespace
from course_utils.decoding.sampling import Sampling
from course_utils.proofs.filters import filtered
from course_utils.refused import Refused

Distribution = dict[tuple[int, ...], float]  # text -> probability

CALCULATES = (
    "You calculate with a uniform. Only compare it, as in u < p/q or u * q < p, or pass it to "
    "`sample` instead of seeding a generator: then every path of your program can be enumerated."
)
UNREPEATABLE = (
    "The same uniforms led to another text. Either your code draws its own random numbers: use "
    "only the uniforms that it is given. Or it remembers earlier texts: a drafter's object may, "
    "since each text gets a new one, but nothing else."
)
REPEATED_RUNS = 8  # runs compared before paths are walked


class Unrepeatable(Refused):
    """The program's probabilities depend on more than its uniforms."""

    def __init__(self) -> None:
        super().__init__(UNREPEATABLE)


@contextmanager
def comparing() -> Iterator[None]:
    """Run code that gets uniforms of this module.

    Raises:
        Refused: it calculates with one.
    """
    try:
        yield
    except TypeError as error:
        if Uniform.__name__ not in str(error):
            raise
        raise Refused(CALCULATES) from None


def check_repeatable(run: Callable[[int], Any]) -> None:
    """Raise Unrepeatable if `run(seed)` gives different results."""
    first, second = ([run(seed) for seed in range(REPEATED_RUNS)] for _ in range(2))
    if first != second:
        raise Unrepeatable


class Path:
    """The results of the program's comparisons in this run; later runs turn each yes into a no."""

    def __init__(self) -> None:
        self._answers: list[bool] = []
        self._questions: list[float] = []  # the probability of yes
        self.restart()

    def restart(self) -> None:
        self.weight, self._next = 1.0, 0

    def choose(self, yes: float) -> bool:
        """Return the result of the next comparison, which is true with probability `yes`.

        Raises:
            Unrepeatable: an earlier run made another comparison here.
        """
        if self._next == len(self._answers):
            self._answers.append(True)
            self._questions.append(yes)
        elif abs(self._questions[self._next] - yes) > 1e-9:
            raise Unrepeatable
        answer = self._answers[self._next]
        self._next += 1
        self.weight *= yes if answer else 1 - yes
        return answer

    def advance(self) -> bool:
        """Turn the deepest yes into a no; return False if there is none."""
        while self._answers and not self._answers[-1]:
            self._answers.pop()
            self._questions.pop()
        if self._answers:
            self._answers[-1] = False
        return bool(self._answers)


class Uniform:
    """A number known only as an interval, which comparisons narrow down.

    It may be multiplied by a positive number: u * q < p tests whether u < p / q.
    """

    __array_ufunc__ = None  # so that `row <= uniform` calls this class, not NumPy

    def __init__(self, path: Path, low: float = 0.0, high: float = 1.0):
        self._path, self._ends, self._factor = path, [low, high], 1.0

    def __mul__(self, factor: Any) -> "Uniform | float":
        if np.ndim(factor) or not float(factor) >= 0:
            return NotImplemented
        if not float(factor):  # an ordinary number: the product is known
            return 0.0
        multiple = Uniform(self._path)
        multiple._ends, multiple._factor = self._ends, self._factor * float(factor)
        return multiple

    __rmul__ = __mul__

    def _below(self, threshold: float) -> bool:
        low, high = self._ends
        if threshold >= high:
            return True
        if threshold <= low:
            return False
        below = self._path.choose((threshold - low) / (high - low))
        self._ends[below] = threshold
        return below

    def _at_least(self, threshold: Any) -> Any:
        if not np.ndim(threshold):
            return not self._below(float(threshold) / self._factor)
        rows = threshold if hasattr(threshold, "shape") else np.asarray(threshold)
        thresholds = as_numpy(rows).astype(np.float64) / self._factor
        inside = thresholds
        while len(inside := inside[(self._ends[0] < inside) & (inside < self._ends[1])]):
            # subtle: the middle one first, so that a row takes only log2 as many comparisons
            self._below(float(inside[len(inside) // 2]))
        return namespace(rows).asarray(thresholds <= self._ends[0])

    # An end point of an interval has no weight, so < and <= are the same here.
    # A difference at exactly 0 needs a separate test.
    def __lt__(self, threshold: float) -> bool:
        return not self._at_least(threshold)

    __le__ = __lt__
    __ge__ = __gt__ = _at_least


@dataclass(frozen=True)
class EnumeratedNoise:
    """A `NoiseSource` of enumerated uniforms; the same address gives the same uniform."""

    path: Path
    drawn: dict[tuple[Any, str, int], Uniform] = field(default_factory=dict)

    def round(self, index: Any) -> RoundNoise:
        def uniforms(purpose: str, count: int) -> list[Uniform]:
            addresses = [(index, purpose, i) for i in range(count)]
            return [self.drawn.setdefault(each, Uniform(self.path)) for each in addresses]

        return SimpleNamespace(uniforms=uniforms)


def outcomes(run: Callable[[EnumeratedNoise], Any]) -> Iterator[tuple[float, Any]]:
    """Yield (probability, run(noise)) for every path of `run`; the probabilities sum to 1.

    Raises:
        Refused: `run` calculates with a uniform, or is not determined by them.
    """
    path = Path()
    more = True
    while more:
        path.restart()
        with comparing():
            result = run(EnumeratedNoise(path))
        if path.weight > 0:
            yield path.weight, result
        more = path.advance()


def target_distribution(
    target: LanguageModel, prompt: Sequence[int], length: int, sampling: Sampling = Sampling(),
    stop_tokens: Sequence[int] = (),
) -> Distribution:  # fmt: skip
    """Return the distribution of `length` tokens sampled from the target, by the chain rule.

    A text ends early after the first of `stop_tokens`.  Temperature and filters have a second
    implementation (`proofs.filters`), so that an error in the decoder's is not on both sides.
    """
    ended: Distribution = {}
    going_on: Distribution = {(): 1.0}
    for _ in range(length):
        texts, going_on = going_on, {}
        for text, weight in texts.items():
            *before, last = *prompt, *text
            row = filtered(as_numpy(target.start(before).extend([last]))[-1], sampling)
            for token in np.flatnonzero(row).tolist():  # few, after a filter
                distribution = ended if token in stop_tokens else going_on
                distribution[(*text, token)] = weight * float(row[token])
    return ended | going_on


def distribution_distance(a: Distribution, b: Distribution) -> float:
    """Return the total variation of two distributions: half the sum of `|a - b|`."""
    return fsum(abs(a.get(text, 0.0) - b.get(text, 0.0)) for text in {*a, *b}) / 2


def merge_paths(paths: Iterable[tuple[float, tuple[int, ...]]]) -> Distribution:
    """Return the distribution of the text from (probability, text) of every path."""
    weights: dict[tuple[int, ...], list[float]] = {}
    for weight, text in paths:
        weights.setdefault(text, []).append(weight)
    return {text: fsum(parts) for text, parts in weights.items()}
