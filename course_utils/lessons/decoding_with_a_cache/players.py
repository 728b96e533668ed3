"""Models and drafters that handle their cache differently from the course's own."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from course_utils.decoding.contracts import Draft, LanguageModel, RoundNoise, Session
from course_utils.decoding.sampling import probabilities, sample
from course_utils.decoding.sessions import catch_up

CatchUp = Callable[[Session, list[int], list[int]], Tensor]


class NoCache:
    """`model` without a cache: each pass processes the whole text; model and session in one."""

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
    """A drafter like `Sampled` that leaves rejected tokens in its cache."""

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
    """A drafter like `Sampled` whose cache is updated by `caught_up(session, processed, text)`.

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


def catch_up_records(
    draft: LanguageModel, text: Sequence[int], guesses: Sequence[int], added: int
) -> list[dict[str, int]]:
    """Record how `draft` catches up after 0, 1, ... accepted guesses and the token `added`."""
    records = []
    for accepted in range(len(guesses) + 1):
        session = draft.start(text)
        for guess in guesses[:-1]:  # the last guess is emitted, never processed
            session.extend([guess])
        cached = session.length
        now = [*text, *guesses[:accepted], added]
        fed = len(catch_up(session, now, min(cached, len(text) + accepted)))
        rolled_back = cached - (len(now) - fed)
        record = {"accepted": accepted, "cached": cached}
        records.append(record | {"rolled back": rolled_back, "not processed": fed})
    return records
