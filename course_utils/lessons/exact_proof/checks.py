"""The check of lesson 03's enumeration: from all paths to the distance of two laws."""

from collections.abc import Callable, Mapping, Sequence

from course_utils.classroom.diagnosis import RAISED, answers, likeliest
from course_utils.classroom.feedback import Feedback, judge

Paths = Sequence[tuple[float, tuple[int, ...]]]  # (probability, text) of each path
Law = Mapping[tuple[int, ...], float]  # text -> probability

# The second has a text that the target never says, (2, 0), and one that no path says, (1, 1).
WALKS = (
    ([(0.5, (0,)), (0.125, (1,)), (0.375, (1,))], {(0,): 0.25, (1,): 0.75}),
    (
        [
            (0.25, (0, 0)), (0.125, (0, 1)), (0.125, (0, 0)), (0.25, (1, 0)),
            (0.0625, (0, 1)), (0.0625, (1, 0)), (0.125, (2, 0)),
        ],
        {(0, 0): 0.25, (0, 1): 0.25, (1, 0): 0.4375, (1, 1): 0.0625},
    ),
)  # fmt: skip


def exact_distance(paths: Paths, truth: Law) -> float:
    """Total variation of the law that the paths add up to, and `truth`."""
    law = _added(paths)
    return sum(abs(law.get(text, 0.0) - truth.get(text, 0.0)) for text in {*law, *truth}) / 2


def _added(paths: Paths) -> dict[tuple[int, ...], float]:
    law: dict[tuple[int, ...], float] = {}
    for weight, text in paths:
        law[text] = law.get(text, 0.0) + weight
    return law


def check_exact_distance(function: Callable) -> Feedback:
    """`function(paths, truth)` should be `exact_distance`."""

    def off(paths: Paths, truth: Law, texts: set) -> list[float]:
        law = _added(paths)
        return [abs(law.get(text, 0.0) - truth.get(text, 0.0)) for text in texts]

    mistakes = {
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
            lambda paths, truth: max(off(paths, truth, {*_added(paths), *truth}))
        ),
        "The differences cancel each other: both laws sum to 1. Take |a − b|.": (
            lambda paths, truth: 0.0
        ),
        "You left out the texts that no path says. The target says them, so they are missing.": (
            lambda paths, truth: sum(off(paths, truth, {*_added(paths)})) / 2
        ),
        "You left out the texts that the target never says. Emitting one is an error.": (
            lambda paths, truth: sum(off(paths, truth, {*truth})) / 2
        ),
    }

    def diagnose(given: Sequence) -> str | None:
        if given[-1] is RAISED:
            return (
                "Right as long as every text is in both laws. A wrong decoder can say a text "
                "that the target never says, and the other way round: `law.get(text, 0)`."
            )
        return likeliest(given, WALKS, exact_distance, mistakes, shown=_walk_in_words)

    return judge("exact_distance", lambda: answers(function, WALKS, (KeyError,)), diagnose)


def _walk_in_words(case: tuple[Paths, Law]) -> str:
    return f"{len(case[0])} paths to {len(_added(case[0]))} texts"
