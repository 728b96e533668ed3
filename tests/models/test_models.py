"""The toy models, and what every session promises."""

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.theory import overlap
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.models.adapter import TransformersModel
from course_utils.models.grammar import constrained
from course_utils.models.qwen3.forms import FORMS
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.characters import SENTENCE, SIMILAR, CharacterModel
from course_utils.models.toys.n_grams import NGram
from course_utils.models.toys.tables import TableModel
from tests.conftest import random_qwen3

ALL_MODELS = {
    "characters": lambda: CharacterModel(accuracy=0.7),
    "n-grams": lambda: NGram([[1, 2, 3, 1, 2, 4]], 3, 30, discount=0.5),
    "table": lambda: TableModel.random(30, 1, 0),
    **{
        f"qwen3, {name}": lambda form=form: form(Qwen3.from_transformers(random_qwen3()))
        for name, form in FORMS.items()
    },
    "grammar": lambda: constrained(TableModel.random(30, 1, 0), NoneTwice(None)),
    "adapter": lambda: TransformersModel(random_qwen3()),
}


class NoneTwice:
    """A grammar: no token follows itself."""

    def __init__(self, last):
        self.last = last

    def allowed(self):
        return np.arange(30) != self.last

    def after(self, token):
        return NoneTwice(token)


def rows(session, tokens):
    return np.asarray(session.extend(tokens))


@pytest.fixture(params=ALL_MODELS)
def model(request):
    return ALL_MODELS[request.param]()


def test_rows_do_not_depend_on_how_the_text_was_fed(model):
    text = [0, 5, 9, 1, 2, 7]
    at_once = rows(model.start([]), text)
    session = model.start(text[:2])
    in_pieces = np.concatenate([rows(session, text[2:3]), rows(session, text[3:])])
    assert at_once.shape == (len(text), model.vocabulary_size)
    np.testing.assert_allclose(in_pieces, at_once[2:], atol=1e-4)


def test_rollback_forgets_and_only_what_it_should(model):
    session = model.start([0, 5])
    kept = rows(session, [3, 4])
    rows(session, [9, 9, 9])
    session.rollback(2)
    assert session.length == 2
    np.testing.assert_allclose(rows(session, [3, 4]), kept, atol=1e-5)
    session.rollback(99)  # beyond the end: nothing to forget
    assert session.length == 4


def test_two_sessions_do_not_disturb_each_other(model):
    alone = rows(model.start([1]), [2])
    first, second = model.start([1]), model.start([3, 4])
    rows(second, [5])
    np.testing.assert_allclose(rows(first, [2]), alone, atol=1e-6)


def test_every_model_decodes_and_drafts_for_itself(model):
    rounds = list(generate(model, [0, 1], Sampled(model), gamma=3, max_new_tokens=12, seed=1))
    plain = emitted_tokens(generate(model, [0, 1], max_new_tokens=12, seed=1))
    assert len(emitted_tokens(rounds)) == len(plain) == 12
    # a draft that is the target is accepted (but for float32 rounding of the ratio)
    assert sum(r.accepted for r in rounds) >= sum(len(r.drafted) for r in rounds) - 1


@pytest.mark.filterwarnings("error")
def test_a_counted_draft_may_guess_for_a_target_in_torch():
    counted, qwen3 = ALL_MODELS["n-grams"](), Qwen3.from_transformers(random_qwen3(vocabulary=30))
    as_table = TableModel(np.full((30, 30), 1 / 30))
    for target, draft in ((qwen3, counted), (as_table, qwen3)):
        rounds = list(generate(target, [1, 2], Sampled(draft), max_new_tokens=20))
        assert len(emitted_tokens(rounds)) == 20
        assert all(type(r.p) is type(r.q) for r in rounds if r.drafted)


def test_similar_characters_contain_the_right_one():
    for character, similar in SIMILAR.items():
        assert similar[0] == character
        assert len(set(similar)) == 3


