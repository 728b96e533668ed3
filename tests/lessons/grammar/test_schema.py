"""A JSON schema as a matcher: what it allows, where it ends, and what it refuses."""

import json

import numpy as np
import pytest

from course_utils.lessons.grammar.schema import schema_matcher
from course_utils.pairs import load_pair


@pytest.fixture(scope="module")
def pair():
    return load_pair("tiny")


def matcher_of(pair, schema):
    tokenizer, size = pair.tokenizer, pair.target.vocabulary_size
    return schema_matcher(schema, tokenizer, size, pair.stop_tokens)


def test_it_allows_what_the_schema_allows_and_then_the_stop_token(pair):
    start = at = matcher_of(pair, '{"enum": ["no", "yes"]}')
    for token in pair.encode('"no"'):
        assert at.allowed()[token]
        at = at.after(token)
    assert np.flatnonzero(at.allowed()).tolist() == list(pair.stop_tokens)
    assert not at.after(pair.stop_tokens[0]).allowed().any()
    refused = int(np.flatnonzero(~start.allowed())[-1])
    assert not start.after(refused).allowed().any()
    assert start.allowed()[pair.encode('"')[0]]  # it is still where it was


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ("{", "Expecting property name"),
        ("[]", "Expecting object schema"),
        (json.dumps({"type": "objekt"}), "Invalid type: objekt"),
        (json.dumps({"type": "string", "pattern": "("}), "unclosed group"),
    ],
)
def test_an_unreadable_schema_is_refused_in_one_line(pair, schema, why):
    with pytest.raises(ValueError, match="this is no usable JSON schema") as error:
        matcher_of(pair, schema)
    assert why in str(error.value)
    assert "\n" not in str(error.value)
