"""Speculative decoding in NumPy: the loop, its contracts, sampling and metrics in one line.

Rules, trees, batches, theory and streamed text are in the modules below.
"""

from course_utils.decoding.contracts import Draft, Rule, Verdict
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities, sample
from course_utils.decoding.sessions import catch_up

__all__ = [
    "GREEDY", "Draft", "Noise", "Rule", "Sampling", "Verdict", "catch_up", "emitted_tokens",
    "generate", "probabilities", "sample", "summarise",
]  # fmt: skip
