"""What commands let one choose: a pair, a drafter, gamma, a rule, a tree, a chat, the threads."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction, Namespace
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from joblib import cpu_count

from course_utils.decoding.contracts import LanguageModel, Rule
from course_utils.decoding.optimal_trees import sequoia
from course_utils.decoding.rules import RULES, TOKEN_WISE, TREE_RULES, rule_named, slug
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.trees import Parents, widths
from course_utils.drafters.named import (
    BY_RANK,
    COUNTED,
    DRAFT,
    DRAFTERS,
    HEADS,
    INT8,
    SHAPE,
    SHARED,
    NamedDrafter,
)
from course_utils.models.loading.cores import threads_for
from course_utils.models.loading.vocabularies import fitted
from course_utils.models.names import AUTO, DTYPES, ONNX, PAIRS, READABLE
from course_utils.models.penalties import Penalties
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.training.counted import counted_library

if TYPE_CHECKING:
    from course_utils.pairs import Pair


def pair_names(target: str | None, draft: str | None, drafter: str) -> tuple[str, str | None]:
    """Which models to load: (target or the trained pair's, draft or None).

    Raises:
        ValueError: an empty name; a drafter that needs a draft model, and none is known.
    """
    for option, name in (("--target", target), ("--draft", draft)):
        if name == "":
            raise ValueError(f"{option} is empty: give a folder or a hub id, or leave it out")
    default_target, default_draft = PAIRS.get(target or "tiny", (target, None))
    if drafter in DRAFTERS and DRAFTERS[drafter].guesses_with not in (DRAFT, INT8):
        return default_target, draft
    if not (draft or default_draft):
        raise ValueError(
            f"no draft model is known for {target}: name one with --draft, "
            "or choose --drafter suffix, lookup or none"
        )
    return default_target, draft or default_draft


def named_drafter(name: str) -> NamedDrafter:
    """A drafter of the course, or yours: MODULE:NAME, called with (draft model).

    The module is looked for in the current folder first.

    Raises:
        ValueError: no such drafter, module or name; or the module fails.
    """
    if name in DRAFTERS:
        return DRAFTERS[name]
    if not all(name.partition(":")):
        raise ValueError(
            f"drafter is {name!r}; choose {', '.join(DRAFTERS)}, or MODULE:NAME for your own"
        )
    return NamedDrafter(load_plugin("drafter", name, "(draft model)"), DRAFT)


def load_plugin(kind: str, name: str, arguments: str) -> Callable:
    """What MODULE:NAME or FILE.py:NAME names; a module is looked for here first.

    Raises:
        ValueError: there is no such thing, or it cannot be called.
    """
    where, _, attribute = name.rpartition(":")
    file = Path(where) if where.endswith(".py") else None
    sys.path.insert(0, str(file.resolve().parent if file else Path.cwd()))
    try:
        thing = getattr(_of_file(file) if file else import_module(where), attribute)
    except (Exception, SystemExit) as error:  # a module of yours may fail in any way
        because = type(error).__name__
        raise ValueError(f"there is no {kind} {name}, because of {because}: {error}") from error
    finally:
        sys.path.pop(0)
    if not callable(thing):
        raise ValueError(f"{name} is no {kind}: it cannot be called with {arguments}")
    return thing


def _of_file(file: Path) -> ModuleType:
    """Its module, by its path: its stem may be no name (`mine.1`), or a library's (`json`)."""
    if not file.exists():
        raise FileNotFoundError(f"no file {file}")
    spec = spec_from_file_location(f"file {file.resolve()}", file)
    module = sys.modules[spec.name] = module_from_spec(spec)  # where a dataclass looks for it
    spec.loader.exec_module(module)
    return module


def add_loading(parser: ArgumentParser) -> None:
    """The options of a command that loads a pair: how, where, and on how many cores."""
    parser.add_argument(
        "--form",
        choices=(AUTO, READABLE, ONNX),
        default=AUTO,
        help="of a Qwen3: the one that lesson 07 reads, or the same for ONNX Runtime, on a CPU in "
        "float32 (default: ONNX Runtime where it runs, else the readable one)",
    )
    parser.add_argument(
        "--dtype",
        default="auto",
        choices=("auto", *DTYPES),
        help="auto: for large models bfloat16 where the processor has it, float16 on a GPU that "
        "has only that; else float32",
    )
    parser.add_argument(
        "--device-map",
        help="auto, balanced, balanced_low_0, sequential or a device: accelerate places the models",
    )
    parser.add_argument(
        "--threads",
        type=int,
        help="CPU threads (default: one for the trained pair, else the cores given)",
    )


def check_gamma(gamma: int) -> None:
    """Raises ValueError: fewer than one drafted token per round."""
    check_whole("gamma", gamma, 1)


def check_prompt(prompt: str | None) -> None:
    """Do nothing if it is text.

    Raises:
        ValueError: there is none, or it has a character that is no UTF-8.
    """
    if not prompt:
        raise ValueError("the prompt is empty: give some text to continue")
    try:
        prompt.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"the prompt is no text from character {error.start + 1} on: give UTF-8"
        ) from error


