"""The loop written again from an empty cell, on two tables; every path of it is walked.

An answer is the exact distribution over all that a few rounds can write, round by round.  So a
mistake is known by what it does, however it is written, a missing bonus as well: it changes
no text, only how many words a round has.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from itertools import islice

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.sampling import sample
from course_utils.proofs.enumeration import Uniform, in_sentences, outcomes
from course_utils.refused import Refused

MOST_ROUNDS = 20  # that are looked at; no case asks for so many
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
# Word 0 is drafted and never said: where every uniform is 0, only `<` rejects it.
NEVER = (np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [1.0, 0.0]]))
# (target, draft, prompt, gamma, rounds, every uniform or None: all of them); the first case can be
# followed by hand, and each longer prompt begins, ends and is sorted differently
CASES = (
    (*TWO, [0, 1], 1, 1, None),
    (*FOUR, [0, 3, 1, 2], 1, 1, None),
    (*TWO, [1, 0, 0, 1], 2, 2, None),
    (*FOUR, [2, 0, 0, 1], 2, 1, None),
    (*TWO, [0, 0, 1, 0, 1, 0], 3, 1, None),
    (*TWO, [0, 1], 1, 3, None),
    (*NEVER, [1, 0], 1, 1, 0.0),
)

FLAT = (
    "Return a list with the new words of each round: [[0, 1], [1]], a list of lists, and not one "
    "long text."
)
OF_ITS_OWN = (
    "With the same uniforms it wrote something else: use no random numbers but those of "
    "`uniform()`, one call for each decision."
)
REPEATED = 8  # texts that are written twice; numbers of one's own rarely repeat all of them
CHANGED = (
    "You change what you were given, the prompt or a table. Work on a copy: `list(prompt)`, and "
    "`p - q` in place of `p -= q`."
)
WHOLE = "Each round holds the prompt, too. Return the new words only."


def _walked(attempt: Callable, *case: object) -> Written | None:
    """The distribution over what is written."""
    found: dict[tuple, float] = {}
    *given, every = case

    def run(noise):
        mine = deepcopy(given)
        written = _written(attempt, *mine, lambda: Uniform(noise.path) if every is None else every)
        if repr(mine) != repr(given):
            raise Refused(CHANGED)
        return written

    if _differs(attempt, case):
        raise Refused(OF_ITS_OWN)
    for weight, written in outcomes(run):
        if written is None or written is ...:
            return written
        if not isinstance(written, list | tuple) or not all(
            isinstance(new, list | tuple | np.ndarray) for new in written
        ):
            raise Refused(FLAT)
        key = tuple(tuple(int(x) for x in new) for new in written)
        found[key] = found.get(key, 0.0) + weight
    prompt = tuple(given[2])
    if all(key and key[0][: len(prompt)] == prompt for key in found):
        raise Refused(WHOLE)
    return found


def _written(attempt: Callable, *given: object) -> object:
    """The answer; a generator's rounds as a list."""
    answer = attempt(*given)
    return list(islice(answer, MOST_ROUNDS)) if isinstance(answer, Iterator) else answer


def _differs(attempt: Callable, case: tuple) -> bool:
    """Does it write something else when it is given the same numbers again?"""
    for seed in range(REPEATED):
        first, again = (
            _written(attempt, *deepcopy(case[:-1]), numbers)
            for numbers in (np.random.default_rng(seed).random for _ in range(2))
        )
        if repr(first) != repr(again):
            return True
    return False


_remembered = cache(lambda attempt, i: _walked(attempt, *CASES[i]))


def _asked(attempt: Callable, *case: object) -> Written | None:
    known = any(attempt is one for one in (decode, *check_rebuilt_loop.known.values()))
    if known:
        place = next(i for i, one in enumerate(CASES) if one[2:] == case[2:])
        return _remembered(attempt, place)
    return in_sentences(lambda: _walked(attempt, *case), OF_ITS_OWN)


def _same(given: object, right: object) -> bool:
    if isinstance(given, dict) and isinstance(right, dict):
        every = {*given, *right}
        return sum(abs(given.get(k, 0.0) - right.get(k, 0.0)) for k in every) < 1e-9
    return given == right


