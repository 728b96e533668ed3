"""A JSON schema as a matcher: what it allows and where it ends."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.lessons.grammar.zoo import schema_matcher
from course_utils.writing.writing import load_pair


def test_it_allows_what_the_schema_allows_and_then_the_stop_token():
    pair = load_pair("tiny")
    start = at = schema_matcher({"enum": ["no", "yes"]}, pair)
    for token in pair.encode('"no"'):
        assert at.allowed()[token]
        at = at.after(token)
    assert np.flatnonzero(at.allowed()).tolist() == list(pair.stop_tokens)
    assert not at.after(pair.stop_tokens[0]).allowed().any()
    forbidden = int(np.flatnonzero(~start.allowed())[-1])
    assert not start.after(forbidden).allowed().any()
    assert start.allowed()[pair.encode('"')[0]]  # `start` itself is unchanged


def test_a_stop_token_ends_the_text_after_the_value_and_never_inside():
    pair = load_pair("tiny")
    word = pair.encode("z")[0]  # a stop token that the tokenizer takes for text
    pair = replace(pair, stop_tokens=(*pair.stop_tokens, word))
    quote = pair.encode('"')[0]
    inside = schema_matcher({"type": "string"}, pair).after(quote)
    assert not inside.allowed()[[*pair.stop_tokens]].any()
    assert inside.after(quote).allowed()[[*pair.stop_tokens]].all()
    with pytest.raises(ValueError, match="stop"):
        schema_matcher({"type": "string"}, replace(pair, stop_tokens=()))
