"""A program that says "exact", and what its rule emits: the fall-back of SSD on a cache miss.

Source: REFERENCES.md: ssd2026, `ssd/utils/verify.py` and `ssd/engine/draft_runner.py` at
commit 6ed3022, read as they stand and not run.
"""

from collections.abc import Callable

import numpy as np

from course_utils.classroom.exercise import Exercise

ERRORS = 3  # standard errors at which an excess is noticed


def on_a_miss(p: np.ndarray, w: np.ndarray) -> dict[str, object]:
    """What a position emits where a placeholder ~ w is accepted if it is p's favourite, and
    the token else comes from p.

    Rows (V,) -> {"emitted": row (V,), "TV": its distance from p, "tokens": how many tokens
    until the favourite's excess is three standard errors}.
    """
    favourite = p.argmax()
    accepted = w[favourite]
    emitted = (1 - accepted) * p
    emitted[favourite] += accepted
    share, excess = p[favourite], emitted[favourite] - p[favourite]
    return {
        "emitted": emitted,
        "TV": np.abs(emitted - p).sum() / 2,
        "tokens": ERRORS**2 * share * (1 - share) / excess**2,
    }


def placeholders(vocabulary_size: int, steps: int = 256) -> np.ndarray:
    """The distribution (V,) of the first place of the largest of V uniforms on a grid.

    The program fills a row with uniforms in the model's number format and takes the argmax.
    Just below 1 neighbouring numbers of bfloat16 are 1/256 apart, so each place holds the
    largest of them with probability 1/256, and the first place that does wins: place k with
    (1 - 1/steps)^k / steps.  What is left where no place holds it is spread evenly.
    """
    w = (1 - 1 / steps) ** np.arange(vocabulary_size) / steps
    return w + (1 - w.sum()) / vocabulary_size


def _but(**wrong: Callable) -> Callable:
    """A student who gets one part wrong: wrong[part](p, w, the right answer)."""
    return lambda p, w: (
        (right := on_a_miss(p, w)) | {part: make(p, w, right) for part, make in wrong.items()}
    )


def _favoured(p: np.ndarray, share: float, rest: np.ndarray) -> np.ndarray:
    """`share` at p's favourite, on top of (1 - share) of `rest`."""
    return share * (np.arange(len(p)) == p.argmax()) + (1 - share) * rest


def _without_favourite(p: np.ndarray) -> np.ndarray:
    rest = np.where(np.arange(len(p)) == p.argmax(), 0, p)
    return rest / rest.sum()


def _error_free(p: np.ndarray) -> float:
    return p.max() * (1 - p.max())


check_on_a_miss = Exercise(
    "on_a_miss",
    # p and w; in the second one w is not even, and prefers another token than p
    cases=[
        (np.array([0.2, 0.4, 0.3, 0.1]), np.full(4, 0.25)),
        (np.array([0.15, 0.1, 0.1, 0.6, 0.05]), np.array([0.5, 0.2, 0.15, 0.1, 0.05])),
    ],
    right=on_a_miss,
    mistakes={
        "That is p: exact, as the README says. Follow the rule line by line: how likely is it that "
        "the placeholder is the favourite?": _but(emitted=lambda p, w, _: p),
        "Your row adds up to more than 1: p is drawn from only if the placeholder was not the "
        "favourite.": _but(
            emitted=lambda p, w, _: p + w[p.argmax()] * (np.arange(len(p)) == p.argmax())
        ),
        "A placeholder does not come from p: it is the favourite with probability w[favourite].": (
            _but(emitted=lambda p, w, _: _favoured(p, p.max(), p))
        ),
        "The placeholders come from w, and w need not be even: w[favourite], not 1/V.": (
            _but(emitted=lambda p, w, _: _favoured(p, 1 / len(p), p))
        ),
        "You compare the placeholder with the favourite of w. The rule takes the favourite of p.": (
            _but(
                emitted=lambda p, w, _: (
                    w.max() * (np.arange(len(p)) == w.argmax()) + (1 - w.max()) * p
                )
            )
        ),
        "After a mismatch the favourite may still be drawn: the rule draws from p itself, not from "
        "what is left of p without it.": (
            _but(emitted=lambda p, w, _: _favoured(p, w[p.argmax()], _without_favourite(p)))
        ),
        "That draws the token after a mismatch from w. It is drawn from p.": (
            _but(emitted=lambda p, w, _: _favoured(p, w[p.argmax()], w))
        ),
        "That is greedy decoding. After a mismatch the rule samples from p.": (
            _but(emitted=lambda p, w, _: _favoured(p, 1.0, p))
        ),
        "Total variation is *half* the sum of the absolute differences.": (
            _but(TV=lambda p, w, right: 2 * right["TV"])
        ),
        "That is how often the placeholder is accepted. Often the favourite would have been said "
        "anyway.": _but(TV=lambda p, w, _: w[p.argmax()]),
        "The differences of a distribution add up to 0. Take absolute values first.": (
            _but(TV=lambda p, w, _: 0.0)
        ),
        "That is where the excess is one standard error. Three are asked: 3 squared times as many "
        "tokens.": _but(tokens=lambda p, w, right: right["tokens"] / ERRORS**2),
        "The error falls with the root of n, so square the 3 as well: n = 9 p (1 - p) / excess².": (
            _but(tokens=lambda p, w, right: right["tokens"] / ERRORS)
        ),
        "You left out p (1 - p), the variance of one token.": (
            _but(tokens=lambda p, w, right: right["tokens"] / _error_free(p))
        ),
        "You divide by the excess, not by its square. The error falls with the root of n only.": (
            _but(tokens=lambda p, w, right: right["tokens"] * right["TV"])
        ),
        "That is the root of n.": _but(tokens=lambda p, w, right: right["tokens"] ** 0.5),
    },
    insight="It emits w·(the favourite) + (1 - w)·p, with w the chance that the placeholder is the "
    "favourite: never exact, and with w = 1/V very nearly.",
    parts=("emitted", "TV", "tokens"),
    shown=lambda p, w: f"p = {p.tolist()} and w = {w.tolist()}",
)
