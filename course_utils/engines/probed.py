"""Have an installed engine judge commands, and keep what it said: data/engines/commands.json.

What is tried is data/engines/checks.toml: the articles' lines and what they become today.  A check
is put to the engine's own parser or configuration classes, never to a copy of them: `probe` does
the asking inside the engine's environment; here are its call and its record.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.dataclasses import dataclass

from course_utils.classroom.files import write_whole
from course_utils.engines import probe
from course_utils.engines.facts import STRICT, facts, table
from course_utils.models.pairs import DATA

RECORD = DATA / "engines" / "commands.json"

# small, on loopback, no word to anybody
ENVIRONMENT = {
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_HOST_IP": "127.0.0.1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_LOGGING_LEVEL": "WARNING",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
}


@dataclass(frozen=True, config=STRICT)
class Check:
    """A line for the engine: its `way` is one of `probe.WAYS`, `given` what goes in.

    "model:NAME" is a folder: one of data/engines/shapes.toml, or the trained pair as "target" and
    "draft".
    """

    name: str
    way: str
    given: object


def read_checks() -> tuple[Check, ...]:
    """All of them.  A configuration that names no speculation, for TOML has no null, has None."""
    none = {"speculative_config": None}
    return tuple(
        replace(check, given=none | check.given) if check.way == "configuration" else check
        for check in facts("checks", Check)
    )


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Result(_Kept):
    """What the engine said to one check.

    `error` is empty where it accepted, else the error's type and its line that says what was
    wrong; `became` holds plain values of the finished configuration.
    """

    name: str
    way: str
    given: object
    result: Literal["accepted", "refused"]
    error: str
    became: dict[str, object]
    warnings: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        return self.result == "accepted"


class Record(_Kept):
    """Every result, with the date of the run and the versions inside the engine's environment."""

    date: date
    engine: dict[str, str]
    results: tuple[Result, ...] = Field(min_length=1)

    def __getitem__(self, name: str) -> Result:
        """The result of the check of that name.

        Raises:
            KeyError: there is none; the message names those that there are.
        """
        found = {result.name: result for result in self.results}
        if name not in found:
            raise KeyError(f"no check {name!r} in the record; it has {', '.join(sorted(found))}")
        return found[name]


class EngineUnavailable(RuntimeError):
    """No engine answers behind this Python; the message says what to do."""


def probed(
    python: Path | str,
    checks: Sequence[Check],
    pair: Path = DATA,
    seconds: float = 900.0,
) -> Record:
    """Put `checks` to the engine that the Python at `python` imports.

    pair: the folder with the trained pair, "target" and "draft".
    seconds: after so many the engine is given up.

    Raises:
        EngineUnavailable: no such Python, no vllm in it, or no answer in time.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        models = written_shapes(folder / "models")
        models |= {name: str((pair / name).resolve()) for name in ("target", "draft")}
        asked = {"models": models, "checks": [asdict(check) for check in checks]}
        request, answer = folder / "request.json", folder / "answer.json"
        request.write_text(json.dumps(asked), encoding="utf-8")
        command = [str(python), str(Path(probe.__file__).resolve()), str(request), str(answer)]
        try:
            subprocess.run(
                command,
                cwd=folder,
                env=os.environ | ENVIRONMENT,
                check=True,
                capture_output=True,
                text=True,
                timeout=seconds,
            )
        except FileNotFoundError:
            raise EngineUnavailable(f"no Python at {python}: `make engine` makes one") from None
        except subprocess.TimeoutExpired:
            raise EngineUnavailable(f"the engine said nothing for {seconds:.0f} s") from None
        except subprocess.CalledProcessError as error:
            last = (error.stderr.strip().splitlines() or ["nothing was said"])[-1]
            raise EngineUnavailable(f"the engine's Python failed: {last}") from None
        said = json.loads(answer.read_text(encoding="utf-8"))
    asked_for = {check.name: check for check in checks}
    return Record(
        date=date.today(),
        engine=said["engine"],
        results=tuple(
            Result(**one, way=asked_for[one["name"]].way, given=asked_for[one["name"]].given)
            for one in said["results"]
        ),
    )


def written_shapes(folder: Path) -> dict[str, str]:
    """The shapes as folders with a config.json each, below `folder`; by name."""
    made = {name: folder / name for name in table("shapes")}
    for name, path in made.items():
        path.mkdir(parents=True)
        (path / "config.json").write_text(json.dumps(table("shapes")[name]), encoding="utf-8")
    return {name: str(path) for name, path in made.items()}


def write_record(record: Record, path: Path = RECORD) -> None:
    """Keep `record`."""
    lines = ",\n".join(f"  {one.model_dump_json()}" for one in record.results)
    head = f'"date": "{record.date}", "engine": {json.dumps(record.engine)}'
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, f'{{{head},\n "results": [\n{lines}\n]}}\n')
