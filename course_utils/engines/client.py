"""A client of an engine that speaks OpenAI's protocol, as vLLM's server does.

Prompts go as token ids and answers come back as token ids: no template and no second
tokenizer stands between two decoders that are to be compared.
"""

import json
import os
from dataclasses import dataclass
from typing import Any

import httpx2

from course_utils.engines.connection import Connection, Unusable, address

ADDRESS = "COURSE_ENGINE"  # environment: where a server is, if not at HERE
KEY = "COURSE_ENGINE_KEY"  # environment: what it wants to be shown, if anything
HERE = "http://127.0.0.1:8000"
MODEL = "course-target"  # what the server calls the target


@dataclass(frozen=True)
class Question:
    """A prompt, and how it is to be continued."""

    prompt: tuple[int, ...]  # tokens
    max_tokens: int
    temperature: float
    seed: int = 0
    top_k: int = 0  # 0 keeps all
    top_p: float = 1.0
    min_p: float = 0.0

    def body(self, model: str) -> dict[str, Any]:
        """Of POST /v1/completions.  The end of a text is no reason to stop: texts to compare
        are equally long.  All settings are pinned, or a model's own would fill them in."""
        return {
            "model": model,
            "prompt": list(self.prompt),
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            "top_k": self.top_k,
            "top_p": self.top_p,
            "min_p": self.min_p,
            "repetition_penalty": 1.0,
            "presence_penalty": 0.0,
            "frequency_penalty": 0.0,
            "seed": self.seed,
            "ignore_eos": True,
            "return_token_ids": True,
        }


@dataclass(frozen=True)
class Answer:
    """What a server said: the parts the lesson uses, out of `raw`.

    Whoever wrote it, it is data: escape `text` wherever it is put into a page.
    """

    raw: dict[str, Any]  # the response's JSON, whole

    @classmethod
    def of(cls, raw: object) -> "Answer":
        """An answer whose parts can be read.

        Raises:
            ValueError: this JSON is no completion.
        """
        match raw:
            case {"choices": [{"text": str(), "token_ids": [*tokens]}, *_]} if _counts(tokens):
                return cls(raw)
            case {"choices": [{"text": str()} as choice, *_]} if choice.get("token_ids") is None:
                return cls(raw)
        raise ValueError("this is no completion: it has no choices with a text and its token ids")

    @property
    def tokens(self) -> list[int]:
        """The new ones.

        Raises:
            ValueError: the server did not send them: it is not vLLM, or an old one.
        """
        tokens = self.raw["choices"][0].get("token_ids")
        if tokens is None:
            raise ValueError(
                "the answer holds text and no token ids, so it cannot be compared token for "
                "token: the server does not know vLLM's `return_token_ids`"
            )
        return list(tokens)

    @property
    def text(self) -> str:
        return self.raw["choices"][0]["text"]


def _counts(numbers: list) -> bool:
    return all(type(n) is int and n >= 0 for n in numbers)


class NoEngine(ConnectionError):
    """Nothing answers, or what answers is no engine of this kind."""


