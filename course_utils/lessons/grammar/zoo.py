"""Matchers over a pair's tokens, and the zoo: a correct logits processor with one thing wrong.

The target of such an exam is a processed model with a new session for every text; a decoder
uses the model inside it through a wrapper.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from llguidance import LLMatcher
from llguidance.hf import from_tokenizer

from course_utils.decoding.contracts import LanguageModel
from course_utils.drafters.sampled import Sampled
from course_utils.edits import slip
from course_utils.models.logits_processor import (
    Processed,
    ProcessedSession,
    Prompted,
    Spelled,
    Step,
    constrained,
)
from course_utils.proofs.bugs import DRAFT, MEMORY, TOKEN, Bug
from course_utils.proofs.decoders import Decoder, Exam, exam
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


ALPHABET = ("[", "]", "0", ",", "")  # the last one ends a text, and is the prompt
STOP = PROMPT = (4,)


def number_list(state, character):
    """A list of whole numbers without spaces, from "begin" to "end"
    -> the next state, or None if the character is not allowed"""
    digit = character in "0123456789"
    if state == "begin" and character == "[":
        return "first"
    if state == "first" and character == "]":
        return "end"
    if state in ("first", "next") and digit:
        return "zero" if character == "0" else "number"
    if state == "number" and digit:
        return "number"
    if state in ("zero", "number"):
        return {",": "next", "]": "end"}.get(character)
    return None


MATCHER = Prompted(len(PROMPT), Spelled(number_list, ALPHABET, STOP))


def masked_draft(model: LanguageModel) -> Sampled:
    """Return a draft that guesses within the grammar."""
    return Sampled(constrained(model, MATCHER))


def grammar_exam(seed: int = 2, **settings: Any) -> Exam:
    """Return an exam on lists whose only number is 0, with rows that depend on the whole text."""
    free = exam(len(ALPHABET), seed=seed, gamma=2, length=3, prompt=PROMPT, stop_tokens=STOP)
    return replace(free, target=constrained(free.target, MATCHER), **settings)


def reached(session: Any = ProcessedSession) -> Callable[[Processed], Processed]:
    """Return the wrapper through which a decoder uses the target, with these sessions.

    Where a wrong one allows nothing, it writes token 0, as the argmax of an engine (vLLM #53665).
    """
    edited = type("EditedModel", (Processed,), {"session": session})

    def decoders(right: Processed) -> Processed:
        def process(rows: Any, states: Any) -> Any:
            rows = right.process(rows, states)
            rows[np.isneginf(rows).all(-1), 0] = 0
            return rows

        return edited(right.model, right.state, process)

    return decoders


def _edited(old: str, new: str) -> Decoder:
    return Decoder(target=reached(slip(ProcessedSession, (old, new))))


STATES = "self._states[first + 1 :]"
ROWS = f"self._process(rows, {STATES})"

CORRECT_PROCESSOR = Decoder(target=reached())
GRAMMAR_BUGS = (
    Bug("one mask for the window", MEMORY, "what may follow the text may follow each guess, too",
        _edited(STATES, f"{STATES}[:1] * len(tokens)"), "vLLM #44297"),
    Bug("grammar reads rejected tokens", MEMORY,
        "going back in the text does not go back in the grammar",
        _edited("del self._states[length + 1 :]", "self._states[length:] = self._states[-1:]"),
        "warned of in vLLM #48197"),
    Bug("bonus without a mask", TOKEN, "the row after the last guess is the free one",
        _edited(f"return {ROWS}", f"free, rows = rows, {ROWS}\n        if len(tokens) > 1:\n"
                                  "            rows[-1] = free[-1]\n        return rows"),
        "vLLM #44297"),
    Bug("mask on q alone", DRAFT, "the draft follows the grammar, and a free target judges it",
        Decoder(drafter=masked_draft, target=lambda right: right.model), "tempting"),
)  # fmt: skip
