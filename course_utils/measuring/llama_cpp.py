"""llama.cpp's server as a competitor: the pair in float32, a server for each setting.

It takes how to speculate when it starts and not with a request, so servers stand beside one
another, and all but one of them wait.  Its keys and values stay float32, its samplers are off.
Its draft guesses the likeliest token unless it is told to draw ("probabilistic").
"""

import http.client
import json
import os
import shutil
import socket
import subprocess
import time
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from weakref import finalize

from course_utils.measuring.contenders import LLAMA, PLAIN, Contender
from course_utils.measuring.gguf_files import write_gguf
from course_utils.measuring.passages import Passage
from course_utils.measuring.protocol import Continue, Told

SERVER = "LLAMA_SERVER"  # names the program, if it is not on the path
SECONDS = 60  # until a server answers


def llama_server() -> str | None:
    """The program, if it is here; see CONTRIBUTING.md."""
    return shutil.which(os.environ.get(SERVER) or "llama-server")


def gguf_is_here() -> bool:
    """What writes its files."""
    return find_spec("gguf") is not None


class LlamaCpp:
    """The pair as llama.cpp runs it on so many threads."""

    def __init__(self, target: str, draft: str, threads: int, program: str):
        self._folder = TemporaryDirectory()
        self._files = [Path(self._folder.name) / f"{name}.gguf" for name in ("target", "draft")]
        for source, file in zip((target, draft), self._files, strict=True):
            write_gguf(Path(source), file)
        self._program, self._threads = program, threads
        self._servers: dict[tuple, Server] = {}
        self._server(PLAIN[LLAMA])  # does it run?

    def continuing(self, contender: Contender, temperature: float) -> Continue:
        """Exactly as many tokens as the passage asks for."""
        server = self._server(contender)
        return lambda number, passage: server.go_on(number, passage, temperature)

    def _server(self, contender: Contender) -> "Server":
        key = (contender.kind, contender.gamma, contender.longest, contender.guesses)
        if key not in self._servers:
            self._servers[key] = Server(self._command(contender))
        return self._servers[key]

    def _command(self, contender: Contender) -> list[str]:
        target, draft = map(str, self._files)
        n = str(self._threads)
        command = [self._program, "-m", target, "-c", "1024", "-np", "1", "-t", n, "-tb", n]
        command += ["-ctk", "f32", "-ctv", "f32", "-fa", "off", "--no-webui"]
        if contender.kind == "model":  # the type must be named, or the draft is loaded and idle
            command += ["-md", draft, "--spec-type", "draft-simple"]
            command += ["--spec-draft-n-max", str(contender.gamma)]
            command += ["--spec-draft-threads", n, "--spec-draft-threads-batch", n]
            command += ["--spec-draft-type-k", "f32", "--spec-draft-type-v", "f32"]
            command += ["--spec-draft-sampling", contender.guesses]
        elif contender.kind == "lookup":
            command += ["--spec-type", "ngram-simple"]
            command += ["--spec-ngram-simple-size-n", str(contender.longest)]
            command += ["--spec-ngram-simple-size-m", str(contender.gamma)]
        return command


class Server:
    """A running server, on a port of its own.

    Raises:
        RuntimeError: it ended, or does not answer.
    """

    def __init__(self, command: list[str]):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._stop = finalize(self, _ended, self._process)  # at the latest when Python ends
        self._port = port
        end = time.monotonic() + SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                self._stop()
                raise RuntimeError(f"{command[0]} gave no answer: does it run by itself?")
            time.sleep(0.05)

    def go_on(self, number: int, passage: Passage, temperature: float) -> Told:
        asked = {
            "prompt": list(passage.prompt), "n_predict": passage.new_tokens, "seed": number,
            "temperature": temperature, "samplers": ["temperature"], "top_k": 0, "top_p": 1.0,
            "min_p": 0.0, "repeat_penalty": 1.0, "cache_prompt": False, "return_tokens": True,
        }  # fmt: skip
        told = json.loads(self._said("POST", "/completion", json.dumps(asked)))
        if len(told.get("tokens", ())) != passage.new_tokens:
            raise RuntimeError(f"llama-server did not write {passage.new_tokens} tokens: {told}")
        accepted = told["timings"].get("draft_n_accepted", 0)  # left out where nothing was drafted
        return Told(told["tokens"], passes=passage.new_tokens - accepted)

    def _answers(self) -> bool:
        try:
            return json.loads(self._said("GET", "/health", timeout=5)) == {"status": "ok"}
        except (OSError, http.client.HTTPException, ValueError):
            return False

    def _said(self, method: str, path: str, body: str | None = None, timeout: int = 600) -> bytes:
        """On a line of its own: the server hangs up where nothing is asked for five seconds."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=timeout)
        with closing(line):
            line.request(method, path, body, {"Content-Type": "application/json"})
            return line.getresponse().read()


def _ended(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
