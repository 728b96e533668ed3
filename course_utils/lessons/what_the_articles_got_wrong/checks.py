"""Checks of this elective: the fewest tokens, the best number of guesses, three decoders."""

from collections.abc import Callable

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.limits import Stopped, within_limits
from course_utils.lessons.what_the_articles_got_wrong.pieces import CONTINUATION, ranks_in
from course_utils.theory.speedup import speedup


def fewest(data, vocabulary):
    """b"abcb", {b"a", b"b", b"c", b"ab", b"bcb"} -> 2"""
    least = [0]
    for end in range(1, len(data) + 1):
        ways = (least[i] for i in range(end) if data[i:end] in vocabulary)
        least.append(1 + min(ways))
    return least[-1]


LETTERS = {b"a", b"b", b"c"}
LONG = 100  # bytes; a shorter case is small enough to try every split
SECONDS = 3.0  # of computing for the long case


def _in_time(attempt: Callable, data: bytes, vocabulary: set[bytes]) -> object:
    if len(data) < LONG:
        return attempt(data, vocabulary)
    try:
        return within_limits(lambda: attempt(data, vocabulary), SECONDS)
    except Stopped:
        raise TimeoutError from None


def _longest_first(data: bytes, vocabulary: set[bytes]) -> int:
    count, start = 0, 0
    while start < len(data):
        ends = (end for end in range(len(data), start, -1) if data[start:end] in vocabulary)
        count, start = count + 1, next(ends)
    return count


def _raise(error: type[Exception]) -> None:
    raise error


BEGIN = "least = [0]"
check_fewest = Exercise(
    "fewest",
    cases=[
        (b"abcb", LETTERS | {b"ab", b"bcb"}),
        (b"bcba", LETTERS | {b"ba", b"bcb"}),
        (b"aaaa", {b"a", b"aa", b"aaa"}),
        (b"cabbc", LETTERS | {b"abb", b"cc"}),  # what surrounds an entry is not adjacent
        (b"aabbcc", LETTERS | {b"aab", b"bcc", b"abbc"}),  # the longest entry, anywhere in the text
        (CONTINUATION[:5].encode(), {*ranks_in()}),
        # as long as the article's text; trying the longest entry first recurses less deeply
        (b"abab" * 150, LETTERS | {b"ab", b"ba", b"bab", b"abababab"}),
    ],
    solution=fewest,
    mistakes={
        "You always take the longest entry that fits. A shorter one first can save one later: "
        "abcb is a + bcb, not ab + c + b.": _longest_first,
        "You return the number of bytes. An entry may have several.": lambda data, _: len(data),
        "You return only a lower bound. The text may not split into entries that long.": (
            lambda data, vocabulary: -(-len(data) // max(map(len, vocabulary)))
        ),
        "You leave out the last byte. data[i:end] ends before `end`, so `end` must reach "
        "len(data).": lambda data, vocabulary: fewest(data[:-1], vocabulary),
        "Right for short texts, but a text of hundreds of bytes has too many splits to try each. "
        "Many of them share a prefix: solve each prefix once and store its "
        "result.": f"{BEGIN} → {BEGIN} if len(data) < LONG else _raise(TimeoutError)",
        "Right for short texts, but on hundreds of bytes your function calls itself deeper than "
        "Python allows. Loop over the prefixes instead, shortest first, and store each "
        "result.": f"{BEGIN} → {BEGIN} if len(data) < LONG else _raise(RecursionError)",
    },
    insight="No tokenizer with this vocabulary needs fewer, in whatever order it joins.",
    call=_in_time,
)


def best_count(alpha, c, largest):
    """0.7, 0.1, 19 -> 4"""
    return max(range(largest + 1), key=lambda gamma: speedup(alpha, gamma, c))


check_best_count = Exercise(
    "best_count",
    cases=[
        (0.7, 0.1, 19), (0.6, 0.3, 19), (0.2, 0.3, 19), (0.95, 0.05, 5), (0.9, 0.1, 19),
        (0.8, 0.3, 19),
    ],
    solution=best_count,
    mistakes={
        "You start at 1, but if α is below c, "
        "the best number of guesses is 0.": "range(largest → range(1, largest",
        "You return the highest speedup. Return the number of guesses that gives it.": (
            lambda alpha, c, largest: max(speedup(alpha, g, c) for g in range(largest + 1))
        ),
        "You return an index into a list that starts at 1 guess. Start the list at 0 guesses, so "
        "that the index is the number of "
        "guesses.": "range(largest → range(1, largest; return max → return -1 + max",
        "You never try `largest`: range(n) ends at n - 1.": "largest + 1 → largest",
    },
    insight="At α = 0.7 and c = 0.1 that is 4. If the best number is the end of your range, check "
    "the formula again.",
)  # fmt: skip

FAULTS = {"A": "none", "B": "draft", "C": "accepted"}

check_faults = Exercise(
    "faults",
    cases=[()],
    solution=FAULTS,
    mistakes={
        "A calls p a second time after a rejection. That costs a pass, but the row is the same and "
        "the residual is right.": FAULTS | {"A": "rejected"},
        "A has no such line. Without a bonus the round is one token shorter, and the next one "
        "starts from the same text.": FAULTS | {"A": "accepted"},
        "Some text of B is too frequent: programs.distance(B) is not 0.": FAULTS | {"B": "none"},
        "B's test is right for guesses drawn from q. Were they?": FAULTS | {"B": "test"},
        "B's correction uses the residual of p and q, right for guesses drawn from q. Were "
        "they?": FAULTS | {"B": "rejected"},
        "Some text of C is too frequent: programs.distance(C) is not 0.": FAULTS | {"C": "none"},
    },
    insight="The slowest of the three is the correct one. Wasted time shows on the clock; a wrong "
    "line shows only in the distribution.",
    parts=[*FAULTS],
    explain=lambda place: (
        f"{place!r} is not the wrong line. Change it in a copy and run programs.distance again."
    ),
)
