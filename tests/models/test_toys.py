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


def test_an_unknown_character_is_reported():
    with pytest.raises(ValueError, match="Q"):
        CharacterModel().alphabet.encode("Q")


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


@pytest.mark.parametrize("arguments", [{"n": 0}, {"discount": 1.0}, {"texts": [[99]]}], ids=str)
def test_bad_n_gram_arguments_are_named(arguments):
    with pytest.raises(ValueError, match=r"n is 0|discount is 1.0|outside 0\.\.4"):
        NGram(**{"texts": [[0, 1]], "n": 2, "vocabulary_size": 5, **arguments})


@pytest.mark.parametrize("table", [np.ones((2, 3)) / 3, np.ones((3, 3)), -np.eye(3)])
def test_a_table_that_is_no_distribution_is_refused(table):
    with pytest.raises(ValueError, match="table"):
        TableModel(table)
