"""From a prompt to a text: the code behind `Pair.write` and the command `generate`::

    text -> tokens -> decoding.generate(target, drafter, rule) -> rounds -> pieces of text

`decoding.generate` takes tokens and objects.  Here drafters and rules are chosen by name, a chat
is sampled as the target's makers recommend, and tokens become text as soon as it is readable.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import Drafter, LanguageModel, Round, Rule
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import Metrics, emitted_tokens, summarise
from course_utils.decoding.proposal import check_model
from course_utils.decoding.rules import TREE_RULES, rule_named, slug
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.lengths import AdaptiveLength, Estimated
from course_utils.drafters.named import (
    COUNTED,
    DRAFT,
    DRAFTERS,
    HEADS,
    INT8,
    ON_THE_TARGET,
    SHARED,
    NamedDrafter,
)
from course_utils.files import check_new
from course_utils.measuring.costs import (
    LARGEST,
    best_prediction,
    measured_cost,
    predictions_for,
)
from course_utils.models.contract import verifies_trees
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.refused import line_of_plugin
from course_utils.training.counted import counted_library
from course_utils.writing.text import StopStrings, stream_text
from course_utils.writing.trace import RunSettings, record_rounds

if TYPE_CHECKING:
    from course_utils.writing.pair import Messages, Pair

AUTO, ADAPTIVE = "auto", "adaptive"  # for gamma


class Piece(str):
    """A piece of text, and the `kind` of the token that completed it, as in `Round.kinds`."""

    kind: str


class Writing(Iterator[Piece]):
    """A text being written: an iterator over its pieces, with the numbers of the run.

    `Pair.write` creates it and documents the arguments.

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

    def __init__(
        self, pair: "Pair", text: "Messages", *, chat: bool, system: str | None,
        thinking: bool | None, drafter: str | Drafter | None, rule: str | Rule | None,
        gamma: int | str,
        temperature: float | None, top_k: int | None, top_p: float | None, min_p: float | None,
        max_new_tokens: int, stop: str | Sequence[str], seed: int, trace: str | Path | None,
    ):  # fmt: skip
        strings = (stop,) if isinstance(stop, str) else tuple(stop)
        StopStrings(strings)  # fail on an empty one before anything is measured
        if trace is not None:
            check_new(trace)
            if strings:
                raise ValueError("a trace cannot record stop strings: leave out trace or stop")
        options = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "min_p": min_p}
        changes: dict[str, Any] = {name: x for name, x in options.items() if x is not None}
        self.sampling = replace(pair.chat_sampling if chat else Sampling(), **changes)
        self.prompt = _encoded(pair, text, chat, system, thinking)
        self.rounds: list[Round] = []
        self.text = ""
        self.choosing_seconds: float | None = None
        self.predicted_speedup: float | None = None
        drafter = drafter or usual_drafter(pair.draft)
        choice = named_drafter(drafter)
        self.rule = rule_for(choice, rule)
        model = guessing_model(choice, pair)
        target = decoding_target(pair, model)
        if choice.nodes and not verifies_trees(target):
            raise ValueError(
                "the drafter drafts trees, which only the course's own Qwen3 can verify in one "
                "pass, not this target: take drafter model"
            )
        used, self.gamma = self._choose(gamma, target, choice, model, pair.draft, seed)
        rounds = generate(
            target, self.prompt, used, gamma=self.gamma if used else 1, sampling=self.sampling,
            rule=self.rule, max_new_tokens=max_new_tokens, stop_tokens=pair.stop_tokens,
            seed=seed, rows=trace is not None,
        )  # fmt: skip
        if trace is not None:
            name = drafter if isinstance(drafter, str) else type(drafter).__name__
            settings = RunSettings(
                seed, self.rule.name, self.sampling, name, self.gamma, len(self.prompt),
                max_new_tokens, pair.stop_tokens, target.context,
            )  # fmt: skip
            rounds = record_rounds(trace, rounds, settings)
        self._pieces = self._read(
            stream_text(rounds, pair.decode, before=self.prompt, stop_strings=strings)
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

    def _choose(
        self, gamma: int | str, target: LanguageModel, choice: NamedDrafter,
        model: LanguageModel | None, draft: LanguageModel | None, seed: int,
    ) -> tuple[Drafter | None, int]:  # fmt: skip
        """Return the drafter and a number for `gamma`, measured if necessary.

        What is measured, and the drafter that is tried, know nothing of this text's draws.
        """
        drafter = choice.make(model)
        if drafter is None or choice.nodes:
            return drafter, choice.nodes or 0
        if not isinstance(gamma, str):
            return drafter, gamma
        if gamma not in (AUTO, ADAPTIVE):
            raise ValueError(f"gamma is {gamma!r}; give a whole number, {AUTO!r} or {ADAPTIVE!r}")
        start = now()
        timed = None if choice.guesses_with in ON_THE_TARGET else model  # else the target's passes
        if gamma == ADAPTIVE:
            policy = Estimated(measured_cost(target, timed), largest=LARGEST)
            drafter, largest = AdaptiveLength(drafter, policy), LARGEST
        else:
            tried = _new_copy(drafter, target, model, draft)
            best = best_prediction(
                predictions_for(target, timed, tried, self.prompt, self.sampling, seed=seed)
            )
            drafter, largest = (drafter if best.gamma else None), best.gamma
            self.predicted_speedup = best.speedup
        self.choosing_seconds = now() - start
        return drafter, largest


def _new_copy(drafter: Drafter, *models: LanguageModel | None) -> Drafter:
    """Return a copy that learns for itself, and guesses with the same `models`."""
    try:
        return deepcopy(drafter, {id(model): model for model in models})
    except Exception as error:  # an object may refuse in any way
        raise ValueError(
            f"gamma {AUTO!r} tries a copy of the drafter, and this {type(drafter).__name__} cannot "
            f"be copied ({type(error).__name__}: {error}): name its class as MODULE:NAME, or give "
            "a number for gamma"
        ) from error


def _encoded(
    pair: "Pair", text: "Messages", chat: bool, system: str | None, thinking: bool | None
) -> list[int]:
    if chat:
        return pair.encode_chat(text, system=system, thinking=thinking)
    if system is not None or thinking is not None:
        raise ValueError(
            "system and thinking are for chats only: add chat=True (--chat), or drop them"
        )
    if not isinstance(text, str):
        raise ValueError("messages are for chats only: add chat=True, or give a text to continue")
    return pair.encode(text)


# --- drafters by name ---------------------------------------------------------------------


def usual_drafter(draft: object) -> str:
    """Return the name of the default drafter for this draft model or None."""
    return "model" if draft is not None else "lookup"


def named_drafter(drafter: str | Drafter) -> NamedDrafter:
    """Return a drafter from `DRAFTERS`, your own class as MODULE:NAME or FILE.py:NAME, called
    with (draft model), or a wrapper around a drafter object.

    Raises:
        ValueError: there is no such drafter, module or name; or the module fails.
    """
    if not isinstance(drafter, str):
        return NamedDrafter(lambda model: drafter)
    if drafter in DRAFTERS:
        return DRAFTERS[drafter]
    if not is_plugin(drafter):
        raise ValueError(
            f"drafter is {drafter!r}; choose {', '.join(DRAFTERS)}, or MODULE:NAME for your own"
        )
    return NamedDrafter(load_plugin("drafter", drafter, "draft model"), DRAFT)


def is_plugin(name: str) -> bool:
    """Return whether `name` looks like MODULE:NAME or FILE.py:NAME."""
    where, _, attribute = name.rpartition(":")
    return bool(where) and attribute.isidentifier()


def own_model(name: str) -> LanguageModel:
    """Return your own LanguageModel: the object MODULE:NAME or FILE.py:NAME, or what it returns."""
    model = load_plugin("model", name)
    if callable(model) and (isinstance(model, type) or not hasattr(model, "start")):
        model = model()
    check_model(model, name)
    return model


def load_plugin(kind: str, name: str, *arguments: str) -> Any:
    """Import the object at MODULE:NAME or FILE.py:NAME; the current folder is searched first.

    Raises:
        ValueError: it does not exist, or cannot be called with these arguments.
    """
    where, _, attribute = name.rpartition(":")
    file = Path(where) if where.endswith(".py") else None
    folder = str(file.resolve().parent if file else Path.cwd())
    sys.path.insert(0, folder)
    try:
        plugin = getattr(_load_file(file) if file else import_module(where), attribute)
    except (Exception, SystemExit) as error:  # someone's module may fail in any way
        because = f"{type(error).__name__}: {error}{line_of_plugin(error)}"
        raise ValueError(f"there is no {kind} {name}, because of {because}") from error
    finally:
        with suppress(ValueError):  # the plug-in may have changed the path, too
            sys.path.remove(folder)
    try:
        if arguments:
            signature(plugin).bind(*arguments)
    except (TypeError, ValueError) as error:
        call = f"({', '.join(arguments)})"
        raise ValueError(f"{name} is no {kind}: it cannot be called with {call}") from error
    return plugin


def _load_file(file: Path) -> ModuleType:
    """Import by path: the stem may be no identifier (`mine.1`), or a library's name (`json`)."""
    spec = spec_from_file_location(f"file {file.resolve()}", file)
    if spec is None or spec.loader is None or not file.exists():
        raise FileNotFoundError(f"no file {file}")
    module = sys.modules[spec.name] = module_from_spec(spec)  # dataclasses look it up there
    spec.loader.exec_module(module)
    return module


def rule_for(choice: NamedDrafter, rule: str | Rule | None = None) -> Rule:
    """Return a rule, by its name or your own `Rule` as MODULE:NAME or FILE.py:NAME, by default the
    one for the drafter's chains or trees.

    Raises:
        ValueError: there is no such rule, or it judges chains and the drafter drafts trees.
    """
    if rule is None:
        return choice.rule
    chosen = rule
    if isinstance(rule, str):
        chosen = load_plugin("rule", rule) if is_plugin(rule) else rule_named(rule)
    if not isinstance(chosen, Rule):
        raise ValueError(
            f"{rule} is no rule: give a Rule(name, verify, lossless, source) of decoding.contracts"
        )
    if choice.nodes and not chosen.trees:
        raise ValueError(
            f"the rule {slug(chosen)} judges chains, but the drafter drafts trees: leave the rule "
            f"out, or choose {' or '.join(map(slug, TREE_RULES))}"
        )
    return chosen


def guessing_model(choice: NamedDrafter, pair: "Pair") -> LanguageModel | None:
    """Return the model that `named.make` is called with.

    Raises:
        FileNotFoundError: n-grams need Python's own sources, which this Python lacks; or there
            is no such head.
        ValueError: the pair has no draft model, or a model that cannot be used so.
    """
    from course_utils.models.qwen3 import head_models
    from course_utils.models.qwen3.onnx import quantised

    kind = choice.guesses_with
    target: Any = pair.target  # heads and shared layers raise their own errors
    if kind == COUNTED:
        return counted_library(pair.encode, target.vocabulary_size)
    if kind == SHARED:
        return SharedTarget(target)
    if kind in HEADS:
        return head_models.trained_head(target, head_models.HEADS / kind)
    if kind not in (DRAFT, INT8):
        return choice.model(target, pair.draft)
    if pair.draft is None:
        raise ValueError(
            "the pair has no draft model: load one, or take drafter suffix, lookup or none"
        )
    if kind == DRAFT:
        return pair.draft
    readable: Any = getattr(pair.draft, "readable", pair.draft)
    return quantised(readable)


def decoding_target(pair: "Pair", model: LanguageModel | None) -> LanguageModel:
    """Return the pair's target, or the `SharedTarget` around it that the drafter needs."""
    return model if isinstance(model, SharedTarget) else getattr(model, "shared", pair.target)
