"""The n-gram explorer: what it must find, and the data that its scene gets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.corpora import CORPORA, vocabulary
from course_utils.lessons.ngram_drafter.counted_words import (
    NAMES,
    TEXTS,
    counted_words,
    explorer,
    in_words,
)
from course_utils.models.n_grams import NGram

WORDS, NUMBER = vocabulary("chinese")
CORPUS = [[NUMBER[word] for word in sentence] for sentence in CORPORA["chinese"]]


def encode(text):
    return [NUMBER[word] for word in text.split()]


def decode(tokens):
    return " ".join(WORDS[token] for token in tokens)


def said_of(text, n=3, discount=0.0, corpus=CORPUS):
    model = NGram(corpus, n, len(WORDS), discount)
    return in_words(model, PromptLookup(), encode(text), decode, gamma=3)


@settings(max_examples=60, deadline=None)
@given(tokens=st.lists(st.integers(0, len(WORDS) - 1), max_size=12), gamma=st.integers(1, 8))
def test_the_words_name_the_match_and_the_copy_of_the_lookup(tokens, gamma):
    lookup = PromptLookup(3)
    said = in_words(NGram(CORPUS, 3, len(WORDS)), lookup, tokens, decode, gamma)
    if match := lookup.find(tokens):
        copied = lookup.propose(tokens, gamma, None).tokens
        ending = decode(tokens[-match[1] :])
        assert said.endswith(f"has seen {ending} in this text before, and drafts {decode(copied)}.")
    else:
        assert "The lookup drafts nothing" in said


@pytest.mark.parametrize(
    ("text", "n", "discount", "said"),
    [
        ("我们 喜欢", 3, 0.0, "我们 喜欢 was never seen: the model backs off to 喜欢; 吃 is lik"),
        ("都 喜欢", 3, 0.0, "After 都 喜欢 (seen 1×) 水果 is likeliest, 1.00."),
        ("喜欢 吃", 3, 0.5, "After 喜欢 吃 (seen 4×) 4 tokens are equally likely, 0.20 each."),
        ("", 3, 0.0, "After no context (seen 30×) 3 tokens are equally likely, 0.17 each."),
        ("水果 我", 4, 0.0, "水果 我 was never seen: the model backs off to 我;"),
    ],
)  # fmt: skip
def test_the_words_in_place_of_the_scene_say_where_the_distribution_comes_from(
    text, n, discount, said
):
    assert said_of(text, n, discount).startswith(said)


def test_a_model_that_counted_nothing_says_so():
    assert said_of("喜欢", corpus=[]).startswith("Nothing was ever counted")


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
    with pytest.raises(ValueError, match="agree word by word"):
        explorer({"a": [["x", "y"]], "b": [["u", "u"]]}, {"a": ["x"], "b": ["u"]})


@pytest.mark.parametrize("language", CORPORA)
def test_both_languages_are_offered_the_asked_one_first_and_are_one_text_of_ids(language):
    scene = counted_words(language)
    first, second = scene.data["languages"]
    assert {first["name"], second["name"]} == {*NAMES.values()}
    assert (first["name"], first["texts"]) == (NAMES[language], TEXTS[language])
    words, number = vocabulary(language)
    assert first["words"] == words
    assert number == NUMBER
    assert scene.data["texts"] == CORPUS
    assert "was never seen: the model backs off to " in scene.alt  # how it opens


def test_a_language_without_a_corpus_is_refused():
    for asked in (counted_words, vocabulary):
        with pytest.raises(ValueError, match="choose english or chinese"):
            asked("german")
