"""Checks of this elective: the walk along an automaton, and a drafter that draws what followed."""

from types import FunctionType

import numpy as np

from course_utils.classroom.exercise import Exercise, only_a_stub, untouched
from course_utils.decoding import Draft, sample
from course_utils.decoding.noise import DraftNoise
from course_utils.decoding.proposal import CommittedText
from course_utils.edits import slip
from course_utils.lessons.suffix_automaton.automaton import Automaton, row_after
from course_utils.proofs.decoders import Decoder, exam

SHORT = Automaton([7, 8, 9, 7, 8])
TURNED = Automaton([1, 1, 2, 1, 1, 3, 1, 2, 2])
ALIKE = Automaton([5, 5, 5, 6])


def next_match(automaton, state, matched, token):
    """Automaton([7, 8, 9, 7, 8]), 5, 5, 9 -> (3, 3)"""
    while token not in automaton.following[state]:
        if state == 0:
            return 0, 0
        state = automaton.link[state]
        matched = automaton.length[state]
    return automaton.following[state][token], matched + 1


GOES_ON, MATCHED = "automaton.following[state][token]", "matched = automaton.length[state]"
check_next_match = Exercise(
    "next_match",
    cases=[
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
    ],
    solution=next_match,
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
        "A link may drop several tokens: `matched = automaton.length[state]` of the state that it "
        "leads to.": (MATCHED, "matched -= 1"),
        "You return the length of the state. It may stand for longer pieces than matched: after "
        "8 alone one token matches, though its state stands for 7 8 as well.": (
            ("matched + 1", f"automaton.length[{GOES_ON}]")
        ),
    },
    insight="Nothing was searched. A token lengthens the match by one and a link shortens it, so "
    "there are never more links than tokens.",
)


class WhatFollowed:
    def __init__(self, automaton, size):
        self.automaton, self.size = automaton, size

    def propose(self, tokens, gamma, noise) -> Draft:
        """Draw gamma guesses, each from what followed the match so far."""
        state, matched = 0, 0
        for token in tokens:
            state, matched = next_match(self.automaton, state, matched, token)
        guesses, rows = [], []
        for uniform in noise.uniforms("draft", gamma):
            row = row_after(self.automaton, state, self.size)
            guess = sample(row, uniform)
            rows.append(row)
            guesses.append(guess)
            state, matched = next_match(self.automaton, state, matched, guess)
        return Draft(tuple(guesses), np.stack(rows))


SIZE = 7  # tokens; the automaton's text lacks the last one
READ = Automaton([0, 1, 2, 3, 0, 1, 4, 5, 3, 3, 2, 4, 0, 1, 2, 5])
BITS = Automaton([0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 0])  # a text of the small target's two tokens
WHOLE = exam(vocabulary_size=2, gamma=2, length=4, prompt=(0, 1), seed=1)


def _proposed(attempt, tokens, gamma, uniforms) -> object:
    """(guesses, q, nothing); without uniforms the distance of all texts that the loop writes."""
    drafter = attempt(READ, SIZE)
    propose = getattr(type(drafter), "propose", None)
    if untouched(drafter) or (isinstance(propose, FunctionType) and only_a_stub(propose)):
        return drafter if untouched(drafter) else ...
    if uniforms is None:
        distance = WHOLE.distance(Decoder(drafter=lambda *_: attempt(BITS, 2)))
        return (), (), round(distance, 12)
    draft = drafter.propose(CommittedText(tokens), gamma, DraftNoise(uniforms))
    return None if draft is None else (tuple(draft.tokens), draft.q, 0.0)


def _wrong(*edits: tuple[str, str]) -> type:
    """The drafter with a slip in its `propose`."""
    return type("Wrong", (WhatFollowed,), {"propose": slip(WhatFollowed.propose, *edits)})


check_what_followed = Exercise(
    "what_followed",
    cases=[
        ([5, 0, 1], 3, (0.15, 0.55, 0.9)),  # three tokens followed 0 1
        ([5, 0, 1], 3, (0.9, 0.1, 0.4)),
        ([4, 0, 1, 2], 2, (0.2, 0.5)),  # four tokens were seen once, the last three twice
        ([3], 1, (0.98,)),  # 3 3 was seen as well, and a draft of 3
        ([4, 0], 3, (0.7, 0.95, 0.3)),
        ([0, 3], 2, (0.2, 0.85)),  # only the last token was seen
        ([1, 2, 5], 3, (0.45, 0.1, 0.65)),  # the end of that text, which nothing followed
        ([0, 6], 3, (0.3, 0.6, 0.9)),  # nothing matches: rows of small shares
        ([0, 1], WHOLE.gamma, None),
    ],
    solution=WhatFollowed,
    mistakes={
        "You begin at the root and stay there. Walk along the text first, token by token.": (
            _wrong(("for token in tokens:", "for token in ():"))
        ),
        "All your guesses come from one row. Guess i follows guess i - 1: walk on along each "
        "guess before the next row.": _wrong(
            (
                "        state, matched = next_match(self.automaton, state, matched, guess)\n",
                "",
            )
        ),
        "You draw every guess with the same uniform. noise.uniforms gives the same numbers each "
        "time it is asked: ask once for gamma of them, and use number i for guess i.": (
            _wrong(("row, uniform)", 'row, noise.uniforms("draft", gamma)[0])'))
        ),
        "You take the likeliest token of each row. Draw it: sample(row, uniform).": (
            _wrong(("sample(row, uniform)", "int(row.argmax())"))
        ),
        "q=None says that a guess is certain. Yours are drawn: hand over the rows that they were "
        "drawn from.": _wrong(("np.stack(rows)", "None")),
        "Your rows come one too late. Row i is the distribution that guess i was drawn from, so "
        "take it before you walk on.": _wrong(
            (
                "np.stack(rows)",
                "np.stack([*rows[1:], row_after(self.automaton, state, self.size)])",
            )
        ),
    },
    insight="Every path of the loop with your drafter was walked on a small target, and the "
    "texts have the target's distribution to twelve digits. It may be slow; it cannot be wrong.",
    call=_proposed,
    parts=("tokens", "q", "distance"),
    describe_case=lambda tokens, gamma, uniforms: (
        f"tokens = {tokens}, gamma = {gamma}, uniforms = {uniforms}"
        if uniforms
        else f"all texts of {WHOLE.length} tokens that the loop can write"
    ),
)
