"""`bench --trees`: chains, trees and heads in one table, predicted and measured.

Also how often the child of each rank is accepted, from which the trees are shaped
(`BY_RANK` in `drafters.named` is that of the trained pair at temperature 1).
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.optimal_trees import sequoia
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.tree_speed import acceptance_by_rank, rank_counts
from course_utils.decoding.trees import star
from course_utils.drafters.named import BY_RANK, LEVELS, WIDTH
from course_utils.drafters.tree import Tree
from course_utils.lessons.trees_and_heads import reckoning
from course_utils.lessons.trees_and_heads.shapes import Make, rounds_of
from course_utils.lessons.trees_and_heads.shipped import guessers
from course_utils.measuring.passages import choosing_and_reporting
from course_utils.measuring.protocol import machine
from course_utils.models.pairs import load_pair

RANKS = len(BY_RANK)
DRAFT = "draft"  # the draft model, as `reckoning.ways` names it


@dataclass(frozen=True)
class Extent:
    """How much is measured."""

    per_kind: int  # prompts of code, and of prose, to predict from; and as many to time
    new_tokens: int
    gammas: Sequence[int]  # of chains
    nodes: Sequence[int]  # of trees


FULL, QUICK = Extent(4, 64, (1, 2, 3, 4, 6), (4, 6, 10)), Extent(1, 16, (2, 4), (6,))


def trees(options: Namespace, dtypes: Sequence[str]) -> Iterator[dict[str, object]]:
    """The report after each dtype and temperature."""
    begin, extent = now(), QUICK if options.quick else FULL
    missing = [f"T={t:g} {dtype}" for dtype in dtypes for t in options.temperatures]
    report = {
        "command": " ".join(["python -m course_utils bench --trees", *["--quick"] * options.quick]),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "prompts": 2 * extent.per_kind,
        "new_tokens": extent.new_tokens,
        "settings": [],
    }
    for dtype in dtypes:
        pair = load_pair("tiny", dtype=dtype)
        target, found = guessers(pair)
        known, timed = (
            [pair.encode(text) for text in side] for side in choosing_and_reporting(extent.per_kind)
        )
        for temperature in options.temperatures:
            how = Sampling(temperature)
            models = {DRAFT: pair.draft} | {name: g.model for name, g in found.items()}
            tried = {
                name: stars(target, model, known, how, extent.new_tokens)
                for name, model in models.items()
            }
            rates = {name: by_rank(rounds) for name, rounds in tried.items()}
            steps = {name: guesser.steps for name, guesser in found.items()}
            makes = grid(models, steps, rates, extent, how)
            budgets = reckoning.compared(target, makes, known, timed, how, extent.new_tokens)
            report["settings"].append(
                {
                    "temperature": temperature,
                    "dtype": dtype,
                    "by_rank": rates,
                    "parents": {name: rank_counts(r, 1)[0][1] for name, r in tried.items()},
                    "rows": [asdict(budget) | {"c": budget.c} for budget in budgets],
                }
            )
            missing.pop(0)
            yield report | {"missing": [*missing], "seconds": now() - begin}


def stars(
    target: LanguageModel, draft: LanguageModel, texts: Sequence[Sequence[int]], how: Sampling,
    new_tokens: int,
) -> list[Round]:  # fmt: skip
    """Rounds with as many candidates for each next token as `BY_RANK` has."""
    return rounds_of(target, lambda: Tree(draft, star(RANKS), how), texts, how, new_tokens)


def by_rank(rounds: Sequence[Round]) -> list[float]:
    """As `acceptance_by_rank`; 0 where nothing was ever reached."""
    return [rate or 0.0 for rate in acceptance_by_rank(rounds, RANKS)]


def grid(
    models: Mapping[str, LanguageModel], steps: Mapping[str, int],
    rates: Mapping[str, Sequence[float]], extent: Extent, how: Sampling,
) -> dict[str, Make]:  # fmt: skip
    """Chains of every gamma and trees of every size, of the draft model and of each head.

    Args:
        models: the heads, and the draft model as `DRAFT`.
        steps: of each head, the most guesses in a row that it was trained for.
        rates: acceptance by rank of each, from which its trees are shaped.
    """
    draft, heads = models[DRAFT], {name: models[name] for name in steps}
    made: dict[str, Make] = {}
    for gamma in extent.gammas:
        gammas = {DRAFT: gamma} | {name: min(gamma, most) for name, most in steps.items()}
        for nodes in extent.nodes:
            shapes = {name: sequoia(rates[name], nodes, most) for name, most in steps.items()}
            made |= reckoning.ways(draft, heads, gammas, sequoia(rates[DRAFT], nodes), shapes, how)
    for nodes in extent.nodes:
        made[f"draft model, expanded tree of {nodes}"] = reckoning.expanded(
            draft, nodes, LEVELS, WIDTH, how
        )
    return made
