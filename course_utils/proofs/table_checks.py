"""What a correct decoder promises, each promise a check that any decoder can be put to.

The correct decoder keeps them all; every specimen of the bug zoo breaks one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities, sample
from course_utils.models.tables import TableModel
from course_utils.proofs.decoders import Decoder, Exam, exam, tokens_per_round

TINY = exam()
FILTERED = exam(4, gamma=2, length=3, sampling=Sampling(0.8, top_k=3, top_p=0.95))
ENDINGS = (
    exam(seed=2, gamma=2, stop_tokens=(1,)),
    exam(seed=4, gamma=2, target_context=9),
)


def _edges() -> tuple[Exam, ...]:
    """Rows of halves, quarters and eighths, which floats hold exactly, under filters that
    cut at them; tied tokens are never on different sides, where any choice is right."""
    curve = np.array([0.5, 0.25, 0.125, 0.125])
    target, draft = (
        TableModel(np.stack([np.roll(curve, step * i + first) for i in range(4)]))
        for step, first in ((1, 0), (2, 1))
    )
    settings = (
        Sampling(top_p=0.5), Sampling(top_p=0.75), Sampling(min_p=0.5), Sampling(top_k=3),
        Sampling(top_k=2, top_p=2 / 3), Sampling(0.5, min_p=0.25),
    )  # fmt: skip
    return tuple(Exam(target, draft, s, gamma=2, length=3, seed=i) for i, s in enumerate(settings))


def _rare(vocabulary_size: int, gamma: int, seed: int) -> Exam:
    """Each model gives most tokens little; what is rare for one is often not for the other."""
    rng = np.random.default_rng(seed)
    shares = 10.0 ** rng.uniform(-4, 0, (2, vocabulary_size, vocabulary_size))
    target, draft = (TableModel(table / table.sum(-1, keepdims=True)) for table in shares)
    return Exam(target, draft, gamma=gamma, length=gamma + 1, seed=seed)


EDGES = _edges()
RARE = (_rare(16, 1, 5), _rare(16, 1, 6), _rare(20, 1, 7), _rare(5, 2, 8))


@dataclass(frozen=True)
class Check:
    """A check that was made: what it measured, and what that means."""

    name: str
    passed: bool
    figure: float  # what was measured
    threshold: float  # passed if the figure is no larger
    sees: str = ""  # the least fault that is seen 99 times in 100; "" where all are
    decisive: bool = True  # if it fails: is the decoder lossy, or can it just not be said?
    detail: str = ""  # the first fault, in words


def exact_distribution(decoder: Decoder) -> Check:
    """The joint distribution of a text is the target's: total variation, enumerated."""
    return _at_most("exact distribution", TINY.distance(decoder), 1e-12)


def exact_distribution_of_filtered_sampling(decoder: Decoder) -> Check:
    """The same with temperature, top-k and top-p on."""
    return _at_most("exact distribution, filtered", FILTERED.distance(decoder), 1e-12)


def exact_distribution_at_the_edges_of_filters(decoder: Decoder) -> Check:
    """The same where a token lies exactly on the edge of top-p, min-p or top-k."""
    distances = [edge.distance(decoder) for edge in EDGES]
    return _at_most("exact distribution, edges of filters", max(distances), 1e-12)


def exact_distribution_of_rare_tokens(decoder: Decoder) -> Check:
    """The same with tokens a thousand times as likely for one model as for the other, down
    to one in ten thousand."""
    distances = [rare.distance(decoder) for rare in RARE]
    return _at_most("exact distribution, rare tokens", max(distances), 1e-12)


def exact_distribution_of_texts_that_end(decoder: Decoder) -> Check:
    """The same where a stop token ends the text, and where the context does."""
    distances = [ending.distance(decoder) for ending in ENDINGS]
    return _at_most("exact distribution, texts that end", max(distances), 1e-12)


def greedy_text(decoder: Decoder) -> Check:
    """At temperature 0 the text is the target's: tokens that differ, of 60."""
    cold = replace(exam(5, seed=7), sampling=GREEDY)
    text = emitted_tokens(cold.rounds(decoder, 60))
    alone = Decoder(drafter=lambda model, sampling: None)
    expected = emitted_tokens(cold.rounds(alone, 60))
    return _at_most("greedy text", sum(a != b for a, b in zip(text, expected, strict=True)), 0)


