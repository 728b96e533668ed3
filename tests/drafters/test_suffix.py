"""SuffixDecoding's rule, the automaton against a search of the whole text, and prompt lookup."""

import random
from collections import Counter

import pytest

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.noise import Noise
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.suffix import SuffixLookup
from course_utils.drafters.suffix_automaton import SuffixAutomaton
from course_utils.models.toys.tables import TableModel


@pytest.mark.parametrize(
    ("settings", "text", "expected"),
    [
        ({}, [7, 8, 9, 1, 7, 8], (9, 1)),  # as many guesses as tokens match
        ({"factor": 2}, [7, 8, 9, 1, 7, 8], (9, 1, 7, 8)),
        ({"deepest": 1}, [7, 8, 9, 1, 7, 8], (9,)),
        ({}, [1] * 20, (1, 1, 1, 1)),  # no more than gamma
        ({}, [1, 2, 1, 3, 1, 3, 0, 1], (3,)),  # twice, against once
        ({}, [1, 2, 1, 2, 1, 3, 1, 3, 0, 1], (3,)),  # as often: the later
        ({"least": 0.6}, [1, 2, 1, 3, 0, 1], ()),  # one in two is not enough
        ({"least": 0.5}, [1, 2, 1, 3, 0, 1], (3,)),
        ({"factor": 4, "least": 0.25}, [1, 2, 1, 3, 2, 1, 4, 1], (4, 1)),
    ],
)
def test_longer_matches_draft_more_and_unlikely_guesses_end_it(settings, text, expected):
    draft = SuffixLookup(**settings).propose(text, 4, Noise(0).round(0))
    assert draft == Draft(expected, None)  # certain


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        (SuffixLookup, "factor", 0),
        (SuffixLookup, "least", 1.5),
        (SuffixLookup, "deepest", 0),
        (PromptLookup, "shortest", 4),
        (PromptLookup, "longest", 2.0),
    ],
)
def test_an_argument_out_of_range_is_an_error(make, name, value):
    with pytest.raises(ValueError, match=name):
        make(**{name: value})


def ends(text, piece):
    """Return the places where `piece` ends in `text`."""
    places = range(len(piece), len(text) + 1)
    return [end for end in places if text[end - len(piece) : end] == piece]


def by_search(text, deepest, steps):
    """Return the most frequent continuation of the longest ending that occurred before."""
    lengths = range(min(deepest, len(text) - 1), 0, -1)
    length = next((n for n in lengths if len(ends(text, text[-n:])) > 1), 0)
    piece, followers = text[len(text) - length :], []
    while len(followers) < steps:
        while piece and not [end for end in ends(text, piece) if end < len(text)]:
            piece = piece[1:]  # it occurs only at the end
        if not piece:
            break
        places = [end for end in ends(text, piece) if end < len(text)]
        counts = Counter(text[end] for end in places)
        token = next(text[e] for e in reversed(places) if counts[text[e]] == max(counts.values()))
        followers.append((token, counts[token], len(places)))
        piece = [*piece, token][-deepest:]
    return length, followers


@pytest.mark.parametrize("deepest", [1, 2, 5, 64])
@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_the_automaton_knows_what_a_search_finds_after_every_token(size, deepest):
    for seed in range(8):
        rng = random.Random(seed)
        automaton, text = SuffixAutomaton(deepest), []
        for _ in range(rng.randint(1, 30)):
            text.append(rng.randrange(size))
            automaton.read(text[-1:])
            steps = zip(range(4), automaton.continued(automaton.longest), strict=False)
            match = automaton.longest[1], [step for _, step in steps]
            assert match == by_search(text, deepest, 4)
            assert len(automaton) <= max(2, 2 * len(text) - 1)


def test_lookup_copies_what_followed_the_latest_longest_match_and_then_its_own_guesses():
    def guesses(text, gamma=4, **settings):
        return PromptLookup(**settings).propose(text, gamma, None).tokens

    assert PromptLookup().find([7, 8, 9, 7, 8]) == (0, 2)
    assert guesses([7, 8, 9, 7, 8]) == (9, 7, 8, 9)
    assert guesses([1, 5, 1, 6, 1], gamma=2) == (6, 1)  # the latest, not the earliest
    assert guesses([1, 2, 5, 3, 2, 6, 1, 2], gamma=1) == (5,)  # the longest, not the latest
    assert guesses([1, 2, 1], shortest=2) == ()


def test_a_run_reads_each_token_once(monkeypatch):
    """However long the text is; a search reads all of it in every round."""
    read, lengths = SuffixAutomaton.read, []
    monkeypatch.setattr(
        SuffixAutomaton, "read", lambda self, new: lengths.append(len(new)) or read(self, new)
    )
    target = TableModel.random(3, order=1, seed=0)
    rounds = list(generate(target, [0] * 500, SuffixLookup(), max_new_tokens=100))
    assert sum(lengths) <= 500 + sum(len(r.emitted) for r in rounds)
