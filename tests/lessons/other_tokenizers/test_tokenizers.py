"""What is computed of two vocabularies: the table, the lemma, what two of them share."""

import numpy as np
import pytest

from course_utils.decoding.theory import overlap
from course_utils.lessons.other_tokenizers import figures
from course_utils.lessons.other_tokenizers import other_tokenizer as other
from course_utils.lessons.other_tokenizers import small_vocabularies as small
from course_utils.models.tables import TableModel
from course_utils.training.corpus import some_sources


def test_three_of_five_translations_are_lossless_and_the_lossy_ones_accept_more():
    lines = small.verdicts()
    found = [(float(line["TV"]), float(line["accepted / examined"])) for line in lines]
    (right, falling, unreported, whole_q, off) = (shown for _, shown in found)
    assert [tv < 1e-12 for tv, _ in found] == [True, True, False, False, True]
    assert all(tv > 0.1 for tv, _ in found[2:4])
    assert off < falling < right < min(unreported, whole_q)


def test_the_dictionary_spells_what_the_target_says():
    for line in small.dictionary():
        word = line["target token"].split()[1]
        assert line["the draft reads"].replace(" ", "") == word
        assert line["the draft proposes"] in (word, "never")


def test_acceptance_lies_between_its_bounds_for_any_rows():
    p, q = small.random_rows(20_000, seed=3)
    after = overlap(p, small.restricted(q, small.HELD))
    low, high = small.bounds(p, q, small.HELD)
    assert (low - 1e-12 <= after).all()
    assert (after <= high + 1e-12).all()
    assert np.isclose(after, high).any()  # the bound above is reached
    np.testing.assert_allclose(low, overlap(p, q))  # a draft over both vocabularies gets no more


def test_the_lessons_two_examples():
    p, q = np.array([0.5, 0.5, 0]), np.array([0.25, 0.25, 0.5])
    assert (overlap(p, q), overlap(p, small.restricted(q, [0, 1]))) == (0.5, 1)
    even = np.array([0.5, 0.5])
    assert (overlap(even, even), overlap(even, small.restricted(even, [0]))) == (1, 0.5)


def test_of_random_rows_some_rise_and_most_fall():
    share = int(figures.restriction().alt.split("rises in ")[1].split("%")[0])
    assert 0 < share < 50


def test_an_intersection_is_measured_from_the_rows():
    target = TableModel.random(4, order=2, seed=0)
    draft = TableModel.random(5, order=2, seed=1)
    text = [1, 3, 2, 3, 0]
    found = other.intersection(target, draft, small.SMALL, [text])
    p = np.stack([target.distribution(text[: i + 1]) for i in range(4)])[:, :3]
    spelt = [small.SMALL.spell(text[: i + 1]) for i in range(4)]
    q = np.stack([draft.distribution(tokens) for tokens in spelt])[:, [1, 2, 0]]
    renormalised = q / q.sum(-1, keepdims=True)
    shares = p.sum(-1), q.sum(-1), 7 / 5, overlap(p, renormalised), overlap(p, q)
    expected = other.Intersection(3 / 4, 3 / 5, 3 / 5, *map(np.mean, shares))
    assert vars(found) == pytest.approx(vars(expected))


def test_a_draft_with_the_targets_tokens_is_left_as_it_is():
    target = TableModel.random(4, order=2, seed=0)
    found = other.intersection(target, target, other.as_they_are(4), [[1, 3, 2, 0]])
    assert found.alpha == pytest.approx(1)
    assert found.of_q == pytest.approx(1)
    less = other.intersection(target, target, other.as_they_are(4, {0, 2}), [[1, 3, 2, 0]])
    assert less.alpha == pytest.approx(less.of_p)  # the limit is reached: q is p there, and more


def test_the_sources_are_cut_and_hold_no_tests():
    texts = some_sources(20_000)
    assert sum(map(len, texts)) == 20_000
