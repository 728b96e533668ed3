"""A small server on this machine, with vLLM's manners, whose round of speculation you write.

Target and draft are n-gram models of characters: five characters and two, of the same texts.
"""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np

from course_utils.decoding import Sampling, emitted_tokens, generate
from course_utils.decoding.contracts import Rule, Verdict
from course_utils.decoding.sampling import sample
from course_utils.drafters.sampled import Sampled
from course_utils.engines.client import MODEL
from course_utils.models.n_grams import NGram
from course_utils.models.prompts import held_out_prompts

GAMMA, DISCOUNT = 4, 0.5
Round = Callable[..., tuple[int, int]]


@cache
def texts() -> tuple[str, ...]:
    return tuple(held_out_prompts("prose"))


@cache
def alphabet() -> tuple[str, ...]:
    return tuple(sorted({character for text in texts() for character in text}))


def encode(text: str) -> tuple[int, ...]:
    return tuple(map(alphabet().index, text))


def as_text(tokens: Sequence[int]) -> str:
    return "".join(alphabet()[token] for token in tokens)


@cache
def models() -> tuple[NGram, NGram]:
    """Target and draft."""
    counted = [encode(text) for text in texts()]
    return tuple(NGram(counted, n, len(alphabet()), DISCOUNT) for n in (5, 2))


def serve_round(p, q, guesses, uniforms):
    """p (n + 1, vocabulary), q (n, vocabulary), n guesses, n + 1 uniforms
    -> (number of accepted guesses, the token after them)"""
    for i, x in enumerate(guesses):
        if not uniforms[i] < p[i, x] / q[i, x]:
            left = np.maximum(p[i] - q[i], 0)
            return i, sample(left / left.sum(), uniforms[-1])
    return len(guesses), sample(p[-1], uniforms[-1])


def rule(one_round: Round) -> Rule:
    """A round of yours as a rule of the course's loop."""

    def verify(p, q, drafted, uniforms):
        p = np.asarray(p)
        accepted, token = one_round(p, np.empty((0, p.shape[1])) if q is None else np.asarray(q),
                                    list(drafted), list(uniforms))  # fmt: skip
        return Verdict(int(accepted), int(token))

    return Rule("yours", verify, False, "your own")


def write(one_round: Round, prompt: Sequence[int], tokens: int, sampling: Sampling, seed: int):
    """The new tokens."""
    target, draft = models()
    rounds = generate(
        target, prompt, Sampled(draft, sampling), gamma=GAMMA, sampling=sampling,
        rule=rule(one_round), max_new_tokens=tokens, seed=seed,
    )  # fmt: skip
    return emitted_tokens(rounds)


@contextmanager
def served(one_round: Round) -> Iterator[str]:
    """The address of a server that decodes with this round, while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # a body would wait 40 ms for its headers' receipt

        def do_GET(self) -> None:
            pages = {"/v1/models": {"data": [{"id": MODEL}]}, "/version": {"version": "yours"}}
            self._say(pages.get(self.path, {}), 200 if self.path in pages else 404)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            sampling = Sampling(*(body[x] for x in ("temperature", "top_k", "top_p", "min_p")))
            new = write(one_round, body["prompt"], body["max_tokens"], sampling, body["seed"])
            choice = {"text": as_text(new), "token_ids": new, "finish_reason": "length"}
            self._say({"choices": [choice]})

        def _say(self, said: dict, status: int = 200) -> None:
            sent = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
