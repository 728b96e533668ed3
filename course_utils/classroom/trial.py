"""Try a student's code: walk every path of it, find the first deviation, say it in words.

A path is one way in which all comparisons with uniforms can turn out, so an answer is an exact
distribution, and a mistake is recognised by its effect, however it is written.  Whatever cannot be
tried raises `Refused`, whose sentence is the feedback.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from math import fsum
from operator import attrgetter
from types import EllipsisType

import numpy as np

from course_utils.classroom.exercise import CHANGED, first_changed
from course_utils.classroom.plain import plain
from course_utils.decoding.contracts import NoiseSource, Rows, Rule, Uniforms, Verdict
from course_utils.decoding.metrics import emitted_tokens
from course_utils.proofs.enumeration import (
    Distribution,
    check_repeatable,
    comparing,
    distribution_distance,
    merge_paths,
    outcomes,
)
from course_utils.proofs.program_faults import BROKEN, SAME, first_deviation, first_fault
from course_utils.proofs.programs import Program
from course_utils.refused import NothingReturned, Refused, require, returned

NO_PAIR = (
    "Return (accepted, token): two whole numbers. `accepted` counts drafted tokens only, from 0 "
    "to len(drafted), never the correction or the bonus. `token` is a column of p."
)
WASTEFUL = {"passes", "again", "ahead"}  # faults that do not change the text

Answer = tuple[str, float, Distribution]  # what is wrong or "", rounds of a text, its distribution


def distribution(run: Callable[[NoiseSource], object]) -> dict | EllipsisType | None:
    """Return {result: probability} of `run(noise)` over every path; what an open exercise returns.

    Raises:
        Refused: it calculates with a uniform, or is not determined by them.
    """
    results = merge_paths(outcomes(run))
    return next((blank for blank in (None, ...) if blank in results), results)


def call_strictly(function: Callable, *arguments: object) -> object:
    """Return its plain answer; raise Refused if it changes an argument or calculates with a
    uniform."""
    before = deepcopy([plain(each) for each in arguments])
    try:
        with comparing():
            return plain(function(*arguments))
    finally:  # an argument that was changed may be why it raises
        require(first_changed(arguments, before) is None, CHANGED.format("an argument"))


def rule_of(function: Callable, name: str = "yours") -> Rule:
    """Return a student's rule (p, q, drafted, uniforms) -> (accepted, token) for the loop.

    Its rows are NumPy arrays.  It raises Refused for any other answer.
    """

    def verify(p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
        q = np.empty((0, p.shape[-1])) if q is None else np.asarray(q)  # nothing was drafted
        answer = returned(plain(function(np.asarray(p), q, drafted, uniforms)))
        limits = range(len(drafted) + 1), range(p.shape[-1])
        pair = isinstance(answer, list | tuple | np.ndarray) and len(answer) == len(limits)
        require(pair and all(map(lambda x, limit: x in limit, answer, limits)), NO_PAIR)
        return Verdict(*map(int, answer))

    return Rule(name, verify, lossless=True, source="an exercise")


def as_answer(verify: Callable[..., Verdict]) -> Callable[..., tuple[int, int]]:
    """Return a rule as a student writes it: (p, q, drafted, uniforms) -> (accepted, token)."""
    return lambda *arguments: attrgetter("accepted", "token")(verify(*arguments))


def deviation(
    texts: Distribution, truth: Distribution, place: Callable[[tuple[int, ...], int], str]
) -> str:
    """Say where texts first deviate, `place(tokens before, token)`, and both probabilities."""
    first = first_deviation(texts, truth)
    if first is None:
        return ""
    token = int(np.abs(np.subtract(first.observed, first.wanted)).argmax())
    odds = f"{first.observed[token]:.3f}, not {first.wanted[token]:.3f}"
    return f"{place(first.after, token)} probability {odds}"


def examine(speculate: Callable, exam) -> Answer | None:
    """Walk every path of a whole decoder, a function as in `proofs.programs`, in a
    `proofs.decoders.Exam`; None if it is open.

    Raises:
        Refused: it draws its own random numbers.
        Exception: the decoder's own, if nothing was wrong before it.
    """
    program = Program(speculate)
    try:
        check_repeatable(lambda seed: [r.emitted for r in exam.record(program, seed=seed)])
        paths = list(outcomes(lambda noise: exam.record(program, noise=lambda _: noise)))
    except NothingReturned:
        return None
    truth, texts = exam.truth(), merge_paths((w, tuple(emitted_tokens(rs))) for w, rs in paths)
    apart = distribution_distance(texts, truth)
    but = WASTEFUL if apart > SAME else ()  # these cannot make a text wrong
    judged = ((weight, rounds, first_fault(rounds, exam, but)) for weight, rounds in paths)
    faults = [(f.round, -weight, f, rounds) for weight, rounds, f in judged if f]
    *_, fault, rounds = min(faults, default=(None, ()), key=lambda entry: entry[:2])
    count = fsum(weight * sum(not r.error for r in rounds) for weight, rounds in paths)
    if fault and fault.kinds == (BROKEN,):
        if not isinstance(error := rounds[-1].error, Refused):
            raise error  # its traceback names the line
        return f"{error}", count, texts
    problem = f"in round {fault.round + 1} {fault.what}" if fault else ""
    if fault and fault.round and "behind" in fault.kinds[0]:
        problem += " (do you append to the text what you yield?)"
    if apart > SAME:
        off = f"the texts are {apart:.2g} (total variation) from the target's"
        problem = f"{off}: {problem or deviation(texts, truth, _after)}"
    elif problem:
        problem = f"the texts are right, but {problem}"
    return problem and f"{problem}.", count, texts


def _after(text: tuple[int, ...], token: int) -> str:
    where = f"after the new tokens {text}" if text else "at the first new token"
    return f"{where}, token {token} has"
