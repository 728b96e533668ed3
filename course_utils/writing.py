"""From a prompt to a text: what `Pair.write` and the command `generate` run::

    text -> tokens -> decoding.generate(target, drafter, rule) -> rounds -> pieces of text

`decoding.generate` takes tokens and objects.  Here drafter and rule have names, a chat is sampled
as the target's makers advise, and tokens become text as soon as they can be read.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import Drafter, LanguageModel, Round, Rule
from course_utils.decoding.detokenizer import StopStrings, stream_text
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import Metrics, emitted_tokens, summarise
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
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.proofs.trace import RunSettings, record_rounds
from course_utils.training.counted import counted_library

if TYPE_CHECKING:
    from course_utils.pairs import Messages, Pair

AUTO, ADAPTIVE = "auto", "adaptive"  # for gamma


class Piece(str):
    """A piece of text, and the `kind` of the token that completed it, as in `Round.kinds`."""

    kind: str


class Writing(Iterator[Piece]):
    """A text while it is written: an iterator over its pieces, with the numbers behind it.

    `Pair.write` makes one, and explains the arguments.

    Attributes:
        prompt: the tokens that are continued.
        rounds: those so far, as `decoding.generate` yields them.
        text: what was written so far, without the prompt.
        sampling, rule: those in use.
        gamma: guesses in a round at most; 0: nobody drafts, as where "auto" predicts that no
            draft pays.
        choosing_seconds: what it took to measure for "auto" or "adaptive"; else None.
        predicted_speedup: over decoding without a draft, for "auto"; else None.
    """

    def __init__(
        self, pair: "Pair", text: "Messages", *, chat: bool, system: str | None,
        thinking: bool | None, drafter: str | Drafter | None, rule: str | None, gamma: int | str,
        temperature: float | None, top_k: int | None, top_p: float | None, min_p: float | None,
        max_new_tokens: int, stop: str | Sequence[str], seed: int, trace: str | Path | None,
    ):  # fmt: skip
        strings = (stop,) if isinstance(stop, str) else tuple(stop)
        StopStrings(strings)  # refuses an empty one before anything is measured
        if trace is not None:
            check_new(trace)
            if strings:
                raise ValueError("a trace holds no text, so no stop string: leave one of them out")
        options = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "min_p": min_p}
        changes: dict[str, Any] = {name: x for name, x in options.items() if x is not None}
        self.sampling = replace(pair.chat_sampling if chat else Sampling(), **changes)
        self.prompt = _encoded(pair, text, chat, system, thinking)
        self.rounds: list[Round] = []
        self.text = ""
        self.choosing_seconds: float | None = None
        self.predicted_speedup: float | None = None
        drafter = drafter or usual_drafter(pair.draft)
        named = named_drafter(drafter)
        self.rule = rule_for(named, rule)
        model = guessing_model(named, pair)
        target = decoding_target(pair, model)
        if named.nodes and not hasattr(target.start([]), "keep"):
            raise ValueError(
                "the drafter drafts trees, which the target cannot verify in one pass: only the "
                "course's own Qwen3 can; take drafter model"
            )
        used, self.gamma = self._choose(gamma, target, named, model, seed)
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
        """Write to the end, with nobody reading along."""
        for _ in self._pieces:
            pass
        return self

    @property
    def tokens(self) -> list[int]:
        """The new tokens so far; the last one may be that which completed a stop string."""
        return emitted_tokens(self.rounds)

    @property
    def metrics(self) -> Metrics:
        """Counts, rates and seconds of the rounds so far.

        Raises:
            ValueError: there is none yet.
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
        self, gamma: int | str, target: LanguageModel, named: NamedDrafter,
        model: LanguageModel | None, seed: int,
    ) -> tuple[Drafter | None, int]:  # fmt: skip
        """The drafter and a number for `gamma`, which may have to be measured."""
        drafter = named.make(model)
        if drafter is None or named.nodes:
            return drafter, named.nodes or 0
        if not isinstance(gamma, str):
            return drafter, gamma
        if gamma not in (AUTO, ADAPTIVE):
            raise ValueError(f"gamma is {gamma!r}; give a whole number, {AUTO!r} or {ADAPTIVE!r}")
        start = now()
        timed = None if named.guesses_with in ON_THE_TARGET else model  # else the target's passes
        if gamma == ADAPTIVE:
            policy = Estimated(measured_cost(target, timed), largest=LARGEST)
            drafter, largest = AdaptiveLength(drafter, policy), LARGEST
        else:
            best = best_prediction(
                predictions_for(target, timed, drafter, self.prompt, self.sampling, seed=seed)
            )
            drafter, largest = (named.make(model) if best.gamma else None), best.gamma
            self.predicted_speedup = best.speedup
        self.choosing_seconds = now() - start
        return drafter, largest


