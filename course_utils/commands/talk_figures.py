"""The worked figures of the talk and of its handout: a round, a round to decide, a speedup.

The talk begins before any model is loaded, so the round to decide lies in data/board.json;
`python -m course_utils.commands.talk_figures` writes it, with the pair that there is.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from course_utils.classroom.files import write_whole
from course_utils.classroom.stepper import Guess, guesses
from course_utils.decoding.loop import generate
from course_utils.decoding.theory import expected_tokens, speedup
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.acceptance_rule import little_language as language

if TYPE_CHECKING:
    from course_utils.models.pairs import Pair

BOARD = Path(__file__).parents[2] / "data" / "board.json"
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
    """The round of two Qwen3 models that the room decides: token, q, p, p/q, u and verdict."""
    return [
        {
            "token": guess.text,
            "q": f"{guess.q:.3g}",
            "p": f"{guess.p:.3g}",
            "p/q": f"{guess.p / guess.q:.3g}",
            "u": f"{guess.uniform:.3g}",
            "verdict": guess.fate,
        }
        for guess in (Guess(**row) for row in json.loads(BOARD.read_text("utf-8")))
    ]


def round_to_decide(pair: "Pair") -> tuple[Guess, ...]:
    """The guesses of lesson 03's last round: of its run, the one whose rejection came latest."""
    from course_utils.models.prompts import held_out_prompts

    prompt = pair.encode(held_out_prompts("code")[1])
    run = generate(pair.target, prompt, Sampled(pair.draft), gamma=4, max_new_tokens=48, seed=0)
    ended = [r for r in run if r.kinds[-1] == "correction"]
    return guesses(max(ended, key=lambda r: r.accepted), pair.decode)


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


if __name__ == "__main__":
    from course_utils.models.pairs import load_pair

    found = [asdict(guess) for guess in round_to_decide(load_pair("tiny"))]
    write_whole(BOARD, json.dumps(found, indent=1) + "\n")
