"""What is examined of a decoder beyond tables that can be enumerated: texts, round by round.

First on made-up models of the pair's vocabulary, where a round costs next to nothing:
filters, stop tokens, long contexts, late rounds.  Then on the pair itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt

import numpy as np
from tqdm import tqdm

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rules import RULES
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.proofs.blindness import AIMED, Blind, try_others
from course_utils.proofs.decoders import Decoder, record_run
from course_utils.proofs.round_checks import Seen, look_at
from course_utils.proofs.scores import Scores
from course_utils.proofs.synthetic import shifted_pair
from course_utils.proofs.table_checks import Check
from course_utils.proofs.ties import SAFETY

QWENS_OWN = Sampling(0.6, top_k=20, top_p=0.95)  # what Qwen3's generation config asks for
PLAIN, COOLER, BY_SHARE = Sampling(), Sampling(0.7), Sampling(min_p=0.05)


def drawn_settings(seed: int) -> list[Sampling]:
    """Temperatures and filters that differ from seed to seed, spread over what is in use: each by
    itself, then together."""
    rng = np.random.default_rng([seed, 1])

    def between(*edges: float) -> list[float]:
        return [round(float(rng.uniform(*ends)), 3) for ends in pairwise(edges)]

    heats, ranks = between(0.1, 0.4, 0.7, 1.0, 1.3, 1.6, 2.0), between(2, 8, 24, 60)
    masses, floors = between(0.2, 0.5, 0.8, 0.99), between(0.002, 0.02, 0.3)
    found = [Sampling(heat) for heat in heats]
    found += [Sampling(top_k=round(rank)) for rank in ranks]
    found += [Sampling(top_p=mass) for mass in masses]
    found += [Sampling(min_p=floor) for floor in floors]
    together = Sampling(heats[2], round(ranks[2]), masses[2])
    return [*found, together, Sampling(heats[3], min_p=floors[0])]


@dataclass(frozen=True)
class Rounding:
    """How far rounding can move a row between a pass over one token and one over several."""

    mean: float  # TV of the rows of p, over a text
    largest: float  # TV
    logits: float  # of the lead of the likeliest token


# Measured on the trained pair: float32 6e-7, 3e-6, 2e-5; bfloat16 0.007, 0.05, 0.2.  Larger
# models round more.
ROUNDING = {
    "float64": Rounding(1e-12, 1e-9, 1e-9),
    "float32": Rounding(1e-5, 1e-3, 0.01),
    "float16": Rounding(0.005, 0.05, 0.2),
    "bfloat16": Rounding(0.03, 0.2, 1.0),
}
LEANING = 2e-3  # tilt of the rows that rounding may leave on average


@dataclass(frozen=True)
class Task:
    """A text to write and the rounds of it in which guesses are exchanged."""

    sampling: Sampling
    prompt: Sequence[int]
    length: int
    seed: int
    stop_tokens: tuple[int, ...] = ()
    exchanged: Sequence[int] = ()  # rounds; those that the text does not have are left out
    likely: Sequence[float] = AIMED


def examine(
    decoder: Decoder,
    target: LanguageModel,
    draft: LanguageModel | None,
    tasks: Sequence[Task],
    gamma: int,
    where: str,
) -> tuple[list[Check], Seen]:
    """Write the texts, look at every round, exchange guesses; `where` names the checks."""
    seen, blind = Seen(), Blind()
    for task in tqdm(tasks, where, leave=False, disable=None):
        run = record_run(
            decoder, target, draft, task.prompt, task.sampling, task.length,
            gamma=gamma, seed=task.seed, stop_tokens=task.stop_tokens,
        )  # fmt: skip
        look_at(run, seen)
        there = [index for index in task.exchanged if index < len(run.rounds)]
        blind += try_others(run, there, task.likely)
    first, *others = _checks(decoder, target, seen, blind, where)
    longest = max(len(task.prompt) + task.length for task in tasks)
    first = replace(first, settings=tuple({task.sampling for task in tasks}), longest=longest)
    return [first, *others], seen


def affordable(vocabulary_size: int) -> float:
    """The share of an examination that is left where a row costs more, from .1 to 1."""
    return max(0.1, min(1.0, 8192 / vocabulary_size))


def made_up(
    vocabulary_size: int, stop_token: int, seed: int, gamma: int = 4,
    asked: Sequence[Sampling] = (),
) -> list[tuple[str, tuple[LanguageModel, LanguageModel], list[Task]]]:  # fmt: skip
    """(name, target and draft, tasks) of the examinations on models without weights.

    The first has few tokens, so that its text is long: what is done only after hundreds
    of rounds is done in it.  The last texts are so short that there is no room for gamma
    guesses: a round at a text's end, whose past is drafted again in no time.
    """
    share = affordable(vocabulary_size)
    context = np.random.default_rng(seed).integers(0, vocabulary_size, 700).tolist()
    late = Task(PLAIN, (1, 2, 3), 2500, seed + 5, (), (0, 30, 500), (0.1, 0.01, 1e-3))
    every = [
        Task(PLAIN, context[:3], int(500 * share), seed, (), (0, 1, 7, 40)),
        Task(QWENS_OWN, context[:9], int(160 * share), seed + 1, (stop_token,), (0, 5)),
        Task(BY_SHARE, context[:5], int(160 * share), seed + 2, (), (0, 5)),
        Task(COOLER, context, int(160 * share), seed + 3, (stop_token,), (0, 5)),
        Task(GREEDY, context[:2], int(100 * share), seed + 4),
    ]
    every += [
        Task(sampling, context[i : i + 5], int(40 * share), seed + 7 + i, (), (0,))
        for i, sampling in enumerate([*asked, *drawn_settings(seed)])
    ]
    every += [
        Task(PLAIN, context[:first], length, seed + length, (), (0,))
        for first in (3, len(context))
        for length in range(2, gamma + 1)
    ]
    return [
        ("48 tokens", shifted_pair(48, seed), [late]),
        (f"{vocabulary_size} tokens", shifted_pair(vocabulary_size, seed + 10), every),
    ]


def on_the_pair(
    prompts: Sequence[Sequence[int]], context: int, stop_tokens: Sequence[int], seed: int,
    asked: Sequence[Sampling] = (),
) -> list[Task]:  # fmt: skip
    """The texts that a real pair is asked for: each prompt sampled, every other one cooler
    too, some under filters, and one at the end of a long text, as far as the context allows."""
    stop = tuple(stop_tokens)
    tasks = [
        Task(sampling, prompt, 96, seed + i, (), (0, 2, 9) if i % 4 == 0 else ())
        for sampling, step in ((PLAIN, 1), (COOLER, 2))
        for i, prompt in enumerate(prompts[::step])
    ]
    tasks += [Task(sampling, prompt, 64, seed + 400, stop, (1,))
              for sampling in asked for prompt in prompts[:2]]  # fmt: skip
    tasks += [Task(QWENS_OWN, prompt, 64, seed + 100, stop, (1, 6)) for prompt in prompts[:3]]
    tasks += [Task(BY_SHARE, prompt, 48, seed + 200, stop, (1,)) for prompt in prompts[-2:]]
    joined = [token for prompt in prompts for token in prompt] * (1 + context // 100)
    long = joined[: max(1, min(context, 2048) - 100)]
    return [*tasks, Task(PLAIN, long, 64, seed + 300, (), (0, 4))]


def _checks(
    decoder: Decoder, target: LanguageModel, seen: Seen, blind: Blind, where: str
) -> Iterator[Check]:
    """What was seen, as checks with their thresholds."""
    n = seen.rounds
    exactly = f"one round in {_one_in(n)}"
    known = any(rule.name == decoder.rule.name for rule in RULES)
    yield _none(f"{where}: rounds with wrong rows", seen.wrong_rows, exactly)
    yield _none(f"{where}: rounds with other uniforms", seen.wrong_uniforms, exactly)
    own = "its uniform draws another guess: are there random numbers of its own, or is q untrue?"
    yield _none(f"{where}: rounds with guesses not from q", seen.wrong_draws, exactly, False, own)
    rule = "" if known else "by a rule that is none of the course's, so the rounds prove nothing"
    decided = f"{where}: rounds decided otherwise"
    yield _none(decided, seen.wrong_decisions, exactly, known, rule)
    if blind.tried or blind.unlike:
        tried = f"one guess in {_one_in(blind.tried)}"
        saw, unlike = blind.changed, blind.unlike
        yield _none(f"{where}: drafts that saw their guess", saw, tried, detail=blind.first)
        yield _none(f"{where}: drafts that do not replay", unlike, "", False, blind.first)
    yield from _rows(target, seen, where)
    yield from tested(seen.scores, where)


def tested(cases: Iterable[Scores], where: str) -> Iterator[Check]:
    """Of each case with enough scores: are they even, and what would have been seen?"""
    for scores in cases:
        test = scores.test()
        if test is not None:
            least = scores.seen()
            yield Check(
                f"{where}: {scores.direction} (chi-square)",
                test.passed, test.statistic, test.threshold,
                sees=f"TV {least:.3f} {scores.direction}" if least < 1 else "",
            )  # fmt: skip


def _rows(target: LanguageModel, seen: Seen, where: str) -> Iterator[Check]:
    """Are rows scored alone and rows in a round the same but for rounding?  In the worst
    text, so that one long text among many short ones is not averaged away."""
    rounding = ROUNDING[number_format(target)]
    name = f"{where}: row alone, row in a round"
    mean = max(float(np.mean(apart)) for apart in seen.apart)
    yield Check(f"{name} (mean TV)", mean <= rounding.mean, mean, rounding.mean)
    most = max(max(apart) for apart in seen.apart)
    yield Check(f"{name} (largest TV)", most <= rounding.largest, most, rounding.largest)
    moved = seen.noise / SAFETY
    yield Check(f"{name} (logits)", moved <= rounding.logits, moved, rounding.logits)
    leaning = [(abs(float(np.mean(tilt))), _sampling_error(tilt)) for tilt in seen.tilt]
    tilt, error = max(leaning, key=lambda pair: pair[0] - pair[1])
    yield Check(f"{where}: row in a round is colder by", tilt <= error, tilt, error)


def _sampling_error(tilt: Sequence[float]) -> float:
    """How far the mean of rounding's tilts may be from 0: six standard errors, and a little."""
    return 6 * float(np.std(tilt)) / sqrt(len(tilt)) + LEANING


def number_format(target: LanguageModel) -> str:
    """In which the target computes: "float64" for tables, else its dtype's name.

    A format that is not in `ROUNDING` is taken for float32, which must explain more.
    """
    name = str(getattr(target, "dtype", "float64")).removeprefix("torch.")
    return name if name in ROUNDING else "float32"


def _none(name: str, figure: int, sees: str, decisive: bool = True, detail: str = "") -> Check:
    return Check(name, figure == 0, figure, 0, sees, decisive, detail if figure else "")


def _one_in(n: int) -> int:
    """Faults in one of so many would have been among n, 99 times in 100."""
    return max(1, int(1 / (1 - 0.01 ** (1 / n)))) if n else 1