def _encoded(
    pair: "Pair", text: "Messages", chat: bool, system: str | None, thinking: bool | None
) -> list[int]:
    if chat:
        return pair.encode_chat(text, system=system, thinking=thinking)
    if system is not None or thinking is not None:
        raise ValueError("system and thinking belong to a chat, and none was asked for")
    if not isinstance(text, str):
        raise ValueError("messages belong to a chat: add chat=True, or give the text to continue")
    return pair.encode(text)


# --- drafters by name ---------------------------------------------------------------------


def usual_drafter(draft: object) -> str:
    """Name the drafter of a pair that has this draft model, or None."""
    return "model" if draft is not None else "lookup"


def named_drafter(drafter: str | Drafter) -> NamedDrafter:
    """A drafter of `DRAFTERS`; yours as MODULE:NAME or FILE.py:NAME, called with (draft model);
    or one that is made already.

    Raises:
        ValueError: no such drafter, module or name; or the module fails.
    """
    if not isinstance(drafter, str):
        return NamedDrafter(lambda model: drafter)
    if drafter in DRAFTERS:
        return DRAFTERS[drafter]
    if not all(drafter.partition(":")):
        raise ValueError(
            f"drafter is {drafter!r}; choose {', '.join(DRAFTERS)}, or MODULE:NAME for your own"
        )
    return NamedDrafter(load_plugin("drafter", drafter, "(draft model)"), DRAFT)


def load_plugin(kind: str, name: str, arguments: str) -> Callable[..., Any]:
    """Import what MODULE:NAME or FILE.py:NAME names; the current folder is searched first.

    Raises:
        ValueError: there is no such thing, or it cannot be called.
    """
    where, _, attribute = name.rpartition(":")
    file = Path(where) if where.endswith(".py") else None
    sys.path.insert(0, str(file.resolve().parent if file else Path.cwd()))
    try:
        module = _load_file(file) if file else import_module(where)
        plugin = getattr(module, attribute)
    except (Exception, SystemExit) as error:  # a module of yours may fail in any way
        because = type(error).__name__
        raise ValueError(f"there is no {kind} {name}, because of {because}: {error}") from error
    finally:
        sys.path.pop(0)
    if not callable(plugin):
        raise ValueError(f"{name} is no {kind}: it cannot be called with {arguments}")
    return plugin


def _load_file(file: Path) -> ModuleType:
    """Import by path: its stem may be no name (`mine.1`), or a library's (`json`)."""
    spec = spec_from_file_location(f"file {file.resolve()}", file)
    if spec is None or spec.loader is None or not file.exists():
        raise FileNotFoundError(f"no file {file}")
    module = sys.modules[spec.name] = module_from_spec(spec)  # where a dataclass looks for it
    spec.loader.exec_module(module)
    return module


def rule_for(named: NamedDrafter, rule: str | None = None) -> Rule:
    """The rule of that name, by default the one for what the drafter drafts.

    Raises:
        ValueError: there is none of that name; it judges chains, and the drafter drafts trees.
    """
    if rule is None:
        return named.rule
    chosen = rule_named(rule)
    if named.nodes and not chosen.trees:
        raise ValueError(
            f"the rule {slug(chosen)} judges chains, and the drafter drafts trees: leave the rule "
            f"out, or choose {' or '.join(map(slug, TREE_RULES))}"
        )
    return chosen


def guessing_model(named: NamedDrafter, pair: "Pair") -> LanguageModel | None:
    """The model that `named.make` is called with.

    Raises:
        FileNotFoundError: n-grams are to be counted, and this Python has no sources; or there
            is no such head.
        ValueError: the pair has no draft model, or a model that cannot be used so.
    """
    from course_utils.models.qwen3 import head_models
    from course_utils.models.qwen3.onnx import quantised

    kind = named.guesses_with
    target: Any = pair.target  # heads and shared layers say themselves what they cannot use
    if kind == COUNTED:
        return counted_library(pair.encode, target.vocabulary_size)
    if kind == SHARED:
        return SharedTarget(target)
    if kind in HEADS:
        return head_models.trained_head(target, head_models.HEADS / kind)
    if kind not in (DRAFT, INT8):
        return named.model(target, pair.draft)
    if pair.draft is None:
        raise ValueError(
            "the pair has no draft model: load it with one, or take drafter suffix, lookup or none"
        )
    if kind == DRAFT:
        return pair.draft
    readable: Any = getattr(pair.draft, "readable", pair.draft)
    return quantised(readable)


def decoding_target(pair: "Pair", model: LanguageModel | None) -> LanguageModel:
    """The pair's target, or the `SharedTarget` around it that the drafter works with."""
    return model if isinstance(model, SharedTarget) else getattr(model, "shared", pair.target)
