"""The loop written again from an empty cell, on two tables; every path of it is walked.

An answer is the exact distribution over all that a few rounds can write, round by round.  So a
mistake is known by what it does, however it is written.
"""

from collections.abc import Callable
from copy import deepcopy

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.plain import plain
from course_utils.decoding.sampling import sample
from course_utils.proofs.enumeration import (
    Uniform,
    distribution_distance,
    in_sentences,
    merge_paths,
    outcomes,
)
from course_utils.proofs.program_faults import first_deviation
from course_utils.refused import Refused

Written = dict[tuple[tuple[int, ...], ...], float]  # the words of each round -> probability


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
# two too often, and each by another number; what follows itself is now the one and now the other.
TWO = (np.array([[0.75, 0.25], [0.375, 0.625]]), np.array([[0.5, 0.5], [0.625, 0.375]]))
FOUR = (
    np.array([[6, 4, 3, 3], [2, 4, 6, 4], [5, 2, 6, 3], [3, 7, 2, 4]]) / 16,
    np.array([[3, 2, 5, 6], [5, 6, 4, 1], [4, 5, 2, 5], [6, 3, 1, 6]]) / 16,
)
# (target, draft, prompt, gamma, rounds); the first can be followed by hand, and each longer prompt
# begins, ends and is sorted differently
CASES = (
    (*TWO, [0, 1], 1, 1),
    (*FOUR, [0, 3, 1, 2], 1, 1),
    (*TWO, [1, 0, 0, 1], 2, 2),
    (*FOUR, [2, 0, 0, 1], 2, 1),
)

FLAT = (
    "Return a list with the new words of each round: [[0, 1], [1]], a list of lists, and not one "
    "long text."
)
OF_ITS_OWN = (
    "With the same uniforms it wrote something else: use no random numbers but those of "
    "`uniform()`, one call for each decision."
)
CHANGED = (
    "You change what you were given, the prompt or a table. Work on a copy: `list(prompt)`, and "
    "`p - q` in place of `p -= q`."
)


def _walked(attempt: Callable, *case: object) -> Written | None:
    """The distribution over what is written."""

    def run(noise):
        mine = deepcopy(case)
        written = plain(attempt(*mine, lambda: Uniform(noise.path)))
        if repr(mine) != repr(case):
            raise Refused(CHANGED)
        if written is None or written is ...:
            return written
        if any(np.ndim(new) != 1 for new in written):
            raise Refused(FLAT)
        return tuple(tuple(map(int, new)) for new in written)

    found = in_sentences(lambda: merge_paths(outcomes(run)), OF_ITS_OWN)
    return next((blank for blank in (None, ...) if blank in found), found)


def _first_deviation(answer: Written, *case: object) -> str:
    end = len(case[0])  # of a round, as a word
    laws = [
        {tuple(word for new in rounds for word in (*new, end)): weight for rounds, weight in law}
        for law in (answer.items(), _walked(decode, *case).items())
    ]
    if not (place := first_deviation(*laws)):
        return "it writes more rounds than that."
    written = [[]]
    for word in place.after:
        written = [*written, []] if word == end else [*written[:-1], [*written[-1], word]]
    apart = np.subtract(place.observed, place.wanted)
    word = int(abs(apart).argmax())
    what = "the round ends" if word == end else f"the next word is {word}"
    odds = f"{place.observed[word]:.3f}, not {place.wanted[word]:.3f}"
    return f"once it has written {written} {what} with probability {odds}."


CORRECTED = "sample(left / left.sum(), uniform())"
BONUS = "new.append(sample(target[new[-1]], uniform()))"
check_rebuilt_loop = Exercise(
    "rebuilt_loop",
    cases=CASES,
    solution=decode,
    mistakes={
        "No round has gamma + 1 words. Draft gamma words; where all of them are accepted, a bonus "
        "follows, from the target's last row.": (BONUS, "pass"),
        "All guesses follow the last word of the text. Each is drawn from the row of the word "
        "before it, and from the second on that is a guess.": (
            "draft[[*text, *guesses][-1]]",
            "draft[text[-1]]",
        ),
        "All guesses are judged by the rows of the last word of the text, and the bonus is drawn "
        "from there. Guess i has the rows of the word before it, guess i - 1.": (
            ("[*text, *new][-1]", "text[-1]"),
            ("target[new[-1]]", "target[text[-1]]"),
        ),
        "One uniform judges all guesses: the one that accepts a guess says too much about the "
        "next. Ask for a fresh one for each.": (
            ("for x in guesses", "u = uniform()\n        for x in guesses"),
            ("if not uniform()", "if not u"),
        ),
        "The correction is drawn from p. Accepted words have used up a part of p: draw from the "
        "residual.": (CORRECTED, "sample(p, uniform())"),
        "Every round begins at the prompt again. The words of a round belong to the text: the next "
        "one begins behind them.": ("text += new", "pass"),
    },
    insight="Every path of your loop was walked, and each text comes out exactly as often as it "
    "should. Lesson 04 writes that walk.",
    call=_walked,
    equal=lambda given, right: distribution_distance(given, right) < 1e-9,
    explain=_first_deviation,
    describe_case=lambda target, draft, prompt, gamma, rounds: (
        f"target = {target.tolist()}, draft = {draft.tolist()}, prompt = {prompt}, "
        f"gamma = {gamma}, rounds = {rounds},"
    ),
)
