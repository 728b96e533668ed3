"""From a prompt to a text: the code behind `Pair.write` and the command `generate`::

    text -> tokens -> decoding.generate(target, drafter, rule) -> rounds -> pieces of text

`decoding.generate` takes tokens and objects.  Here a request has names, a chat is sampled as the
target's makers recommend, and tokens become text as soon as it is readable.
"""

from collections.abc import Iterator, Sequence
from functools import wraps
from inspect import signature
from typing import Any

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import Metrics, emitted_tokens, summarise
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.sessions import verifies_trees
from course_utils.drafters.registry import (
    COUNTED,
    INT8,
    ON_THE_TARGET,
    SHARED,
    TARGET,
    NamedDrafter,
)
from course_utils.models.load import Messages, Models, load_models
from course_utils.writing.request import Choice, Request
from course_utils.writing.text import stream_text


class Piece(str):
    """A piece of text, and the `kind` of the token that completed it, as in `Round.kinds`."""

    kind: str


class Writing(Iterator[Piece]):
    """A text being written: an iterator over its pieces, with the numbers of the run.

    Attributes:
        prompt: the prompt's tokens.
        rounds: the rounds so far, as `decoding.generate` yields them.
        text: the text so far, without the prompt; it ends before a stop token.
        sampling, rule: those in use.
        gamma: the most guesses per round; 0: no draft, for example because "auto" predicts that
            none is fast enough.
        choosing_seconds: the time of the measurement for "auto" or "adaptive"; else None.
        predicted_speedup: over decoding without a draft, for "auto"; else None.
    """

    def __init__(self, models: Models, request: Request):
        named, self.rule = request.drafting(models.draft)
        self.sampling = request.sampling(models.chat_sampling if request.chat else Sampling())
        self.prompt = _prompt_tokens(models, request)
        self.rounds: list[Round] = []
        self.text = ""
        model = guessing_model(named, models)
        target = decoding_target(models, model)
        if named.rule.trees and not verifies_trees(target):
            raise ValueError(
                "the drafter drafts trees, which only the course's own Qwen3 can verify in one "
                "pass, not this target: take drafter model"
            )
        chosen = _chosen(request, named, target, model, models.draft, self.prompt, self.sampling)
        self.gamma = chosen.gamma
        self.choosing_seconds, self.predicted_speedup = chosen.seconds, chosen.predicted_speedup
        rounds = generate(
            target, self.prompt, chosen.drafter, gamma=self.gamma if chosen.drafter else 1,
            sampling=self.sampling, rule=self.rule, max_new_tokens=request.max_new_tokens,
            stop_tokens=models.stop_tokens, seed=request.seed, rows=request.trace is not None,
        )  # fmt: skip
        if request.trace is not None:
            from course_utils.writing.trace import RunSettings, record_rounds

            settings = RunSettings(
                request.seed, self.rule.name, self.sampling, named.name, self.gamma,
                len(self.prompt), request.max_new_tokens, models.stop_tokens, target.context,
            )  # fmt: skip
            rounds = record_rounds(request.trace, rounds, settings)
        self._pieces = self._read(
            stream_text(
                rounds, models.decode, before=self.prompt, stop_strings=request.stop_strings
            )
        )

    def __next__(self) -> Piece:
        return next(self._pieces)

    def finish(self) -> "Writing":
        """Write the text to its end."""
        for _ in self._pieces:
            pass
        return self

    @property
    def tokens(self) -> list[int]:
        """The new tokens so far; the last one may be a stop token or complete a stop string."""
        return emitted_tokens(self.rounds)

    @property
    def metrics(self) -> Metrics:
        """Counts, rates and seconds of the rounds so far.

        Raises:
            ValueError: there are no rounds yet.
        """
        return summarise(self.rounds)

    def _read(self, streamed: Iterator[tuple[Round, list[str]]]) -> Iterator[Piece]:
        for done, texts in streamed:
            self.rounds.append(done)
            for text, kind in zip(texts, done.kinds, strict=True):
                self.text += text
                if text:
                    piece = Piece(text)
                    piece.kind = kind
                    yield piece


def _prompt_tokens(models: Models, request: Request) -> list[int]:
    if request.chat:
        return models.encode_chat(request.text, system=request.system, thinking=request.thinking)
    assert isinstance(request.text, str)  # checked by the request
    return models.encode(request.text)


def _chosen(
    request: Request, named: NamedDrafter, target: LanguageModel, model: LanguageModel | None,
    draft: LanguageModel | None, prompt: Sequence[int], sampling: Sampling,
) -> Choice:  # fmt: skip
    """Return the drafter and a number for gamma, measured if necessary."""
    drafter, gamma = named.make(model), request.gamma
    if drafter is None or named.nodes:
        return Choice(drafter, named.nodes or 0)
    if not isinstance(gamma, str):
        return Choice(drafter, gamma)
    from course_utils.writing.gamma import measured_choice

    timed = None if named.guesses_with in ON_THE_TARGET else model  # else the target's passes
    shared = (target, model, draft)
    return measured_choice(gamma, target, timed, drafter, prompt, sampling, request.seed, shared)


def guessing_model(named: NamedDrafter, models: Models) -> LanguageModel | None:
    """Return the model that `named.make` is called with.

    Raises:
        FileNotFoundError: n-grams need Python's own sources, which this Python lacks; or there
            is no such head.
        ValueError: the pair has no draft model, or a model that cannot be used so.
    """
    kind, target = named.guesses_with, models.target
    if kind in (None, TARGET):
        return target if kind else None
    if kind == COUNTED:
        from course_utils.training.counted import counted_library

        return counted_library(models.encode, target.vocabulary_size)
    if kind in ON_THE_TARGET:  # heads and shared layers raise their own errors
        return model_on_target(kind, target)
    if models.draft is None:
        raise ValueError(
            "the pair has no draft model: load one, or take drafter suffix, lookup or none"
        )
    if kind == INT8:
        from course_utils.models.qwen3.onnx import quantised

        readable: Any = getattr(models.draft, "readable", models.draft)
        return quantised(readable)
    return models.draft


def model_on_target(kind: str, target: Any) -> LanguageModel:
    """Return the target as a `SharedTarget`, or a trained head on it."""
    if kind == SHARED:
        from course_utils.models.qwen3.shared_layers import SharedTarget

        return SharedTarget(target)
    from course_utils.models.trained_heads import HEADS, trained_head

    return trained_head(target, HEADS / kind)


def decoding_target(models: Models, model: Any) -> LanguageModel:
    """Return the pair's target, or the `SharedTarget` around it that the drafter's model needs."""
    return getattr(model, "shared", models.target)


class Pair(Models):
    """A target, perhaps a draft, and their tokenizer; `load_pair` loads one."""

    def write(self, text: Messages, **options: Any) -> Writing:
        """Continue `text`, or answer it, speculatively; iterate over the pieces of text.

        >>> writing = pair.write("Why is the sky blue?", chat=True, temperature=0.7)
        >>> for piece in writing: print(piece, end="")
        >>> writing.metrics.tokens_per_round

        Args:
            options: the fields of a `Request`, which explains them.

        Raises:
            ValueError, OSError: an argument cannot be used; the message says what to do.
        """
        return Writing(self, Request(text, **options))


_self, *_ = signature(Pair.write).parameters.values()
_options = signature(Request).parameters.values()
Pair.write.__signature__ = signature(Pair.write).replace(parameters=[_self, *_options])  # type: ignore[attr-defined]


@wraps(load_models, assigned=("__doc__",))
def load_pair(*names: Any, **options: Any) -> Pair:
    return Pair(**vars(load_models(*names, **options)))
