"""Streamed text is the decoded text, for every kind of tokenizer; stop strings cut it anywhere."""

from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders
from tokenizers.models import BPE, WordPiece
from tokenizers.pre_tokenizers import ByteLevel
from transformers import PreTrainedTokenizerFast

from course_utils.decoding.metrics import emitted_tokens
from course_utils.proofs.decoders import CORRECT, exam
from course_utils.proofs.enumeration import distribution_distance, merge_paths, outcomes
from course_utils.writing.text import StopStrings, pieces, stream_text
from course_utils.writing.writing import Pair

WORDS = ["▁the", "▁cat", "s", "▁", "▁▁", ".", "人", "\n", "é"]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
LLAMA = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
PARTS = ["the", "##s", "##ing", "cat", ".", "n", "'", "t", "##.", "人"]

often = settings(max_examples=100, deadline=None, derandomize=True)


def bpe(words, decoder):
    tokenizer = Tokenizer(BPE({word: i for i, word in enumerate(words)}, []))
    tokenizer.decoder = decoder
    return tokenizer


def word_pieces(cleanup):
    tokenizer = Tokenizer(WordPiece({word: i for i, word in enumerate(PARTS)}, unk_token="the"))
    tokenizer.decoder = decoders.WordPiece(cleanup=cleanup)
    return tokenizer


def byte_level():
    signs = sorted(ByteLevel.alphabet())
    pairs = [a + b for a in signs[::31] for b in signs[::29]]  # that cut characters anywhere
    tokenizer = bpe([*signs, *pairs], decoders.ByteLevel())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    return tokenizer


TOKENIZERS = {
    "byte-level": byte_level(),
    "metaspace": bpe(WORDS, decoders.Metaspace(prepend_scheme="never")),
    "metaspace, first": bpe(WORDS, decoders.Metaspace()),
    "strip": bpe(WORDS, decoders.Sequence([*LLAMA, decoders.Strip(" ", 1, 0)])),
    "fuse": bpe(WORDS, decoders.Sequence(LLAMA)),
    "word pieces": word_pieces(cleanup=False),
    "word pieces, cleaned": word_pieces(cleanup=True),
    "word ends": bpe(["the</w>", "cat", "s</w>", ".</w>"], decoders.BPEDecoder()),
}
FALLBACK = bpe([*WORDS, *BYTES], decoders.Sequence([*LLAMA, decoders.Strip(" ", 1, 0)]))


@pytest.mark.parametrize("kind", TOKENIZERS)
@often
@given(data=st.data())
def test_the_pieces_are_the_text_for_every_tokenizer(kind, data):
    tokenizer = TOKENIZERS[kind]
    decode = partial(tokenizer.decode, skip_special_tokens=False)
    size = tokenizer.get_vocab_size()
    tokens = data.draw(st.lists(st.integers(0, size - 1), max_size=90))
    assert "".join(pieces(tokens, decode)) == decode(tokens)
    at = data.draw(st.integers(0, len(tokens)))
    if not decode(tokens[:at]).endswith("\ufffd"):
        both = decode(tokens[:at]) + "".join(pieces(tokens[at:], decode, tokens[:at]))
        assert both == decode(tokens)


@often
@given(st.text("a\n 人🎉é", max_size=40))
@example("🎉" * 40)
def test_what_is_written_in_bytes_is_read_in_characters(text):
    texts = pieces([len(WORDS) + byte for byte in text.encode()], FALLBACK.decode, [0])
    assert "".join(texts) == text
    assert "\ufffd" not in "".join(texts)


@pytest.mark.parametrize("count", [50, 2000])
@pytest.mark.parametrize(
    "stream",
    [
        [b"\x80"], [b"\xe4\xba", b"\x80", b"\xba"], [b"\xe4", *[b"\xba\xba\xe4"] * 50], [b""],
        [b" "], [b"", b"\xff", b"", b"a"], [b"\xe4", *[b""] * 40, b"\xba", b"\xba"],
        [b"", b"\xba\xba\xe4", *[b""] * 9, b"\xba\xba\xe4", *[b""] * 5],
    ],
)  # fmt: skip
def test_each_token_costs_the_same_whatever_it_decodes_to(stream, count):
    """Invalid bytes, tokens that each end inside a character, tokens without a text."""
    tokens = [i % len(stream) for i in range(count)]
    read = []

    def decode(tokens):
        read.append(len(tokens))
        return b"".join(stream[token] for token in tokens).decode(errors="replace")

    expected = decode(tokens)
    read.clear()
    assert "".join(pieces(tokens, decode)) == expected
    assert sum(read) <= 60 * count


def test_a_pair_does_not_clean_up_what_was_shown():
    tidy = PreTrainedTokenizerFast(
        tokenizer_object=word_pieces(cleanup=False), clean_up_tokenization_spaces=True
    )
    tokens = [PARTS.index(part) for part in ("cat", "n", "'", "t", ".")]
    assert tidy.decode(tokens) != Pair(None, None, tidy, ()).decode(tokens) == "cat n ' t ."


@often
@given(
    st.lists(st.text("abc", max_size=4), max_size=8),
    st.lists(st.text("abc", min_size=1, max_size=4), max_size=3),
)
@example(["a", "ab", "a"], ["aaba", "ab"])
def test_a_text_is_cut_where_a_stop_string_first_ends_however_it_comes(parts, strings):
    whole, until, passed = "".join(parts), StopStrings(strings), ""
    for part in parts:
        passed += "" if until.ended else until.push(part)
        assert not any(s in passed for s in strings)
    passed += until.rest()
    for end in range(len(whole) + 1):
        stops = [s for s in strings if whole[:end].endswith(s)]
        if stops:
            assert until.ended
            assert passed == whole[: end - max(map(len, stops))]
            return
    assert not until.ended
    assert passed == whole
    with pytest.raises(ValueError, match="a stop string is empty"):
        StopStrings([*strings, ""])


LETTERS = ("a", "ba", "b")
STOPS = ("bb", "aab")


def decode_letters(tokens):
    return "".join(LETTERS[token] for token in tokens)


def until_stop(tokens):
    """Return (tokens up to the one that completes a stop string, text), by definition."""
    for n in range(1, len(tokens) + 1):
        text = decode_letters(tokens[:n])
        if ends := [(text.find(s) + len(s), text.find(s)) for s in STOPS if s in text]:
            return tokens[:n], text[: min(ends)[1]]
    return tokens, decode_letters(tokens)


def test_a_text_up_to_a_stop_string_has_the_targets_distribution():
    letters = exam(3, gamma=2, length=4)

    def written(noise):
        rounds = letters.rounds(CORRECT, noise=lambda _: noise)
        streamed = list(stream_text(rounds, decode_letters, stop_strings=STOPS))
        tokens = tuple(emitted_tokens(done for done, _ in streamed))
        text = "".join(text for _, texts in streamed for text in texts)
        ended = streamed[-1][0].stop_reason == "stop_string"
        assert ended == any(s in decode_letters(tokens) for s in STOPS)
        return tokens, text

    expected = merge_paths((weight, until_stop(text)) for text, weight in letters.truth().items())
    assert distribution_distance(merge_paths(outcomes(written)), expected) < 1e-12
