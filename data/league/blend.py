"""An entry of the league: the draft model and 4-grams of the text vote, the surer these are the
more their vote counts."""

from course_utils.decoding.sampling import Sampling, log_rows, probabilities
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.stops import LikelyRejected
from course_utils.models.n_grams import NGram


class Votes:
    """A session whose rows mix the model's with what the text counts."""

    def __init__(self, model, session, text):
        self.model, self.session, self.text = model, session, list(text)

    @property
    def length(self):
        return self.session.length

    def extend(self, tokens):
        rows = probabilities(self.session.extend(tokens), Sampling())
        for i, token in enumerate(tokens):
            self.text.append(token)
            counts = self.model.counted(self.text)
            vote = counts.max() ** 3
            rows[i] = (1 - vote) * rows[i] + vote * counts
        return log_rows(rows)

    def rollback(self, length):
        self.session.rollback(length)
        del self.text[length:]


class Blend:
    """Guesses of both, until some guess has probably been rejected."""

    def __init__(self, model, sampling=Sampling()):
        self.model, self.vocabulary_size, self.context = model, model.vocabulary_size, model.context
        self.drafter = Sampled(self, sampling, stop=LikelyRejected(0.6))

    def start(self, prompt):
        return Votes(self, self.model.start(prompt), prompt)

    def propose(self, tokens, gamma, noise):
        self.counted = NGram([tokens], 4, self.vocabulary_size, 0.6).distribution
        return self.drafter.propose(tokens, gamma, noise)
