"""Checks of this lesson: the walk, the distance, the zoo; and the own decoder's."""

from collections.abc import Callable, Iterator, Sequence
from math import isclose

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.plain import plain
from course_utils.lessons.exact_proof.decoder_checks import (
    check_commit,
    check_draft_tokens,
    check_own_decoder,
    check_verify,
)
from course_utils.proofs.enumeration import Distribution, merge_paths

__all__ = [
    "SPECIMENS",
    "WOULD_SHOW",
    "check_commit",
    "check_draft_tokens",
    "check_every_path",
    "check_exact_distance",
    "check_own_decoder",
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
    paths, beginnings = [], [[]]

    def ask(yes):
        if len(weights) == len(answers):  # a question that is new
            beginnings.append([*answers, False])
            answers.append(True)
        answer = answers[len(weights)]
        weights.append(yes if answer else 1 - yes)
        return answer

    while beginnings:
        answers, weights = beginnings.pop(), []  # of this run
        result = program(ask)
        paths.append((np.prod(weights), result))
    return paths


ENOUGH = 50  # runs of a program of four paths at most


class Endless(Exception):
    """In place of a loop that never ends, so that a mistake can be known by it."""


def _in_order(attempt: Callable, program: Callable[[Ask], object]) -> object:
    """The attempt's paths, those of probability 0 left out, in an order of their own."""
    runs = 0

    def counted(ask: Ask) -> object:
        nonlocal runs
        runs += 1
        if runs > ENOUGH:
            raise Endless(f"the program has a few paths, and was run {ENOUGH} times")
        return program(ask)

    paths = plain(attempt(counted))
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
    solution=every_path,
    mistakes={
        "You follow the path on which every answer is yes. Each question has a second answer, "
        "which another run has to follow.": ("beginnings.append([*answers, False])", "pass"),
        "You change the answers of the first run only. A later run asks new questions, and "
        "each of them has a second answer as well.": ("beginnings.app", "paths or beginnings.app"),
        "Your list of beginnings holds the run's own list, which changes later: each run repeats "
        "the first path. Put a copy on it, [*answers, False].": ("[*answers, False]", "answers"),
        "A beginning has to hold *all* answers before the question, and then the new one. You keep "
        "the new one only.": ("[*answers, False]", "[False]"),
        "The answers that a run repeats count as well. Multiply over *all* answers of the path, "
        "from the first question on.": (
            ("nd(True)", "nd(True)\n            weights.append(yes)\n            return True"),
            ("yes if answer else 1 - yes", "1"),
        ),
        "In each pair the probability comes first, then the result.": (
            lambda program: [path[::-1] for path in every_path(program)]
        ),
        "Two paths with the same result are put together. Leave them two pairs.": (
            lambda program: [(w, result) for result, w in merge_paths(every_path(program)).items()]
        ),
        "You multiply by `yes` when the answer is no. A "
        "no has probability 1 - yes.": ("yes if answer else 1 - yes", "yes"),
        "Every probability is 1. Read it after "
        "the program has returned, not before.": ("np.prod(weights)", "1.0"),
        "Your paths are all equally likely. Multiply the probabilities of the "
        "answers.": ("return paths", "return [(1 / len(paths), result) for _, result in paths]"),
    },
    insight="Nothing in it is about decoding. It walks through any program that only asks.",
    call=_in_order,
    validate=_pairs,
    describe_case=lambda program: f"the program {program.__name__}",
)  # fmt: skip


# --- the distance


def exact_distance(paths: Sequence[tuple[float, tuple[int, ...]]], truth: Distribution) -> float:
    """Total variation of the distribution that the paths add up to, and `truth`."""
    said = {}
    for weight, text in paths:
        said[text] = said.get(text, 0) + weight
    texts = {*said, *truth}
    off = [abs(said.get(t, 0) - truth.get(t, 0)) for t in texts]
    return sum(off) / 2


OVERWRITTEN = (
    "several paths lead to the same text, and you kept the weight of one of them: look at the "
    "line that puts a weight into your dictionary, and let it add."
)


FIRST = [(0.5, (0,)), (0.125, (1,)), (0.375, (1,))], {(0,): 0.25, (1,): 0.75}


def _told(answer: object, paths: Paths, truth: Distribution) -> str:
    """Was the probability of a text that comes again overwritten, whatever else is wrong?

    That is wrong in the first case already; in a later one the figures agree by chance.
    """
    if len(truth) > len(FIRST[1]):
        return ""
    for kept in (dict(each[::-1] for each in order) for order in (paths, paths[::-1])):
        for texts in {*kept, *truth}, {*kept}, {*truth}:
            off = sum(abs(kept.get(t, 0) - truth.get(t, 0)) for t in texts)
            if any(isclose(answer, said, abs_tol=1e-9) for said in (off, off / 2)):
                return OVERWRITTEN
    return ""


