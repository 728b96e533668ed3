"""The decoders of the arena by the part of the round in which each has its own way.

A heading says where to look and not whether what stands there is right: nearly every part
has a right decoder among its wrong ones.
"""

import ast
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from textwrap import dedent

from course_utils.decoding import rules
from course_utils.proofs import broken_drafters, bugs


@dataclass(frozen=True)
class Part:
    """A part of the round, and the names of the decoders that differ there."""

    name: str
    about: str  # what this part does in every decoder
    decoders: tuple[str, ...]


PARTS = (
    Part(
        "the draft",
        "what is drafted, and its q",
        (
            "q at another temperature", "candidates", "argmax draft, soft q", "q rounded",
            "unlikely drafts dropped", "fixed set, soft q",
        ),
    ),
    Part(
        "the ratio p/q",
        "how u is held against p/q",
        ("p and q swapped", "token-wise", "row off by one", "ensemble 0.5", "block"),
    ),
    Part(
        "other tests",
        "tests that are not u < p/q",
        (
            "p >= q", "p >= 0.5 q", "typical", "greedy match", "no uniform",
            "first token unverified",
        ),
    ),
    Part(
        "correction, bonus",
        "what comes after the test",
        (
            "resample from p", "residual swapped", "argmax residual", "argmax correction",
            "redraft", "no bonus", "argmax bonus",
        ),
    ),
    Part(
        "what is remembered",
        "uniforms, and the target's cache",
        ("one uniform for all", "uniform used twice", "one noise stream", "target cache kept"),
    ),
)  # fmt: skip
OTHERS = ("more decoders", "decoders of your own")

# Where a decoder's own lines stand: a function, how the first of them begins, how many.
_REPORTED = (broken_drafters.Likeliest.propose, "return replace", 1)
_AT_LEAST = (rules.ratio_threshold, "return float(p[x])", 1)
_LINES: Mapping[str, Sequence[tuple[Callable, str, int]]] = {
    "token-wise": [(rules.token_wise, "if not uniforms[i]", 3)],
    "block": [(rules.block, "if uniforms[i - 1]", 2)],
    "greedy match": [(rules.greedy_match, "y = sample", 3)],
    "ensemble 0.5": [(rules.ensemble, "mixed =", 2)],
    "typical": [(rules.typical, "return float(p[x])", 1)],
    "p >= 0.5 q": [_AT_LEAST],
    "p >= q": [_AT_LEAST],
    "no uniform": [_AT_LEAST],
    "redraft": [(rules.REDRAFT.verify, "common = p[i] -", 1)],
    "candidates": [
        (rules.recursive_rejection, "if uniforms[i]", 1),
        (rules.recursive_rejection, "left = without", 1),
    ],
    "no bonus": [(bugs.no_bonus, "if drafted and", 2)],
    "q at another temperature": [
        (broken_drafters.Colder.__init__, "super()", 1),
        _REPORTED,
    ],
    "argmax draft, soft q": [(broken_drafters.Likeliest.__init__, "super()", 1), _REPORTED],
    "q rounded": [(broken_drafters.Rounded.propose, "return", 1)],
    "unlikely drafts dropped": [
        (broken_drafters.Dropping.propose, "kept =", 1),
        (broken_drafters.Dropping.propose, "return Draft", 1),
    ],
    "fixed set, soft q": [(broken_drafters.SoftSet.propose, "row = rows_of", 1)],
    "one noise stream": [(bugs.OneStreamRound.uniforms, "correction =", 2)],
    "target cache kept": [(bugs.KeptSession.rollback, "def rollback", 2)],
}


def code_of(name: str) -> list[str]:
    """The lines in which the decoder differs, as they run here; [] if there are none to show.

    Raises:
        LookupError: the source no longer has the lines that `_LINES` names.
    """
    if name in _LINES:
        return [line for place in _LINES[name] for line in _found(*place)]
    return [f"{part} = {code}" for part, code in _replaced().get(name, {}).items()]


def _found(function: Callable, beginning: str, count: int) -> list[str]:
    """`count` lines of a function, without comments and without their common margin."""
    lines = inspect.getsource(function).splitlines()
    starts = [i for i, line in enumerate(lines) if line.strip().startswith(beginning)]
    if not starts:
        raise LookupError(f"{function.__qualname__} has no line that begins with {beginning!r}")
    bare = [re.sub(r"\s*(#.*)?$", "", line) for line in lines[starts[0] : starts[0] + count]]
    return dedent("\n".join(bare)).splitlines()


@cache
def _replaced() -> dict[str, dict[str, str]]:
    """{bug: {part of the token-wise rule: the expression in its place}}, read in `bugs`."""
    found = {}
    for call in ast.walk(ast.parse(inspect.getsource(bugs))):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "_parts":
            parts = {k.arg: ast.unparse(k.value.body) for k in call.keywords}
            found[ast.literal_eval(call.args[0])] = parts
    return found
