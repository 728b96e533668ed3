"""Checks of lesson 02: counts, interpolation, finding a match, a drafter, choosing a drafter."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from operator import eq

from course_utils.classroom.diagnosis import RAISED, answers, likeliest, round_of
from course_utils.classroom.feedback import Feedback, judge
from course_utils.decoding.contracts import Draft, Drafter
from course_utils.decoding.metrics import Metrics, summarise

SENTENCES = [
    ["<s>", "我", "喜欢", "吃", "苹果", "</s>"],
    ["<s>", "我", "喜欢", "吃", "香蕉", "</s>"],
    ["<s>", "他", "喜欢", "吃", "西瓜", "</s>"],
    ["<s>", "她", "喜欢", "吃", "葡萄", "</s>"],
    ["<s>", "我们", "都", "喜欢", "水果", "</s>"],
]
UNSEEN = ("草莓", "吃")
PAIRS = [("喜欢", "吃"), ("喜欢", "水果"), ("吃", "苹果"), ("<s>", "我"), ("水果", "</s>")]
# (count, total, kinds, discount, shorter)
MIXED = [(4, 5, 2, 0.5, 0.1), (0, 5, 2, 0.5, 0.2), (1, 5, 2, 0.0, 0.3), (0, 0, 0, 0.5, 0.25)]
# (tokens, length)
TEXTS = [([7, 8, 9, 7, 8], 2), ([1, 2, 1, 3, 1], 1), ([5, 5, 5], 2), ([1, 2, 3], 1)]
# (tokens, gamma)
ENDINGS = [([7, 8, 9, 7, 8], 2), ([7, 8, 9, 7, 8], 8), ([1, 2, 3, 1, 2, 4, 1, 2], 1), ([1, 2], 3)]
CHANGED = "changed"  # in place of a draft: the drafter altered the text it was shown
# drafter: the parts of its run, (rounds, drafted a round, accepted a round)
RUNS = [
    {"short": [(4, 4, 3)], "careful": [(9, 0, 0), (3, 1, 1)], "long": [(9, 8, 2)]},
    {"short": [(2, 4, 1)], "careful": [(7, 0, 0), (6, 2, 2)], "long": [(9, 3, 2)]},
    {"wild": [(8, 8, 0)], "careful": [(5, 0, 0), (5, 2, 2)], "steady": [(9, 4, 2)]},
]


def check_counted_probability(function: Callable) -> Feedback:
    """`function(sentences, context, word)` should be count(context word) / count(context)."""
    cases = [(SENTENCES, *pair) for pair in (*PAIRS, UNSEEN)]

    def diagnose(given: Sequence) -> str | None:
        *seen, unseen = given
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
        if mistake := likeliest(
            seen, cases[:-1], _counted, mistakes, shown=lambda case: f"P({case[2]} | {case[1]})"
        ):
            return mistake
        if unseen == RAISED:
            return f"{UNSEEN[0]} never occurs, so there is nothing to divide by: return 0.0."
        if unseen != 0:
            return f"{UNSEEN[0]} never occurs: its count gives probability 0.0, not {unseen}."
        return None

    def attempt() -> list | None:
        return answers(function, cases, (ZeroDivisionError, KeyError))

    return judge("counted_probability", attempt, diagnose)


def check_interpolated(function: Callable) -> Feedback:
    """`function(count, total, kinds, discount, shorter)`: absolute discounting."""

    def diagnose(given: Sequence) -> str | None:
        if given[-1] == RAISED:
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

        return likeliest(given, MIXED, _interpolated, mistakes, shown=shown)

    return judge("interpolated", lambda: answers(function, MIXED, (ZeroDivisionError,)), diagnose)


check_backed_off = check_interpolated  # its name in older copies of the lesson


def check_find_match(function: Callable) -> Feedback:
    """`function(tokens, length)`: start of the latest earlier copy of the ending, or None."""

    def diagnose(given: Sequence) -> str | None:
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
        return likeliest(
            given, TEXTS, _latest, mistakes, same=eq,
            shown=lambda case: f"tokens {case[0]} and length {case[1]}",
        )  # fmt: skip

    return judge("find_match", lambda: answers(function, TEXTS), diagnose)


def check_copycat(drafter: Callable[[], Drafter]) -> Feedback:
    """`drafter().propose(tokens, gamma, noise)` copies what followed the last two tokens."""

    def attempt() -> list | None:
        def propose(tokens: list[int], gamma: int) -> object:
            text = list(tokens)
            draft = drafter().propose(text, gamma, None)
            return draft if text == tokens else CHANGED

        return answers(propose, ENDINGS)

    def diagnose(given: Sequence) -> str | None:
        if CHANGED in given:
            return "You changed `tokens`, which is the text itself. Take slices, or a copy."
        if given[-1] is None:
            return "Without a match return an empty draft, Draft((), None), and not None."
        if not all(isinstance(answer, Draft) for answer in given):
            return "Return a Draft: Draft(the copied tokens as a tuple, None)."
        if any(answer.tokens and answer.q is not None for answer in given):
            return "A copied token is certain: its q is one-hot, which is written q=None."
        mistakes = {
            "You copy the match itself. The draft is what came after it, so begin two tokens "
            "later.": lambda t, gamma: _copied(t, gamma, skip=0),
            "You propose all that followed. The loop asked for at most `gamma` tokens.": (
                lambda t, gamma: _copied(t, len(t))
            ),
            "You copy from the first match. Take the latest one.": (
                lambda t, gamma: _copied(t, gamma, which=0)
            ),
            "You repeat the end of the text. Copy what followed the match.": (
                lambda t, gamma: t[-gamma:] if _places(t, 2) else []
            ),
        }
        return likeliest(
            [list(answer.tokens) for answer in given], ENDINGS, _copied, mistakes, same=eq,
            shown=lambda case: f"tokens {case[0]} and gamma {case[1]}",
        )  # fmt: skip

    return judge("copycat", attempt, diagnose)


def check_best_drafter(function: Callable[[Mapping[str, Metrics]], str]) -> Feedback:
    """`function({name: metrics})` should name the run with the fewest forwards a token."""
    cases = [({name: _metrics(parts) for name, parts in run.items()},) for run in RUNS]

    def most(measure: Callable[[Metrics], float]) -> Callable:
        return lambda logs: max(logs, key=lambda name: measure(logs[name]))

    def diagnose(given: Sequence) -> str | None:
        mistakes = {
            "You choose by alpha or by accepted/drafted. A drafter that is always right and "
            "seldom drafts saves little.": most(lambda m: m.accepted_per_examined),
            "You choose the drafter that drafts most. What is rejected saves nothing.": (
                most(lambda m: m.drafted)
            ),
            "You choose by the number of accepted tokens. The texts differ in length: set it in "
            "relation to the tokens.": most(lambda m: m.accepted),
            "You choose by the number of target forwards. The texts differ in length: divide by "
            "the tokens.": most(lambda m: -m.target_forwards),
            "That is the drafter that saves least: you take the largest number of forwards.": (
                most(lambda m: m.target_forwards / m.tokens)
            ),
        }
        return likeliest(
            given, cases, most(lambda m: m.tokens_per_round), mistakes, same=eq,
            shown=lambda case: ", ".join(
                f"{name} ({m.tokens} tokens, {m.target_forwards} forwards)"
                for name, m in case[0].items()
            ),
        )  # fmt: skip

    return judge("best_drafter", lambda: answers(function, cases), diagnose)


def _metrics(parts: Sequence[tuple[int, int, int]]) -> Metrics:
    """Of a run made of (rounds, drafted a round, accepted a round)."""
    return summarise(round_of(d, a) for count, d, a in parts for _ in range(count))


def _copied(tokens: list[int], gamma: int, which: int = -1, skip: int = 2) -> list[int]:
    """At most gamma tokens, from `skip` after a match of the last two; none without one."""
    places = _places(tokens, 2)
    return tokens[places[which] + skip :][:gamma] if places else []


def _together(sentences: list[list[str]], context: str, word: str) -> int:
    return sum(pair == (context, word) for s in sentences for pair in pairwise(s))


def _counted(sentences: list[list[str]], context: str, word: str) -> float:
    followed = sum(s[:-1].count(context) for s in sentences)
    return _together(sentences, context, word) / followed if followed else 0.0


def _interpolated(count: int, total: int, kinds: int, discount: float, shorter: float) -> float:
    if total == 0:
        return shorter
    return (max(count - discount, 0) + discount * kinds * shorter) / total


def _places(tokens: list[int], length: int) -> list[int]:
    """Where the last `length` tokens stood before, the end itself left out."""
    starts = range(len(tokens) - length)
    return [i for i in starts if tokens[i : i + length] == tokens[-length:]]


def _latest(tokens: list[int], length: int) -> int | None:
    return max(_places(tokens, length), default=None)
