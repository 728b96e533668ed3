"""vLLM's server on this machine, started and stopped."""

import os
import shlex
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import IO

from course_utils.engines.client import Engine, NoEngine
from course_utils.engines.configurations import Configuration
from course_utils.engines.environment import FOLDER, inherited, preloaded, python

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1"
PATIENCE = 300  # seconds until it must answer: the first start compiles
PROBE, GRACE = 2.0, 20.0  # seconds for one look at it; to end by itself
# Nothing is sent anywhere and nothing is fetched; a cache of a gigabyte serves the pair.
SETTINGS = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_HOST_IP": HOST,
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "PYTHONSAFEPATH": "1",  # no file of a student's folder stands for a package
}


def command(configuration: Configuration, port: int, folder: Path = FOLDER) -> list[str]:
    """The program and its arguments."""
    server = [str(python(folder)), "-m", "vllm.entrypoints.openai.api_server", "--model"]
    return [*server, *configuration.arguments(port, HOST)]


def as_typed(configuration: Configuration, port: int) -> str:
    """The same as one would type it in vLLM's environment."""
    return shlex.join(["vllm", "serve", *configuration.arguments(port, HOST)])


def settings(folder: Path = FOLDER) -> dict[str, str]:
    """The environment variables the server runs with."""
    added = dict(SETTINGS)
    # OpenMP's own choice, and its spinning, are right for a server that has the machine; a key
    # that it asked for would be one that nobody here shows
    out = ("OMP_", "GOMP_", "VLLM_API_KEY")
    kept = {name: value for name, value in inherited().items() if not name.startswith(out)}
    if library := preloaded(folder):
        added["LD_PRELOAD"] = ":".join(filter(None, (library, os.environ.get("LD_PRELOAD"))))
    return kept | added


def check_port(port: int) -> None:
    """Nobody else listens there.

    Raises:
        OSError: somebody does, or the port is not ours to take.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            other = port + 1 if 1024 <= port < 65535 else 8001
            raise OSError(
                f"port {port} cannot be had ({error.strerror}); take another: "
                f"make engine PORT={other}"
            ) from None


@contextmanager
def serving(configuration: Configuration, port: int, folder: Path = FOLDER) -> Iterator[Engine]:
    """A server while the block runs.

    Raises:
        OSError: the port is taken, or there is no environment.
        NoEngine: it ended or did not answer in time; with its last words.
    """
    check_port(port)
    if not python(folder).exists():
        raise FileNotFoundError(f"there is no {folder.name}: `make engine` makes it")
    with TemporaryDirectory() as scratch:
        log = Path(scratch) / "log"
        with log.open("wb") as output, _started(configuration, port, folder, output) as process:
            _wait_for(port, process, log)
            yield Engine(f"http://{HOST}:{port}", timeout=600, retries=0)


@contextmanager
def _started(
    configuration: Configuration, port: int, folder: Path, output: IO[bytes]
) -> Iterator[subprocess.Popen]:
    process = subprocess.Popen(
        command(configuration, port, folder), cwd=ROOT, env=settings(folder),
        stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        try:
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(process.pid, signal.SIGTERM)  # its workers with it
                process.wait(GRACE)
        finally:  # a second Ctrl-C comes here at once
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(GRACE)


def _wait_for(port: int, process: subprocess.Popen, log: Path) -> None:
    end, engine = monotonic() + PATIENCE, Engine(f"http://{HOST}:{port}", timeout=PROBE, retries=0)
    while monotonic() < end and process.poll() is None:
        with suppress(NoEngine):
            engine.check()
            if process.poll() is None:  # or it was somebody else who answered
                return
        sleep(0.1)
    how = "ended" if process.poll() is not None else f"did not answer within {PATIENCE} seconds"
    said = log.read_bytes()[-3000:].decode(errors="replace")
    raise NoEngine(f"vLLM {how}. Its last words:\n{said}")
