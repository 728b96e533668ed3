"""Checks of lesson 01: the accepted length, calls saved, the loop, a stall, tokens a round."""

from collections.abc import Callable, Sequence
from math import inf

from course_utils.classroom.diagnosis import (
    RAISED,
    answers,
    likeliest,
    round_of,
    rounds_in_words,
)
from course_utils.classroom.feedback import Feedback, judge
from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.theory import expected_tokens

DRAFTS = (("人干智", "人工智能"), ("八工智", "人工智能"), ("人工智", "人工智能"), ("能", "是未"))
RATES = ((0.8, 3), (0.5, 2), (0.3, 9), (0.0, 4), (1.0, 5))
ALPHAS = ((0.5,), (0.8,), (0.1,), (0.0,))
STALLED, BEYOND = "stalled", "beyond the end"  # in place of a text and its calls


def check_accepted_length(function: Callable[[str, str], int]) -> Feedback:
    """`function(draft, truth)` should be the length of their common prefix."""

    def diagnose(given: Sequence) -> str | None:
        if any(isinstance(answer, str) for answer in given):
            return "You returned the accepted characters; return how many there are."
        if any(isinstance(answer, bool) for answer in given):
            return "You returned whether all were right; return how many were accepted."
        mistakes = {
            "You count every character that is right. After the first mistake the target "
            "judged the rest in a text that will never exist: stop there.": _right_places,
            "You count one too many: the correction or bonus is the target's, not accepted.": (
                lambda draft, truth: common_prefix(draft, truth) + 1
            ),
            "You take the whole draft or nothing. The characters before the first mistake "
            "were verified as well: keep them.": (
                lambda draft, truth: len(draft) * truth.startswith(draft)
            ),
            "You count the characters that were rejected; what is asked is how many stay.": (
                lambda draft, truth: len(draft) - common_prefix(draft, truth)
            ),
        }
        return likeliest(given, DRAFTS, common_prefix, mistakes)

    return judge("accepted_length", lambda: answers(function, DRAFTS), diagnose)


def check_calls_saved(function: Callable[[Sequence[Round]], int]) -> Feedback:
    """`function(rounds)` should be the tokens emitted minus the rounds."""
    runs = [
        ([round_of(3, 3), round_of(3, 0), round_of(3, 1)],),
        ([round_of(3, 2), round_of(3, 3), round_of(3, 3), round_of(2, 1)],),
        ([round_of(0, 0)] * 5,),
    ]

    def diagnose(given: Sequence) -> str | None:
        mistakes = {
            "That is the number of calls made. How many would one token a call have needed?": len,
            "That is the number of tokens emitted. Each round costs a call: take them off.": (
                lambda rounds: sum(len(r.emitted) for r in rounds)
            ),
            "You count every drafted token, but a rejected one saves nothing.": (
                lambda rounds: sum(len(r.drafted) for r in rounds)
            ),
            "You have the sign turned round: calls alone minus calls with a draft.": (
                lambda rounds: -_saved(rounds)
            ),
            "That is tokens a call. The question is a difference, not a ratio.": (
                lambda rounds: sum(len(r.emitted) for r in rounds) / len(rounds)
            ),
        }
        return likeliest(given, runs, _saved, mistakes, shown=rounds_in_words)

    return judge("calls_saved", lambda: answers(function, runs), diagnose)


