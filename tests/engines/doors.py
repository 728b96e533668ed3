"""Servers on loopback that a client of an engine may meet: vLLM's manners, and bad ones."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from course_utils.engines.client import MODEL

VERSION = "0.32.0"


@dataclass
class Asked:
    """One request, as it came."""

    method: str
    path: str
    headers: dict[str, str]  # names in lower case
    body: dict | None


@dataclass
class Said:
    """One response."""

    body: object = ""  # a str or bytes as it is, anything else as JSON
    status: int = 200
    kind: str = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Door:
    """A running server; `asked` grows."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)


def vllm(asked: Asked) -> Said:
    """As vLLM 0.32 answers; its tokens are those of the prompt, backwards, again and again."""
    if asked.path == "/v1/models":
        return Said({"object": "list", "data": [{"id": MODEL, "object": "model"}]})
    if asked.path == "/version":
        return Said({"version": VERSION})
    if asked.path == "/metrics":
        return Said("# no counters\n", kind="text/plain; version=0.0.4; charset=utf-8")
    if (asked.method, asked.path) == ("POST", "/v1/completions"):
        return Said(completion(asked.body))
    return Said({"detail": "Not Found"}, 404)


def completion(body: dict, **changed) -> dict:
    """vLLM's JSON for such a request."""
    repeated = list(reversed(body["prompt"])) * body["max_tokens"]
    tokens = repeated[: body["max_tokens"]]
    choice = {
        "index": 0, "text": " ".join(map(str, tokens)), "logprobs": None,
        "finish_reason": "length", "token_ids": tokens, "prompt_token_ids": body["prompt"],
    }  # fmt: skip
    return {
        "id": "cmpl-1", "object": "text_completion", "created": 0, "model": body["model"],
        "choices": [choice | changed], "usage": {"completion_tokens": len(tokens)},
        "metrics": {"speculative_decoding": None},
    }  # fmt: skip


@contextmanager
def door(answer: Callable[[Asked], Said | bytes | None] = vllm) -> Iterator[Door]:
    """Serve while the block runs.

    `answer` returns what is said; bytes go on the wire as they are, and None hangs up.
    """
    here = Door()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # a body would wait 40 ms for its headers' receipt

        def _serve(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, headers, json.loads(sent) if sent else None)
            here.asked.append(asked)
            said = answer(asked)
            if not isinstance(said, Said):
                self.wfile.write(said or b"")
                self.close_connection = True
                return
            body, kind = said.body, said.kind or "text/html"
            if not isinstance(body, str | bytes):
                body, kind = json.dumps(body), said.kind or "application/json"
            body = body.encode() if isinstance(body, str) else body
            self.send_response(said.status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            for name, value in said.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = _serve  # noqa: N815

        def log_message(self, *_: object) -> None: ...

    class Server(ThreadingHTTPServer):
        request_queue_size = 200

        def handle_error(self, *_: object) -> None:
            """A client that hung up."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    here.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield here
    finally:
        server.shutdown()
        server.socket.close()
        thread.join()
