"""A session with an engine, kept: what was asked, every raw answer, every /metrics page.

A lesson shows the same figures from a server that runs and from a session that somebody
recorded: both are a `Run`.
"""

import gzip
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from course_utils.decoding.clock import now
from course_utils.engines.client import Answer, Engine, Question
from course_utils.engines.counters import Counters
from course_utils.models.names import DATA

RECORDED = DATA / "engines" / "session-1.json.gz"
LARGEST = 200_000_000  # bytes of a session, unpacked


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Part(_Kept):
    """Questions put to a server, and the pages of its counters before and after."""

    questions: list[Question]
    together: int = Field(ge=1)  # open at any time
    before: str  # the page
    raw: list[dict]  # a response for each question
    after: str
    # from the first question to the last answer
    seconds: float = Field(gt=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _each_has_its_answer(self) -> Self:
        if len(self.raw) != len(self.questions):
            raise ValueError(f"{len(self.questions)} questions, {len(self.raw)} answers")
        for raw in self.raw:
            Answer.of(raw)
        return self

    @property
    def answers(self) -> list[Answer]:
        return [Answer(raw) for raw in self.raw]

    @property
    def counters(self) -> Counters:
        """Of these questions alone, if nobody else asked this server meanwhile.

        Raises:
            NoCounters: the server decodes without speculation.
        """
        return Counters.of(self.after) - Counters.of(self.before)

    @property
    def tokens_per_second(self) -> float:
        """New tokens of all answers, prompts' passes included in the time."""
        return sum(len(answer.tokens) for answer in self.answers) / self.seconds


class Run(_Kept):
    """All that was asked of one server."""

    configuration: str  # how it speculated
    command: str  # that started it
    engine: str  # version
    repaired: bool  # with the fault of REFERENCES.md: vllm-55005 mended
    parts: dict[str, Part]


class Session(_Kept):
    """One run a configuration, on one machine, one after the other."""

    date: str  # YYYY-MM-DD
    package: str  # what was installed
    hardware: str
    made_by: str  # the command that records such a session
    runs: dict[str, Run]


def put(engine: Engine, questions: Sequence[Question]) -> Part:
    """Ask one after the other, with the counters read before and after.

    A request that is repeated is counted twice: where counters are to agree with answers, take
    an `Engine` with retries=0.

    Raises:
        NoEngine: the server went away.
        ValueError: it refuses a question.
    """
    before, start = engine.metrics(), now()
    answers = [engine.complete(question) for question in questions]
    seconds = now() - start
    return Part(
        questions=list(questions),
        together=1,
        before=before,
        raw=[answer.raw for answer in answers],
        after=engine.metrics(),
        seconds=seconds,
    )


def read_session(path: Path = RECORDED) -> Session:
    """A session that was recorded.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no session; what is wrong in it.
    """
    try:
        with gzip.open(path) as file:
            text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise ValueError("it is too long")
        return Session.model_validate(json.loads(text))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        why = f"{where[:200]}: {first['msg']}"
    except (gzip.BadGzipFile, EOFError, zlib.error, ValueError, RecursionError) as error:
        why = str(error)
    raise ValueError(f"{path.name} is no recorded session: {why}")
