"""Counting and looking up in the browser is what Python counts and looks up."""

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.counted_words import counted_words
from course_utils.models.n_grams import NGram
from tests.stage.node import called

MODULE = "formulas/n_grams.mjs"
SIZE, LIKELIEST = 7, 6  # of a vocabulary; the bars that are shown
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


def layers(model, text):
    """(length, counts, share of the distribution, weight of one count) of each order, and what is
    left for "any token"; the longest ending first."""
    seen, found, left = model.matches(text), [], 1.0
    for length in reversed(range(model.n)):
        counts = seen[length] if length < len(seen) else {}
        total = sum(counts.values())
        passed_on = model.discount * len(counts) / total if total else 1.0
        found.append((length, counts, left * (1 - passed_on), left / total if total else 0.0))
        left *= passed_on
    return found, left


@settings(deadline=None, max_examples=12, phases=[Phase.generate])  # shrinking calls node
@given(cases)
def test_what_the_scene_shows_is_what_the_model_and_the_lookup_say(made):
    given = [
        [texts, SIZE, text, {"n": n, "discount": d, "longest": longest, "gamma": gamma}]
        for texts, n, d, text, longest, gamma in made
    ]
    for one, shown in zip(made, called(MODULE, "view", given), strict=True):
        texts, n, discount, text, longest, gamma = one
        lookup, model = PromptLookup(longest), NGram(texts, n, SIZE, discount)
        row, (orders, rest) = model.distribution(text), layers(model, text)
        match = lookup.find(text)
        assert tuple(shown["copied"]) == lookup.propose(text, gamma, None).tokens
        assert shown["match"] == (match and [*match])
        assert shown["rest"] == exactly(rest)
        assert shown["ties"] == np.isclose(row, row.max(), atol=1e-9, rtol=0).sum()
        for browser, (length, counts, share, _) in zip(shown["orders"], orders, strict=True):
            known = length <= len(text)
            assert browser["ending"] == (text[len(text) - length :] if known else None)
            assert (browser["length"], browser["total"]) == (length, sum(counts.values()))
            assert browser["share"] == exactly(share)
            ranked = sorted(counts.items(), key=lambda pair: -pair[1])
            assert [*map(tuple, browser["followers"])] == ranked
        likeliest = -np.sort(-row)[:LIKELIEST]
        assert [bar["probability"] for bar in shown["bars"]] == exactly(likeliest[likeliest > 0])
        for bar in shown["bars"]:
            x = bar["token"]
            parts = [max(counts.get(x, 0) - discount, 0) * one for _, counts, _, one in orders]
            assert bar["parts"] == exactly([*parts, rest / SIZE])
            assert sum(bar["parts"]) == exactly(row[x])


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
