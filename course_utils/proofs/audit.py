"""Replay a recorded run: does each decision follow from the recorded p, q and uniforms?

A trace can show that the decoder applied the named rule to p, q and the seed, and that the text
ended where its settings say.  It cannot show that p really is the target's or q the drafter's (a
stale cache leaves no trace), that no guess was withheld, what a cache contained, what top-p was, or
how long anything took.  The decisions are computed again
without the loop, so that errors of the loop are found, too.  Guess i is assumed to be drawn from
row i of q with number i of the round's "draft" stream, as in all drafters of the course.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import log2
from pathlib import Path
from typing import TypeVar

import numpy as np
from pydantic import TypeAdapter, ValidationError

from course_utils.decoding.contracts import Round, Rows, Rule, Uniforms
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import rule_named
from course_utils.decoding.sampling import sample
from course_utils.writing.trace import RunSettings, unpack

Fields = TypeVar("Fields")
_SETTINGS, _ROUND = TypeAdapter(RunSettings), TypeAdapter(Round)


@dataclass(frozen=True)
class Finding:
    """A fault in a round, counted from 0: line `round + 2` of the file."""

    round: int
    reason: str


@dataclass(frozen=True)
class Audit:
    """The result of a replay."""

    rounds: int  # rounds that could be read
    decisions: int  # accept or reject for each drafted token, and the token after them
    findings: list[Finding]


def audit(path: str | Path) -> Audit:
    """Replay a trace file, with one line in memory at a time.

    Raises:
        OSError: the file does not exist, or is not a regular file.
        ValueError: it is not a trace, or has no rounds.
    """
    path = Path(path)
    if path.exists() and not path.is_file():  # a pipe may never end
        raise OSError(f"{path} is a folder or a device: name the file that --trace wrote")
    findings: list[Finding] = []
    decisions, index, complete = [], -1, False
    with path.open("rb") as file:
        settings, rule = read_settings(file.readline())
        context: int | None = settings.prompt_tokens
        for index, line in enumerate(file):
            if complete:
                findings.append(Finding(index, "the run has ended before this round"))
            complete = False
            try:
                r = read_round(line)
            except ValueError as error:
                findings.append(Finding(index, str(error)))
                context = None  # of the next round
                continue
            at = r.context if context is None else context
            with np.errstate(all="ignore"):  # rows that are not distributions are reported
                findings += [Finding(index, x) for x in _replay(index, at, r, settings, rule)]
            decisions.append(len(r.drafted) + 1)
            complete = r.stop_reason is not None and line.endswith(b"\n")
            context = at + len(r.emitted)
    if index < 0:
        raise ValueError("the trace is empty: no round was recorded")
    if not complete:
        reason = "the file ends before the run does (no stop_reason): was the file cut?"
        findings.append(Finding(index, reason))
    return Audit(len(decisions), sum(decisions), findings)


def read_settings(line: bytes) -> tuple[RunSettings, Rule]:
    """Read the first line.

    Raises:
        ValueError: it is not the first line of a trace.
    """
    try:
        settings = _parse(_SETTINGS, line)
        Noise(settings.seed)
        return settings, rule_named(settings.rule)
    except ValueError as error:
        raise ValueError(
            f"line 1 has no settings of a run ({error}): if the trace is from another version of "
            "the course, record it again with generate --trace"
        ) from None


def read_round(line: bytes) -> Round:
    """Read one line; check the type of each field and the shape of the rows.

    Raises:
        ValueError: names the fault.
    """
    r = _parse(_ROUND, line)
    try:
        r = replace(r, p=unpack(r.p), q=None if r.q is None else unpack(r.q))
    except (TypeError, ValueError) as error:
        raise ValueError(f"rows that cannot be read: {error}") from None
    n, vocabulary = len(r.drafted), r.p.shape[-1:]
    for name, rows, count in (("p", r.p, n + 1), ("q", r.q, n)):
        fits = rows is None or (rows.shape == (count, *vocabulary) and rows.dtype.kind == "f")
        if not fits or vocabulary == (0,):
            raise ValueError(f"the field {name!r} does not fit {n} drafted tokens")
    return r


def _parse(fields: TypeAdapter[Fields], line: bytes) -> Fields:
    try:
        return fields.validate_json(line, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        raise ValueError(f"{first['msg']}; was the file cut?")
    place = ".".join(map(str, first["loc"]))
    raise ValueError(f"the field {place!r} is {first['input']!r:.40}: {first['msg']}")


def _replay(index: int, context: int, r: Round, settings: RunSettings, rule: Rule) -> Iterator[str]:
    """Yield the faults of a round that begins with `context` tokens of text."""
    n, room = len(r.drafted), _end(settings) - context - 1
    if n > settings.gamma or (r.parents is None and n > max(room, 0)):
        yield f"{n} guesses, where gamma is {settings.gamma} and {room} fit"
    sampling = settings.sampling
    if sampling.temperature == 0 and not ((r.p == 0) | (r.p == 1)).all():
        yield "the temperature is 0, but p is not one-hot"
    smallest = np.where(r.p > 0, r.p, np.inf).min(-1, keepdims=True)
    if sampling.top_k and (r.p > smallest).sum(-1).max() >= sampling.top_k:  # the rest are ties
        yield f"p has more than {sampling.top_k} tokens, which is top-k"
    if (smallest < sampling.min_p * r.p.max(-1, keepdims=True) * (1 - slack(r.p))).any():
        yield f"p has tokens below {sampling.min_p:g} of its largest, which is min-p"
    for name, rows in (("p", r.p), ("q", r.q)):
        for i, row in enumerate([] if rows is None else rows.astype(np.float64)):
            if not (row >= 0).all() or not abs(row.sum() - 1) <= slack(rows):
                yield f"row {i} of {name} is not a distribution: it sums to {row.sum():.9g}"
                return  # a rule may fail on it
    try:
        expected = _decisions(index, context, r, settings, rule)
    except (ValueError, IndexError) as error:  # such as a tree for a rule of chains
        yield f"the fields contradict each other: {error}"
        return
    for name, value in expected.items():
        if getattr(r, name) != value:
            yield f"{name} is {getattr(r, name)}; by the rest of the trace it must be {value}"


def _end(settings: RunSettings) -> int:
    """Return the number of tokens at which the text ends without a stop token."""
    return min(settings.prompt_tokens + settings.max_new_tokens, settings.target_context)


def _decisions(
    index: int, context: int, r: Round, settings: RunSettings, rule: Rule
) -> dict[str, object]:
    """Return the fields that follow from p, q, the seed and the tokens before; recorded ones if
    within `slack`.

    Raises:
        ValueError, IndexError: fields that contradict each other.
    """
    noise, n = Noise(settings.seed).round(index), len(r.drafted)
    drafted = list(r.drafted)
    rows = () if r.q is None else r.q
    for i, (row, uniform) in enumerate(zip(rows, noise.uniforms("draft", len(rows)), strict=True)):
        drawn = [sample(row, u) for (u,) in nearby([uniform], slack(rows))]
        drafted[i] = drafted[i] if drafted[i] in drawn else drawn[0]
    verdicts = [
        rule.judge(r.p, r.q, r.drafted, uniforms, r.parents)
        for uniforms in nearby(r.uniforms, slack(r.p))
    ]
    path = range(r.verdict.accepted) if r.verdict.path is None else r.verdict.path
    tokens = (*(r.drafted[node] for node in path), r.verdict.token)
    stops = [i for i, token in enumerate(tokens) if token in settings.stop_tokens]
    emitted = tokens[: stops[0] + 1] if stops else tokens
    reason = "context" if _end(settings) == settings.target_context else "length"
    ended = reason if context + len(emitted) >= _end(settings) else None
    return {
        "index": index,
        "context": context,
        "emitted": emitted,
        "stop_reason": "stop_token" if stops else ended,
        "uniforms": noise.uniforms("verify", n + 1),
        "drafted": tuple(drafted),
        "verdict": r.verdict if r.verdict in verdicts else verdicts[0],
    }


def slack(rows: Rows) -> float:
    """Return how far rounding can move an edge between two outcomes: 4 eps (1 + log2 V).

    Other processors or libraries sum a row in another order.  It is 6e-6 for float32 rows of
    4096 tokens, 1e-14 for float64.
    """
    eps = float(np.finfo(np.asarray(rows[:0]).dtype).eps)
    return 4 * eps * (1 + log2(rows.shape[-1]))


def nearby(uniforms: Uniforms, distance: float) -> Iterator[list[float]]:
    """Yield the uniforms, then all of them a little lower, then a little higher."""
    for shift in (0.0, -distance, distance):
        yield [min(max(u + shift, 0.0), 1 - 2**-53) for u in uniforms]
