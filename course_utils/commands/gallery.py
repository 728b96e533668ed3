"""Every widget of the course, ready to show: on one page, in the tests, in the bench.

To show another one, write its line in `EXHIBITS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from course_utils.classroom.card import Card
from course_utils.classroom.live import live
from course_utils.classroom.stepper import stepper
from course_utils.decoding.contracts import Drafter, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.named import DRAFTERS
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.acceptance_rule.playground import playground
from course_utils.lessons.exact_proof.arena import arena
from course_utils.lessons.ngram_drafter.counted_words import counted_words
from course_utils.lessons.speedup_theory.explorer import speedup_explorer
from course_utils.lessons.speedup_theory.speedup_view import Preset, fitted_slope
from course_utils.lessons.start_here.race import race
from course_utils.measuring.recorded import recorded_bench, rows_of
from course_utils.models.characters import CharacterModel
from course_utils.models.pairs import Pair

GAMMA = 4
PROMPT = "class Stack:\n    def __init__(self):\n"


@dataclass(frozen=True)
class Exhibit:
    """A widget of the presenter's page."""

    name: str
    words: str  # Markdown above it: what to do, and a question to ask
    make: Callable[[Pair, int], Card]  # from a pair and a seed, at its default settings


def gallery(pair: Pair, seed: int = 0) -> dict[str, Card]:
    """The cards of `EXHIBITS`, by name.

    Raises:
        FileNotFoundError: no recorded bench for the speedup explorer's presets.
    """
    return {exhibit.name: exhibit.make(pair, seed) for exhibit in EXHIBITS}


def toy_stepper() -> Card:
    """The character simulator's sentence, under the seed that its lesson steps through."""
    target, draft = CharacterModel(), CharacterModel(accuracy=0.7)
    rounds = list(generate(target, [0], Sampled(draft), gamma=3, max_new_tokens=18, seed=19))
    return stepper(rounds, target.alphabet.decode)


def pair_stepper(pair: Pair, seed: int) -> Card:
    """Two Qwen3 models at temperature 1."""
    sampling = Sampling(temperature=1)
    drafter = Sampled(pair.draft, sampling)
    settings = {"gamma": GAMMA, "sampling": sampling, "max_new_tokens": 60, "seed": seed}
    rounds = generate(pair.target, pair.encode(PROMPT), drafter, **settings)
    return stepper(list(rounds), pair.decode)


def pair_race(pair: Pair) -> Card:
    """The same greedy text with and without the draft model, as timed here and now."""
    return race(greedy_run(pair), greedy_run(pair, Sampled(pair.draft, GREEDY)), pair.decode)


def greedy_run(pair: Pair, drafter: Drafter | None = None) -> list[Round]:
    """`PROMPT`, continued."""
    settings = {"gamma": GAMMA, "sampling": GREEDY, "max_new_tokens": 96}
    return list(generate(pair.target, pair.encode(PROMPT), drafter, **settings))


def live_pair(pair: Pair, seed: int) -> Card:
    """The pair, to type a prompt for; the draft model comes first."""
    drafters = {
        name: lambda sampling, d=drafter: d.make(d.model(pair.target, pair.draft), sampling)
        for name, drafter in sorted(DRAFTERS.items(), key=lambda item: item[0] != "model")
    }
    still = greedy_run(pair, Sampled(pair.draft, GREEDY))
    return live(
        pair.target, drafters, pair.encode, pair.decode, prompt=PROMPT, gamma=GAMMA,
        stop_tokens=pair.stop_tokens, seed=seed, still=still,
    )  # fmt: skip


def recorded_presets(report: Mapping[str, Any]) -> dict[str, Preset]:
    """The bench's settings with the draft model, and the speedups measured there."""
    presets = {}
    for setting, costs in report["costs"].items():
        temperature, dtype = setting.removeprefix("T=").split()
        rows = rows_of(report, float(temperature), dtype, who="course", kind="model")
        one, plain = costs["verify"][0], costs["host"]
        presets[f"trained pair, {setting}"] = Preset(
            alpha=sum(row["alpha"] for row in rows) / len(rows),
            c=costs["c"],
            slope=fitted_slope(dict(enumerate(costs["v"], start=1))),
            o=(plain + GAMMA * costs["host_per_draft"]) / one,
            plain_o=plain / one,
            gamma=GAMMA,
            measured=tuple((row["gamma"], row["decode_ratio"]) for row in rows),
        )
    return presets


# in the order in which they are shown
EXHIBITS = (
    Exhibit(
        "stepper",
        "## One round at a time\n\n"
        "Step with *next* and stop before each verdict. **Ask: which guesses will be "
        "accepted? Where does the next token come from?**",
        lambda pair, seed: toy_stepper(),
    ),
    Exhibit(
        "stepper of the pair",
        "### The same with two Qwen3 models\n\n"
        "Temperature 1, so the uniforms matter. **Ask: a guess with p < q was accepted. Is "
        "that a mistake?**",
        pair_stepper,
    ),
    Exhibit(
        "playground",
        "## Two distributions\n\n"
        "Lower a *q* and raise another, then draw samples. **Ask: can the draft be so bad "
        "that the output is no longer p?**",
        lambda pair, seed: playground(seed=seed),
    ),
    Exhibit(
        "arena",
        "## Right or wrong?\n\n"
        "Choose a decoder and cover the verdict. **Ask: the acceptance looks healthy. Would "
        "you ship it?**",
        lambda pair, seed: arena(),
    ),
    Exhibit(
        "speedup",
        "## What would it save?\n\n"
        "Start from the trained pair, then raise the draft's cost. **Ask: at which cost is "
        "it better not to draft?**",
        lambda pair, seed: speedup_explorer(recorded_presets(recorded_bench())),
    ),
    Exhibit(
        "race",
        "## Two runs, one text\n\n"
        "Both runs were timed when this page was opened. **Ask: the calls fell further than "
        "the time. Where did the rest go?**",
        lambda pair, seed: pair_race(pair),
    ),
    Exhibit(
        "n-grams",
        "## Drafts without a neural network\n\n"
        "Take a word away, or type a new sentence. **Ask: what will the table say in a "
        "context it has never seen?**",
        lambda pair, seed: counted_words(),
    ),
    Exhibit(
        "live",
        "## Live\n\n"
        "Type a prompt, start, stop. **Ask: which drafter for a list of numbers? Which for "
        "a poem?**",
        live_pair,
    ),
)
