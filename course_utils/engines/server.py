"""A server that is asked for texts and for log-probabilities, each kind in its own words.

vLLM and llama.cpp's server take token ids and return them; every setting is pinned in the request.
Others are asked for texts as vLLM is, and must return ids, too.

Rows are [[token, log-probability], ...] at each place: the likeliest, and behind them the text's
own token if it is none of these.  They are those of the model, before any temperature.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from course_utils.engines.answer_log import Record
from course_utils.engines.client import Engine, NoEngine, Question

VLLM, LLAMA, OTHER = "vLLM", "llama.cpp", "an unknown engine"
LLAMA_PINNED = {  # by default its filters come before the temperature
    "samplers": ["penalties", "temperature", "top_k", "top_p", "min_p"],
    "repeat_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0,
    "cache_prompt": False, "return_tokens": True,
}  # fmt: skip
LARGEST_VOCABULARY = 10_000_000  # tokens
LARGEST_LOGPROB, LOWEST_LOGPROB = 0.01, -1e4  # rounding may lift it above 0; -inf is no JSON
Places = list[dict[int, float]]  # {token: log-probability} at each token of an answer


class Server:
    """An engine, and the requests that its kind understands."""

    def __init__(self, engine: Engine):
        """Find out which kind it is; raises NoEngine or ValueError as `Engine.check_model`."""
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
        """The server's own tokens of a text; raises ValueError: it does not return them."""
        content = {"content": text, "prompt": text, "model": self.engine.model}
        match self.engine.request("POST", "/tokenize", content):
            case {"tokens": [_, *_] as tokens}:
                return tuple(self._checked(tokens))
        raise ValueError(f"the server at {self.engine.url} does not return the tokens of a text")

    def answer(self, question: Question, likeliest: int = 0) -> Record:
        """{"tokens", "ended"}, and {"rows"} of the `likeliest` tokens if there are any to list.

        vLLM's rows come from a second pass over the whole text, which speculates nothing;
        llama.cpp's from the passes that wrote it.

        Raises:
            NoEngine: it went away.
            ValueError: it refuses the question, or sends no token ids, or no rows.
        """
        if self.kind == LLAMA:
            return self._ask_llama(question, likeliest)
        raw = self.engine.request("POST", "/v1/completions", question.body(self.engine.model))
        match raw:
            case {"choices": [{"token_ids": [*tokens]} as choice, *_]}:
                ended = choice.get("finish_reason") == "stop"
                answer: Record = {"tokens": self._checked(tokens), "ended": ended}
            case _:
                raise ValueError(
                    f"the server at {self.engine.url} sends no token ids, so that its text cannot "
                    "be compared with a model's rows"
                )
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
                raise ValueError(f"llama.cpp at {self.engine.url} returns no tokens: is it old?")
        if likeliest:
            answer["rows"] = self._rows(lambda: _llama_places(raw), tokens, likeliest)
        return answer

    def _checked(self, tokens: Sequence[Any]) -> list[int]:
        """Raises ValueError: not all of these are token ids."""
        for token in tokens:
            if not _is_token(token):
                words = self.engine.readable(repr(token))
                raise ValueError(f"the server at {self.engine.url} sends as a token id: {words}")
        return list(tokens)

    def _rows(
        self, places: Callable[[], Places], tokens: Sequence[int], likeliest: int
    ) -> list[list[list[float]]]:
        """`places()`, read out of a response, as rows; refused if it isn't one for each token."""
        try:
            pairs = zip(places(), tokens, strict=True)
            return [_row(place, token, likeliest) for place, token in pairs]
        except (AttributeError, KeyError, IndexError, TypeError, ValueError):
            raise ValueError(
                f"the server at {self.engine.url} does not say how likely each of its tokens was: "
                "compare it with a copy of its model, --target FOLDER"
            ) from None


def _vllm_places(raw: Any, count: int) -> Places:
    places = raw["choices"][0]["prompt_logprobs"][-count:]
    return [{int(token): entry["logprob"] for token, entry in p.items()} for p in places]


def _llama_places(raw: Any) -> Places:
    places = raw["completion_probabilities"]
    return [{entry["id"]: entry["logprob"] for entry in (*p["top_logprobs"], p)} for p in places]


def _row(place: Mapping[int, float], token: int, likeliest: int) -> list[list[float]]:
    for each, x in place.items():
        if not (_is_token(each) and type(x) in (int, float) and x <= LARGEST_LOGPROB):
            raise ValueError("no log-probability of a token")
    falling = sorted(place, key=lambda each: -place[each])[:likeliest]
    own = [] if token in falling else [token]
    return [[each, max(place[each], LOWEST_LOGPROB)] for each in (*falling, *own)]


def _is_token(value: object) -> bool:
    return type(value) is int and 0 <= value < LARGEST_VOCABULARY
