"""What is said to an engine, and what it says: a question, an answer."""

from dataclasses import dataclass
from typing import Any


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

    @property
    def steps(self) -> list[tuple[int, int]] | None:
        """(drafted, accepted) of each round that drafted; None where the server does not tell
        (--per-request-spec-decode-metrics detailed).

        Raises:
            ValueError: what it tells cannot be.
        """
        match self.raw:
            case {"metrics": {"speculative_decoding": {"per_step_drafted": drafted, **told}}}:
                accepted = told.get("per_step_accepted")
            case _:
                return None
        lists = isinstance(drafted, list) and isinstance(accepted, list)
        if not (lists and _counts(drafted + accepted) and len(drafted) == len(accepted)):
            raise ValueError("the answer's rounds are not two lists of counts, equally long")
        if any(a > d for d, a in zip(drafted, accepted, strict=True)):
            raise ValueError("the answer has a round that accepted more than it drafted")
        return list(zip(drafted, accepted, strict=True))


def _counts(numbers: list) -> bool:
    return all(type(n) is int and n >= 0 for n in numbers)
