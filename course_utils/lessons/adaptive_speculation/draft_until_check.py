"""The check of this lesson's build: drafting that stops after an unsure guess.

Single drafts first, each of which gives a mistake away.  Then the whole loop with the
student's drafting on tables, along every path: the exact distance of its texts from the
target's.
"""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.alike import alike
from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Draft, LanguageModel, RoundNoise
from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.proofs.decoders import Decoder, exam
from course_utils.proofs.enumeration import Unrepeatable

WHOLE = exam(2, agreement=0.2, gamma=2, length=4)
ROUNDING = 12  # digits of a distance
RowAfter = Callable[[Sequence[int]], np.ndarray]
REMEMBERED = "It remembers earlier calls, or draws random numbers of its own: use `uniforms` only."


def draft_until(
    row_after: RowAfter, uniforms: Sequence[float], threshold: float
) -> tuple[list[int], list[np.ndarray]]:
    """Guess until a guess had less than `threshold`; that guess is submitted, too."""
    guesses, rows = [], []
    for uniform in uniforms:
        rows.append(row_after(guesses))
        guesses.append(sample(rows[-1], uniform))
        if rows[-1][guesses[-1]] < threshold:
            break
    return guesses, rows


class Drafting:
    """A drafter around a student's `draft_until`."""

    def __init__(self, attempt: Callable, model: LanguageModel, sampling: Sampling, threshold=0.4):
        self._attempt, self._model, self._sampling = attempt, model, sampling
        self._threshold = threshold

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        def row_after(guesses: Sequence[int]) -> np.ndarray:
            logits = self._model.start([]).extend([*tokens, *guesses])
            return probabilities(logits[-1:], self._sampling)[0]

        guesses, rows = self._attempt(row_after, noise.uniforms("draft", gamma), self._threshold)
        return Draft(tuple(guesses), np.stack(rows) if len(rows) else None)


def distance_of(attempt: Callable) -> float:
    """Between the texts that come of a student's drafting and the target's, enumerated."""
    return WHOLE.distance(Decoder(drafter=lambda model, how: Drafting(attempt, model, how, 0.5)))


_TABLE = np.array([[0.5, 0.1, 0.4], [0.1, 0.2, 0.7], [0.35, 0.35, 0.3]])


def _row_after(guesses: Sequence[int]) -> np.ndarray:
    """The row after the last guess; the committed text ends in token 0."""
    return _TABLE[guesses[-1] if len(guesses) else 0].copy()


def _ask(attempt: Callable, uniforms: Sequence[float] | None, threshold: float) -> object:
    """(guesses, rows, distance) of a draft; no uniforms: of the whole loop."""
    if uniforms is not None:
        answer = attempt(_row_after, list(uniforms), threshold)
        if answer is None or answer is ...:
            return answer
        if not isinstance(answer, tuple) or len(answer) != 2:
            return "Return two lists: `return guesses, rows`."
        guesses, rows = answer
        if len(guesses) != len(rows):
            return (
                f"{len(guesses)} guesses and {len(rows)} rows: the rule needs the row that each "
                "guess was drawn from, and no other."
            )
        return [int(x) for x in guesses], [np.asarray(row).tolist() for row in rows], 0.0
    if (first := attempt(_row_after, [0.5], threshold)) is None or first is ...:
        return first
    try:
        return [], [], round(distance_of(attempt), ROUNDING)
    except Unrepeatable:
        return REMEMBERED
    except TypeError as error:
        if "Uniform" in str(error):
            return "Compare uniforms, or hand them to `sample`; do not calculate with them."
        raise


def _refused(answer: object, *case: object) -> str | None:
    return answer if isinstance(answer, str) else None


def _told(answer: object, uniforms: object, threshold: float) -> str:
    guesses, rows, distance = answer
    if uniforms is None:
        return (
            f"that the loop can write: NAMED LOSSY. They are {distance:.3f} (total variation) from "
            "the target's. Whether a guess is submitted must not depend on the guess."
        )
    wanted, drawn_from = draft_until(_row_after, uniforms, threshold)
    if guesses != wanted:
        return f"the guesses are {wanted}, not {guesses}."
    i = next(i for i, row in enumerate(drawn_from) if not alike(rows[i], row))
    return (
        f"guess {i + 1} was drawn from the row {drawn_from[i].tolist()}, and you return "
        f"{rows[i]} for it. Is that the row after the guess?"
    )


