"""Checks of this elective: the next block of Jacobi decoding, and a pool of old answers."""

from collections.abc import Sequence

from course_utils.classroom.exercise import Exercise


def next_block(answers: Sequence[int], accepted: int, gamma: int, last: int) -> list[int]:
    """The answers behind those that came into the text; what is missing is `last` again."""
    block = answers[accepted + 1 :]
    return (block + [last] * gamma)[:gamma]


check_next_block = Exercise(
    "next_block",
    cases=[
        ([7, 3, 9, 4, 5], 0, 4, 7),
        ([7, 3, 9, 4, 5], 2, 4, 9),
        ([7, 3, 9, 4, 5], 4, 4, 5),
        ([], 0, 3, 2),
        ([1, 2, 3, 4, 5], 0, 2, 1),
        ([8], 0, 3, 8),
    ],
    right=next_block,
    mistakes={
        "You propose what is in the text already: answers[accepted] is the token that the round "
        "emitted last, and the guesses stand behind it.": (
            "answers[accepted + 1 :]", "answers[accepted:]"
        ),
        "One answer is lost: the first that was not used is answers[accepted + 1].": (
            "answers[accepted + 1 :]", "answers[accepted + 2 :]"
        ),
        "You take all answers, as if no guess had been accepted.": (
            "answers[accepted + 1 :]", "answers[1:]"
        ),
        "Return exactly gamma guesses: fill what is missing with `last`.": (
            "(block + [last] * gamma)[:gamma]", "block[:gamma]"
        ),
        "Return exactly gamma guesses: there may be more answers than are asked for.": (
            "(block + [last] * gamma)[:gamma]", "block + [last] * (gamma - len(block))"
        ),
        "What is missing stands at the END of the block: the answers keep their places.": (
            "(block + [last] * gamma)[:gamma]", "([last] * (gamma - len(block)) + block)[-gamma:]"
        ),
    },
    shown=lambda answers, accepted, gamma, last: (
        f"answers = {answers}, accepted = {accepted}, gamma = {gamma}, last = {last}"
    ),
    insight="No second model: the guesses are what a wasted pass has computed.",
)  # fmt: skip


def pool_guesses(seen: Sequence[tuple], last: int, gamma: int) -> list[int]:
    """Follow what the target answered to each token, the latest answer of all, from `last` on."""
    pool = {}
    for drafted, answers in seen:
        pool.update(zip(drafted, answers[1:]))
    guesses = []
    while len(guesses) < gamma and last in pool:
        last = pool[last]
        guesses.append(last)
    return guesses


_SEEN = [((4, 4), (1, 6, 6)), ((6, 2), (6, 2, 9)), ((3, 5), (3, 5, 1)), ((8, 2), (2, 7, 4))]

check_pool_guesses = Exercise(
    "pool_guesses",
    cases=[
        (_SEEN[:1], 4, 3),
        (_SEEN[:2], 6, 4),
        (_SEEN[:3], 3, 2),
        (_SEEN, 8, 3),
        (_SEEN, 2, 4),
        (_SEEN, 9, 3),
        ([((1, 0), (1, 0, 1))], 0, 4),
        ([((4, 4), (1, 6, 7))], 4, 2),  # two answers to 4 in one round
        ([((4, 4), (1, 5, 6)), ((4, 4), (0, 6, 7))], 4, 1),  # 5 the first, 6 the most frequent
        ([((6, 2), (5, 1, 3))], 2, 2),  # a guess behind a rejection has an answer, too
        ([], 5, 3),
    ],
    right=pool_guesses,
    mistakes={
        "Answer 0 follows the text, not a guess: what follows drafted[i] is answers[i + 1].": (
            "zip(drafted, answers[1:])", "zip(drafted, answers)"
        ),
        "You keep only the last round. What the target has ever answered is in the pool.": (
            "pool.update(", "pool = dict("
        ),
        "The latest answer counts. Yours keeps the first.": (
            "pool.update(zip(drafted, answers[1:]))",
            "[pool.setdefault(*pair) for pair in zip(drafted, answers[1:])]",
        ),
        "You leave out guesses that were rejected, or stand behind one. The target has answered to "
        "them as well.": (
            "zip(drafted, answers[1:])",
            "[(x, y) for x, a, y in zip(drafted, answers, answers[1:]) if x == a]",
        ),
        "One guess is not enough: go on from the guess itself, up to gamma of them.": (
            "guesses.append(last)", "return [last]"
        ),
        "You return more than gamma guesses, or never end where the pool has a loop.": (
            "len(guesses) < gamma", "len(guesses) < gamma + 1"
        ),
        "`last` is in the text already. The first guess is what follows it.": (
            "    last = pool[last]\n        guesses.append(last)",
            "    guesses.append(last)\n        last = pool[last]",
        ),
    },
    shown=lambda seen, last, gamma: f"seen = {list(seen)}, last = {last}, gamma = {gamma}",
    insight="A pool of pairs: prompt lookup over what the target would have said.",
)  # fmt: skip
