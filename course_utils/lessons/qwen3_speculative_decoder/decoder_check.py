"""The check of this lesson's decoder: does it run the pair, gamma and temperature it is given?"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.feedback import Feedback
from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities


def check_speculate(speculate: Callable, models: object) -> Feedback:
    """`speculate(models, ids, gamma, temperature)`: the rounds of a speculative run.

    `models` has a `target` and a `draft` over a few tokens; every round is compared
    with what these two say.
    """
    return Exercise(
        "speculate",
        # (ids, gamma, temperature); no gamma and no temperature is a default
        cases=[([1, 2, 3], 3, 0.7), ([0, 1], 6, 1.5)],
        right=None,
        insight="Nothing in it knows which models these are: it runs any pair that shares a "
        "vocabulary.",
        ask=lambda function, *case: function(models, *case),
        form=lambda rounds, *case: _mistake(rounds, models, *case),
        shown="gamma={1}, temperature={2}".format,
    )(speculate)


def _mistake(rounds, models, ids: Sequence[int], gamma: int, temperature: float) -> str | None:
    case = f"For gamma={gamma}, temperature={temperature}: "
    if isinstance(rounds, Iterator):
        return "generate hands out its rounds one by one and has not even begun. Make it a list."
    if not rounds or not all(isinstance(r, Round) for r in rounds):
        return f"Return the rounds themselves, all that generate yields, not {rounds!r:.40}."
    columns = rounds[0].p.shape[-1]
    if columns != models.target.vocabulary_size:
        return (
            f"The rows have {columns} columns, but the target you are given knows "
            f"{models.target.vocabulary_size} tokens. You run the lesson's own pair (through "
            "decode or drafter, perhaps), not the one that is handed over."
        )
    longest = max(len(r.drafted) for r in rounds)
    if not longest:
        return "Nothing was drafted: without a drafter this is standard decoding."
    if longest != gamma:
        return case + f"the longest draft has {longest} tokens. Hand gamma on to generate."
    if rounds[0].context != len(ids):
        return case + f"the run begins after {rounds[0].context} tokens, the prompt has {len(ids)}."
    return _wrong_distribution(rounds, models, list(ids), Sampling(temperature=temperature), case)


def _wrong_distribution(
    rounds: Sequence[Round], models, text: list[int], sampling: Sampling, case: str
) -> str | None:
    """Compare p and q at the start of each round with what target and draft say there."""
    for r in rounds:
        p, q = (_distribution(model, text, sampling) for model in (models.target, models.draft))
        if not _same(r.p[0], p):
            return case + _wrong_p(np.asarray(r.p[0]), models, text, q)
        if r.drafted and r.q is None:
            return case + "the draft did not sample. Sampled(model, sampling) does."
        if r.drafted and not _same(r.q[0], q):
            return case + _wrong_q(np.asarray(r.q[0]), models, text, p)
        text.extend(r.emitted)
    return None


def _wrong_p(row: np.ndarray, models, text: list[int], q: np.ndarray) -> str:
    if _same(row, q):
        return "p is the draft model's distribution. You have exchanged target and draft."
    if _same(row, _distribution(models.target, text, Sampling())):
        return "the target speaks at temperature 1. generate takes `sampling`, too."
    if _same(row, _distribution(models.target, text, GREEDY)):
        return "the target decodes greedily. generate takes `sampling`, too."
    return "p is not the target's distribution at this temperature."


def _wrong_q(row: np.ndarray, models, text: list[int], p: np.ndarray) -> str:
    if _same(row, p):
        return "q is the target's own distribution. Guesses should come from the draft model."
    for sampling in (Sampling(), GREEDY):
        if _same(row, _distribution(models.draft, text, sampling)):
            return (
                f"the draft samples at temperature {sampling.temperature:g}. That is lossless, but "
                "agrees less: give Sampled the target's settings."
            )
    return "q is not the draft model's distribution at this temperature."


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return np.allclose(a, b, atol=1e-5)  # a pass of several rounds differently in float32


def _distribution(model: LanguageModel, text: Sequence[int], sampling: Sampling) -> np.ndarray:
    """Distribution (vocabulary,) of the token after `text`."""
    logits = model.start(text[:-1]).extend(text[-1:])
    return np.asarray(probabilities(logits, sampling))[-1]
