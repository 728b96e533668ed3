"""Checks of this lesson: counts, interpolation, choosing a drafter, the walk of an automaton, the
search for where the end of a text occurred before, and a drafter that is built on it."""

from collections.abc import Callable, Sequence
from types import FunctionType

import numpy as np

from course_utils.classroom.exercise import Exercise, only_a_stub, untouched
from course_utils.classroom.plain import plain
from course_utils.classroom.rounds import round_of
from course_utils.classroom.slip import slip
from course_utils.decoding.contracts import Draft, LanguageModel, Rows
from course_utils.decoding.metrics import Metrics, summarise
from course_utils.decoding.proposal import CommittedText, DraftNoise
from course_utils.decoding.sampling import GREEDY, Sampling, sample
from course_utils.lessons.ngram_drafter.automaton import Automaton
from course_utils.lessons.ngram_drafter.counted_words import CORPORA
from course_utils.lessons.ngram_drafter.lookup_first import LONGEST, row_after
from course_utils.models.n_grams import NGram
from course_utils.proofs.decoders import Decoder, exam

SENTENCES = CORPORA["english"]
PAIRS = (
    ("liked", "eating"), ("liked", "fruit"), ("eating", "apples"), ("<s>", "I"), ("fruit", "</s>"),
)  # fmt: skip
ENDS_WITH_ITS_CONTEXT = [["cats", "eat", "fish"], ["I", "like", "cats"]]  # cats: one is followed
REPEATED = [["very", "very", "very", "good"]]  # three pairs begin with "very"
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
        (SENTENCES, "plums", "eating"),  # never seen
    ],
    right=counted_probability,
    mistakes={
        "That is a count. Divide it by how often the context is followed by anything.": (
            (f" / {FOLLOWED}", "")
        ),
        "You divided by all pairs of the corpus. Given the context, only the pairs "
        "that begin with it matter.": (FOLLOWED, "len(pairs)"),
        "You divided by how often the WORD occurs: that is P(context before | word).": (
            (FOLLOWED, "sum(sentence.count(word) for sentence in sentences)")
        ),
        "You divided by the number of sentences, not by how often the context occurs.": (
            (FOLLOWED, "len(sentences)")
        ),
        "You ignored the context: that is the share of the word in the whole corpus.": (
            lambda sentences, context, word: (
                sum(s.count(word) for s in sentences) / sum(map(len, sentences))
            )
        ),
        "You divided by all occurrences of the context. The last word of a sentence is followed "
        "by nothing: leave it out.": (FOLLOWED, "(sum(s.count(context) for s in sentences) or 1)"),
        "You count every word behind the context. It is followed by one, the next word.": (
            "pair in zip(s, s[1:])",
            "i, x in enumerate(s) for pair in [(x, after) for after in s[i + 1 :]]",
        ),
        "You count each follower once. How often it follows is the point.": (
            ("    return", "    followers = [*{*followers}]\n    return")
        ),
        "You run the sentences together. The first word of a sentence does not follow the last "
        "word of the one before: count within each.": (
            "[pair for s in sentences for pair in zip(s, s[1:])]",
            "[*zip(words := sum(sentences, []), words[1:])]",
        ),
        "You swapped the two: that is how often `context` follows `word`.": (
            ("before == context", "before == word"),
            ("count(word)", "count(context)"),
        ),
        "plums never occurs, so there is nothing to divide by: return 0.0.": (
            (" if followers else 0.0", "")
        ),
    },
    insight="The shares of all words after one context add up to 1: they are a distribution.",
    shown=lambda sentences, context, word: f"P({word} | {context})",
)


def _interpolated(count: int, total: int, kinds: int, discount: float, shorter: float) -> float:
    if total == 0:
        return shorter
    # what the word keeps, and its share of what all kinds give up
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
            (DIVIDED, f"{KEPT} / total + discount * shorter")
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
            ("if state == 0:", "if True:")
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
            ("if state == 0:", "if False:")
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
            ("matched + 1", "matched")
        ),
        "Where the token is nowhere in the text, nothing matches: return 0, 0.": (
            ("return 0, 0", "return 0, 1")
        ),
    },
    insight="One step a token, however long the text is: what the link leads to need not be "
    "searched for.",
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


