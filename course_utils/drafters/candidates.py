"""Several candidates for the next position, chosen in one of three ways.

For `recursive_rejection`; gamma is the number of candidates.  In the trees of
`tree`, each candidate has further candidates after it.
"""

from collections.abc import Callable, Sequence

from course_utils.decoding.contracts import (
    NO_DRAFT,
    Draft,
    LanguageModel,
    RoundNoise,
    Rows,
    Session,
    Uniforms,
)
from course_utils.decoding.proposal import check_model, sampling_of
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import one_hot_residual
from course_utils.decoding.sampling import Sampling, kth_largest, probabilities_where_open, sample
from course_utils.decoding.sessions import CachedPrefix, forward

# (row, uniforms) -> candidates and the distribution of each, None if deterministic
Draw = Callable[[Rows, Uniforms], tuple[list[int], list[Rows] | None]]


def with_replacement(row: Rows, uniforms: Uniforms) -> tuple[list[int], list[Rows]]:
    """Draw independently; the same token may appear twice."""
    return [sample(row, uniform) for uniform in uniforms], [row] * len(uniforms)


def without_replacement(row: Rows, uniforms: Uniforms) -> tuple[list[int], list[Rows]]:
    """Draw each from the tokens not drawn yet; fewer than `uniforms` if none is left."""
    tokens, rows = [], []
    for uniform in uniforms:
        tokens.append(sample(row, uniform))
        rows.append(row)
        if float(row[tokens[-1]]) >= 1:
            break
        row = one_hot_residual(row, tokens[-1])
    return tokens, rows


def likeliest(row: Rows, uniforms: Uniforms) -> tuple[list[int], None]:
    """Take the most probable tokens, the first of equal ones, as many as there are uniforms.

    Only these are sorted, not the vocabulary.
    """
    xp, count = namespace(row), min(len(uniforms), len(row))
    least = kth_largest(row, count)
    more, tied = xp.nonzero(row > least)[0], xp.nonzero(row == least)[0]
    more = more[xp.argsort(row[more], descending=True)]
    return [*more.tolist(), *tied[: count - len(more)].tolist()], None


class Candidates:
    """A drafter of stars: `gamma` candidates for the position after the text."""

    def __init__(self, model: LanguageModel, draw: Draw, sampling: Sampling | None = None):
        check_model(model, "draft")
        self.model, self.draw, self.sampling = model, draw, sampling
        self._session: Session | None = None
        self._cached = CachedPrefix()

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        if len(tokens) > self.model.context:
            return NO_DRAFT
        if self._session is None:
            self._session = self.model.start([])
        logits = forward(self._session, self._cached.missing(self._session, tokens), None)
        self._cached.update(tokens)
        row = probabilities_where_open(logits[-1:], sampling_of(tokens, self.sampling))[0][0]
        candidates, rows = self.draw(row, noise.uniforms("draft", gamma))
        q = None if rows is None else namespace(row).stack(rows)
        return Draft(tuple(candidates), q, parents=(-1,) * len(candidates))
