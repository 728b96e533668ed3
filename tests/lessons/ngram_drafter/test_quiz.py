"""The numbers and claims of lesson 02's quiz, computed with the course's code."""

from itertools import pairwise
from math import prod

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.ngram_drafter.texts import CORPORA, kinds_of_text, vocabulary
from course_utils.models.toys.n_grams import NGram
from course_utils.training.counted import library_texts


@pytest.mark.parametrize("language", CORPORA)
def test_about_70_percent_of_the_sentences_are_new(language):
    words, number = vocabulary(language)
    texts = [[number[word] for word in sentence] for sentence in CORPORA[language]]
    model = NGram(texts, 2, len(words))
    likelihood = sum(prod(model.distribution([a])[b] for a, b in pairwise(text)) for text in texts)
    assert likelihood == pytest.approx(0.28)


@pytest.mark.slow
def test_counts_gain_least_on_the_lists(fast):
    """The lesson's measurement, with its parameters."""
    files = [fast.encode(text) for text in library_texts(60)]
    drafter = Sampled(NGram(files, 3, fast.target.vocabulary_size))
    options = {"gamma": 3, "sampling": GREEDY, "max_new_tokens": 32}
    options |= {"stop_tokens": fast.stop_tokens}
    tokens = {}
    for kind, texts in kinds_of_text(6).items():
        runs = [generate(fast.target, fast.encode(text), drafter, **options) for text in texts]
        tokens[kind] = summarise(r for run in runs for r in run).tokens_per_round
    assert min(tokens, key=tokens.get) == "lists"