def _earliest(answer: object, tokens: list[int], length: int) -> str | None:
    found = places(tokens, length)
    if found and answer == found[0]:
        return f"{answer} is the earliest place; take the latest, {found[-1]}."
    return None


AGREES = "tokens[start : start + length] == ending"
check_find_match = Exercise(
    "find_match",
    cases=[
        ([7, 8, 9, 7, 8], 2),
        ([1, 2, 1, 3, 1], 1),
        ([5, 5, 5], 2),  # the match and the end overlap
        ([7, 8, 9, 8, 7, 8], 2),  # the last token alone occurs later
        ([7, 8, 9, 7, 5, 7, 8], 2),  # and the first of the two
        ([1, 2, 3], 1),
        ([4, 4], 3),  # a text shorter than the ending
    ],
    right=find_match,
    mistakes={
        "You found the ending itself. The match must stand EARLIER: start the search "
        "one place further left.": ("length - 1", "length"),
        "You return the first match. The latest is likelier to go on in the same way: "
        "search from the right.": ("(len(tokens) - length - 1, -1, -1)", "(len(tokens) - length)"),
        "You return where the copy begins. Return where the match begins, "
        "`length` tokens before.": ("return start", "return start + length"),
        "You return the tokens that follow. Return the place where the match begins.": (
            ("return start", "return tokens[start + length :]")
        ),
        "Without a match, return None: a number would be taken for a place.": (
            ("return None", "return -1")
        ),
        "A match may overlap the end: in 5 5 5 the last two tokens stand at place 0, too. Begin "
        "the search one place left of the end.": ("length - 1", "2 * length"),
        "You compare the last token only. All of the last `length` tokens must agree.": (
            (AGREES, "tokens[start + length - 1] == ending[-1]")
        ),
        "You compare one token, the first of the last `length`. All of them must agree.": (
            (AGREES, "tokens[start] == ending[0]")
        ),
        "Place 0 counts as well: `range(..., 0, -1)` ends before it.": ("-1, -1)", "0, -1)"),
    },
    told=_earliest,
    insight="No model and no probability was needed: the text is its own dictionary.",
)


# --- the drafter that is built on it: it copies, and counts where it cannot copy
# First single drafts, each of which gives a mistake away.  Then the whole loop with it on two
# small tables, every path of it: the exact distance of its texts from those of the target alone.


SIZE = 6  # tokens of the counted texts
COUNTED = NGram([[0, 1, 2, 3, 0, 1, 4, 5, 3, 3, 2], [4, 0, 1, 2, 5]], 3, SIZE, discount=0.5)
WHOLE = exam(vocabulary_size=2, gamma=2, length=5, prompt=(0, 1), seed=1)
ROUNDING = 12  # digits of a distance

READ_ONLY = (
    "`tokens` is the text itself, to be read and sliced, not changed. Begin with list(tokens), "
    "which is your own copy."
)
OWN_GENERATOR = (
    "Your guesses do not come from the uniforms that noise.uniforms gave you. With a generator of "
    "your own nobody can replay the run, and no program can prove it: sample(row, uniform)."
)
Answer = tuple[tuple[int, ...], Rows, float]  # tokens, q, distance


def lookup_first(model: LanguageModel, sampling: Sampling) -> object:
    """What makes the drafter, as the class of the lesson's model solution does."""

    class LookupFirst:
        def propose(self, tokens: Sequence[int], gamma: int, noise: DraftNoise) -> Draft:
            for length in (3, 2, 1):
                start = find_match(tokens, length)
                if start is not None:
                    begin = start + length
                    return Draft(tuple(tokens[begin : begin + gamma]), None)
            text, rows = list(tokens), []
            for uniform in noise.uniforms("draft", gamma):
                row = row_after(model, text, sampling)
                rows.append(row)
                text.append(sample(row, uniform))
            return Draft(tuple(text[len(tokens) :]), np.stack(rows))

    return LookupFirst()


