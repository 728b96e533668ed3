"""Checks of this lesson: the accepted length, calls saved, tokens per round; and the loop."""

from itertools import takewhile

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.theory import expected_tokens
from course_utils.lessons.character_simulator.loop_check import check_decode_sentence

__all__ = [
    "check_accepted_length",
    "check_calls_saved",
    "check_decode_sentence",
    "check_tokens_per_round",
]


def _a_number(answer: object, *_) -> str | None:
    if isinstance(answer, str):
        return "You returned the accepted characters; return how many there are."
    if isinstance(answer, bool):
        return "You returned whether all were right; return how many were accepted."
    return None


check_accepted_length = Exercise(
    "accepted_length",
    cases=[
        ("人干智", "人工智能"),
        ("八工智", "人工智能"),
        ("人工智", "人工智能"),
        ("能", "是未"),
        ("工人智", "人工智能"),  # right characters in wrong places
        ("人人智", "人工智能"),  # one of them twice
        ("", "人"),
    ],
    right=lambda draft, truth: common_prefix(draft, truth),
    mistakes={
        "You count every character that is right. After the first mistake the target "
        "judged the rest in a text that will never exist: stop there.": (
            lambda draft, truth: sum(x == y for x, y in zip(draft, truth, strict=False))
        ),
        "You count one too many: the correction or bonus is the target's, not accepted.": (
            lambda draft, truth: common_prefix(draft, truth) + 1
        ),
        "You take the whole draft or nothing. The characters before the first mistake "
        "were verified as well: they are accepted.": (
            lambda draft, truth: len(draft) * truth.startswith(draft)
        ),
        "You ask whether a character occurs in the truth. It has to stand at the same place.": (
            lambda draft, truth: len([*takewhile(truth.__contains__, draft)])
        ),
        "You look for the place of the first wrong character by its name, and find an earlier one "
        "of the same name. Count the places instead, with enumerate.": (
            lambda draft, truth: (
                draft.find((draft + "。")[common_prefix(draft, truth)]) % (1 + len(draft))
            )
        ),
        "You count the first wrong character as well. Accepted are those before it.": (
            lambda draft, truth: min(common_prefix(draft, truth) + 1, len(draft))
        ),
        "Where the whole draft is right you return the last place, and places are counted from 0. "
        "All of its characters are accepted.": lambda draft, truth: (
            common_prefix(draft, truth) - (draft != "" and truth.startswith(draft))
        ),
        "You count the characters that were rejected; what is asked is how many are accepted.": (
            lambda draft, truth: len(draft) - common_prefix(draft, truth)
        ),
    },
    insight="What follows the first mistake was judged in a text that will never exist, so even "
    "a right character there is worth nothing.",
    form=_a_number,
)

check_calls_saved = Exercise(
    "calls_saved",
    cases=[([3, 0, 1],), ([2, 3, 3, 1],), ([0] * 5,)],
    right=lambda accepted: sum(accepted),
    mistakes={
        "That is the number of calls made. How many would one token per call have needed?": len,
        "That is the number of tokens emitted. Each round costs a call: take them off.": (
            lambda accepted: sum(accepted) + len(accepted)
        ),
        "You forgot the target's own token: each round adds one, and costs one call.": (
            lambda accepted: sum(accepted) - len(accepted)
        ),
        "You have the sign turned round: calls alone minus calls with a draft.": (
            lambda accepted: -sum(accepted)
        ),
        "That is tokens per call. The question is a difference, not a ratio.": (
            lambda accepted: (sum(accepted) + len(accepted)) / len(accepted)
        ),
        "That is the share of the calls that was saved. How many are that?": (
            lambda accepted: sum(accepted) / (sum(accepted) + len(accepted))
        ),
    },
    insight="Each round adds its accepted characters and one more, and costs one call. So every "
    "accepted character saves exactly one call.",
)

check_tokens_per_round = Exercise(
    "tokens_per_round",
    cases=[(0.8, 3), (0.5, 2), (0.3, 9), (0.0, 4), (1.0, 5)],  # the closed form fails at 1
    right=lambda alpha, gamma: expected_tokens(alpha, gamma),
    mistakes={
        "At alpha = 1 your formula divides by zero, yet a perfect draft is the easy case: "
        "gamma + 1 tokens. Add the powers up, or treat that case by itself.": (
            lambda alpha, gamma: (1 - alpha ** (gamma + 1)) / (1 - alpha)
        ),
        "You left out the token that the target adds to every round.": (
            lambda alpha, gamma: expected_tokens(alpha, gamma) - 1
        ),
        "You let every drafted token count with probability alpha. The second is looked at "
        "only if the first was accepted: alpha², and so on.": (
            lambda alpha, gamma: 1 + alpha * gamma
        ),
        "You let every drafted token count with probability alpha, and left out the token of the "
        "target's own.": lambda alpha, gamma: alpha * gamma,
        "One power too many: gamma tokens are drafted, so the highest is alpha^gamma.": (
            lambda alpha, gamma: expected_tokens(alpha, gamma + 1)
        ),
        "As if drafts were accepted as a whole or not at all: those partly accepted count.": (
            lambda alpha, gamma: 1 + gamma * alpha**gamma
        ),
        "One power is missing: token i of the draft is accepted with alpha^i, i = 1 .. gamma, "
        "and there is the target's own token besides.": (
            lambda alpha, gamma: expected_tokens(alpha, gamma - 1)
        ),
    },
    insight="For alpha below 1 this sum is (1 - alpha^(gamma+1)) / (1 - alpha), equation 1 of "
    "Leviathan et al.",
)
