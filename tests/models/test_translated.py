"""A draft with another tokenizer guesses in the target's tokens; the text stays the target's."""

import numpy as np
import pytest
import torch

from course_utils.decoding.contracts import NO_DRAFT
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.drafters.sampled import Sampled
from course_utils.models.n_grams import NGram
from course_utils.models.pairs import load_pair
from course_utils.models.qwen3 import Qwen3
from course_utils.models.tables import SequenceSession, TableModel
from course_utils.models.translated import Translated, Translation, VocabularyMismatch
from course_utils.models.vocabularies import ALPHABET, translation_between
from course_utils.proofs.broken_drafters import (
    FallingBack,
    Unnormalised,
    Unreported,
    off_by_one,
)
from course_utils.proofs.decoders import CORRECT, Decoder, Exam, acceptance_shown
from course_utils.proofs.examination import examine, on_the_pair
from course_utils.proofs.synthetic import shifted_pair
from tests.conftest import random_qwen3
from workshop.training.text import train_tokenizer

# Target tokens <end>, in, put, input; draft tokens put, <end>, in, er, out.
SMALL = Translation(spellings=((1,), (2,), (0,), (2, 0)), shared=(1, 2, 0, -1))
# Vocabularies of other sizes and overlaps: draft of 3 inside the target, of 4 beside it.
INSIDE = Translation(spellings=((2,), (0,), (1,), (0, 1, 0)), shared=(2, 0, 1, -1))
BESIDE = Translation(spellings=((3,), (0, 1), (1,), (2, 1)), shared=(3, -1, 1, -1))
SETTINGS = [
    GREEDY,
    Sampling(),
    Sampling(0.7),
    Sampling(top_k=2),
    Sampling(0.8, top_p=0.7, min_p=0.1),
]


def drafting(translation, size, seed=1):
    return Translated(TableModel.random(size, order=2, seed=seed), translation)


def exam_of(draft, sampling=Sampling(), gamma=2, seed=0):
    target = TableModel.random(4, order=2, seed=seed)
    return Exam(target, draft, sampling, gamma=gamma, length=gamma + 1, prompt=(1,))


def decoder_of(make):
    return Decoder(drafter=make)


# --- what it says -------------------------------------------------------------------


def test_a_row_is_the_drafts_on_the_intersection_renormalised():
    draft = TableModel.random(5, order=2, seed=1)
    said = Translated(draft, SMALL).start([1]).extend([3, 2])
    rows = probabilities(said, Sampling())
    for row, text in zip(rows, ([2, 2, 0], [2, 2, 0, 0]), strict=True):
        own = draft.distribution(text)[[1, 2, 0]]
        np.testing.assert_allclose(row, [*(own / own.sum()), 0], atol=1e-15)


def test_top_k_is_applied_to_what_is_left():
    """Of the draft's two likeliest tokens the target knows neither: a cut before the
    restriction would leave nothing."""
    table = TableModel(np.array([0.1, 0.06, 0.04, 0.5, 0.3]))
    row = probabilities(Translated(table, SMALL).start([]).extend([1]), Sampling(top_k=2))[0]
    np.testing.assert_allclose(row, [0.375, 0, 0.625, 0])


def test_where_the_draft_gives_the_intersection_nothing_it_is_even():
    table = TableModel(np.array([0, 0, 0, 0.5, 0.5]))
    model = Translated(table, SMALL)
    row = probabilities(model.start([]).extend([1]), Sampling())[0]
    np.testing.assert_allclose(row, [1 / 3, 1 / 3, 1 / 3, 0])
    assert exam_of(model).distance(CORRECT) < 1e-12


def test_what_is_no_number_is_not_hidden():
    """A damaged draft is reported by the loop, not translated into an even row."""
    rows = Translated(TableModel.random(5, 1, 0), SMALL).translate(np.full((1, 5), np.nan))
    with pytest.raises(ValueError, match="NaN"):
        probabilities(rows, Sampling())


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_rows_of_torch_stay_torch(dtype):
    model = drafting(SMALL, 5)
    rows = torch.tensor([[0.5, 1, 2, 3, 4]], dtype=dtype)
    translated = model.translate(rows)
    assert translated.dtype == dtype
    assert translated.tolist() == [[1, 2, 0.5, -torch.inf]]


def test_a_model_in_torch_is_translated():
    own = random_qwen3(vocabulary=5)
    model = Qwen3(own.config, dict(own.state_dict()), 64)
    rows = Translated(model, SMALL).start([1]).extend([3, 0])
    expected = model.start([]).extend([2, 2, 0, 1])[[2, 3]][:, [1, 2, 0]]
    torch.testing.assert_close(rows[:, :3], expected)


