"""Checks of this lesson: counts, a guess in any context, choosing a drafter, the search for where
the end of a text occurred before, and a drafter that is built on these."""

from collections.abc import Callable, Mapping, Sequence

from course_utils.classroom.exercise import Exercise, only_a_stub, untouched
from course_utils.classroom.rounds import round_of
from course_utils.decoding.contracts import Draft, RoundNoise
from course_utils.decoding.metrics import Metrics, summarise
from course_utils.decoding.noise import DraftNoise
from course_utils.decoding.proposal import CommittedText
from course_utils.lessons.ngram_drafter.texts import CORPORA
from course_utils.refused import Refused

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
        # A mean of the sentences' own shares is another number, and so is a count of sentences.
        ([["like", "figs", "like", "plums", "like", "figs"], ["like", "plums"]], "like", "figs"),
        (SENTENCES, "plums", "eating"),  # never seen
    ],
    solution=counted_probability,
    mistakes={
        "You joined the sentences. The last word of one is not followed by the next one's first.": (
            ("for s in sentences for pair", "for s in [sum(map(list, sentences), [])] for pair")
        ),
        "That is a count. Divide it by how often the context is followed by anything.": (
            (f" / {FOLLOWED}", "")
        ),
        "You divided by how often the WORD occurs: that is P(context before | word).": (
            (FOLLOWED, "sum(sentence.count(word) for sentence in sentences)")
        ),
        "You divided by all occurrences of the context. The last word of a sentence is followed "
        "by nothing: leave it out.": (FOLLOWED, "(sum(s.count(context) for s in sentences) or 1)"),
        "plums never occurs, so there is nothing to divide by: return 0.0.": (
            (" if followers else 0.0", "")
        ),
    },
    insight="The shares of all words after one context add up to 1: they are a distribution.",
    describe_case=lambda sentences, context, word: (
        f"P({word} | {context})" + (f" in {sentences}" if sentences is not SENTENCES else "")
    ),
)


# --- a guess in any context


Counts = Mapping[tuple[int, ...], Mapping[int, int]]  # {context: {token: how often it followed}}
COUNTS = {  # none of them is tied
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
        "Where neither two tokens nor one were seen, nothing comes back. The empty context () is "
        "left. It is no text[-0:], which is the whole text: begin at len(text) - length.": (
            ("len(text) - length :", "-length :")
        ),
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
        "You return the largest token. Compare how often each followed: max(..., key=...).": (
            (", key=followers.get", "")
        ),
    },
    insight="There is a guess after any text. Most of them will be wrong, and that is allowed.",
    must_not_mutate=True,
    describe_case=_endings,
)


# --- which of them is best


def best_drafter(logs: Mapping[str, Metrics]) -> str:
    """Return the name with the least work for the target."""
    return max(logs, key=lambda name: logs[name].tokens_per_round)


def _metrics(parts: Sequence[tuple[int, int, int]]) -> Metrics:
    """Metrics of a run made of (rounds, drafted per round, accepted per round)."""
    return summarise(round_of(d, a) for count, d, a in parts for _ in range(count))


# each wrong measure is fooled by another choice from these runs, which differ in length
_RUNS = (
    {"A": [(8, 0, 0), (2, 1, 1)], "B": [(6, 4, 3)], "C": [(9, 6, 4)], "D": [(7, 6, 3)]},
    {"B": [(7, 4, 1)], "A": [(7, 0, 0), (2, 3, 2)], "D": [(7, 5, 3)], "C": [(5, 2, 0)]},
    {"B": [(4, 6, 4)], "A": [(7, 0, 0), (5, 1, 1)], "C": [(9, 5, 1)], "D": [(7, 5, 3)]},
    {"B": [(4, 1, 0)], "C": [(9, 3, 2)], "A": [(5, 0, 0), (4, 2, 1)], "D": [(7, 5, 1)]},
)
GAIN = "logs[name].tokens_per_round"
check_best_drafter = Exercise(
    "best_drafter",
    cases=[({name: _metrics(parts) for name, parts in run.items()},) for run in _RUNS],
    solution=best_drafter,
    mistakes={
        "You choose by alpha. A drafter that is always right and seldom drafts saves little.": (
            (GAIN, "logs[name].accepted_per_examined")
        ),
        "You choose the drafter that wastes the smallest share of its guesses. One that seldom "
        "drafts wastes little, and saves little.": (GAIN, "logs[name].accepted_per_drafted"),
        "You choose by a number that grows with the text, accepted or emitted tokens. The texts "
        "differ in length: how many are that for each call?": (GAIN, "logs[name].accepted"),
        "You choose by the number of target forwards. The texts differ in length: divide by "
        "the tokens.": (GAIN, "-logs[name].target_forwards"),
        "That is the drafter that saves least. Exchange min and max, or the two sides of the "
        "ratio.": (GAIN, f"-{GAIN}"),
    },
    insight="Work for the target is target_forwards / tokens, one over the tokens per round: "
    "alpha is not in it.",
    describe_case=lambda logs: ", ".join(
        f"{name} ({m.tokens} tokens, {m.target_forwards} forwards)" for name, m in logs.items()
    ),
)


# --- the search


def find_match(tokens: Sequence[int], length: int) -> int | None:
    """Return the latest earlier place of the last `length` tokens: [1, 2, 1, 3, 1], 1 -> 2"""
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
        "You found the ending itself. The match must stand EARLIER: start the search "
        "one place further left.": ("length - 1", "length"),
        "You return the first match. The latest one is asked for: search from the right.": (
            "(len(tokens) - length - 1, -1, -1)",
            "(len(tokens) - length)",
        ),
        "You return where the copy begins. Return where the match begins, "
        "`length` tokens before.": ("return start", "return start + length"),
        "A match may overlap the ending: in 5 5 5 the last two stand at place 0, too.": (
            ("len(tokens) - length - 1", "len(tokens) - 2 * length")
        ),
        "Place 0 counts as well. `range(..., 0, -1)` ends before it, and `0 or None` is None.": (
            ("-1, -1)", "0, -1)")
        ),
        "You give up at the first place that does not match. `return None` comes after the loop.": (
            "\n    return None",
            "\n        return None",
        ),
    },
    must_not_mutate=True,
    insight="No model and no probability was needed: the text is its own dictionary.",
)


# --- the drafter that is built on it: it copies, and counts where it cannot copy


def lookup_first(counts: Counts) -> object:
    """Make a drafter of the lesson's model solution."""

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
    """The draft's tokens and its q."""
    drafter = attempt(COUNTS)
    if untouched(drafter):
        return ...
    draft = drafter.propose(CommittedText(tokens), gamma, DraftNoise((0.5,) * gamma))
    if untouched(draft):
        return ... if only_a_stub(getattr(type(drafter), "propose", None)) else draft
    if not isinstance(draft, Draft):
        raise Refused("Return a Draft: Draft(tokens, None), in both branches.")
    if not {*draft.tokens} <= {*tokens}.union(*COUNTS.values()):
        raise Refused(
            "A guess of yours was never counted: the check has counts of its own. Ask "
            "self.counts, not the notebook's counts."
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
        "You copy everything behind the match. The loop asked for at most gamma guesses.": (
            ("[begin : begin + gamma]", "[begin:]")
        ),
    },
    insight="It is not trained, it may often be wrong, and it cannot change the text.",
    call=_proposed,
    parts=("the guesses", "q"),
    describe_case=lambda tokens, gamma: f"tokens = {tokens}, gamma = {gamma}",
)
