"""The check of lesson 03's bug zoo: which specimen has which bug?"""

from collections.abc import Mapping

from course_utils.classroom.feedback import Feedback, judge

# What hides behind each letter.  Guess before you read on.
SPECIMENS = {
    "A": "resample from p",
    "B": "no bonus",
    "C": "no coin",
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
    "no bonus": "would leave the law alone (TV 0) and cost tokens a round.",
    "no coin": "would keep a word always or never, so that some words never come out at all, "
    "and would accept less often.",
    "p and q swapped": "would refuse the words that q offers too rarely and keep all of those "
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


def check_specimens(answers: Mapping[str, str]) -> Feedback:
    """`answers` should name the bug behind each letter."""

    def diagnose(given: Mapping[str, str]) -> str | None:
        for letter, bug in SPECIMENS.items():
            guess = given.get(letter, ...)
            if guess is None or guess is ...:
                return f"{letter} is still open: {LOOK_AT[letter]}."
            if guess not in WOULD_SHOW:
                return f"{guess!r} is not on the list: {', '.join(WOULD_SHOW)}."
            if guess != bug:
                return f"{letter} is something else: {guess!r} {WOULD_SHOW[guess]} " + (
                    f"Look again: {LOOK_AT[letter]}."
                )
        return None

    return judge("specimens", lambda: answers or None, diagnose)
