"""Checks of this lesson: counts, a guess in any context, choosing a drafter, the search for where
the end of a text occurred before, and a drafter that is built on these."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from types import FunctionType

import numpy as np

from course_utils.classroom.exercise import Exercise, only_a_stub, untouched
from course_utils.classroom.plain import plain
from course_utils.classroom.rounds import round_of
from course_utils.decoding.contracts import Draft, RoundNoise
from course_utils.decoding.metrics import Metrics, summarise
from course_utils.decoding.noise import DraftNoise
from course_utils.decoding.proposal import CommittedText
from course_utils.lessons.ngram_drafter.corpora import CORPORA
from course_utils.refused import Refused

SENTENCES = CORPORA["english"]
PAIRS = (
    ("liked", "eating"), ("liked", "fruit"), ("eating", "apples"), ("<s>", "I"), ("fruit", "</s>"),
)  # fmt: skip
ENDS_WITH_ITS_CONTEXT = [["cats", "eat", "fish"], ["I", "like", "cats"]]  # cats: one is followed
REPEATED = [["very", "very", "very", "good"]]  # three pairs begin with "very"
# A mean of the sentences' own shares is another number, and so is a count of sentences.
SHARES_DIFFER = [["like", "figs", "like", "plums", "like", "figs"], ["like", "plums"]]
NO_NEIGHBOURS = [["I", "like", "cats"], ["dogs", "eat"], ["cats", "sleep"]]


def counted_probability(sentences: list[list[str]], context: str, word: str) -> float:
    """P(word | context), counted within each sentence."""
    pairs = [pair for s in sentences for pair in zip(s, s[1:])]
    followers = [after for before, after in pairs if before == context]
    return followers.count(word) / len(followers) if followers else 0.0


FOLLOWED = "len(followers) if followers else 0.0"
check_counted_probability = Exercise(
    "counted_probability",
    cases=[
        *((SENTENCES, *pair) for pair in PAIRS),
        (ENDS_WITH_ITS_CONTEXT, "cats", "eat"),
        (REPEATED, "very", "good"),
        (NO_NEIGHBOURS, "cats", "dogs"),
        (SHARES_DIFFER, "like", "figs"),
        (SENTENCES, "plums", "eating"),  # never seen
    ],
    solution=counted_probability,
    mistakes={
        "That is a count. Divide it by how often the context is followed by anything.": (
            (f" / {FOLLOWED}", "")
        ),
        "You divided by all pairs of the corpus. Given the context, only the pairs "
        "that begin with it matter.": (FOLLOWED, "len(pairs)"),
        "You divided by how often the WORD occurs: that is P(context before | word).": (
            (FOLLOWED, "sum(sentence.count(word) for sentence in sentences)")
        ),
        "You ignored the context: that is the share of the word in the whole corpus.": (
            lambda sentences, context, word: (
                sum(s.count(word) for s in sentences) / sum(map(len, sentences))
            )
        ),
        "You divided by all occurrences of the context. The last word of a sentence is followed "
        "by nothing: leave it out.": (FOLLOWED, "(sum(s.count(context) for s in sentences) or 1)"),
        "plums never occurs, so there is nothing to divide by: return 0.0.": (
            (" if followers else 0.0", "")
        ),
    },
    insight="The shares of all words after one context add up to 1: they are a distribution.",
    describe_case=lambda sentences, context, word: f"P({word} | {context})",
)


# --- a guess in any context


CHANGED = (
    "Your function changes what it was given, and the caller still needs that. Build what you "
    "need without .append, .pop, .reverse or del on it: a slice is a copy."
)


def _kept(attempt: Callable, *case: object) -> object:
    before = deepcopy(case)
    answer = attempt(*case)
    if case != before:
        raise Refused(CHANGED)
    return answer


Counts = Mapping[tuple[int, ...], Mapping[int, int]]  # {context: {token: how often it followed}}
COUNTS = {
    (): {3: 9, 4: 8, 5: 3, 7: 2, 9: 1},
    (4,): {3: 2, 5: 3, 7: 1},
    (5,): {4: 2, 9: 4},
    (8,): {4: 3, 5: 1},
    (9,): {3: 1, 8: 5},
    (5, 4): {7: 4, 3: 1},
    (8, 4): {7: 2},
    (8, 5): {4: 1},
    (7, 9): {4: 6, 3: 2},
}


def guess_by_counts(counts: Counts, text: Sequence[int]) -> int:
    """The token that most often followed the longest ending of `text` in `counts`."""
    for length in (2, 1, 0):
        ending = tuple(text[len(text) - length :])
        if ending in counts:
            followers = counts[ending]
            return max(followers, key=followers.get)


def _of_endings(counts: Counts, text: Sequence[int]) -> dict:
    endings = [tuple(text[len(text) - n :]) for n in (2, 1, 0)]
    return {ending: counts[ending] for ending in endings if ending in counts}


check_guess_by_counts = Exercise(
    "guess_by_counts",
    cases=[
        (COUNTS, text)
        for text in (
            [9, 5, 4],  # two tokens decide
            [8, 5],
            [3, 7, 9],
            [5, 7, 4],  # 7 4 was never seen
            [6, 8],
            [4, 9],
            [5, 9, 6],  # nor was 6: the empty context
            [9, 5, 2],
            [8, 4, 5],  # 4 5 was never seen, but 5 4 was
            [5],  # a text of one token
        )
    ],
    solution=guess_by_counts,
    mistakes={
        "Where neither two tokens nor one were seen, nothing comes back. The empty context () is "
        "left. It is no text[-0:], which is the whole text: begin at len(text) - length.": (
            ("len(text) - length :", "-length :")
        ),
        "A context that was never seen is no key of `counts`. Ask `in counts` before you look it "
        "up.": ("if ending in counts", "if True"),
        "In your code the empty context decides: it is always there, and its counts are the "
        "largest. Ask it last: return as soon as a longer ending is found.": (
            ("(2, 1, 0)", "(0, 1, 2)")
        ),
        "You look at the last token only. Two tokens say more: try them first.": (
            ("(2, 1, 0)", "(1, 0)")
        ),
        "You return how often it followed. Return the token.": (
            "max(followers, key=followers.get)",
            "max(followers.values())",
        ),
        "A context is a tuple. A list cannot be looked up, and tuple(...) takes a list, not one "
        "number: tuple(text[-1:]).": (
            "tuple(text[len(text) - length :])",
            "text[len(text) - length :]",
        ),
    },
    insight="There is a guess after any text. Most of them will be wrong, and that is allowed.",
    call=_kept,
    describe_case=lambda counts, text: f"text = {text}, counts = {_of_endings(counts, text)}",
)


# --- which of them is best


def _metrics(parts: Sequence[tuple[int, int, int]]) -> Metrics:
    """Of a run made of (rounds, drafted per round, accepted per round)."""
    return summarise(round_of(d, a) for count, d, a in parts for _ in range(count))


def _most(measure: Callable[[Metrics], float]) -> Callable:
    return lambda logs: max(logs, key=lambda name: measure(logs[name]))


# each wrong measure is fooled by another choice from these runs, which differ in length
_RUNS = (
    {"A": [(8, 0, 0), (2, 1, 1)], "B": [(6, 4, 3)], "C": [(9, 6, 4)], "D": [(7, 6, 3)]},
    {"B": [(7, 4, 1)], "A": [(7, 0, 0), (2, 3, 2)], "D": [(7, 5, 3)], "C": [(5, 2, 0)]},
    {"B": [(4, 6, 4)], "A": [(7, 0, 0), (5, 1, 1)], "C": [(9, 5, 1)], "D": [(7, 5, 3)]},
    {"B": [(4, 1, 0)], "C": [(9, 3, 2)], "A": [(5, 0, 0), (4, 2, 1)], "D": [(7, 5, 1)]},
)

check_best_drafter = Exercise(
    "best_drafter",
    cases=[({name: _metrics(parts) for name, parts in run.items()},) for run in _RUNS],
    solution=_most(lambda m: m.tokens_per_round),
    mistakes={
        "You choose by alpha. A drafter that is always right and seldom drafts saves little.": (
            _most(lambda m: m.accepted_per_examined)
        ),
        "You choose the drafter that wastes the smallest share of its guesses. One that seldom "
        "drafts wastes little, and saves little.": _most(lambda m: m.accepted_per_drafted),
        "You count the guesses as work. They are the draft's work; the target's are its calls.": (
            _most(lambda m: -(m.target_forwards + m.drafted) / m.tokens)
        ),
        "You choose by a number that grows with the text, accepted or emitted tokens. The texts "
        "differ in length: how many are that for each call?": _most(lambda m: m.accepted),
        "You choose by the number of target forwards. The texts differ in length: divide by "
        "the tokens.": _most(lambda m: -m.target_forwards),
        "That is the drafter that saves least. Exchange min and max, or the two sides of the "
        "ratio.": (_most(lambda m: m.target_forwards / m.tokens)),
    },
    insight="Work for the target is target_forwards / tokens, one over the tokens per round: "
    "alpha is not in it.",
    validate=lambda answer, logs: None if isinstance(answer, str) else "Return the drafter's name.",
    describe_case=lambda logs: ", ".join(
        f"{name} ({m.tokens} tokens, {m.target_forwards} forwards)" for name, m in logs.items()
    ),
)


# --- the search


def places(tokens: Sequence[int], length: int) -> list[int]:
    """Where the last `length` tokens occurred before, the end itself left out."""
    starts = range(len(tokens) - length)
    return [i for i in starts if tokens[i : i + length] == tokens[-length:]]


def find_match(tokens: Sequence[int], length: int) -> int | None:
    """[1, 2, 1, 3, 1], 1 -> 2; None if the last `length` tokens occurred nowhere"""
    ending = tokens[-length:]
    for start in range(len(tokens) - length - 1, -1, -1):
        if tokens[start : start + length] == ending:
            return start
    return None


NOWHERE = ("no place",)  # for None, which would be taken for an open answer


def _place(attempt: Callable, tokens: list[int], length: int) -> object:
    found = _kept(attempt, tokens, length)
    return NOWHERE if found is None and not only_a_stub(attempt) else found


def _misplaced(answer: object, tokens: list[int], length: int) -> str | None:
    found = places(tokens, length)
    if answer == NOWHERE:
        return f"None comes back. The last {length} occur earlier, at place {found[-1]}."
    if not found:
        return f"the answer is None, not {answer}: the last {length} occur nowhere before."
    if answer == found[0]:
        return f"you return {answer}, the earliest place; take the latest, {found[-1]}."
    return None


check_find_match = Exercise(
    "find_match",
    cases=[
        ([7, 8, 9, 7, 8], 2),
        ([1, 2, 1, 3, 1], 1),
        ([5, 5, 5], 2),  # the match and the end overlap
        ([7, 8, 9, 8, 7, 8], 2),  # the last token alone occurs later
        ([7, 8, 9, 7, 5, 7, 8], 2),  # and the first of the two
        ([9, 7, 8, 5, 7, 8, 6, 7, 8], 2),
        ([31, 5, 1, 5], 2),  # nowhere
        ([4, 4], 3),  # a text shorter than the ending
    ],
    solution=find_match,
    mistakes={
        "You found the ending itself. The match must stand EARLIER: start the search "
        "one place further left.": ("length - 1", "length"),
        "You return the first match. The latest one is asked for: search from the right.": (
            "(len(tokens) - length - 1, -1, -1)",
            "(len(tokens) - length)",
        ),
        "You return where the copy begins. Return where the match begins, "
        "`length` tokens before.": ("return start", "return start + length"),
        "Without a match, return None: a number would be taken for a place.": (
            ("return None", "return -1")
        ),
        "Place 0 counts as well. `range(..., 0, -1)` ends before it, and `0 or None` is None.": (
            ("-1, -1)", "0, -1)")
        ),
        "You give up at the first place that does not match. `return None` comes after the loop.": (
            "\n    return None",
            "\n        return None",
        ),
    },
    call=_place,
    explain=_misplaced,
    insight="No model and no probability was needed: the text is its own dictionary.",
)


# --- the drafter that is built on it: it copies, and counts where it cannot copy


READ_ONLY = (
    "`tokens` is the text itself, to be read and sliced, not changed. Begin with list(tokens), "
    "which is your own copy."
)


def lookup_first(counts: Counts) -> object:
    """What makes the drafter, as the class of the lesson's model solution does."""

    class LookupFirst:
        def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
            text = list(tokens)
            for length in (3, 2, 1):
                start = find_match(text, length)
                if start is not None:
                    begin = start + length
                    return Draft(tuple(text[begin : begin + gamma]), None)
            for _ in range(gamma):
                text.append(guess_by_counts(counts, text))
            return Draft(tuple(text[len(tokens) :]), None)

    return LookupFirst()


