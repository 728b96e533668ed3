"""The numbers and claims of lesson 02's quiz, computed with the course's code."""

from itertools import pairwise
from math import prod

import numpy as np
import pytest

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import GREEDY
from course_utils.lessons.ngram_drafter.checks import guess_by_counts
from course_utils.lessons.ngram_drafter.corpora import CORPORA, vocabulary
from course_utils.lessons.ngram_drafter.quiz import NEVER_GUESSED, NEW_SENTENCES, TRIGRAM_ON_LISTS
from course_utils.lessons.ngram_drafter.texts import kinds_of_text
from course_utils.models.toys.n_grams import NGram
from course_utils.training.counted import library_texts


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


@pytest.mark.parametrize("language", CORPORA)
def test_new_sentences(language):
    words, number = vocabulary(language)
    texts = [[number[word] for word in sentence] for sentence in CORPORA[language]]
    model = NGram(texts, 2, len(words))
    known = sum(prod(model.distribution([a])[b] for a, b in pairwise(text)) for text in texts)
    assert known == pytest.approx(0.28)
    assert right(NEW_SENTENCES) == "About seven in ten"


def test_a_language_without_a_corpus_is_refused():
    with pytest.raises(ValueError, match="choose english or chinese"):
        vocabulary("german")


def test_never_guessed():
    p = np.array([[0.0, 1.0], [0.5, 0.5]])  # 0 is guessed, 1 is what the target wants
    verdict = TOKEN_WISE.verify(p, None, [0], [0.0, 0.0])
    assert (verdict.accepted, verdict.token) == (0, 1)
    assert right(NEVER_GUESSED).endswith("the word comes as the correction")


class Counting:
    """The lesson's own, with the solution of exercise 2."""

    def __init__(self, counts):
        self.counts = counts

    def propose(self, tokens, gamma, noise):
        text = list(tokens)
        for _ in range(gamma):
            text.append(guess_by_counts(self.counts, text))
        return Draft(tuple(text[len(tokens) :]), None)


def test_trigram_on_lists(fast):
    """As in the lesson, with its parameters."""
    files = [fast.encode(text) for text in library_texts(60)]
    drafter = Counting(NGram(files, 3, fast.target.vocabulary_size).counts)
    options = {"gamma": 3, "sampling": GREEDY, "max_new_tokens": 32}
    options |= {"stop_tokens": fast.stop_tokens}
    tokens = {}
    for kind, texts in kinds_of_text(6).items():
        runs = [generate(fast.target, fast.encode(text), drafter, **options) for text in texts]
        tokens[kind] = summarise(r for run in runs for r in run).tokens_per_round
    assert min(tokens, key=tokens.get) == "lists"
    assert right(TRIGRAM_ON_LISTS) == "On the lists"
