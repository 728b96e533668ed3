"""Checks of lesson 02: counted probabilities, back-off, finding a match."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from course_utils.classroom.checks.feedback import Feedback, judge

SENTENCES = [
    ["<s>", "我", "喜欢", "吃", "苹果", "</s>"],
    ["<s>", "我", "喜欢", "吃", "香蕉", "</s>"],
    ["<s>", "他", "喜欢", "吃", "西瓜", "</s>"],
    ["<s>", "她", "喜欢", "吃", "葡萄", "</s>"],
    ["<s>", "我们", "都", "喜欢", "水果", "</s>"],
]
PAIRS = [("喜欢", "吃"), ("喜欢", "水果"), ("吃", "苹果"), ("<s>", "我"), ("水果", "</s>")]
UNSEEN = ("草莓", "吃")
# (count, total, kinds, discount, shorter)
BACK_OFF = [(4, 5, 2, 0.5, 0.1), (0, 5, 2, 0.5, 0.2), (1, 5, 2, 0.0, 0.3), (0, 0, 0, 0.5, 0.25)]
# (tokens, length)
TEXTS = [([7, 8, 9, 7, 8], 2), ([1, 2, 1, 3, 1], 1), ([5, 5, 5], 2), ([1, 2, 3], 1)]


def check_counted_probability(function: Callable) -> Feedback:
    """`function(sentences, context, word)` should be count(context word) / count(context)."""

    def attempt() -> list | None:
        answers = [function(SENTENCES, *pair) for pair in PAIRS]
        if all(a is None or a is ... for a in answers):
            return None
        try:
            return [*answers, function(SENTENCES, *UNSEEN)]
        except (ZeroDivisionError, KeyError):
            return [*answers, "raised"]

    def diagnose(answers: Sequence) -> str | None:
        *seen, unseen = answers
        cases = [(SENTENCES, *pair) for pair in PAIRS]
        mistakes = {
            "That is a count. Divide it by how often the context occurs.": _together,
            "You divided by all pairs of the corpus. Given the context, only the pairs "
            "that begin with it matter.": lambda s, c, w: _together(s, c, w) / 25,
            "You divided by how often the WORD occurs: that is P(context before | word).": (
                lambda s, c, w: _together(s, c, w) / sum(x.count(w) for x in s)
            ),
            "You divided by the number of sentences, not by how often the context occurs.": (
                lambda s, c, w: _together(s, c, w) / len(s)
            ),
            "You ignored the context: that is the share of the word in the whole corpus.": (
                lambda s, c, w: sum(x.count(w) for x in s) / sum(map(len, s))
            ),
        }
        mistake = _likeliest(seen, cases, _counted, mistakes, lambda c: f"P({c[2]} | {c[1]})")
        if mistake:
            return mistake
        if unseen == "raised":
            return f"{UNSEEN[0]} never occurs, so there is nothing to divide by: return 0.0."
        if unseen != 0:
            return f"{UNSEEN[0]} never occurs: its count gives probability 0.0, not {unseen}."
        return None

    return judge("counted_probability", attempt, diagnose)


def check_backed_off(function: Callable) -> Feedback:
    """`function(count, total, kinds, discount, shorter)`: absolute discounting."""

    def diagnose(answers: Sequence) -> str | None:
        if answers[-1] == "division":
            return (
                "An unseen context has total 0: there is nothing to divide by, and the "
                "answer is what the shorter context says."
            )
        mistakes = {
            "You took the discount off, but did not give it to anybody: add "
            "discount·kinds/total of the shorter context's probability.": (
                lambda c, n, k, d, s: max(c - d, 0) / n if n else s
            ),
            "You used plain counts: take the discount off each count first.": (
                lambda c, n, k, d, s: c / n if n else s
            ),
            "A word with count 0 has nothing to give up: cut count − discount off at 0.": (
                lambda c, n, k, d, s: (c - d + d * k * s) / n if n else s
            ),
            "EACH of the kinds of followers gives up one discount, so discount·kinds/total is "
            "saved, not discount/total.": (
                lambda c, n, k, d, s: (max(c - d, 0) + d * s) / n if n else s
            ),
            "You fall back only where the count is 0, so the probabilities sum to more than 1: "
            "the shorter context adds its share for every word.": (
                lambda c, n, k, d, s: max(c - d, 0) / n if c else s
            ),
            "You kept the full count and added the share on top: the row sums to more than 1. "
            "Take the discount off the count.": (
                lambda c, n, k, d, s: (c + d * k * s) / n if n else s
            ),
        }

        def shown(case: tuple) -> str:
            names = ("count", "total", "kinds", "discount", "shorter")
            return ", ".join(f"{name}={x}" for name, x in zip(names, case, strict=True))

        return _likeliest(answers, BACK_OFF, _backed_off, mistakes, shown)

    def attempt() -> list | None:
        answers = [function(*case) for case in BACK_OFF[:-1]]
        if all(a is None or a is ... for a in answers):
            return None
        try:
            return [*answers, function(*BACK_OFF[-1])]
        except ZeroDivisionError:
            return [*answers, "division"]

    return judge("backed_off", attempt, diagnose)


def check_find_match(function: Callable) -> Feedback:
    """`function(tokens, length)`: start of the latest earlier copy of the ending, or None."""

    def attempt() -> list | None:
        answers = [function(list(tokens), length) for tokens, length in TEXTS]
        return None if all(a is None or a is ... for a in answers) else answers

    def diagnose(answers: Sequence) -> str | None:
        right = [_latest(*case) for case in TEXTS]
        if list(answers) == right:
            return None
        mistakes = {
            "You found the ending itself. The match must stand EARLIER: start the search "
            "one place further left.": lambda t, n: len(t) - n,
            "You return the first match. The latest is likelier to go on in the same way: "
            "search from the right.": lambda t, n: next(iter(_places(t, n)), None),
            "You return where the copy begins. Return where the match begins, "
            "`length` tokens before.": (
                lambda t, n: None if _latest(t, n) is None else _latest(t, n) + n
            ),
            "You return the tokens that follow. Return the place where the match begins.": (
                lambda t, n: None if _latest(t, n) is None else t[_latest(t, n) + n :]
            ),
            "Without a match, return None: a number would be taken for a place.": (
                lambda t, n: -1 if _latest(t, n) is None else _latest(t, n)
            ),
        }
        for sentence, wrong in mistakes.items():
            if list(answers) == [wrong(*case) for case in TEXTS]:
                return sentence
        case, answer, wanted = next(
            x for x in zip(TEXTS, answers, right, strict=True) if x[1] != x[2]
        )
        return f"For tokens {case[0]} and length {case[1]} the answer is {wanted}, not {answer!r}."

    return judge("find_match", attempt, diagnose)


def _likeliest(
    answers: Sequence,
    cases: Sequence[tuple],
    right: Callable,
    mistakes: dict[str, Callable],
    shown: Callable[[tuple], str],
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
    case, answer = next(
        (c, a) for c, a in zip(cases, answers, strict=True) if abs(a - right(*c)) >= 1e-9
    )
    return f"{shown(case)}: the answer is {right(*case):.3g}, not {answer:.3g}."


def _together(sentences: list[list[str]], context: str, word: str) -> int:
    return sum(pair == (context, word) for s in sentences for pair in pairwise(s))


def _counted(sentences: list[list[str]], context: str, word: str) -> float:
    followed = sum(s[:-1].count(context) for s in sentences)
    return _together(sentences, context, word) / followed if followed else 0.0


def _backed_off(count: int, total: int, kinds: int, discount: float, shorter: float) -> float:
    if total == 0:
        return shorter
    return (max(count - discount, 0) + discount * kinds * shorter) / total


def _places(tokens: list[int], length: int) -> list[int]:
    """Where the last `length` tokens stood before, the end itself left out."""
    starts = range(len(tokens) - length)
    return [i for i in starts if tokens[i : i + length] == tokens[-length:]]


def _latest(tokens: list[int], length: int) -> int | None:
    return max(_places(tokens, length), default=None)
