"""What a correct decoder promises, each promise a check that any decoder can be put to.

The correct decoder keeps them all; every specimen of the bug zoo breaks one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities, sample
from course_utils.models.tables import TableModel
from course_utils.proofs.decoders import Decoder, Exam, exam, tokens_a_round

TINY = exam()


@dataclass(frozen=True)
class Finding:
    """What a check found."""

    name: str
    passed: bool
    figure: float  # what was measured
    threshold: float  # passed if the figure is no larger


def exact_law(decoder: Decoder) -> Finding:
    """The joint law of a text is the target's: total variation, enumerated."""
    return _at_most("exact law", TINY.distance(decoder), 1e-12)


def exact_law_of_filtered_sampling(decoder: Decoder) -> Finding:
    """The same with temperature, top-k and top-p on."""
    filtered = exam(4, gamma=2, length=3, sampling=Sampling(0.8, top_k=3, top_p=0.95))
    return _at_most("exact law, filtered", filtered.distance(decoder), 1e-12)


def greedy_text(decoder: Decoder) -> Finding:
    """At temperature 0 the text is the target's: tokens that differ, of 60."""
    cold = replace(exam(5, seed=7), sampling=GREEDY)
    text = emitted_tokens(_run(decoder, cold, 60))
    expected = emitted_tokens(
        generate(cold.target, cold.prompt, sampling=GREEDY, max_new_tokens=60)
    )
    return _at_most("greedy text", sum(a != b for a, b in zip(text, expected, strict=True)), 0)


def expected_tokens(decoder: Decoder) -> Finding:
    """A round emits 1 + sum over prefixes of the product of sum min(p, q).

    Leviathan et al. 2022, theorem 3.5, without assuming that positions are alike.
    """
    found = tokens_a_round(TINY.first_rounds(decoder))
    return _at_most("tokens a round", abs(found - 1 - _accepted(TINY, TINY.prompt, 1)), 1e-12)


def rows_are_those_of_the_text(decoder: Decoder) -> Finding:
    """p and q of every round are what fresh sessions give: the largest difference."""
    differences = [0.0]
    for text, r in _texts(decoder, TINY):
        parents = r.parents or range(-1, len(r.drafted) - 1)
        seen = [text]  # what stands before each row of p
        for token, parent in zip(r.drafted, parents, strict=True):
            differences.append(abs(r.q[len(seen) - 1] - TINY.draft.law(seen[parent + 1])).max())
            seen.append([*seen[parent + 1], token])
        differences += [abs(r.p[i] - TINY.target.law(s)).max() for i, s in enumerate(seen)]
    return _at_most("rows of the text", float(max(differences)), 1e-12)


def drafts_are_drawn_from_q(decoder: Decoder) -> Finding:
    """Each guess is what its own uniform draws from the reported q: exceptions."""
    exceptions = 0
    for _, r in _texts(decoder, TINY):
        uniforms = Noise(0).round(r.index).uniforms("draft", len(r.drafted))
        drawn = [sample(r.q[i], u) for i, u in enumerate(uniforms)]
        exceptions += drawn != list(r.drafted)
    return _at_most("drafts drawn from q", exceptions, 0)


def draft_length_is_blind(decoder: Decoder) -> Finding:
    """How much is drafted does not depend on what: lengths beyond one, at one text."""
    lengths = {len(r.drafted) for _, r in TINY.first_rounds(decoder)}
    return _at_most("draft length blind", len(lengths) - 1, 0)


def excluded_tokens_stay_out(decoder: Decoder) -> Finding:
    """With uniforms of exactly 0 no token with p = 0 is emitted: how many are."""
    target = TableModel(np.array([0.0, 1.0]))
    draft = TableModel(np.array([0.5, 0.5]))
    zeros = Exam(target, draft, gamma=1)
    rounds = _run(decoder, zeros, 8, noise=lambda _: _Zeros())
    return _at_most("p = 0 stays out", emitted_tokens(rounds).count(0), 0)


PROMISES: tuple[Callable[[Decoder], Finding], ...] = (
    exact_law,
    exact_law_of_filtered_sampling,
    greedy_text,
    expected_tokens,
    rows_are_those_of_the_text,
    drafts_are_drawn_from_q,
    draft_length_is_blind,
    excluded_tokens_stay_out,
)


class _Zeros:
    """Uniforms that are all exactly 0, which float32 generators do return."""

    def round(self, index: int) -> "_Zeros":
        return self

    def uniforms(self, purpose: str, count: int) -> list[float]:
        return [0.0] * count


def _at_most(name: str, figure: float, threshold: float) -> Finding:
    return Finding(name, figure <= threshold, figure, threshold)


def _run(decoder: Decoder, exam: Exam, tokens: int, **options) -> Iterator[Round]:
    return generate(
        decoder.target(exam.target), exam.prompt, decoder.drafter(exam.draft, exam.sampling),
        gamma=exam.gamma, sampling=exam.sampling, rule=decoder.rule, max_new_tokens=tokens,
        **options,
    )  # fmt: skip


def _texts(decoder: Decoder, exam: Exam) -> Iterator[tuple[list[int], Round]]:
    """(text before the round, round) over a text of 150 tokens."""
    text = list(exam.prompt)
    for r in _run(decoder, exam, 150):
        yield list(text), r
        text += r.emitted


def _accepted(exam: Exam, text: tuple[int, ...], position: int) -> float:
    """Expected accepted tokens from `position` on: sum of min(p, q) (1 + what follows)."""
    if position > exam.gamma:
        return 0.0
    p, q = (_law(model, text, exam) for model in (exam.target, exam.draft))
    common = np.minimum(p, q)
    return fsum(
        share * (1 + _accepted(exam, (*text, token), position + 1))
        for token, share in enumerate(common)
    )


def _law(model: TableModel, text: tuple[int, ...], exam: Exam) -> np.ndarray:
    return probabilities(model.start([]).extend(list(text))[-1:], exam.sampling)[0]
