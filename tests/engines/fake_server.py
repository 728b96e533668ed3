"""Servers on loopback for tests of a client: vLLM's answers, and bad ones."""

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from course_utils.engines.client import MODEL

VERSION = "0.32.0"


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]  # names in lower case
    body: dict | None


@dataclass
class Response:
    body: object = ""  # a str or bytes unchanged, anything else as JSON
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class FakeServer:
    url: str = ""
    requests: list[Request] = field(default_factory=list)  # grows


def vllm(request: Request) -> Response:
    """Answer like vLLM 0.32; the tokens are the prompt's, reversed and repeated."""
    if (request.method, request.path) == ("POST", "/v1/completions"):
        return Response(completion(request.body))
    pages = {
        "/v1/models": {"data": [{"id": MODEL}]},
        "/version": {"version": VERSION},
        "/metrics": "# no counters\n",
    }
    known = request.path in pages
    return Response(pages[request.path]) if known else Response({"detail": "Not Found"}, 404)


def completion(body: dict, **changed) -> dict:
    """vLLM's JSON for such a request."""
    tokens = (list(reversed(body["prompt"])) * body["max_tokens"])[: body["max_tokens"]]
    text = " ".join(map(str, tokens))
    choice = {"text": text, "finish_reason": "length", "token_ids": tokens} | changed
    return {"object": "text_completion", "model": body["model"], "choices": [choice]}


@contextmanager
def serving(
    answer: Callable[[Request], Response | Iterable[bytes]] = vllm,
) -> Iterator[FakeServer]:
    """Serve while the block runs; pieces of bytes are sent unchanged."""
    fake = FakeServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # a body would wait 40 ms for its headers' receipt

        def _serve(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = json.loads(sent) if sent else None
            fake.requests.append(Request(self.command, self.path, headers, body))
            response = answer(fake.requests[-1])
            if not isinstance(response, Response):
                self.close_connection = True
                for piece in response:
                    self.wfile.write(piece)
                return
            content = response.body
            if not isinstance(content, str | bytes):
                content = json.dumps(content)
            content = content.encode() if isinstance(content, str) else content
            self.send_response(response.status)
            for name, value in {"Content-Length": str(len(content)), **response.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = _serve  # noqa: N815

        def log_message(self, *_: object) -> None: ...

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that hung up."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield fake
    finally:
        server.shutdown()
        server.socket.close()
        thread.join()
