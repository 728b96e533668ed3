"""Lesson 08 on tokenizers: its table, its lemma, its exercise and its figures."""

import numpy as np
import pytest

from course_utils.classroom.feedback import PASSED, WRONG
from course_utils.decoding.theory import overlap
from course_utils.lessons.better_drafts import other_tokenizer as other
from course_utils.lessons.better_drafts import small_vocabularies as small
from course_utils.lessons.better_drafts import tokenizer_figures
from course_utils.lessons.better_drafts.checks import check_translated_row
from course_utils.models.n_grams import NGram
from course_utils.models.tables import TableModel
from course_utils.models.vocabularies import translation_between
from course_utils.training.text import train_tokenizer

HELD = list(small.HELD)
FOUND = other.Intersection(0.2, 0.85, 0.7, 0.68, 0.96, 1.44, 0.18, 0.17)


@pytest.fixture(scope="module")
def verdicts():
    lines = small.verdicts()
    return [(float(line["TV"]), float(line["accepted / examined"])) for line in lines]


def test_three_of_five_translations_are_lossless(verdicts):
    assert [tv < 1e-12 for tv, _ in verdicts] == [True, True, False, False, True]
    assert all(tv > 0.1 for tv, _ in verdicts[2:4])


def test_the_lossless_ones_differ_in_acceptance_and_the_lossy_ones_accept_more(verdicts):
    right, falling, unreported, whole_q, off = (shown for _, shown in verdicts)
    assert off < falling < right < min(unreported, whole_q)


def test_the_dictionary_spells_what_the_target_says():
    for line in small.dictionary():
        word = line["target token"].split()[1]
        assert line["the draft reads"].replace(" ", "") == word
        assert line["the draft proposes"] in (word, "never")


def test_acceptance_lies_between_its_bounds_for_any_rows():
    p, q = small.random_rows(20_000, seed=3)
    after = overlap(p, small.restricted(q, HELD))
    low, high = small.bounds(p, q, HELD)
    assert (low - 1e-12 <= after).all()
    assert (after <= high + 1e-12).all()
    assert np.isclose(after, high).any()  # the bound above is reached
    np.testing.assert_allclose(low, overlap(p, q))  # a draft over both vocabularies gets no more


def test_the_lessons_two_examples():
    p, q = np.array([0.5, 0.5, 0]), np.array([0.25, 0.25, 0.5])
    assert (overlap(p, q), overlap(p, small.restricted(q, [0, 1]))) == (0.5, 1)
    even = np.array([0.5, 0.5])
    assert (overlap(even, even), overlap(even, small.restricted(even, [0]))) == (1, 0.5)


def test_the_exercise():
    assert check_translated_row(check_translated_row.right).status == PASSED
    for sentence, wrong in check_translated_row.known.items():
        feedback = check_translated_row(wrong)
        assert feedback.status == WRONG
        assert feedback.message.endswith(f": {sentence}")


def test_the_lessons_own_solution_passes():
    def translated_row(p, row, shared):
        q = np.array([row[same] if same >= 0 else 0.0 for same in shared])
        q = q / q.sum()
        return q, np.minimum(p, q).sum()

    assert check_translated_row(translated_row).status == PASSED


def test_an_intersection_is_measured_from_the_rows():
    target = TableModel.random(4, order=2, seed=0)
    draft = TableModel.random(5, order=2, seed=1)
    text = [1, 3, 2, 3, 0]
    found = other.intersection(target, draft, small.SMALL, [text])
    p = np.stack([target.distribution(text[: i + 1]) for i in range(4)])
    spelt = [small.SMALL.spell(text[: i + 1]) for i in range(4)]
    q = np.stack([draft.distribution(tokens) for tokens in spelt])[:, [1, 2, 0]]
    assert found.of_target_entries == 3 / 4
    assert found.of_draft_entries == 3 / 5
    assert found.of_text == 3 / 5
    assert found.spelling == 7 / 5
    assert found.of_p == pytest.approx(p[:, :3].sum(-1).mean())
    assert found.of_q == pytest.approx(q.sum(-1).mean())
    assert found.alpha_unnormalised == pytest.approx(overlap(p[:, :3], q).mean())
    renormalised = q / q.sum(-1, keepdims=True)
    assert found.alpha == pytest.approx(overlap(p[:, :3], renormalised).mean())


def test_a_draft_with_the_targets_tokens_is_left_as_it_is():
    target = TableModel.random(4, order=2, seed=0)
    found = other.intersection(target, target, other.as_they_are(4), [[1, 3, 2, 0]])
    assert found.alpha == pytest.approx(1)
    assert found.of_q == pytest.approx(1)
    less = other.intersection(target, target, other.as_they_are(4, {0, 2}), [[1, 3, 2, 0]])
    assert less.alpha == pytest.approx(less.of_p)  # the limit is reached: q is p there, and more


def test_the_draft_is_counted_from_sources_without_tests():
    texts = other.some_sources(20_000)
    assert sum(map(len, texts)) == 20_000
    tokenizer = train_tokenizer(texts, 400)
    draft = other.counted_draft(texts, tokenizer)
    assert isinstance(draft, NGram)
    assert draft.vocabulary_size == 400
    assert len(translation_between(tokenizer, tokenizer).shared) == 400


@pytest.mark.parametrize(
    "draw", [tokenizer_figures.restriction, lambda: tokenizer_figures.shared(FOUND, 0.25)]
)
def test_a_figure_says_what_it_shows(draw):
    drawn = draw()
    assert drawn.png.startswith(b"\x89PNG")
    assert any(digit in drawn.alt for digit in "0123456789")


def test_of_random_rows_some_rise_and_most_fall():
    share = int(tokenizer_figures.restriction().alt.split("rises in ")[1].split("%")[0])
    assert 0 < share < 50


def test_the_unreported_fallback_ends_too_often():
    """Enumerated: the share of texts that hold an end."""
    exam = small.Exam(
        small.TARGET, small.Translated(small.DRAFT, small.SMALL), gamma=2, length=3, prompt=(1,)
    )
    lying = exam.distribution(small.Decoder(drafter=small.Unreported))
    ends = [sum(w for text, w in d.items() if 0 in text) for d in (lying, exam.truth())]
    assert ends[0] > 2 * ends[1]
