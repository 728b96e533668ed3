"""Every widget of the course, ready to show: on one page, in the tests, in the bench."""

from collections.abc import Mapping
from typing import Any

from course_utils.classroom.card import Card
from course_utils.classroom.live import live
from course_utils.classroom.stepper import stepper
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.named import DRAFTERS
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.acceptance_rule.playground import playground
from course_utils.lessons.exact_proof.arena import arena
from course_utils.lessons.exact_proof.exam import MENU, examine
from course_utils.lessons.ngram_drafter.checks import SENTENCES
from course_utils.lessons.ngram_drafter.explorer import explorer
from course_utils.lessons.speedup_theory.explorer import Preset, fitted_slope, speedup_explorer
from course_utils.lessons.start_here.race import race
from course_utils.measuring.recorded import recorded_bench, rows_of
from course_utils.models.characters import CharacterModel
from course_utils.models.n_grams import NGram
from course_utils.models.pairs import Pair

GAMMA = 4
PROMPT = "class Stack:\n    def __init__(self):\n"


def gallery(pair: Pair, seed: int = 0) -> dict[str, Card]:
    """A card a widget, by name, at its default settings.

    Raises:
        FileNotFoundError: no recorded bench for the speedup explorer's presets.
    """
    return {
        "stepper": toy_stepper(),
        "stepper of the pair": pair_stepper(pair, seed),
        "playground": playground(seed=seed),
        "arena": arena(MENU, examine),
        "speedup": speedup_explorer(recorded_presets(recorded_bench())),
        "race": pair_race(pair),
        "n-grams": counted_words(),
        "live": live_pair(pair, seed=seed),
    }


def toy_stepper() -> Card:
    """The character simulator's sentence, under the seed that its lesson steps through."""
    target, draft = CharacterModel(), CharacterModel(accuracy=0.7)
    rounds = list(generate(target, [0], Sampled(draft), gamma=3, max_new_tokens=18, seed=19))
    return stepper(rounds, target.alphabet.decode)


def pair_stepper(pair: Pair, seed: int = 0) -> Card:
    """Two Qwen3 models at temperature 1."""
    sampling = Sampling(temperature=1)
    drafter = Sampled(pair.draft, sampling)
    settings = {"gamma": GAMMA, "sampling": sampling, "max_new_tokens": 60, "seed": seed}
    rounds = generate(pair.target, pair.encode(PROMPT), drafter, **settings)
    return stepper(list(rounds), pair.decode)


def pair_race(pair: Pair) -> Card:
    """The same greedy text with and without the draft model, as timed here and now."""
    tokens, settings = pair.encode(PROMPT), {"sampling": GREEDY, "max_new_tokens": 96}
    plain = list(generate(pair.target, tokens, **settings))
    drafted = list(generate(pair.target, tokens, Sampled(pair.draft, GREEDY), **settings))
    return race(plain, drafted, pair.decode)


def counted_words() -> Card:
    """The five sentences of the lesson on n-grams; words are typed with blanks between them."""
    words = list(dict.fromkeys(word for sentence in SENTENCES for word in sentence))
    number = {word: i for i, word in enumerate(words)}
    texts = [[number[word] for word in sentence] for sentence in SENTENCES]
    return explorer(
        lambda n, discount: NGram(texts, n, len(words), discount),
        lambda tokens, longest: PromptLookup(longest).find(tokens),
        lambda text: [number[word] for word in text.split()],
        lambda tokens: " ".join(words[token] for token in tokens),
        ["<s> 我 喜欢", "<s> 他 喜欢 吃", "我 喜欢 吃 苹果 </s> <s> 我 喜欢"],
    )


def live_pair(pair: Pair, seed: int = 0) -> Card:
    """The pair, to type a prompt for; the draft model comes first."""
    drafters = {
        name: lambda sampling, d=drafter: d.make(d.model(pair.target, pair.draft), sampling)
        for name, drafter in sorted(DRAFTERS.items(), key=lambda item: item[0] != "model")
    }
    return live(
        pair.target, drafters, pair.encode, pair.decode, prompt=PROMPT,
        stop_tokens=pair.stop_tokens, seed=seed,
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