LIKELIEST = ("sample(row, uniform)", "int(row.argmax())")


def _copied(tokens: list[int], gamma: int) -> list[int] | None:
    """What followed the longest match, at most `gamma` tokens; None: there is none."""
    found = ((find_match(tokens, length), length) for length in range(LONGEST, 0, -1))
    copies = (tokens[at + length :][:gamma] for at, length in found if at is not None)
    return next(copies, None)


def _proposed(
    attempt: Callable,
    tokens: list[int],
    gamma: int,
    uniforms: Sequence[float] | None,
    how: Sampling,
) -> Answer | str | None:
    """What the drafter proposes, or what is wrong with it; no `uniforms`: the whole loop."""
    made = attempt(COUNTED, how)
    if untouched(made):
        return made
    method = getattr(type(made), "propose", None)
    stub = isinstance(method, FunctionType) and only_a_stub(method)
    if stub and untouched(method(made, tokens, gamma, uniforms)):
        return ...
    if uniforms is None:
        distance = WHOLE.distance(Decoder(drafter=lambda model, sampling: attempt(model, sampling)))
        return (), np.empty((0, SIZE)), round(distance, ROUNDING)
    try:
        draft = plain(made.propose(CommittedText(tokens), gamma, DraftNoise(uniforms)))
    except (AttributeError, TypeError) as error:
        if CommittedText.__name__ in str(error):
            return READ_ONLY
        raise
    if draft is None:
        return None
    if said := _refused(draft, tokens, gamma):
        return said
    if (tokens, gamma) == (_NO_MATCH, 3) and _draws_by_itself(attempt, how):
        return OWN_GENERATOR
    return tuple(draft.tokens), _rows(draft), 0.0


def _draws_by_itself(attempt: Callable, how: Sampling) -> bool:
    """Other guesses from the same uniforms; or the same ones from all, and not the likeliest?"""

    def guesses(tokens: list[int], uniforms: Sequence[float]) -> list[int]:
        drafter = attempt(COUNTED, how)
        return [*drafter.propose(CommittedText(tokens), 3, DraftNoise(uniforms)).tokens]

    nowhere_else = [_NO_MATCH, [4], [2], [0, 5], [1, 0]]  # nothing of it can be copied
    try:
        drawn = [[guesses(t, us) for us in _UNIFORMS * 2] for t in nowhere_else]
    except Exception:  # what it raises is told in its place
        return False
    if any(of_a_text[:3] != of_a_text[3:] for of_a_text in drawn):
        return True
    if any(not x or x != of_a_text[0] for of_a_text in drawn for x in of_a_text):
        return False
    certain = slip(lookup_first, LIKELIEST)(COUNTED, how)
    return [x[0] for x in drawn] != [
        [*certain.propose(t, 3, DraftNoise(_UNIFORMS[0])).tokens] for t in nowhere_else
    ]


def _rows(draft: Draft) -> np.ndarray:
    """q with its one-hot rows written out."""
    return np.eye(SIZE)[list(draft.tokens)] if draft.q is None else draft.q


