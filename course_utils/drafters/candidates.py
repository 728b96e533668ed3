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
from course_utils.decoding.loop import catch_up
from course_utils.decoding.proposal import sampling_of
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import without
from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.drafters.cached_prefix import CachedPrefix

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
        row = without(row, tokens[-1])
    return tokens, rows


def likeliest(row: Rows, uniforms: Uniforms) -> tuple[list[int], None]:
    """Take the most probable tokens, one per uniform; the uniforms themselves are not used."""
    xp = namespace(row)
    return xp.argsort(row, descending=True)[: len(uniforms)].tolist(), None


class Candidates:
    """A drafter of stars: `gamma` candidates for the position after the text."""

    def __init__(self, model: LanguageModel, draw: Draw, sampling: Sampling | None = None):
        self.model, self.draw, self.sampling = model, draw, sampling
        self._session: Session | None = None
        self._cached = CachedPrefix()

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        if len(tokens) > self.model.context:
            return NO_DRAFT
        if self._session is None:
            self._session = self.model.start([])
        agreed = min(self._cached.match(tokens), len(tokens) - 1)
        logits = catch_up(self._session, tokens, agreed)
        self._cached.update(tokens)
        row = probabilities(logits[-1:], sampling_of(tokens, self.sampling))[0]
        candidates, rows = self.draw(row, noise.uniforms("draft", gamma))
        q = None if rows is None else namespace(row).stack(rows)
        return Draft(tuple(candidates), q, parents=(-1,) * len(candidates))
