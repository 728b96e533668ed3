"""The form of what a part of one's own decoder returns, said at once where it is wrong.

A list of rows in place of an array, or a `text` that was changed, would break the decoder
only later, in a part that is right.
"""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import short
from course_utils.classroom.words import in_words
from course_utils.proofs.programs import Malformed, NoOutput

WHOLE_TEXT = "You return the whole text. Only the new tokens of this round are asked for."
NOTHING = "Then nothing is drafted or fed, and guesses and q are empty."
SUM = 1e-6  # how far from 1 a row of probabilities may sum


class Misshapen(Malformed):
    """What a part returned that no other part can use, in a sentence."""


def asked(name: str, attempt: Callable) -> Callable:
    """A part of the student's, by its name in `own_decoder`, watched for its form.

    The part raises NoOutput where it returns nothing, and Misshapen.
    """

    def part(*given: object) -> object:
        if name == "verify":
            given = (*given[:-1], _judging(given[-1]))
        lists = [value for value in given if isinstance(value, list)]
        before = [[*value] for value in lists]
        try:
            answer = attempt(*given)
        except (ValueError, LookupError, NameError) as error:
            if name == "draft_tokens" and given[2] == 0:  # often in the last round only
                said = f"With gamma = 0 your code raised {in_words(error)}. {NOTHING}"
                raise Misshapen(said) from error
            raise
        finally:  # a list that grew may be why it raises
            if lists != before:
                raise Misshapen(
                    "You change a list that was handed to you, and the rest of the decoder goes "
                    "on with it. Make a new one, as `[*text, *guesses]` does."
                )
        if answer is None or answer is ...:
            raise NoOutput(name)
        FORMS[name](answer, *given)
        return answer

    return part


def _drafted(answer: object, session, text, gamma: int, *_: object) -> None:
    guesses, q = _pair(answer, "guesses, a list, and q, an array")
    if not isinstance(guesses, list):
        raise Misshapen(
            f"Your guesses must be a list, not {_kind(guesses)}: what follows puts lists together."
        )
    if len(guesses) != gamma:
        raise Misshapen(f"With gamma = {gamma} your list of guesses has {len(guesses)}.")
    if isinstance(q, list) and all(isinstance(row, np.ndarray) and row.ndim for row in q):
        if q:
            raise Misshapen("Your q is a list of rows. Make it one array: `np.array(q)`.")
    elif gamma and (np.ndim(q) != 2 or len(q) != gamma):
        raise Misshapen(
            "Your q must be whole rows, one for each guess: the correction needs all their "
            "probabilities."
        )
    elif gamma and not _are_probabilities(q):
        raise Misshapen("Your q must be rows of probabilities. Are yours logits?")


def _decided(answer: object, session, text, guesses: Sequence[int], *_: object) -> None:
    accepted, _ = _pair(answer, "(accepted, token), as the rule does")
    if not hasattr(accepted, "__index__") or not 0 <= accepted <= len(guesses):
        said = f"Of {len(guesses)} guesses {short(accepted)} cannot be accepted"
        raise Misshapen(f"{said}: return the pair (accepted, token), as the rule does.")


def _committed(answer: object, text: Sequence[int], *_: object) -> None:
    if not isinstance(answer, list | tuple):
        raise Misshapen(
            f"Return a list of the new tokens, not {_kind(answer)}: what follows puts lists "
            "together."
        )
    if len(answer) > len(text) and [*answer[: len(text)]] == [*text]:
        raise Misshapen(WHOLE_TEXT)


FORMS = {"draft_tokens": _drafted, "verify": _decided, "commit": _committed}


def _judging(rule: Callable) -> Callable:
    """The rule, when it has looked at what it is given."""

    def judged(p, q, guesses, uniforms):
        n = len(guesses)
        if n and np.ndim(p) == np.ndim(q) == 2 and (len(p), len(q)) == (n, n + 1):
            raise Misshapen("You exchanged p and q: the rule is called rule(p, q, ...).")
        if np.ndim(p) != 2 or len(p) != n + 1:
            has = f"has {len(p)} rows" if np.ndim(p) == 2 else f"is {short(p)}"
            raise Misshapen(
                f"The rule's p {has}. {n} guesses need {n + 1} rows: one for each, and one for "
                "the token after them."
            )
        if n and (np.ndim(q) != 2 or len(q) != n):
            raise Misshapen(f"The rule's q must be the array that came with the {n} guesses.")
        if not _are_probabilities(p):
            raise Misshapen(
                "The rule's p must be rows of probabilities. Are yours logits? "
                "`probabilities(logits, sampling)` makes them."
            )
        if not hasattr(uniforms, "__len__") or len(uniforms) != n + 1:
            raise Misshapen(
                f"{n} guesses need a list of {n + 1} uniforms: one for each, and one for the token "
                "after them. The last guess and that token may not share one."
            )
        return rule(p, q, guesses, uniforms)

    return judged


def _are_probabilities(rows: np.ndarray) -> bool:
    return abs(np.sum(rows, axis=1) - 1).max() < SUM and np.min(rows) >= 0


def _pair(answer: object, of: str) -> tuple:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Misshapen(f"Return two things, {of}. {short(answer)} came back.")
    return tuple(answer)


def _kind(value: object) -> str:
    return "an array" if isinstance(value, np.ndarray) else f"of type {type(value).__name__}"
