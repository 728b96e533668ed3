"""The n-gram explorer: computed, drawn, and driven by its text and sliders."""

import re
from html import unescape

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.corpora import CORPORA, vocabulary
from course_utils.lessons.ngram_drafter.counted_words import TEXTS as OFFERED
from course_utils.lessons.ngram_drafter.counted_words import counted_words
from course_utils.lessons.ngram_drafter.explorer import OWN, explorer
from course_utils.lessons.ngram_drafter.ngram_html import FILLS, ngram_html
from course_utils.lessons.ngram_drafter.ngram_view import ngram_view
from course_utils.models.n_grams import NGram

SENTENCES = CORPORA["chinese"]
WORDS, NUMBER = vocabulary("chinese")
TEXTS = ("我们 喜欢", "都 喜欢", "她 喜欢 吃 葡萄 我 喜欢 吃")


def encode(text):
    return [NUMBER[word] for word in text.split()]


def decode(tokens):
    return " ".join(WORDS[token] for token in tokens)


def model(n, discount):
    return NGram(map(encode, map(" ".join, SENTENCES)), n, len(WORDS), discount)


def read(text):
    return encode(text), decode


def find(tokens, longest):
    return PromptLookup(longest).find(tokens)


def words(html):
    return unescape(re.sub("<[^>]*>", " ", html))


sizes = {
    "n": st.integers(1, len(FILLS)), "discount": st.integers(0, 19),
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
    shown = words(ngram_html(view))
    if view.match:
        start, length = view.match
        assert tokens[start : start + length] == tokens[-length:]
        assert f"drafts {' '.join(view.copied)}." in shown
    else:
        assert "The lookup drafts nothing" in shown


@settings(max_examples=100, deadline=None)
@given(**sizes)
def test_the_drawing_names_every_number_and_escapes_every_word(n, discount, longest, gamma, tokens):
    view = ngram_view(model(n, discount / 20), find, tokens, decode, longest, gamma)
    html = ngram_html(view)
    assert not re.search(r"\bnan\b|\binf\b|<s>|</s>|<script", html)
    for order in view.orders:
        if order.total:
            assert f"{order.share:.2f}" in html
            text, count = order.followers[0]
            assert f"{text}\u2009×{count}" in unescape(html)
    for bar in view.bars:
        assert f"{bar.probability:.2f}" in html
    for width in re.findall(r"width:([-\d.]+)em", html):
        assert 0 <= float(width) <= 14
    assert html.count("<ins>") == (view.match[1] + 1 if view.match else 0)  # and the legend


def test_what_was_never_seen_is_skipped_and_said():
    view = ngram_view(model(3, 0.0), find, encode("我们 喜欢"), decode)
    assert [order.total for order in view.orders] == [0, 5, 30]
    assert [order.share for order in view.orders] == [0, 1, 0]
    assert [(bar.text, round(bar.probability, 2)) for bar in view.bars] == [
        ("吃", 0.8),
        ("水果", 0.2),
    ]
    shown = words(ngram_html(view))
    assert "我们 喜欢 was never seen: the model backs off to 喜欢; 吃 is likeliest, 0.80." in shown
    assert "2: 我们 喜欢" in shown
    assert "never seen: skipped" in shown


@pytest.mark.parametrize(
    ("text", "n", "discount", "message"),
    [
        ("都 喜欢", 3, 0.0, "After 都 喜欢 (seen 1×) 水果 is likeliest, 1.00."),
        ("喜欢 吃", 3, 0.5, "After 喜欢 吃 (seen 4×) 4 tokens are equally likely, 0.20 each."),
        ("", 3, 0.0, "After no context (seen 30×) 3 tokens are equally likely, 0.17 each."),
        ("水果 我", 4, 0.0, "水果 我 was never seen: the model backs off to 我;"),
    ],
)
def test_the_title_says_where_the_distribution_comes_from(text, n, discount, message):
    still = explorer(model, find, read, [text], n=n, discount=discount).still
    assert message in words(still.html)
    assert still.text.startswith(message)


def test_a_model_that_counted_nothing_says_so():
    still = explorer(lambda n, d: NGram([], n, len(WORDS), d), find, read, ["喜欢"]).still
    assert "Nothing was ever counted" in still.text
    assert "distribution: <s> 0.07" in still.text


class Driven:
    """An explorer and what a reader does with it."""

    def __init__(self, **options):
        self.made = []
        self.card = explorer(self.model, find, read, TEXTS, **options)
        _, self.text, controls, self.message, self.view = self.card.children
        self.choice, *sliders = controls.children
        self.sliders = {slider.description: slider for slider in sliders}

    def model(self, n, discount):
        self.made.append((n, discount))
        return model(n, discount)


@settings(max_examples=30, deadline=None)
@given(**{key: sizes[key] for key in ("n", "discount", "longest", "gamma")})
def test_the_sliders_set_what_is_shown(n, discount, longest, gamma):
    driven = Driven()
    driven.text.value = TEXTS[2]
    values = {
        "n of the n-gram": n, "discount": discount / 20,
        "longest lookup": longest, "guesses copied, γ": gamma,
    }  # fmt: skip
    for name, value in values.items():
        driven.sliders[name].value = value
    counted = model(n, discount / 20)
    view = ngram_view(counted, find, encode(TEXTS[2]), decode, longest, gamma)
    assert driven.view.value == ngram_html(view)
    assert len(set(driven.made)) == len(driven.made)  # each is counted once


def test_a_text_is_chosen_or_typed():
    driven = Driven()
    driven.choice.value = TEXTS[1]
    assert driven.text.value == TEXTS[1]
    assert "After 都 喜欢" in words(driven.view.value)
    driven.text.value = "他 喜欢"
    assert driven.choice.value == OWN
    assert "After 他 喜欢" in words(driven.view.value)
    driven.text.value = TEXTS[0]
    assert driven.choice.value == TEXTS[0]
    driven.choice.value = OWN
    assert driven.text.value == TEXTS[0]


def test_an_unknown_word_is_told_and_the_picture_stays():
    driven = Driven()
    driven.text.value = "他 喜欢"
    before = driven.view.value
    driven.text.value = "他 喜欢 <b>"
    assert "&lt;b&gt; is no word of the corpus.</b> The picture stays" in driven.message.value
    assert driven.view.value == before
    driven.sliders["discount"].value = 0.5  # of the text that was understood
    assert "After 他 喜欢" in words(driven.view.value)
    driven.text.value = "他"
    assert driven.message.value == ""


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="at least one"):
        explorer(model, find, read, [])
    with pytest.raises(ValueError, match="火车 is no word of the corpus"):
        explorer(model, find, read, ["喜欢 火车"])
    for wrong in ({"n": 0}, {"n": 9}, {"discount": 1.0}, {"longest": 6}, {"gamma": 0}):
        with pytest.raises(ValueError, match="its slider goes from"):
            explorer(model, find, read, TEXTS, **wrong)


