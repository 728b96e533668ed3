"""Entries of the league that are not among the course's drafters by name.

The league pays about 2/3 of a pass of the target for an accepted token.  It charges 1/32 for a
guess, 0.21 for a pass of the draft model, and nothing for counting.
"""

from itertools import pairwise

import numpy as np

from course_utils.decoding.contracts import NO_DRAFT, Draft
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.sampling import Sampling, log_rows, probabilities, sample
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.stops import LikelyRejected
from course_utils.drafters.suffix import SuffixLookup
from course_utils.models.n_grams import NGram


class Uniform:
    """Every token is as likely as any other, and it says so: lossless, and of no use."""

    def __init__(self, model, sampling=Sampling()):
        self.size = model.vocabulary_size

    def propose(self, tokens, gamma, noise):
        row = np.full(self.size, 1 / self.size)
        [uniform] = noise.uniforms("draft", 1)
        return Draft((sample(row, uniform),), row[None])


class FlatQ(Uniform):
    """All that ever followed the last token is equally likely: FlatQ with a q that is true."""

    def propose(self, tokens, gamma, noise):
        followers = {after for token, after in pairwise(tokens) if token == tokens[-1]}
        if not followers:
            return NO_DRAFT
        row = np.zeros(self.size)
        row[[*followers]] = 1 / len(followers)
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


class Worth:
    """Each guess by whoever is worth it: 4-grams of the text if sure, else the draft model if the
    guess is likely to be reached, else 4-grams again while anything may be accepted.

    4-grams also guess what the draft model will draw: one pass of it gives several guesses.
    """

    sure = 0.8  # the 4-grams' largest probability, for a guess in place of the model's
    paid = 0.4  # P(reached), for a pass of the draft model
    free = 0.05  # P(accepted), for a guess of the 4-grams
    ahead = 8  # tokens that a pass of the draft model reads at most

    def __init__(self, model, sampling=Sampling()):
        self.model, self.sampling = model, sampling
        self.session, self.held = None, []

    def propose(self, tokens, gamma, noise):
        size, self.uniforms = self.model.vocabulary_size, noise.uniforms("draft", gamma)
        self.counted = NGram([tokens], 4, size, 0.6).distribution
        self.rows, self.guesses, self.reached = [], [], 1.0
        while len(self.guesses) < gamma:
            text = [*tokens, *self.guesses]
            p = self.counted(text)
            if p.max() < self.sure and self.reached >= self.paid and self.fits(text):
                self.pay(text, gamma - len(self.guesses))
            elif self.reached * p.max() >= self.free:
                self.draw(p)
            else:
                break
        return Draft(tuple(self.guesses), np.stack(self.rows)) if self.guesses else NO_DRAFT

    def fits(self, text):
        return len(text) <= self.model.context

    def pay(self, text, room):
        """Guesses of one pass of the draft model: as many as it was given rightly."""
        given = []
        while len(given) + 1 < min(room, self.ahead) and self.fits([*text, *given, 0]):
            given.append(int(self.counted([*text, *given]).argmax()))
        for logits, token in zip(self.passed(text, given), [*given, None], strict=True):
            self.draw(probabilities(logits[None], Sampling())[0])
            if self.guesses[-1] != token or self.reached < self.paid:
                return

    def passed(self, text, given):
        """Logits after the text and after each given token."""
        if self.session is None:
            self.session, self.held = self.model.start(text[:-1]), text[:-1]
        kept = min(common_prefix(self.held, text), len(text) - 1)
        self.session.rollback(kept)
        self.held = [*text, *given]
        return self.session.extend(self.held[kept:])[-len(given) - 1 :]

    def draw(self, p):
        """The next guess, from p at temperature 1 as the settings make it."""
        row = probabilities(log_rows(p)[None], self.sampling)[0]
        guess = sample(row, self.uniforms[len(self.guesses)])
        self.rows.append(row)
        self.guesses.append(guess)
        self.reached *= p[guess] ** (0.5 if self.sampling.temperature else 1)


class Counts(Worth):
    """4-grams of the text alone: no pass of the draft model is ever worth it."""

    paid = 2.0


class Staged(Worth):
    """The draft model alone, its passes saved by what 4-grams guess that it will draw."""

    sure = free = 2.0


class Tail(Worth):
    """The draft model token by token; where it is not worth it any more, 4-grams guess on."""

    sure, ahead = 2.0, 1
