"""A suffix automaton as the lesson shows it: three lists, one entry for each state."""

from collections.abc import Sequence

from course_utils.drafters.suffix_automaton import SuffixAutomaton


class Automaton:
    """Of one text.  State 0 is the root; a state stands for pieces that end at the same places.

    following: {token: state} of each state.
    link: the state of the longest ending that ends at more places; None at the root.
    length: tokens of the longest piece of each state.
    """

    def __init__(self, text: Sequence[int]):
        whole = SuffixAutomaton([], deepest=max(1, len(text)))
        whole.read(text)
        self.text = list(text)
        self.following, self.link, self.length = whole.tables()

    def __repr__(self) -> str:
        return f"Automaton({self.text})"


def copied_from(text: Sequence[int], guesses: Sequence[int]) -> list[int | None]:
    """The place that each guess after `text` has its token from; None where there is none.

    It is the latest one that agrees with as many tokens before the guess as any place does.
    [7, 8, 9, 7, 8], [9, 7] -> [2, 3]
    """
    known, places = list(text), []
    for guess in guesses:
        agreeing = [(_agreed(known, place), place) for place, x in enumerate(known) if x == guess]
        agreed, place = max(agreeing, default=(0, None))
        places.append(place if agreed else None)
        known.append(guess)
    return places


def _agreed(text: Sequence[int], place: int) -> int:
    """How many tokens before `place` are those at the end of `text`."""
    count = 0
    while count < place and text[place - 1 - count] == text[-1 - count]:
        count += 1
    return count
