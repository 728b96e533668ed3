"""SuffixDecoding's rule; cold, warm and across texts; proofs; work that does not grow."""

import pytest

from course_utils.decoding.contracts import NO_DRAFT, Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.drafters.suffix import SuffixLookup
from course_utils.drafters.suffix_automaton import SuffixAutomaton
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, exam
from course_utils.proofs.enumeration import distribution_distance, merge_paths, outcomes
from tests.drafters.proofs import LOSSLESS, assert_lossless


def guess(drafter, tokens, gamma=4):
    return drafter.propose(tokens, gamma, Noise(0).round(0)).tokens


@pytest.mark.parametrize(
    ("settings", "text", "expected"),
    [
        ({}, [7, 8, 9, 1, 7, 8], (9, 1)),  # as many guesses as tokens match
        ({"factor": 2}, [7, 8, 9, 1, 7, 8], (9, 1, 7, 8)),
        ({"factor": 0.5}, [7, 8, 9, 1, 7, 8], (9,)),
        ({"factor": 0.4}, [7, 8, 9, 1, 7, 8], ()),
        ({"deepest": 1}, [7, 8, 9, 1, 7, 8], (9,)),
        ({}, [1, 2, 3, 4], ()),
        ({}, [5], ()),
        ({}, [1, 2, 1, 3, 1, 3, 0, 1], (3,)),  # twice, against once
        ({}, [1, 2, 1, 2, 1, 3, 1, 3, 0, 1], (3,)),  # as often: the later
        ({"least": 0.6}, [1, 2, 1, 3, 0, 1], ()),  # one in two is not enough
        ({"least": 0.5}, [1, 2, 1, 3, 0, 1], (3,)),
        ({"factor": 4, "least": 0.25}, [1, 2, 1, 3, 2, 1, 4, 1], (4, 1)),
    ],
)
def test_longer_matches_draft_more_and_unlikely_guesses_end_it(settings, text, expected):
    assert guess(SuffixLookup(**settings), text) == expected


def test_no_more_is_drafted_than_was_asked_for():
    assert guess(SuffixLookup(), [1] * 20, gamma=3) == (1, 1, 1)


def test_its_guesses_are_certain():
    assert SuffixLookup().propose([1, 1, 1], 2, Noise(0).round(0)) == Draft((1, 1), None)
    assert SuffixLookup().propose([1], 2, Noise(0).round(0)) is NO_DRAFT


def test_a_warm_drafter_knows_what_others_said():
    seen = SuffixAutomaton([[1, 2, 3, 4, 5, 6], [9, 9]])
    assert guess(SuffixLookup(), [8, 1, 2, 3]) == ()
    assert guess(SuffixLookup(shared=seen), [8, 1, 2, 3]) == (4, 5, 6)
    assert guess(SuffixLookup(shared=seen), [6]) == ()  # it only ends a text


def test_a_match_that_ends_a_text_gives_way_to_a_shorter_one():
    seen = SuffixAutomaton([[1, 2], [2, 7]])
    assert guess(SuffixLookup(shared=seen), [1, 2]) == (7,)


def test_the_guess_that_promises_more_is_made_and_of_equals_the_own():
    seen = SuffixAutomaton([[1, 2, 3, 4]])
    assert guess(SuffixLookup(shared=seen), [2, 7, 1, 2]) == (3, 4)  # 2 match there, 1 here
    assert guess(SuffixLookup(shared=SuffixAutomaton([[2, 3]])), [2, 7, 2]) == (7,)


def test_a_warm_drafter_writes_nothing_down():
    seen = SuffixAutomaton([[1, 2, 3]])
    drafter = SuffixLookup(shared=seen)
    guess(drafter, [1, 2])
    guess(drafter, [5, 6])
    assert seen.tokens == [1, 2, 3, -1]


def test_across_texts_each_is_kept_when_the_next_begins():
    drafter = SuffixLookup(shared=SuffixAutomaton(), keep=True)
    assert guess(drafter, [1, 2, 3, 4]) == ()
    assert guess(drafter, [1, 2, 3, 4, 5]) == ()  # the same text: it is not yet kept
    assert drafter.shared.tokens == []
    assert guess(drafter, [8, 2, 3]) == (4, 5)
    assert guess(drafter, [9]) == ()
    assert drafter.shared.tokens == [1, 2, 3, 4, 5, -1, 8, 2, 3, -2]


@pytest.mark.parametrize("warm", [False, True])
def test_it_follows_whatever_text_it_is_shown(warm):
    text = [3, 8, 3, 8, 13, 3, 8]
    shown = [text, [*text, 13, 3], [*text, 1, 8], text, text[:2], [3, *text], [9], [9, 9, 9]]

    def fresh():
        return SuffixLookup(shared=SuffixAutomaton([[8, 13, 5, 8]]) if warm else None)

    drafter = fresh()
    for tokens in shown:
        assert guess(drafter, tokens) == guess(fresh(), tokens)


def test_in_a_run_it_guesses_as_a_new_one_would():
    """The loop hands out one text that grows; what was read of it is not read again."""
    target = TableModel.random(3, order=2, seed=4)

    class Compared(SuffixLookup):
        asked = 0

        def propose(self, tokens, gamma, noise):
            draft = super().propose(tokens, gamma, noise)
            assert draft == SuffixLookup().propose(list(tokens), gamma, noise)
            self.asked += 1
            return draft

    drafter = Compared()
    for seed in range(3):
        list(generate(target, [0, 1], drafter, max_new_tokens=60, seed=seed))
    assert drafter.asked > 60


WAYS = {
    "cold": lambda model: SuffixLookup(),
    "certain": lambda model: SuffixLookup(least=0, factor=4),
    "warm": lambda model: SuffixLookup(shared=SuffixAutomaton([[0, 1, 2, 0, 2, 1, 1]])),
    "across": lambda model: SuffixLookup(shared=SuffixAutomaton(), keep=True),
}


@pytest.mark.parametrize("rule", LOSSLESS, ids=lambda rule: rule.name)
@pytest.mark.parametrize("way", WAYS)
def test_the_output_has_the_targets_distribution(way, rule):
    assert_lossless(Decoder(rule, WAYS[way]))


class Later:
    """The random numbers of another text."""

    def __init__(self, noise):
        self.noise = noise

    def round(self, index):
        return self.noise.round(index + 100)


def test_a_text_keeps_its_distribution_whatever_was_learned_from_the_one_before():
    """Two texts of one drafter are drawn independently of one another, whatever it copies."""
    paper, copied = exam(3, gamma=1, length=3, prompt=(0, 1)), set()

    def both(noise):
        drafter = SuffixLookup(shared=SuffixAutomaton(), keep=True, least=0)
        decoder = Decoder(drafter=lambda model: drafter)
        texts = [list(paper.rounds(decoder, noise=lambda _, n=n: n)) for n in (noise, Later(noise))]
        copied.add(texts[1][0].drafted)
        return sum((tuple(emitted_tokens(rounds)) for rounds in texts), ())

    truth = paper.truth()
    independent = {(*a, *b): p * q for a, p in truth.items() for b, q in truth.items()}
    assert distribution_distance(merge_paths(outcomes(both)), independent) < 1e-12
    assert copied == {(0,), (1,), (2,)}  # what the first text said


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"factor": 0}, "more than 0 tokens"),
        ({"least": 1.5}, "from 0 to 1"),
        ({"least": float("nan")}, "from 0 to 1"),
        ({"deepest": 0}, "at least 1 token"),
        ({"keep": True}, "give shared"),
    ],
)
def test_wrong_arguments_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        SuffixLookup(**settings)
