"""The bug zoo's logits processors: a correct wrapper with one thing wrong.

The target of such an exam is `WholeText`, whose rows are worked out anew from the whole text; a
decoder reaches its free model through a wrapper.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.drafters.sampled import Sampled
from course_utils.edits import slip
from course_utils.models.grammar import BEGIN, END, Matcher, Prompted, Spelled, constrained
from course_utils.models.logits_processor import Processed, ProcessedSession
from course_utils.models.penalties import Penalties, penalised
from course_utils.models.toys.tables import RowPerText, SequenceSession
from course_utils.proofs.bugs import Bug
from course_utils.proofs.decoders import Decoder, Exam
from course_utils.proofs.synthetic import Mixed

ALPHABET = ("[", "]", "0", ",", "")  # the last one ends a text, and is the prompt
STOP = PROMPT = (4,)


def zeros(state: Any, character: str) -> str | None:
    """A list of zeros without blanks: [], [0], [0,0], ..."""
    follows = {
        BEGIN: {"[": "open"},
        "open": {"0": "zero", "]": END},
        "zero": {",": "comma", "]": END},
        "comma": {"0": "zero"},
    }
    return follows.get(state, {}).get(character)


MATCHER = Prompted(len(PROMPT), Spelled(zeros, ALPHABET, STOP))
PENALTIES, PENALISED_PROMPT = Penalties(1.5, 0.7, 0.4), (1, 0)


def restricted_row(row: np.ndarray, tokens: Sequence[int]) -> np.ndarray:
    """Only what a list of zeros may go on with; where nothing may follow, the free row."""
    matcher: Matcher = MATCHER
    for token in tokens:
        matcher = matcher.after(token)
    left = row * matcher.allowed()
    return left / left.sum() if left.any() else row


def penalised_row(row: np.ndarray, tokens: Sequence[int]) -> np.ndarray:
    """By the definition of `PENALTIES`; logits are logarithms here, so none is above 0."""
    p, text = row.copy(), tokens[len(PENALISED_PROMPT) :]
    for token in {*tokens}:
        p[token] **= PENALTIES.repetition_penalty
        times = text.count(token)
        p[token] *= np.exp(-PENALTIES.presence_penalty * (times > 0))
        p[token] *= np.exp(-PENALTIES.frequency_penalty * times)
    return p / p.sum()


class WholeText:
    """The truth for a processed model: its free rows changed by `row`, (free row, text) -> row."""

    def __init__(
        self, processed: Processed, row: Callable[[np.ndarray, Sequence[int]], np.ndarray]
    ):
        self.processed, self._row = processed, row
        self.model: Any = processed.model  # a table
        self.vocabulary_size, self.context = self.model.vocabulary_size, self.model.context

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Return the distribution (vocabulary,) of the token that follows `tokens`."""
        return self._row(self.model.distribution(tokens), tokens)


def _masked(model: LanguageModel) -> Any:
    return constrained(model, MATCHER)


def _penalised(model: LanguageModel) -> Any:
    return penalised(model, PENALTIES, len(PENALISED_PROMPT))


def masked_draft(model: LanguageModel) -> Sampled:
    """A draft that guesses inside the grammar."""
    return Sampled(_masked(model))


def penalised_draft(model: LanguageModel) -> Sampled:
    """A draft that is penalised as the target is."""
    return Sampled(_penalised(model))


def _exam(process: Any, row: Any, vocabulary_size: int, seed: int, settings: Any) -> Exam:
    target, other = (RowPerText(vocabulary_size, s) for s in (seed, seed + 1))
    truth = WholeText(process(target), row)
    return Exam(truth, Mixed(target, other, 0.5), **{"gamma": 2, "length": 3} | settings)


def grammar_exam(seed: int = 2, **settings: Any) -> Exam:
    """Lists of zeros, by a target and a draft whose rows depend on the whole text."""
    settings = {"prompt": PROMPT, "stop_tokens": STOP} | settings
    return _exam(_masked, restricted_row, len(ALPHABET), seed, settings)


def penalty_exam(seed: int = 0, **settings: Any) -> Exam:
    """Texts of three words, by a target and a draft whose rows depend on the whole text."""
    return _exam(_penalised, penalised_row, 3, seed, {"prompt": PENALISED_PROMPT} | settings)


def reached(session: type = ProcessedSession) -> Callable[[WholeText], Processed]:
    """How a decoder reaches the target of such an exam: in the wrapper, with these sessions."""

    def target(truth: WholeText) -> Processed:
        right = truth.processed
        return Processed(right.model, right.state, right.process, session)

    return target


def _session(method: str, old: str, new: str) -> Decoder:
    """Return the decoder with an edited session."""
    wrong = {method: slip(getattr(ProcessedSession, method), (old, new))}
    return Decoder(target=reached(type("EditedSession", (ProcessedSession,), wrong)))


STATES = "self._states[first + 1 :]"
ROWS = f"self._process(rows, {STATES})"

CORRECT_PROCESSOR = Decoder(target=reached())
ONE_STATE = _session("extend", STATES, f"{STATES}[:1] * len(tokens)")
READ_ON = _session(
    "rollback", "del self._states[length + 1 :]", "self._states[length:] = self._states[-1:]"
)
GRAMMAR_BUGS = (
    Bug("one mask for the window", "what may follow the text may follow each guess, too",
        "vLLM #44297", ONE_STATE),
    Bug("grammar reads rejected tokens", "going back in the text does not go back in the grammar",
        "warned of in vLLM #48197", READ_ON),
    Bug("bonus without a mask", "the row after the last guess is the free one", "vLLM #44297",
        _session("extend", f"return {ROWS}", f"free, rows = rows, {ROWS}\n    if len(tokens) > 1:"
                                             "\n        rows[-1] = free[-1]\n    return rows")),
    Bug("mask on q alone", "the draft follows the grammar, and a free target judges it",
        "tempting", Decoder(drafter=masked_draft, target=lambda truth: truth.model)),
)  # fmt: skip
PENALTY_BUGS = (
    Bug("one penalty for the window", "each row is penalised by the text, not by its own guesses",
        "tempting", ONE_STATE),
    Bug("rejected tokens are penalised", "going back in the text does not go back in the counts",
        "common", READ_ON),
    Bug("one count a round", "of the tokens of a round only the last is counted", "SGLang #33643",
        _session("extend", ".after(token))", ")\n        if place == first:\n"
                 "            self._states[-1] = self._states[-1].after(token)")),
    Bug("penalty on q alone", "the draft is penalised, and a free target judges it",
        "tempting", Decoder(drafter=penalised_draft, target=lambda truth: truth.model)),
)  # fmt: skip
