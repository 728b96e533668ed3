"""Counting and looking up in the browser is what Python counts and looks up."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.counted_words import counted_words
from course_utils.models.n_grams import NGram
from tests.stage.n_gram_view import ngram_view
from tests.stage.node import called

MODULE = "formulas/n_grams.mjs"
SIZE = 7  # of a vocabulary
tokens = st.lists(st.integers(0, SIZE - 1), max_size=9)
cases = st.lists(
    st.tuples(
        st.lists(tokens, max_size=5), st.integers(1, 4), st.sampled_from([0, 0.05, 0.5, 0.95]),
        tokens, st.integers(1, 5), st.integers(1, 8),
    ),
    min_size=20, max_size=20,
)  # fmt: skip


def exactly(values):
    return pytest.approx(values, rel=1e-12, abs=1e-12)


@settings(deadline=None, max_examples=12, phases=[Phase.generate])  # shrinking calls node
@given(cases)
def test_the_distribution_and_the_counts_behind_it(made):
    given = [[texts, SIZE, n, discount, text] for texts, n, discount, text, *_ in made]
    for one, row in zip(made, called(MODULE, "distribution", given), strict=True):
        texts, n, discount, text, *_ = one
        assert row == exactly(NGram(texts, n, SIZE, discount).distribution(text).tolist())
    given = [[texts, n, text] for texts, n, _, text, *_ in made]
    for one, found in zip(made, called(MODULE, "matches", given), strict=True):
        texts, n, _, text, *_ = one
        counted = NGram(texts, n, SIZE).matches(text)
        assert [list(map(tuple, seen)) for seen in found] == [[*seen.items()] for seen in counted]


@settings(deadline=None, max_examples=12, phases=[Phase.generate])  # shrinking calls node
@given(cases)
def test_what_the_scene_shows_is_what_ngram_view_says(made):
    given = [
        [texts, SIZE, text, {"n": n, "discount": d, "longest": longest, "gamma": gamma}]
        for texts, n, d, text, longest, gamma in made
    ]
    for one, shown in zip(made, called(MODULE, "view", given), strict=True):
        texts, n, discount, text, longest, gamma = one
        lookup = PromptLookup(longest)
        view = ngram_view(
            NGram(texts, n, SIZE, discount), lambda t, _, find=lookup.find: find(t), text,
            lambda ids: " ".join(map(str, ids)), longest, gamma,
        )  # fmt: skip
        words = [" ".join(map(str, ids)) for ids in (shown["copied"],)]
        assert words == [" ".join(view.copied)]
        assert tuple(shown["copied"]) == lookup.propose(text, gamma, None).tokens
        assert shown["match"] == (view.match and [*view.match])
        assert (shown["ties"], shown["rest"]) == (view.ties, exactly(view.rest))
        for browser, python in zip(shown["orders"], view.orders, strict=True):
            ending = browser["ending"]
            assert python.ending == (None if ending is None else " ".join(map(str, ending)))
            assert (browser["length"], browser["total"]) == (python.length, python.total)
            assert browser["share"] == exactly(python.share)
            assert [(str(a), b) for a, b in browser["followers"]] == [*python.followers]
        for browser, python in zip(shown["bars"], view.bars, strict=True):
            assert browser["probability"] == exactly(python.probability)
            assert browser["parts"] == exactly([*python.parts])
        assert {str(bar["token"]) for bar in shown["bars"]} == {bar.text for bar in view.bars}


def test_the_places_are_the_ones_that_are_counted():
    texts = [[0, 1, 2, 1], [1, 2, 3]]
    found = called(MODULE, "places", [[texts, [1, 2]], [texts, []], [texts, [3]]])
    assert found == [[[0, 3], [1, 2]], [[0, i] for i in range(4)] + [[1, i] for i in range(3)], []]


LANGUAGES = counted_words().data["languages"]


@pytest.mark.parametrize(
    ("text", "spoken", "language"),
    [
        ("we liked", "we liked", 0),
        ("  We   LIKED ", "we liked", 0),
        ("我们 喜欢", "我们 喜欢", 1),
        ("我们都喜欢", "我们 都 喜欢", 1),  # longest words first, no blanks needed
        ("we 喜欢 吃", "我们 喜欢 吃", 1),
        ("<s>", "<s>", 0),  # no language of its own: the one that is shown stays
        ("", "", 0),
    ],
)
def test_words_are_read_in_either_language(text, spoken, language):
    found = called("parts/n_grams/words.mjs", "read", [[text, LANGUAGES]])[0]
    assert found["language"] == language
    words = LANGUAGES[language]["words"]
    assert " ".join(words[token] for token in found["tokens"]) == spoken


@pytest.mark.parametrize(
    ("text", "unknown", "begun"),
    [
        ("we lik", "lik", True),
        ("we lik ", "lik", False),
        ("lik we", "lik", False),
        ("火车", "火车", False),
        ("喜欢火车", "喜欢火车", False),
        ("<b>x</b>", "<b>x</b>", False),
        ("__proto__", "__proto__", False),
    ],
)
def test_an_unknown_word_is_named_unless_it_is_still_being_typed(text, unknown, begun):
    found = called("parts/n_grams/words.mjs", "read", [[text, LANGUAGES]])[0]
    assert found == {"unknown": unknown, "begun": begun}
