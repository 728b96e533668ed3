"""The checks of this lesson: the walk, the distance, the zoo, and those of `decoder_checks`."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.plain import plain
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
    """Return (probability, result) for each path of a program whose only randomness is `ask`."""
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
    """Return the attempt's paths, sorted, without those of probability 0."""
    runs = 0

    def with_limit(ask: Ask) -> object:
        nonlocal runs
        runs += 1
        if runs > MAX_RUNS:
            raise Refused(
                f"You ran a program of at most four paths {MAX_RUNS} times. Run it once for each "
                "path: *choose* the answers in order, draw nothing, and stop when none is left."
            )
        return program(ask)

    paths = plain(attempt(with_limit))
    if not isinstance(paths, list | tuple):
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
    """Ask up to three questions; return the number of yes before the first no."""
    return next((n for n in range(3) if not ask(0.75)), 3)


def compares_two(ask: Ask) -> str:
    """Take one of four paths to two results."""
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
        "Your list of beginnings holds the run's own list, which changes later, so each run "
        "repeats the first path. Add a copy, [*answers, False].": "[*answers, False] → answers",
        "You leave out the answers that a run repeats. Multiply over *all* answers of the path, "
        "from the first question on.": "nd(True) → nd(True)\n            weights.append(yes)\n"
        "            return True; yes if answer else 1 - yes → 1",
        "You multiply by `yes` when the answer is no. "
        "A no has probability 1 - yes.": "yes if answer else 1 - yes → yes",
        "You added up the paths with the same result. "
        "Return a pair for each path.": "return paths → "
        "return [(weight, result) for result, weight in merge_paths(paths).items()]",
    },
    insight="Nothing in it is specific to decoding. It walks any program that only asks.",
    call=_in_order,
    describe_case=lambda program: f"the program {program.__name__}",
)  # fmt: skip


# --- the real loop as such a program


def loop_of(decoder: Decoder, exam: Exam) -> Callable[[Ask], tuple[int, ...]]:
    """Return the real loop as a program of `ask`, which returns its text: each uniform is an
    interval, and calls `ask` where a comparison splits it."""

    def program(ask: Ask) -> tuple[int, ...]:
        return exam.text(decoder, EnumeratedNoise(SimpleNamespace(choose=ask)))

    return program


# --- the distance


def exact_distance(paths: Sequence[tuple[float, tuple[int, ...]]], truth: Distribution) -> float:
    """Return the total variation between the paths' distribution and `truth`."""
    output = {}
    for weight, text in paths:
        output[text] = output.get(text, 0) + weight
    texts = {*output, *truth}
    off = [abs(output.get(t, 0) - truth.get(t, 0)) for t in texts]
    return sum(off) / 2


check_exact_distance = Exercise(
    "exact_distance",
    cases=[
        ([(0.5, (0,)), (0.125, (1,)), (0.375, (1,))], {(0,): 0.25, (1,): 0.75}),
        (  # the target never writes (2, 0), and no path writes (1, 1)
            [
                (0.25, (0, 0)), (0.125, (0, 1)), (0.125, (0, 0)), (0.25, (1, 0)),
                (0.0625, (0, 1)), (0.0625, (1, 0)), (0.125, (2, 0)),
            ],
            {(0, 0): 0.25, (0, 1): 0.25, (1, 0): 0.4375, (1, 1): 0.0625},
        ),
        # 0.203125, not rounded; several texts are too likely, several too unlikely
        (
            [(0.4375, (0,)), (0.265625, (1,)), (0.171875, (2,)), (0.125, (3,))],
            {(0,): 0.375, (1,): 0.25, (2,): 0.25, (4,): 0.125},
        ),
    ],
    solution=exact_distance,
    mistakes={
        "Several paths lead to the same text, and you kept the weight of one of them. Add up their "
        "weights.": "output.get(text, 0) + weight → weight",
        "You compared each path with its text. First add up the paths of a text, then compare.": (
            lambda paths, truth: sum(abs(w - truth.get(t, 0.0)) for w, t in paths) / 2
        ),
        "Probability on a wrong text is missing from another one, so you count it twice. Halve the "
        "sum.": "sum(off) / 2 → sum(off)",
        "You left out the texts that no path writes. The target writes them, "
        "so include them.": "{*output, *truth} → {*output}",
        "You left out the texts that the target never writes. "
        "Emitting one is an error.": "{*output, *truth} → {*truth}",
    },
    insight="A distance of 0 is a proof for this pair and this length. A small χ² is not.",
    describe_case=lambda paths, truth: f"{len(paths)} paths to {len(merge_paths(paths))} texts",
)  # fmt: skip


# --- the zoo: which specimen has which bug?


# The answers. Guess before you read on.
SPECIMENS = {
    "A": "resample from p",
    "B": "no bonus",
    "C": "no uniform",
    "D": "argmax bonus",
    "E": "first token unverified",
}

# The bugs to choose from, and the effect of each.
WOULD_SHOW = {
    "argmax bonus": "would keep the bars in their outline and make the bonus always the same word.",
    "argmax residual": "would make every correction the same word.",
    "first token unverified": "would accept every first guess, so the bars would be q.",
    "no bonus": "would keep the distribution (TV 0) and lower the tokens per round.",
    "no uniform": "would accept a word always or never, so some words would never appear.",
    "p and q swapped": "would accept every word that q offers too often.",
    "resample from p": "would keep the acceptance and make any word a correction.",
    "residual swapped": "would make corrections of roof, floor and moon, already too likely.",
}


def _on_the_list(answer: object) -> str | None:
    """Refuse an unknown name: feedback that compares the two would reveal the right one."""
    guesses = answer.values() if isinstance(answer, dict) else ()
    unknown = [g for g in guesses if g is not None and g is not ... and g not in [*WOULD_SHOW]]
    return f"{unknown[0]!r} is not on the list: {', '.join(WOULD_SHOW)}." if unknown else None


check_specimens = Exercise(
    "specimens",
    cases=[()],
    solution=SPECIMENS,
    insight="A, B and D show the acceptance of the correct decoder. A and D are wrong; the text of "
    "B is right, but takes more rounds.",
    call=lambda guesses: guesses() if callable(guesses) else guesses,
    validate=_on_the_list,
    parts=[*SPECIMENS],
    explain=lambda guess: f"it is not {guess!r}, which {WOULD_SHOW[guess]}",
)
