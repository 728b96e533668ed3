"""A drafter's speed by what is counted: the same on every machine, whatever its clock says.

A pass of a model over k tokens costs::

    bytes of its weights / bytes of the target's  *  (1 + (k - 1) / 32)

in passes of the target over one token: reading the weights once, and a little for each token more
(on the CPU of the project's page v(9) was 1.31).  The score of a text is what it costs without a
draft over what it costs with one, the reading of the prompt included on either side; of a season,
the same of the sums.  What a drafter computes beside its models costs nothing: see `player`.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from course_utils.decoding.contracts import Drafter, LanguageModel, Rows, Rule, Session
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import Sampling
from course_utils.models.n_grams import NGram
from course_utils.models.pairs import Pair
from course_utils.models.prompts import held_out_prompts

TEXTS, TOKENS, GAMMA = 32, 64, 8  # texts of a season, new tokens of each, guesses at most
TEMPERATURES = (0.0, 1.0)
PER_TOKEN = 1 / 32  # of a pass, for each of its tokens after the first


@dataclass(frozen=True)
class Task:
    """A text to go on with."""

    prompt: tuple[int, ...]
    sampling: Sampling
    seed: int


def season(name: str, pair: Pair, texts: int = TEXTS) -> list[Task]:
    """The texts of the season of that name: pieces of held-out prompts, cut where `name` has it.

    Code and prose, each greedy and at temperature 1.
    """
    seed = int.from_bytes(sha256(name.encode()).digest()[:7], "big")
    tasks = []
    for i in range(texts):
        prompts = held_out_prompts(("code", "prose")[i % 2])
        which, front, back = Noise(seed).round(i).uniforms("other", 3)
        tokens = pair.encode(prompts[int(which * len(prompts))])
        third = len(tokens) / 3
        piece = tokens[int(front * third) : len(tokens) - int(back * third)]
        temperature = TEMPERATURES[i // 2 % len(TEMPERATURES)]
        tasks.append(Task(tuple(piece), Sampling(temperature), seed + i))
    return tasks


def price(model: LanguageModel, target: LanguageModel) -> float:
    """A pass of it over one token, in passes of the target.

    Raises:
        ValueError: nobody knows what it reads.
    """
    if isinstance(model, NGram):  # fills a row once for each order
        read = 4 * model.n * model.vocabulary_size
    else:
        block = getattr(model, "block", model)  # of a head on the target
        read = getattr(block, "weight_bytes", None)
    if read is None:
        raise ValueError("what this drafter's passes read of the target cannot be counted")
    return read / target.weight_bytes


class Metered:
    """A model that counts what its passes cost.

    Attributes:
        passes: of it; reading a prompt is one.
        cost: of them, in passes of the target over one token.
    """

    def __init__(self, model: LanguageModel, price: float = 1.0):
        self.model, self.price = model, price
        self.passes, self.cost = 0, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def start(self, prompt: Sequence[int]) -> "MeteredSession":
        self.pay(len(prompt))
        return MeteredSession(self, self.model.start(prompt))

    def pay(self, tokens: int) -> None:
        if tokens:
            self.passes += 1
            self.cost += self.price * (1 + (tokens - 1) * PER_TOKEN)


class MeteredSession:
    """A session of a `Metered` model."""

    def __init__(self, model: Metered, session: Session):
        self._model, self._session = model, session

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def extend(self, tokens: Sequence[int], *tree: Sequence[int]) -> Rows:
        self._model.pay(len(tokens))
        return self._session.extend(tokens, *tree)


@dataclass(frozen=True)
class Counted:
    """Of one text or of several; costs in passes of the target over one token."""

    tokens: int = 0
    passes: int = 0  # of the target, but for the prompt's
    plain: float = 0.0  # cost without a draft
    verifying: float = 0.0  # of the target's passes
    drafting: float = 0.0  # of other models'

    @property
    def score(self) -> float:
        return self.plain / (self.verifying + self.drafting)

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(
            *(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True))
        )


# a drafter of (model, sampling) for one text
Play = Callable[[LanguageModel | None, Sampling], AbstractContextManager[Drafter | None]]


def counted(
    target: LanguageModel, model: LanguageModel | None, play: Play, rule: Rule, task: Task,
    stop_tokens: Sequence[int],
) -> Counted:  # fmt: skip
    """What a text costs.

    Raises:
        ValueError: of the drafter, or it cannot be priced.
    """
    verifying, drafting = Metered(target), model and Metered(model, price(model, target))
    with play(drafting, task.sampling) as drafter:
        rounds = list(
            generate(
                verifying, task.prompt, drafter, gamma=GAMMA, sampling=task.sampling, rule=rule,
                max_new_tokens=TOKENS, stop_tokens=stop_tokens, seed=task.seed,
            )
        )  # fmt: skip
    tokens = len(emitted_tokens(rounds))
    alone = Metered(target)
    alone.pay(len(task.prompt) - 1)
    drafted = drafting.cost if drafting else 0.0
    return Counted(tokens, len(rounds), alone.cost + tokens, verifying.cost, drafted)
