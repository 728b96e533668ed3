"""Checks of this lesson: the accepted length, the loop, how long a round is, and on average."""

from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile
from math import comb, isclose

import numpy as np

from course_utils.classroom.exercise import Exercise, Refused, short
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.theory import expected_tokens
from course_utils.lessons.character_simulator.copies import WrittenRound


def _a_number(answer: object, *_) -> str | None:
    if isinstance(answer, str):
        return "You returned the accepted characters; return how many there are."
    if isinstance(answer, float):
        return (
            "Return a whole number, an int: NumPy's sum of no entries, for one, is the float 0.0."
        )
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


def round_chances(alpha: float, gamma: int) -> list[float]:
    """[P(a round brings 1 character), P(2), ..., P(gamma + 1)]: the lesson's model solution."""
    chances = [alpha**n * (1 - alpha) for n in range(gamma)]
    chances.append(alpha**gamma)
    return chances


def _chances_missed(answer: object, alpha: float, gamma: int) -> str | None:
    if not isinstance(answer, list | tuple | np.ndarray):
        return f"return a list of {gamma + 1} chances, not {short(answer)}."
    if len(answer) != gamma + 1:
        return (
            f"a round brings 1 to {gamma + 1} characters: {gamma + 1} chances, not {len(answer)}."
        )
    total = sum(answer)
    off = (
        ""
        if isclose(total, 1, abs_tol=1e-9)
        else f"your chances add up to {total:.3g}, not 1, and "
    )
    pairs = enumerate(zip(answer, round_chances(alpha, gamma), strict=True))
    n, (given, right) = next(
        entry for entry in pairs if not isclose(*entry[1], rel_tol=1e-6, abs_tol=1e-9)
    )
    accepted = f"the first {n} guesses are accepted" if n > 1 else "one guess is accepted" * n
    event = " and the next rejected" if n else "the first guess is rejected"
    event = accepted + event * (n < gamma)
    return f"{off}the chance of {n + 1} ({event}) is {right:.4g}, not {given:.4g}."


