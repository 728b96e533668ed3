"""A client of an engine that speaks OpenAI's protocol, as vLLM's server does.

Prompts go as token ids and answers come back as token ids: no template and no second
tokenizer stands between two decoders that are to be compared.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx
import openai

from course_utils.engines.configurations import MODEL

ADDRESS = "COURSE_ENGINE"  # environment: where a server is, if not at HERE
KEY = "COURSE_ENGINE_KEY"  # environment: what it wants to be shown, if anything
HERE = "http://127.0.0.1:8000"


class NoEngine(ConnectionError):
    """Nothing answers, or what answers is no engine of this kind."""


@dataclass(frozen=True)
class Question:
    """A prompt, and how it is to be continued."""

    prompt: tuple[int, ...]  # tokens
    max_tokens: int
    temperature: float
    seed: int = 0

    def body(self, model: str) -> dict[str, Any]:
        """Of POST /v1/completions.  The end of a text is no reason to stop: texts to compare
        are equally long."""
        return {
            "model": model,
            "prompt": list(self.prompt),
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            "seed": self.seed,
            "ignore_eos": True,
            "return_token_ids": True,
        }


@dataclass(frozen=True)
class Answer:
    """What a server said: the parts the lesson uses, out of `raw`."""

    raw: dict[str, Any]  # the response's JSON, whole

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

    @property
    def steps(self) -> list[tuple[int, int]] | None:
        """(drafted, accepted) of each round that drafted; None where the server does not tell
        (--per-request-spec-decode-metrics detailed)."""
        told = (self.raw.get("metrics") or {}).get("speculative_decoding") or {}
        if "per_step_drafted" not in told:
            return None
        return list(zip(told["per_step_drafted"], told["per_step_accepted"], strict=True))


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
            url: without /v1; by default what the environment's COURSE_ENGINE says, else a
                server on this machine at port 8000.
            model: the name under which the server serves it.
            timeout: seconds until a request is given up.
            retries: how often one is repeated that got no answer, or an answer that says
                the server is busy.
            key: what the server wants to be shown; by default COURSE_ENGINE_KEY's value.

        Raises:
            ValueError: the address is not one.
        """
        self.url = (url or os.environ.get(ADDRESS) or HERE).rstrip("/").removesuffix("/v1")
        self.model = model
        if httpx.URL(self.url).scheme not in ("http", "https"):
            raise ValueError(f"{self.url!r} is no address of a server; one is {HERE}")
        key = key or os.environ.get(KEY)
        self._openai = openai.OpenAI(
            base_url=f"{self.url}/v1", api_key=key or "none", timeout=timeout, max_retries=retries
        )
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._plain = httpx.Client(base_url=self.url, timeout=timeout, headers=headers)

    def check(self) -> str:
        """The engine's version, when it answers and serves the model.

        Raises:
            NoEngine: nothing answers, or something else does.
            ValueError: it serves other models, or refuses the key.
        """
        try:
            served = [model.id for model in self._openai.models.list()]
            version = str(self._get("/version").json()["version"])
        except openai.AuthenticationError:
            raise ValueError(
                f"the server at {self.url} wants a key: set the environment's {KEY}"
            ) from None
        except openai.APIConnectionError as error:
            raise self._nobody(isinstance(error, openai.APITimeoutError)) from None
        except (openai.OpenAIError, ValueError, KeyError, TypeError, AttributeError):
            raise self._another() from None
        if self.model not in served:
            raise ValueError(
                f"the server at {self.url} serves {', '.join(served) or 'nothing'}, not "
                f"{self.model}: start it with `make engine`, or ask for a model it has"
            )
        return version

    def complete(self, question: Question) -> Answer:
        """Ask, and wait for the whole answer.

        Raises:
            NoEngine: the server went away, or took longer than the timeout, again and again.
            ValueError: it refuses the request; its own words.
        """
        try:
            response = self._openai.post(
                "/completions", cast_to=httpx.Response, body=question.body(self.model)
            )
            return Answer(response.json())
        except openai.APIConnectionError as error:
            raise self._nobody(isinstance(error, openai.APITimeoutError)) from None
        except openai.APIStatusError as error:
            raise ValueError(f"the server refuses this: {error.message}") from None
        except ValueError:  # no JSON
            raise self._another() from None

    def metrics(self) -> str:
        """The /metrics page as it is: `Counters.of` reads it.

        Raises:
            NoEngine: it cannot be had.
        """
        return self._get("/metrics").text

    def _get(self, path: str) -> httpx.Response:
        try:
            response = self._plain.get(path)
        except httpx.TransportError as error:
            raise self._nobody(isinstance(error, httpx.TimeoutException)) from None
        if response.is_error:
            raise self._another()
        return response

    def _nobody(self, late: bool) -> NoEngine:
        if late:
            return NoEngine(
                f"no answer from {self.url} within {self._plain.timeout.read:g} seconds: is the "
                "server busy, or the address wrong?"
            )
        return NoEngine(
            f"no server answers at {self.url}: start one with `make engine`, or say where one is "
            f"in the environment's {ADDRESS}"
        )

    def _another(self) -> NoEngine:
        return NoEngine(
            f"something answers at {self.url}, but not as vLLM's server does: is another program "
            "using that port? Start the engine on a free one, `make engine PORT=8001`, and set "
            f"{ADDRESS}=http://127.0.0.1:8001"
        )


def engine_here(seconds: float = 2.0) -> Engine | None:
    """The engine that answers where one is expected to, or None.

    Raises:
        ValueError: one answers, but serves other models or wants a key.
    """
    try:
        Engine(timeout=seconds, retries=0).check()
    except NoEngine:
        return None
    return Engine()


def ask(engine: Engine, questions: Sequence[Question], together: int = 1) -> list[Answer]:
    """The answers, in the order of the questions; `together` of them are open at any time."""
    with ThreadPoolExecutor(together) as askers:
        return list(askers.map(engine.complete, questions))
