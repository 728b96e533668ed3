"""Replay a recorded run: does each decision follow from the recorded p, q and uniforms?

What a trace can show is that the decoder did with p, q and the seed what the
named rule says.  It cannot show that p is what the target says or q what the
drafter thinks (a stale cache leaves no mark), that a guess was withheld, nor how
long anything took.  Everything a round decides is worked out again here, apart
from the loop, so that a mistake of the loop shows too.

Drafters that sample are taken to draw guess i from row i of q with number i of
the round's "draft" stream, as all of the course do.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from io import StringIO
from math import log2, nextafter

import numpy as np

from course_utils.decoding.contracts import Round, Rows, Uniforms, Verdict
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import rule_named
from course_utils.decoding.sampling import sample
from course_utils.proofs.trace import Setting, shown
from course_utils.proofs.trace_reader import Recorded, read_line


def beside_one_another(
    entries: Sequence[Recorded | None], usual: Setting
) -> Iterator[tuple[int, str]]:
    """(place, what is wrong there) of each round beside those around it; None is no round."""
    before = None
    for place, entry in enumerate(entries):
        if entry:
            for reason in _in_its_place(place, entry, before, usual):
                yield place, reason
        before = entry.round if entry else None


def at_the_end(line: str, last: Recorded | None, usual: Setting) -> Iterator[str]:
    """Is this where the run ended?  `line` is the last, and says `last`."""
    if last and not _stop_reason(last.round, usual):
        yield "the file ends here, the run did not: no stop_reason; was the file cut?"
    elif last and not line.endswith("\n"):
        yield "the line has no end; was the file cut?"


def _in_its_place(
    place: int, entry: Recorded, before: Round | None, usual: Setting
) -> Iterator[str]:
    """What is wrong with a round beside those around it; `before` may be unreadable."""
    r = entry.round
    if entry.setting != usual:
        yield f"the setting differs from the other rounds': {_difference(entry.setting, usual)}"
    if place == 0:
        expected = (0, usual.prompt_tokens, usual.prompt_tokens - 1)
    elif before:
        expected = (before.index + 1, before.context + len(before.emitted), before.cache_after)
        if _stop_reason(before, usual):
            yield "the run had ended in the round before"
    else:
        expected = (r.index, r.context, r.cache_before)
    found = (r.index, r.context, r.cache_before)
    for name, is_, was in zip(("round", "context", "cache_before"), found, expected, strict=True):
        if is_ != was:
            yield f"{name} is {is_}; {'the first' if place == 0 else 'after the last it'} is {was}"
    room = max(0, min(usual.gamma, usual.end - r.context - 1))
    if len(r.drafted) > room:
        yield f"{len(r.drafted)} tokens were drafted where {room} fit"
    reason = _stop_reason(r, usual)
    if r.stop_reason != reason:
        yield f"stop_reason is {r.stop_reason!r}; after these tokens it must be {reason!r}"


def _difference(setting: Setting, usual: Setting) -> str:
    pairs = ((name, value, vars(usual)[name]) for name, value in vars(setting).items())
    return ", ".join(f"{name} is {a!r}, not {b!r}" for name, a, b in pairs if a != b)


def _stop_reason(r: Round, setting: Setting) -> str | None:
    if r.emitted and r.emitted[-1] in setting.stop_tokens:
        return "stop_token"
    if r.context + len(r.emitted) < setting.end:
        return None
    return "context" if setting.end == setting.target_context else "length"


MOST_FINDINGS = 1000  # then the rest of a trace is not looked at


@dataclass(frozen=True)
class Finding:
    """What is wrong in a round, counted from 0: line `round + 1` of the file."""

    round: int
    reason: str


@dataclass(frozen=True)
class Audit:
    """What was looked at and what was found."""

    rounds: int  # that could be read
    decisions: int  # a fate for each drafted token and the token after them
    findings: list[Finding]


def audit(text: str) -> Audit:
    """Replay the trace whose lines are `text`; see `audit_lines`."""
    return audit_lines(StringIO(text, newline="\n"))


def audit_lines(lines: Iterable[str]) -> Audit:
    """Replay a trace, of which one line at a time is unpacked.

    Args:
        lines: each with its line end, which only the last of a cut file lacks.

    Raises:
        ValueError: no line of it is a round.
    """
    entries: list[Recorded | None] = []
    found: list[Finding] = []
    line = ""
    for place, line in enumerate(lines):
        entry, reasons = _looked_at(line)
        entries.append(entry)
        found += [Finding(place, reason) for reason in reasons]
        if len(found) > MOST_FINDINGS:
            break
    read = [entry for entry in entries if entry]
    if not read:
        raise ValueError(
            f"no line can be read as a round; line 1: {found[0].reason}"
            if found
            else "the trace is empty: no round was recorded"
        )
    usual = Counter(entry.setting for entry in read).most_common(1)[0][0]
    found += [Finding(place, reason) for place, reason in beside_one_another(entries, usual)]
    ends = at_the_end(line, entries[-1], usual)
    if len(found) > MOST_FINDINGS:
        del found[MOST_FINDINGS:]
        ends = ["too much is wrong; the rest is not looked at"]
    found += [Finding(len(entries) - 1, reason) for reason in ends]
    return Audit(
        len(read),
        sum(len(entry.round.drafted) + 1 for entry in read),
        sorted(found, key=lambda finding: finding.round),
    )


def _looked_at(line: str) -> tuple[Recorded | None, list[str]]:
    """What the line says, without its rows, and what is wrong with it whatever others say."""
    try:
        entry = read_line(line)
    except ValueError as error:
        return None, [str(error)]
    return replace(entry, round=replace(entry.round, p=None, q=None)), list(_alone(entry))


def _alone(entry: Recorded) -> Iterator[str]:
    """What is wrong with a round whatever the others say."""
    r, setting = _as_run(entry), entry.setting
    with np.errstate(all="ignore"):  # rows that are no distributions are found, not warned of
        no_distributions = list(_distributions(r, setting))
        yield from no_distributions
        yield from _uniforms(r, setting)
        if not no_distributions:  # or nothing would follow, and a rule may well fail
            yield from _decision(r, setting)
    yield from _consequences(r, setting)
    for name, value in shown(entry.round).items():
        if value != entry.shown[name]:
            yield f"{name} says {list(entry.shown[name])}; by the rest of the line {list(value)}"


def _as_run(entry: Recorded) -> Round:
    """The round with rows of the library that the run had: sums are rounded alike."""
    xp, r = import_module(entry.library), entry.round
    return replace(r, p=xp.asarray(r.p), q=None if r.q is None else xp.asarray(r.q))


def _distributions(r: Round, setting: Setting) -> Iterator[str]:
    for name, rows in (("p", r.p), ("q", r.q)):
        for i, row in enumerate([] if rows is None else np.asarray(rows)):
            row = row.astype(np.float64)
            if not (row >= 0).all() or not abs(row.sum() - 1) <= slack(rows):
                yield f"row {i} of {name} is not a distribution: it sums to {row.sum():.9g}"
    if setting.sampling.temperature == 0 and not bool(((r.p == 0) | (r.p == 1)).all()):
        yield "the temperature is 0, but p is not certain"


def _uniforms(r: Round, setting: Setting) -> Iterator[str]:
    """Are the uniforms those of the seed, and the guesses those they draw from q?"""
    try:
        noise = Noise(setting.seed).round(r.index)
        uniforms, draws = (noise.uniforms(name, len(r.uniforms)) for name in ("verify", "draft"))
    except (ValueError, OverflowError) as error:
        yield f"no uniforms belong to seed {setting.seed}, round {r.index}: {error}"
        return
    if tuple(uniforms) != r.uniforms:
        yield f"the uniforms are not those of seed {setting.seed}, round {r.index}"
    for i, x in enumerate(() if r.q is None else r.drafted):
        drawn = [sample(r.q[i], uniform) for (uniform,) in nearby(draws[i : i + 1], slack(r.q))]
        if x not in drawn:
            yield f"guess {i} is token {x}; the seed draws {drawn[0]} from row {i} of q"


def _decision(r: Round, setting: Setting) -> Iterator[str]:
    try:
        rule = rule_named(setting.rule)
    except ValueError as error:
        yield str(error)
        return
    if r.parents is not None and not rule.trees:
        yield f"the draft is a tree, and {rule.name} judges chains"
        return
    around = nearby(r.uniforms, slack(r.p))
    verdicts = [rule.judge(r.p, r.q, r.drafted, uniforms, r.parents) for uniforms in around]
    if r.verdict not in verdicts:
        yield f"{rule.name} decides {_said(verdicts[0])}; recorded is {_said(r.verdict)}"


def _said(verdict: Verdict) -> str:
    path = "" if verdict.path is None else f" at {list(verdict.path)}"
    return f"{verdict.accepted} accepted{path}, then token {verdict.token}"


def slack(rows: Rows) -> float:
    """How far rounding can move an edge between two outcomes: 4 eps (1 + log2 V).

    Another processor adds a row up in another order.  So a decision that a uniform
    so much lower or higher would give is let pass: 6e-6 for float32 rows of 4096
    tokens, 1e-14 for float64.
    """
    eps = float(np.finfo(np.asarray(rows[:0]).dtype).eps)
    return 4 * eps * (1 + log2(rows.shape[-1]))


def nearby(uniforms: Uniforms, distance: float) -> Iterator[list[float]]:
    """The uniforms, and all of them a little lower and a little higher."""
    largest = nextafter(1.0, 0.0)
    for shift in (0.0, -distance, distance):
        yield [min(max(u + shift, 0.0), largest) for u in uniforms]


def _consequences(r: Round, setting: Setting) -> Iterator[str]:
    """What had to happen once the verdict was given."""
    path = range(r.verdict.accepted) if r.verdict.path is None else r.verdict.path
    said = (*(r.drafted[place] for place in path), r.verdict.token)
    stops = [i for i, token in enumerate(said) if token in setting.stop_tokens]
    emitted = said[: stops[0] + 1] if stops else said
    if r.emitted != emitted:
        yield f"emitted is {list(r.emitted)}; the verdict says {list(emitted)}"
    kept = r.context + min(len(path), len(emitted) - 1)
    if r.cache_after != kept:
        yield f"cache_after is {r.cache_after}; {kept} tokens were processed and committed"