class Engine:
    """A server that runs."""

    def __init__(
        self,
        url: str | None = None,
        model: str = MODEL,
        timeout: float = 60.0,
        retries: int = 2,
        key: str | None = None,
    ):
        """Nothing is asked yet: `check` does.

        Args:
            url: with /v1 or without; by default what the environment's COURSE_ENGINE says,
                else a server on this machine at port 8000.
            model: the name under which the server serves it.
            timeout: seconds until a request is given up.
            retries: how often one is repeated that got no answer, or an answer that says
                the server is busy.  The server counts a repeated request twice.
            key: what the server wants to be shown; by default COURSE_ENGINE_KEY's value.

        Raises:
            ValueError: the address is not one, or the key cannot be sent.
        """
        self.url = address(url or os.environ.get(ADDRESS, "").strip() or HERE)
        self.model = model
        self._key = (key or os.environ.get(KEY, "")).strip()
        if not all("!" <= character <= "~" for character in self._key):
            raise ValueError(f"the key ({KEY}) has characters that no key can have")
        self._timeout = timeout
        self._connection = Connection(self.url, timeout, retries, self._key)

    def __repr__(self) -> str:
        return f"Engine({self.url!r}, {self.model!r})"

    def check(self) -> str:
        """The engine's version, when it answers and serves the model.

        Raises:
            NoEngine: nothing answers, or something else does.
            ValueError: it serves other models, or refuses the key.
        """
        models = self.told("GET", "/v1/models")
        match self.told("GET", "/version"):
            case {"version": str(version)}:
                self._check_among(models)
                return self.readable(version)
        raise self._another()

    def check_model(self) -> None:
        """Do nothing if it serves the model.

        Raises:
            NoEngine, ValueError: as `check`.
        """
        self._check_among(self.told("GET", "/v1/models"))

    def _check_among(self, told: object) -> None:
        match told:
            case {"data": [*models]}:
                served = [model.get("id") for model in models if isinstance(model, dict)]
            case _:
                raise self._another()
        if self.model not in served:
            named = [self.readable(str(name)) for name in served[:5]]
            raise ValueError(
                f"the server at {self.url} serves {', '.join(named) or 'nothing'}, not "
                f"{self.model}: serve it under that name, or ask for a model it has"
            )

    def complete(self, question: Question) -> Answer:
        """Ask, and wait for the whole answer.

        Raises:
            NoEngine: the server went away, or took longer than the timeout, again and again.
            ValueError: it refuses the request, with its own words; it wrote another number
                of tokens than it was asked for.
        """
        raw = self.told("POST", "/v1/completions", question.body(self.model))
        try:
            answer = Answer.of(raw)
        except ValueError:
            raise self._another() from None
        tokens = answer.raw["choices"][0].get("token_ids")
        if tokens is not None and len(tokens) != question.max_tokens:
            raise ValueError(
                f"the server wrote {len(tokens)} tokens where {question.max_tokens} were asked "
                "for: it does not know vLLM's `ignore_eos`, or was stopped"
            )
        return answer

    def metrics(self) -> str:
        """The /metrics page as it is: `Counters.of` reads it.

        Raises:
            NoEngine: it cannot be had.
            ValueError: the server refuses the key.
        """
        return self._content("GET", "/metrics").decode(errors="replace")

    def told(self, method: str, path: str, body: dict[str, Any] | None = None) -> object:
        """The JSON of any page.

        Raises:
            NoEngine: it cannot be had, or is no JSON.
            ValueError: the server refuses what it is asked, or the key.
        """
        content = self._content(method, path, body)
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise self._another() from None

    def _content(self, method: str, path: str, body: dict[str, Any] | None = None) -> bytes:
        try:
            status, content = self._connection.asked(method, path, body)
        except httpx2.TimeoutException:
            raise NoEngine(
                f"no answer from {self.url} within {self._timeout:g} seconds: is the server "
                "busy, or the address wrong?"
            ) from None
        except httpx2.TransportError:
            raise NoEngine(
                f"no server answers at {self.url}: start one (notebooks/command_line.md has the "
                f"command), or say where one is in the environment's {ADDRESS}"
            ) from None
        except Unusable:
            raise self._another() from None
        if not 200 <= status < 300:
            raise self._refusal(status, content, asked=body is not None)
        return content

    def _refusal(self, status: int, content: bytes, asked: bool) -> Exception:
        if status == 429:  # of the server, or of what stands before it
            return NoEngine(f"the server at {self.url} takes no more requests now: try again later")
        try:
            body = json.loads(content)
        except (ValueError, RecursionError):  # a web server's page
            return self._another()
        if status in (401, 403):
            why = "refuses the key that is set in" if self._key else "wants a key: set it in"
            return ValueError(f"the server at {self.url} {why} the environment's {KEY}")
        match body:
            case {"error": {"message": str(said)}} | {"detail": str(said)}:
                words = self.readable(said)
            case _:
                words = self.readable(str(body))
        if status >= 500:
            return NoEngine(f"the server at {self.url} is in trouble ({status}): {words}")
        return ValueError(f"the server refuses this: {words}") if asked else self._another()

    def readable(self, said: str) -> str:
        """One line of at most 300 characters, without what a terminal would obey."""
        said = said.replace(self._key, "(the key)") if self._key else said
        line = " ".join("".join(c if c.isprintable() else " " for c in said[:10_000]).split())
        return line if len(line) <= 300 else f"{line[:299]}…"

    def _another(self) -> NoEngine:
        return NoEngine(
            f"something answers at {self.url}, but not as vLLM's server does: is another program "
            f"using that port? Start the engine on a free one and set {ADDRESS} to its address"
        )


def engine_here(seconds: float = 2.0) -> Engine | None:
    """The engine that answers where one is expected to, or None where nobody expects one.

    Raises:
        NoEngine: COURSE_ENGINE says where one is, and none answers there.
        ValueError: one answers, but serves other models or wants a key.
    """
    try:
        Engine(timeout=seconds, retries=0).check()
    except NoEngine:
        if os.environ.get(ADDRESS, "").strip():
            raise
        return None
    return Engine()
