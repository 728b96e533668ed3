"""Checks of the search for where the end of a text occurred before, and of the build on it, a
drafter that copies, and counts where it cannot copy.

Of the drafter first single drafts, each of which gives a mistake away.  Then the whole loop
with it on two small tables, every path of it: the exact distance of its texts from those of
the target alone.
"""

from collections.abc import Callable, Sequence
from types import FunctionType

import numpy as np

from course_utils.classroom.exercise import Exercise, only_a_stub, untouched
from course_utils.classroom.plain import plain
from course_utils.classroom.slip import slip
from course_utils.decoding.contracts import Draft, LanguageModel, Rows
from course_utils.decoding.proposal import CommittedText, DraftNoise
from course_utils.decoding.sampling import GREEDY, Sampling, sample
from course_utils.lessons.ngram_drafter.lookup_first import LONGEST, row_after
from course_utils.models.n_grams import NGram
from course_utils.proofs.decoders import Decoder, exam


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
            "return start",
            "return tokens[start + length :]",
        ),
        "Without a match, return None: a number would be taken for a place.": (
            "return None",
            "return -1",
        ),
        "A match may overlap the end: in 5 5 5 the last two tokens stand at place 0, too. Begin "
        "the search one place left of the end.": ("length - 1", "2 * length"),
        "You compare the last token only. All of the last `length` tokens must agree.": (
            AGREES,
            "tokens[start + length - 1] == ending[-1]",
        ),
        "You compare one token, the first of the last `length`. All of them must agree.": (
            AGREES,
            "tokens[start] == ending[0]",
        ),
        "Place 0 counts as well: `range(..., 0, -1)` ends before it.": ("-1, -1)", "0, -1)"),
    },
    told=_earliest,
    insight="No model and no probability was needed: the text is its own dictionary.",
)


# --- the drafter that is built on it


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
            "if start is not None",
            "if False",
        ),
        "Without a match you propose nothing. That is where the counts are to guess.": (
            "text, rows = list(tokens), []",
            "return Draft((), None)",
        ),
        "You copy the match itself. The draft is what came after it: begin `length` tokens "
        "later.": ("begin = start + length", "begin = start"),
        "You copy from the place after the match's first token. Begin `length` tokens after its "
        "start.": ("start + length", "start + 1"),
        "A slice ends at a place: tokens[begin : gamma] ends at place gamma. Copy up to "
        "begin + gamma.": ("begin + gamma", "gamma"),
        "You skip three tokens of every match. It may be shorter: skip `length` of them.": (
            "start + length",
            "start + 3",
        ),
        "You repeat the end of the text. Copy what followed the match.": (
            "[begin : begin + gamma]",
            "[-gamma:]",
        ),
        "A match at place 0 is a match. `if start:` takes 0 for no; ask `is not None`.": (
            "if start is not None",
            "if start",
        ),
        "You begin with one token, and so end there. Three that agree say more: try the longest "
        "match first.": ("(3, 2, 1)", "(1, 2, 3)"),
        "You look for three tokens and then give up. Try two, then one.": ("(3, 2, 1)", "(3,)"),
        "You look for two tokens only. Try three first, and one at last.": ("(3, 2, 1)", "(2,)"),
        "You never try one token: range(3, 1, -1) ends at 2.": ("(3, 2, 1)", "(3, 2)"),
        "You begin with more than three tokens. Three are the longest match asked for.": (
            "(3, 2, 1)",
            "(6, 5, 4, 3, 2, 1)",
        ),
        "You copy from the first match. Take the latest one.": (
            "find_match(tokens, length)",
            "min(places(tokens, length), default=None)",
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
            "begin + gamma",
            "begin + 1",
        ),
        # of the guesses
        "All your guesses come from one row. Guess i follows guess i - 1: append each to the text "
        "before the next row.": ("row_after(model, text", "row_after(model, tokens"),
        "You ask for the row after the guesses alone. They follow the text: row_after gets both.": (
            "row_after(model, text",
            "row_after(model, text[len(tokens) :] or text",
        ),
        "You ask for the row after the last token alone. Give row_after the whole text.": (
            "row_after(model, text",
            "row_after(model, text[-1:]",
        ),
        OWN_GENERATOR: ("sample(row, uniform)", "sample(row, 0.6)"),
        "You draw every guess with the same uniform. noise.uniforms gives the same numbers each "
        "time it is asked: ask once for gamma of them, and use number i for guess i.": (
            "row, uniform)",
            'row, noise.uniforms("draft", gamma)[0])',
        ),
        "You take the likeliest token of each row. Draw it: sample(row, uniform).": LIKELIEST,
        "You draw at temperature 1, whatever is asked. Give row_after self.sampling.": (
            "text, sampling)",
            "text, Sampling())",
        ),
        # of q
        "q=None, or a row with a single 1, says that a guess is certain. Yours are drawn: hand "
        "over the rows that they were drawn from.": ("np.stack(rows)", "None"),
        "The first row of q stands there for every guess. Guess i has a row of its own.": (
            "np.stack(rows)",
            "np.stack([rows[0]] * len(rows))",
        ),
        "Your rows come one too late. Row i is the distribution that guess i was drawn from, so "
        "take it before you append the guess.": (
            "np.stack(rows)",
            "np.stack([*rows[1:], row_after(model, text, sampling)])",
        ),
        "Your q is flat. It must be what the guesses were drawn from.": (
            "np.stack(rows)",
            "np.full_like(np.stack(rows), 1 / len(rows[0]))",
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
