"""Checks of this lesson: the walk through all paths, the distance; those about bugs beside it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from math import isclose, prod

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.plain import plain
from course_utils.lessons.exact_proof.decoder_checks import (
    check_commit,
    check_draft_tokens,
    check_own_decoder,
    check_verify,
)
from course_utils.lessons.exact_proof.mutant_check import check_slips_through
from course_utils.lessons.exact_proof.zoo_check import SPECIMENS, WOULD_SHOW, check_specimens
from course_utils.proofs.enumeration import (
    Distribution,
    EnumeratedNoise,
    distribution_distance,
    gathered,
    outcomes,
)

__all__ = [
    "SPECIMENS",
    "WOULD_SHOW",
    "check_commit",
    "check_draft_tokens",
    "check_every_path",
    "check_exact_distance",
    "check_own_decoder",
    "check_slips_through",
    "check_specimens",
    "check_verify",
    "every_path",
    "exact_distance",
]

Ask = Callable[[float], bool]  # ask(yes): True with probability `yes`
Paths = list[tuple[float, object]]  # (probability, result) of each path


# --- the walk


def every_path(program: Callable[[Ask], object]) -> Paths:
    """(probability, result) of each path of a program that is certain but for what it asks."""

    def run(noise: EnumeratedNoise) -> object:
        fresh = count()  # each question is asked of a uniform of its own
        return program(lambda yes: noise.round(next(fresh)).uniforms("ask", 1)[0] < yes)

    return list(outcomes(run))


def _steps(program: Callable[[Ask], object]) -> list[tuple[list[tuple[float, bool]], object]]:
    """For each path: (probability of yes, answer) of each question, and the result."""

    def noting(ask: Ask) -> tuple:
        steps = []

        def noted(yes: float) -> bool:
            steps.append((yes, ask(yes)))
            return steps[-1][1]

        return steps, program(noted)

    return [result for _, result in every_path(noting)]


def _with_at_most(noes: int) -> Callable:
    """The paths on which no more than so many questions are answered no."""

    def walk(program: Callable[[Ask], object]) -> Paths:
        few = [sum(not answer for _, answer in steps) <= noes for steps, _ in _steps(program)]
        return [path for path, is_one in zip(every_path(program), few, strict=True) if is_one]

    return walk


def _together(program: Callable[[Ask], object]) -> Paths:
    weights: dict = {}
    for weight, result in every_path(program):
        weights[result] = weights.get(result, 0) + weight
    return [(weight, result) for result, weight in weights.items()]


def _in_order(attempt: Callable, program: Callable[[Ask], object]) -> object:
    """The attempt's paths, those of probability 0 left out, in an order of their own."""
    paths = plain(attempt(program))
    if not isinstance(paths, list):
        return paths
    possible = [(weight, result) for weight, result in paths if weight != 0]
    return sorted(possible or paths, key=lambda path: (repr(path[1]), path[0]))


def asks_nothing(ask: Ask) -> str:
    return "certain"


def asks_once(ask: Ask) -> str:
    return "rare" if ask(0.125) else "common"


def asks_again_after_no(ask: Ask) -> str:
    if ask(0.5):
        return "heads"
    return "tails, low" if ask(0.2) else "tails, high"


def waits_for_a_no(ask: Ask) -> int:
    """Up to three questions; a path for each number of yes."""
    return next((n for n in range(3) if not ask(0.75)), 3)


def compares_two(ask: Ask) -> str:
    """Four paths to two results."""
    return "same" if ask(0.25) == ask(0.125) else "different"


def _pairs(answer: object, program: Callable) -> str | None:
    if isinstance(answer, Iterator):
        return "You return an iterator, and nothing has run yet: put list(...) around it."
    if not isinstance(answer, list):
        return "Return a list with one pair (probability, result) for each path."
    if program is asks_nothing and len(answer) > 1:
        return (
            f"A program may ask 0, 1 or many questions. You gave {len(answer)} paths for one that "
            "asks nothing: it has a single path."
        )
    return None


check_every_path = Exercise(
    "every_path",
    cases=[
        (program,)
        for program in (
            asks_nothing, asks_once, asks_again_after_no, waits_for_a_no, compares_two
        )
    ],
    right=every_path,
    mistakes={
        "You follow the path on which every answer is yes. Each question has a second answer, "
        "which another run has to follow.": _with_at_most(0),
        "You change the answers of the first run only. A later run asks new questions, and "
        "each of them has a second answer as well.": _with_at_most(1),
        "Two paths with the same result are put together. Leave them two pairs.": _together,
        "You multiply by `yes` when the answer is no. A no has probability 1 - yes.": (
            lambda program: [(prod(yes for yes, _ in s), result) for s, result in _steps(program)]
        ),
        "Every probability is 1. Read it after the program has returned, not before.": (
            lambda program: [(1.0, result) for _, result in every_path(program)]
        ),
        "Your paths are all equally likely. Multiply the probabilities of the answers.": (
            lambda program: [(1 / len(_steps(program)), r) for _, r in _steps(program)]
        ),
    },
    insight="Nothing in it is about decoding. It walks through any program that only asks.",
    ask=_in_order,
    form=_pairs,
    shown=lambda program: f"the program {program.__name__}",
)  # fmt: skip


