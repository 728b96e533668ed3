"""The check of this lesson's walk: the longest match, after one more token."""

from collections.abc import Callable

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.ngram_drafter.automaton import Automaton

Walk = Callable[[Automaton, int, int, int], tuple[int, int]]

SHORT = Automaton([7, 8, 9, 7, 8])
TURNED = Automaton([1, 1, 2, 1, 1, 3, 1, 2, 2])
ALIKE = Automaton([5, 5, 5, 6])
CASES = [
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


def _beginning_again(a: Automaton, state: int, matched: int, token: int) -> tuple[int, int]:
    if token in a.following[state]:
        return a.following[state][token], matched + 1
    return a.following[0].get(token, 0), int(token in a.following[0])


def _giving_up(a: Automaton, state: int, matched: int, token: int) -> tuple[int, int]:
    return (a.following[state][token], matched + 1) if token in a.following[state] else (0, 0)


def _by_one_link(a: Automaton, state: int, matched: int, token: int) -> tuple[int, int]:
    if token not in a.following[state] and state:
        state = a.link[state]
        matched = a.length[state]
    return _giving_up(a, state, matched, token)


def _without_an_end(a: Automaton, state: int, matched: int, token: int) -> tuple[int, int]:
    while token not in a.following[state]:
        state = a.link[state]
        matched = a.length[state]
    return a.following[state][token], matched + 1


def _one_link_late(a: Automaton, state: int, matched: int, token: int) -> tuple[int, int]:
    while token not in a.following[state]:
        if state == 0:
            return 0, 0
        state, matched = a.link[state], a.length[state]
    return a.following[state][token], matched + 1


def _one_by_one(a: Automaton, state: int, matched: int, token: int) -> tuple[int, int]:
    while token not in a.following[state]:
        if state == 0:
            return 0, 0
        state, matched = a.link[state], matched - 1
    return a.following[state][token], matched + 1


def _before_the_token(a: Automaton, state: int, matched: int, token: int) -> tuple[int, int]:
    where, now = followed(a, state, matched, token)
    while state and token not in a.following[state]:
        state = a.link[state]
    return (state, now) if where else (0, 0)


def _counting_on(a: Automaton, state: int, matched: int, token: int) -> tuple[int, int]:
    where, now = followed(a, state, matched, token)
    return where, (matched + 1 if now else 0)


def _changed(change: Callable[[Automaton, int, int], tuple[int, int]]) -> Walk:
    """A student who walks rightly and returns change(automaton, state, tokens)."""
    return lambda a, state, matched, token: change(a, *followed(a, state, matched, token))


check_next_match = Exercise(
    "next_match",
    cases=CASES,
    right=followed,
    parts=("the state", "the number of tokens"),
    mistakes={
        "You begin again at the root. A shorter ending of the match may go on with this token: "
        "follow the links, one after another.": _beginning_again,
        "You give up where the token does not follow. Go to the link of the state and try there.": (
            _giving_up
        ),
        "You follow one link. Where the token does not follow there either, follow the next: "
        "a `while`, not an `if`.": _by_one_link,
        "State 0 has no link. If the token does not follow there either, return 0, 0.": (
            _without_an_end
        ),
        "You take the length of the state that you leave. The match is as long as the one that the "
        "link leads to.": _one_link_late,
        "A link may drop several tokens: `matched = automaton.length[state]` of the state that it "
        "leads to.": _one_by_one,
        "You return the state before the token. Return where the token leads to, "
        "`automaton.following[state][token]`.": _before_the_token,
        "You go on counting after a link. The ending is shorter now: "
        "`matched = automaton.length[state]` of the state that the link leads to.": _counting_on,
        "You return the length of the state. It may stand for longer pieces than matched: after "
        "8 alone one token matches, though its state stands for 7 8 as well.": _changed(
            lambda a, state, matched: (state, a.length[state])
        ),
        "You do not count the new token. If it follows, the match is one token longer.": _changed(
            lambda a, state, matched: (state, max(matched - 1, 0))
        ),
        "Where the token is nowhere in the text, nothing matches: return 0, 0.": _changed(
            lambda a, state, matched: (state, max(matched, 1))
        ),
    },
    insight="One step a token, however long the text is: what the link leads to need not be "
    "searched for.",
)