def expected_tokens(decoder: Decoder) -> Check:
    """A round emits 1 + sum over prefixes of the product of sum min(p, q).

    Leviathan et al. 2022, theorem 3.5, without assuming that positions are alike.
    """
    found = tokens_per_round(TINY.first_rounds(decoder))
    return _at_most("tokens per round", abs(found - 1 - _accepted(TINY, TINY.prompt, 1)), 1e-12)


def rows_are_those_of_the_text(decoder: Decoder) -> Check:
    """p and q of every round are what fresh sessions give: the largest difference."""
    differences = [0.0]
    for text, r in _texts(decoder, TINY):
        parents = r.parents or range(-1, len(r.drafted) - 1)
        seen = [text]  # what stands before each row of p
        for token, parent in zip(r.drafted, parents, strict=True):
            differences.append(
                abs(r.q[len(seen) - 1] - TINY.draft.distribution(seen[parent + 1])).max()
            )
            seen.append([*seen[parent + 1], token])
        differences += [abs(r.p[i] - TINY.target.distribution(s)).max() for i, s in enumerate(seen)]
    return _at_most("rows of the text", float(max(differences)), 1e-12)


def drafts_are_drawn_from_q(decoder: Decoder) -> Check:
    """Each guess is what its own uniform draws from the reported q: exceptions."""
    exceptions = 0
    for _, r in _texts(decoder, TINY):
        uniforms = Noise(0).round(r.index).uniforms("draft", len(r.drafted))
        drawn = [sample(r.q[i], u) for i, u in enumerate(uniforms)]
        exceptions += drawn != list(r.drafted)
    return _at_most("drafts drawn from q", exceptions, 0)


def draft_length_is_blind(decoder: Decoder) -> Check:
    """How much is drafted does not depend on what: lengths beyond one, at one text."""
    lengths = {len(r.drafted) for _, r in TINY.first_rounds(decoder)}
    return _at_most("draft length blind", len(lengths) - 1, 0)


def excluded_tokens_stay_out(decoder: Decoder) -> Check:
    """With uniforms of exactly 0 no token with p = 0 is emitted: how many are."""
    target = TableModel(np.array([0.0, 1.0]))
    draft = TableModel(np.array([0.5, 0.5]))
    zeros = Exam(target, draft, gamma=1)
    rounds = zeros.rounds(decoder, 8, noise=lambda _: _Zeros())
    return _at_most("p = 0 stays out", emitted_tokens(rounds).count(0), 0)


# What any lossless decoder promises; the others are the token-wise rule's and a draft model's.
ON_TABLES: tuple[Callable[[Decoder], Check], ...] = (
    exact_distribution,
    exact_distribution_of_filtered_sampling,
    exact_distribution_at_the_edges_of_filters,
    exact_distribution_of_rare_tokens,
    exact_distribution_of_texts_that_end,
    greedy_text,
    excluded_tokens_stay_out,
)
PROMISES = (
    *ON_TABLES,
    expected_tokens,
    rows_are_those_of_the_text,
    drafts_are_drawn_from_q,
    draft_length_is_blind,
)


class _Zeros:
    """Uniforms that are all exactly 0, which float32 generators do return."""

    def round(self, index: int) -> "_Zeros":
        return self

    def uniforms(self, purpose: str, count: int) -> list[float]:
        return [0.0] * count


def _at_most(name: str, figure: float, threshold: float) -> Check:
    return Check(name, figure <= threshold, figure, threshold)


def _texts(decoder: Decoder, exam: Exam) -> Iterator[tuple[list[int], Round]]:
    """(text before the round, round) over a text of 150 tokens."""
    text = list(exam.prompt)
    for r in exam.rounds(decoder, 150):
        yield list(text), r
        text += r.emitted


def _accepted(exam: Exam, text: tuple[int, ...], position: int) -> float:
    """Expected accepted tokens from `position` on: sum of min(p, q) (1 + what follows)."""
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
