"""What the parts of a round cost on this machine: the program's own, each apart from its speed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from course_utils.decoding.clock import now
from course_utils.lessons.qwen3_speculative_decoder.streaming import rounds_of
from course_utils.measuring.clocked import Clocked, passes_in_turn
from course_utils.models.pairs import Pair
from course_utils.proofs.programs import Program

REPEATS = 12
Texts = Sequence[Sequence[int]]  # token lists


@dataclass(frozen=True)
class Heard:
    """Runs of a program, as its models hear them."""

    lengths: list[int]  # new tokens of each round; the last of a text is cut short and left out
    guess: float  # seconds of the draft's passes, by guess
    host: float  # seconds by round in neither model


def overheard(program: Program, pair: Pair, texts: Texts, gamma: int, **options) -> Heard:
    """Run `program` on every text, on models with stop-watches, up to `max_new_tokens`.

    Args:
        options: sampling, max_new_tokens and seed.
    """
    lengths, guesses, rounds, drafting, host = [], 0, 0, 0.0, 0.0
    for text in texts:
        models = target, draft = Clocked(pair.target), Clocked(pair.draft)
        clocked = replace(pair, target=target, draft=draft)
        begin = now()
        told = [len(new) for new in rounds_of(
            program, clocked, text, gamma=gamma, stop_tokens=(), **options
        )]  # fmt: skip
        host += now() - begin - sum(m.seconds + m.prompt_seconds for m in models)
        drafting += draft.seconds
        left = options["max_new_tokens"]
        for new in told:
            guesses += min(gamma, left - 1)
            left -= new
        rounds += len(told)
        lengths += told[:-1]
    return Heard(lengths, drafting / max(guesses, 1), host / rounds)


@dataclass(frozen=True)
class Parts:
    """`one` is the unit of the others."""

    one: float  # seconds of the target's pass over one token
    c: float  # the draft's pass for a guess
    v: dict[int, float]  # {k: the target's pass over k tokens}
    o: dict[int, float]  # {gamma: a round outside the models}
    lengths: list[int]  # new tokens of the rounds at the largest gamma


def parts_of(
    program: Program, pair: Pair, texts: Texts, behind: Sequence[int], largest: int,
    repeats: int = REPEATS, **options,
) -> Parts:  # fmt: skip
    """The costs of a program's rounds up to `largest` guesses, and how long they were there.

    Passes over 1 to largest + 1 tokens are timed by themselves, the last tokens of `behind`.
    What the host does is heard at 1 and at `largest` guesses per round, and taken to lie on the
    line between.
    """
    known, new = behind[: -largest - 1], behind[-largest - 1 :]
    session = pair.target.start(known)
    seconds = passes_in_turn({"": session}, new, repeats)[""]
    one = median(seconds[1])
    least = overheard(program, pair, texts, 1, **options)
    most = overheard(program, pair, texts, largest, **options)
    slope = (most.host - least.host) / max(largest - 1, 1)
    return Parts(
        one,
        most.guess / one,
        {k: median(taken) / one for k, taken in seconds.items()},
        {g: (least.host + slope * (g - 1)) / one for g in range(1, largest + 1)},
        most.lengths,
    )
