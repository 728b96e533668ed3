"""The worked figures of the talk and of its handout: a round, a round to decide, a speedup."""

import json
import re
from ast import literal_eval
from dataclasses import dataclass
from pathlib import Path

from course_utils.classroom.round_view import Guess, guesses
from course_utils.decoding.loop import generate
from course_utils.decoding.theory import expected_tokens, speedup
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.acceptance_rule import little_language as language

# not from `authoring`: nbformat takes a second or two to load, and the talk begins with this
LESSONS = Path(__file__).parents[2] / "notebooks"
BOARD = ("03_acceptance_rule.ipynb", "cell-118")  # the lesson and the cell whose table it is
_ROW = re.compile(r"""^\s*('.*'|".*")\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\w+)$""")
_KINDS = {"accepted": "accepted", "rejected": "rejected", "not examined": "lost"}


@dataclass(frozen=True)
class LittleRound:
    """A round over ten words: the text before it, its guesses, and the token that ended it."""

    before: str
    guesses: tuple[Guess, ...]
    last: str
    last_kind: str  # "correction" or "bonus"

    @property
    def tokens(self) -> tuple[tuple[str, str], ...]:
        """(text, kind) of all: what was given, what became of each guess, and the last token."""
        given = [(word, "given") for word in self.before.split()]
        drafted = [(guess.text, _KINDS[guess.fate]) for guess in self.guesses]
        return (*given, *drafted, (self.last, self.last_kind))


def little_round(number: int = 2, seed: int = 0) -> LittleRound:
    """Round `number` of the run in lesson 03, "From one position to whole texts"."""
    prompt = [language.WORDS.index("the")]
    drafter = Sampled(language.DRAFT)
    run = list(generate(language.TARGET, prompt, drafter, gamma=4, max_new_tokens=12, seed=seed))
    before = prompt + [token for r in run[: number - 1] for token in r.emitted]
    this = run[number - 1]

    def decode(tokens: list[int]) -> str:
        return " ".join(language.WORDS[token] for token in tokens)

    return LittleRound(
        decode(before), guesses(this, decode), decode([this.emitted[-1]]), this.kinds[-1]
    )


def board() -> list[dict[str, str]]:
    """The round of two Qwen3 models that the room decides: token, q, p, p/q, u and verdict.

    As lesson 03 prints it, and as its stored output was tested.

    Raises:
        ValueError: the lesson's cell holds no such table.
    """
    lesson, cell = BOARD
    cells = json.loads((LESSONS / lesson).read_text("utf-8"))["cells"]
    outputs = next((c["outputs"] for c in cells if c["id"] == cell), [])
    text = "".join(outputs[0]["data"]["text/plain"]) if outputs else ""
    found = [match.groups() for match in map(_ROW.match, text.splitlines()) if match]
    if not found:
        raise ValueError(
            f"{lesson}: cell {cell} has no stored table of a round; `make notebooks` stores it"
        )
    names = ("token", "q", "p", "p/q", "u", "verdict")
    return [dict(zip(names, (literal_eval(row[0]), *row[1:]), strict=True)) for row in found]


def outcome(rows: list[dict[str, str]]) -> str:
    """What the board's round brings, in words."""
    accepted = sum(row["verdict"] == "accepted" for row in rows)
    last = "bonus" if accepted == len(rows) else "correction"
    return f"{accepted} accepted and a {last}: {accepted + 1} tokens from one pass of the target."


def worked_speedup(alpha: float = 0.8, gamma: int = 4, c: float = 0.1) -> dict[str, float]:
    """The formula of lesson 06 at one point: tokens per round, cost of a round, speedup."""
    return {
        "alpha": alpha,
        "gamma": gamma,
        "c": c,
        "tokens": expected_tokens(alpha, gamma),
        "cost": gamma * c + 1,
        "speedup": speedup(alpha, gamma, c),
    }
