"""The talk of fifty minutes, slide by slide; notebooks/instructor.md has the same plan.

`make present` shows `deck`; its static page is made from `deck_states`.
"""

import os
from typing import TYPE_CHECKING

from course_utils.classroom.deck import (
    QUESTION,
    SCENE,
    WORDS,
    Board,
    Deck,
    Line,
    Slide,
    deck_data,
)
from course_utils.classroom.quiz import Question, QuizScene, questions
from course_utils.classroom.scene import Scene
from course_utils.classroom.stepper import Guess, guesses
from course_utils.commands import gallery
from course_utils.commands.present import ADDRESS
from course_utils.lessons import small_rounds as world
from course_utils.lessons.small_rounds import small_rounds
from course_utils.theory.sizes import ON_AN_H200

if TYPE_CHECKING:
    from course_utils.writing.pair import Pair

TITLE = "Speculative decoding"
RULE = (
    "The draft writes γ tokens, each drawn from its own q.",
    "One pass of the target gives p for each of them. From left to right: "
    "accept x if u < p(x)/q(x).",
    "After the first rejection: draw the correction from norm((p − q)₊) and discard the rest.",
    "If none is rejected: draw a bonus from the last row of p.",
)
# Lesson 03's last round, which the room decides: text, q, p, uniform and fate.  It is copied here
# because the talk starts before any model is loaded; a test compares the two.
BOARD = (
    Guess("kwargs", 0.96804, 0.950607, 0.38591, "accepted"),
    Guess("):\n", 0.743535, 0.558997, 0.307353, "accepted"),
    Guess("       ", 0.994976, 0.998702, 0.893826, "accepted"),
    Guess(" r", 0.0171938, 0.00306607, 0.441552, "rejected"),
)
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
# Quiz questions from the lessons, by name.
QUESTIONS = {name: questions()[name] for name in ("same_text", "first_guess_wrong")}


def slides(address: str | None = None) -> tuple[Slide, ...]:
    """Return the slides in the order of the plan; those of 0 minutes are in reserve.

    Args:
        address: of the course, for the last slide.
    """
    home = [Line(address)] if address else []
    table = tuple((g.text, f"{g.p / g.q:.3g}", f"{g.uniform:.3g}", g.fate) for g in BOARD)
    return (
        _words("opening", TITLE, 2, (
            Line(f"For every word, Qwen3-4B reads {ON_AN_H200.target.size / 1e9:.0f} GB.", "large"),
            Line(f"Those are all of its weights. {SPEED}"),
            Line("What if a small model, the draft, guessed a few tokens, and one pass of the"
                 " large model, the target, checked them all?"),
            Line(look="tokens", tokens=opening_tokens()),
            Line("What does that do to the text, and to the time?", "large"),
            Line("Built into vLLM, SGLang, llama.cpp and transformers.", "note"),
        ), say="why each token reads all weights; what the colours mean; no laptop needed"),
        _question(QUESTIONS["same_text"], "Before we look", 2),
        _scene("race", "Two runs: what differs?", 4, "Fewer calls. How many times as fast?",
               "take bets, then → and let it run to the end"),
        _scene("memory", "Where the time goes", 4, "One token in a pass, or five: how much longer?",
               "a pass reads all weights once, however many tokens it checks"),
        _scene("live", "Live", 5, "On which text does a draft gain nothing?",
               "→ runs it with and without the draft; then a text from the room"),
        _question(QUESTIONS["first_guess_wrong"], "Inside one round", 2),
        _scene("round", "One round at a time", 4, "What comes next? Decide before each verdict.",
               "one round, step by step; stop before each verdict"),
        _words("rule", "The rule", 2,
               tuple(Line(text, "numbered", at) for at, text in enumerate(RULE)),
               say="line by line; the room says each one before → shows it"),
        _scene("distributions", "Two distributions", 6,
               "How bad must a draft be before the output is no longer p?",
               "min(p, q), the residual, the proof term by term; then *disjoint*, *certain draft*"),
        _scene("verdicts", "Right or wrong?", 5, "Acceptance looks perfect. Would you ship it?",
               "vote on *resample from p*, then on *residual swapped*"),
        _scene("speedup", "What would it save?", 3, "At what cost is it better not to draft?",
               "raise the cost of the draft until no draft length pays"),
        _scene("calculator", "Where drafting stops paying", 4,
               "From what batch size does a draft of four tokens lose?",
               "take guesses, then show every K; then the limit on the wait per token"),
        _words("losses", "When it does not pay", 2, LOSSES, ask="Which of the three is your case?",
               say="one example of each from the room"),
        _words("board", "Your turn", 4, (
            Line("Which drafts are accepted? What comes next? How many tokens?", "note"),
            Line(outcome(BOARD), at=1),
        ), Board(("token", "p/q", "u", "verdict"), table, (0, 0, 0, 1)),
            ask="Alone, on paper. Then compare with a neighbour.",
            say="each person decides the round on paper; then → shows the verdicts"),
        _words("tonight", "Tonight", 1, (
            *home,
            Line("make lab", "code"),
            Line("Start with lesson 00. In lesson 03 you write the rule,"
                 " in lesson 04 a program proves it."),
            Line("Speed depends on the draft; the text does not.", "large"),
        ), say="`make lab`, and lesson 00 tonight"),
        _scene("tree", "In reserve: a tree of guesses", 0,
               "The first child is rejected. Is the round over?",
               "level by level, one pass, then the verdicts from the root"),
        _scene("batch", "In reserve: several texts in one pass", 0,
               "One row is done. Who waits for whom?",
               "static batching to the end, then continuous"),
    )  # fmt: skip


