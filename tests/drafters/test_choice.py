"""Several drafters in turn, among them one that draws behind one that copies."""

import pytest

from course_utils.decoding.contracts import NO_DRAFT, Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.choice import FirstToGuess
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.suffix import SuffixLookup
from course_utils.drafters.suffix_automaton import SuffixAutomaton
from course_utils.models.toys.n_grams import NGram
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, exam
from tests.drafters.proofs import LOSSLESS, assert_lossless

COUNTED = NGram([[0, 1, 2, 0, 1, 1], [2, 2, 0]], 3, 3, discount=0.5)


class Fixed:
    def __init__(self, *tokens):
        self.tokens, self.asked = tokens, 0

    def propose(self, tokens, gamma, noise):
        self.asked += 1
        return Draft(self.tokens[:gamma], None)


def test_the_first_that_guesses_makes_the_guess():
    first, second, third = Fixed(), Fixed(5, 6), Fixed(7)
    choice = FirstToGuess(first, second, third)
    assert choice.propose([1], 2, Noise(0).round(0)).tokens == (5, 6)
    assert (first.asked, second.asked, third.asked) == (1, 1, 0)
    assert FirstToGuess(first).propose([1], 2, Noise(0).round(0)) is NO_DRAFT


WAYS = {
    "suffix, counted": lambda model: FirstToGuess(SuffixLookup(), Sampled(COUNTED)),
    "warm suffix, counted": lambda model: FirstToGuess(
        SuffixLookup(least=0.8, shared=SuffixAutomaton([[0, 1, 2, 0, 2, 1, 1]])), Sampled(COUNTED)
    ),
    "suffix, lookup, draft": lambda model: FirstToGuess(
        SuffixLookup(least=0.6), PromptLookup(2, 2), Sampled(model)
    ),
}


@pytest.mark.parametrize("rule", LOSSLESS, ids=lambda rule: rule.name)
@pytest.mark.parametrize("way", WAYS)
def test_the_output_has_the_targets_distribution(way, rule):
    assert_lossless(Decoder(rule, WAYS[way]))


class FallingBack(FirstToGuess):
    """Copies if the token drawn meanwhile is not the likeliest: it chooses by what was drawn."""

    def __init__(self, model):
        super().__init__(SuffixLookup(least=0), Sampled(model))

    def propose(self, tokens, gamma, noise):
        copied, drawn = (drafter.propose(tokens, 1, noise) for drafter in self.drafters)
        if not (copied.tokens and drawn.tokens):
            return copied if copied.tokens else drawn
        return drawn if drawn.tokens[0] == int(drawn.q[0].argmax(-1)) else copied


def test_choosing_by_what_was_drawn_does_not():
    paper = exam(3, gamma=1, length=2, prompt=(0, 1, 0))
    assert paper.distance(Decoder(drafter=FallingBack)) > 1e-5


@pytest.mark.parametrize("way", WAYS)
def test_both_copy_and_draw_and_the_greedy_text_is_the_targets(way):
    target = TableModel.random(3, order=2, seed=7)
    for sampling in (GREEDY, Sampling()):
        options = dict(sampling=sampling, max_new_tokens=60)
        drafter = WAYS[way](TableModel.random(3, order=2, seed=8))
        rounds = list(generate(target, [0, 1], drafter, **options))
        assert {r.q is None for r in rounds if r.drafted} == {True, False}
        if sampling == GREEDY:
            assert emitted_tokens(rounds) == emitted_tokens(generate(target, [0, 1], **options))
