"""Recorded sessions with engines: every question, every raw answer, every /metrics page.

Lessons draw the same figures from a running server and from a recorded session: both are a
`ServerRun`.
"""

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from course_utils.decoding.clock import now
from course_utils.engines.client import Answer, Engine, Question
from course_utils.engines.counters import Counters
from course_utils.models.names import DATA

RECORDED = DATA / "engines" / "session-1.json.gz"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Part(_Frozen):
    """Questions to a server, and the pages of its counters before and after."""

    questions: list[Question]
    together: int = Field(ge=1)  # requests open at any time
    before: str  # the page
    raw: list[dict[str, Any]]  # a response per question
    after: str
    # from the first question to the last answer
    seconds: float = Field(gt=0, allow_inf_nan=False)

    @property
    def answers(self) -> list[Answer]:
        return [Answer(raw) for raw in self.raw]

    @property
    def counters(self) -> Counters:
        """The counts of these questions alone, if nobody else used the server meanwhile; raises
        NoCounters if the server decodes without speculation."""
        return Counters.of(self.after) - Counters.of(self.before)

    @property
    def tokens_per_second(self) -> float:
        """New tokens of all answers per second, including the prompts' passes."""
        return sum(len(answer.tokens) for answer in self.answers) / self.seconds


class ServerRun(_Frozen):
    """All questions to one server."""

    configuration: str  # its speculative configuration
    command: str  # the command that started it
    engine: str  # version
    repaired: bool  # with a fix for REFERENCES.md: vllm-55005
    parts: dict[str, Part]


class ServerSession(_Frozen):
    """A run per configuration, on one machine, one after the other."""

    date: str  # YYYY-MM-DD
    package: str  # the engine's package, as installed
    hardware: str
    made_by: str  # the command that records such a session
    runs: dict[str, ServerRun]


def put(engine: Engine, questions: Sequence[Question]) -> Part:
    """Ask the questions one after the other; read the counters before and after.

    Raises:
        NoEngine: the server is gone.
        ValueError: it refuses a question.
    """
    before, start = engine.metrics(), now()
    answers = [engine.complete(question) for question in questions]
    seconds = now() - start
    raw = [answer.raw for answer in answers]
    return Part(questions=list(questions), together=1, before=before, raw=raw,
                after=engine.metrics(), seconds=seconds)  # fmt: skip


def read_session(path: Path = RECORDED) -> ServerSession:
    """Read a recorded session.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not a session; the message names the fault.
    """
    with gzip.open(path) as file:
        return ServerSession.model_validate_json(file.read())
