"""Checks of this elective: the walk along an automaton, and a drafter that draws what followed."""

from collections.abc import Callable, Sequence
from types import FunctionType

import numpy as np

from course_utils.classroom.exercise import Exercise, only_a_stub, untouched
from course_utils.classroom.plain import plain
from course_utils.decoding.contracts import Draft, RoundNoise, Rows
from course_utils.decoding.noise import DraftNoise
from course_utils.decoding.proposal import CommittedText
from course_utils.decoding.sampling import sample
from course_utils.edits import slip
from course_utils.lessons.suffix_automaton.automaton import Automaton, row_after
from course_utils.proofs.decoders import Decoder, exam
from course_utils.refused import Refused

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
    (SHORT, 1, 1, 7),  # by one
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
    solution=followed,
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
        "You never look at what follows state 0. It is the empty ending: a single token may match "
        "there.": ("automaton.following[state]:\n", "automaton.following[state] or state == 0:\n"),
        "You give up at the last link, before you look at state 0. It is the empty ending: a "
        "single token may match there.": ("if state == 0:", "if automaton.link[state] <= 0:"),
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
    insight="Nothing was searched. A token lengthens the match by one and a link shortens it, so "
    "there are never more links than tokens.",
)


# --- the drafter that draws, and owes its q
# First single drafts, each of which gives a mistake away.  Then the whole loop with it on a small
# target, every path of it: the exact distance of its texts from those of the target alone.


SIZE = 7  # tokens; the automaton's text lacks the last one
READ = Automaton([0, 1, 2, 3, 0, 1, 4, 5, 3, 3, 2, 4, 0, 1, 2, 5])
BITS = Automaton([0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 0])  # a text of the small target's two tokens
WHOLE = exam(vocabulary_size=2, gamma=2, length=4, prompt=(0, 1), seed=1)
ROUNDING = 12  # digits of a distance

READ_ONLY = (
    "`tokens` is the text itself, to be read and sliced, not changed. list(tokens) is your own "
    "copy."
)
OWN_GENERATOR = (
    "Your guesses do not come from the uniforms that noise.uniforms gave you. With a generator of "
    "your own nobody can replay the run, and no program can prove it: sample(row, uniform)."
)
BY_HAND = (
    "Draw with sample(row, uniform). The check follows all values of a uniform at once, and other "
    "code that draws cannot take them."
)
KEPT = (
    "Asked twice after the same text, your drafter guesses differently: it keeps a state from one "
    "propose to the next. Each begins at state 0 and walks along the whole text."
)
OTHER_SIZE = (
    f"A row of your q has not {SIZE} entries, the vocabulary of this check. Take self.size, not "
    "the size of the lesson."
)
Answer = tuple[tuple[int, ...], Rows, float | str]  # tokens, q, distance or what was refused


def followed_by_chance(automaton: Automaton, size: int) -> object:
    """What makes the drafter, as the class of the elective's model solution does."""

    class WhatFollowed:
        def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
            state, matched = 0, 0
            for token in tokens:
                state, matched = followed(automaton, state, matched, token)
            guesses, rows = [], []
            for uniform in noise.uniforms("draft", gamma):
                row = row_after(automaton, state, size)
                guess = sample(row, uniform)
                rows.append(row)
                guesses.append(guess)
                state, matched = followed(automaton, state, matched, guess)
            return Draft(tuple(guesses), np.stack(rows))

    return WhatFollowed()


LIKELIEST = ("sample(row, uniform)", "int(row.argmax())")


