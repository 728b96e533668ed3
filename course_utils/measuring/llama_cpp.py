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
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from weakref import finalize

from course_utils.measuring.contenders import Contender
from course_utils.measuring.gguf_files import write_gguf
from course_utils.measuring.passages import Passage
from course_utils.measuring.protocol import Continue, Told

SERVER = "LLAMA_SERVER"  # names the program, if it is not on the path
SECONDS = 60  # until a server answers


def llama_server() -> str | None:
    """The program, if it is here with what writes its files; see CONTRIBUTING.md."""
    found = os.environ.get(SERVER) or shutil.which("llama-server")
    return found if found and find_spec("gguf") is not None else None


class LlamaCpp:
    """The pair as llama.cpp runs it on so many threads."""

    def __init__(self, target: str, draft: str, threads: int, program: str):
        self._folder = TemporaryDirectory()
        self._files = [Path(self._folder.name) / f"{name}.gguf" for name in ("target", "draft")]
        for source, file in zip((target, draft), self._files, strict=True):
            write_gguf(Path(source), file)
        self._program, self._threads = program, threads
        self._servers: dict[tuple, Server] = {}

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
        command += ["-ctk", "f32", "-ctv", "f32", "-fa", "off", "--no-warmup", "--no-webui"]
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
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
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
        headers = {"Content-Type": "application/json"}
        self._line.request("POST", "/completion", json.dumps(asked), headers)
        told = json.loads(self._line.getresponse().read())
        if len(told.get("tokens", ())) != passage.new_tokens:
            raise RuntimeError(f"llama-server did not write {passage.new_tokens} tokens: {told}")
        accepted = told["timings"].get("draft_n_accepted")
        # its first token is the prompt's own pass
        passes = None if accepted is None else passage.new_tokens - 1 - accepted
        return Told(told["tokens"], passes=passes)

    def _answers(self) -> bool:
        try:
            self._line.request("GET", "/health")
            answer = self._line.getresponse()
            answer.read()
            return answer.status == 200
        except (ConnectionError, http.client.HTTPException):
            self._line.close()
            return False


def _ended(process: subprocess.Popen) -> None:
    process.terminate()
    process.wait()