def _refused(draft: object, tokens: list[int], gamma: int) -> str | None:
    if not isinstance(draft, Draft):
        return "Return a Draft: Draft(tokens, q), in both branches."
    if not isinstance(draft.tokens, tuple | list | np.ndarray):
        return "The first part of a Draft is a tuple of token ids: Draft(tokens, q)."
    if len(draft.tokens) > gamma:
        return (
            f"You propose {len(draft.tokens)} tokens where the loop asked for at most {gamma}: "
            "only guesses, none of the text, and no more than gamma."
        )
    if 0 < len(draft.tokens) < gamma and _copied(tokens, gamma) is None:
        return (
            f"Nothing could be copied, gamma is {gamma}, and you propose {len(draft.tokens)}. Draw "
            "gamma guesses and hand over all of them. A guess that is withheld because of what it "
            "turned out to be makes the text lossy."
        )
    if draft.q is None or not draft.tokens:
        return None
    copy = _copied(tokens, gamma)
    if copy == [*draft.tokens] and not np.array_equal(draft.q, np.eye(SIZE)[copy]):
        return "A copy is not drawn from anything: its q is None, Draft(tokens, None)."
    if not isinstance(draft.q, np.ndarray):
        return "q is an array with a row for each guess: np.stack(rows) makes one of a list."
    if draft.q.shape != (expected := (len(draft.tokens), SIZE)):
        return f"q has shape {draft.q.shape}, expected {expected}: one row for each guess."
    if draft.q.min() < 0 or not np.allclose(draft.q.sum(-1), 1):
        return "A row of q is no distribution. Hand over the rows just as row_after gave them."
    return None


def _asked(tokens: list[int], gamma: int, uniforms: Sequence[float] | None, how: Sampling) -> str:
    if uniforms is None:
        return f"all texts of {WHOLE.length} tokens"
    noise = f", uniforms = {uniforms}, temperature = {how.temperature:g}"
    return f"tokens = {tokens}, gamma = {gamma}{noise if _copied(tokens, gamma) is None else ''}"


def _told(answer: object, tokens: list[int], gamma: int, uniforms: object, _: Sampling) -> str:
    if uniforms is None and isinstance(answer, float):
        return (
            f"that the loop can write: yours differ from the target's by {answer:.3f}. Did you "
            "draw a guess and not hand it over, or hand over another q?"
        )
    return ""


