"""A run, one round at a time: drafted, scored at once, judged guess by guess, corrected.

`run_data` is the run as the scene *round* draws it: JSON, each piece of text once, numbers as
they are read.
"""

from collections.abc import Sequence
from typing import Any

from course_utils.classroom.round_view import Guess, Likeliest, RoundView, by_uniforms, round_view
from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round


def run_data(
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None
) -> dict[str, Any]:
    """All rounds of a run.

    Args:
        details: what the last token was drawn from, and the caches, as well.
        prompt: the text that the run continues; None: it is not told.

    Returns:
        dict: {"prompt": as given, "pieces": the text that each emitted token adds, "uniforms": does
        u < p/q decide, "details": as given, "rounds": one dict a round, see `round_data`}.
    """
    uniforms = by_uniforms(rounds)
    views = (round_view(rounds, i, decode, uniforms) for i in range(len(rounds)))
    return {
        "prompt": prompt,
        "pieces": pieces([token for r in rounds for token in r.emitted], decode),
        "uniforms": uniforms,
        "details": details,
        "rounds": [round_data(view, details) for view in views],
    }


def round_data(view: RoundView, details: bool = True) -> dict[str, Any]:
    """One round.

    `start` counts the pieces of text before it and `context` the tokens, those of the prompt
    among them.  `kinds` are those of the emitted tokens.  `bar` is the height that a uniform
    must stay below, min(1, p/q); null where another rule decides.
    """
    stop = all(kind == "accepted" for _, kind in view.emitted)
    shown = {
        "start": view.start,
        "context": view.context,
        "parents": view.parents,
        "certain": view.certain,
        "guesses": [
            _guess(guess, view.uniforms, lost=stop and place >= len(view.emitted))
            for place, guess in enumerate(view.guesses)
        ],
        "rows": list(map(_likeliest, view.rows)),
        "emitted": [text for text, _ in view.emitted],
        "kinds": [kind for _, kind in view.emitted],
    }
    if details:
        shown["drawn"] = view.distribution and _likeliest(view.distribution)
        shown["caches"] = {"target": view.target_cache, "draft": view.draft_cache}
    return shown


def _guess(guess: Guess, uniforms: bool, lost: bool) -> dict[str, Any]:
    """`lost`: a stop token came before it; then it was accepted for nothing."""
    ratio = guess.p / guess.q if uniforms and guess.q > 0 else None
    return {
        "text": guess.text,
        "q": short(guess.q),
        "p": short(guess.p),
        "u": short(guess.uniform),
        "ratio": None if ratio is None else short(ratio),
        "bar": None if ratio is None else short(min(1.0, ratio)),
        "fate": "lost" if lost or guess.fate == "not examined" else guess.fate,
    }


def _likeliest(found: Likeliest) -> dict[str, Any]:
    top = [[text, round(value, 3)] for text, value in found.entries]
    return {"top": top, "marked": found.marked}


def short(value: float) -> float:
    """Six digits: more than anybody reads, and u stays on its side of p/q.

    >>> short(0.79609735381829)
    0.796097
    """
    return float(f"{value:.6g}")


def stepper(
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None
) -> Scene:
    """The scene *round*: → goes on, nothing is shown before it is asked for.

    Args:
        rounds: of one run, from its first round on.
        decode: token ids to text.
        details: the residual and the caches as well, for who has met them.
        prompt: its text; without it only the word *prompt* stands before what was decoded.

    Raises:
        ValueError: no rounds.
    """
    rounds = list(rounds)
    if not rounds:
        raise ValueError("there is no round to show: hand over the rounds of a run, as a list")
    calls = f"{len(rounds)} rounds" if len(rounds) > 1 else "1 round"
    alt = (
        f"A run of {calls}, step by step: what was drafted, what one pass of the target gave, "
        "the uniform of each guess and what the round added to the text"
    )
    return Scene("round", run_data(rounds, decode, details, prompt), alt)