def _proposed(
    attempt: Callable, tokens: list[int], gamma: int, uniforms: Sequence[float] | None
) -> Answer | None:
    """What the drafter proposes; no `uniforms`: the whole loop."""
    made = attempt(READ, SIZE)
    if untouched(made):
        return made
    method = getattr(type(made), "propose", None)
    stub = isinstance(method, FunctionType) and only_a_stub(method)
    if stub and untouched(method(made, tokens, gamma, uniforms)):
        return ...
    if uniforms is None:
        try:
            drafter = Decoder(drafter=lambda *_: attempt(BITS, 2))
            distance = round(WHOLE.distance(drafter), ROUNDING)
        except ValueError as refused:  # told last: single drafts show more plainly what is wrong
            distance = str(refused)
        except TypeError as error:
            if "Uniform" in str(error):
                raise Refused(BY_HAND) from None
            raise
        return (), np.empty((0, SIZE)), distance
    try:
        draft = plain(made.propose(CommittedText(tokens), gamma, DraftNoise(uniforms)))
    except (AttributeError, TypeError) as error:
        if CommittedText.__name__ in str(error):
            raise Refused(READ_ONLY) from None
        raise
    if draft is None:
        return None
    if said := _refused(draft, gamma):
        raise Refused(said)
    if (tokens, gamma) == (_OPEN, 3) and _draws_by_itself(attempt):
        raise Refused(OWN_GENERATOR)
    again = made.propose(CommittedText(tokens), gamma, DraftNoise(uniforms))
    if [*again.tokens] != [*draft.tokens]:
        raise Refused(KEPT)
    rows = np.eye(SIZE)[list(draft.tokens)] if draft.q is None else draft.q
    return tuple(draft.tokens), rows, 0.0


def _draws_by_itself(attempt: Callable) -> bool:
    """Other guesses from the same uniforms; or the same ones from all, and not the likeliest?"""

    def guesses(tokens: list[int], uniforms: Sequence[float]) -> list[int]:
        drafter = attempt(READ, SIZE)
        return [*drafter.propose(CommittedText(tokens), 3, DraftNoise(uniforms)).tokens]

    texts = [_OPEN, [4], [2], [0, 5], [3]]
    try:
        drawn = [[guesses(t, us) for us in _UNIFORMS * 2] for t in texts]
    except Exception:  # what it raises is told in its place
        return False
    if any(of_a_text[:3] != of_a_text[3:] for of_a_text in drawn):
        return True
    if any(not x or x != of_a_text[0] for of_a_text in drawn for x in of_a_text):
        return False
    certain = slip(followed_by_chance, LIKELIEST)(READ, SIZE)
    return [x[0] for x in drawn] != [
        [*certain.propose(t, 3, DraftNoise(_UNIFORMS[0])).tokens] for t in texts
    ]


def _refused(draft: object, gamma: int) -> str | None:
    if not isinstance(draft, Draft):
        return "Return a Draft: Draft(tokens, q)."
    if not isinstance(draft.tokens, tuple | list | np.ndarray):
        return "The first part of a Draft is a tuple of token ids: Draft(tokens, q)."
    if len(draft.tokens) > gamma:
        return (
            f"You propose {len(draft.tokens)} tokens where the loop asked for at most {gamma}: "
            "only guesses, none of the text, and no more than gamma."
        )
    if len(draft.tokens) < gamma:
        return (
            f"gamma is {gamma}, and you propose {len(draft.tokens)}. Draw "
            "gamma guesses and hand over all of them. A guess that is withheld because of what it "
            "turned out to be makes the text lossy."
        )
    if draft.q is None:
        return None
    if not isinstance(draft.q, np.ndarray):
        return "q is an array with a row for each guess: np.stack(rows) makes one of a list."
    if draft.q.shape[:-1] == (len(draft.tokens),) and draft.q.shape[-1] != SIZE:
        return OTHER_SIZE
    if draft.q.shape != (expected := (len(draft.tokens), SIZE)):
        return f"q has shape {draft.q.shape}, expected {expected}: one row for each guess."
    if draft.q.min() < 0 or not np.allclose(draft.q.sum(-1), 1):
        return "A row of q is no distribution. Hand over the rows just as row_after gave them."
    return None


def _asked(tokens: list[int], gamma: int, uniforms: Sequence[float] | None) -> str:
    if uniforms is None:
        return f"all texts of {WHOLE.length} tokens"
    return f"tokens = {tokens}, gamma = {gamma}, uniforms = {uniforms}"


def _told(answer: object, tokens: list[int], gamma: int, uniforms: object) -> str:
    if uniforms is None and isinstance(answer, str):
        return f"the loop refuses your draft: {answer}"
    if uniforms is None:
        return (
            f"that the loop can write: yours differ from the target's by {answer:.3f}. Did you "
            "draw a guess and not hand it over, or hand over another q?"
        )
    return ""


