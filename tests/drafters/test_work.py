"""What a round reads of a long text: counted in tokens, not timed."""

import pytest

from course_utils.decoding import loop
from course_utils.decoding.noise import Noise
from course_utils.decoding.proposal import CommittedText
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.choice import FirstToGuess
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.suffix import SuffixLookup
from course_utils.drafters.suffix_automaton import SuffixAutomaton
from course_utils.models.toys.n_grams import NGram
from course_utils.models.toys.tables import TableModel
from tests.drafters.test_suffix_automaton import HARD

SIZE = 3000
COUNTED = NGram([HARD["two tokens at random"]], 3, SIZE, discount=0.5)
GAMMA, NEW = 4, 3
MOST = 8 * GAMMA  # tokens read in a round


class Text(list):
    """Counts the tokens that are read of it."""

    read = 0

    def __getitem__(self, place):
        found = super().__getitem__(place)
        self.read += len(found) if isinstance(place, slice) else 1
        return found

    def __iter__(self):
        self.read += len(self)
        return super().__iter__()


DRAFTERS = {
    "suffix": SuffixLookup,
    "warm": lambda: SuffixLookup(shared=SuffixAutomaton([HARD["the Fibonacci word"]])),
    "counted": lambda: Sampled(COUNTED),
    "first to guess": lambda: FirstToGuess(SuffixLookup(), Sampled(COUNTED)),
}


def reads(drafter, tokens):
    """Tokens read in each of a dozen rounds near the end of the text, all of it but these known."""
    start = len(tokens) - 12 * NEW
    text = Text(tokens[:start])
    view, noise, found = CommittedText(text), Noise(0).round(0), []
    drafter.propose(view, GAMMA, noise)
    for at in range(start, len(tokens), NEW):
        text += tokens[at : at + NEW]
        text.read = 0
        drafter.propose(view, GAMMA, noise)
        found.append(text.read)
    return found


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_a_round_reads_the_new_tokens_and_no_more(drafter, name):
    assert max(reads(DRAFTERS[drafter](), HARD[name])) <= MOST


def test_a_search_reads_the_whole_text():
    """So the count above can grow."""
    short, long = (reads(PromptLookup(), HARD["all distinct"][:n]) for n in (300, 3000))
    assert min(long) > 8 * max(short) > MOST


@pytest.mark.parametrize("drafter", [*DRAFTERS, "none"])
@pytest.mark.parametrize("sampling", [GREEDY, Sampling()], ids=["greedy", "sampled"])
def test_the_loop_reads_no_more_of_a_long_text(monkeypatch, sampling, drafter):
    target = TableModel.random(6, order=2, seed=3)
    counted = NGram([[0, 1, 2, 3, 4, 5, 0, 1]], 3, 6, discount=0.5)
    drafters = DRAFTERS | {
        "counted": lambda: Sampled(counted),
        "first to guess": lambda: FirstToGuess(SuffixLookup(), Sampled(counted)),
        "none": lambda: None,
    }

    def worst(length):
        texts = []
        monkeypatch.setattr(
            loop, "_checked_prompt", lambda *given: texts.append(Text(given[1])) or texts[0]
        )
        prompt = [token % 6 for token in HARD["all distinct"][:length]]
        found = []
        for _ in loop.generate(
            target, prompt, drafters[drafter](), gamma=GAMMA, sampling=sampling, max_new_tokens=60
        ):
            found.append(texts[0].read)
            texts[0].read = 0
        return max(found[1:])

    assert worst(2000) <= 2 * MOST
