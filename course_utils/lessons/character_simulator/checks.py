"""Checks of this lesson: the accepted length, calls saved, the loop, a start, tokens per round."""

from collections.abc import Callable
from math import inf

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.rounds import round_of, rounds_in_words
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.theory import expected_tokens


def _a_number(answer: object, *_) -> str | None:
    if isinstance(answer, str):
        return "You returned the accepted characters; return how many there are."
    if isinstance(answer, bool):
        return "You returned whether all were right; return how many were accepted."
    return None


check_accepted_length = Exercise(
    "accepted_length",
    cases=[("人干智", "人工智能"), ("八工智", "人工智能"), ("人工智", "人工智能"), ("能", "是未")],
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
    # (drafted, accepted) of each round
    cases=[
        ([round_of(*end) for end in run],)
        for run in ([(3, 3), (3, 0), (3, 1)], [(3, 2), (3, 3), (3, 3), (2, 1)], [(0, 0)] * 5)
    ],
    right=lambda rounds: len(emitted_tokens(rounds)) - len(rounds),
    mistakes={
        "That is the number of calls made. How many would one token per call have needed?": len,
        "That is the number of tokens emitted. Each round costs a call: take them off.": (
            lambda rounds: len(emitted_tokens(rounds))
        ),
        "You count every drafted token, but a rejected one saves nothing.": (
            lambda rounds: sum(len(r.drafted) for r in rounds)
        ),
        "You have the sign turned round: calls alone minus calls with a draft.": (
            lambda rounds: len(rounds) - len(emitted_tokens(rounds))
        ),
        "That is tokens per call. The question is a difference, not a ratio.": (
            lambda rounds: len(emitted_tokens(rounds)) / len(rounds)
        ),
    },
    insight="Each round emits its accepted tokens and one more. So every accepted token saves "
    "exactly one call: sum(r.accepted for r in rounds) says the same.",
    shown=rounds_in_words,
)

# --- the loop -----------------------------------------------------------------------

STALLED = (
    "Your loop stands still when a whole draft is wrong. The call has computed the target's own "
    "character: add it, the correction."
)
BEYOND = (
    "An IndexError: when a draft reaches the end of the sentence, there is no character left for "
    "a bonus. A slice, rest[: n + 1], minds that by itself."
)
WANTED, GAMMA = "人工智能是未来科", 3


class _Stalled(Exception):
    """A drafter was asked for far more drafts than there are characters to write."""


def _decode(decode: Callable, right: int) -> object:
    """What it returns if the first `right` characters of each draft are right, the others not."""
    asked = 0

    def guess(text: str, gamma: int) -> str:
        nonlocal asked
        asked += 1
        if asked > 5 * len(WANTED):
            raise _Stalled
        draft = WANTED[len(text) : len(text) + gamma]
        return draft[:right] + "？" * (len(draft) - right)

    try:
        return decode(WANTED, guess, GAMMA)
    except _Stalled:
        return STALLED
    except IndexError:
        return BEYOND


def _looping(added: Callable[[str, str, int], str]) -> Callable:
    """A decoder that adds added(rest of the sentence, draft, accepted) in each round."""

    def decode(sentence: str, guess: Callable, gamma: int) -> tuple[str, int]:
        text, calls = "", 0
        while len(text) < len(sentence):
            rest, draft = sentence[len(text) :], guess(text, gamma)
            text += added(rest, draft, common_prefix(draft, rest))
            calls += 1
        return text, calls

    return decode


check_decode_sentence = Exercise(
    "decode_sentence",
    cases=[(3,), (1,), (0,), (2,)],  # right characters of a draft: all, some, none
    right=_looping(lambda rest, draft, n: rest[: n + 1]),
    mistakes={
        STALLED: _looping(lambda rest, draft, n: rest[:n]),
        BEYOND: _looping(lambda rest, draft, n: draft[:n] + rest[n]),
        "Your text is not what the target says: a wrong guess was not replaced.": (
            _looping(lambda rest, draft, n: draft)
        ),
        "The text is right, but a call is missing after each complete draft: the target's "
        "last distribution gives one character more, the bonus.": (
            _looping(lambda rest, draft, n: rest[: n + (n < len(draft))])
        ),
        "The text is right, but a draft that is right in part earns a correction, too: the "
        "first wrong character is replaced in the same call.": (
            _looping(lambda rest, draft, n: rest[: n or 1])
        ),
        "You count characters. One target call checks a whole draft, so count the rounds.": (
            lambda sentence, guess, gamma: (sentence, len(sentence))
        ),
    },
    insight="One expression serves for both: after n accepted characters the target adds its own, "
    "whether that replaces a wrong guess or follows a complete draft.",
    ask=_decode,
    form=lambda answer, right: answer if answer in (STALLED, BEYOND) else None,
    parts=("text", "target calls"),
    shown=f"drafts of {GAMMA} whose first {{}} are right".format,
)

# --- two expectations ---------------------------------------------------------------

check_calls_to_start = Exercise(
    "calls_to_start",
    cases=[(0.5,), (0.8,), (0.1,), (0.0,)],  # 0 is the trap
    right=lambda alpha: 1 / alpha if alpha else inf,
    mistakes={
        "At alpha = 0 your formula divides by zero. A draft that is never right never "
        "starts: return float('inf').": lambda alpha: 1 / alpha,
        "That is the loop of this lesson, whose first call always brings the first character. "
        "The article's adds nothing if the first guess is wrong.": lambda alpha: 1,
        "That is the probability that a call brings nothing, not a number of calls.": (
            lambda alpha: 1 - alpha
        ),
        "That is the probability that a call succeeds, not a number of calls.": (
            lambda alpha: alpha
        ),
        "You count the calls that bring nothing. The one that succeeds is a call as well.": (
            lambda alpha: (1 - alpha) / alpha if alpha else inf
        ),
        "alpha and 1 - alpha are exchanged: a call succeeds with probability alpha.": (
            lambda alpha: 1 / (1 - alpha)
        ),
    },
    insight="One call is made, and with probability 1 - alpha all starts again: "
    "x = 1 + (1 - alpha)·x. The loop of this lesson needs one call, whatever the draft.",
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