@pytest.mark.parametrize("language", CORPORA)
def test_the_words_of_both_languages_are_offered_and_answered_in_their_own(language):
    card = counted_words(language)
    _, text, controls, _, view = card.children
    assert text.value == OFFERED[language][0]
    assert [*controls.children[0].options] == [
        *OFFERED[language],
        *(other for name in OFFERED if name != language for other in OFFERED[name]),
        OWN,
    ]
    for typed, said in (
        ("we liked", "we liked was never seen: the model backs off to liked; eating is likeliest"),
        ("我们 喜欢", "我们 喜欢 was never seen: the model backs off to 喜欢; 吃 is likeliest"),
        ("<s> 他 喜欢", "After 他 喜欢 (seen 1×) 吃 is likeliest"),
    ):
        text.value = typed
        assert said in words(view.value)


def test_both_corpora_are_one_text_of_ids():
    for sentences, others in zip(CORPORA["english"], CORPORA["chinese"], strict=True):
        assert [NUMBER[word] for word in sentences] == [NUMBER[word] for word in others]
    assert vocabulary("english")[1] == NUMBER
    with pytest.raises(ValueError, match="choose english or chinese"):
        vocabulary("german")


def test_on_paper_stands_what_the_widget_opens_with():
    driven = Driven(discount=0.5)
    opening = driven.view.value
    driven.text.value = TEXTS[1]
    assert driven.card.still.html == opening != driven.view.value
