"""The bug zoo's logits processors: a correct wrapper with one thing wrong.

`BUGS` is for models without one.  Here the target of an exam is `Changed`, whose rows are
worked out anew from the whole text; a decoder reaches its free model through a wrapper.
"""

from collections.abc import Callable, Sequence

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


def zeros(state: str, character: str) -> str | None:
    """A list of zeros without blanks: [], [0], [0,0], ..."""
    follows = {
        BEGIN: {"[": "open"},
        "open": {"0": "zero", "]": END},
        "zero": {",": "comma", "]": END},
        "comma": {"0": "zero"},
    }
    return follows.get(state, {}).get(character)


MATCHER = Prompted(len(PROMPT), Spelled(zeros, ALPHABET, STOP))


class Changed:
    """The truth: each row of the model changed by the whole text before it.

    Args:
        processed: what should give the same rows.
        row: (free row, text) -> the row.
    """

    def __init__(
        self, processed: Processed, row: Callable[[np.ndarray, Sequence[int]], np.ndarray]
    ):
        self.processed, self.model, self._row = processed, processed.model, row
        self.vocabulary_size, self.context = self.model.vocabulary_size, self.model.context

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Distribution (vocabulary,) of the token that follows `tokens`."""
        return self._row(self.model.distribution(tokens), tokens)


def restricted_row(row: np.ndarray, tokens: Sequence[int]) -> np.ndarray:
    """Of a list of zeros, divided by what is left; where nothing is allowed, as it is."""
    matcher: Matcher = MATCHER
    for token in tokens:
        matcher = matcher.after(token)
    left = row * matcher.allowed()
    return left / left.sum() if left.any() else row


def grammar_exam(seed: int = 2, **settings) -> Exam:
    """Lists of zeros, written by a target and a draft whose rows depend on the whole text."""
    target, other = (RowPerText(len(ALPHABET), s) for s in (seed, seed + 1))
    settings = dict(gamma=2, length=3, prompt=PROMPT, stop_tokens=STOP) | settings
    truth = Changed(constrained(target, MATCHER), restricted_row)
    return Exam(truth, Mixed(target, other, 0.5), **settings)


PENALTIES = Penalties(1.5, 0.7, 0.4)


def penalised_row(row: np.ndarray, tokens: Sequence[int]) -> np.ndarray:
    """As `PENALTIES` are defined, token by token; logits are logarithms, so none is above 0."""
    p, text = row.copy(), tokens[len(PENALISED_PROMPT) :]
    for token in {*tokens}:
        p[token] **= PENALTIES.repetition_penalty
        said = text.count(token)
        p[token] *= np.exp(-PENALTIES.presence_penalty * (said > 0))
        p[token] *= np.exp(-PENALTIES.frequency_penalty * said)
    return p / p.sum()


PENALISED_PROMPT = (1, 0)


def penalty_exam(seed: int = 0, **settings) -> Exam:
    """Three words, said by a target and a draft whose rows depend on the whole text."""
    target, other = (RowPerText(3, s) for s in (seed, seed + 1))
    settings = dict(gamma=2, length=3, prompt=PENALISED_PROMPT) | settings
    truth = Changed(penalised(target, PENALTIES, len(PENALISED_PROMPT)), penalised_row)
    return Exam(truth, Mixed(target, other, 0.5), **settings)


def reached(session: type = ProcessedSession) -> Callable[[Changed], Processed]:
    """How a decoder reaches the target of such an exam: in the wrapper, with these sessions."""

    def target(truth: Changed) -> Processed:
        right = truth.processed
        return Processed(right.model, right.state, right.process, session)

    return target


def masked_draft(model: LanguageModel) -> Sampled:
    """A draft that guesses inside the grammar."""
    return Sampled(constrained(model, MATCHER))


def penalised_draft(model: LanguageModel) -> Sampled:
    """A draft that is penalised as the target is."""
    return Sampled(penalised(model, PENALTIES, len(PENALISED_PROMPT)))


LAST = "self._states[first + 1 :]"
ROWS = f"self._process(rows, {LAST})"


class OneState(ProcessedSession):
    extend = slip(ProcessedSession.extend, (LAST, "self._states[first + 1 :][:1] * len(tokens)"))


class FreeBonus(ProcessedSession):
    extend = slip(
        ProcessedSession.extend,
        (f"return {ROWS}", f"free, rows = rows, {ROWS}\n"
         "    if len(tokens) > 1:\n        rows[-1] = free[-1]\n    return rows"),
    )  # fmt: skip


class ReadOn(ProcessedSession):
    rollback = slip(
        ProcessedSession.rollback,
        ("del self._states[length + 1 :]", "self._states[length:] = self._states[-1:]"),
    )


class LastCounted(ProcessedSession):
    extend = slip(
        ProcessedSession.extend,
        (".after(token))", ")\n        if place == first:\n"
         "            self._states[-1] = self._states[-1].after(token)"),
    )  # fmt: skip


CORRECT_PROCESSOR = Decoder(target=reached())
GRAMMAR_BUGS = (
    Bug(
        "one mask for the window", "what may follow the text may follow each guess, too",
        "vLLM #44297", Decoder(target=reached(OneState)),
    ),
    Bug(
        "grammar reads rejected tokens", "going back in the text does not go back in the grammar",
        "warned of in vLLM #48197", Decoder(target=reached(ReadOn)),
    ),
    Bug(
        "bonus without a mask", "the row after the last guess is the free one",
        "vLLM #44297", Decoder(target=reached(FreeBonus)),
    ),
    Bug(
        "mask on q alone", "the draft follows the grammar, and a free target judges it",
        "tempting", Decoder(drafter=masked_draft, target=lambda truth: truth.model),
    ),
)  # fmt: skip
PENALTY_BUGS = (
    Bug(
        "one penalty for the window", "each row is penalised by the text, not by its own guesses",
        "tempting", Decoder(target=reached(OneState)),
    ),
    Bug(
        "rejected tokens are penalised", "going back in the text does not go back in the counts",
        "common", Decoder(target=reached(ReadOn)),
    ),
    Bug(
        "one count a round", "of the tokens of a round only the last is counted",
        "SGLang #33643", Decoder(target=reached(LastCounted)),
    ),
    Bug(
        "penalty on q alone", "the draft is penalised, and a free target judges it",
        "tempting", Decoder(drafter=penalised_draft, target=lambda truth: truth.model),
    ),
)  # fmt: skip
