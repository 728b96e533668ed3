"""What the parts of a round cost on this machine: the program's own, each apart from its speed."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median

from course_utils.decoding.clock import now
from course_utils.decoding.loop import generate
from course_utils.lessons.qwen3_speculative_decoder.streaming import rounds_of
from course_utils.measuring.pass_clock import TimedModel, passes_in_turn, undisturbed
from course_utils.pairs import Pair
from course_utils.proofs.programs import Program

REPEATS = 24
Texts = Sequence[Sequence[int]]  # token lists


class ClockedProgram:
    """A program on models with stop-watches, and what its rounds took."""

    def __init__(self, program: Program, pair: Pair, **options):
        """`options`: gamma, sampling, max_new_tokens and seed."""
        self.target, self.draft = TimedModel(pair.target), TimedModel(pair.draft)
        self.lengths: list[int] = []  # new tokens; the last of a text is cut short and left out
        self.rounds, self._outside = 0, 0.0
        pair = replace(pair, target=self.target, draft=self.draft)
        self._rounds_of = partial(rounds_of, program, pair, stop_tokens=(), **options)

    def run(self, text: Sequence[int]) -> None:
        """Let the program continue a text."""
        begin, before = now(), self._inside
        lengths = [len(new) for new in self._rounds_of(text)]
        self._outside += now() - begin - (self._inside - before)
        self.rounds += len(lengths)
        self.lengths += lengths[:-1]

    @property
    def _inside(self) -> float:
        return sum(m.seconds + m.prompt_seconds for m in (self.target, self.draft))

    @property
    def verify(self) -> float:
        """Seconds of a round in the target."""
        return self.target.seconds / self.rounds

    @property
    def drafting(self) -> float:
        """Seconds of a round in the draft."""
        return self.draft.seconds / self.rounds

    @property
    def host(self) -> float:
        """Seconds of a round in neither model."""
        return self._outside / self.rounds


@dataclass(frozen=True)
class Parts:
    """`one` is the unit of the others."""

    one: float  # seconds of the target's pass over one token, in standard decoding
    c: dict[int, float]  # {gamma: the draft, for each guess of a round}
    v: dict[int, float]  # {k: the target's pass over k tokens, in a round}
    o: dict[int, float]  # {gamma: a round outside the models}
    lengths: list[int]  # new tokens of the rounds at the largest gamma
    prompt: tuple[float, float]  # target and draft read a prompt


def parts_of(
    program: Program, pair: Pair, texts: Texts, behind: Sequence[int], largest: int,
    repeats: int = REPEATS, **options,
) -> Parts:  # fmt: skip
    """The costs of a program's rounds up to `largest` guesses, and how long they were there.

    Each text in turn is continued without a draft, and by the program with 1 and with `largest`
    guesses per round.  Draft and host are taken to lie on the line between those two.  v has the
    height that it has in these rounds, and between them the shape of passes timed by themselves,
    over the last tokens of `behind`.
    """
    plain = TimedModel(pair.target)
    least, most = (ClockedProgram(program, pair, gamma=gamma, **options) for gamma in (1, largest))
    for text in texts:
        deque(generate(plain, text, **options), maxlen=0)
        least.run(text)
        most.run(text)
    known, new = behind[: -largest - 1], behind[-largest - 1 :]
    taken = passes_in_turn({"": pair.target.start(known)}, new, repeats)[""]
    alone = {k: median(seconds) for k, seconds in taken.items()}

    def between(first: float, last: float) -> dict[int, float]:
        slope = (last - first) / max(largest - 1, 1)
        return {gamma: first + slope * (gamma - 1) for gamma in range(1, largest + 1)}

    height = between(least.verify / alone[2], most.verify / alone[largest + 1])
    passes = [plain.seconds / plain.passes, *(height[g] * alone[g + 1] for g in height)]
    one, *longer = undisturbed(passes)
    drafting = between(least.drafting / one, most.drafting / one)
    return Parts(
        one,
        {gamma: passes / gamma for gamma, passes in drafting.items()},
        {1: 1.0} | {k: each / one for k, each in enumerate(longer, start=2)},
        between(least.host / one, most.host / one),
        most.lengths,
        tuple(m.prompt_seconds / len(texts) / one for m in (most.target, most.draft)),
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
