"""The check of the proof in order: from one position to whole texts.

The lines stand in the notebook, under their letters; here is what each is good for.
"""

from collections.abc import Sequence

from course_utils.classroom.exercise import Exercise

# A proof may go through its three cases (draft, correction, bonus) in any order.
PROOF = "DEGBFA"

WRONG_LINES = {
    "C": "Line C is wrong: the rows of p and q behind a rejected token were computed after that "
    "token, and it is not in the text. Such a token may not be judged at all.",
    "H": "Line H is about how many drafted tokens are accepted, not about which text comes out. "
    "(And α differs from position to position.)",
    "I": "Line I assumes a good draft and shows only 'nearly'. The claim is exact, for every draft "
    "model.",
    "J": "Line J is wrong: where nothing was drafted there is no q, and no part of p is given out "
    "yet. The bonus is drawn from p itself.",
}
MISSING_LINES = {
    "D": "It is not said what has to be shown for the next token. One line sets that up.",
    "E": "The proof for one position needs a row q from which x was drawn and a row p that "
    "judges it. One line says why both follow the text c.",
    "G": "Nowhere is the proof for one position used. One line says why it may be.",
    "B": "What happens after a correction? Without that case the rest of the draft might be judged "
    "with rows of another text.",
    "F": "What happens if the whole draft is accepted? The case of the bonus is missing.",
    "A": "You have one token, and the claim is about a text of n. One line puts them together.",
}
# (line, its place is wrong in this order, what to say)
ORDER = (
    ("D", lambda at: at["D"] != 0, "Line D sets up what is to be shown: begin with it."),
    (
        "A",
        lambda at: at["A"] != len(PROOF) - 1,
        "Line A multiplies over all positions, so every way in which a token can come about has "
        "to be settled before it: end with A.",
    ),
    (
        "G",
        lambda at: at["G"] < at["E"],
        "Line G speaks of x and uses that x was drawn from q(·|c). Line E says so: it has to "
        "stand before G.",
    ),
)


def _letters(answer: object) -> list[str]:
    """ "D, e G" or ["D", "E", "G"] -> ["D", "E", "G"]"""
    joined = "".join(map(str, answer)) if isinstance(answer, list | tuple) else answer
    if not isinstance(joined, str):
        raise TypeError("a text of letters is expected")
    return [letter for letter in joined.upper() if letter.isalnum()]


def _gap(answer: Sequence[str] | str) -> str | None:
    letters = _letters(answer)
    for letter in letters:
        if letter not in PROOF and letter not in WRONG_LINES:
            return f"{letter!r} is none of the ten lines, A to J."
        if letter in WRONG_LINES:
            return WRONG_LINES[letter]
        if letters.count(letter) > 1:
            return f"Line {letter} stands there twice. Once is enough."
    for letter, said in MISSING_LINES.items():
        if letter not in letters:
            return said
    at = {letter: letters.index(letter) for letter in PROOF}
    return next((said for _, broken, said in ORDER if broken(at)), None)


check_whole_text_proof = Exercise(
    "whole_text_proof",
    cases=[()],
    right=lambda: PROOF,
    mistakes={
        **{said: (lambda x=x: "DEGBF" + x + "A") for x, said in WRONG_LINES.items()},
        **{said: (lambda x=x: PROOF.replace(x, "")) for x, said in MISSING_LINES.items()},
        ORDER[0][2]: lambda: "EDGBFA",
        ORDER[1][2]: lambda: "DEGBAF",
        ORDER[2][2]: lambda: "DGEBFA",
    },
    insight="The step from one position to whole texts is the chain rule. It needs one property "
    "of the loop: every row that is used follows text that was committed.",
    form=_gap,
    same=lambda given, right: sorted(_letters(given)) == sorted(right),  # `form` saw the order
)
