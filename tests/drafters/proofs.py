"""What every drafter here is put to on tables that can be enumerated."""

from course_utils.decoding.rules import BLOCK, TOKEN_WISE
from course_utils.decoding.sampling import Sampling
from course_utils.proofs.decoders import exam

LOSSLESS = (TOKEN_WISE, BLOCK)


def assert_lossless(decoder):
    """On prompts that repeat themselves, so that something is copied."""
    for prompt, sampling in (
        ((0, 1, 0), Sampling()),
        ((1, 1, 0, 1, 1), Sampling(0.7, top_k=2)),
    ):
        paper = exam(3, gamma=2, length=4, prompt=prompt, sampling=sampling)
        assert paper.distance(decoder) < 1e-12
