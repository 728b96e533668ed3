"""The talk of fifty minutes, slide by slide; notebooks/instructor.md has the same plan.

`make present` shows `deck`; its static page is made from `deck_states`.  A slide with a scene says
how the scene is made, and so the talk is also the list of all scenes: the site and the tests read
it.  Only *live* needs the trained pair, and with it torch; all speeds are recorded.
"""

import os
from functools import partial
from typing import TYPE_CHECKING

from course_utils.classroom.deck import Board, Deck, Line, Slide, deck_data
from course_utils.classroom.live import PROMPTS, live
from course_utils.classroom.memory_scene import where_time_goes
from course_utils.classroom.quiz import questions
from course_utils.classroom.rounds import round_json, stepper
from course_utils.classroom.scene import Scene
from course_utils.decoding.batch import generate_batch
from course_utils.decoding.loop import generate
from course_utils.decoding.rules import RECURSIVE_REJECTION
from course_utils.decoding.trees import widths
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.drafters.registry import DRAFTERS
from course_utils.drafters.tree import Tree
from course_utils.lessons.acceptance_rule.playground import playground
from course_utils.lessons.batched_speculation.batch_view import batch_scene
from course_utils.lessons.production_engines.calculator_view import calculator_scene
from course_utils.lessons.speedup_theory.explorer import speedup_explorer
from course_utils.lessons.start_here.figures import word_rounds
from course_utils.lessons.start_here.race import recorded_race
from course_utils.lessons.what_tests_see.arena import arena
from course_utils.measuring.recorded import recorded_bench
from course_utils.models.toys import word_pair
from course_utils.models.toys.tables import Separately
from course_utils.theory.sizes import ON_AN_H200

if TYPE_CHECKING:
    from course_utils.writing.writing import Pair

ADDRESS = "COURSE_ADDRESS"  # an environment variable, set by `present --address`
PAIR = "the trained pair: two Qwen3 models"  # named on a slide while it loads
TITLE = "Speculative decoding"
HANDS = "a show of hands, then →"
RULE = (
    "The draft writes γ tokens, each drawn from its own q.",
    "One pass of the target gives p for each of them. From left to right: "
    "accept x if u < p(x)/q(x).",
    "After the first rejection: draw the correction from norm((p − q)₊) and discard the rest.",
    "If none is rejected: draw a bonus from the last row of p.",
)
# Lesson 03's last round, which the room decides: token, p/q, uniform, verdict.  It is copied here
# because the talk starts before any model is loaded; a test compares the two.
BOARD = (
    ("kwargs", "0.982", "0.386", "accepted"),
    ("):\n", "0.752", "0.307", "accepted"),
    ("       ", "1", "0.894", "accepted"),
    (" r", "0.178", "0.442", "rejected"),
)
OUTCOME = "3 accepted and a correction: 4 tokens from one pass of the target."
# A test computes these numbers: bandwidth and arithmetic over weights, the formula of lesson 06.
SPEED = "An H200 writes at most 597 tokens per second. Its arithmetic alone would allow 123,000."
LOSSES = (
    Line("The draft is as slow as the target: 0.67 times as fast.", "numbered"),
    Line("The text is hard to guess, α = 0.3: 1.02 times.", "numbered"),
    Line(
        "The batch is full: it shares the weights anyway and waits for wrong guesses.", "numbered"
    ),
    Line("α = 0.8, γ = 4, c = 0.1 unless stated otherwise; verification counts as free.", "note"),
    Line("Measure it: your models, your texts, your load.", "large"),
)

GAMMA = 4
TREE_WIDTHS = (2, 2, 2)  # children of each node, level by level
TREE_SEED, BATCH_SEED = 74, 86  # seeds of runs that show what a test requires
SLOTS = 4
BEGINNINGS = (
    "the cat sat on the", "the dog", "the bird sang", "the cat lay by the", "the dog looked at",
    "the bird sat on the", "the cat slept", "the dog lay",
)  # fmt: skip