def _shown(uniforms: Sequence[float] | None, threshold: float) -> str:
    if uniforms is None:
        return "all texts"
    return f"uniforms = {list(uniforms)}, threshold = {threshold}"


# --- known mistakes, as what a student could hand in -----------------------------------


def _variant(
    stop: Callable = lambda row, guess, rows, guesses, t: row[guess] < t,
    before: Callable = lambda row, t: False,
    keep: bool = True,
) -> Callable:
    """`draft_until` with another question, one before the draw, or the last guess dropped."""

    def attempt(row_after, uniforms, threshold):
        guesses, rows = [], []
        for uniform in uniforms:
            row = row_after(guesses)
            if before(row, threshold):
                break
            guess = sample(row, uniform)
            stops = stop(row, guess, [*rows, row], [*guesses, guess], threshold)
            if stops and not keep:
                break
            rows.append(row)
            guesses.append(guess)
            if stops:
                break
        return guesses, rows

    return attempt


def _again_until_sure(row_after, uniforms, threshold):
    """Draws anew instead of stopping."""
    guesses, rows = [], []
    for uniform in uniforms:
        row = row_after(guesses)
        guess = sample(row, uniform)
        if row[guess] < threshold:
            continue
        guesses.append(guess)
        rows.append(row)
    return guesses, rows


def _likeliest(row_after, uniforms, threshold):
    """Takes the likeliest token for a draw."""
    guesses, rows = [], []
    for _ in uniforms:
        rows.append(row_after(guesses))
        guesses.append(int(rows[-1].argmax()))
        if rows[-1][guesses[-1]] < threshold:
            break
    return guesses, rows


def _product(rows: Sequence[np.ndarray], guesses: Sequence[int]) -> float:
    return float(np.prod([row[guess] for row, guess in zip(rows, guesses, strict=True)]))


check_draft_until = Exercise(
    "draft_until",
    cases=[
        ([0.1, 0.2, 0.3], 0.4),  # sure, sure, sure
        ([0.55, 0.9, 0.5], 0.4),  # the first guess is unsure
        ([0.1, 0.55, 0.95], 0.4),  # the second is
        ([0.9, 0.2, 0.9], 0.38),  # in the second row every token is
        ([0.55, 0.9, 0.9, 0.9], 0.05),
        ([0.1, 0.1], 0.5),  # exactly the threshold
        (None, 0.5),
    ],
    right=draft_until,
    mistakes={
        "NAMED LOSSY. You drop the guess that made you stop. It was drawn, and whether it is "
        "submitted now depends on what it is: unlikely tokens are never submitted, so the rule "
        "never corrects for them. Append first, then ask.": _variant(keep=False),
        "NAMED LOSSY. You go on without the unsure guess, and draw again. The guesses that are "
        "left are no longer drawn from their rows: only sure ones pass. Stop after the unsure "
        "one, and submit it.": _again_until_sure,
        "Lossless, but you never stop: ask after each draw whether rows[-1][guess] is below the "
        "threshold.": _variant(stop=lambda *_: False),
        "Lossless, but the wrong way round: you stop after a SURE guess.": _variant(
            stop=lambda row, guess, rows, guesses, t: row[guess] >= t
        ),
        "Lossless, but at exactly the threshold a guess is sure enough: stop below it.": _variant(
            stop=lambda row, guess, rows, guesses, t: row[guess] <= t
        ),
        "Lossless, but another rule: you look at the largest probability of the row. Ask what the "
        "row gives the guess.": _variant(stop=lambda row, guess, rows, guesses, t: row.max() < t),
        "Lossless, but another rule: you ask the row before the draw and may guess nothing. Draw, "
        "then ask what the row gives the guess.": _variant(
            stop=lambda *_: False, before=lambda row, t: row.max() < t
        ),
        "Lossless, but that is SpecDec++'s rule, on the product over all guesses. Here the last "
        "guess alone decides.": _variant(
            stop=lambda row, guess, rows, guesses, t: _product(rows, guesses) < t
        ),
        "NAMED LOSSY. You take the likeliest token and hand over the row as if it had been drawn: "
        "guess i is sample(row, uniforms[i]).": _likeliest,
    },
    ask=_ask,
    form=_refused,
    told=_told,
    shown=_shown,
    insight="Walked along every path: the text's distribution is the target's. The guess that made "
    "you stop is submitted.",
)