def check_decode_sentence(function: Callable) -> Feedback:
    """`function(sentence, guess, gamma)` should be (sentence, target calls)."""
    sentence, gamma = "人工智能是未来科", 3
    cases = [(3,), (1,), (0,), (2,)]  # how many characters of a draft are right

    def one(right: int) -> object:
        try:
            return function(sentence, _guesser(sentence, right), gamma)
        except _Stalled:
            return STALLED
        except IndexError:
            return BEYOND

    def diagnose(given: Sequence) -> str | None:
        if STALLED in given:
            return (
                "Your loop stands still when a whole draft is wrong. The call has computed the "
                "target's own character: add it, the correction."
            )
        if BEYOND in given:
            return (
                "An IndexError: when a draft reaches the end of the sentence, there is no "
                "character left for a bonus. A slice, rest[: n + 1], minds that by itself."
            )
        if any(isinstance(answer, str) for answer in given):
            return "Return two things: the text, and the number of target calls."
        if wrong := next((text for text, _ in given if text != sentence), None):
            return f"The target says {sentence}, and your text is {wrong!s:.20}. Keep what it says."

        def with_gain(gain: Callable[[int, int], int]) -> Callable:
            return lambda right: (sentence, _calls(len(sentence), gamma, right, gain))

        mistakes = {
            "The text is right, but a call is missing after each complete draft: the target's "
            "last law gives one character more, the bonus.": with_gain(
                lambda accepted, drafted: accepted + (accepted < drafted)
            ),
            "The text is right, but a draft that is right in part earns a correction, too: the "
            "first wrong character is replaced in the same call.": with_gain(
                lambda accepted, drafted: accepted or 1
            ),
            "You count characters. One target call checks a whole draft, so count the rounds.": (
                lambda right: (sentence, len(sentence))
            ),
        }
        return likeliest(
            given, cases, with_gain(lambda accepted, drafted: accepted + 1), mistakes,
            same=lambda a, b: tuple(a) == tuple(b),
            shown=lambda case: f"drafts of {gamma} whose first {case[0]} are right",
        )  # fmt: skip

    return judge("decode_sentence", lambda: answers(one, cases), diagnose)


def check_calls_to_start(function: Callable[[float], float]) -> Feedback:
    """`function(alpha)` should be 1 / alpha, and infinite at 0."""

    def diagnose(given: Sequence) -> str | None:
        if given[-1] == RAISED:
            return (
                "At alpha = 0 your formula divides by zero. A draft that is never right never "
                "starts: return float('inf')."
            )
        mistakes = {
            "That is the loop of this lesson, whose first call always brings the first character. "
            "The article's keeps nothing if the first guess is wrong.": lambda alpha: 1,
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
        }
        return likeliest(
            given, ALPHAS, lambda alpha: 1 / alpha if alpha else inf, mistakes,
            shown=lambda case: f"alpha = {case[0]}",
        )  # fmt: skip

    return judge(
        "calls_to_start", lambda: answers(function, ALPHAS, (ZeroDivisionError,)), diagnose
    )


def check_tokens_a_round(function: Callable[[float, int], float]) -> Feedback:
    """`function(alpha, gamma)` should be 1 + alpha + ... + alpha^gamma."""

    def diagnose(given: Sequence) -> str | None:
        if given[-1] == RAISED:
            return (
                "At alpha = 1 your formula divides by zero, yet a perfect draft is the easy case: "
                "gamma + 1 tokens. Add the powers up, or treat that case by itself."
            )
        mistakes = {
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
            "One power is missing: token i of the draft survives with alpha^i, i = 1 .. gamma, "
            "and there is the target's own token besides.": (
                lambda alpha, gamma: expected_tokens(alpha, gamma - 1)
            ),
        }
        return likeliest(
            given, RATES, expected_tokens, mistakes,
            shown=lambda case: f"alpha = {case[0]}, gamma = {case[1]}",
        )  # fmt: skip

    return judge("tokens_a_round", lambda: answers(function, RATES, (ZeroDivisionError,)), diagnose)


class _Stalled(Exception):
    """A drafter was asked for far more drafts than there are characters to write."""


def _guesser(sentence: str, right: int) -> Callable[[str, int], str]:
    """`guess(text, gamma)`: a draft whose first `right` characters are right, the others not."""
    asked = 0

    def guess(text: str, gamma: int) -> str:
        nonlocal asked
        asked += 1
        if asked > 5 * len(sentence):
            raise _Stalled
        draft = sentence[len(text) : len(text) + gamma]
        return draft[:right] + "？" * (len(draft) - right)

    return guess


def _calls(length: int, gamma: int, right: int, gain: Callable[[int, int], int]) -> int:
    """Target calls for `length` characters if a round brings gain(accepted, drafted)."""
    done = calls = 0
    while done < length:
        drafted = min(gamma, length - done)
        done += gain(min(right, drafted), drafted)
        calls += 1
    return calls


def _right_places(draft: str, truth: str) -> int:
    return sum(x == y for x, y in zip(draft, truth, strict=False))


def _saved(rounds: Sequence[Round]) -> int:
    return sum(len(r.emitted) for r in rounds) - len(rounds)
