"""Entries of the league that are not among the course's drafters by name."""

import numpy as np

from course_utils.decoding.contracts import Draft
from course_utils.decoding.sampling import Sampling, sample
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.stops import LikelyRejected
from course_utils.drafters.suffix import SuffixLookup


class Uniform:
    """Every token is as likely as any other, and it says so: lossless, and of no use."""

    def __init__(self, model, sampling=Sampling()):
        self.size = model.vocabulary_size

    def propose(self, tokens, gamma, noise):
        row = np.full(self.size, 1 / self.size)
        [uniform] = noise.uniforms("draft", 1)
        return Draft((sample(row, uniform),), row[None])


class Three(Sampled):
    """The draft model, three guesses at most."""

    def propose(self, tokens, gamma, noise):
        return super().propose(tokens, min(gamma, 3), noise)


class Stops(Sampled):
    """The draft model, until some guess has probably been rejected."""

    least = 0.6

    def __init__(self, model, sampling=Sampling()):
        super().__init__(model, sampling, stop=LikelyRejected(self.least))


class CopyOrStop:
    """Copies where a long ending of the text occurred before, else `Stops`."""

    def __init__(self, model, sampling=Sampling()):
        self.suffix, self.drafter = SuffixLookup(least=0.3), Stops(model, sampling)

    def propose(self, tokens, gamma, noise):
        copy = self.suffix.propose(tokens, gamma, noise)
        return copy if len(copy.tokens) > 3 else self.drafter.propose(tokens, gamma, noise)
