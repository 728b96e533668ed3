"""Recorded sessions with engines: every question, every raw answer, every /metrics page.

A lesson shows the same figures from a server that runs and from a session that somebody recorded:
both are a `ServerRun`.
"""

import gzip
import json
import zlib
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
    """Questions put to a server, and the pages of its counters before and after."""

    questions: list[Question]
    together: int = Field(ge=1)  # requests open at any time
    before: str  # the page
    raw: list[dict[str, Any]]  # a response for each question
    after: str
    # from the first question to the last answer
    seconds: float = Field(gt=0, allow_inf_nan=False)

    @property
    def answers(self) -> list[Answer]:
        return [Answer(raw) for raw in self.raw]

    @property
    def counters(self) -> Counters:
        """The counts of these questions alone, if nobody else used the server meanwhile; raises
        NoCounters: the server decodes without speculation."""
        return Counters.of(self.after) - Counters.of(self.before)

    @property
    def tokens_per_second(self) -> float:
        """New tokens of all answers, prompts' passes included in the time."""
        return sum(len(answer.tokens) for answer in self.answers) / self.seconds


class ServerRun(_Frozen):
    """All questions put to one server."""

    configuration: str  # how it speculated
    command: str  # that started it
    engine: str  # version
    repaired: bool  # with the fault of REFERENCES.md: vllm-55005 mended
    parts: dict[str, Part]


class ServerSession(_Frozen):
    """A run for each configuration, on one machine, one after the other."""

    date: str  # YYYY-MM-DD
    package: str  # the engine's, as installed
    hardware: str
    made_by: str  # the command that records such a session
    runs: dict[str, ServerRun]


def put(engine: Engine, questions: Sequence[Question]) -> Part:
    """Ask the questions one after the other, with the counters read before and after.

    Raises:
        NoEngine: the server went away.
        ValueError: it refuses a question.
    """
    before, start = engine.metrics(), now()
    answers = [engine.complete(question) for question in questions]
    seconds = now() - start
    raw = [answer.raw for answer in answers]
    return Part(questions=list(questions), together=1, before=before, raw=raw,
                after=engine.metrics(), seconds=seconds)  # fmt: skip


def read_session(path: Path = RECORDED) -> ServerSession:
    """A recorded session.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no session; what is wrong in it.
    """
    try:
        with gzip.open(path) as file:
            return ServerSession.model_validate(json.load(file))
    except (gzip.BadGzipFile, EOFError, zlib.error, ValueError) as error:
        why = " ".join(str(error).split())[:300]
        raise ValueError(f"{path.name} is no recorded session: {why}") from None
