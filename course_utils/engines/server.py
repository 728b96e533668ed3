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

from course_utils.engines.client import Engine, NoEngine
from course_utils.engines.configurations import Configuration
from course_utils.engines.environment import FOLDER, preloaded, python

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1"
PATIENCE = 300  # seconds until it must answer: the first start compiles
# Nothing is sent anywhere and nothing is fetched; a cache of a gigabyte serves the pair.
SETTINGS = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_HOST_IP": HOST,
    "VLLM_CPU_KVCACHE_SPACE": "1",
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
    # OpenMP's own choice, and its spinning, are right for a server that has the machine
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_"))}
    if library := preloaded(folder):
        added["LD_PRELOAD"] = ":".join(filter(None, (library, os.environ.get("LD_PRELOAD"))))
    return inherited | added


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
            raise OSError(f"port {port} cannot be had ({error.strerror}): PORT=8001") from None


@contextmanager
def serving(configuration: Configuration, port: int, folder: Path = FOLDER) -> Iterator[Engine]:
    """A server while the block runs.

    Raises:
        OSError: the port is taken.
        NoEngine: it ended or did not answer in time; with its last words.
    """
    check_port(port)
    with TemporaryDirectory() as scratch:
        log = Path(scratch) / "log"
        with log.open("w") as output:
            process = subprocess.Popen(
                command(configuration, port, folder), cwd=ROOT, env=settings(folder),
                stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
        try:
            engine = Engine(f"http://{HOST}:{port}", timeout=600, retries=0)
            _wait_for(engine, process, log)
            yield engine
        finally:
            for sign in (signal.SIGTERM, signal.SIGKILL):
                with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                    os.killpg(process.pid, sign)  # its workers with it
                    process.wait(20)


def _wait_for(engine: Engine, process: subprocess.Popen, log: Path) -> None:
    end = monotonic() + PATIENCE
    while monotonic() < end and process.poll() is None:
        with suppress(NoEngine):
            engine.check()
            return
        sleep(0.5)
    how = "ended" if process.poll() is not None else f"did not answer within {PATIENCE} seconds"
    raise NoEngine(f"vLLM {how}. Its last words:\n{log.read_text()[-3000:]}")