def check_seed(seed: int) -> None:
    """Raises ValueError: no 64-bit number without a sign."""
    check_whole("seed", seed, 0, 2**64 - 1)


def set_threads(threads: int | None, pair: str | None = None) -> None:
    """None: as many as `threads_for(pair)` says; without a pair torch keeps the cores given.

    Raises:
        ValueError: fewer than one, or more than four for each core: torch
            breaks with thousands, and is slowed down by far fewer.
    """
    import torch

    if threads is not None:
        check_whole("threads", threads, 1, 4 * cpu_count())
        torch.set_num_threads(threads)
    elif pair is not None:
        torch.set_num_threads(threads_for(pair))


def check_whole(name: str, value: int, least: int, most: int | None = None) -> None:
    """Raises ValueError: `value` is not in least..most."""
    if value < least or (most is not None and value > most):
        limit = "" if most is None else f" and at most {most}"
        raise ValueError(f"{name} is {value}; give a whole number, at least {least}{limit}")


# --- trees: a shape, and the rule that a draft needs --------------------------------------

MOST_NODES = 100


def tree_shape(text: str) -> Parents:
    """4x2x1: the children of each node, level by level; 16: Sequoia's tree of so many nodes.

    Raises:
        ArgumentTypeError: neither of the two, or a tree of no or too many nodes.
    """
    numbers = [int(part) if part.isascii() and part.isdigit() else 0 for part in text.split("x")]
    if min(numbers) < 1:
        raise ArgumentTypeError(
            f"{text!r} is no tree: give the guesses after each, level by level (4x2x1), or a "
            "number of nodes (16)"
        )
    if _nodes(numbers) > MOST_NODES:
        raise ArgumentTypeError(f"{text} has more than {MOST_NODES} nodes: give a smaller tree")
    return sequoia(BY_RANK, numbers[0]) if len(numbers) == 1 else widths(numbers)


def _nodes(numbers: list[int]) -> int:
    """Of a tree as it is written; no more levels are counted than matter."""
    total, level = 0, 1
    for number in numbers[: MOST_NODES + 1]:
        level *= number
        total += level
    return total


def add_tree(parser: ArgumentParser) -> None:
    """The option `--tree`: a shape, or None."""
    parser.add_argument(
        "--tree",
        type=tree_shape,
        metavar="SHAPE",
        help="with --drafter tree: how many guesses follow each, level by level, as 4x2x1; or a "
        "number of nodes, as 16: Sequoia's tree for what the trained pair's draft gets accepted "
        f"at temperature 1, for few nodes a chain (default: a tree of {len(SHAPE)} nodes)",
    )


def check_tree(drafter: str, shape: Parents | None, adaptive: bool) -> None:
    """Do nothing if these options go together.

    Raises:
        ValueError: a shape for a drafter without one, or a length of chains for trees.
    """
    named = DRAFTERS.get(drafter)
    if shape and not (named and named.shaped):
        raise ValueError(
            "--tree is the shape of what --drafter tree guesses: add --drafter tree, or leave "
            "--tree out"
        )
    if adaptive and named and named.nodes:
        raise ValueError(
            f"gamma is adaptive, which chooses the length of a chain, and --drafter {drafter} "
            "drafts trees: leave --gamma out, or give a number of nodes"
        )


def add_rule(parser: ArgumentParser) -> None:
    """The option `--rule`; not given, the drafter decides: see `asked_rule`."""
    parser.add_argument(
        "--rule",
        help=f"{', '.join(map(slug, RULES))}; on chains and trees: "
        f"{', '.join(map(slug, TREE_RULES))} (default: {slug(TOKEN_WISE)}, for trees "
        f"{slug(TREE_RULES[0])})",
    )


def asked_rule(name: str | None, drafter: str) -> Rule:
    """The rule of that name, by default the one for what the drafter drafts.

    Raises:
        ValueError: there is none of that name; it judges chains, and the drafter drafts trees.
    """
    named = DRAFTERS.get(drafter)
    if name is None:
        return named.rule if named else TOKEN_WISE
    rule = rule_named(name)
    if named and named.nodes and not rule.trees:
        raise ValueError(
            f"the rule {slug(rule)} judges chains, and --drafter {drafter} drafts trees: leave "
            f"--rule out, or choose {' or '.join(map(slug, TREE_RULES))}"
        )
    return rule


def check_verifies(drafter: str, target: LanguageModel) -> None:
    """Do nothing if the target can verify what the drafter drafts.

    Raises:
        ValueError: trees, and the target's sessions hold none.
    """
    named = DRAFTERS.get(drafter)
    if named and named.nodes and not hasattr(target.start([]), "keep"):
        raise ValueError(
            f"--drafter {drafter} drafts trees, which the target cannot verify in one pass: only "
            "the course's own Qwen3 can; take --drafter model"
        )


# --- the model that a named drafter guesses with, and the target that decodes beside it ---


