"""What articles, vLLM and other engines say of one setting, as tables; every cell is escaped."""

import re
from collections.abc import Container, Sequence
from html import escape
from textwrap import TextWrapper

from pydantic.dataclasses import dataclass

from course_utils.classroom.table import markup_table
from course_utils.classroom.tokens import Html
from course_utils.engines.articles import Claim
from course_utils.engines.facts import STRICT, facts
from course_utils.engines.probed import Record

WIDTH = 80  # characters of a line where there is no browser

# the values of a finished configuration in words, and their order
TOLD = {
    "method": "method",
    "num_speculative_tokens": "tokens",
    "draft_architecture": "draft",
    "draft_n_predict": "layers of the head",
    "lookahead_slots": "cache places ahead",
    "prompt_lookup_min": "shortest match",
    "prompt_lookup_max": "longest match",
    "processes": "processes",
    "tensor_parallel": "tensor",
    "pipeline_parallel": "pipeline",
    "draft_tensor_parallel": "draft's tensor",
    "draft_pipeline_parallel": "draft's pipeline",
    "rejection_sample_method": "verification",
    "draft_sample_method": "draft drawn",
    "model_runner": "model runner",
    "synthetic_acceptance_rates": "rates",
    "num_speculative_tokens_per_batch_size": "tokens by batch",
}


@dataclass(frozen=True, config=STRICT)
class Explained:
    """A setting that can be explained and not run here: the check that tried it, and what there
    is to know.

    `tells` are the values of the finished configuration in which the point lies.
    """

    name: str
    check: str
    what: str
    tells: tuple[str, ...] = ()


@dataclass(frozen=True, config=STRICT)
class Source:
    """A repository as it was read: `at` is a commit, a tag or a released package."""

    engine: str
    repository: str
    version: str
    at: str


@dataclass(frozen=True, config=STRICT)
class Setting:
    """One name on one engine; `ours` is the course's word, "" stands in `name` for "has none".

    `path` is the file in which it is declared, in the version that `sources` names.
    """

    engine: str
    ours: str
    name: str
    meaning: str
    path: str


def sources() -> dict[str, Source]:
    """By engine, in the order of the tables."""
    return {source.engine: source for source in facts("other_engines", Source)}


def setting(engine: str, ours: str) -> Setting:
    """What `engine` calls `ours`.

    Raises:
        KeyError: an engine or a word that is not in the table; the message names those that are.
    """
    for one in facts("other_engines", Setting):
        if (one.engine, one.ours) == (engine, ours):
            return one
    raise KeyError(f"no {ours!r} of {engine!r}: engines {', '.join(sources())}; words {_words()}")


def claims_table(claims: Sequence[Claim]) -> Html:
    """One line a claim: which article, what it claims, what happens today, what works."""
    head = ["article", "claimed", "today", "what works"]
    return _shown(head, [[one.article, one.claimed, one.happens, one.works] for one in claims])


def explained_table(record: Record) -> Html:
    """One line a setting that cannot run here: what the installed engine made of it."""
    head = ["setting", "the engine says", "to know"]
    rows = facts("explained", Explained)
    return _shown(
        head, [[one.name, answered(record, one.check, one.tells), one.what] for one in rows]
    )


def answered(record: Record, name: str, tells: Container[str] = TOLD) -> str:
    """The record's answer to a check in one line: the error, or what became of the settings.

    Of the finished configuration only the values in `tells` are told.
    """
    result = record[name]
    if not result.accepted:
        return f"refused: {result.error}"
    told = {key: word for key, word in TOLD.items() if key in result.became and key in tells}
    values = ", ".join(f"{word} {result.became[key]}" for key, word in told.items())
    return f"accepted: {values}".removesuffix(": ")


def engines_table(engines: Sequence[str]) -> Html:
    """One line for each of the course's words, one column for each engine."""
    head = ["", *(f"{name} {sources()[name].version}" for name in engines)]
    lines = [[word, *(_cell(engine, word) for engine in engines)] for word in _words()]
    return _shown(head, lines)


def _words() -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.ours for one in facts("other_engines", Setting)))


def _cell(engine: str, word: str) -> str:
    one = setting(engine, word)
    return f"`{one.name}`: {one.meaning}" if one.name else f"– ({one.meaning})"


def _shown(head: list[str], lines: list[list[str]]) -> Html:
    marked = [[_code(cell) for cell in line] for line in lines]
    return Html(
        markup_table([escape(cell) for cell in head], marked, left=range(len(head))),
        "\n\n".join(_block(head, line) for line in lines),
    )


def _block(head: Sequence[str], line: Sequence[str]) -> str:
    """A line of a table below each other: its cells are sentences, too wide for columns."""
    first, *others = line
    lines = TextWrapper(
        WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
    )
    cells = zip(head[1:], others, strict=True)
    told = (lines.fill(f"{name}: {cell}".replace("`", "")) for name, cell in cells)
    return "\n".join([f"{head[0]} {first}".strip(), *told])


def _code(text: str) -> str:
    """Escaped, and what stands in `ticks` as code."""
    return re.sub(r"`(.+?)`", r"<code>\1</code>", escape(text))
