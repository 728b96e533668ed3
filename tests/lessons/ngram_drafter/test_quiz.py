"""The likelihood of the sentences under their own counts, which lesson 02's quiz asks for."""

from itertools import pairwise
from math import prod

import pytest

from course_utils.lessons.ngram_drafter.texts import CORPORA, vocabulary
from course_utils.models.toys.n_grams import NGram


@pytest.mark.parametrize("language", CORPORA)
def test_about_70_percent_of_the_sentences_are_new(language):
    words, number = vocabulary(language)
    texts = [[number[word] for word in sentence] for sentence in CORPORA[language]]
    model = NGram(texts, 2, len(words))
    likelihood = sum(prod(model.distribution([a])[b] for a, b in pairwise(text)) for text in texts)
    assert likelihood == pytest.approx(0.28)