def _told(answer: object, target, draft, prompt, gamma: int, rounds: int, every) -> str:
    """Of an unknown mistake: the first place that is wrong, and by how much."""
    right = _remembered(decode, next(i for i, c in enumerate(CASES) if c[2:] == (
        prompt, gamma, rounds, every)))  # fmt: skip
    lengths = {len(key) for key in answer}
    if lengths != {rounds}:
        return f"it writes {', '.join(map(str, sorted(lengths)))} rounds, not {rounds}."
    longest = max(len(new) for key in answer for new in key)
    if longest > gamma + 1:
        return f"a round writes {longest} words; gamma + 1 are the most."
    found = {len(new) for key in answer for new in key}
    for n in range(1, gamma + 2) if every is None else ():
        if n not in found:
            why = f"guess {n} is the first to be rejected, a correction takes its place and ends"
            if n > gamma:
                why = "the whole draft is accepted, a bonus ends"
            return f"no round has the length {n}. Where {why} the round."
    for place in range(rounds):
        for what, of in (("the first word", lambda new: new[:1]), ("the words", tuple)):
            mine, wanted = ({}, {})
            for found, source in (mine, answer), (wanted, right):
                for key, weight in source.items():
                    found[of(key[place])] = found.get(of(key[place]), 0.0) + weight
            if not _same(mine, wanted):
                gap = max({*mine, *wanted}, key=lambda k: abs(mine.get(k, 0) - wanted.get(k, 0)))
                shown = f"{what} of round {place + 1} {'is' if what[-1] == 'd' else 'are'}"
                said = gap[0] if what == "the first word" and gap else [*gap]
                return (
                    f"{shown} {said} with probability {mine.get(gap, 0):.3f}, not "
                    f"{wanted.get(gap, 0):.3f}."
                )
    return "each round is right by itself, and the rounds do not fit together: what is passed on?"