def test_seventy_percent_accuracy_is_eighty_percent_acceptance():
    target, draft = CharacterModel(), CharacterModel(accuracy=0.7)
    tokens = target.alphabet.encode("")
    for position in range(len(SENTENCE)):
        text = target.alphabet.encode(SENTENCE[:position])
        assert overlap(target.distribution(text), draft.distribution(text)) == pytest.approx(0.8)
    assert target.distribution(tokens).max() == 1


@pytest.mark.parametrize("seed", range(20))
def test_the_sentence_always_comes_out_right(seed):
    target, draft = CharacterModel(), CharacterModel(accuracy=0.7)
    rounds = list(generate(target, [0], Sampled(draft), gamma=3, max_new_tokens=18, seed=seed))
    assert target.alphabet.decode(emitted_tokens(rounds)) == SENTENCE
    assert len(rounds) < len(SENTENCE)


def test_the_sentence_ends_with_the_end_token():
    target = CharacterModel()
    rounds = list(generate(target, [0], stop_tokens=[1]))
    assert target.alphabet.decode(emitted_tokens(rounds)) == SENTENCE
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


def bigram(discount=0.0, n=2):
    sentences = [["<s>", *line.split(), "</s>"] for line in CORPUS]
    words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
    texts = [[words.index(word) for word in sentence] for sentence in sentences]
    return NGram(texts, n, len(words), discount), words


def test_the_articles_probabilities():
    model, words = bigram()
    distribution = model.distribution([words.index("喜欢")])
    assert distribution[words.index("吃")] == pytest.approx(0.8)
    assert distribution[words.index("水果")] == pytest.approx(0.2)


@pytest.mark.parametrize("discount", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_row_is_a_distribution(n, discount):
    model, words = bigram(discount, n)
    for a in range(len(words)):
        for b in range(len(words)):
            distribution = model.distribution([a, b])
            assert distribution.min() >= 0
            assert distribution.sum() == pytest.approx(1)


def test_an_unseen_context_backs_off_to_a_shorter_one():
    model, words = bigram(n=3)
    seen_by_bigram = bigram(n=2)[0].distribution([words.index("喜欢")])
    np.testing.assert_allclose(
        model.distribution([words.index("苹果"), words.index("喜欢")]), seen_by_bigram
    )
    assert len(model.matches([words.index("苹果"), words.index("喜欢")])) == 2


def test_discounting_leaves_room_for_every_word():
    model, words = bigram(discount=0.5)
    assert model.distribution([words.index("喜欢")]).min() > 0
    assert bigram()[0].distribution([words.index("喜欢")]).min() == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n is 0"),
        ({"discount": 1.0}, "discount is 1.0"),
        ({"texts": [[99]]}, "outside 0..4"),
    ],
)
def test_bad_n_gram_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        NGram(**{"texts": [[0, 1]], "n": 2, "vocabulary_size": 5, **arguments})


@pytest.mark.parametrize("table", [np.ones((2, 3)) / 3, np.ones((3, 3)), -np.eye(3)])
def test_a_table_that_is_no_distribution_is_refused(table):
    with pytest.raises(ValueError, match="table"):
        TableModel(table)


def test_lookup_finds_the_latest_longest_match():
    lookup = PromptLookup(longest=2)
    assert lookup.find([7, 8, 1, 7, 8, 2, 7, 8]) == (3, 2)
    assert lookup.find([8, 5, 7, 8]) == (0, 1)  # no pair matches, a single token does
    assert lookup.find([1, 2, 3]) is None
    assert lookup.find([1]) is None
    assert lookup.propose([7, 8, 9, 7, 8], 5, None).tokens == (9, 7, 8, 9, 7)  # round and round


def test_lookup_arguments_are_checked():
    with pytest.raises(ValueError, match="shortest=0"):
        PromptLookup(shortest=0)
    with pytest.raises(ValueError, match="longest=1"):
        PromptLookup(longest=1, shortest=2)
