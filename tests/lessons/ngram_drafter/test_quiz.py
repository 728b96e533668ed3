"""The numbers and claims of lesson 02's quiz, computed with the course's code."""

from itertools import pairwise
from math import prod

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.ngram_drafter.counted_words import CORPORA, vocabulary
from course_utils.lessons.ngram_drafter.quiz import (
    NEVER_GUESSED,
    NEW_SENTENCES,
    TRIGRAM_ON_LISTS,
)
from course_utils.models.n_grams import NGram
from course_utils.models.prompts import held_out_prompts
from course_utils.training.corpus import is_test, training_sources


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


def test_never_guessed():
    p, q = np.array([[0.0, 1.0], [0.5, 0.5]]), np.array([[1.0, 0.0]])
    verdict = TOKEN_WISE.verify(p, q, [0], [0.0, 0.0])
    assert (verdict.accepted, verdict.token) == (0, 1)
    assert right(NEVER_GUESSED).endswith("the word comes as the correction")


def test_trigram_on_lists(fast):
    """As in the lesson, with its parameters."""
    library = [text for name, text in training_sources() if not is_test(name)]
    files = [fast.encode(text) for text in library[:: len(library) // 60][:60]]
    drafter = Sampled(NGram(files, 3, fast.target.vocabulary_size, 0.75), GREEDY)
    patterns = (
        '    "{0}": None,\n',
        "        self.{0} = {0}\n",
        'parser.add_argument("--{0}", help="the {0}")\n',
        '    def test_{0}(self):\n        self.check("{0}")\n\n',
    )
    fruits = ("apple", "cherry", "grape", "lemon", "mango", "peach")
    kinds = {
        "lists": ["".join(map(pattern.format, fruits)) for pattern in patterns],
        "code": held_out_prompts("code")[:4],
        "prose": held_out_prompts("prose")[:4],
    }
    options = {"gamma": 3, "sampling": GREEDY, "max_new_tokens": 24}
    options |= {"stop_tokens": fast.stop_tokens}
    alpha = {}
    for kind, texts in kinds.items():
        runs = [generate(fast.target, fast.encode(text), drafter, **options) for text in texts]
        alpha[kind] = summarise(r for run in runs for r in run).accepted_per_examined
    assert min(alpha, key=alpha.get) == "lists"
    assert right(TRIGRAM_ON_LISTS) == "On the lists"
