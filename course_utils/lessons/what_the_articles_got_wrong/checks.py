"""Checks of this elective: the fewest tokens, the best number of guesses, three decoders."""

from collections.abc import Callable

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.limits import Stopped, within_limits
from course_utils.decoding.theory import speedup
from course_utils.lessons.what_the_articles_got_wrong.pieces import CONTINUATION, ranks_in


def fewest(data, vocabulary):
    """b"abcb", {b"a", b"b", b"c", b"ab", b"bcb"} -> 2"""
    least = [0]
    for end in range(1, len(data) + 1):
        ways = (least[i] for i in range(end) if data[i:end] in vocabulary)
        least.append(1 + min(ways))
    return least[-1]


LETTERS = {b"a", b"b", b"c"}
LONG = 100  # bytes; a shorter case can be tried in every way
SECONDS = 3.0  # of computing, for one case


class TooLong(Exception):
    """In place of an answer: the long case took more than its time."""


def _in_time(attempt: Callable, data: bytes, vocabulary: set[bytes]) -> object:
    try:
        return within_limits(lambda: attempt(data, vocabulary), SECONDS)
    except Stopped as stopped:
        if len(data) < LONG:  # a loop that never ends
            raise
        raise TooLong(str(stopped)) from None


def _only_short(error: type[Exception]) -> Callable:
    """An attempt that is right on short texts; on a long one this is raised."""

    def count(data: bytes, vocabulary: set[bytes]) -> int:
        if len(data) >= LONG:
            raise error
        return fewest(data, vocabulary)

    return count


def _longest_first(data: bytes, vocabulary: set[bytes]) -> int:
    count, start = 0, 0
    while start < len(data):
        ends = (end for end in range(len(data), start, -1) if data[start:end] in vocabulary)
        count, start = count + 1, next(ends)
    return count


check_fewest = Exercise(
    "fewest",
    cases=[
        (b"abcb", LETTERS | {b"ab", b"bcb"}),
        (b"bcba", LETTERS | {b"ba", b"bcb"}),
        (b"aaaa", {b"a", b"aa", b"aaa"}),
        (b"cabbc", LETTERS | {b"abb", b"cc"}),  # what stands around an entry is not together
        (b"aabbcc", LETTERS | {b"aab", b"bcc", b"abbc"}),  # the longest, wherever it stands
        (CONTINUATION[:5].encode(), {*ranks_in()}),
        # as long as the article's text; whoever tries the longest first does not get deep
        (b"abab" * 150, LETTERS | {b"ab", b"ba", b"bab", b"abababab"}),
    ],
    solution=fewest,
    mistakes={
        "You take the longest entry that fits and go on behind it. A shorter one first can save "
        "one later: abcb is a + bcb, not ab + c + b.": _longest_first,
        "That is the number of bytes. An entry may have several.": lambda data, _: len(data),
        "That bound is right and weak: the text need not consist of the longest entries.": (
            lambda data, vocabulary: -(-len(data) // max(map(len, vocabulary)))
        ),
        "The last byte is left out. data[i:end] ends before `end`, so `end` goes up to "
        "len(data).": lambda data, vocabulary: fewest(data[:-1], vocabulary),
        "Right for short texts. A text of hundreds of bytes has too many ways to try each of them. "
        "Many ways share a beginning: solve each beginning once, and keep its result.": (
            _only_short(TooLong)
        ),
        "Right for short texts. For a text of hundreds of bytes your function calls itself deeper "
        "than Python allows. Go through the beginnings in a loop, the shortest first, and keep "
        "the result of each.": _only_short(RecursionError),
    },
    insight="No tokenizer with this vocabulary can do with fewer, whatever it joins first.",
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
        "You start at 1. Where α is below c no guess at all is the best number.": (
            "range(largest", "range(1, largest"
        ),
        "That is the highest speedup. Return the number of guesses that has it.": (
            lambda alpha, c, largest: max(speedup(alpha, g, c) for g in range(largest + 1))
        ),
        "That is a place in your list, which begins with 1 guess at place 0. The number of guesses "
        "is one more; and 0 guesses are not in the list.": (
            ("range(largest", "range(1, largest"), ("return max", "return -1 + max"),
        ),
        "You never try `largest` itself: range(n) ends at n - 1.": ("largest + 1", "largest"),
    },
    insight="At α = 0.7 and c = 0.1 that is 4. A best number at the end of what was tried asks for "
    "a second look at the formula.",
)  # fmt: skip

FAULTS = {"A": "none", "B": "draft", "C": "accepted"}

check_faults = Exercise(
    "faults",
    cases=[()],
    solution=FAULTS,
    mistakes={
        why: FAULTS | {letter: place}
        for letter, place, why in (
            ("A", "rejected", "A asks p a second time after a rejection. That costs a pass; the "
             "row is the same, and the residual is the right one."),
            ("A", "accepted", "A has no such line. Without a bonus a round is shorter, and the "
             "next one goes on behind the same text."),
            ("B", "none", "Some text of B is too frequent: programs.distance(B) is not 0."),
            ("B", "test", "B's test would be right for guesses that were drawn from q. Were they?"),
            ("B", "rejected", "B's correction is the residual of p and q, right for guesses drawn "
             "from q. Were they?"),
            ("C", "none", "Some text of C is too frequent: programs.distance(C) is not 0."),
        )
    },
    insight="The slowest of the three is the right one. A waste shows in the clock; a wrong line "
    "shows nowhere but in the distribution.",
    call=lambda answer: answer() if callable(answer) else answer,
    parts=[*FAULTS],
    explain=lambda place: f"{place!r} is not it. Change that line in a copy, and run "
    "programs.distance again.",
    describe_case=lambda: "",
)  # fmt: skip
