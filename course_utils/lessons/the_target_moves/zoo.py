"""The zoo of this elective: an old text as the draft, with one thing wrong.

In an exam the draft model is the last epoch's policy, and the target this epoch's.  The old text
is written in the first round, so every old text is enumerated.
"""

from collections.abc import Callable, Sequence
from typing import Any

from course_utils.decoding.contracts import Draft, Drafter, LanguageModel, RoundNoise, Rows, Rule
from course_utils.decoding.rules import BLOCK, TOKEN_WISE
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.the_target_moves.rollout import Rollout
from course_utils.proofs.bugs import DRAFT, RATIO, TOKEN, Bug, bug
from course_utils.proofs.decoders import Decoder, Exam, exam
from course_utils.proofs.likelihood import rows_along

Reuse = Callable[[int, Sequence[int], Rows], Drafter]  # called with the arguments of `Rollout`


class Epoch:
    """A drafter whose old text is gamma tokens that `model` writes in the first round."""

    def __init__(self, model: LanguageModel, reuse: Reuse = Rollout):
        self._writer, self._reuse = Sampled(model), reuse
        self._old: Drafter | None = None

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        if self._old is None:
            old = self._writer.propose(tokens, gamma, noise)
            self._old = self._reuse(len(tokens), old.tokens, old.q)
        return self._old.propose(tokens, gamma, noise)


def epochs(reuse: Reuse, rule: Rule = TOKEN_WISE, **options: Any) -> Decoder:
    """Return the decoder of an epoch that reuses texts of the last one."""
    return Decoder(rule, lambda model: Epoch(model, reuse), **options)


def rollout_exam(seed: int = 0, length: int = 4, **settings: Any) -> Exam:
    """Return an exam of `length` tokens, in which the whole old text fits one draft."""
    return exam(seed=seed, gamma=length, length=length, **settings)


def rollout_bugs(exam: Exam) -> tuple[Bug, ...]:
    """Return the specimens for this exam; one of them uses the exam's target."""

    def rows_of_today(prompt: int, tokens: Sequence[int], q: Rows) -> Rollout:
        return Rollout(prompt, tokens, rows_along(exam.target, exam.prompt, tokens, exam.sampling))

    return (
        Bug("resample from p", TOKEN, "the token after a rejection is drawn from p",
            epochs(Rollout, bug("resample from p").decoder.rule), "SPEC-RL #14"),
        Bug("rows of today", DRAFT, "the old text is judged by rows that the new model gives",
            epochs(rows_of_today), "tempting"),
        Bug("left by block", RATIO,
            "the reused tokens were examined: block verification uses all guesses",
            epochs(Rollout, BLOCK), "tempting"),
    )  # fmt: skip
