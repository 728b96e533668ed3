"""What the target says along texts that a server wrote, and what could have been accepted."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.theory import expected_tokens, overlap
from course_utils.engines.sessions import Part
from course_utils.proofs.surprise import honest_texts, surprise_along

Text = tuple[Sequence[int], Sequence[int]]  # a prompt, and the tokens behind it


def texts_of(part: Part) -> list[Text]:
    """What was asked, and what was answered."""
    pairs = zip(part.questions, part.answers, strict=True)
    return [(question.prompt, answer.tokens) for question, answer in pairs]


def rows_along(
    model: LanguageModel, texts: Iterable[Text], sampling: Sampling = Sampling()
) -> np.ndarray:
    """(tokens of all texts, vocabulary): the model's distribution at each of them.

    Args:
        sampling: the settings that the texts were drawn with, a server's own defaults among them.
    """
    rows = [
        probabilities(model.start(prompt[:-1]).extend([prompt[-1], *new[:-1]]), sampling)
        for prompt, new in texts
    ]
    return np.concatenate([as_numpy(r) for r in rows])


def tokens_of(texts: Iterable[Text]) -> np.ndarray:
    """The tokens of all texts, one after the other."""
    return np.array([token for _, new in texts for token in new])


@dataclass(frozen=True)
class Possible:
    """How often a first guess can be accepted, on average over the places of some texts."""

    sampled: float  # Σ min(p, q): a draft that draws
    greedy: float  # p(argmax q): a draft that takes its likeliest token


def possible(p: np.ndarray, q: np.ndarray) -> Possible:
    """Of the target's and the draft's rows at the same places."""
    likeliest = p[np.arange(len(q)), q.argmax(-1)]
    return Possible(float(overlap(p, q).mean()), float(likeliest.mean()))


def by_rule(p: np.ndarray, q: np.ndarray, gamma: int, kept: int = 10) -> list[dict[str, object]]:
    """A row for each way to guess and accept: how often, and tokens per round of `gamma` guesses.

    Args:
        kept: of q in the second way, its likeliest tokens.
    """
    least = np.sort(q, axis=-1)[:, -kept, None]
    cut = np.where(q >= least, q, 0.0)
    both, ten = possible(p, q), possible(p, cut / cut.sum(-1, keepdims=True))
    ways = {
        "drawn from q, min(1, p/q)": both.sampled,
        f"drawn from its {kept} likeliest, the same": ten.sampled,
        "its likeliest, if the target draws it": both.greedy,
    }
    return [
        {"a guess is": way, "α": alpha, "tokens per round": expected_tokens(alpha, gamma)}
        for way, alpha in ways.items()
    ]


Test = Callable[[np.ndarray, np.ndarray], tuple[float, float]]


def judged(
    runs: Mapping[str, Sequence[Text]],
    target: LanguageModel,
    test: Test,
    sampling: Sampling = Sampling(),
) -> tuple[dict[str, tuple[float, float]], dict[str, np.ndarray]]:
    """{name: deviations by a test of (rows, tokens)}, {name: the bands of a text that passes}."""
    found, bands = {}, {}
    for name, texts in runs.items():
        rows, tokens = rows_along(target, texts, sampling), tokens_of(texts)
        found[name] = test(rows, tokens)
        bands[name] = surprise_along(rows, tokens).bands
    return found, bands


def alarms(
    settings: Mapping[str, np.ndarray],
    lengths: Sequence[int] = (60, 240, 960),
    texts: int = 20_000,
) -> list[dict]:
    """How often an honest text lies beyond 4 deviations, and how often it is called wrong.

    Args:
        settings: {name: rows along texts that were drawn with them}.
        lengths: tokens of a text, each drawn from its row of a stretch of so many rows; lengths
            for which there are too few rows are passed over.
        texts: about how many are drawn of each length.
    """
    table = []
    for name, rows in settings.items():
        for length in (n for n in lengths if n <= len(rows)):
            many = len(rows) // length
            stretches = rows[: many * length].reshape(many, length, -1)
            tried = [honest_texts(part, texts // many, i) for i, part in enumerate(stretches)]
            beyond = np.concatenate([abs(off) > 4 for off, _ in tried], axis=1)
            wrong = sum(int((~passed).sum()) for _, passed in tried)
            shares = (1000 * x.mean() for x in (*beyond, beyond.any(0)))
            share = dict(zip(("first", "second", "either"), shares, strict=True))
            line = {"drawn with": name, "tokens": length} | share
            table.append(line | {"called wrong": wrong})
    return table
