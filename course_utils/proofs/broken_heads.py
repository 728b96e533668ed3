"""A head that is served wrongly: the text is right, the acceptance is dead.

It draws from the row that it reports, so nothing that looks at tokens can tell.
`head_oracle` puts the acceptance that was served beside the one that the head defines.
"""

from collections.abc import Sequence

from course_utils.models.qwen3.head_models import ParallelModel, ParallelSession


class _MasksLeftSession(ParallelSession):
    def _forget_masks(self, stop: int) -> None:
        pass


class MasksLeft(ParallelModel):
    """Keep what was read as a mask as if it were the token that was accepted there.

    Seen in transformers 5.23, `DFlashTokenCandidateGenerator`: the last block was cropped only
    before the next.
    """

    def start(self, prompt: Sequence[int]) -> ParallelSession:
        session = _MasksLeftSession(self)
        session.tokens += prompt
        return session
