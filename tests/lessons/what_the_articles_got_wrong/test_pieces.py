"""The printed text's tokens, against the tokenizers library and the smallest possible number."""

from functools import cache
from itertools import product

import pytest
from tokenizers import Tokenizer, pre_tokenizers

from course_utils.classroom import limits
from course_utils.lessons.what_the_articles_got_wrong import checks, pieces
from course_utils.lessons.what_the_articles_got_wrong.checks import fewest
from course_utils.lessons.what_the_articles_got_wrong.pieces import CONTINUATION, DATA, ranks_in


@pytest.fixture(scope="module")
def trained():
    """(tokenizer, ranks) of the trained pair, whose ids are its ranks."""
    tokenizer = Tokenizer.from_file(str(DATA / "target" / "tokenizer.json"))
    level, signs = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False), {}
    for character in map(chr, (*range(0x800), *range(0x1000, 0xD000, 64), 0xFF0C, 0x10000)):
        signs |= zip(level.pre_tokenize_str(character)[0][0], character.encode(), strict=True)
    entries = tokenizer.get_vocab().items()
    return tokenizer, {
        bytes(signs[sign] for sign in entry): rank
        for entry, rank in entries
        if all(sign in signs for sign in entry)
    }


@pytest.mark.parametrize(
    "text", [CONTINUATION, "def add(a, b):\n    return a + b\n", "it's 2026;  AI 更深入\n\n"]
)
def test_bytes_are_joined_as_the_library_joins_them(trained, text):
    tokenizer, ranks = trained
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    assert [ranks[piece] for piece in pieces.pieces(text, ranks)] == ids


def test_the_text_has_118_tokens_and_no_split_has_fewer():
    ranks, data = ranks_in(), CONTINUATION.encode()
    cut = pieces.pieces(CONTINUATION, ranks)
    assert b"".join(cut) == data
    assert len(cut) == fewest(data, set(ranks)) == 118
    assert all(entry in data for entry in ranks)


def test_the_fewest_matches_brute_force():
    vocabulary = {b"a", b"b", b"ab", b"bab", b"aab", b"abba"}

    def ways(data):
        if not data:
            yield 0
        for entry in vocabulary:
            if data.startswith(entry):
                yield from (1 + rest for rest in ways(data[len(entry) :]))

    for letters in product("ab", repeat=7):
        data = "".join(letters).encode()
        assert fewest(data, vocabulary) == min(ways(data))


def every_split(data, vocabulary):
    if not data:
        return 0
    ends = range(len(data), 0, -1)
    return 1 + min(every_split(data[end:], vocabulary) for end in ends if data[:end] in vocabulary)


def memoised(data, vocabulary):
    @cache
    def behind(start):
        ends = range(start + 1, len(data) + 1)
        ways = (behind(end) for end in ends if data[start:end] in vocabulary)
        return 1 + min(ways) if start < len(data) else 0

    return behind(0)


@pytest.mark.parametrize(
    ("attempt", "why"),
    [(every_split, "too many splits to try each"), (memoised, "deeper than Python allows")],
)
def test_attempts_too_slow_or_too_deep_for_long_texts_are_explained(attempt, why, monkeypatch):
    monkeypatch.setattr(checks, "SECONDS", 0.2)
    monkeypatch.setattr(limits, "LOOK", 0.05)
    assert why in checks.check_fewest(attempt).message
