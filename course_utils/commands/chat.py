"""`generate --chat`: what a user says, through the target's chat template, sampled as its makers
advise."""

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from functools import partial

from course_utils.decoding.sampling import Sampling
from course_utils.models.pairs import Pair

Encode = Callable[[str], list[int]]
SETTINGS = tuple(field.name for field in fields(Sampling))


def add_chat(parser: ArgumentParser) -> None:
    """The options of a conversation, and those of sampling, whose defaults it changes."""
    parser.add_argument(
        "--chat",
        action="store_true",
        help="PROMPT is what a user says: it goes through the chat template of the target's "
        "tokenizer, and what is not given of temperature, top-k, top-p and min-p is taken from the "
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
    parser.add_argument(
        "--temperature", type=float, help="0 is greedy (default 1; with --chat the target's)"
    )
    parser.add_argument("--top-k", type=int, help="0 keeps all (default; with --chat the target's)")
    parser.add_argument(
        "--top-p", type=float, help="1 keeps all (default; with --chat the target's)"
    )
    parser.add_argument(
        "--min-p", type=float, help="0 keeps all (default; with --chat the target's)"
    )


def check_chat(options: Namespace) -> None:
    """Do nothing if these options go together.

    Raises:
        ValueError: they do not, or a setting is outside its range.
    """
    asked_sampling(options, Sampling())
    for name in () if options.chat else ("thinking", "system"):
        if getattr(options, name) is not None:
            raise ValueError(f"--{name} belongs to --chat, which is not there")


def asked_sampling(options: Namespace, default: Sampling) -> Sampling:
    """`default`, but for what was given."""
    given = {name: getattr(options, name) for name in SETTINGS}
    return replace(default, **{name: x for name, x in given.items() if x is not None})


def asked_encoder(options: Namespace, pair: Pair) -> Encode:
    """What makes tokens of a prompt.

    Raises:
        ValueError: a chat is asked for, and the target cannot be asked so.
    """
    if not options.chat:
        return pair.encode
    encode = partial(pair.encode_chat, system=options.system, thinking=options.thinking)
    encode("?")  # it is the same for every prompt: said once, before anything is done
    return encode


def chat_settings(pair: Pair, sampling: Sampling) -> str:
    """How a chat is sampled, beside what the target's makers advise, and what ends an answer."""
    own, used = _in_words(pair.chat_sampling), _in_words(sampling)
    beside = "the target's own" if used == own else f"where the target's own are {own}"
    ends = ", ".join(pair.decode([token]) for token in pair.stop_tokens)
    return f"chat: {used}, {beside}; an answer ends at {ends or 'its length'}"


def _in_words(sampling: Sampling) -> str:
    """The temperature, and the filters that are there."""
    there = {name: x for name, x in asdict(sampling).items() if x != getattr(Sampling(), name)}
    shown = {"temperature": sampling.temperature} | there
    return ", ".join(f"{name} {x:g}" for name, x in shown.items())
