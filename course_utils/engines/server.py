"""Requests for texts and log-probabilities, in the dialect of each kind of server.

vLLM and llama.cpp's server take and return token ids; every setting is explicit in the request.
Other servers get vLLM's requests and must return ids, too.

Rows are [[token, log-probability], ...] at each place: the likeliest tokens, then the text's own
token if it is not among them.  They are the model's, before any temperature.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from course_utils.engines.answer_log import Record
from course_utils.engines.client import Answer, Engine, NoEngine, Question

VLLM, LLAMA, OTHER = "vLLM", "llama.cpp", "an unknown engine"
LLAMA_PINNED = {  # its defaults apply filters before the temperature
    "samplers": ["penalties", "temperature", "top_k", "top_p", "min_p"],
    "repeat_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0,
    "cache_prompt": False, "return_tokens": True,
}  # fmt: skip
LARGEST_VOCABULARY = 10_000_000  # tokens
LARGEST_LOGPROB, LOWEST_LOGPROB = 0.01, -1e4  # rounding may exceed 0; JSON has no -inf
Places = list[dict[int, float]]  # {token: log-probability} at each token of an answer


class Server:
    """An engine, with the requests of its kind."""

    def __init__(self, engine: Engine):
        """Detect its kind; raise NoEngine or ValueError as `Engine.check_model`."""
        self.engine, self.kind, self.version = engine, OTHER, ""
        engine.check_model()
        with suppress(NoEngine):
            self.version, self.kind = engine.check(), VLLM
            return
        with suppress(NoEngine, ValueError):
            match engine.request("GET", "/props"):
                case {"default_generation_settings": _, **props}:
                    self.version = engine.readable(str(props.get("build_info", "")))[:40]
                    self.kind = LLAMA

    def __str__(self) -> str:
        return f"{self.engine.model} at {self.engine.url}, {self.kind} {self.version}".strip()

    def encode(self, text: str) -> tuple[int, ...]:
        """Return the server's tokens of a text; raise a ValueError if it does not return them."""
        content = {"content": text, "prompt": text, "model": self.engine.model}
        match self.engine.request("POST", "/tokenize", content):
            case {"tokens": [_, *_] as tokens}:
                return tuple(self._checked(tokens))
        raise ValueError(f"the server at {self.engine.url} does not return the tokens of a text")

    def answer(self, question: Question, likeliest: int = 0) -> Record:
        """Return {"tokens", "ended"}, and "rows" of the `likeliest` tokens if that is above 0.

        vLLM's rows come from a second pass over the whole text, without speculation;
        llama.cpp's come from the passes that wrote it.

        Raises:
            NoEngine: it is gone.
            ValueError: it refuses the question, or sends no token ids or no rows.
        """
        if self.kind == LLAMA:
            return self._ask_llama(question, likeliest)
        raw = self.engine.request("POST", "/v1/completions", question.body(self.engine.model))
        tokens = self._checked(Answer.of(raw).tokens)
        ended = raw["choices"][0].get("finish_reason") == "stop"
        answer: Record = {"tokens": tokens, "ended": ended}
        if likeliest:
            body = Question((*question.prompt, *tokens), 1, 0.0).body(self.engine.model)
            body |= {"prompt_logprobs": likeliest}
            raw = self.engine.request("POST", "/v1/completions", body)
            answer["rows"] = self._rows(lambda: _vllm_places(raw, len(tokens)), tokens, likeliest)
        return answer

    def _ask_llama(self, question: Question, likeliest: int) -> Record:
        raw = self.engine.request("POST", "/completion", LLAMA_PINNED | {
            "prompt": list(question.prompt), "n_predict": question.max_tokens,
            "seed": question.seed, "temperature": question.temperature, "top_k": question.top_k,
            "top_p": question.top_p, "min_p": question.min_p, "n_probs": likeliest,
        })  # fmt: skip
        match raw:
            case {"tokens": [*tokens]}:
                ended = raw.get("stop_type") == "eos"
                answer: Record = {"tokens": self._checked(tokens), "ended": ended}
            case _:
                raise ValueError(f"llama.cpp at {self.engine.url} returns no tokens: update it")
        if likeliest:
            answer["rows"] = self._rows(lambda: _llama_places(raw), tokens, likeliest)
        return answer

    def _checked(self, tokens: Sequence[Any]) -> list[int]:
        """Return the token ids; raise a ValueError if one is not."""
        for token in tokens:
            if not _is_token(token):
                words = self.engine.readable(repr(token))
                raise ValueError(f"the server at {self.engine.url} sends as a token id: {words}")
        return list(tokens)

    def _rows(
        self, places: Callable[[], Places], tokens: Sequence[int], likeliest: int
    ) -> list[list[list[float]]]:
        """Return `places()`, read from a response, as rows; check that there is one per token."""
        try:
            pairs = zip(places(), tokens, strict=True)
            return [_row(place, token, likeliest) for place, token in pairs]
        except (AttributeError, KeyError, IndexError, TypeError, ValueError):
            raise ValueError(
                f"the server at {self.engine.url} does not return the log-probability of each "
                "token: compare it with a copy of its model, --target FOLDER"
            ) from None


def _vllm_places(raw: Any, count: int) -> Places:
    places = raw["choices"][0]["prompt_logprobs"][-count:]
    return [{int(token): entry["logprob"] for token, entry in p.items()} for p in places]


def _llama_places(raw: Any) -> Places:
    places = raw["completion_probabilities"]
    return [{entry["id"]: entry["logprob"] for entry in (*p["top_logprobs"], p)} for p in places]


def _row(place: Mapping[int, float], token: int, likeliest: int) -> list[list[float]]:
    # llama.cpp with speculation lists only the token itself, with log-probability 0 (#27972)
    if len(place) < likeliest:
        raise ValueError("fewer tokens than requested")
    for each, x in place.items():
        if not (_is_token(each) and type(x) in (int, float) and x <= LARGEST_LOGPROB):
            raise ValueError("no log-probability of a token")
    falling = sorted(place, key=lambda each: -place[each])[:likeliest]
    own = [] if token in falling else [token]
    return [[each, max(place[each], LOWEST_LOGPROB)] for each in (*falling, *own)]


def _is_token(value: object) -> bool:
    return type(value) is int and 0 <= value < LARGEST_VOCABULARY
