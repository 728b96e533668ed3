"""A target whose cache is handled wrongly."""

from collections.abc import Sequence

from course_utils.decoding.contracts import LanguageModel, Rows, Session


class NeverForgets:
    """Counts tokens back at a rollback, but what was rejected is still read."""

    def __init__(self, model: LanguageModel):
        self.model = model
        self.vocabulary_size = model.vocabulary_size
        self.context = model.context

    def start(self, prompt: Sequence[int]) -> "KeptSession":
        return KeptSession(self.model.start(prompt))


class KeptSession:
    """Rejected tokens stay in the inner session for ever."""

    def __init__(self, session: Session):
        self._session = session
        self.length = session.length

    def extend(self, tokens: Sequence[int]) -> Rows:
        self.length += len(tokens)
        return self._session.extend(tokens)

    def rollback(self, length: int) -> None:
        self.length = length
