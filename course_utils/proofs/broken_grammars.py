"""The bug zoo's grammars: a correct wrapper with one thing wrong.

`BUGS` is for models without a grammar.  Here the target of an exam is `Restricted`, whose rows are
worked out anew from the whole text; a decoder reaches its free model through a wrapper.
"""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.slip import slip
from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.grammar import (
    BEGIN,
    END,
    Constrained,
    ConstrainedSession,
    Matcher,
    Prompted,
    Spelled,
)
from course_utils.models.tables import RowPerText, SequenceSession
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


class Restricted:
    """The truth: each row of `model` restricted, and divided by what is left, from the whole text.

    A row where nothing is allowed stays as it is.
    """

    def __init__(self, model: LanguageModel, matcher: Matcher):
        self.model, self.matcher = model, matcher
        self.vocabulary_size, self.context = model.vocabulary_size, model.context

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Distribution (vocabulary,) of the token that follows `tokens`."""
        matcher, row = self.matcher, self.model.distribution(tokens)
        for token in tokens:
            matcher = matcher.after(token)
        left = row * matcher.allowed()
        return left / left.sum() if left.any() else row


def grammar_exam(seed: int = 2, **settings) -> Exam:
    """Lists of zeros, written by a target and a draft whose rows depend on the whole text."""
    target, other = (RowPerText(len(ALPHABET), s) for s in (seed, seed + 1))
    settings = dict(gamma=2, length=3, prompt=PROMPT, stop_tokens=STOP) | settings
    return Exam(Restricted(target, MATCHER), Mixed(target, other, 0.5), **settings)


def reached(session: type = ConstrainedSession) -> Callable[[Restricted], Constrained]:
    """How a decoder reaches the target of such an exam: in the wrapper, with these sessions."""
    return lambda truth: Constrained(truth.model, truth.matcher, session)


def masked_draft(model: LanguageModel, sampling: Sampling) -> Sampled:
    """A draft that guesses inside the grammar."""
    return Sampled(Constrained(model, MATCHER), sampling)


LAST = "self._matchers[first + 1 :]"
ROWS = f"restricted(rows, {LAST})"


class OneMask(ConstrainedSession):
    extend = slip(
        ConstrainedSession.extend, (LAST, "self._matchers[first + 1 :][:1] * len(tokens)")
    )


class FreeBonus(ConstrainedSession):
    extend = slip(
        ConstrainedSession.extend,
        (f"return {ROWS}", f"free, rows = rows, {ROWS}\n"
         "    if len(tokens) > 1:\n        rows[-1] = free[-1]\n    return rows"),
    )  # fmt: skip


class ReadOn(ConstrainedSession):
    rollback = slip(
        ConstrainedSession.rollback,
        ("del self._matchers[length + 1 :]", "self._matchers[length:] = self._matchers[-1:]"),
    )


CORRECT_GRAMMAR = Decoder(target=reached())
GRAMMAR_BUGS = (
    Bug(
        "one mask for the window", "what may follow the text may follow each guess, too",
        "vLLM #44297", Decoder(target=reached(OneMask)),
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
