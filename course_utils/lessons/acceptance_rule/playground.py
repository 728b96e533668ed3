"""The playground: drag two distributions, watch what they share and what the rule emits.

`playground_state` holds the formulas; the scene has the same ones in `stage/formulas`, because
a dragged bar is answered within a frame, and `tests/stage/test_rule.py` compares them.
"""

from collections.abc import Sequence

from course_utils.classroom.scene import Scene
from course_utils.lessons.acceptance_rule.playground_state import distribution, looked_at

WORDS = ("mat", "sofa", "roof", "floor", "moon")  # the lesson's, with its p and q
P = (0.45, 0.25, 0.15, 0.10, 0.05)
Q = (0.25, 0.10, 0.40, 0.15, 0.10)


def playground(
    words: Sequence[str] = WORDS, p: Sequence[float] = P, q: Sequence[float] = Q, seed: int = 0
) -> Scene:
    """Two distributions over `words` to drag; p and q are weights, made to sum to one.

    Args:
        words: 2 to 6 of them.
        p: a weight per word, of the target.
        q: a weight per word, of the draft.
        seed: of the darts; the same darts fall each time.

    Raises:
        ValueError: not one weight per word, not 2 to 6 words, or no weight above 0.
    """
    view = looked_at(words, distribution(p, "p"), distribution(q, "q"))
    rows = zip(view.words, view.p, view.q, strict=True)
    listed = "; ".join(f"{word}: p {p:.2f}, q {q:.2f}" for word, p, q in rows)
    alt = f"Two distributions to drag. {listed}. They share {view.alpha:.2f}."
    data = {"words": view.words, "p": view.p, "q": view.q, "seed": int(seed)}
    return Scene("distributions", data, alt)
