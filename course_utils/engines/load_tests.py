"""One server's load tests: files of `vllm bench serve`, or a small one of our own.

What `vllm bench serve --save-result --max-concurrency N` writes is read by its own names
(`vllm/benchmarks/serve.py`; REFERENCES.md: vllm): mean_tpot_ms, output_throughput,
max_concurrency, and, where the server drafts, spec_decode_num_drafts, ..._draft_tokens and
..._accepted_tokens.  K is what a draft was long on average, and must come out whole: with
lengths that adapt, a table of one K means nothing.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from pathlib import Path
from typing import Any

from course_utils.engines.client import Engine, Question, ask
from course_utils.engines.counters import Counters, NoCounters
from course_utils.engines.sessions import Part, put

WHOLE = 0.02  # as much may the mean length of a draft be beside a whole number: the ends of texts


@dataclass(frozen=True)
class LoadTest:
    """What was measured at one load with one K.

    Raises:
        ValueError: a number that cannot be.
    """

    name: str
    clients: int  # requests that were open at a time
    k: int  # 0: without a draft
    tokens: float  # per round
    seconds: float  # per token of one request, the first one not counted
    speed: float  # tokens per second of all together

    def __post_init__(self) -> None:
        for what, value in (("time per token", self.seconds), ("throughput", self.speed)):
            if not (isfinite(value) and value > 0):
                raise ValueError(f"{self.name}: the {what} is {value}; it must be above 0")
        if self.clients < 1:
            raise ValueError(f"{self.name}: {self.clients} clients; test with 1 or more")
        if not 1 <= self.tokens <= self.k + 1:
            raise ValueError(
                f"{self.name}: {self.tokens:.3g} tokens per round at K = {self.k}, where a round "
                "emits 1 to K + 1"
            )


def read_load_test(path: Path | str) -> LoadTest:
    """A result file of `vllm bench serve`.

    Raises:
        ValueError: not such a file, or a test that says nothing of one load and one K.
    """
    path = Path(path)
    try:
        said = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} cannot be read as JSON ({type(error).__name__})") from None
    name = path.name
    if not isinstance(said, dict) or "output_throughput" not in said:
        raise ValueError(f"{name} is no result of `vllm bench serve`: write one with --save-result")
    if said.get("max_concurrency") is None:
        raise ValueError(
            f"{name} does not say how many requests were open: test with --max-concurrency"
        )
    drafts, drafted, accepted = (
        _number(said, f"spec_decode_{part}", name)
        for part in ("num_drafts", "draft_tokens", "accepted_tokens")
    )
    if said.get("failed"):
        raise ValueError(f"{name}: {said['failed']} requests failed; what is left is no load test")
    return LoadTest(
        name, int(_number(said, "max_concurrency", name)),
        *_rounds(drafts, drafted, accepted, name),
        _number(said, "mean_tpot_ms", name) / 1000, _number(said, "output_throughput", name),
    )  # fmt: skip


@dataclass(frozen=True)
class Text(Question):
    """A question whose prompt is a text, for servers whose tokenizer is not at hand."""

    text: str = ""

    def body(self, model: str) -> dict[str, Any]:
        return super().body(model) | {"prompt": self.text, "return_token_ids": False}


def load_tests(
    engine: Engine, texts: Sequence[str], clients: Iterable[int], tokens: int, temperature: float
) -> Iterator[LoadTest]:
    """Ask a running server for as many tokens of each text, with so many requests at a time.

    The time per token is that of a whole answer over its tokens, so the prompt has a part in it:
    take prompts that are short beside `tokens`.  It follows from the throughput, for as many
    requests are open all the time (Little 1961).  Before each load as many requests are asked
    and not counted, for a server's first passes of a size may compile it.

    Raises:
        NoEngine, ValueError: those of `Engine` and of `LoadTest`.
    """
    for together in clients:
        asked = [
            Text((), tokens, temperature, seed=n, text=texts[n % len(texts)])
            for n in range(requests(together, len(texts)))
        ]
        _check_whole([answer.raw for answer in ask(engine, asked[:together], together)], tokens)
        part = put(engine, asked, together)
        _check_whole(part.raw, tokens)
        name, speed = f"{engine.url}, {together} clients", len(asked) * tokens / part.seconds
        yield LoadTest(name, together, *_counted(part, engine.model, name), together / speed, speed)


def requests(together: int, texts: int) -> int:
    """That are counted at one load: each text twice or oftener, and no turn that is not full."""
    return together * ceil(2 * max(together, texts) / together)


def _check_whole(answers: Sequence[dict], tokens: int) -> None:
    for raw in answers:
        match raw:
            case {"usage": {"completion_tokens": written}} if written != tokens:
                raise ValueError(
                    f"the server wrote {written} tokens where {tokens} were asked for, so no "
                    "time per token follows: it does not know vLLM's `ignore_eos`"
                )


def _counted(part: Part, model: str, name: str) -> tuple[int, float]:
    try:
        counted = Counters.of(part.after, model) - Counters.of(part.before, model)
    except NoCounters:
        return 0, 1.0
    return _rounds(counted.drafts, counted.drafted, counted.accepted, name)


def _rounds(drafts: float, drafted: float, accepted: float, name: str) -> tuple[int, float]:
    """K, and tokens per round."""
    if not drafts:
        return 0, 1.0
    k = round(drafted / drafts)
    if abs(drafted / drafts - k) > WHOLE * k or k == 0:
        raise ValueError(
            f"{name}: {drafted / drafts:.2f} tokens per draft on average, so K changed during the "
            "test: set one num_speculative_tokens per server"
        )
    return k, 1 + accepted / drafts


def _number(said: dict, key: str, name: str) -> float:
    value = said.get(key, 0 if key.startswith("spec_decode") else None)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(f"{name}: {key} is {value!r}, not a number")
    return value