check_round_chances = Exercise(
    "round_chances",
    cases=[(0.8, 3), (0.5, 2), (0.3, 4), (0.0, 2), (1.0, 3), (0.6, 1)],
    right=round_chances,
    mistakes={
        "alpha^n is the chance that at least n guesses are accepted. For exactly n the next one "
        "must be rejected as well.": (" * (1 - alpha)", ""),
        "You leave out the round whose whole draft is accepted: it brings gamma + 1.": (
            ("chances.append(alpha**gamma)", "chances")
        ),
        "Behind the last guess none is left that could be rejected: the last chance is "
        "alpha^gamma.": ("append(alpha**gamma)", "append(alpha**gamma * (1 - alpha))"),
        "You begin with a round that brings nothing. Every round brings a character of the "
        "target's own.": ("return chances", "return [0.0, *chances]"),
        "The other way round: the first entry is the chance of one character, where the first "
        "guess is rejected.": ("return chances", "return chances[::-1]"),
        "alpha is the chance that a guess is accepted. You use it for a rejected one.": (
            ("alpha**n * (1 - alpha)", "(1 - alpha) ** n * alpha"),
            ("append(alpha**gamma)", "append((1 - alpha) ** gamma)"),
        ),
        "You count right guesses wherever they stand. Accepted are only those before the first "
        "mistake, so there is one way to accept n.": lambda alpha, gamma: [
            comb(gamma, n) * alpha**n * (1 - alpha) ** (gamma - n) for n in range(gamma + 1)
        ],
        "As if every length were equally likely. A guess is looked at only if those before it "
        "were accepted.": lambda alpha, gamma: [1 / (gamma + 1)] * (gamma + 1),
    },
    insight="Short rounds come from an early mistake; the whole draft is accepted with "
    "probability alpha^gamma.",
    told=_chances_missed,
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
        "You take the plain mean of the chances. Multiply each number of tokens, 1 to gamma + 1, "
        "by its chance, and add up.": lambda alpha, gamma: 1 / (gamma + 1),
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


# --- the loop: its text, its calls, and what it recorded of each round

STALLED = (
    "Your loop stands still when a whole draft is wrong. The call has computed the target's own "
    "character: add it, the correction."
)
BEYOND = (
    "An IndexError: the draft has ended, or the sentence has, and no character is left there. A "
    "slice, such as rest[n : n + 1], minds that by itself."
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
TOO_SHORT = (
    "Your loop ends before the sentence is complete. Go on while len(text) < len(sentence), and "
    "let no return and no break end it earlier."
)
NOTHING_DRAFTED = (
    "Your loop ends where guess returns nothing. That is a round as well: nothing is accepted, "
    "and the target adds its own character."
)
ASKED_ONCE = "You ask guess only once. Every round has a draft of its own: ask inside the loop."
A_LIST = 'guess takes the text so far as a string. Begin with text = "" and add strings to it.'
OTHER_SENTENCE = (
    "Your text goes on behind the end of the sentence. In this check the argument `sentence` is "
    "not the lesson's SENTENCE but a shorter one: read the argument."
)
LAST_ONE = (
    "Your list holds the last round alone. Begin it before the loop, and append each round to it."
)
TOO_LATE = "Your loop goes on though the sentence is complete: stop there."
OTHER_TEXT = (
    "Ask guess for what follows the text so far, which is empty at first: guess(text, gamma)."
)
WANTED, GAMMA, WRONG = "人工智能是未来科", 3, "？"
# of each round's draft, again and again: its length, and the place of its one mistake
DRAFTS = {
    "drafts of 3 that are right": [(3, 3)],
    "drafts of 3 whose first 1 is right": [(3, 1)],
    "drafts of 3 whose first is wrong": [(3, 0)],
    "drafts of 3 whose first 2 are right": [(3, 2)],
    "drafts of 2, 0 and 3 characters, the last one wrong": [(2, 2), (0, 0), (3, 0)],
}


def _decode(decode: Callable, drafts: str) -> object:
    """(text, calls, drafts, accepted, added) of an attempt."""
    asked: list[tuple[str, str]] = []  # (text, draft) of each call
    plan = DRAFTS[drafts]
    wanted = GAMMA + len(plan) - 1  # not the same number in all cases

    def guess(text: str, gamma: int) -> str:
        if not isinstance(text, str):
            raise Refused(A_LIST)
        if gamma != wanted:
            raise Refused(OTHER_GAMMA)
        length, right = plan[len(asked) % len(plan)]
        draft = WANTED[len(text) :][: min(length, gamma)]
        wrong = draft[right : right + 1] and WRONG
        asked.append((text, draft[:right] + wrong + draft[right + 1 :]))
        if len(asked) > 5 * len(WANTED):
            over = TOO_LATE if text == WANTED else STALLED
            raise Refused(_gone_wrong(asked) or over)
        return asked[-1][1]

    try:
        answer = decode(WANTED, guess, wanted)
        return _in_columns(answer, asked)
    except IndexError:
        raise Refused(BEYOND) from None


def _gone_wrong(asked: Sequence[tuple[str, str]]) -> str | None:
    """What the first round did whose text is not the beginning of the sentence."""
    if asked and asked[0][0]:
        return OTHER_TEXT
    for (before, draft), (text, _) in pairwise(asked):
        if WANTED.startswith(text) and text.startswith(before):
            continue
        if text.startswith(WANTED):
            return OTHER_SENTENCE
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
        if any(isinstance(r, dict) for r in rounds):
            raise Refused(NO_ROUNDS)
        columns = [[*column] for column in zip(*(tuple(r) for r in rounds), strict=True)]
        drafts, accepted, added = columns if rounds else ([], [], [])
    except (TypeError, ValueError):
        raise Refused(NO_ROUNDS) from None
    if isinstance(text, str) and asked:
        if len(asked) == 1 < len(drafts):
            raise Refused(ASKED_ONCE)
        if len(asked) > 1 and not any(before for before, _ in asked):
            raise Refused(OTHER_TEXT)
        if wrong := _gone_wrong([*asked, (text[: len(WANTED)], "")]):
            raise Refused(wrong)
        early = sum(before != WANTED for before, _ in asked)
        if early < min(len(asked), len(drafts)):
            raise Refused(TOO_LATE)
        if text != WANTED and WANTED.startswith(text):
            raise Refused(NOTHING_DRAFTED if asked[-1] == (text, "") else TOO_SHORT)
    if len(asked) > 1 and drafts == [asked[-1][1]]:
        raise Refused(LAST_ONE)
    if any(isinstance(n, str | bool) for n in accepted):
        raise Refused(NO_NUMBER)
    return text, len(drafts), drafts, accepted, added


accepted = common_prefix  # as the lesson calls it


def decode_sentence(
    sentence: str, guess: Callable[[str, int], str], gamma: int
) -> tuple[str, list[WrittenRound]]:
    """(text, rounds): the lesson's model solution."""
    text, rounds = "", []
    while len(text) < len(sentence):
        rest = sentence[len(text) :]
        draft = guess(text, gamma)
        n = accepted(draft, rest)
        added = rest[n : n + 1]
        text += draft[:n] + added
        rounds.append((draft, n, added))
    return text, rounds


ADDED, RECORD = "rest[n : n + 1]", "(draft, n, added)"
check_decode_sentence = Exercise(
    "decode_sentence",
    cases=[(drafts,) for drafts in DRAFTS],
    right=decode_sentence,
    mistakes={
        STALLED: (ADDED, '""'),
        BEYOND: (ADDED, "rest[n]"),
        OTHER_GAMMA: ("text, gamma)", "text, gamma - 1)"),
        NO_ROUNDS: ("return text, rounds", "return text, len(rounds)"),
        NO_NUMBER: (RECORD, "(draft, draft[:n], added)"),
        REJECTED: ("draft[:n] +", "draft +"),
        BEGUN_ANEW: ("text +=", "text ="),
        NOT_ACCEPTED: ("draft[:n] + added", "added or rest"),
        NOT_NEXT: (ADDED, "sentence[n : n + 1]"),
        TOO_SHORT: ("while len(text) < len(sentence)", "while len(text) > len(sentence)"),
        OTHER_SENTENCE: ("    while", "    sentence += '技发展'\n    while"),
        TOO_LATE: ("while len(text) < len(sentence)", "for _ in sentence"),
        NOTHING_DRAFTED: ("n = acc", "if not draft:\n            break\n        n = acc"),
        LAST_ONE: ("rounds.append((draft, n, added))", "rounds = [(draft, n, added)]"),
        ASKED_ONCE: (
            ("    while", "    draft = guess(text, gamma)\n    while"),
            ("        draft = guess(text, gamma)\n", ""),
            ("draft[:n] + added", "rest[: n + 1]"),
        ),
        A_LIST: ('"", []', "[], []"),
        OTHER_TEXT: ("guess(text,", "guess(sentence,"),
        "The text is right, but you add nothing after a complete draft, unless it is empty. The "
        "same call gives one character more, the bonus.": (
            ADDED,
            f'{ADDED} if n < len(draft) or not draft else ""',
        ),
        "You add nothing after a complete draft: the bonus is missing. An empty draft is complete, "
        "too.": (ADDED, f'{ADDED} if n < len(draft) else ""'),
        "Compare the draft with what follows `text`, not with the whole sentence.": (
            ("(draft, rest)", "(draft, sentence)"),
            ("draft[:n] + added", "rest[: n + 1]"),
        ),
        "The text is right, but a draft that is right in part earns a correction, too: the "
        "first wrong character "
        "is replaced in the same call.": (ADDED, f'{ADDED} if n in (0, len(draft)) else ""'),
        "The text is right, but where something was accepted you add nothing. The call has "
        "computed the correction or the bonus: add it in every round.": (
            (ADDED, f'{ADDED} if n == 0 else ""')
        ),
        "A draft of gamma characters leaves you nothing to add. The target says one character "
        "more, the bonus: let rest go on behind gamma.": (
            ("sentence[len(text) :]", "sentence[len(text) :][:gamma]")
        ),
        "You take the whole draft or nothing. The characters before the first mistake were "
        "verified as well: they are "
        "accepted.": ("accepted(draft, rest)", "len(draft) if rest.startswith(draft) else 0"),
        "You count every character that is right. What stands behind the first mistake was judged "
        "in a text that will never exist.": (
            ("accepted(draft, rest)", "sum(map(str.__eq__, draft, rest))"),
            ("draft[:n] + added", "rest[: n + 1]"),
        ),
        "You add all that is left of the sentence. A call gives one character after the accepted "
        "ones.": (ADDED, "rest[n:]"),
        "You leave out the rounds of which nothing was accepted. They are target calls, too: "
        "record them with n = 0.": ("rounds.append", "if n: rounds.append"),
        "You count characters. One target call checks a whole draft, so there is one record per "
        "round.": ("return text, rounds", 'return text, [("", 0, x) for x in text]'),
        "Record the whole draft, what was rejected of it as well.": (
            (RECORD, "(draft[:n], n, added)")
        ),
        "Record the draft alone. What the target added has its own place.": (
            (RECORD, "(draft[:n] + added, n, added)")
        ),
        "You count the target's own character as accepted. Accepted are the draft's characters "
        "before the first mistake.": (RECORD, "(draft, len(draft[:n] + added), added)"),
        "You count every character of the draft. Accepted are those before the first mistake.": (
            (RECORD, "(draft, len(draft), added)")
        ),
        "That is all that the round brought. Record as added only the target's own character.": (
            (RECORD, "(draft, n, draft[:n] + added)")
        ),
        "Your record says that the target added nothing. Make it after the correction or the "
        "bonus is known.": (RECORD, '(draft, n, "")'),
    },
    insight="One expression serves for both: after n accepted characters the target adds its own, "
    "whether that replaces a wrong guess or follows a complete draft.",
    ask=_decode,
    parts=("text", "target calls", "drafts", "accepted", "added"),
    shown="{}".format,
)