_NO_MATCH = [5, 0, 1]
_UNIFORMS = ((0.02, 0.02, 0.02), (0.5, 0.5, 0.5), (0.98, 0.98, 0.98))
_CASES = [
    # (tokens, gamma); where there is a match nothing is drawn
    ([1, 2, 3, 1, 2], 2),  # the match is at place 0
    ([1, 2, 3, 1, 2], 8),  # the copy is shorter than gamma
    ([3, 1, 2, 4, 2, 5, 1, 2], 1),  # a later match of one token
    ([0, 1, 2, 4, 1, 2, 5, 0, 1, 2], 2),  # a later match of two tokens
    ([0, 1, 2, 3, 4, 5, 1, 2, 3, 5, 0, 1, 2, 3], 1),  # an earlier match of four tokens
    ([3, 1, 4, 0, 1], 2),  # a match of one token only
    ([1, 2, 1, 3, 1], 1),  # two matches
]
check_lookup_first = Exercise(
    "lookup_first",
    cases=[
        *((tokens, gamma, (0.5,) * gamma, Sampling()) for tokens, gamma in _CASES),
        (_NO_MATCH, 3, (0.15, 0.55, 0.9), Sampling()),
        (_NO_MATCH, 2, (0.95, 0.5), Sampling(temperature=0.5)),
        ([4], 2, (0.75, 0.97), GREEDY),  # a text of one token
        ([0, 1], WHOLE.gamma, None, Sampling()),
    ],
    right=lookup_first,
    mistakes={
        # of the copy
        "You never copy. Look for a match first, and guess only where there is none.": (
            ("if start is not None", "if False")
        ),
        "Without a match you propose nothing. That is where the counts are to guess.": (
            ("text, rows = list(tokens), []", "return Draft((), None)")
        ),
        "You copy the match itself. The draft is what came after it: begin `length` tokens "
        "later.": ("begin = start + length", "begin = start"),
        "You copy from the place after the match's first token. Begin `length` tokens after its "
        "start.": ("start + length", "start + 1"),
        "A slice ends at a place: tokens[begin : gamma] ends at place gamma. Copy up to "
        "begin + gamma.": ("begin + gamma", "gamma"),
        "You skip three tokens of every match. It may be shorter: skip `length` of them.": (
            ("start + length", "start + 3")
        ),
        "You repeat the end of the text. Copy what followed the match.": (
            ("[begin : begin + gamma]", "[-gamma:]")
        ),
        "A match at place 0 is a match. `if start:` takes 0 for no; ask `is not None`.": (
            ("if start is not None", "if start")
        ),
        "You begin with one token, and so end there. Three that agree say more: try the longest "
        "match first.": ("(3, 2, 1)", "(1, 2, 3)"),
        "You look for three tokens and then give up. Try two, then one.": ("(3, 2, 1)", "(3,)"),
        "You look for two tokens only. Try three first, and one at last.": ("(3, 2, 1)", "(2,)"),
        "You never try one token: range(3, 1, -1) ends at 2.": ("(3, 2, 1)", "(3, 2)"),
        "You begin with more than three tokens. Three are the longest match asked for.": (
            ("(3, 2, 1)", "(6, 5, 4, 3, 2, 1)")
        ),
        "You copy from the first match. Take the latest one.": (
            ("find_match(tokens, length)", "min(places(tokens, length), default=None)")
        ),
        "Where the copy ends before gamma, you go on with guesses. That is allowed if q says so, "
        "but it is not asked: leave a copy short.": (
            "return Draft(tuple(tokens[begin : begin + gamma]), None)",
            "copy = tokens[begin : begin + gamma]\n"
            "                    while len(copy) < gamma:\n"
            "                        row = row_after(model, [*tokens, *copy], sampling)\n"
            "                        copy.append(sample(row, 0.5))\n"
            "                    return Draft(tuple(copy), None)",
        ),
        "You copy one token. What followed it may be right as well: up to gamma of them.": (
            ("begin + gamma", "begin + 1")
        ),
        # of the guesses
        "All your guesses come from one row. Guess i follows guess i - 1: append each to the text "
        "before the next row.": ("row_after(model, text", "row_after(model, tokens"),
        "You ask for the row after the guesses alone. They follow the text: row_after gets both.": (
            ("row_after(model, text", "row_after(model, text[len(tokens) :] or text")
        ),
        "You ask for the row after the last token alone. Give row_after the whole text.": (
            ("row_after(model, text", "row_after(model, text[-1:]")
        ),
        OWN_GENERATOR: ("sample(row, uniform)", "sample(row, 0.6)"),
        "You draw every guess with the same uniform. noise.uniforms gives the same numbers each "
        "time it is asked: ask once for gamma of them, and use number i for guess i.": (
            ("row, uniform)", 'row, noise.uniforms("draft", gamma)[0])')
        ),
        "You take the likeliest token of each row. Draw it: sample(row, uniform).": LIKELIEST,
        "You draw at temperature 1, whatever is asked. Give row_after self.sampling.": (
            ("text, sampling)", "text, Sampling())")
        ),
        # of q
        "q=None, or a row with a single 1, says that a guess is certain. Yours are drawn: hand "
        "over the rows that they were drawn from.": ("np.stack(rows)", "None"),
        "The first row of q stands there for every guess. Guess i has a row of its own.": (
            ("np.stack(rows)", "np.stack([rows[0]] * len(rows))")
        ),
        "Your rows come one too late. Row i is the distribution that guess i was drawn from, so "
        "take it before you append the guess.": (
            ("np.stack(rows)", "np.stack([*rows[1:], row_after(model, text, sampling)])")
        ),
        "Your q is flat. It must be what the guesses were drawn from.": (
            ("np.stack(rows)", "np.full_like(np.stack(rows), 1 / len(rows[0]))")
        ),
        "You draw as self.sampling says, but q is at temperature 1. It must be the row that the "
        "guess was drawn from.": ("append(row)", "append(row_after(model, text, Sampling()))"),
    },
    insight="Every path of the loop with your drafter was walked on a small table, and the "
    "texts have the target's distribution to twelve digits. It may be slow; it cannot be wrong.",
    ask=_proposed,
    form=lambda answer, *_: answer if isinstance(answer, str) else None,
    parts=("tokens", "q", "distance"),
    shown=_asked,
    told=_told,
)