check_exact_distance = Exercise(
    "exact_distance",
    cases=[
        FIRST,
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
    solution=exact_distance,
    mistakes={
        "Several paths lead to the same text, and you kept the weight of the last one. Their "
        "weights must be added up.": ("said.get(text, 0) + weight", "weight"),
        "You counted paths. They are not "
        "equally likely: add up their probabilities.": ("+ weight", "+ 1 / len(paths)"),
        "You compared each path with its text. First add up the paths of a text, then compare.": (
            lambda paths, truth: sum(abs(w - truth.get(t, 0.0)) for w, t in paths) / 2
        ),
        "Every probability at the wrong text is missing at another one, so you count it twice: "
        "halve the sum.": ("sum(off) / 2", "sum(off)"),
        "That is the largest error of a single text. Add "
        "up over all texts, and halve.": ("sum(off) / 2", "max(off)"),
        "The differences cancel each other: both distributions sum "
        "to 1. Take |a − b|.": ("abs(", "("),
        "You left out the texts that no path says. The target "
        "says them, so they are missing.": ("{*said, *truth}", "{*said}"),
        "You left out the texts that the target never "
        "says. Emitting one is an error.": ("{*said, *truth}", "{*truth}"),
        "Right as long as both sides know every text. A wrong decoder can say a text that the "
        "target never says, and "
        "the other way round: `said.get(text, 0)`.": ("truth.get(t, 0)", "truth[t]"),
    },
    explain=_told,
    insight="A distance of 0 is a proof for this pair and this length. A small χ² is none.",
    describe_case=lambda paths, truth: f"{len(paths)} paths to {len(merge_paths(paths))} texts",
)  # fmt: skip


# --- the zoo: which specimen has which bug?


# What hides behind each letter.  Guess before you read on.
SPECIMENS = {
    "A": "resample from p",
    "B": "no bonus",
    "C": "no uniform",
    "D": "argmax bonus",
    "E": "first token unverified",
}

# The bugs to choose from, and what each would show.
WOULD_SHOW = {
    "argmax bonus": "would leave the stacks on their outline and move the diamonds: "
    "all of them onto one word.",
    "argmax residual": "would put every correction on one single word.",
    "first token unverified": "would accept every first draft, so the stacks would be q, "
    "without any correction.",
    "no bonus": "would leave the distribution alone (TV 0) and cost tokens per round.",
    "no uniform": "would accept a word always or never, so that some words never come out at all, "
    "and would accept less often.",
    "p and q swapped": "would reject the words that q offers too rarely and accept all of those "
    "that it offers too often.",
    "resample from p": "would leave acceptance alone and give every word a correction, in "
    "proportion to p.",
    "residual swapped": "would correct to roof, floor and moon, of which there is "
    "too much already.",
}

LOOK_AT = {
    "A": "acceptance is untouched, the diamonds are in place, and all five words get corrections",
    "B": "every stack fills its outline, and the diamonds are missing",
    "C": "acceptance is far lower, and three words never come out",
    "D": "the stacks fill their outline, and the diamonds do not",
    "E": "there is no correction at all, and rounds are longer than they should be",
}


def _on_the_list(answer: object) -> str | None:
    """An unknown name is refused: shown beside the right one, it would give that away."""
    guesses = answer.values() if isinstance(answer, dict) else ()
    unknown = [g for g in guesses if g is not None and g is not ... and g not in [*WOULD_SHOW]]
    return f"{unknown[0]!r} is not on the list: {', '.join(WOULD_SHOW)}." if unknown else None


check_specimens = Exercise(
    "specimens",
    cases=[()],
    solution=SPECIMENS,
    mistakes={
        f"It is not {bug!r}, which {shows} Look again: {LOOK_AT[letter]}.": (
            SPECIMENS | {letter: bug}
        )
        for letter, right in SPECIMENS.items()
        for bug, shows in WOULD_SHOW.items()
        if bug != right
    },
    insight="A, B and D show the acceptance of the correct decoder. A and D are wrong; the text of "
    "B is right, and takes more rounds.",
    call=lambda guesses: guesses() if callable(guesses) else guesses,
    validate=_on_the_list,
    parts=[*SPECIMENS],
)
