"""A JSON schema as a grammar: the matcher of llguidance, which vLLM and SGLang can use, too."""

import json
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from llguidance import LLMatcher
from llguidance.hf import from_tokenizer
from transformers import PreTrainedTokenizerBase


def schema_matcher(
    schema: str,
    tokenizer: PreTrainedTokenizerBase,
    vocabulary_size: int,
    stop_tokens: Sequence[int],
) -> "SchemaMatcher":
    """The matcher of an empty text, which is to become one JSON value and a stop token.

    Args:
        schema: JSON.  No blanks are written between values: a small model may write nothing else.
        vocabulary_size: of the model, which may have more numbers than its tokenizer has tokens.

    Raises:
        ValueError: in one line, why llguidance cannot read the schema or the tokenizer.
    """
    try:
        grammar = LLMatcher.grammar_from_json_schema(
            json.dumps(json.loads(schema)), overrides={"whitespace_flexible": False}
        )
        known = from_tokenizer(tokenizer, n_vocab=vocabulary_size, eos_token=[*stop_tokens])
        if said := LLMatcher.validate_grammar(grammar, known):
            raise ValueError(said)
    except ValueError as error:
        raise ValueError(f"this is no usable JSON schema: {' '.join(str(error).split())}") from None
    return SchemaMatcher(LLMatcher(known, grammar, log_level=0), vocabulary_size, stop_tokens)


class SchemaMatcher:
    """A `grammar.Matcher`; `matcher` is None where the text has ended or left the schema."""

    def __init__(self, matcher: LLMatcher | None, size: int, stop_tokens: Sequence[int]):
        self._matcher, self._size, self._stop = matcher, size, stop_tokens

    @cached_property
    def _mask(self) -> np.ndarray:
        if self._matcher is None:
            return np.zeros(self._size, bool)
        bits = np.frombuffer(self._matcher.compute_bitmask(), np.uint8)
        return np.unpackbits(bits, count=self._size, bitorder="little").astype(bool)

    def allowed(self) -> np.ndarray:
        return self._mask

    def after(self, token: int) -> "SchemaMatcher":
        following = None
        if self._mask[token] and token not in self._stop:
            following = self._matcher.deep_copy()
            if not following.consume_token(token):
                raise ValueError(f"llguidance gave up: {following.get_error()}")
        return SchemaMatcher(following, self._size, self._stop)
