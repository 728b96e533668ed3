"""All randomness of the course: uniforms that are looked up by address.

Draft noise and acceptance noise must be independent, and a stored round must be replayable.  A
counter-based generator does both: the address (seed, row, round, purpose) *is* the state.
Source: Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3" (Philox).
"""

import threading
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import Uniforms
from course_utils.decoding.whole_numbers import whole_number

PURPOSES = ("draft", "verify", "other")


@dataclass(frozen=True)
class Noise:
    """The uniforms of one text: `row` is its place in a batch.

    Raises:
        ValueError: not a whole number from 0 to 2**64 - 1.
    """

    seed: int
    row: int = 0

    def __post_init__(self) -> None:
        for name, number in vars(self).items():
            whole_number(name, number, 0, 2**64 - 1)

    def round(self, index: int) -> "PhiloxRound":
        return PhiloxRound(self, index)


@dataclass(frozen=True)
class PhiloxRound:
    """The uniforms of one round, one stream per purpose."""

    noise: Noise
    index: int

    def uniforms(self, purpose: str, count: int) -> list[float]:
        """Return `count` numbers in [0, 1), 53 bits each.

        Raises:
            ValueError: an unknown purpose.
        """
        if purpose not in PURPOSES:
            raise ValueError(f"purpose is {purpose!r}; choose {', '.join(PURPOSES)}")
        # The first counter word advances with the numbers drawn, so the
        # address goes into the words above it.
        counter = np.array([0, self.index, PURPOSES.index(purpose), 0], dtype=np.uint64)
        key = np.array([self.noise.seed, self.noise.row], dtype=np.uint64)
        return _GENERATOR.at(counter, key).random(count).tolist()


class _Generator(threading.local):
    """One generator per thread, moved to an address: creating one takes 50 microseconds."""

    def __init__(self) -> None:
        self._philox = np.random.Philox(key=0)
        self._generator = np.random.Generator(self._philox)
        self._start = self._philox.state  # with nothing buffered

    def at(self, counter: np.ndarray, key: np.ndarray) -> np.random.Generator:
        self._philox.state = {**self._start, "state": {"counter": counter, "key": key}}
        return self._generator


_GENERATOR = _Generator()


class DraftNoise:
    """The uniforms of a round's guesses, one each: the `RoundNoise` that a drafter gets."""

    __slots__ = ("_uniforms",)

    def __init__(self, uniforms: Uniforms):
        self._uniforms = tuple(uniforms)

    def uniforms(self, purpose: str, count: int) -> Uniforms:
        """Return the first `count` of them.

        Raises:
            ValueError: a purpose other than "draft", or more numbers than guesses.
        """
        if purpose != "draft":
            raise ValueError(
                f'a drafter requested {purpose!r} uniforms, but gets only "draft", one for each '
                "guess: with others the text would not have the target's distribution"
            )
        if not 0 <= count <= len(self._uniforms):
            raise ValueError(
                f"a drafter requested {count} uniforms, but there is one for each of the "
                f"{len(self._uniforms)} guesses that fit"
            )
        return list(self._uniforms[:count])
