"""The check of the bug zoo: which specimen has which bug?"""

from course_utils.classroom.exercise import Exercise

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
    right=SPECIMENS,
    mistakes={
        f"It is not {bug!r}, which {shows} Look again: {LOOK_AT[letter]}.": (
            SPECIMENS | {letter: bug}
        )
        for letter, right in SPECIMENS.items()
        for bug, shows in WOULD_SHOW.items()
        if bug != right
    },
    insight="A and D show the acceptance of the correct decoder and are wrong. B shows a lower "
    "one, and its text is right.",
    ask=lambda guesses: guesses() if callable(guesses) else guesses,
    form=_on_the_list,
    parts=[*SPECIMENS],
)
