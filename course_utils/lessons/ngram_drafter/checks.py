"""Checks of this lesson: counts, interpolation, choosing a drafter, the walk of an automaton.

The search and the drafter that is built on it have a file of their own.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.rounds import round_of
from course_utils.decoding.metrics import Metrics, summarise
from course_utils.lessons.ngram_drafter.automaton import Automaton
from course_utils.lessons.ngram_drafter.corpora import CORPORA
from course_utils.lessons.ngram_drafter.lookup_first_check import (
    check_find_match,
    check_lookup_first,
)

__all__ = [
    "check_best_drafter",
    "check_counted_probability",
    "check_find_match",
    "check_interpolated",
    "check_lookup_first",
    "check_next_match",
]

SENTENCES = CORPORA["english"]
PAIRS = (
    ("liked", "eating"), ("liked", "fruit"), ("eating", "apples"), ("<s>", "I"), ("fruit", "</s>"),
)  # fmt: skip
ENDS_WITH_ITS_CONTEXT = [["cats", "eat", "fish"], ["I", "like", "cats"]]  # cats: one is followed
REPEATED = [["very", "very", "very", "good"]]  # three pairs begin with "very"
NO_NEIGHBOURS = [["I", "like", "cats"], ["dogs", "eat"], ["cats", "sleep"]]


def counted_probability(sentences: list[list[str]], context: str, word: str) -> float:
    """P(word | context), counted within each sentence."""
    pairs = [pair for sentence in sentences for pair in pairwise(sentence)]
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
        (SENTENCES, "plums", "eating"),  # never seen
    ],
    right=counted_probability,
    mistakes={
        "That is a count. Divide it by how often the context is followed by anything.": (
            f" / {FOLLOWED}",
            "",
        ),
        "You divided by all pairs of the corpus. Given the context, only the pairs "
        "that begin with it matter.": (FOLLOWED, "len(pairs)"),
        "You divided by how often the WORD occurs: that is P(context before | word).": (
            FOLLOWED,
            "sum(sentence.count(word) for sentence in sentences)",
        ),
        "You divided by the number of sentences, not by how often the context occurs.": (
            FOLLOWED,
            "len(sentences)",
        ),
        "You ignored the context: that is the share of the word in the whole corpus.": (
            lambda sentences, context, word: (
                sum(s.count(word) for s in sentences) / sum(map(len, sentences))
            )
        ),
        "You divided by all occurrences of the context. The last word of a sentence is followed "
        "by nothing: leave it out.": (FOLLOWED, "(sum(s.count(context) for s in sentences) or 1)"),
        "You count every word behind the context. It is followed by one, the next word.": (
            "pair in pairwise(sentence)",
            "i, x in enumerate(sentence) for pair in [(x, after) for after in sentence[i + 1 :]]",
        ),
        "You count each follower once. How often it follows is the point.": (
            "    return",
            "    followers = [*{*followers}]\n    return",
        ),
        "You run the sentences together. The first word of a sentence does not follow the last "
        "word of the one before: count within each.": (
            "[pair for sentence in sentences for pair in pairwise(sentence)]",
            "[*pairwise(sum(sentences, []))]",
        ),
        "You swapped the two: that is how often `context` follows `word`.": (
            ("before == context", "before == word"),
            ("count(word)", "count(context)"),
        ),
        "plums never occurs, so there is nothing to divide by: return 0.0.": (
            " if followers else 0.0",
            "",
        ),
    },
    insight="The shares of all words after one context add up to 1: they are a distribution.",
    shown=lambda sentences, context, word: f"P({word} | {context})",
)


def _interpolated(count: int, total: int, kinds: int, discount: float, shorter: float) -> float:
    if total == 0:
        return shorter
    return (max(count - discount, 0) + discount * kinds * shorter) / total


# pieces of the solution
KEPT, SHARE = "max(count - discount, 0)", "discount * kinds * shorter"
BOTH = f"({KEPT} + {SHARE})"
DIVIDED = f"{BOTH} / total"
check_interpolated = Exercise(
    "interpolated",
    # (count, total, kinds, discount, shorter): seen, not seen, no discount, an unseen context,
    # and one whose kinds do not give up 1 together
    cases=[
        (4, 5, 2, 0.5, 0.1),
        (0, 5, 2, 0.5, 0.2),
        (1, 5, 2, 0.0, 0.3),
        (0, 0, 0, 0.5, 0.25),
        (3, 8, 3, 0.25, 0.4),
    ],
    right=_interpolated,
    mistakes={
        "An unseen context has total 0: there is nothing to divide by, and the answer is what "
        "the shorter context says.": ("    if total == 0:\n        return shorter\n", ""),
        "You took the discount off, but did not give it to anybody: add "
        "discount·kinds/total of the shorter context's probability.": (f" + {SHARE}", ""),
        "You used plain counts: take the discount off each count first.": (BOTH, "count"),
        "A word with count 0 has nothing to give up: cut count − discount off at 0.": (
            ("max(count - discount, 0)", "count - discount")
        ),
        "EACH of the kinds of followers gives up one discount, so discount·kinds/total is "
        "saved, not discount/total.": (" * kinds", ""),
        "`kinds` is not in what you hand out. Each kind gives up one discount, and counts are "
        "divided by total: discount·kinds/total.": (
            DIVIDED,
            f"{KEPT} / total + discount * shorter",
        ),
        "You hand out all of `shorter`. There is only discount·kinds/total to hand out.": (
            (DIVIDED, f"{KEPT} / total + shorter")
        ),
        "You give our word all that was saved. It gets the share `shorter` of it.": (
            (" * shorter", "")
        ),
        "Each kind gives up one discount, not one token: hand out discount·kinds/total.": (
            (SHARE, "kinds * shorter")
        ),
        "You divide by kinds. Each of them gives up a discount: multiply.": (
            (DIVIDED, f"{KEPT} / total + discount / kinds * shorter")
        ),
        "You hand out all that the word itself does not have. Saved is discount·kinds/total, the "
        "rest belongs to the other words.": (DIVIDED, f"(x := {KEPT} / total) + (1 - x) * shorter"),
        "You back off: counts where there are any, else the shorter context. Interpolation mixes "
        "the two for every word.": (("total == 0", "count == 0"), (BOTH, "count")),
        "A word with count 0 behind a context that was seen gets its share of what was saved, not "
        "all of `shorter`.": ("total == 0", "count == 0"),
        "You fall back only where the count is 0, so the probabilities sum to more than 1: "
        "the shorter context adds its share for every word.": (
            ("total == 0", "count == 0"),
            (f" + {SHARE}", ""),
        ),
        "An unseen context says nothing, but the shorter one does: return `shorter`, not 0.": (
            ("return shorter", "return 0.0")
        ),
        "What the kinds give up are counts. Divide them by total, too, before you hand them out.": (
            (DIVIDED, f"{KEPT} / total + {SHARE}")
        ),
        "The discount is a part of a count. Take it off before you divide by total.": (
            (DIVIDED, f"max(count / total - discount, 0) + {SHARE} / total")
        ),
        "You give the share to unseen words alone. In interpolation a word that was seen gets it, "
        "too.": (" + ", " if count else "),
        "You mix with the weight `discount`. What is handed out is discount·kinds/total, and the "
        "word keeps the rest of its own count.": (
            (DIVIDED, "(1 - discount) * count / total + discount * shorter")
        ),
        "You kept the full count and added the share on top: the row sums to more than 1. "
        "Take the discount off the count.": (KEPT, "count"),
    },
    insight="What the kinds give up is exactly what the shorter context hands out, so the row "
    "still sums to 1.",
)


def _metrics(parts: Sequence[tuple[int, int, int]]) -> Metrics:
    """Of a run made of (rounds, drafted per round, accepted per round)."""
    return summarise(round_of(d, a) for count, d, a in parts for _ in range(count))


def _most(measure: Callable[[Metrics], float]) -> Callable:
    return lambda logs: max(logs, key=lambda name: measure(logs[name]))


# each wrong measure is fooled by one of these runs, which differ in length
_RUNS = (
    {"short": [(4, 4, 3)], "careful": [(9, 0, 0), (3, 1, 1)], "long": [(9, 8, 2)]},
    {"short": [(2, 4, 1)], "careful": [(7, 0, 0), (6, 2, 2)], "long": [(9, 3, 2)]},
    {"wild": [(8, 8, 0)], "careful": [(5, 0, 0), (5, 2, 2)], "steady": [(9, 4, 2)]},
)

check_best_drafter = Exercise(
    "best_drafter",
    cases=[({name: _metrics(parts) for name, parts in run.items()},) for run in _RUNS],
    right=_most(lambda m: m.tokens_per_round),
    mistakes={
        "You choose by alpha or by accepted/drafted. A drafter that is always right and "
        "seldom drafts saves little.": _most(lambda m: m.accepted_per_examined),
        "You choose the drafter that drafts most. What is rejected saves nothing.": (
            _most(lambda m: m.drafted)
        ),
        "You choose by a number that grows with the text, accepted or emitted tokens. The texts "
        "differ in length: how many are that for each call?": _most(lambda m: m.accepted),
        "You choose by the number of target forwards. The texts differ in length: divide by "
        "the tokens.": _most(lambda m: -m.target_forwards),
        "That is the drafter that saves least: you take the largest number of forwards.": (
            _most(lambda m: m.target_forwards / m.tokens)
        ),
    },
    insight="Work for the target is target_forwards / tokens, one over the tokens per round: "
    "alpha is not in it.",
    form=lambda answer, logs: None if isinstance(answer, str) else "Return the drafter's name.",
    shown=lambda logs: ", ".join(
        f"{name} ({m.tokens} tokens, {m.target_forwards} forwards)" for name, m in logs.items()
    ),
)


SHORT = Automaton([7, 8, 9, 7, 8])
TURNED = Automaton([1, 1, 2, 1, 1, 3, 1, 2, 2])
ALIKE = Automaton([5, 5, 5, 6])
WALKS = [
    (SHORT, 0, 0, 7),
    (SHORT, 1, 1, 8),
    (SHORT, 0, 0, 8),  # 8 alone ends where 7 8 does
    (SHORT, 2, 1, 9),
    (SHORT, 0, 0, 4),  # nowhere in the text
    (SHORT, 3, 3, 4),
    (SHORT, 5, 5, 9),  # the end of the text goes on nowhere, its shorter ending does
    (SHORT, 5, 5, 7),  # by two links, and from the root
    (ALIKE, 3, 3, 5),
    (ALIKE, 3, 3, 6),
    *((TURNED, *walk) for walk in ((4, 3, 3), (5, 5, 2), (6, 4, 1), (8, 8, 3))),
]


def followed(automaton: Automaton, state: int, matched: int, token: int) -> tuple[int, int]:
    """(state, tokens) of the longest ending that is in the automaton's text."""
    while token not in automaton.following[state]:
        if state == 0:
            return 0, 0
        state = automaton.link[state]
        matched = automaton.length[state]
    return automaton.following[state][token], matched + 1