# Pieces of the solution.
JUDGED = "p, q = target[last], draft[last]"
ACCEPTS = "uniform() < p[x] / q[x]"
CORRECTED = "sample(left / left.sum(), uniform())"
BONUS = "new.append(sample(target[new[-1]], uniform()))"
check_rebuilt_loop = Exercise(
    "rebuilt_loop",
    cases=CASES,
    solution=decode,
    mistakes={
        "A word with p = 0 is accepted if the uniform is exactly 0. Accept it if the uniform is "
        "BELOW p/q.": (ACCEPTS, "uniform() <= p[x] / q[x]"),
        "No round has gamma + 1 words. Draft gamma words; where all of them are accepted, a bonus "
        "follows, from the target's last row.": (BONUS, "pass"),
        "You judge the words behind a rejection, too. The first rejection ends the round.": (
            (
                "                break\n            new.append(x)",
                "            else:\n                new.append(x)",
            ),
            (
                "        else:\n            " + BONUS,
                "        if new == guesses:\n            " + BONUS,
            ),
        ),
        "You start behind word 0, whatever the prompt is. The first row is that of the prompt's "
        "last word.": ("list(prompt), []", "[0], []"),
        "You start behind the first word of the prompt. The text goes on behind its last one.": (
            ("list(prompt), []", "list(prompt[:1]), []")
        ),
        "You start behind the largest word of the prompt: it is sorted. Take it as it is.": (
            ("list(prompt), []", "sorted(prompt), []")
        ),
        "Every round begins at the prompt again. The words of a round belong to the text: the next "
        "one begins behind them.": ("text += new", "pass"),
        "The next round begins behind the whole draft, the rejected words as well. Only what the "
        "round writes becomes text.": ("text += new", "text += guesses"),
        "Every draft begins behind the prompt. From the second round on it follows the text.": (
            ("[*text, *guesses][-1]", "[*prompt, *guesses][-1]")
        ),
        "You draft the likeliest words of q, and they are judged as if they were drawn. Draw each "
        "from its row: sample(row, uniform()).": (
            "sample(row, uniform())",
            "int(row.argmax())",
        ),
        "You draft from the target's rows. The guesses are drawn from the draft's.": (
            ("draft[[*text, *guesses][-1]]", "target[[*text, *guesses][-1]]")
        ),
        "All words of a draft are drawn from the same row. The second follows the first: each "
        "row is that of the word before.": ("[*text, *guesses][-1]", "text[-1]"),
        "The first guess is judged by the rows behind the last one (is it guesses[-1]?). Before "
        "you judge, go back to the last word of the text.": (
            ("[*text, *new][-1]", "[*text, *(new or guesses)][-1]")
        ),
        "Both rows are one place too late: they are those of the drafted word itself. A word is "
        "judged by the rows of the word before it.": (JUDGED, "p, q = target[x], draft[x]"),
        "While you judge you never move on: each guess, and the bonus, takes the rows behind the "
        "text. They are those of the word before it.": (
            (JUDGED, "p, q = target[text[-1]], draft[text[-1]]"),
            (BONUS, "new.append(sample(target[text[-1]], uniform()))"),
        ),
        "p and q are swapped: p is the target's row, q the draft's.": (
            (JUDGED, "p, q = draft[last], target[last]")
        ),
        "The q of a word is the row that it was drawn from, the row of the word *before* it. You "
        "took the row behind the text for all of them.": (
            JUDGED,
            "p, q = target[last], draft[text[-1]]",
        ),
        "The q of a word is the row that it was drawn from. You took the row of the word itself, "
        "one place too late.": (JUDGED, "p, q = target[last], draft[x]"),
        "Every word is judged by the target's row behind the text. Word i is judged by the row of "
        "the word before it.": (JUDGED, "p, q = target[text[-1]], draft[last]"),
        "Every word is judged by the rows behind the text, of p and of q. Word i is judged by the "
        "rows of the word before it.": (JUDGED, "p, q = target[text[-1]], draft[text[-1]]"),
        "The target's row is one place too late: it is the row of the drafted word itself, and it "
        "is about the word after it.": (JUDGED, "p, q = target[x], draft[last]"),
        "You accept where the uniform is ABOVE p/q. It is the low ones that accept: u < p/q.": (
            (ACCEPTS, "uniform() > p[x] / q[x]")
        ),
        "You accept with q/p. It is p/q: what the draft offers too often is accepted rarely.": (
            (ACCEPTS, "uniform() < q[x] / p[x]")
        ),
        "You compare the uniform with p(x). It is p(x)/q(x).": (ACCEPTS, "uniform() < p[x]"),
        "You accept where p ≥ q, without a uniform. Where p is below q, the word is accepted with "
        "probability p/q.": (ACCEPTS, "p[x] >= q[x]"),
        "You accept every drafted word: these are the draft's texts.": (ACCEPTS, "True"),
        "One uniform judges a whole draft. Ask for a fresh one for each word.": (
            ("guesses, new = [], []", "guesses, new, u = [], [], uniform()"),
            (ACCEPTS, "u < p[x] / q[x]"),
        ),
        "The uniform that rejects a word also draws its correction. Ask for a fresh one.": (
            (
                "            if not " + ACCEPTS,
                "            u = uniform()\n            if not u < p[x] / q[x]",
            ),
            (CORRECTED, "sample(left / left.sum(), u)"),
        ),
        "The correction is drawn from p. Accepted words have used up a part of p: draw from the "
        "residual.": (CORRECTED, "sample(p, uniform())"),
        "The correction is drawn from q. Draw it from what p still lacks, the residual.": (
            (CORRECTED, "sample(q, uniform())")
        ),
        "The correction is drawn from |p − q|. Where q is the larger nothing is lacking: 0.": (
            ("(p - q).clip(min=0)", "abs(p - q)")
        ),
        "The correction is drawn from p without the rejected word. The draft offers other words "
        "too often as well: draw from the residual.": (
            ("(p - q).clip(min=0)", "np.where(np.arange(len(p)) == x, 0, p)")
        ),
        "After a rejection your words are those of q: the rejected word stays, or the residual is "
        "turned round. Draw from what p still lacks, norm((p − q)+).": ("(p - q)", "(q - p)"),
        "The correction is the likeliest word of the residual. It must be drawn.": (
            (CORRECTED, "int(left.argmax())")
        ),
        "The bonus is the likeliest word. It must be drawn.": (
            BONUS,
            "new.append(int(target[new[-1]].argmax()))",
        ),
        "The bonus is drawn from a residual. No word was offered there, so all of p is left: draw "
        "from the target's row behind the last guess.": (
            BONUS,
            "new.append(sample((p - q).clip(min=0), uniform()))",
        ),
        "The bonus is drawn from the row that has judged the last guess. It follows this guess: "
        "take the row behind it.": (BONUS, "new.append(sample(p, uniform()))"),
        "The bonus is drawn from the draft's row. It is the target's own.": (
            BONUS,
            "new.append(sample(draft[new[-1]], uniform()))",
        ),
        "The bonus is drawn from the row behind the text. It follows the whole draft: take the row "
        "of the last drafted word.": (BONUS, "new.append(sample(target[text[-1]], uniform()))"),
        "The rejected word stays in the text, and the correction behind it. The correction takes "
        "its place.": (
            "                new.append(sample(left",
            "                new += [x]\n                new.append(sample(left",
        ),
        "A bonus follows a rejection, too. After a correction the round is over: no row was "
        "computed behind it.": ("        else:\n            " + BONUS, "        " + BONUS),
        "After a rejection nothing is written. Each round has one word at least, the correction.": (
            ("new.append(sample(left / left.sum(), uniform()))", "pass")
        ),
        "You return the drafted words. What a round writes are the accepted ones, and a correction "
        "or a bonus.": ("written.append(new)", "written.append(guesses)"),
        CHANGED: ("list(prompt), []", "prompt, []"),
        FLAT: ("written.append(new)", "written += new"),
        WHOLE: ("written.append(new)", "written.append(text)"),
    },
    insight="Every path of your loop was walked, and each text comes out exactly as often as it "
    "should. Lesson 04 writes that walk.",
    call=_asked,
    equal=_same,
    explain=_told,
    describe_case=lambda target, draft, prompt, gamma, rounds, every: (
        f"target = {target.tolist()}, draft = {draft.tolist()}, prompt = {prompt}, "
        f"gamma = {gamma}, rounds = {rounds}"
        + ("," if every is None else f", uniforms all {every},")
    ),
)