def deck(pair: str = "tiny", seed: int = 0) -> Deck:
    """Return the talk for a page with a kernel; scenes are built when first shown."""

    def make(key: str) -> Scene:
        if question := QUESTIONS.get(key):
            return QuizScene(question)
        return gallery.exhibit(key, lambda: gallery.load_once(pair), seed)

    return Deck(TITLE, slides(os.environ.get(ADDRESS)), make)


def deck_states(pair: "Pair", seed: int = 0, address: str | None = None) -> dict[str, object]:
    """Return `Scene.stored` of the deck with all scenes, for a page without a kernel."""
    scenes = gallery.gallery(pair, seed) | {n: QuizScene(q) for n, q in QUESTIONS.items()}
    states = {key: scene.stored for key, scene in scenes.items()}
    data = deck_data(TITLE, slides(address)) | {"whole": True, "states": states}
    return {"scene": "deck", "data": data, "alt": TITLE}


def _scene(key: str, title: str, minutes: int, ask: str, say: str) -> Slide:
    loads = gallery.PAIR if gallery.BY_NAME[key].of_the_pair else ""
    return Slide(key, SCENE, title, minutes, ask, say, loads)


def _question(question: Question, title: str, minutes: int) -> Slide:
    return Slide(question.name, QUESTION, title, minutes, say="a show of hands, then →")


def _words(
    key: str, title: str, minutes: int, lines: tuple[Line, ...], board: Board | None = None,
    ask: str = "", say: str = "",
) -> Slide:  # fmt: skip
    return Slide(key, WORDS, title, minutes, ask, say, lines=lines, board=board)


# --- the figures of the talk --------------------------------------------------------------

KINDS = {"accepted": "accepted", "rejected": "rejected", "not examined": "lost"}  # {fate: kind}


def opening_tokens() -> tuple[tuple[str, str], ...]:
    """Return (text, kind) for the small world's prompt and its first round."""
    first, *_ = small_rounds()
    prompt = [(word, "given") for word in world.PROMPT.split()]
    drafted = [(guess.text, KINDS[guess.fate]) for guess in guesses(first, world.words)]
    return (*prompt, *drafted, (world.words(first.emitted[-1:]), first.kinds[-1]))


def outcome(rows: tuple[Guess, ...]) -> str:
    """Return the result of the board's round as a sentence."""
    accepted = sum(guess.fate == "accepted" for guess in rows)
    last = "bonus" if accepted == len(rows) else "correction"
    return f"{accepted} accepted and a {last}: {accepted + 1} tokens from one pass of the target."