def slides(address: str | None = None, seed: int = 0) -> tuple[Slide, ...]:
    """Return the slides in the order of the plan; those of 0 minutes are in reserve.

    Args:
        address: of the course, for the last slide.
        seed: of the live decoder.
    """
    return (
        Slide("opening", TITLE, 2, lines=(
            Line(f"For every word, Qwen3-4B reads {ON_AN_H200.target.size / 1e9:.0f} GB.", "large"),
            Line(f"Those are all of its weights. {SPEED}"),
            Line("What if a small model, the draft, guessed a few tokens, and one pass of the"
                 " large model, the target, checked them all?"),
            Line(look="tokens", tokens=opening_tokens()),
            Line("What does that do to the text, and to the time?", "large"),
            Line("Built into vLLM, SGLang, llama.cpp and transformers.", "note"),
        ), say="why each token reads all weights; what the colours mean; no laptop needed"),
        Slide("same_text", "Before we look", 2, say=HANDS, question=questions()["same_text"]),
        Slide("race", "Two runs: what differs?", 4, "Fewer calls. How many times as fast?",
              "take bets, then → and let it run to the end", recorded_race),
        Slide("memory", "Where the time goes", 4, "One token in a pass, or five: how much longer?",
              "a pass reads all weights once, however many tokens it checks", memory),
        Slide("live", "Live", 5, "On which text does a draft gain nothing?",
              "→ runs it with and without the draft; then a text from the room",
              partial(live_pair, seed=seed), PAIR),
        Slide("first_guess_wrong", "Inside one round", 2, say=HANDS,
              question=questions()["first_guess_wrong"]),
        Slide("round", "One round at a time", 4, "What comes next? Decide before each verdict.",
              "one round, step by step; stop before each verdict", one_round),
        Slide("rule", "The rule", 2,
              lines=tuple(Line(text, "numbered", at) for at, text in enumerate(RULE)),
              say="line by line; the room says each one before → shows it"),
        Slide("distributions", "Two distributions", 6,
              "How bad must a draft be before the output is no longer p?",
              "min(p, q), the residual, the proof term by term; then *disjoint*, *certain draft*",
              playground),
        Slide("verdicts", "Right or wrong?", 5, "Acceptance looks perfect. Would you ship it?",
              "vote on *resample from p*, then on *residual swapped*", arena),
        Slide("speedup", "What would it save?", 3, "At what cost is it better not to draft?",
              "raise the cost of the draft until no draft length pays", speedup_explorer),
        Slide("calculator", "Where drafting stops paying", 4,
              "From what batch size does a draft of four tokens lose?",
              "take guesses, then show every K; then the limit on the wait per token",
              calculator_scene),
        Slide("losses", "When it does not pay", 2, lines=LOSSES,
              ask="Which of the three is your case?", say="one example of each from the room"),
        Slide("board", "Your turn", 4, lines=(
            Line("Which drafts are accepted? What comes next? How many tokens?", "note"),
            Line(OUTCOME, at=1),
        ), board=Board(("token", "p/q", "u", "verdict"), BOARD, (0, 0, 0, 1)),
            ask="Alone, on paper. Then compare with a neighbour.",
            say="each person decides the round on paper; then → shows the verdicts"),
        Slide("tonight", "Tonight", 1, lines=(
            *([Line(address)] if address else []),
            Line("make lab", "code"),
            Line("Start with lesson 00. In lesson 03 you write the rule,"
                 " in lesson 04 a program proves it."),
            Line("Speed depends on the draft; the text does not.", "large"),
        ), say="`make lab`, and lesson 00 tonight"),
        Slide("tree", "In reserve: a tree of guesses", 0,
              "The first child is rejected. Is the round over?",
              "level by level, one pass, then the verdicts from the root", small_tree),
        Slide("batch", "In reserve: several texts in one pass", 0,
              "One row is done. Who waits for whom?",
              "static batching to the end, then continuous", small_batch),
    )  # fmt: skip


def deck(pair: str = "tiny", seed: int = 0) -> Deck:
    """Return the talk for a page with a kernel; scenes are built when first shown."""
    planned = slides(os.environ.get(ADDRESS), seed)
    return Deck(TITLE, planned, lambda: loaded_pair(pair))


