"""Try a student's code: walk every path of it, find the first deviation, say it in words.

A path is one way in which all comparisons with uniforms can turn out, so an answer is an exact
distribution, and a mistake is recognised by its effect, however it is written.  Parts of a decoder
are tried with the course's parts around them.  Whatever cannot be tried raises `Refused`, whose
sentence is the feedback.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from math import fsum
from types import EllipsisType

import numpy as np

from course_utils.classroom.plain import plain
from course_utils.decoding.contracts import NoiseSource, Rows, Rule, Uniforms, Verdict
from course_utils.proofs.enumeration import (
    Distribution,
    check_repeatable,
    distribution_distance,
    merge_paths,
    outcomes,
)
from course_utils.proofs.program_faults import BROKEN, SAME, first_deviation, first_fault
from course_utils.proofs.programs import Program
from course_utils.refused import NothingReturned, Refused, require, returned

CHANGED = "You change an argument that others still read. Work on a copy, such as list(prompt)."
NO_PAIR = (
    "Return (accepted, token): two whole numbers. `accepted` counts drafted tokens only, from 0 "
    "to len(drafted), never the correction or the bonus. `token` is a column of p."
)
WASTEFUL = {"passes", "again", "ahead"}  # faults that do not change the text

Answer = tuple[str, float, Distribution]  # what is wrong or "", rounds of a text, its distribution


def distribution(run: Callable[[NoiseSource], object]) -> dict | EllipsisType | None:
    """Return {result: probability} of `run(noise)` over every path; None or `...` if a path of an
    open exercise returns it.

    Raises:
        Refused: it calculates with a uniform, or is not determined by them.
    """
    results = merge_paths(outcomes(run))
    return next((blank for blank in (None, ...) if blank in results), results)


def call_strictly(function: Callable, *arguments: object) -> object:
    """Return the plain answer to these arguments.

    Raises:
        Refused: it changes one of them.
    """
    before = deepcopy([plain(each) for each in arguments])
    try:
        answer = function(*arguments)
    finally:  # an argument that was changed may be why it raises
        require(repr([plain(each) for each in arguments]) == repr(before), CHANGED)
    return plain(answer)


def rule_of(function: Callable, name: str = "yours") -> Rule:
    """Return a student's rule (p, q, drafted, uniforms) -> (accepted, token) for the loop.

    Its rows are NumPy arrays.  It raises NothingReturned for an open exercise, and Refused if the
    answer is no such pair.
    """

    def verify(p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
        q = np.empty((0, p.shape[-1])) if q is None else np.asarray(q)  # nothing was drafted
        answer = returned(plain(function(np.asarray(p), q, drafted, uniforms)))
        limits = range(len(drafted) + 1), range(p.shape[-1])
        pair = isinstance(answer, list | tuple | np.ndarray) and len(answer) == len(limits)
        require(pair and all(map(lambda x, limit: x in limit, answer, limits)), NO_PAIR)
        return Verdict(*map(int, answer))

    return Rule(name, verify, lossless=True, source="an exercise")


def deviation(
    texts: Distribution, truth: Distribution, place: Callable[[tuple[int, ...], int], str]
) -> str:
    """Say where a distribution of texts first deviates: `place(tokens before, token)`, and the
    token's two probabilities; "" if it does not."""
    first = first_deviation(texts, truth)
    if first is None:
        return ""
    token = int(np.abs(np.subtract(first.observed, first.wanted)).argmax())
    odds = f"{first.observed[token]:.3f}, not {first.wanted[token]:.3f}"
    return f"{place(first.after, token)} probability {odds}"


def _token(after: tuple[int, ...], token: int) -> str:
    where = f"after the new tokens {after}" if after else "at the first new token"
    return f"{where}, token {token} has"


def examine(speculate: Callable, exam) -> Answer | None:
    """Walk every path of a whole decoder, a function as in `proofs.programs`, in a
    `proofs.decoders.Exam`; None if it is open.

    Raises:
        Refused: it draws its own random numbers.
        Exception: the decoder's own, if nothing was wrong before it.
    """
    program, truth = Program(speculate), exam.truth()

    def record(**options: object) -> list:
        return list(program.record(
            exam.target, exam.draft, exam.prompt, exam.sampling, gamma=exam.gamma,
            max_new_tokens=exam.length, stop_tokens=exam.stop_tokens, **options,
        ))  # fmt: skip

    try:
        check_repeatable(lambda seed: [r.emitted for r in record(seed=seed)])
        paths = list(outcomes(lambda noise: record(noise=lambda _: noise)))
    except NothingReturned:
        return None
    texts = merge_paths((w, tuple(x for r in rounds for x in r.emitted)) for w, rounds in paths)
    apart = distribution_distance(texts, truth)
    but = WASTEFUL if apart > SAME else ()  # these cannot make a text wrong
    faults = []
    for weight, rounds in paths:
        fault = first_fault(rounds, exam.prompt, exam.length, exam.stop_tokens, but)
        if fault:
            faults.append((fault.round, -weight, fault, rounds[-1].error if rounds else None))
    *_, fault, error = min(faults, default=(None, None), key=lambda entry: entry[:2])
    count = fsum(weight * sum(not r.error for r in rounds) for weight, rounds in paths)
    if error and fault.kinds == (BROKEN,):
        if not isinstance(error, Refused):
            raise error  # its traceback names the line
        return f"{error}", count, texts
    problem = f"in round {fault.round + 1} {fault.what}" if fault else ""
    if fault and fault.round and "behind" in fault.kinds[0]:
        problem += " (do you append to the text what you yield?)"
    if apart > SAME:
        off = f"the texts are {apart:.2g} (total variation) from the target's"
        problem = f"{off}: {problem or deviation(texts, truth, _token)}"
    elif problem:
        problem = f"the texts are right, but {problem}"
    return problem and f"{problem}.", count, texts
