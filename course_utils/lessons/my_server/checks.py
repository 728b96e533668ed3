"""Checks of this elective: a server broken so that it looks fine, found from outside, planned."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import ndiff
from inspect import getsource
from textwrap import dedent

import numpy as np

from course_utils.classroom.exercise import Exercise, Refused
from course_utils.decoding.sampling import GREEDY, sample
from course_utils.lessons.my_server.server import rule, serve_round
from course_utils.proofs.decoders import Decoder, exam
from course_utils.proofs.enumeration import in_sentences

# ------------------------------------------------------------------ one wrong line


def broken_round(p, q, guesses, uniforms):
    """p (n + 1, vocabulary), q (n, vocabulary), n guesses, n + 1 uniforms
    -> (number of accepted guesses, the token after them)"""
    for i, x in enumerate(guesses):
        if not uniforms[i] < 2 * p[i, x] / q[i, x]:
            left = np.maximum(p[i] - q[i], 0)
            return i, sample(left / left.sum(), uniforms[-1])
    return len(guesses), sample(p[-1], uniforms[-1])


def _two_lines(p, q, guesses, uniforms):
    for i, x in enumerate(guesses):
        if not uniforms[i] < 2 * p[i, x] / q[i, x]:
            left = p[i]
            return i, sample(left / left.sum(), uniforms[-1])
    return len(guesses), sample(p[-1], uniforms[-1])


SAMPLED, COLD, LINES = "at temperature 1", "at temperature 0", "beside the round above"
TEXTS = exam(3, agreement=0.5, gamma=2, length=3)
GREEDY_TEXTS = [
    replace(exam(3, agreement=0.5, gamma=2, length=3, seed=seed), sampling=GREEDY)
    for seed in range(6)
]
TINY = 1e-9  # a distance that is rounding's
ROWS = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.3, 0.4]])
PAIR = "Return two things: the number of accepted guesses, and the token after them."
CALCULATES = (
    "You calculate with a uniform. Only compare it: `uniforms[i] < ...`; change what stands on the "
    "other side."
)


def _asked(attempt: Callable, what: str) -> object:
    """(What, the answer to it)"""
    first = attempt(ROWS, ROWS[::-1][:2], [0, 1], [0.5, 0.5, 0.5])
    if first is None or first is ...:
        return first
    if not (isinstance(first, tuple | list) and len(first) == 2):
        raise Refused(PAIR)
    if what == LINES:
        return what, _lines(attempt)
    decoder, given = Decoder(rule(attempt)), [TEXTS] if what == SAMPLED else GREEDY_TEXTS
    off = in_sentences(lambda: max(e.distance(decoder) for e in given), calculates=CALCULATES)
    return what, "the target's" if off < TINY else "another"


def _lines(attempt: Callable) -> int:
    """In how many lines it differs; 1 where its source is not known, or nothing was changed."""
    try:
        mine, ours = (_body(one) for one in (attempt, serve_round))
    except (OSError, TypeError, SyntaxError, IndexError):
        return 1
    changes = [line[0] for line in ndiff(ours, mine)]
    return max(1, changes.count("+"), changes.count("-"))


def _body(function: Callable) -> list[str]:
    body = ast.parse(dedent(getsource(function))).body[0].body
    body = body[isinstance(body[0], ast.Expr) :]  # without its docstring
    return "\n".join(map(ast.unparse, body)).split("\n")


def _told(answer: object, what: str) -> str:
    if what == LINES:
        return f"{answer[1]} lines differ from the round above: copy it, and change one."
    return f"a text {what} has {answer[1]} distribution."


check_broken_round = Exercise(
    "broken_round",
    cases=[(SAMPLED,), (COLD,), (LINES,)],
    right=broken_round,
    mistakes={
        "This round is exact: its distribution at temperature 1 is the target's, on every path. "
        "Change what decides (the ratio), or what the correction is drawn from.": (
            "2 * p[i, x]", "p[i, x]",
        ),
        "Lossy, but a greedy request gives it away: at temperature 0 another text comes out. Look "
        "for a line that does nothing wrong where p and q are certain.": (
            ("2 * p[i, x]", "p[i, x]"),
            ("np.maximum(p[i] - q[i], 0)", "np.maximum(q[i] - p[i], 0) + 1e-9"),
        ),
        "Lossy, and greedy texts are right. But more than one line differs from the round above: "
        "copy it, and change one.": _two_lines,
    },
    ask=_asked,
    told=_told,
    shown=lambda what: "",
    insight="Lossy on paper, and every greedy test passes: it looks fine.",
)  # fmt: skip

# ------------------------------------------------------------------ seen from outside

Texts = Sequence[tuple[np.ndarray, Sequence[int]]]


def z_of_texts(texts: Texts, temperature: float) -> float:
    """How many standard deviations the surprise of all texts lies above what was expected."""
    excess = variance = 0.0
    for logits, tokens in texts:
        rows = np.exp(logits / temperature)
        rows = rows / rows.sum(-1, keepdims=True)
        off = -np.log(rows) + (rows * np.log(rows)).sum(-1, keepdims=True)
        excess += off[np.arange(len(tokens)), tokens].sum()
        variance += (rows * off**2).sum()
    return excess / np.sqrt(variance)


def _mean_of_all(texts: Texts, temperature: float) -> float:
    return float(np.mean([z_of_texts([text], temperature) for text in texts]))


def _sum_of_all(texts: Texts, temperature: float) -> float:
    return _mean_of_all(texts, temperature) * len(texts)


def _each_text_once(texts: Texts, temperature: float) -> float:
    return _mean_of_all(texts, temperature) * len(texts) ** 0.5


def _texts(seed: int, lengths: Sequence[int], drawn_at: float = 1.0) -> Texts:
    """Logits of a dozen tokens, and tokens drawn at a temperature."""
    rng = np.random.default_rng(seed)
    found = []
    for n in lengths:
        logits = rng.normal(0, 2, (n, 12))
        tokens = (logits / drawn_at + rng.gumbel(size=logits.shape)).argmax(-1)
        found.append((logits, tokens))
    return found


OFF = "off = -np.log(rows) + (rows * np.log(rows)).sum(-1, keepdims=True)"
check_z_of_texts = Exercise(
    "z_of_texts",
    cases=[
        ([(np.log([[0.5, 0.25, 0.25], [0.8, 0.1, 0.1]]), np.array([0, 1]))], 1.0),
        (_texts(1, [20]), 1.0),
        (_texts(2, [20, 5, 40], 0.6), 0.6),
        (_texts(3, [30, 10], 1.5), 0.8),
    ],
    right=z_of_texts,
    keeps=True,
    mistakes={
        "You did not divide the logits by the temperature. The texts were asked for at another "
        "one than 1: then p is softmax(logits / T).": ("logits / temperature", "logits"),
        "You multiply the logits by the temperature. A low one sharpens: divide.": (
            "logits / temperature", "logits * temperature"
        ),
        "exp(logits) is no distribution yet: divide each row by its sum.": (
            ("        rows = rows / rows.sum(-1, keepdims=True)\n", "")
        ),
        "You divide all rows by one sum. Each place has its own distribution: `keepdims=True`.": (
            "rows / rows.sum(-1, keepdims=True)", "rows / rows.sum()"
        ),
        "You do not subtract what was to be expected: the entropy of each row.": (
            "excess += off[", "excess += -np.log(rows)["
        ),
        "You take the mean of the z's of the texts. Add up all excesses and all variances first, "
        "and divide once: what single texts hide is seen in all of them.": _mean_of_all,
        "You add up the z's of the texts. That has the variance of as many normals. Add up all "
        "excesses and all variances, and divide once.": _sum_of_all,
        "That is a standard normal, too, but a short text counts as much as a long one. Add up all "
        "excesses and all variances first, and divide once.": _each_text_once,
        "You estimate the spread from the tokens. Those of a wrong server spread wrongly, too. The "
        "rows give the variance: `(rows * off**2).sum()`.": (
            "(rows * off**2).sum()", "len(tokens) * off[np.arange(len(tokens)), tokens].var()"
        ),
        "You divide by the variance. Take its root.": ("np.sqrt(variance)", "variance"),
        "That is the excess in nats. Is it much? Divide by its standard deviation.": (
            " / np.sqrt(variance)", ""
        ),
        "You divide by the number of tokens. How far chance leads is in the rows: the root of the "
        "sum of their variances.": ("np.sqrt(variance)", "sum(len(t) for _, t in texts)"),
        "You add up standard deviations. Variances add; take the root at the end.": (
            ("(rows * off**2).sum()", "np.sqrt((rows * off**2).sum(-1)).sum()"),
            ("np.sqrt(variance)", "variance"),
        ),
        "You add up one standard deviation per text. Variances add; take the root at the end.": (
            ("(rows * off**2).sum()", "np.sqrt((rows * off**2).sum())"),
            ("np.sqrt(variance)", "variance"),
        ),
        "The mean of the squares alone is no variance: square the distance from the entropy.": (
            "rows * off**2", "rows * np.log(rows) ** 2"
        ),
        "Only the last text is left: add up over all.": (
            ("excess +=", "excess ="), ("variance +=", "variance =")
        ),
        "The sign is turned: positive is more surprise than expected.": (
            "return excess", "return -excess"
        ),
    },
    shown=lambda texts, temperature: (
        f"{len(texts)} text{'s' * (len(texts) > 1)} of {sum(len(t) for _, t in texts)} tokens at "
        f"temperature {temperature:g}"
    ),
    insight="It needs texts and rows, and nothing that the server says of itself.",
)  # fmt: skip

# ------------------------------------------------------------------ which K


def k_of_loads(speeds: dict[int, dict[int, float]], gain: float) -> dict[int, int]:
    """{texts at a time: {K: tokens per second}} -> {texts at a time: K}"""
    plan = {}
    for load, by_k in speeds.items():
        k = max(by_k, key=by_k.get)
        plan[load] = k if by_k[k] >= gain * by_k[0] else 0
    return plan


PICKED = "k = max(by_k, key=by_k.get)"
check_k_of_loads = Exercise(
    "k_of_loads",
    cases=[
        ({1: {0: 100, 2: 150, 4: 140}}, 1.1),
        ({8: {0: 400, 2: 380, 4: 350}}, 1.1),
        ({4: {0: 300, 2: 315, 4: 310}}, 1.1),
        ({1: {0: 50, 3: 100, 5: 110}, 16: {0: 500, 3: 490, 5: 450}, 32: {0: 700, 3: 800}}, 1.2),
    ],
    right=k_of_loads,
    mistakes={
        "You always set a draft. Where none gains enough, K is 0.": (
            f"{PICKED}\n        plan[load] = k if by_k[k] >= gain * by_k[0] else 0",
            "plan[load] = max([*by_k][1:], key=by_k.get)",
        ),
        "You set a K for any gain. Measured times vary: below `gain` times the speed without a "
        "draft it is none.": ("gain * by_k[0]", "by_k[0]"),
        "You compare with the smallest load. A larger one is faster without a draft, too: compare "
        "at the same load.": ("gain * by_k[0]", "gain * speeds[min(speeds)][0]"),
        "You take the longest draft that gains enough. Take the fastest.": (
            PICKED, "k = max(k for k in by_k if not k or by_k[k] >= gain * by_k[0])"
        ),
        "You take the shortest draft that gains enough. Take the fastest.": (
            PICKED, "k = min((k for k in by_k if k and by_k[k] >= gain * by_k[0]), default=0)"
        ),
        "You return speeds. Asked is for the K that has them.": ("= k if", "= by_k[k] if"),
    },
    insight="K belongs to a load, and 0 is one of the K's.",
)  # fmt: skip
