"""A client of an engine that speaks OpenAI's protocol, as vLLM's server does.

Prompts and answers are token ids, so that no template and no second tokenizer affects a comparison
of two decoders.
"""

import json
import os
from dataclasses import asdict, dataclass
from typing import Any

import httpx2

from course_utils.engines.connection import Connection, UnreadAnswer, server_address

ADDRESS = "COURSE_ENGINE"  # environment variable: a server's address, if not DEFAULT_ADDRESS
KEY = "COURSE_ENGINE_KEY"  # environment variable: the API key, if the server needs one
DEFAULT_ADDRESS = "http://127.0.0.1:8000"
MODEL = "course-target"  # the name under which the server serves the target
PINNED = {"repetition_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0}
LONGEST_MESSAGE = 300  # characters quoted from a server's message


@dataclass(frozen=True)
class Question:
    """A prompt and the settings for its continuation."""

    prompt: tuple[int, ...]  # tokens
    max_tokens: int
    temperature: float
    seed: int = 0
    top_k: int = 0  # 0 keeps all
    top_p: float = 1.0
    min_p: float = 0.0

    def body(self, model: str) -> dict[str, Any]:
        """Return the body of POST /v1/completions.

        End tokens do not stop the text, so that compared texts are equally long.  Every setting
        is explicit, or the model's generation_config.json would fill it in.
        """
        pinned = PINNED | {"ignore_eos": True, "return_token_ids": True, "model": model}
        return asdict(self) | pinned | {"prompt": list(self.prompt)}


@dataclass(frozen=True)
class Answer:
    """A completion; escape its `text` before putting it into a page."""

    raw: dict[str, Any]  # the complete JSON of the response

    @classmethod
    def of(cls, raw: Any) -> "Answer":
        """Check the JSON of a response; raise a ValueError if it is not a completion."""
        match raw:
            case {"choices": [{"text": str(), "token_ids": [*ids]}, *_]}:
                if all(type(token) is int and token >= 0 for token in ids):
                    return cls(raw)
            case {"choices": [{"text": str()} as choice, *_]} if choice.get("token_ids") is None:
                return cls(raw)
        raise ValueError("this is not a completion: it has no choices with a text and token ids")

    @property
    def tokens(self) -> list[int]:
        """Return the new tokens; raise a ValueError if the server did not send them."""
        tokens = self.raw["choices"][0].get("token_ids")
        if tokens is None:
            raise ValueError(
                "the answer has text but no token ids, so it cannot be compared token for "
                "token: use a server with vLLM's `return_token_ids`"
            )
        return list(tokens)

    @property
    def text(self) -> str:
        return str(self.raw["choices"][0]["text"])


class NoEngine(ConnectionError):
    """Nothing answers, or something that is not an engine of this kind."""


class Engine:
    """A running server."""

    def __init__(
        self, url: str | None = None, model: str = MODEL, timeout: float = 60.0,
        key: str | None = None,
    ):  # fmt: skip
        """
        Args:
            url: with or without /v1; by default $COURSE_ENGINE, else port 8000 of this machine.
            model: the name under which the server serves it.
            timeout: seconds to wait for a response.
            key: by default $COURSE_ENGINE_KEY.

        Raises:
            ValueError: the address is not valid, or the key cannot be sent.
        """
        self.url = server_address(url or os.environ.get(ADDRESS, "").strip() or DEFAULT_ADDRESS)
        self.model = model
        self._key = (key or os.environ.get(KEY, "")).strip()
        if not all("!" <= character <= "~" for character in self._key):
            raise ValueError(f"the key ({KEY}) has characters that no key can have: set it again")
        self._timeout = timeout
        self._connection = Connection(self.url, timeout, self._key)

    def check_model(self) -> None:
        """Check that the server serves the model.

        Raises:
            NoEngine: nothing answers, or another program does.
            ValueError: it serves other models, or refuses the key.
        """
        match self.request("GET", "/v1/models"):
            case {"data": [*models]}:
                ids = [model.get("id") for model in models if isinstance(model, dict)]
            case _:
                raise self._not_an_engine()
        if self.model not in ids:
            names = ", ".join(self.readable(str(name)) for name in ids[:5]) or "nothing"
            raise ValueError(
                f"the server at {self.url} serves {names}, not {self.model}: serve it under that "
                "name, or name a model it has"
            )

    def check(self) -> str:
        """Return vLLM's version; raise as `check_model`, and NoEngine if it is not vLLM."""
        self.check_model()
        match self.request("GET", "/version"):
            case {"version": str(version)}:
                return self.readable(version)
        raise self._not_an_engine()

    def complete(self, question: Question) -> Answer:
        """Request an answer; raise as `request`, and a ValueError if it is too short or none."""
        answer = Answer.of(self.request("POST", "/v1/completions", question.body(self.model)))
        tokens = answer.raw["choices"][0].get("token_ids")
        if tokens is not None and len(tokens) != question.max_tokens:
            raise ValueError(
                f"the server wrote {len(tokens)} tokens instead of {question.max_tokens}: it does "
                "not know vLLM's `ignore_eos`, or was stopped"
            )
        return answer

    def request(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the JSON of a page.

        Raises:
            NoEngine: the server is gone, took longer than the timeout, or does not send JSON.
            ValueError: it refuses the request, with its own message, or the key.
        """
        return self._json(self._content(method, path, body))

    def metrics(self) -> str:
        """Return the /metrics page, for `Counters.of`; raise as `request` does."""
        return self._content("GET", "/metrics").decode(errors="replace")

    def _json(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):  # a web server's page
            raise self._not_an_engine() from None

    def _content(self, method: str, path: str, body: dict[str, Any] | None = None) -> bytes:
        try:
            status, content = self._connection.request(method, path, body)
        except httpx2.TimeoutException:
            raise NoEngine(
                f"no answer from {self.url} within {self._timeout:g} seconds: check whether the "
                "server is busy or the address wrong"
            ) from None
        except httpx2.RequestError:
            raise NoEngine(
                f"no server answers at {self.url}: start one (notebooks/command_line.md has the "
                f"command), or set the environment variable {ADDRESS} to its address"
            ) from None
        except UnreadAnswer as error:
            raise self._not_an_engine(f" ({error})") from None
        if not 200 <= status < 300:
            raise self._refusal(method, status, content)
        return content

    def _refusal(self, method: str, status: int, content: bytes) -> Exception:
        match self._json(content):
            case {"error": {"message": str(message)}} | {"detail": str(message)}:
                words = self.readable(message)
            case body:
                words = self.readable(str(body))
        if status in (401, 403):
            why = "refuses the key in" if self._key else "needs a key: set"
            return ValueError(f"the server at {self.url} {why} the environment variable {KEY}")
        if status == 429 or status >= 500:
            return NoEngine(f"the server at {self.url} cannot answer now ({status}): {words}")
        if method == "POST":
            return ValueError(f"the server refuses the request: {words}")
        return self._not_an_engine()

    def readable(self, text: str) -> str:
        """Return one line without the key and without control characters."""
        text = text.replace(self._key, "(the key)") if self._key else text
        line = " ".join("".join(c if c.isprintable() else " " for c in text[:10_000]).split())
        return line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 1]}…"

    def _not_an_engine(self, why: str = "") -> NoEngine:
        return NoEngine(
            f"something answers at {self.url}, but it is not vLLM's server{why}: if another "
            f"program uses that port, start the engine on a free one and set {ADDRESS} to its "
            "address"
        )


def engine_here(seconds: float = 2.0) -> Engine | None:
    """Return the engine at $COURSE_ENGINE or the default address; None if none is set or runs.

    If one is set, raise NoEngine or ValueError as `Engine.check`.
    """
    try:
        Engine(timeout=seconds).check()
    except NoEngine:
        if os.environ.get(ADDRESS, "").strip():
            raise
        return None
    return Engine()