GOES_ON, MATCHED = "automaton.following[state][token]", "matched = automaton.length[state]"
check_next_match = Exercise(
    "next_match",
    cases=WALKS,
    right=followed,
    parts=("the state", "the number of tokens"),
    mistakes={
        "You begin again at the root. A shorter ending of the match may go on with this token: "
        "follow the links, one after another.": ("state = automaton.link[state]", "state = 0"),
        "You give up where the token does not follow. Go to the link of the state and try there.": (
            "if state == 0:",
            "if True:",
        ),
        "You follow one link. Where the token does not follow there either, follow the next: "
        "a `while`, not an `if`.": (
            ("while token", "if token"),
            (
                f"return {GOES_ON}, matched + 1",
                f"return ({GOES_ON}, matched + 1) if token in "
                "automaton.following[state] else (0, 0)",
            ),
        ),
        "State 0 has no link. If the token does not follow there either, return 0, 0.": (
            "if state == 0:",
            "if False:",
        ),
        "You take the length of the state that you leave. The match is as long as the one that the "
        "link leads to.": (
            ("state = automaton.link[state]\n        ", ""),
            (MATCHED, "state, matched = automaton.link[state], automaton.length[state]"),
        ),
        "A link may drop several tokens: `matched = automaton.length[state]` of the state that it "
        "leads to.": (MATCHED, "matched -= 1"),
        "You return the state before the token. Return where the token leads to, "
        "`automaton.following[state][token]`.": (f"return {GOES_ON}", "return state"),
        "You go on counting after a link. The ending is shorter now: "
        "`matched = automaton.length[state]` of the "
        "state that the link leads to.": (MATCHED, "pass"),
        "You return the length of the state. It may stand for longer pieces than matched: after "
        "8 alone one token matches, though its state "
        "stands for 7 8 as well.": ("matched + 1", f"automaton.length[{GOES_ON}]"),
        "You do not count the new token. If it follows, the match is one token longer.": (
            "matched + 1",
            "matched",
        ),
        "Where the token is nowhere in the text, nothing matches: return 0, 0.": (
            "return 0, 0",
            "return 0, 1",
        ),
    },
    insight="One step a token, however long the text is: what the link leads to need not be "
    "searched for.",
)