# --- the distance


def exact_distance(paths: Sequence[tuple[float, tuple[int, ...]]], truth: Distribution) -> float:
    """Total variation of the distribution that the paths add up to, and `truth`."""
    return distribution_distance(gathered(paths), truth)


def _off(said: Distribution, truth: Distribution, texts: set[tuple[int, ...]]) -> list[float]:
    return [abs(said.get(text, 0.0) - truth.get(text, 0.0)) for text in texts]


OVERWRITTEN = (
    "several paths lead to the same text, and you kept the weight of one of them: look at the "
    "line that puts a weight into your dictionary, and let it add."
)


def _told(answer: object, paths: Paths, truth: Distribution) -> str:
    """Was the probability of a text that comes again overwritten, whatever else is wrong?"""
    for kept in (dict(each[::-1] for each in order) for order in (paths, paths[::-1])):
        for texts in {*kept, *truth}, {*kept}, {*truth}:
            off = sum(_off(kept, truth, texts))
            if any(isclose(answer, said, abs_tol=1e-9) for said in (off, off / 2)):
                return OVERWRITTEN
    return ""


check_exact_distance = Exercise(
    "exact_distance",
    cases=[
        ([(0.5, (0,)), (0.125, (1,)), (0.375, (1,))], {(0,): 0.25, (1,): 0.75}),
        (  # a text that the target never says, (2, 0), and one that no path says, (1, 1)
            [
                (0.25, (0, 0)), (0.125, (0, 1)), (0.125, (0, 0)), (0.25, (1, 0)),
                (0.0625, (0, 1)), (0.0625, (1, 0)), (0.125, (2, 0)),
            ],
            {(0, 0): 0.25, (0, 1): 0.25, (1, 0): 0.4375, (1, 1): 0.0625},
        ),
        # 0.203125, not to be rounded; as much too often at several texts as too rarely
        (
            [(0.4375, (0,)), (0.265625, (1,)), (0.171875, (2,)), (0.125, (3,))],
            {(0,): 0.375, (1,): 0.25, (2,): 0.25, (4,): 0.125},
        ),
    ],
    right=exact_distance,
    mistakes={
        "Several paths lead to the same text, and you kept the weight of the last one. Their "
        "weights must be added up.": lambda paths, truth: exact_distance(
            [(weight, text) for text, weight in {t: w for w, t in paths}.items()], truth
        ),
        "You counted paths. They are not equally likely: add up their probabilities.": (
            lambda paths, truth: exact_distance([(1 / len(paths), t) for _, t in paths], truth)
        ),
        "You compared each path with its text. First add up the paths of a text, then compare.": (
            lambda paths, truth: sum(abs(w - truth.get(t, 0.0)) for w, t in paths) / 2
        ),
        "Every probability at the wrong text is missing at another one, so you count it twice: "
        "halve the sum.": lambda paths, truth: 2 * exact_distance(paths, truth),
        "That is the largest error of a single text. Add up over all texts, and halve.": (
            lambda paths, truth: max(_off(gathered(paths), truth, {*gathered(paths), *truth}))
        ),
        "The differences cancel each other: both distributions sum to 1. Take |a − b|.": (
            lambda paths, truth: 0.0
        ),
        "You left out the texts that no path says. The target says them, so they are missing.": (
            lambda paths, truth: sum(_off(gathered(paths), truth, {*gathered(paths)})) / 2
        ),
        "You left out the texts that the target never says. Emitting one is an error.": (
            lambda paths, truth: sum(_off(gathered(paths), truth, {*truth})) / 2
        ),
        "Right as long as both sides know every text. A wrong decoder can say a text that the "
        "target never says, and the other way round: `said.get(text, 0)`.": (
            lambda paths, truth: sum(abs(w - truth[t]) for t, w in gathered(paths).items()) / 2
        ),
    },
    told=_told,
    insight="A distance of 0 is a proof for this pair and this length. A small χ² is none.",
    shown=lambda paths, truth: f"{len(paths)} paths to {len(gathered(paths))} texts",
)  # fmt: skip