# --- rollback -----------------------------------------------------------------------


def test_after_any_rollback_the_rows_are_those_of_the_text(rng):
    model = drafting(SMALL, 5)
    session, text = model.start([1]), [1]
    for _ in range(200):
        keep = int(rng.integers(0, len(text) + 1))
        session.rollback(keep)
        more = rng.integers(0, 4, rng.integers(1, 5)).tolist()
        text = [*text[:keep], *more]
        rows = session.extend(more)
        assert session.length == len(text)
        np.testing.assert_array_equal(rows, model.start([]).extend(text)[keep:])


class Counting:
    """A table of five tokens with a short memory that counts what it reads."""

    vocabulary_size = 5

    def __init__(self, context=1 << 20):
        self.context, self.read = context, 0
        self.table = TableModel.random(5, order=2, seed=1)

    def start(self, prompt):
        self.read += len(prompt)
        return CountingSession(self, prompt)


class CountingSession(SequenceSession):
    def __init__(self, model, prompt):
        super().__init__(model.table.distribution, prompt)
        self.model = model

    def extend(self, tokens):
        self.model.read += len(tokens)
        assert self.length + len(tokens) <= self.model.context, "it does not fit"
        return super().extend(tokens)


def test_a_rollback_reads_nothing_again():
    """2,000 rounds over a text of 3,000 tokens: read is what is new, and nothing twice."""
    model = Counting()
    session = Translated(model, SMALL).start([3] * 3000)
    for _ in range(2000):
        session.extend([3, 1])
        session.rollback(3000)
    assert model.read == 6000 + 2000 * 3


@pytest.mark.parametrize("context", [4, 5, 7, 16, 17, 40])
def test_a_text_longer_than_the_drafts_context_goes_on(context, rng):
    """The draft reads the last half of its context again, two of whose tokens settle a row here.

    Three tokens that are taken back leave those two where half a context holds eight.
    """
    short, long = Translated(Counting(context), SMALL), Translated(Counting(), SMALL)
    a, b, length = short.start([1, 1]), long.start([1, 1]), 2
    for _ in range(100):
        more = rng.integers(0, 4, rng.integers(1, 6)).tolist()
        rows, expected = a.extend(more), b.extend(more)
        assert rows.shape == expected.shape
        if context >= 16:
            np.testing.assert_array_equal(rows, expected)
        length += max(0, len(more) - int(rng.integers(0, 4)))
        a.rollback(length)
        b.rollback(length)
        assert a.length == b.length == length
    a.rollback(3)  # before the window
    b.rollback(3)
    np.testing.assert_array_equal(a.extend([2, 1]), b.extend([2, 1]))


def test_a_full_window_is_read_again_seldom():
    model = Counting(context=200)
    session = Translated(model, SMALL).start([])
    for _ in range(5000):
        session.extend([1])
    assert model.read < 2.1 * 5000


def test_a_long_prompt_is_read_in_one_pass_where_it_fits():
    model = Counting(context=100)
    Translated(model, SMALL).start([1] * 100)
    assert model.read == 100
    assert Translated(model, SMALL).start([1] * 300).extend([3] * 120).shape == (120, 4)


# --- proofs -------------------------------------------------------------------------


@pytest.mark.parametrize("sampling", SETTINGS, ids=str)
@pytest.mark.parametrize(
    ("translation", "size"), [(SMALL, 5), (INSIDE, 3), (BESIDE, 4)], ids=["5", "3", "4"]
)
def test_the_text_has_the_targets_distribution(translation, size, sampling):
    for seed in range(3):
        exam = exam_of(drafting(translation, size, seed + 1), sampling, seed=seed)
        assert exam.distance(CORRECT) < 1e-12


def renamed(model, seed=0):
    """The same model under other numbers, and how the two translate."""
    numbers = np.random.default_rng(seed).permutation(model.vocabulary_size)
    back = np.argsort(numbers)
    table = model.table[np.ix_(*[back] * model.table.ndim)]
    own = tuple(int(number) for number in numbers)
    return TableModel(table), Translation(tuple((i,) for i in own), own)


def always_accepted(translate):
    """The acceptance oracle: the target itself under other numbers is never rejected."""
    target = TableModel.random(4, order=1, seed=0)
    draft, translation = renamed(target)
    draft = Translated(draft, translate(translation))
    exam = Exam(target, draft, gamma=1, length=2, prompt=(1,))
    rounds = exam.first_rounds(CORRECT)
    return exam.distance(CORRECT), acceptance_shown(rounds)


