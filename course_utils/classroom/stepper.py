"""A run, one round at a time: drafted, scored in one pass, judged guess by guess, corrected."""

from collections.abc import Sequence

from course_utils.classroom.round_json import decided_by_ratios, rows_json, run_json
from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Html
from course_utils.decoding.contracts import Round
from course_utils.writing.text import Decode


def stepper(
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None,
    between: str = "", paper: Html | None = None,
) -> Scene:  # fmt: skip
    """Return a scene: → steps forward, and nothing is shown before its step.

    Chains are drawn as columns (scene *round*), trees as branches (scene *tree*).

    Args:
        rounds: of one run of `generate(..., rows=True)`, from its first round on.
        decode: token ids to text.
        details: also show the residual and the caches, for readers who know them.
        prompt: its text; None: the word *prompt* is shown in its place.
        between: the text between two tokens: " " if each token is a word.
        paper: as in `Scene`.

    Raises:
        ValueError: no rounds, or a tree that `RECURSIVE_REJECTION` did not judge.
    """
    rounds = list(rounds)
    if not rounds:
        raise ValueError("there is no round to show: pass the rounds of a run as a list")
    trees = any(r.parents is not None for r in rounds)
    uniforms = all(map(decided_by_ratios, rounds))
    if trees and not uniforms:
        raise ValueError("a tree is shown with its judgements: use rule=RECURSIVE_REJECTION")
    data = run_json(rounds, decode)
    data |= {"prompt": prompt, "between": between, "details": details, "uniforms": uniforms}
    for r, one in zip(rounds, data["rounds"], strict=True):
        one |= rows_json(r, decode) | ({} if uniforms else {"drawn": None})
    alt = (
        f"A run of {len(rounds)} round{'s' * (len(rounds) > 1)}, step by step: what was drafted, "
        "what one pass of the target gave, how it was judged and what the round added to the text"
    )
    return Scene("tree" if trees else "round", data, alt, paper)
