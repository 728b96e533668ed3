"""The check of the loop: its text, its calls, and what it recorded of each round."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.loop import common_prefix
from course_utils.lessons.character_simulator.copies import WrittenRound

STALLED = (
    "Your loop stands still when a whole draft is wrong. The call has computed the target's own "
    "character: add it, the correction."
)
BEYOND = (
    "An IndexError: when a draft reaches the end of the sentence, there is no character left for "
    "a bonus. A slice, rest[n : n + 1], minds that by itself."
)
OTHER_GAMMA = (
    "Ask guess for `gamma` characters in every round: near the end it gives fewer by itself."
)
NO_ROUNDS = (
    "Return (text, rounds), where rounds is a list with (draft, accepted, added) for each call. "
    "Its length is the number of target calls."
)
NO_NUMBER = "The second entry of a round is how many characters were accepted, a number."
REJECTED = (
    "A rejected guess is in your text. Add the accepted characters alone, draft[:n], and then "
    "what the target adds."
)
BEGUN_ANEW = "Your text loses what it had. A round adds to it: text += ..., not text = ..."
NOT_ACCEPTED = (
    "Your text does not go on with the accepted characters. Compare the draft with what follows "
    "the text of this round, and add draft[:n] before what the target adds."
)
NOT_NEXT = (
    "What the target adds is not the next character of the sentence. It follows the accepted ones: "
    "rest[n : n + 1], where rest is what follows the text of this round."
)
TOO_SHORT = "Your loop ends before the sentence is complete. Go on while len(text) < len(sentence)."
TOO_LATE = "Your loop goes on though the sentence is complete: stop there."
OTHER_TEXT = "Ask guess for what follows the text so far: guess(text, gamma)."
SENTENCES = (
    STALLED, BEYOND, OTHER_GAMMA, NO_ROUNDS, NO_NUMBER, REJECTED, BEGUN_ANEW, NOT_ACCEPTED,
    NOT_NEXT, TOO_SHORT, TOO_LATE, OTHER_TEXT,
)  # fmt: skip
WANTED, GAMMA, WRONG = "人工智能是未来科", 3, "？"
# of each round's draft, again and again: its length, and the place of its one mistake
DRAFTS = {
    "drafts of 3 that are right": [(3, 3)],
    "drafts of 3 whose first 1 is right": [(3, 1)],
    "drafts of 3 whose first is wrong": [(3, 0)],
    "drafts of 3 whose first 2 are right": [(3, 2)],
    "drafts of 2, 0 and 3 characters, the last one wrong": [(2, 2), (0, 0), (3, 0)],
}


class _Stalled(Exception):
    """A drafter was asked for far more drafts than there are characters to write."""


class _OtherGamma(Exception):
    """A drafter was asked for another number of characters than the loop was given."""


def _decode(decode: Callable, drafts: str) -> object:
    """(text, calls, drafts, accepted, added) of an attempt, or a sentence of `SENTENCES`."""
    asked: list[tuple[str, str]] = []  # (text, draft) of each call
    plan = DRAFTS[drafts]

    def guess(text: str, gamma: int) -> str:
        if gamma != GAMMA:
            raise _OtherGamma
        length, right = plan[len(asked) % len(plan)]
        draft = WANTED[len(text) :][: min(length, gamma)]
        wrong = draft[right : right + 1] and WRONG
        asked.append((text, draft[:right] + wrong + draft[right + 1 :]))
        if len(asked) > 5 * len(WANTED):
            raise _Stalled
        return asked[-1][1]

    try:
        answer = decode(WANTED, guess, GAMMA)
        return _in_columns(answer, asked)
    except _Stalled:
        return _gone_wrong(asked) or (TOO_LATE if asked[-1][0] == WANTED else STALLED)
    except _OtherGamma:
        return OTHER_GAMMA
    except IndexError:
        return BEYOND


def _gone_wrong(asked: Sequence[tuple[str, str]]) -> str | None:
    """What the first round did whose text is not the beginning of the sentence."""
    if asked and asked[0][0]:
        return OTHER_TEXT
    for (before, draft), (text, _) in pairwise(asked):
        if WANTED.startswith(text) and text.startswith(before):
            continue
        if WRONG in text:
            return REJECTED
        if not text.startswith(before):
            return BEGUN_ANEW
        right = draft.partition(WRONG)[0]
        return NOT_NEXT if text.startswith(before + right) else NOT_ACCEPTED
    return None


def _in_columns(answer: object, asked: Sequence[tuple[str, str]]) -> object:
    if answer is None or answer is ...:
        return answer
    try:
        text, rounds = answer
        if text is ... or rounds is ...:
            return ...
        columns = [[*column] for column in zip(*(tuple(r) for r in rounds), strict=True)]
        drafts, accepted, added = columns if rounds else ([], [], [])
    except (TypeError, ValueError):
        return NO_ROUNDS
    if isinstance(text, str) and asked:
        if len(asked) > 1 and not any(before for before, _ in asked):
            return OTHER_TEXT
        if wrong := _gone_wrong([*asked, (text[: len(WANTED)], "")]):
            return wrong
        if text != WANTED and WANTED.startswith(text):
            return TOO_SHORT
    if any(isinstance(n, str | bool) for n in accepted):
        return NO_NUMBER
    return text, len(drafts), drafts, accepted, added


Step = Callable[[str, str, int], tuple[str, WrittenRound]]


def _looping(step: Step) -> Callable:
    """A decoder of which step(rest, draft, accepted) says what a round adds and records."""

    def decode(sentence: str, guess: Callable, gamma: int) -> tuple[str, list[WrittenRound]]:
        text, rounds = "", []
        while len(text) < len(sentence):
            rest, draft = sentence[len(text) :], guess(text, gamma)
            more, recorded = step(rest, draft, common_prefix(draft, rest))
            text += more
            rounds.append(recorded)
        return text, rounds

    return decode


def _adding(added: Callable[[str, str, int], str]) -> Callable:
    """A decoder that adds added(rest, draft, accepted) after the accepted characters."""

    def step(rest: str, draft: str, n: int) -> tuple[str, WrittenRound]:
        more = added(rest, draft, n)
        return rest[:n] + more, (draft, n, more)

    return _looping(step)


def _recording(recorded: Callable[[str, str, int], Sequence]) -> Callable:
    """The right decoder, with recorded(rest, draft, accepted) as its record of a round."""
    return _looping(lambda rest, draft, n: (rest[: n + 1], recorded(rest, draft, n)))


def _all_or_nothing(rest: str, draft: str, n: int) -> tuple[str, WrittenRound]:
    n = n if n == len(draft) else 0
    return rest[: n + 1], (draft, n, rest[n : n + 1])


def _all_that_are_right(rest: str, draft: str, n: int) -> tuple[str, WrittenRound]:
    n = sum(x == y for x, y in zip(draft, rest, strict=False))
    return rest[: n + 1], (draft, n, rest[n : n + 1])


def _compares_with_the_start(rest: str, draft: str, n: int) -> tuple[str, WrittenRound]:
    n = common_prefix(draft, WANTED)
    return rest[: n + 1], (draft, n, rest[n : n + 1])


def _begun_anew(sentence: str, guess: Callable, gamma: int) -> tuple[str, list[WrittenRound]]:
    text, rounds = "", []
    while len(text) < len(sentence):
        rest, draft = sentence[len(text) :], guess(text, gamma)
        n = common_prefix(draft, rest)
        text = rest[: n + 1]
        rounds.append((draft, n, rest[n : n + 1]))
    return text, rounds


def _where_accepted(sentence: str, guess: Callable, gamma: int) -> tuple[str, list[WrittenRound]]:
    text, rounds = check_decode_sentence.right(sentence, guess, gamma)
    return text, [r for r in rounds if r[1]]


def _one_by_one(sentence: str, guess: Callable, gamma: int) -> tuple[str, list[WrittenRound]]:
    return sentence, [("", 0, character) for character in sentence]


check_decode_sentence = Exercise(
    "decode_sentence",
    cases=[(drafts,) for drafts in DRAFTS],
    right=_adding(lambda rest, draft, n: rest[n : n + 1]),
    mistakes={
        STALLED: _adding(lambda rest, draft, n: ""),
        BEYOND: _adding(lambda rest, draft, n: rest[n]),
        OTHER_GAMMA: lambda sentence, guess, gamma: guess("", gamma - 1),
        NO_ROUNDS: lambda sentence, guess, gamma: (sentence, len(sentence)),
        NO_NUMBER: _recording(lambda rest, draft, n: (draft, draft[:n], rest[n : n + 1])),
        REJECTED: _looping(lambda rest, draft, n: (draft + rest[n : n + 1], (draft, n, ""))),
        BEGUN_ANEW: _begun_anew,
        NOT_ACCEPTED: _looping(lambda rest, draft, n: (rest[n : n + 1] or rest, (draft, n, ""))),
        NOT_NEXT: _adding(lambda rest, draft, n: WANTED[n : n + 1]),
        TOO_SHORT: lambda sentence, guess, gamma: (guess("", gamma)[:0], []),
        OTHER_TEXT: lambda sentence, guess, gamma: (guess(sentence, gamma), []),
        "The text is right, but a call is missing after each complete draft: the target's "
        "last distribution gives one character more, the bonus.": _adding(
            lambda rest, draft, n: rest[n : n + 1] if n < len(draft) or not draft else ""
        ),
        "You add nothing after a complete draft: the bonus is missing. An empty draft is complete, "
        "too.": _adding(lambda rest, draft, n: rest[n : n + 1] if n < len(draft) else ""),
        "Compare the draft with what follows `text`, not with the whole sentence.": _looping(
            _compares_with_the_start
        ),
        "The text is right, but a draft that is right in part earns a correction, too: the "
        "first wrong character is replaced in the same call.": _adding(
            lambda rest, draft, n: rest[n : n + 1] if n in (0, len(draft)) else ""
        ),
        "You take the whole draft or nothing. The characters before the first mistake were "
        "verified as well: they are accepted.": _looping(_all_or_nothing),
        "You count every character that is right. What stands behind the first mistake was judged "
        "in a text that will never exist.": _looping(_all_that_are_right),
        "You add all that is left of the sentence. A call gives one character after the accepted "
        "ones.": _looping(lambda rest, draft, n: (rest, (draft, n, rest[n:]))),
        "You leave out the rounds of which nothing was accepted. They are target calls, too: "
        "record them with n = 0.": _where_accepted,
        "You count characters. One target call checks a whole draft, so there is one record per "
        "round.": _one_by_one,
        "Record the whole draft, what was rejected of it as well.": _recording(
            lambda rest, draft, n: (draft[:n], n, rest[n : n + 1])
        ),
        "Record the draft alone. What the target added has its own place.": _recording(
            lambda rest, draft, n: (rest[: n + 1], n, rest[n : n + 1])
        ),
        "You count the target's own character as accepted. Accepted are the draft's characters "
        "before the first mistake.": _recording(
            lambda rest, draft, n: (draft, len(rest[: n + 1]), rest[n : n + 1])
        ),
        "You count every character of the draft. Accepted are those before the first mistake.": (
            _recording(lambda rest, draft, n: (draft, len(draft), rest[n : n + 1]))
        ),
        "That is all that the round brought. Record as added only the target's own character.": (
            _recording(lambda rest, draft, n: (draft, n, rest[: n + 1]))
        ),
        "Your record says that the target added nothing. Make it after the correction or the "
        "bonus is known.": _recording(lambda rest, draft, n: (draft, n, "")),
    },
    insight="One expression serves for both: after n accepted characters the target adds its own, "
    "whether that replaces a wrong guess or follows a complete draft.",
    ask=_decode,
    form=lambda answer, drafts: answer if answer in SENTENCES else None,
    parts=("text", "target calls", "drafts", "accepted", "added"),
    shown="{}".format,
)
