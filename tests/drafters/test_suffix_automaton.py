"""The automaton against a search of the whole text, after every token."""

import random
from collections import Counter
from itertools import islice

import pytest

from course_utils.drafters.suffix_automaton import NOTHING, Seen, SuffixAutomaton


def fibonacci(length):
    word, following = [0], [0, 1]
    while len(word) < length:
        word, following = following, following + word
    return word[:length]


HARD = {
    "one token": [7] * 3000,
    "two tokens at random": random.Random(0).choices([0, 1], k=3000),
    "the Fibonacci word": fibonacci(3000),
    "a^n b a^n": [0] * 1000 + [1] + [0] * 1999,
    "all distinct": [*range(3000)],
}


def ends(text, piece):
    """Where `piece` ends in `text`."""
    places = range(len(piece), len(text) + 1)
    return [end for end in places if text[end - len(piece) : end] == piece]


def longest(text, deepest):
    """Tokens of the longest ending that occurred before."""
    lengths = range(min(deepest, len(text) - 1), 0, -1)
    return next((n for n in lengths if len(ends(text, text[-n:])) > 1), 0)


def seen_by_search(text, piece):
    """(how often each token followed, what `SuffixAutomaton.seen` says of it)"""
    places = [end for end in ends(text, piece) if end < len(text) and text[end] >= 0]
    if not places:
        return {}, None
    followers = Counter(text[end] for end in places)
    most = max(followers.values())
    token = next(text[e] for e in reversed(places) if followers[text[e]] == most)
    return dict(followers), Seen(token, most, len(places), places[-1])


def assert_knows(automaton, text):
    """All that is asked of the text's end, for every ending that is told apart."""
    match = automaton.longest
    assert match.length == longest(text, automaton.deepest)
    assert len(automaton) <= max(2, 2 * len(text) - 1)
    while match != NOTHING:
        followers, seen = seen_by_search(text, text[len(text) - match.length :])
        assert automaton.followers(match) == followers
        assert automaton.seen(match) == seen
        match = automaton.shorter(match)


@pytest.mark.parametrize("deepest", [1, 2, 5, 64])
@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_it_knows_what_a_search_finds_after_every_token(size, deepest):
    for seed in range(20):
        rng = random.Random(seed)
        automaton, text = SuffixAutomaton(deepest=deepest), []
        for _ in range(rng.randint(1, 35)):
            if rng.random() < 0.06:
                automaton.cut()
                text.append(-1 - sum(token < 0 for token in text))
            else:
                text.append(rng.randrange(size))
                automaton.read(text[-1:])
            assert automaton.tokens == text
            assert_knows(automaton, text)


@pytest.mark.parametrize("seed", range(60))
def test_a_text_is_followed_through_the_automaton_of_another(seed):
    """While the other one grows, too."""
    rng = random.Random(seed)
    size, deepest = rng.choice([1, 2, 3]), rng.choice([2, 4, 64])
    automaton, text, match = SuffixAutomaton(deepest=deepest), [], NOTHING
    for _ in range(60):
        if rng.random() < 0.5:
            automaton.cut() if rng.random() < 0.1 else automaton.read([rng.randrange(size)])
            continue
        text.append(rng.randrange(size))
        match = automaton.after(match, text[-1])
        piece = text[len(text) - match.length :]
        assert ends(automaton.tokens, piece)
        assert match.length <= deepest
        if match.length:
            followers, seen = seen_by_search(automaton.tokens, piece)
            assert (automaton.followers(match), automaton.seen(match)) == (followers, seen)


def test_the_longest_match_is_found_in_a_text_that_does_not_grow():
    rng = random.Random(3)
    other, text = rng.choices(range(3), k=200), rng.choices(range(3), k=200)
    automaton, match = SuffixAutomaton([other]), NOTHING
    for i, token in enumerate(text, start=1):
        match = automaton.after(match, token)
        assert ends(other, text[i - match.length : i])
        assert match.length == i or not ends(other, text[i - match.length - 1 : i])


def test_no_match_crosses_two_texts():
    automaton = SuffixAutomaton([[1, 2], [3, 4]])
    automaton.read([9, 1, 2, 3])
    assert automaton.longest.length == 1  # not 2 3
    automaton = SuffixAutomaton([[1, 2], [3, 4]])
    automaton.read([1, 2])
    assert automaton.longest.length == 2
    assert automaton.seen(automaton.longest) is None  # 3 is of another text


class Counting(list):
    """Counts how often it is read."""

    reads = 0

    def __getitem__(self, place):
        self.reads += 1
        return super().__getitem__(place)


@pytest.mark.parametrize("deepest", [1, 8, 32])
@pytest.mark.parametrize("name", HARD)
def test_a_token_costs_a_constant_number_of_steps_on_average(name, deepest):
    """Every step follows a link."""
    automaton = SuffixAutomaton(deepest=deepest)
    automaton._link = Counting(automaton._link)
    quarter = len(HARD[name]) // 4
    steps = []
    for start in range(0, len(HARD[name]), quarter):
        before = automaton._link.reads
        automaton.read(HARD[name][start : start + quarter])
        steps.append((automaton._link.reads - before) / quarter)
    assert max(steps) <= deepest + 12


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="at least 1 token"):
        SuffixAutomaton(deepest=0)
    with pytest.raises(ValueError, match="token ids, 0 or more"):
        SuffixAutomaton([[1, -1]])


@pytest.mark.parametrize("seed", range(40))
def test_what_mostly_followed_is_found_by_searching_again_and_again(seed):
    rng = random.Random(seed)
    size, deepest = rng.choice([2, 3, 4]), rng.choice([2, 4, 64])
    automaton, said = SuffixAutomaton(deepest=deepest), []
    for _ in range(rng.randint(2, 50)):
        if rng.random() < 0.05:
            automaton.cut()
        else:
            automaton.read([rng.randrange(size)])
    match, text = automaton.longest, automaton.tokens
    piece = text[len(text) - match.length :]
    for step in islice(automaton.continued(match), 8):
        said.append(step)
        while piece and seen_by_search(text, piece)[1] is None:
            piece = piece[1:]
        token, count, total, _ = seen_by_search(text, piece)[1]
        assert step == (token, count, total)
        piece = [*piece, token][-deepest:]
    assert len(said) == 8 or not match.length or said == []