def test_the_target_under_other_numbers_is_always_accepted():
    distance, acceptance = always_accepted(lambda translation: translation)
    assert distance < 1e-12
    assert acceptance == pytest.approx(1, abs=1e-12)


def test_a_map_that_is_off_by_one_is_silent_and_rejected():
    """The text is right, so that only acceptance shows the fault."""
    distance, acceptance = always_accepted(off_by_one)
    assert distance < 1e-12
    assert acceptance < 0.7


def test_the_reported_fallback_is_lossless_and_accepted_less():
    """Over ten pairs: each text is right, and the end tokens that nobody meant cost."""
    gains = []
    for seed in range(10):
        table = TableModel.random(5, order=2, seed=seed + 100)
        right, falling = (
            exam_of(kind(table, SMALL), gamma=1, seed=seed) for kind in (Translated, FallingBack)
        )
        assert falling.distance(CORRECT) < 1e-12
        shown = [acceptance_shown(exam.first_rounds(CORRECT)) for exam in (right, falling)]
        gains.append(shown[0] - shown[1])
    assert np.mean(gains) > 0.05


@pytest.mark.parametrize("mutant", [Unreported, Unnormalised])
def test_a_q_that_was_not_drawn_from_is_lossy(mutant):
    assert exam_of(drafting(SMALL, 5)).distance(decoder_of(mutant)) > 0.01


def without_the_last(size, lost=1):
    """A draft that has all tokens but the last ones, which it spells in one of the others.

    It has as many tokens all the same: what stands in their places means nothing to the target.
    """
    own = range(size - lost)
    return Translation((*((i,) for i in own), *[(0, 0)] * lost), (*own, *[-1] * lost))


def test_texts_under_examination_are_sound():
    """On made-up models of 300 tokens, looked at as a certificate looks at a pair."""
    target, draft = shifted_pair(300, seed=7)
    prompts = [np.random.default_rng(7).integers(0, 300, 70).tolist()]
    translated = Translated(draft, without_the_last(300, lost=30))
    tasks = on_the_pair(prompts, target.context, (0,), seed=0)[:1]
    found, _ = examine(CORRECT, target, translated, tasks, 4, "pair")
    assert found
    assert [check.name for check in found if not check.passed] == []


def test_a_fallback_that_a_filter_excludes_is_refused_by_the_loop():
    """Where its q says that the end token cannot have been drawn, the lie is seen at once."""
    target, draft = shifted_pair(300, seed=7)
    translated = Translated(draft, without_the_last(300, lost=30))
    how = Sampling(top_k=5)
    with pytest.raises(ValueError, match=r"token 0, .* cannot have been drawn"):
        list(generate(target, [1, 2], Unreported(translated, how), sampling=how))


# --- tokenizers ---------------------------------------------------------------------

LINES = [
    "def input(self, data):\n    return self.put(data)  # 投机采样\n",
    "for name, value in sorted(table.items()):\n    print(name, value)\n",
    "class Naïve(Exception):\n    pass  # 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 😀\n",
] * 30


@pytest.fixture(scope="module")
def other():
    """A small tokenizer of another vocabulary."""
    return train_tokenizer(LINES, 400)


def test_a_spelling_says_the_same_bytes(pair, other):
    translation = translation_between(pair.tokenizer, other)
    assert 0 < len(translation.pairs[0]) < len(pair.tokenizer)
    for line in [*LINES[:3], "\x00\tnever seen: ∮ £ ÿ"]:
        tokens = pair.encode(line)
        assert other.decode(translation.spell(tokens)) == line


def test_a_text_may_begin_in_the_middle_of_a_character(pair, other):
    translation = translation_between(pair.tokenizer, other)
    tokens = pair.encode("😀")[1:]
    assert tokens  # several bytes of one character
    spelt = other.convert_ids_to_tokens(translation.spell(tokens))
    assert "".join(spelt) == "".join(pair.tokenizer.convert_ids_to_tokens(tokens))
    draft = Translated(NGram([other(LINES[0])["input_ids"]], 2, len(other)), translation)
    drafter = Sampled(draft)
    draft = drafter.propose(tokens, 2, Noise(0).round(0))
    assert draft is not NO_DRAFT
    np.testing.assert_allclose(draft.q.sum(-1), 1)