def _proposed(attempt: Callable, tokens: list[int], gamma: int) -> object:
    """The guesses."""
    made = attempt(COUNTS)
    if untouched(made):
        return made
    method = getattr(type(made), "propose", None)
    stub = isinstance(method, FunctionType) and only_a_stub(method)
    noise = DraftNoise((0.5,) * gamma)
    if stub and untouched(method(made, tokens, gamma, noise)):
        return ...
    try:
        draft = plain(made.propose(CommittedText(tokens), gamma, noise))
        again = plain(made.propose(CommittedText(tokens), gamma, DraftNoise((0.9,) * gamma)))
    except (AttributeError, TypeError) as error:
        if CommittedText.__name__ in str(error):
            raise Refused(READ_ONLY) from None
        raise
    if draft is None:
        return None
    if said := _refused(draft, gamma):
        raise Refused(said)
    if not {*draft.tokens} <= {*tokens}.union(*COUNTS.values()):
        raise Refused(
            "A guess of yours was never counted: the check hands over counts of its own. Ask "
            "self.counts, not the counts of the lesson."
        )
    if isinstance(again, Draft) and tuple(again.tokens) != tuple(draft.tokens):
        raise Refused(
            "Asked twice after the same text, your drafter guesses differently. These guesses "
            "follow from the text alone, not from chance."
        )
    return tuple(draft.tokens)


