"""The toy models: the articles' numbers, distributions, and what is refused."""

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.theory import overlap
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.characters import SENTENCE, SIMILAR, CharacterModel
from course_utils.models.toys.n_grams import NGram
from course_utils.models.toys.tables import TableModel


def test_seventy_percent_accuracy_is_eighty_percent_acceptance():
    target, draft = CharacterModel(), CharacterModel(accuracy=0.7)
    assert all(similar[0] == character for character, similar in SIMILAR.items())
    for position in range(len(SENTENCE)):
        text = target.alphabet.encode(SENTENCE[:position])
        assert overlap(target.distribution(text), draft.distribution(text)) == pytest.approx(0.8)
        assert target.distribution(text).max() == 1


def test_the_sentence_comes_out_right_and_ends():
    target, draft = CharacterModel(), CharacterModel(accuracy=0.7)
    for seed in range(8):
        rounds = list(generate(target, [0], Sampled(draft), gamma=3, seed=seed, stop_tokens=[1]))
        assert target.alphabet.decode(emitted_tokens(rounds)) == SENTENCE
        assert len(rounds) < len(SENTENCE)
        assert rounds[-1].stop_reason == "stop_token"


def test_a_foreign_character_is_named():
    with pytest.raises(ValueError, match="Q"):
        CharacterModel().alphabet.encode("Q")


CORPUS = [
    "我 喜欢 吃 苹果",
    "我 喜欢 吃 香蕉",
    "他 喜欢 吃 西瓜",
    "她 喜欢 吃 葡萄",
    "我们 都 喜欢 水果",
]


def counted(discount=0.0, n=2):
    sentences = [["<s>", *line.split(), "</s>"] for line in CORPUS]
    words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
    texts = [[words.index(word) for word in sentence] for sentence in sentences]
    return NGram(texts, n, len(words), discount), words


def test_the_articles_probabilities():
    model, words = counted()
    distribution = model.distribution([words.index("喜欢")])
    assert distribution[words.index("吃")] == pytest.approx(0.8)
    assert distribution[words.index("水果")] == pytest.approx(0.2)
    assert distribution.min() == 0
    assert counted(discount=0.5)[0].distribution([words.index("喜欢")]).min() > 0


@pytest.mark.parametrize("discount", [0.0, 0.5])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_row_is_a_distribution(n, discount):
    model, words = counted(discount, n)
    for text in np.ndindex(len(words), len(words)):
        distribution = model.distribution(text)
        assert distribution.min() >= 0
        assert distribution.sum() == pytest.approx(1)


def test_an_unseen_context_backs_off_to_a_shorter_one():
    model, words = counted(n=3)
    text = [words.index("苹果"), words.index("喜欢")]
    np.testing.assert_allclose(model.distribution(text), counted()[0].distribution(text))


@pytest.mark.parametrize("arguments", [{"n": 0}, {"discount": 1.0}, {"texts": [[99]]}], ids=str)
def test_bad_n_gram_arguments_are_named(arguments):
    with pytest.raises(ValueError, match=r"n is 0|discount is 1.0|outside 0\.\.4"):
        NGram(**{"texts": [[0, 1]], "n": 2, "vocabulary_size": 5, **arguments})


@pytest.mark.parametrize("table", [np.ones((2, 3)) / 3, np.ones((3, 3)), -np.eye(3)])
def test_a_table_that_is_no_distribution_is_refused(table):
    with pytest.raises(ValueError, match="table"):
        TableModel(table)
