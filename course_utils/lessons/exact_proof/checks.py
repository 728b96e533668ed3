"""Checks of this lesson: the walk, the distance, the zoo; and the own decoder's."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.plain import plain
from course_utils.decoding.metrics import emitted_tokens
from course_utils.lessons.exact_proof.decoder_checks import (
    check_commit,
    check_draft_tokens,
    check_own_decoder,
    check_verify,
)
from course_utils.proofs.decoders import Decoder, Exam
from course_utils.proofs.enumeration import Distribution, EnumeratedNoise, merge_paths
from course_utils.refused import Refused

__all__ = [
    "SPECIMENS", "WOULD_SHOW", "check_commit", "check_draft_tokens", "check_every_path",
    "check_exact_distance", "check_own_decoder", "check_specimens", "check_verify", "every_path",
    "exact_distance", "loop_of",
]  # fmt: skip

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


MAX_RUNS = 30  # of a program with four paths at most


def _in_order(attempt: Callable, program: Callable[[Ask], object]) -> object:
    """The attempt's paths in one order, without those of probability 0."""
    runs = 0

    def counted(ask: Ask) -> object:
        nonlocal runs
        runs += 1
        if runs > MAX_RUNS:
            raise Refused(
                f"You ran a program of a few paths {MAX_RUNS} times. Run it once for each path: "
                "*choose* the answers one after another, draw nothing, and end when none is left."
            )
        return program(ask)

    paths = plain(attempt(counted))
    if not isinstance(paths, list):
        return paths
    if any(not isinstance(path, list | tuple) or len(path) != 2 for path in paths):
        return paths
    possible = [(weight, result) for weight, result in paths if weight != 0]
    return sorted(possible or paths, key=lambda path: (repr(path[1]), path[0]))


def asks_nothing(ask: Ask) -> str:
    return "certain"


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


check_every_path = Exercise(
    "every_path",
    cases=[
        (program,)
        for program in (
            asks_nothing, asks_again_after_no, waits_for_a_no, compares_two
        )
    ],
    solution=every_path,
    mistakes={
        "Your list of beginnings holds the run's own list, which changes later: each run repeats "
        "the first path. Put a copy on it, [*answers, False].": ("[*answers, False]", "answers"),
        "The answers that a run repeats count as well. Multiply over *all* answers of the path, "
        "from the first question on.": (
            ("nd(True)", "nd(True)\n            weights.append(yes)\n            return True"),
            ("yes if answer else 1 - yes", "1"),
        ),
        "You multiply by `yes` when the answer is no. A no has probability 1 - yes.": (
            "yes if answer else 1 - yes",
            "yes",
        ),
        "You added up the paths to one result. Two of them stay two pairs.": (
            "return paths",
            "return [(weight, result) for result, weight in merge_paths(paths).items()]",
        ),
    },
    insight="Nothing in it is about decoding. It walks through any program that only asks.",
    call=_in_order,
    describe_case=lambda program: f"the program {program.__name__}",
)  # fmt: skip


# --- the real loop as such a program


def loop_of(decoder: Decoder, exam: Exam) -> Callable[[Ask], tuple[int, ...]]:
    """Return the real loop as a program of `ask`, which returns its text: a uniform of it is an
    interval, and asks where a comparison splits it."""

    def program(ask: Ask) -> tuple[int, ...]:
        noise = EnumeratedNoise(SimpleNamespace(choose=ask), {})
        return tuple(emitted_tokens(exam.rounds(decoder, noise=lambda _: noise)))

    return program


# --- the distance


def exact_distance(paths: Sequence[tuple[float, tuple[int, ...]]], truth: Distribution) -> float:
    """Total variation of the distribution that the paths add up to, and `truth`."""
    said = {}
    for weight, text in paths:
        said[text] = said.get(text, 0) + weight
    texts = {*said, *truth}
    off = [abs(said.get(t, 0) - truth.get(t, 0)) for t in texts]
    return sum(off) / 2


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
    solution=exact_distance,
    mistakes={
        "Several paths lead to the same text, and you kept the weight of one of them. Their "
        "weights must be added up.": ("said.get(text, 0) + weight", "weight"),
        "You compared each path with its text. First add up the paths of a text, then compare.": (
            lambda paths, truth: sum(abs(w - truth.get(t, 0.0)) for w, t in paths) / 2
        ),
        "Every probability at the wrong text is missing at another one, so you count it twice: "
        "halve the sum.": ("sum(off) / 2", "sum(off)"),
        "You left out the texts that no path says. The target says them, so they are missing.": (
            "{*said, *truth}",
            "{*said}",
        ),
        "You left out the texts that the target never says. Emitting one is an error.": (
            "{*said, *truth}",
            "{*truth}",
        ),
    },
    insight="A distance of 0 is a proof for this pair and this length. A small χ² is none.",
    describe_case=lambda paths, truth: f"{len(paths)} paths to {len(merge_paths(paths))} texts",
)  # fmt: skip


# --- the zoo: which specimen has which bug?


# What each letter stands for.  Guess before you read on.
SPECIMENS = {
    "A": "resample from p",
    "B": "no bonus",
    "C": "no uniform",
    "D": "argmax bonus",
    "E": "first token unverified",
}

# The bugs to choose from, and what each would show.
WOULD_SHOW = {
    "argmax bonus": "would leave the bars in their outline and put the whole bonus on one word.",
    "argmax residual": "would put every correction on one single word.",
    "first token unverified": "would accept every first guess, so the bars would be q.",
    "no bonus": "would leave the distribution alone (TV 0) and cost tokens per round.",
    "no uniform": "would accept a word always or never, so some words would never come out.",
    "p and q swapped": "would accept every word that q offers too often.",
    "resample from p": "would leave acceptance alone and correct to every word.",
    "residual swapped": "would correct to roof, floor and moon, of which there is too much.",
}


def _on_the_list(answer: object) -> str | None:
    """Refuse an unknown name: shown beside the right one, it would give that away."""
    guesses = answer.values() if isinstance(answer, dict) else ()
    unknown = [g for g in guesses if g is not None and g is not ... and g not in [*WOULD_SHOW]]
    return f"{unknown[0]!r} is not on the list: {', '.join(WOULD_SHOW)}." if unknown else None


check_specimens = Exercise(
    "specimens",
    cases=[()],
    solution=SPECIMENS,
    insight="A, B and D show the acceptance of the correct decoder. A and D are wrong; the text of "
    "B is right, and takes more rounds.",
    call=lambda guesses: guesses() if callable(guesses) else guesses,
    validate=_on_the_list,
    parts=[*SPECIMENS],
    explain=lambda guess: f"it is not {guess!r}, which {WOULD_SHOW[guess]}",
)
