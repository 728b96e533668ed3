"""Answers that the exercises of this room do not hold themselves."""

from course_utils.lessons.guesses_without_a_draft.checks import (
    check_next_block,
    check_pool_guesses,
    pool_guesses,
)


def place_by_place(answers, accepted, gamma, last):
    block = []
    for i in range(accepted + 1, accepted + 1 + gamma):
        block.append(answers[i] if i < len(answers) else last)
    return tuple(block)


def searched_from_the_end(seen, last, gamma):
    pairs = []
    for drafted, answers in seen:
        pairs += [(x, answers[i + 1]) for i, x in enumerate(drafted)]
    guesses = []
    for _ in range(gamma):
        following = [y for x, y in reversed(pairs) if x == last]
        if not following:
            break
        last = following[0]
        guesses.append(last)
    return guesses


def first_of_a_round(seen, last, gamma):
    return pool_guesses([(drafted[::-1], (0, *answers[:0:-1])) for drafted, answers in seen],
                        last, gamma)  # fmt: skip


RIGHT_ANSWERS = [(check_next_block, place_by_place), (check_pool_guesses, searched_from_the_end)]

WRONG_ANSWERS = [
    (check_next_block, lambda answers, accepted, gamma, last: [0] * gamma, "answers = "),
    (check_pool_guesses, lambda seen, last, gamma: [last] * gamma, "seen = "),
    (check_pool_guesses, first_of_a_round, "seen = [((4, 4), (1, 6, 7))]"),
]