def _refused(draft: object, gamma: int) -> str | None:
    if not isinstance(draft, Draft):
        return "Return a Draft: Draft(tokens, None), in both branches."
    if not isinstance(draft.tokens, tuple | list | np.ndarray):
        return "The first part of a Draft is a tuple of token ids: Draft(tokens, None)."
    if draft.q is not None:
        return (
            "Your guesses are not drawn from anything. Say so with None in the place of q: "
            "Draft(tokens, None)."
        )
    if len(draft.tokens) > gamma:
        return (
            f"You propose {len(draft.tokens)} tokens where the loop asked for at most {gamma}: "
            "only guesses, none of the text, and no more than gamma."
        )
    return None


check_lookup_first = Exercise(
    "lookup_first",
    cases=[
        ([1, 2, 3, 2, 4, 1, 2], 2),  # the match is at place 0
        ([1, 2, 3, 1, 2], 8),  # the copy is shorter than gamma
        ([3, 1, 2, 4, 2, 5, 1, 2], 1),  # a later match of one token
        ([9, 0, 1, 2, 4, 1, 2, 5, 0, 1, 2], 2),  # a later match of two tokens
        ([0, 1, 2, 3, 4, 5, 1, 2, 3, 5, 0, 1, 2, 3], 1),  # an earlier match of four tokens
        ([3, 1, 4, 0, 1], 2),  # a match of one token only
        ([1, 2, 1, 3, 1], 1),  # two matches
        ([3, 8, 5], 3),  # no match
        ([4], 2),  # a text of one token
        ([6, 5, 9], 4),  # the third guess depends on the two before it
    ],
    solution=lookup_first,
    mistakes={
        "Without a match you propose nothing. That is where the counts are to guess.": (
            ("for _ in range(gamma)", "for _ in range(0)")
        ),
        "You copy the match itself. The draft is what came after it: begin `length` tokens "
        "later.": ("begin = start + length", "begin = start"),
        "A match at place 0 is a match. `if start:` takes 0 for no; ask `is not None`.": (
            ("if start is not None", "if start")
        ),
        "You begin with one token, and so end there. Three that agree say more: try the longest "
        "match first.": ("(3, 2, 1)", "(1, 2, 3)"),
        "All your guesses are the same one. Guess i follows guess i - 1: append each to the text "
        "before you ask for the next.": (
            "guess_by_counts(counts, text)",
            "guess_by_counts(counts, tokens)",
        ),
        "You hand over the end of the text, not the guesses: they begin at place len(tokens).": (
            ("tuple(text[len(tokens) :])", "tuple(tokens[-gamma:])")
        ),
    },
    insight="It is not trained, it may often be wrong, and it cannot change the text.",
    call=_proposed,
    describe_case=lambda tokens, gamma: f"tokens = {tokens}, gamma = {gamma}",
)
