"""A program at work on a pair of models, and its text shown while it is being decoded."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from course_utils.decoding.clock import now
from course_utils.decoding.sampling import Sampling
from course_utils.pairs import Pair
from course_utils.proofs.programs import DRAFT, TARGET, Program, Recorder

UNFINISHED = "\ufffd"  # what `decode` writes for bytes that are no character, or not yet
NO_LIMIT = 1 << 62  # calls
Tokens = Sequence[int]


def rounds_of(
    program: Program, pair: Pair, prompt: Tokens, *,
    gamma: int, sampling: Sampling, max_new_tokens: int, stop_tokens: Tokens, seed: int,
) -> Iterator[list[int]]:  # fmt: skip
    """The new tokens of each round of a program on `pair`, as they come.

    The models hand the program NumPy rows, as in its exams; its uniforms are those of `seed`.
    """
    target, draft = (
        Recorder(model, who, [], NO_LIMIT)
        for model, who in ((pair.target, TARGET), (pair.draft, DRAFT))
    )
    uniform = np.random.default_rng(seed).random
    return program(
        target, draft, list(prompt), gamma, sampling, max_new_tokens, stop_tokens, uniform
    )


def stream(
    rounds: Iterable[Tokens],
    decode: Callable[[list[int]], str],
    show: Callable[[str], object],
    stop_tokens: Tokens,
    clock: Callable[[], float],
) -> dict[str, float]:
    """Show the text of `rounds` as it becomes readable, up to the first stop token.

    Returns {"rounds", "tokens", "seconds"}; the stop token is counted, not shown.
    """
    start, tokens, shown, count, ended = clock(), [], "", 0, False
    for new in rounds:
        count += 1
        stops = [i for i, token in enumerate(new) if token in stop_tokens]
        ended = bool(stops)
        tokens += new[: stops[0]] if ended else new
        text = decode(tokens).rstrip(UNFINISHED)  # the rest of a character may still come
        show(text[len(shown) :])
        shown = text
        if ended:
            break
    show(decode(tokens)[len(shown) :])  # nothing more will come
    return {"rounds": count, "tokens": len(tokens) + ended, "seconds": clock() - start}


def play(player: Callable, rounds: Iterable[Tokens], pair: Pair, end: str = "") -> None:
    """Print what `player`, a `stream`, shows, a piece at a time, and what it returns."""

    def show(text: str) -> None:
        if text:
            print(text, end=end, flush=True)

    told = player(rounds, pair.decode, show, pair.stop_tokens, now)
    print("\n", told, "\n")