def test_shared_tokens_are_the_same_strings(pair, other):
    translation = translation_between(pair.tokenizer, other)
    held, same = translation.pairs
    strings = [
        t.convert_ids_to_tokens(list(ids)) for t, ids in ((pair.tokenizer, held), (other, same))
    ]
    assert strings[0] == strings[1]
    assert set(strings[0]) >= ALPHABET


def test_a_tokenizer_translates_into_itself(pair):
    translation = translation_between(pair.tokenizer, pair.tokenizer)
    assert translation.shared == tuple(range(len(pair.tokenizer)))


def test_end_tokens_are_shared_whatever_they_are_called(pair, other):
    other = train_tokenizer(LINES, 400)
    other.add_special_tokens({"eos_token": "</s>"})
    translation = translation_between(pair.tokenizer, other)
    end = pair.tokenizer.eos_token_id
    # the string <|endoftext|> is there as well, and the same string goes before the role
    assert translation.shared[end] == other.get_vocab()["<|endoftext|>"]
    target = train_tokenizer(LINES, 400)
    target.add_special_tokens({"eos_token": "<|im_end|>"})
    translation = translation_between(target, other)
    assert translation.shared[target.eos_token_id] == other.eos_token_id


def test_what_the_draft_has_no_word_for_is_read_as_its_end_and_never_proposed(pair, other):
    """A special token of the target's own, and a number beyond the tokenizer's."""
    target = train_tokenizer(LINES, 400)
    target.add_special_tokens({"additional_special_tokens": ["<|im_start|>"]})
    translation = translation_between(target, other, vocabulary_size=512)
    for token in (target.get_vocab()["<|im_start|>"], 511):
        assert translation.spellings[token] == (other.eos_token_id,)
        assert translation.shared[token] == -1
    assert len(translation.shared) == 512


class Pieces:
    """A tokenizer in the manner of SentencePiece, or one that lacks most bytes."""

    eos_token_id = None
    backend_tokenizer = object()

    def __init__(self, *tokens):
        self.tokens = tokens

    def get_vocab(self):
        return {token: i for i, token in enumerate(self.tokens)}

    def get_added_vocab(self):
        return {}


def test_a_tokenizer_of_another_kind_is_refused(other):
    for target, draft, words in (
        (Pieces("▁the"), other, r"target's tokenizer writes '▁the', not bytes"),
        (other, Pieces("▁the"), r"draft's tokenizer writes '▁the'"),
        (other, Pieces("a", "b"), "no token for 254 of the 256 bytes"),
    ):
        with pytest.raises(VocabularyMismatch, match=words):
            translation_between(target, draft)


@pytest.mark.parametrize(
    ("spellings", "shared", "error", "words"),
    [
        (((0,), (1,)), (-1, -1), VocabularyMismatch, "no token in common"),
        (((0,), (0,)), (0, 0), ValueError, "share one draft token"),
        (((0,), ()), (0, -1), ValueError, "at least one draft token"),
        (((0,),), (0, -1), ValueError, "1 spellings and 2 shared"),
    ],
)
def test_a_translation_that_is_none_is_refused(spellings, shared, error, words):
    with pytest.raises(error, match=words):
        Translation(spellings, shared)


def test_a_model_that_does_not_fit_the_translation_is_refused():
    with pytest.raises(ValueError, match="draft token 2, and the draft knows 0 to 1"):
        Translated(TableModel.random(2, order=1, seed=0), SMALL)
    with pytest.raises(ValueError, match="longer context"):
        Translated(Counting(context=3), SMALL)


def test_a_draft_of_another_family_is_refused_unless_it_is_translated(tmp_path, pair, other):
    random_qwen3(vocabulary=len(other)).save_pretrained(tmp_path)
    other.save_pretrained(tmp_path)
    target = "tiny"
    with pytest.raises(VocabularyMismatch, match=r"models\.translated\.Translated"):
        load_pair(target, str(tmp_path))
    loaded = load_pair(target, str(tmp_path), dtype="float32", translated=True)
    prompt = pair.encode(LINES[0])
    rounds = list(
        generate(loaded.target, prompt, Sampled(loaded.draft, GREEDY), sampling=GREEDY,
                 max_new_tokens=24)
    )  # fmt: skip
    alone = generate(loaded.target, prompt, sampling=GREEDY, max_new_tokens=24)
    assert emitted_tokens(rounds) == emitted_tokens(alone)
    assert {len(r.drafted) for r in rounds} > {0} or rounds[0].drafted
    with_own = load_pair(target, dtype="float32", translated=True)
    assert not isinstance(with_own.draft, Translated)