def guessing_model(drafter: str, pair: "Pair", draft: str | None) -> LanguageModel | None:
    """What a `NamedDrafter` is made with; your own drafter gets the draft model.

    Args:
        draft: folder or hub id of the draft model, from which a quantised one is made.

    Raises:
        FileNotFoundError: n-grams are to be counted, and this Python has no sources; or there
            is no such head.
        ValueError: the draft model or the target is none that can be used so.
    """
    from course_utils.models.qwen3.head_models import trained_head
    from course_utils.models.qwen3.quantised import quantised
    from course_utils.pairs import load_pair

    if drafter not in DRAFTERS:
        return pair.draft
    kind = DRAFTERS[drafter].guesses_with
    if kind == COUNTED:
        return counted_library(pair.encode, pair.target.vocabulary_size)
    if kind == INT8:
        int8 = quantised(load_pair(draft, dtype="float32", form=READABLE).target)
        return fitted(int8, pair.target.vocabulary_size)
    if kind == SHARED:
        return SharedTarget(pair.target)
    if kind in HEADS:
        return trained_head(pair.target, kind)
    return DRAFTERS[drafter].model(pair.target, pair.draft)


def decoding_target(pair: "Pair", model: LanguageModel | None) -> LanguageModel:
    """The pair's target, or the same as the `SharedTarget` one that the drafter works with."""
    return model if isinstance(model, SharedTarget) else getattr(model, "shared", pair.target)


# --- `--chat`: what a user says, through the target's chat template -----------------------

Encode = Callable[[str], list[int]]
Settings = TypeVar("Settings", Sampling, Penalties)


def add_chat(parser: ArgumentParser) -> None:
    """The options of a conversation, and those of sampling, whose defaults it changes."""
    parser.add_argument(
        "--chat",
        action="store_true",
        help="PROMPT is what a user says: it goes through the chat template of the target's "
        "tokenizer, and what is not given of temperature, filters and penalties is taken from the "
        "target's generation_config.json. The trained pair has no template",
    )
    parser.add_argument(
        "--thinking",
        action=BooleanOptionalAction,
        help="with --chat: the model thinks before it answers, or does not; by default what its "
        "template does unasked (of Qwen3: it thinks)",
    )
    parser.add_argument(
        "--system", metavar="TEXT", help="with --chat: the system's message, before the user's"
    )
    default = "with --chat the target's"
    add_settings(parser, f"(default: off; {default})")
    for name, what in (
        ("repetition", "of prompt and text: divides positive logits, multiplies negative ones"),
        ("presence", "taken from the logits of the text's tokens once"),
        ("frequency", "the same, each time that one was said"),
    ):
        parser.add_argument(
            f"--{name}-penalty", type=float, help=f"{what} (default: off; {default})"
        )


def add_settings(parser: ArgumentParser, default: str) -> None:
    """The options of sampling, None where not given; `default` says what is done then."""
    parser.add_argument("--temperature", type=float, help=f"0 is greedy, 1 is off {default}")
    parser.add_argument("--top-k", type=int, help=f"0 keeps all {default}")
    parser.add_argument("--top-p", type=float, help=f"1 keeps all {default}")
    parser.add_argument("--min-p", type=float, help=f"0 keeps all {default}")


def check_chat(options: Namespace) -> None:
    """Do nothing if these options go together.

    Raises:
        ValueError: they do not, or a setting is outside its range.
    """
    asked_settings(options, Sampling())
    asked_settings(options, Penalties())
    for name in () if options.chat else ("thinking", "system"):
        if getattr(options, name) is not None:
            raise ValueError(f"--{name} belongs to --chat, which is not there")


def asked_settings(options: Namespace, default: Settings) -> Settings:
    """`default`, but for what was given."""
    given = {field.name: getattr(options, field.name) for field in fields(default)}
    return replace(default, **{name: x for name, x in given.items() if x is not None})


def asked_encoder(options: Namespace, pair: "Pair") -> Encode:
    """What makes tokens of a prompt.

    Raises:
        ValueError: a chat is asked for, and the target cannot be asked so.
    """
    if not options.chat:
        return pair.encode
    encode = partial(pair.encode_chat, system=options.system, thinking=options.thinking)
    encode("?")  # it is the same for every prompt: said once, before anything is done
    return encode


def chat_settings(pair: "Pair", sampling: Sampling, penalties: Penalties) -> str:
    """How a chat is sampled, beside what the target's makers advise, and what ends an answer."""
    advice = pair.advice
    own, used = _in_words(advice.sampling, advice.penalties), _in_words(sampling, penalties)
    beside = "the target's own" if used == own else f"where the target's own are {own}"
    ends = ", ".join(pair.decode([token]) for token in pair.stop_tokens)
    return f"chat: {used}, {beside}; an answer ends at {ends or 'its length'}"


def _in_words(sampling: Sampling, penalties: Penalties) -> str:
    """The temperature, and the filters and penalties that are there."""
    usual = asdict(Sampling()) | asdict(Penalties())
    used = asdict(sampling) | asdict(penalties)
    there = {name: x for name, x in used.items() if x != usual[name]}
    shown = {"temperature": sampling.temperature} | there
    return ", ".join(f"{name} {x:g}" for name, x in shown.items())