def deck_states(pair: "Pair", address: str | None = None) -> dict[str, object]:
    """Return `Scene.stored` of the deck with all scenes, for a page without a kernel."""
    planned = slides(address)
    drawn = (slide for slide in planned if slide.kind != "words")
    states = {slide.key: slide.build(lambda: pair).stored for slide in drawn}
    data = deck_data(TITLE, planned) | {"whole": True, "states": states}
    return {"scene": "deck", "data": data, "alt": TITLE}


def scenes(pair: "Pair | None" = None) -> dict[str, Scene]:
    """Return all scenes by name but the questions; without a pair, those that need none."""
    drawn = (slide for slide in slides() if slide.kind == "scene" and (pair or not slide.loads))
    return {slide.key: slide.build(lambda: pair) for slide in drawn}


# --- scenes that no lesson has


def one_round() -> Scene:
    """Return the word pair's first round, step by step."""
    return stepper(word_rounds()[:1], word_pair.joined, prompt=word_pair.PROMPT, between=" ")


def small_tree() -> Scene:
    """Return the word pair's first round with a tree: a guess is wrong, its sibling right."""
    shape = widths(TREE_WIDTHS)
    run = generate(
        word_pair.target(), word_pair.encode(word_pair.PROMPT), Tree(word_pair.draft(), shape),
        gamma=len(shape), max_new_tokens=24, stop_tokens=word_pair.encode("."),
        seed=TREE_SEED, rule=RECURSIVE_REJECTION, rows=True,
    )  # fmt: skip
    return stepper(list(run)[:1], word_pair.joined, prompt=word_pair.PROMPT, between=" ")


def small_batch() -> Scene:
    """Return eight prompts in four slots; each row ends with its sentence."""
    prompts = [word_pair.encode(text) for text in BEGINNINGS]
    run = generate_batch(
        Separately(word_pair.target()), prompts, BatchSampled(Separately(word_pair.draft())),
        slots=SLOTS, gamma=GAMMA, max_new_tokens=24, seed=BATCH_SEED,
        stop_tokens=word_pair.encode("."),
    )  # fmt: skip
    return batch_scene(run, word_pair.decode, prompts, SLOTS)


def memory() -> Scene:
    """Return the memory scene: Qwen3-4B on an H200, computed, and the trained pair, measured.

    Raises:
        FileNotFoundError: no bench is recorded.
    """
    report = recorded_bench()
    machine, passes = report["machine"], report["costs"]["T=0 float32"]["verify"]
    cores = f"{machine['threads']} core{'s' * (machine['threads'] > 1)}"
    where = f"the course's target on {cores} of an {machine['processor']}"
    return where_time_goes(dict(enumerate(passes, start=1)), where)


def live_pair(pair: "Pair", seed: int = 0) -> Scene:
    """Return the live scene of a pair, with the draft model first."""
    from course_utils.writing.writing import guessing_model

    drafters = {
        name: partial(kind.make, guessing_model(kind, pair))
        for name, kind in sorted(DRAFTERS.items(), key=lambda item: item[0] != "model")
        if kind.of_the_pair
    }
    layers = [getattr(model, "layers", None) for model in (pair.target, pair.draft)]
    models = "Target: {} layers. Draft: {} layers.".format(*layers) if all(layers) else ""
    return live(
        pair.target, drafters, pair.encode, pair.decode, prompt=PROMPTS["code"], gamma=GAMMA,
        stop_tokens=pair.stop_tokens, seed=seed, models=models,
    )  # fmt: skip


def loaded_pair(name: str = "tiny") -> "Pair":
    """Load a pair for the presenter's page, and set torch's threads."""
    from course_utils.commands.choices import set_threads
    from course_utils.writing.writing import load_pair

    set_threads(None, name)
    return load_pair(name, dtype="float32")


def opening_tokens() -> tuple[tuple[str, str], ...]:
    """Return (text, kind) for the word pair's prompt and its first round."""
    first, *_ = word_rounds()
    prompt = [(word, "given") for word in word_pair.PROMPT.split()]
    drafted = [(one["text"], one["fate"]) for one in round_json(first, word_pair.joined)["guesses"]]
    return (*prompt, *drafted, (word_pair.joined(first.emitted[-1:]), first.kinds[-1]))