_OPEN = [5, 0, 1]  # three tokens followed 0 1
_UNIFORMS = ((0.02, 0.02, 0.02), (0.5, 0.5, 0.5), (0.98, 0.98, 0.98))
check_what_followed = Exercise(
    "what_followed",
    cases=[
        (_OPEN, 3, (0.15, 0.55, 0.9)),
        (_OPEN, 3, (0.9, 0.1, 0.4)),
        ([4, 0, 1, 2], 2, (0.2, 0.5)),  # four tokens were seen once, the last three twice
        ([3], 1, (0.98,)),  # 3 3 was seen as well, and a draft of 3
        ([4, 0], 3, (0.7, 0.95, 0.3)),
        ([0, 3], 2, (0.2, 0.85)),  # only the last token was seen
        ([3, 3, 1], 1, (0.75,)),
        ([1, 2, 5], 3, (0.45, 0.1, 0.65)),  # the end of that text, which nothing followed
        ([0, 6], 3, (0.3, 0.6, 0.9)),  # nothing matches: rows of small shares
        ([0, 1], WHOLE.gamma, None),
    ],
    solution=followed_by_chance,
    mistakes={
        # of the walk
        "You begin at the root and stay there. Walk along the text first, token by token.": (
            ("for token in tokens:", "for token in ():")
        ),
        KEPT: (
            ("    class", "    kept = [0, 0]\n\n    class"),
            ("state, matched = 0, 0", "state, matched = kept"),
            ("guesses, rows = [], []", "guesses, rows, kept[:] = [], [], (state, matched)"),
        ),
        OTHER_SIZE: ("row_after(automaton, state, size)", "row_after(automaton, state, size + 1)"),
        BY_HAND: ("sample(row, uniform)", "int(np.searchsorted(np.cumsum(row), uniform))"),
        "You walk along the last token alone. The longest ending decides: walk along the whole "
        "text.": ("for token in tokens:", "for token in tokens[-1:]:"),
        "You walk backwards. The text begins with its first token.": (
            ("for token in tokens:", "for token in list(tokens)[::-1]:")
        ),
        "All your guesses come from one row. Guess i follows guess i - 1: walk on along each "
        "guess before the next row.": (
            "                state, matched = followed(automaton, state, matched, guess)\n",
            "",
        ),
        "After a guess you begin again at the root. Walk on from where you are.": (
            ("followed(automaton, state, matched, guess)", "followed(automaton, 0, 0, guess)")
        ),
        OWN_GENERATOR: ("sample(row, uniform)", "sample(row, 0.6)"),
        "You draw every guess with the same uniform. noise.uniforms gives the same numbers each "
        "time it is asked: ask once for gamma of them, and use number i for guess i.": (
            ("row, uniform)", 'row, noise.uniforms("draft", gamma)[0])')
        ),
        "You take the likeliest token of each row. Draw it: sample(row, uniform).": LIKELIEST,
        # of q
        "q=None, or a row with a single 1, says that a guess is certain. Yours are drawn: hand "
        "over the rows that they were drawn from.": ("np.stack(rows)", "None"),
        "The first row of q stands there for every guess. Guess i has a row of its own.": (
            ("np.stack(rows)", "np.stack([rows[0]] * len(rows))")
        ),
        "Your rows come one too late. Row i is the distribution that guess i was drawn from, so "
        "take it before you walk on.": (
            ("np.stack(rows)", "np.stack([*rows[1:], row_after(automaton, state, size)])")
        ),
        "Your q is flat. It must be what the guesses were drawn from.": (
            ("np.stack(rows)", "np.full_like(np.stack(rows), 1 / len(rows[0]))")
        ),
    },
    insight="Every path of the loop with your drafter was walked on a small target, and the "
    "texts have the target's distribution to twelve digits. It may be slow; it cannot be wrong.",
    call=_proposed,
    parts=("tokens", "q", "distance"),
    describe_case=_asked,
    explain=_told,
)
