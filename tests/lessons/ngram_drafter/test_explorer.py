"""The n-gram explorer: what it must find, and the data that its scene gets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.corpora import CORPORA, vocabulary
from course_utils.lessons.ngram_drafter.counted_words import (
    NAMES,
    counted_words,
    explorer,
    in_words,
)
from course_utils.lessons.ngram_drafter.counted_words import TEXTS as OFFERED
from course_utils.models.n_grams import NGram
from tests.stage.n_gram_view import ngram_view

SENTENCES = CORPORA["chinese"]
WORDS, NUMBER = vocabulary("chinese")
TEXTS = ("我们 喜欢", "都 喜欢", "她 喜欢 吃 葡萄 我 喜欢 吃")


def encode(text):
    return [NUMBER[word] for word in text.split()]


def decode(tokens):
    return " ".join(WORDS[token] for token in tokens)


def model(n, discount):
    return NGram(map(encode, map(" ".join, SENTENCES)), n, len(WORDS), discount)


def find(tokens, longest):
    return PromptLookup(longest).find(tokens)


sizes = {
    "n": st.integers(1, 4), "discount": st.integers(0, 19),
    "longest": st.integers(1, 5), "gamma": st.integers(1, 8),
    "tokens": st.lists(st.integers(0, len(WORDS) - 1), max_size=12),
}  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(**sizes)
def test_the_shares_and_the_parts_of_the_bars_make_the_models_distribution(
    n, discount, longest, gamma, tokens
):
    counted = model(n, discount / 20)
    view, distribution = (
        ngram_view(counted, find, tokens, decode, longest, gamma),
        counted.distribution(tokens),
    )
    assert sum(order.share for order in view.orders) + view.rest == pytest.approx(1)
    assert all(0 <= order.share <= 1 + 1e-9 for order in view.orders)
    assert [order.length for order in view.orders] == list(range(n - 1, -1, -1))
    likeliest = -np.sort(-distribution)
    for bar, probability in zip(view.bars, likeliest, strict=False):
        assert bar.probability == pytest.approx(probability)
        assert sum(bar.parts) == pytest.approx(probability)
        assert distribution[WORDS.index(bar.text)] == pytest.approx(probability)
    assert view.ties == np.isclose(distribution, distribution.max(), atol=1e-9, rtol=0).sum()
    for order in view.orders:
        if order.ending is None:
            assert order.length > len(tokens)
        else:
            assert order.ending.split() == decode(tokens).split()[len(tokens) - order.length :]
            assert order.total == sum(count for _, count in order.followers)


@settings(max_examples=200, deadline=None)
@given(**sizes)
def test_the_copy_is_what_prompt_lookup_drafts(n, discount, longest, gamma, tokens):
    view = ngram_view(model(n, discount / 20), find, tokens, decode, longest, gamma)
    draft = PromptLookup(longest).propose(tokens, gamma, None)
    assert view.copied == tuple(WORDS[token] for token in draft.tokens)
    shown = in_words(model(n, discount / 20), PromptLookup(longest), tokens, decode, gamma)
    if view.match:
        start, length = view.match
        assert tokens[start : start + length] == tokens[-length:]
        assert f"drafts {' '.join(view.copied)}." in shown
    else:
        assert "The lookup drafts nothing" in shown


def test_what_was_never_seen_is_skipped_and_said():
    view = ngram_view(model(3, 0.0), find, encode("我们 喜欢"), decode)
    assert [order.total for order in view.orders] == [0, 5, 30]
    assert [order.share for order in view.orders] == [0, 1, 0]
    assert [(bar.text, round(bar.probability, 2)) for bar in view.bars] == [
        ("吃", 0.8),
        ("水果", 0.2),
    ]
    said = "我们 喜欢 was never seen: the model backs off to 喜欢; 吃 is likeliest, 0.80."
    assert said in in_words(model(3, 0.0), PromptLookup(), encode("我们 喜欢"), decode, 3)


@pytest.mark.parametrize(
    ("text", "n", "discount", "message"),
    [
        ("都 喜欢", 3, 0.0, "After 都 喜欢 (seen 1×) 水果 is likeliest, 1.00."),
        ("喜欢 吃", 3, 0.5, "After 喜欢 吃 (seen 4×) 4 tokens are equally likely, 0.20 each."),
        ("", 3, 0.0, "After no context (seen 30×) 3 tokens are equally likely, 0.17 each."),
        ("水果 我", 4, 0.0, "水果 我 was never seen: the model backs off to 我;"),
    ],
)
def test_the_words_in_place_of_the_scene_say_where_the_distribution_comes_from(
    text, n, discount, message
):
    scene = explorer({"中文": SENTENCES}, {"中文": [text]}, n=n, discount=discount)
    assert scene.alt.startswith(message)


def test_a_model_that_counted_nothing_says_so():
    empty = NGram([], 3, len(WORDS))
    said = in_words(empty, PromptLookup(), encode("喜欢"), decode, 3)
    assert "Nothing was ever counted" in said


def test_the_scene_gets_one_corpus_of_ids_and_the_words_of_each_language():
    scene = explorer({"a": [["x", "y", "x"]], "b": [["u", "v", "u"]]}, {"a": ["x"], "b": ["v"]})
    assert scene.data == {
        "languages": [
            {"name": "a", "words": ["x", "y"], "texts": ["x"]},
            {"name": "b", "words": ["u", "v"], "texts": ["v"]},
        ],
        "texts": [[0, 1, 0]],
        "settings": {"n": 3, "discount": 0.0, "longest": 3, "gamma": 3},
        "most_n": 4,
    }


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="no texts to explore in 中文: give at least one"):
        explorer({"中文": SENTENCES}, {"中文": []})
    with pytest.raises(ValueError, match="火车 is no word of the corpus"):
        explorer({"中文": SENTENCES}, {"中文": ["喜欢 火车"]})
    with pytest.raises(ValueError, match="at least one sentence"):
        explorer({}, {})
    with pytest.raises(ValueError, match="agree word by word"):
        explorer({"a": [["x", "y"]], "b": [["u", "u"]]}, {"a": ["x"], "b": ["u"]})
    for wrong in ({"n": 0}, {"n": 9}, {"discount": 1.0}, {"longest": 6}, {"gamma": 0}):
        with pytest.raises(ValueError, match="its slider goes from"):
            explorer({"中文": SENTENCES}, {"中文": TEXTS}, **wrong)


@pytest.mark.parametrize("language", CORPORA)
def test_both_languages_are_offered_the_asked_one_first(language):
    data = counted_words(language).data
    assert [one["name"] for one in data["languages"]] == [
        NAMES[language],
        *(NAMES[other] for other in CORPORA if other != language),
    ]
    assert data["languages"][0]["texts"] == OFFERED[language]
    words, number = vocabulary(language)
    assert data["languages"][0]["words"] == words
    assert data["texts"] == [[number[word] for word in line] for line in CORPORA[language]]


def test_it_opens_on_a_context_that_was_never_seen():
    assert counted_words().alt.startswith("we liked was never seen: the model backs off to liked;")
    with pytest.raises(ValueError, match="choose english or chinese"):
        counted_words("german")


def test_both_corpora_are_one_text_of_ids():
    for sentences, others in zip(CORPORA["english"], CORPORA["chinese"], strict=True):
        assert [NUMBER[word] for word in sentences] == [NUMBER[word] for word in others]
    assert vocabulary("english")[1] == NUMBER
    with pytest.raises(ValueError, match="choose english or chinese"):
        vocabulary("german")
