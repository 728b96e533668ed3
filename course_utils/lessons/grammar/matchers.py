"""Matchers over a pair's tokens, from a student's automaton and from a JSON schema."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from llguidance import LLMatcher
from llguidance.hf import from_tokenizer

from course_utils.models.logits_processor import Spelled, Step
from course_utils.writing.writing import Pair


def spelled(step: Step, pair: Pair) -> Spelled:
    """Turn an automaton over characters into a matcher over the pair's tokens."""
    pieces = [pair.decode([token]) for token in range(pair.target.vocabulary_size)]
    return Spelled(step, ["" if "\ufffd" in piece else piece for piece in pieces], pair.stop_tokens)


def schema_matcher(schema: Mapping[str, object], pair: Pair) -> "SchemaMatcher":
    """Return the matcher at the start of a text of one JSON value and a stop token.

    It uses llguidance, as vLLM and SGLang can.  The grammar allows no spaces between values,
    because a small model may write nothing else.

    Raises:
        ValueError: the pair has no stop token.
    """
    size, stop = pair.target.vocabulary_size, pair.stop_tokens
    if not stop:
        raise ValueError("the pair has no stop token, so nothing could end the JSON: name one")
    known = from_tokenizer(pair.tokenizer, n_vocab=size, eos_token=[*stop])
    grammar = LLMatcher.grammar_from_json_schema(
        json.dumps(schema), overrides={"whitespace_flexible": False}
    )
    return SchemaMatcher(LLMatcher(known, grammar, log_level=0), size, stop)


class SchemaMatcher:
    """A `grammar.Matcher`; `matcher` is None after the end of the text or outside the schema."""

    def __init__(self, matcher: LLMatcher | None, size: int, stop_tokens: Sequence[int]):
        self._matcher, self._size, self._stop = matcher, size, stop_tokens

    @cached_property
    def _mask(self) -> np.ndarray:
        if self._matcher is None:
            return np.zeros(self._size, bool)
        bits = np.frombuffer(self._matcher.compute_bitmask(), np.uint8)
        mask = np.unpackbits(bits, count=self._size, bitorder="little").astype(bool)
        # llguidance takes a stop token that the tokenizer does not mark as special for text, too
        mask[list(self._stop)] &= self._matcher.is_accepting()
        return mask

    def allowed(self) -> np.ndarray:
        return self._mask

    def after(self, token: int) -> "SchemaMatcher":
        following = None
        if self._mask[token] and token not in self._stop:
            following = self._matcher.deep_copy()
            if not following.consume_token(token):
                raise ValueError(f"llguidance refused an allowed token: {following.get_error()}")
        return SchemaMatcher(following, self._size, self._stop)
