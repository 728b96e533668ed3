"""Checks of lesson 01: the accepted length, the calls saved, tokens a round."""

from collections.abc import Callable, Sequence
from itertools import takewhile

import numpy as np

from course_utils.classroom.checks.feedback import Feedback, judge
from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.theory import expected_tokens

DRAFTS = (("人干智", "人工智能"), ("八工智", "人工智能"), ("人工智", "人工智能"), ("能", "是未"))
RATES = ((0.8, 3), (0.5, 2), (0.0, 4), (1.0, 5))


def check_accepted_length(function: Callable) -> Feedback:
    """`function(draft, truth)` should be the length of their common prefix."""

    def diagnose(answers: Sequence) -> str | None:
        if any(isinstance(answer, str) for answer in answers):
            return "You returned the accepted characters; return how many there are."
        if any(isinstance(answer, bool) for answer in answers):
            return "You returned whether all were right; return how many were accepted."
        mistakes = {
            "You count every character that is right. After the first mistake the target "
            "judged the rest in a text that will never exist: stop there.": _right_places,
            "You count one too many: the correction or bonus is the target's, not accepted.": (
                lambda draft, truth: _prefix(draft, truth) + 1
            ),
            "You take the whole draft or nothing. The characters before the first mistake "
            "were verified as well: keep them.": (
                lambda draft, truth: len(draft) * truth.startswith(draft)
            ),
            "You count the characters that were rejected; what is asked is how many stay.": (
                lambda draft, truth: len(draft) - _prefix(draft, truth)
            ),
        }
        return _likeliest(answers, DRAFTS, _prefix, mistakes)

    return judge("accepted_length", lambda: _answers(function, DRAFTS), diagnose)


def check_calls_saved(function: Callable) -> Feedback:
    """`function(rounds)` should be the tokens emitted minus the rounds."""
    runs = [
        ([_round(3, 3), _round(3, 0), _round(3, 1)],),
        ([_round(3, 2), _round(3, 3), _round(3, 3), _round(2, 1)],),
        ([_round(0, 0)] * 5,),
    ]

    def diagnose(answers: Sequence) -> str | None:
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
        return _likeliest(answers, runs, _saved, mistakes)

    return judge("calls_saved", lambda: _answers(function, runs), diagnose)


def check_tokens_a_round(function: Callable) -> Feedback:
    """`function(alpha, gamma)` should be 1 + alpha + ... + alpha^gamma."""

    def diagnose(answers: Sequence) -> str | None:
        if answers[-1] == "division":
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
        return _likeliest(answers, RATES, expected_tokens, mistakes)

    return judge("tokens_a_round", lambda: _answers(function, RATES), diagnose)


def _answers(function: Callable, cases: Sequence[tuple]) -> list | None:
    """One answer a case, or None for an untouched stub."""
    answers = []
    for case in cases:
        try:
            answers.append(function(*case))
        except ZeroDivisionError:
            answers.append("division")
    return None if all(a is None or a is ... for a in answers) else answers


def _likeliest(
    answers: Sequence, cases: Sequence[tuple], right: Callable, mistakes: dict[str, Callable]
) -> str | None:
    """None if all answers are right, else the sentence of the mistake that explains them."""

    def agrees(function: Callable) -> bool:
        pairs = zip(answers, cases, strict=True)
        return all(abs(answer - function(*case)) < 1e-9 for answer, case in pairs)

    if agrees(right):
        return None
    for sentence, wrong in mistakes.items():
        if agrees(wrong):
            return sentence
    answer, case = next(
        (a, c) for a, c in zip(answers, cases, strict=True) if abs(a - right(*c)) >= 1e-9
    )
    return f"For {_shown(case)} the answer is {right(*case):.4g}, not {answer}."


def _shown(case: tuple) -> str:
    if isinstance(case[0], list):
        return f"rounds that emit {', '.join(str(len(r.emitted)) for r in case[0])} tokens"
    return ", ".join(map(repr, case))


def _prefix(draft: str, truth: str) -> int:
    pairs = zip(draft, truth, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _right_places(draft: str, truth: str) -> int:
    return sum(x == y for x, y in zip(draft, truth, strict=False))


def _saved(rounds: Sequence[Round]) -> int:
    return sum(len(r.emitted) for r in rounds) - len(rounds)


def _round(drafted: int, accepted: int) -> Round:
    """A round that drafted and accepted so many tokens; every law in it is even."""
    p = np.full((drafted + 1, 8), 1 / 8)
    return Round(
        0, 1, (5,) * drafted, p, p[:-1], (0.5,) * (drafted + 1), Verdict(accepted, 7),
        (5,) * accepted + (7,), 0, 0, Seconds(0, 0, 0),
    )  # fmt: skip
