"""A suffix automaton as lists, and the checks: a walk along it, a drafter that samples from it."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise, is_stub
from course_utils.decoding import Draft, sample
from course_utils.decoding.noise import DraftNoise
from course_utils.decoding.proposal import CommittedText
from course_utils.drafters.suffix_automaton import SuffixAutomaton
from course_utils.proofs.decoders import Decoder, exam
from course_utils.refused import returned


class Automaton:
    """The automaton of one text.

    State 0 is the root; a state represents the substrings that end at the same places.

    following: {token: state} of each state.
    link: the state of the longest suffix that ends at more places; None at the root.
    length: tokens in the longest substring of each state.
    count: number of places where its substrings end.
    """

    def __init__(self, text: Sequence[int]):
        whole = SuffixAutomaton(deepest=max(1, len(text)))
        whole.read(text)
        self.text = list(text)
        self.following, self.link, self.length, self.count = whole.tables()


def row_after(automaton: Automaton, state: int, size: int) -> np.ndarray:
    """Return the relative frequencies (size,) of the tokens that followed `state`.

    If nothing followed, at the end of the text, use the state that its link leads to.
    """
    while not automaton.following[state]:
        state = automaton.link[state]
    row = np.zeros(size)
    for token, after in automaton.following[state].items():
        row[token] = automaton.count[after]
    return row / row.sum()


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


NEXT, MATCHED = "automaton.following[state][token]", "matched = automaton.length[state]"
check_next_match = Exercise(
    "next_match",
    cases=[
        (SHORT, 0, 0, 7),
        (SHORT, 1, 1, 8),
        (SHORT, 0, 0, 8),  # 8 ends at the same places as 7 8
        (SHORT, 2, 1, 9),
        (SHORT, 0, 0, 4),  # nowhere in the text
        (SHORT, 3, 3, 4),
        (SHORT, 5, 5, 9),  # nothing follows the whole text, but 9 follows its suffix 7 8
        (SHORT, 5, 5, 7),  # two links, to the root
        (SHORT, 1, 1, 7),  # one link
        (ALIKE, 3, 3, 5),
        (ALIKE, 3, 3, 6),
        *((TURNED, *walk) for walk in ((4, 3, 3), (5, 5, 2), (6, 4, 1), (8, 8, 3))),
    ],
    solution=next_match,
    parts=("the state", "the number of tokens"),
    mistakes={
        "You go back to the root, but this token may follow a shorter suffix of the match: follow "
        "the links one after another.": "state = automaton.link[state] → state = 0",
        "You give up if the token cannot follow. "
        "Follow the state's link and try again there.": "if state == 0: → if True:",
        "You follow only one link. If the token cannot follow there either, follow the next: use "
        "`while`, not `if`.": f"while token → if token; return {NEXT}, matched + 1 → "
        f"return ({NEXT}, matched + 1) if token in automaton.following[state] else (0, 0)",
        "State 0 has no link. If the token cannot follow there either, return 0, "
        "0.": "if state == 0: → if False:",
        "You subtract 1 for a link, but it may drop several tokens. Set `matched` to "
        "`automaton.length[state]` of the new state.": f"{MATCHED} → matched -= 1",
        "You return the length of the state, but its longest substring may be longer than the "
        "match. After 8 alone, one token matches although its state also represents 7 "
        "8.": f"matched + 1 → automaton.length[{NEXT}]",
    },
    insight="You found the match without a search. A token adds at most one to it and a link takes "
    "at least one away, so there are never more links than tokens.",
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


SIZE = 7  # tokens; the last one is not in the automaton's text
READ = Automaton([0, 1, 2, 3, 0, 1, 4, 5, 3, 3, 2, 4, 0, 1, 2, 5])
BITS = Automaton([0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 0])  # a text of the small target's two tokens
WHOLE = exam(vocabulary_size=2, gamma=2, length=4, prompt=(0, 1), seed=1)


def _proposed(attempt, tokens, gamma, uniforms) -> object:
    """Return (guesses, q, 0), or, without uniforms, the distance of the loop's texts at the end."""
    drafter = returned(attempt(READ, SIZE))
    if is_stub(type(drafter).propose):
        raise NotImplementedError
    if uniforms is None:
        distance = WHOLE.distance(Decoder(drafter=lambda *_: attempt(BITS, 2)))
        return (), (), round(distance, 12)
    draft = returned(drafter.propose(CommittedText(tokens), gamma, DraftNoise(uniforms)))
    return tuple(draft.tokens), draft.q, 0.0


check_what_followed = Exercise(
    "what_followed",
    cases=[
        ([5, 0, 1], 3, (0.15, 0.55, 0.9)),  # three tokens followed 0 1
        ([5, 0, 1], 3, (0.9, 0.1, 0.4)),
        ([4, 0, 1, 2], 2, (0.2, 0.5)),  # four tokens match once, the last three twice
        ([3], 1, (0.98,)),  # 3 3 also occurs, and 3 is guessed
        ([4, 0], 3, (0.7, 0.95, 0.3)),
        ([0, 3], 2, (0.2, 0.85)),  # only the last token matches
        ([1, 2, 5], 3, (0.45, 0.1, 0.65)),  # the end of that text: nothing followed
        ([0, 6], 3, (0.3, 0.6, 0.9)),  # nothing matches: the row of all tokens
        ([0, 1], WHOLE.gamma, None),
    ],
    solution=WhatFollowed,
    mistakes={
        "You stay at the root. First walk along the text, "
        "token by token.": "for token in tokens: → for token in ():",
        "You draw all guesses from one row. Guess i follows guess i - 1: walk along each guess "
        "before you take the next row.": "        state, matched = "
        "next_match(self.automaton, state, matched, guess)\n → ",
        "You draw every guess with the same uniform. noise.uniforms returns the same numbers on "
        "every call: call it once and use number i for guess "
        "i.": 'row, uniform) → row, noise.uniforms("draft", gamma)[0])',
        "You take the likeliest token of each row. Sample it: "
        "sample(row, uniform).": "sample(row, uniform) → int(row.argmax())",
        "You return q=None, which means that nothing was sampled. Return the rows that the "
        "guesses were drawn from.": "np.stack(rows) → None",
        "Your rows are one step late. Row i is the distribution that guess i was drawn from, so "
        "take it before you walk along the guess.": "np.stack(rows) → "
        "np.stack([*rows[1:], row_after(self.automaton, state, self.size)])",
    },
    insight="The check walked every path of the loop with your drafter and a small target: the "
    "texts have the target's distribution to twelve digits.",
    call=_proposed,
    parts=("tokens", "q", "distance"),
    describe_case=lambda tokens, gamma, uniforms: (
        f"tokens = {tokens}, gamma = {gamma}, uniforms = {uniforms}"
        if uniforms
        else f"all texts of {WHOLE.length} tokens from the loop"
    ),
)
