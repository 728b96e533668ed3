"""Models and drafters that treat their cache in other ways than the course's own."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from course_utils.decoding.contracts import Draft, LanguageModel, RoundNoise, Session
from course_utils.decoding.loop import catch_up
from course_utils.decoding.sampling import probabilities, sample

CatchUp = Callable[[Session, list[int], list[int]], Tensor]


class NoCache:
    """`model`, but every pass reads the whole text again; a model and its session in one."""

    def __init__(self, model: LanguageModel, text: Sequence[int] = (), passes: list | None = None):
        self.model, self.text = model, list(text)
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.passes = [] if passes is None else passes  # tokens processed in each

    def start(self, prompt: Sequence[int]) -> "NoCache":
        return NoCache(self.model, prompt, self.passes)

    @property
    def length(self) -> int:
        return len(self.text)

    def extend(self, tokens: Sequence[int]) -> Tensor:
        self.text += tokens
        self.passes.append(len(self.text))
        return self.model.start([]).extend(self.text)[-len(tokens) :]

    def rollback(self, length: int) -> None:
        self.text = self.text[:length]


class NeverRollsBack:
    """Drafts like `Sampled`, but leaves rejected tokens in its cache."""

    def __init__(self, model: LanguageModel):
        self.model, self.session = model, None

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        if self.session is None:
            self.session = self.model.start(tokens[:-1])
        guesses, rows = [], []
        for uniform in noise.uniforms("draft", gamma):
            newest = guesses[-1] if guesses else tokens[-1]
            logits = self.session.extend([newest])
            rows.append(probabilities(logits, tokens.sampling))
            guesses.append(sample(rows[-1][0], uniform))
        return Draft(tuple(guesses), torch.cat(rows))


class CatchesUp:
    """Drafts like `Sampled`; `caught_up(session, processed, text)` sees to its cache.

    It makes a session that holds `processed` hold `text` and returns the last row, (vocabulary,).
    """

    def __init__(self, model: LanguageModel, caught_up: CatchUp):
        self.caught_up = caught_up
        self.session, self.processed = model.start([]), []

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        text, rows = list(tokens), []
        for uniform in noise.uniforms("draft", gamma):
            logits = self.caught_up(self.session, self.processed, list(text))
            self.processed = list(text)
            rows.append(probabilities(torch.as_tensor(logits)[None], tokens.sampling))
            text.append(sample(rows[-1][0], uniform))
        return Draft(tuple(text[len(tokens) :]), torch.cat(rows))


def every_ending(
    draft: LanguageModel, text: Sequence[int], guesses: Sequence[int], news: int
) -> list[dict[str, int]]:
    """A record for 0, 1, ... accepted guesses, then `news` of the target's: what `draft` lacks."""
    records = []
    for accepted in range(len(guesses) + 1):
        session = draft.start(text)
        for guess in guesses[:-1]:  # the last guess is said, never processed
            session.extend([guess])
        held, kept = session.length, len(text) + accepted
        now = [*text, *guesses[:accepted], news]
        fed = len(catch_up(session, now, min(held, kept)))
        rolled_back = held - (len(now) - fed)
        record = {"accepted": accepted, "draft held": held}
        records.append(record | {"rolled back by": rolled_back, "not processed": fed})
    return records
