"""Further properties of a correct decoder: the token-wise rule with a draft model.

The correct decoder keeps all promises; every specimen of the bug zoo breaks one.
"""

from collections.abc import Iterator
from functools import partial
from math import fsum

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import probabilities, sample
from course_utils.proofs.bugs import WithSession
from course_utils.proofs.certificate import Check, at_most
from course_utils.proofs.decoders import Decoder, Exam, exam, tokens_per_round
from course_utils.proofs.table_checks import ON_TABLES

TINY = exam()


def expected_tokens(decoder: Decoder) -> Check:
    """Check that a round emits 1 + sum over prefixes of the product of sum min(p, q).

    Leviathan et al. 2022, theorem 3.5, without assuming that positions are alike.
    """
    tokens = tokens_per_round(TINY.first_rounds(decoder))
    return at_most("expected tokens", abs(tokens - 1 - _accepted(TINY, TINY.prompt, 1)), 1e-12)


def rows_are_those_of_the_text(decoder: Decoder) -> Check:
    """Return the largest difference of p and q from those of fresh sessions."""
    differences = [0.0]
    for text, r in _texts(decoder, TINY):
        parents = r.parents or range(-1, len(r.drafted) - 1)
        prefixes = [text]  # the text before each row of p
        for token, parent in zip(r.drafted, parents, strict=True):
            differences.append(
                abs(r.q[len(prefixes) - 1] - TINY.draft.distribution(prefixes[parent + 1])).max()
            )
            prefixes.append([*prefixes[parent + 1], token])
        differences += [
            abs(r.p[i] - TINY.target.distribution(s)).max() for i, s in enumerate(prefixes)
        ]
    return at_most("rows", float(max(differences)), 1e-12)


def drafts_are_drawn_from_q(decoder: Decoder) -> Check:
    """Count rounds with a guess that its uniform does not draw from the reported q."""
    exceptions = 0
    for _, r in _texts(decoder, TINY):
        uniforms = Noise(0).round(r.index).uniforms("draft", len(r.drafted))
        drawn = [sample(r.q[i], u) for i, u in enumerate(uniforms)]
        exceptions += drawn != list(r.drafted)
    return at_most("drafted", exceptions, 0)


def draft_length_is_blind(decoder: Decoder) -> Check:
    """Count extra draft lengths after one text: lengths must not depend on the guesses."""
    lengths = {len(r.drafted) for _, r in TINY.first_rounds(decoder)}
    return at_most("draft lengths", len(lengths) - 1, 0)


PROMISES = (
    *ON_TABLES,
    expected_tokens,
    rows_are_those_of_the_text,
    drafts_are_drawn_from_q,
    draft_length_is_blind,
)


def _texts(decoder: Decoder, exam: Exam) -> Iterator[tuple[list[int], Round]]:
    """Yield (text before the round, round) over a text of 150 tokens."""
    text = list(exam.prompt)
    for r in exam.rounds(decoder, 150):
        yield list(text), r
        text += r.emitted


def _accepted(exam: Exam, text: tuple[int, ...], position: int) -> float:
    """Return the expected accepted tokens from `position` on: sum of min(p, q) (1 + the rest)."""
    if position > exam.gamma:
        return 0.0
    p, q = (_distribution(model, text, exam) for model in (exam.target, exam.draft))
    common = np.minimum(p, q)
    return fsum(
        share * (1 + _accepted(exam, (*text, token), position + 1))
        for token, share in enumerate(common)
    )


def _distribution(model: LanguageModel, text: tuple[int, ...], exam: Exam) -> np.ndarray:
    return probabilities(model.start([]).extend(list(text))[-1:], exam.sampling)[0]


# --- sessions that are correct except for their rows ---------------------------------------


class EditedSession:
    def __init__(self, session, change):
        self._session, self._change = session, change

    def __getattr__(self, name):
        return getattr(self._session, name)

    def extend(self, tokens):
        return self._change(tokens, self._session.extend(tokens))


def edited(model, change):
    """The model with `change(tokens, rows)` applied to each pass."""
    return WithSession(model, partial(EditedSession, change=change))
