"""Chains, trees and heads side by side: what each brings, what it costs, what a clock says.

Tokens and costs are taken from some texts, and with them the speed is predicted; the clock runs on
others.  All ways take turns on each text.  The first round of each text is left out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import Drafter, LanguageModel, Round, Rule
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.rules import MULTI_PATH_MATCH, RECURSIVE_REJECTION
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.trees import Parents
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import Expanded, Tree
from course_utils.measuring.protocol import PARTS, part_seconds, rounds_in_turns

PLAIN = "no draft"
Make = Callable[[], Drafter | None]


def rule_for(sampling: Sampling) -> Rule:
    """At temperature 0 the longest path of the target's own likeliest tokens."""
    return RECURSIVE_REJECTION if sampling.temperature else MULTI_PATH_MATCH


def rounds_of(
    target: LanguageModel, make: Make, texts: Iterable[Sequence[int]], sampling: Sampling,
    new_tokens: int, gamma: int = 64, rule: Rule | None = None,
) -> list[Round]:  # fmt: skip
    """All rounds but the first of each text, in which a draft reads the prompt."""
    rounds: list[Round] = []
    for seed, text in enumerate(texts):
        run = generate(
            target, text, make(), gamma=gamma, sampling=sampling, max_new_tokens=new_tokens,
            seed=seed, rule=rule or rule_for(sampling),
        )  # fmt: skip
        rounds += list(run)[1:]
    return rounds


@dataclass(frozen=True)
class Budget:
    """A round in passes of the target over one token, and the speed over plain decoding."""

    name: str
    nodes: float  # per round
    tokens: float  # per round, on the texts of the clock
    draft: float
    verify: float
    host: float
    predicted: float
    measured: float
    known_tokens: float  # per round, on the texts of the prediction

    @property
    def c(self) -> float:
        """The draft's time per guess, in passes of the target."""
        return self.draft / self.nodes if self.nodes else 0.0


def ways(
    draft: LanguageModel, heads: Mapping[str, LanguageModel], gammas: Mapping[str, int],
    tree: Parents, head_trees: Mapping[str, Parents], sampling: Sampling,
) -> dict[str, Make]:  # fmt: skip
    """A chain and a tree of each that drafts."""

    def chained(model: LanguageModel) -> Make:
        return lambda: Sampled(model, sampling)

    def treed(model: LanguageModel, shape: Parents) -> Make:
        return lambda: Tree(model, shape, sampling)

    made: dict[str, Make] = {PLAIN: lambda: None}
    made[f"draft model, chain of {gammas['draft']}"] = chained(draft)
    made[f"draft model, tree of {len(tree)}"] = treed(draft, tree)
    for name, model in heads.items():
        made[f"{name}, chain of {gammas[name]}"] = chained(model)
        if name in head_trees:
            made[f"{name}, tree of {len(head_trees[name])}"] = treed(model, head_trees[name])
    return made


def gamma_of(name: str) -> int:
    """The number at the end of a way's name: its nodes."""
    return int(name.rsplit(" ", 1)[1]) if name != PLAIN else 1


def expanded(model: LanguageModel, nodes: int, levels: int, width: int, how: Sampling) -> Make:
    """EAGLE-2's tree: another in each round."""
    return lambda: Expanded(model, width, levels, nodes, how)


def compared(
    target: LanguageModel, makes: Mapping[str, Make], known: Sequence[Sequence[int]],
    timed: Sequence[Sequence[int]], sampling: Sampling, new_tokens: int,
) -> list[Budget]:  # fmt: skip
    """Each way on the texts `known`, for the prediction, and on `timed`, for the clock."""

    def run(name: str, text: Sequence[int], _: int) -> list[Round]:
        return rounds_of(target, makes[name], [text], sampling, new_tokens, gamma_of(name))

    runs = rounds_in_turns(makes, run, known, timed, f"T = {sampling.temperature:g}")
    t = part_seconds(runs[PLAIN][0], "verify")
    alone, plain = (_per_token(side) for side in runs[PLAIN])
    found = []
    for name, (first, second) in runs.items():
        if name == PLAIN:
            continue
        m = summarise(first)
        parts = [part_seconds(first, part) / t for part in PARTS]
        tokens = m.tokens_per_round
        found.append(
            Budget(
                name, m.drafted / m.rounds, summarise(second).tokens_per_round, *parts,
                tokens / sum(parts) * alone / t, plain / _per_token(second), tokens,
            )
        )  # fmt: skip
    return sorted(found, key=lambda budget: -budget.measured)


def _per_token(rounds: Sequence[Round]) -> float:
    """Seconds of a round over the mean of its tokens."""
    return part_seconds(rounds) / summarise(rounds).tokens_per_round
