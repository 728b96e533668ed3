"""A server asked for texts, and for what it says of a text, as its kind wants to be asked.

vLLM and llama.cpp's server take token ids and return them; each has its own words for the
settings, all of which are pinned.  Others are asked as vLLM is, and must return ids, too; or they
are asked for plain text, of which two servers can be compared.

Rows are [[token, log-probability], ...] at each place: the likeliest, and behind them the text's
own token where it is none of these.  They are those of the model, before any temperature.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from os.path import isdir
from typing import Any

from course_utils.engines.client import Engine, NoEngine, Question
from course_utils.engines.connection import is_this_machine

VLLM, LLAMA, OTHER = "vLLM", "llama.cpp", "an unknown engine"
PINNED = {  # of llama.cpp, whose filters come before the temperature unless they are told otherwise
    "samplers": ["penalties", "temperature", "top_k", "top_p", "min_p"],
    "repeat_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0,
    "cache_prompt": False, "return_tokens": True,
}  # fmt: skip
Row = list[list[float]]
MOST_TOKENS = 10_000_000  # of a vocabulary
ABOVE_ONE = 0.01  # by which rounding may lift a log-probability


class Server:
    """An engine, and how its kind is asked."""

    def __init__(self, engine: Engine):
        """Looks who is there.

        Raises:
            NoEngine: nothing answers that serves models.
            ValueError: it serves others, or wants a key.
        """
        self.engine, self.version = engine, ""
        self.defaults: dict[str, float] = {}  # what it says it takes where a request is silent
        self.kind, self.folder = OTHER, ""  # of its model, where it is on this machine and says so
        engine.check_model()
        match engine.told("GET", "/v1/models"):
            case {"data": [*models]} if is_this_machine(engine.url):
                mine = [m for m in models if isinstance(m, dict) and m.get("id") == engine.model]
                roots = [model.get("root") for model in mine]
                self.folder = next((r for r in roots if isinstance(r, str) and isdir(r)), "")
        with suppress(NoEngine):
            self.version, self.kind = engine.check(), VLLM
            return
        with suppress(NoEngine, ValueError):
            match engine.told("GET", "/props"):
                case {"default_generation_settings": {"params": dict(params)}, **props}:
                    self.kind = LLAMA
                    self.version = engine.readable(str(props.get("build_info", "")))[:40]
                    names = "temperature", "top_k", "top_p", "min_p"
                    self.defaults = {
                        n: round(params[n], 6) for n in names if _is_number(params.get(n))
                    }

    def __str__(self) -> str:
        return f"{self.engine.model} at {self.engine.url}, {self.kind} {self.version}".strip()

    def encode(self, text: str) -> tuple[int, ...]:
        """Its own tokens of a text.

        Raises:
            NoEngine, ValueError: it does not say them.
        """
        body = {"content": text} if self.kind == LLAMA else {
            "model": self.engine.model, "prompt": text}  # fmt: skip
        match self.engine.told("POST", "/tokenize", body):
            case {"tokens": [_, *_] as tokens}:
                return tuple(self._ids(tokens))
        raise ValueError(f"the server at {self.engine.url} does not say which tokens a text has")

    def answer(self, question: Question, likeliest: int = 0) -> dict[str, Any]:
        """{"tokens", "ended"}; {"rows"} of so many tokens each, from the pass that wrote them; of
        llama.cpp {"drafted", "accepted"}.

        Raises:
            NoEngine: it went away.
            ValueError: it refuses the question; it sends no token ids, or too few.
        """
        if self.kind == LLAMA:
            return self._of_llama(question, likeliest)
        more = {"logprobs": likeliest, "return_tokens_as_token_ids": True} if likeliest else {}
        raw = self.engine.told("POST", "/v1/completions", question.body(self.engine.model) | more)
        match raw:
            case {"choices": [{"token_ids": [*tokens]} as choice, *_]}:
                self._ids(tokens)
                ended = choice.get("finish_reason") == "stop"
            case _:
                raise ValueError(
                    f"the server at {self.engine.url} sends no token ids, so that its text cannot "
                    "be held to a model"
                )
        told = {"tokens": tokens, "ended": ended and len(tokens) < question.max_tokens}
        if likeliest:

            def places() -> list[dict[int, float]]:
                said = choice["logprobs"]
                triples = zip(said["top_logprobs"], tokens, said["token_logprobs"], strict=False)
                return [{_id(n): y for n, y in place.items()} | {t: x} for place, t, x in triples]

            told["rows"] = self._rows(places, tokens, likeliest)
        return told

    def rows(self, prompt: tuple[int, ...], tokens: list[int], likeliest: int) -> list[Row]:
        """What vLLM says along a finished text, in one pass that speculates nothing.

        Raises:
            NoEngine: it went away.
            ValueError: it refuses (--max-logprobs says how many it tells), or is not vLLM.
        """
        whole = [*prompt, *tokens]
        body = Question(tuple(whole), 1, 0.0).body(self.engine.model)
        raw = self.engine.told("POST", "/v1/completions", body | {"prompt_logprobs": likeliest})

        def places() -> list[dict[int, float]]:
            said = raw["choices"][0]["prompt_logprobs"][len(prompt) :]
            return [{_id(t): x["logprob"] for t, x in place.items()} for place in said]

        return self._rows(places, tokens, likeliest)

    def _of_llama(self, question: Question, likeliest: int) -> dict[str, Any]:
        asked = PINNED | {
            "prompt": list(question.prompt), "n_predict": question.max_tokens,
            "seed": question.seed, "temperature": question.temperature, "top_k": question.top_k,
            "top_p": question.top_p, "min_p": question.min_p, "n_probs": likeliest,
        }  # fmt: skip
        raw = self.engine.told("POST", "/completion", asked)
        match raw:
            case {"tokens": [*tokens]}:
                self._ids(tokens)
                ended = raw.get("stop_type") == "eos"
            case _:
                raise ValueError(f"llama.cpp at {self.engine.url} returns no tokens: is it old?")
        told = {"tokens": tokens, "ended": ended}
        match raw.get("timings"):
            case {"draft_n": int(drafted), "draft_n_accepted": int(accepted)}:
                told |= {"drafted": drafted, "accepted": accepted}
        if likeliest:

            def places() -> list[dict[int, float]]:
                said = raw["completion_probabilities"]
                return [{t["id"]: t["logprob"] for t in (*p["top_logprobs"], p)} for p in said]

            told["rows"] = self._rows(places, tokens, likeliest)
        return told

    def _ids(self, tokens: list) -> list[int]:
        """The same, if they are token ids."""
        wrong = [t for t in tokens if type(t) is not int or not 0 <= t < MOST_TOKENS]
        if wrong:
            shown = self.engine.readable(repr(wrong[0]))
            raise ValueError(f"the server at {self.engine.url} sends what is no token id: {shown}")
        return tokens

    def _rows(
        self, places: Callable[[], list[dict[int, float]]], tokens: Sequence[int], likeliest: int
    ) -> list[Row]:
        """`places()` read out of an answer: {token: log-probability} at each of its tokens."""
        try:
            said = places()
        except (AttributeError, KeyError, IndexError, TypeError):
            said = []
        for place in said:
            self._ids([*place])
        fit = (_is_number(x) and x <= ABOVE_ONE for place in said for x in place.values())
        if len(said) != len(tokens) or not all(said) or not all(fit):
            raise ValueError(
                f"the server at {self.engine.url} does not say how likely each of its tokens was: "
                "hold it to a copy of its model, --target FOLDER"
            )
        return [_row(place, likeliest) for place in said]


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


def _row(said: Mapping[int, float], likeliest: int) -> Row:
    """Likeliest first; of all that is said only so many, and what else was said of the text's own
    token, which comes last."""
    falling = sorted(said.items(), key=lambda pair: -pair[1])
    return [[token, max(x, -1e4)] for token, x in falling[: likeliest + 1]]


def _id(name: str) -> int:
    """token_id:17 -> 17"""
    word = name.removeprefix("token_id:")
    if not word.isdecimal():
        raise ValueError(f"the server names its tokens in words ({name[:20]!r}), not as ids")
    return int(word)
