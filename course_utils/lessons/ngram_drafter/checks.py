"""Checks of this lesson: a probability from counts, a guess in any context, the search for
a match, and a drafter built on these."""

from collections.abc import Callable, Mapping, Sequence

from course_utils.classroom.exercise import Exercise, is_stub, untouched
from course_utils.decoding.contracts import Draft, RoundNoise
from course_utils.decoding.noise import DraftNoise
from course_utils.decoding.proposal import CommittedText
from course_utils.lessons.ngram_drafter.texts import CORPORA
from course_utils.refused import require, returned

SENTENCES = CORPORA["english"]


def counted_probability(sentences: list[list[str]], context: str, word: str) -> float:
    """Return P(word | context), counted within each sentence."""
    pairs = [pair for s in sentences for pair in zip(s, s[1:])]
    followers = [after for before, after in pairs if before == context]
    return followers.count(word) / len(followers) if followers else 0.0


FOLLOWED = "len(followers) if followers else 0.0"
check_counted_probability = Exercise(
    "counted_probability",
    cases=[
        (SENTENCES, "liked", "eating"),
        (SENTENCES, "<s>", "I"),
        (SENTENCES, "fruit", "</s>"),
        ([["cats", "eat", "fish"], ["I", "like", "cats"]], "cats", "eat"),  # one cats is followed
        ([["very", "very", "very", "good"]], "very", "good"),  # three pairs begin with "very"
        ([["I", "like", "cats"], ["dogs", "eat"], ["cats", "sleep"]], "cats", "dogs"),
        # differs from the mean of the sentences' shares, and from a count of sentences
        ([["like", "figs", "like", "plums", "like", "figs"], ["like", "plums"]], "like", "figs"),
        (SENTENCES, "plums", "eating"),  # never seen
    ],
    solution=counted_probability,
    mistakes={
        "You joined the sentences. "
        "The last word of a sentence has no successor.": "for s in sentences for pair → "
        "for s in [sum(map(list, sentences), [])] for pair",
        "That is a count. "
        "Divide it by how often the context is followed by anything.": f" / {FOLLOWED} → ",
        "You divided by how often the WORD occurs: that is P(context before | "
        "word).": f"{FOLLOWED} → sum(sentence.count(word) for sentence in sentences)",
        "You divided by all occurrences of the context. Leave out the one at a sentence's end: no "
        "word follows.": f"{FOLLOWED} → (sum(s.count(context) for s in sentences) or 1)",
        "plums never occurs, so you divided by 0. Return 0.0 instead.": " if followers else 0.0 → ",
    },
    insight="The shares of all words after one context add up to 1: they are a distribution.",
)


Counts = Mapping[tuple[int, ...], Mapping[int, int]]  # {context: {token: how often it followed}}
COUNTS = {  # without ties
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
    """Return the token that most often followed the longest ending of `text` in `counts`."""
    for length in (2, 1, 0):
        ending = tuple(text[len(text) - length :])
        if ending in counts:
            followers = counts[ending]
            return max(followers, key=followers.get)


def _endings(counts: Counts, text: Sequence[int]) -> str:
    endings = [tuple(text[len(text) - n :]) for n in (2, 1, 0)]
    known = {ending: counts[ending] for ending in endings if ending in counts}
    return f"text = {text}, counts = {known}"


check_guess_by_counts = Exercise(
    "guess_by_counts",
    cases=[
        (COUNTS, text)
        for text in (
            [9, 5, 4],  # two tokens decide
            [8, 5],
            [3, 7, 9],
            [5, 7, 4],  # 7 4 was never seen
            [4, 9],
            [5, 9, 6],  # nor was 6: the empty context
            [8, 4, 5],  # 4 5 was never seen, but 5 4 was
            [5],  # a text of one token
        )
    ],
    solution=guess_by_counts,
    mistakes={
        "You return None when the last token is not in counts. Use the empty context () then. "
        "text[-0:] is the whole text, "
        "so begin the slice at len(text) - length.": "len(text) - length : → -length :",
        "You always use the empty context: it is always in counts, with the largest numbers. Try "
        "it last, and return as soon as a longer ending is found.": "(2, 1, 0) → (0, 1, 2)",
        "You only look at the last token. Two tokens say more: "
        "try them first.": "(2, 1, 0) → (1, 0)",
        "You return a count. Return the token that has this "
        "count.": "max(followers, key=followers.get) → max(followers.values())",
        "You return the largest token id. Compare the counts: max(..., "
        "key=...).": ", key=followers.get → ",
    },
    insight="Now every text has a guess. Most guesses will be wrong, and that is allowed.",
    must_not_mutate=True,
    describe_case=_endings,
)


def find_match(tokens: Sequence[int], length: int) -> int | None:
    """Return where the last `length` tokens last occurred before: [1, 2, 1, 3, 1], 1 -> 2"""
    ending = tokens[-length:]
    for start in range(len(tokens) - length - 1, -1, -1):
        if tokens[start : start + length] == ending:
            return start
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
        "You found the ending itself. The match must be EARLIER: start the search one index "
        "further left.": "length - 1 → length",
        "You return the first match. Return the latest one: "
        "search from the right.": "(len(tokens) - length - 1, -1, -1) → (len(tokens) - length)",
        "You return where the copy begins. Return where the match begins, "
        "`length` tokens earlier.": "return start → return start + length",
        "A match may overlap the ending: in 5 5 5 the last two tokens match at index "
        "0.": "len(tokens) - length - 1 → len(tokens) - 2 * length",
        "Index 0 counts, too. `range(..., 0, -1)` ends before it, "
        "and `0 or None` is None.": "-1, -1) → 0, -1)",
        "You give up at the first index that does not match. "
        "Put `return None` after the loop.": "\n    return None → \n        return None",
    },
    must_not_mutate=True,
    insight="This needs no model and no probability: the text is its own dictionary.",
)


def lookup_first(counts: Counts) -> object:
    """Return the drafter of the lesson's solution."""

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
    """Return the draft's tokens and its q."""
    drafter = returned(attempt(COUNTS))
    draft = drafter.propose(CommittedText(tokens), gamma, DraftNoise((0.5,) * gamma))
    if untouched(draft) and is_stub(type(drafter).propose):
        raise NotImplementedError
    require(isinstance(draft, Draft), "Return a Draft: Draft(tokens, None), in both branches.")
    require(
        {*draft.tokens} <= {*tokens}.union(*COUNTS.values()),
        "One of your guesses is not in the counts that the check passes in. Use "
        "self.counts, not the notebook's counts.",
    )
    return draft.tokens, draft.q


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
        "Without a match you propose nothing. "
        "Guess by the counts there.": "for _ in range(gamma) → for _ in range(0)",
        "You copy the match itself. The draft is the text after the match: begin `length` tokens "
        "later.": "begin = start + length → begin = start",
        "A match at index 0 counts, but `if start:` treats 0 as false. "
        "Use `is not None`.": "if start is not None → if start",
        "You try one token first, so you never get to longer matches. They are better evidence: "
        "try the longest first.": "(3, 2, 1) → (1, 2, 3)",
        "All your guesses are the same. Guess i depends on guess i - 1: append each guess to the "
        "text before you make the next "
        "one.": "guess_by_counts(counts, text) → guess_by_counts(counts, tokens)",
        "You copy everything after the match. "
        "Propose at most gamma guesses.": "[begin : begin + gamma] → [begin:]",
    },
    insight="It needs no training, it may often be wrong, and it cannot change the text.",
    call=_proposed,
    parts=("the guesses", "q"),
    describe_case=lambda tokens, gamma: f"tokens = {tokens}, gamma = {gamma}",
)
