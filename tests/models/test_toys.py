"""The toy models: the articles' numbers, distributions, and errors."""

import numpy as np
import pytest

from course_utils.models.toys.characters import ARTICLE_SENTENCE, SENTENCE, CharacterModel
from course_utils.models.toys.n_grams import NGram
from course_utils.models.toys.tables import TableModel
from course_utils.theory.speedup import overlap


@pytest.mark.parametrize("sentence", [SENTENCE, ARTICLE_SENTENCE, "Qæ"])
def test_seventy_percent_accuracy_is_eighty_percent_acceptance(sentence):
    target, draft = CharacterModel(sentence), CharacterModel(sentence, accuracy=0.7)
    for position in range(len(sentence)):
        text = target.alphabet.encode(sentence[:position])
        assert overlap(target.distribution(text), draft.distribution(text)) == pytest.approx(0.8)
        assert target.distribution(text).max() == 1


CORPUS = (
    "我 喜欢 吃 苹果",
    "我 喜欢 吃 香蕉",
    "他 喜欢 吃 西瓜",
    "她 喜欢 吃 葡萄",
    "我们 都 喜欢 水果",
)
SENTENCES = [["<s>", *line.split(), "</s>"] for line in CORPUS]
WORDS = list(dict.fromkeys(word for sentence in SENTENCES for word in sentence))


def ngram(discount=0.0, n=2):
    return NGram([list(map(WORDS.index, words)) for words in SENTENCES], n, len(WORDS), discount)


def test_the_articles_probabilities_and_those_after_an_unseen_context():
    like, apple = WORDS.index("喜欢"), WORDS.index("苹果")
    row = ngram().distribution([like])
    assert row[[WORDS.index("吃"), WORDS.index("水果")]] == pytest.approx([0.8, 0.2])
    assert row.min() == 0
    assert ngram(discount=0.5).distribution([like]).min() > 0
    np.testing.assert_allclose(ngram(n=3).distribution([apple, like]), row)  # backs off to n = 2


@pytest.mark.parametrize("discount", [0.0, 0.5])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_row_is_a_distribution(n, discount):
    model = ngram(discount, n)
    for text in np.ndindex(len(WORDS), len(WORDS)):
        distribution = model.distribution(text)
        assert distribution.min() >= 0
        assert distribution.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: NGram([[0, 1]], 0, 5), "0"),
        (lambda: NGram([[0, 1]], 2, 5, discount=1.0), "discount"),
        (lambda: NGram([[99]], 2, 5), "outside"),
        (lambda: TableModel(np.ones((2, 3)) / 3), "shape"),
        (lambda: TableModel(np.ones((3, 3))), "distribution"),
        (lambda: TableModel(-np.eye(3)), "distribution"),
        (lambda: CharacterModel().alphabet.encode("Q"), "Q"),
        (lambda: CharacterModel(accuracy=1.1), "accuracy"),
    ],
)
def test_an_impossible_model_or_text_is_an_error(make, word):
    with pytest.raises(ValueError, match=word):
        make()
