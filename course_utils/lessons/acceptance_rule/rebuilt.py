"""The loop written again from an empty cell, on two tables; the check walks every path of it.

An answer is the exact distribution over everything that a few rounds can write.  So a mistake is
recognised by its effect, however it is written.
"""

from collections.abc import Callable
from types import EllipsisType

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.trial import call_strictly, deviation, distribution
from course_utils.decoding.contracts import NoiseSource
from course_utils.decoding.sampling import sample
from course_utils.proofs.enumeration import Uniform, distribution_distance
from course_utils.refused import require


def decode(
    target: np.ndarray, draft: np.ndarray, prompt: list[int], gamma: int, rounds: int,
    uniform: Callable,
) -> list[list[int]]:  # fmt: skip
    """Two tables, a prompt -> the new words of each round, a list of lists."""
    text, written = list(prompt), []
    for _ in range(rounds):
        guesses, new = [], []
        for _ in range(gamma):
            row = draft[[*text, *guesses][-1]]
            guesses.append(sample(row, uniform()))
        for x in guesses:
            last = [*text, *new][-1]
            p, q = target[last], draft[last]
            if not uniform() < p[x] / q[x]:
                left = (p - q).clip(min=0)
                new.append(sample(left / left.sum(), uniform()))
                break
            new.append(x)
        else:
            new.append(sample(target[new[-1]], uniform()))
        text += new
        written.append(new)
    return written


# A row for the next word after each word, no two alike.  Of four words q offers two too rarely and
# two too often, each by a different amount; a word that repeats itself can be of either kind.
TWO = (np.array([[0.75, 0.25], [0.375, 0.625]]), np.array([[0.5, 0.5], [0.625, 0.375]]))
FOUR = (
    np.array([[6, 4, 3, 3], [2, 4, 6, 4], [5, 2, 6, 3], [3, 7, 2, 4]]) / 16,
    np.array([[3, 2, 5, 6], [5, 6, 4, 1], [4, 5, 2, 5], [6, 3, 1, 6]]) / 16,
)
# (target, draft, prompt, gamma, rounds); the first can be checked by hand, and the longer prompts
# have different first, last and lowest words
CASES = (
    (*TWO, [0, 1], 1, 1),
    (*FOUR, [0, 3, 1, 2], 1, 1),
    (*TWO, [1, 0, 0, 1], 2, 2),
    (*FOUR, [2, 0, 0, 1], 2, 1),
)

FLAT = "Return a list of lists with the new words of each round, as in [[0, 1], [1]]."


def written(attempt: Callable, *case: object) -> dict | EllipsisType | None:
    """Return the distribution over the words of each round, {((0, 1), (1,)): 0.25}."""

    def run(noise: NoiseSource) -> object:
        rounds = call_strictly(attempt, *case, lambda: Uniform(noise.path))
        if rounds is None or rounds is ...:
            return rounds
        require(all(np.ndim(new) == 1 for new in rounds), FLAT)
        return tuple(tuple(map(int, new)) for new in rounds)

    return distribution(run)


def _first_deviation(answer: dict, *case: object) -> str:
    end = len(case[0])  # of a round, as a word

    def place(after: tuple[int, ...], word: int) -> str:
        text = " ".join("|" if x == end else str(x) for x in after)
        next_word = "the round ends" if word == end else f"the next word is {word}"
        return f"once it has written [{text}] (a bar ends a round), {next_word} with"

    texts, truth = (
        {tuple(word for new in rounds for word in (*new, end)): w for rounds, w in paths.items()}
        for paths in (answer, written(decode, *case))
    )
    return (deviation(texts, truth, place) or "it writes too many rounds") + "."


CORRECTED = "sample(left / left.sum(), uniform())"
BONUS = "new.append(sample(target[new[-1]], uniform()))"
check_rebuilt_loop = Exercise(
    "rebuilt_loop",
    cases=CASES,
    solution=decode,
    mistakes={
        "No round has gamma + 1 words. If all gamma drafted words are accepted, draw a bonus from "
        "the target's last row.": f"{BONUS} → pass",
        "You draw all guesses from the row of the last word of the text. From the second guess on, "
        "the word before is itself a guess: "
        "draw from its row.": "draft[[*text, *guesses][-1]] → draft[text[-1]]",
        "You judge all guesses by the rows of the last word of the text, and draw the bonus there. "
        "Take the rows of the word before each: for guess i that is guess i - "
        "1.": "[*text, *new][-1] → text[-1]; target[new[-1]] → target[text[-1]]",
        "You judge all guesses with one uniform. Once it has accepted a guess it is known to be "
        "small, so the decisions depend on each other. "
        "Draw a fresh one for each guess.": "for x in guesses → "
        "u = uniform()\n        for x in guesses; if not uniform() → if not u",
        "You draw the correction from p. Accepted words already cover a part of p: draw from the "
        "residual.": f"{CORRECTED} → sample(p, uniform())",
        "Every round starts at the prompt again. Append the words of a round to the text: the next "
        "round starts after them.": "text += new → pass",
    },
    insight="Every path of your loop was walked, and each text has exactly the probability it "
    "should have. In lesson 04 you write that walk.",
    call=written,
    equal=lambda answer, right: distribution_distance(answer, right) < 1e-9,
    explain=_first_deviation,
    describe_case=lambda target, draft, prompt, gamma, rounds: (
        f"target = {target.tolist()}, draft = {draft.tolist()}, prompt = {prompt}, "
        f"gamma = {gamma}, rounds = {rounds},"
    ),
)
