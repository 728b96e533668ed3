"""What the parts of a round cost on this machine: the program's own, each apart from its speed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from course_utils.decoding.clock import now
from course_utils.lessons.qwen3_speculative_decoder.streaming import rounds_of
from course_utils.measuring.clocked import Clocked, passes_in_turn
from course_utils.models.pairs import Pair
from course_utils.proofs.programs import Program

REPEATS = 24
Texts = Sequence[Sequence[int]]  # token lists


@dataclass(frozen=True)
class Heard:
    """Runs of a program, as its models hear them."""

    lengths: list[int]  # new tokens of each round; the last of a text is cut short and left out
    verify: float  # seconds of a pass of the target
    guess: float  # seconds of a pass of the draft
    host: float  # seconds of a round in neither model
    prompt: tuple[float, float]  # seconds in which target and draft read a prompt


def overheard(program: Program, pair: Pair, texts: Texts, gamma: int, **options) -> Heard:
    """Run `program` on every text, on models with stop-watches, up to `max_new_tokens`.

    Args:
        options: sampling, max_new_tokens and seed.
    """
    lengths, rounds, host, seconds, passes = [], 0, 0.0, [0.0, 0.0], [0, 0]
    prompt = [0.0, 0.0]
    for text in texts:
        models = target, draft = Clocked(pair.target), Clocked(pair.draft)
        clocked = replace(pair, target=target, draft=draft)
        begin = now()
        told = [
            len(new)
            for new in rounds_of(program, clocked, text, gamma=gamma, stop_tokens=(), **options)
        ]
        host += now() - begin - sum(m.seconds + m.prompt_seconds for m in models)
        for i, model in enumerate(models):
            seconds[i] += model.seconds
            prompt[i] += model.prompt_seconds / len(texts)
            passes[i] += model.passes
        rounds += len(told)
        lengths += told[:-1]
    verify, guess = (total / max(n, 1) for total, n in zip(seconds, passes, strict=True))
    return Heard(lengths, verify, guess, host / rounds, tuple(prompt))


@dataclass(frozen=True)
class Parts:
    """`one` is the unit of the others."""

    one: float  # seconds of the target's pass over one token
    c: float  # the draft's pass for a guess
    v: dict[int, float]  # {k: the target's pass over k tokens}
    o: dict[int, float]  # {gamma: a round outside the models}
    lengths: list[int]  # new tokens of the rounds at the largest gamma
    prompt: tuple[float, float]  # target and draft read a prompt


def parts_of(
    program: Program, pair: Pair, texts: Texts, behind: Sequence[int], largest: int,
    repeats: int = REPEATS, **options,
) -> Parts:  # fmt: skip
    """The costs of a program's rounds up to `largest` guesses, and how long they were there.

    Passes of the target over 1 to largest + 1 tokens are timed by themselves and in turn, over
    the last tokens of `behind`.  The draft's passes and what the host does are heard at 1 and at
    `largest` guesses per round, beside the target's passes of the same run; the host is taken to
    lie on the line between.
    """
    known, new = behind[: -largest - 1], behind[-largest - 1 :]
    seconds = passes_in_turn({"": pair.target.start(known)}, new, repeats)[""]
    one = median(seconds[1])
    v = {k: median(taken) / one for k, taken in seconds.items()}
    least, most = (overheard(program, pair, texts, gamma, **options) for gamma in (1, largest))
    # a machine that is slow in one run is slow in all its parts
    first, last = least.host / least.verify * v[2], most.host / most.verify * v[largest + 1]
    slope = (last - first) / max(largest - 1, 1)
    unit = v[largest + 1] / most.verify
    return Parts(
        one,
        most.guess * unit,
        v,
        {gamma: first + slope * (gamma - 1) for gamma in range(1, largest + 1)},
        most.lengths,
        tuple(seconds * unit for seconds in most.prompt),
    )


def with_prompts(
    predicted: Mapping[int, float], parts: Parts, host: float, new: int
) -> dict[int, float]:
    """{gamma: speedup of whole runs}: both programs also read the prompt, and no draft shortens it.

    Args:
        predicted: the speedup of what comes behind the prompt.
        host: of a standard step, outside the model.
        new: tokens of each run.
    """
    (target, draft), plain = parts.prompt, new * (1 + host)
    return {g: (target + plain) / (target + draft + plain / s) for g, s in predicted.items()}
