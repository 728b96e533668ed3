"""A batch of ordinary sessions that share nothing: the reference for real batches."""

from collections.abc import Mapping, Sequence

from course_utils.decoding.contracts import LanguageModel, Rows, Session


class Separately:
    """A BatchModel from any LanguageModel: each slot has its own session and passes.

    Shared passes are compared with it: it equals `generate` bit for bit, and is no faster.
    """

    def __init__(self, model: LanguageModel):
        self.model = model
        self.vocabulary_size, self.context = model.vocabulary_size, model.context

    def start(self, prompt: Sequence[int]) -> Session:
        return self.model.start(prompt)

    def start_batch(self, slots: int) -> "SeparateSession":
        return SeparateSession(self.model, slots)


class SeparateSession:
    """A BatchSession that runs its slots one by one."""

    def __init__(self, model: LanguageModel, slots: int):
        self.slots = slots
        self._model = model
        self._sessions: dict[int, Session] = {}

    def start(self, slot: int, prompt: Sequence[int]) -> Session:
        self._sessions[slot] = self._model.start(prompt)
        return self._sessions[slot]

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        return {slot: self._sessions[slot].extend(new) for slot, new in tokens.items()}
