"""Check whether a server's texts are samples of the model, from texts and the target's rows.

The checks are lesson 12's two moments, summed over all answers, and the tokens that the settings
exclude.  At temperature 0 each token is compared with the likeliest.  `check-server --help` lists
the blind spots.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt

import numpy as np

from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.proofs.certificate import SERVER, Check, within
from course_utils.proofs.drift import SIGMAS_99
from course_utils.proofs.likelihood import MartingaleTest, likelihood_along
from course_utils.proofs.server_rows import ServedText, TargetRows, judged_tokens

LARGEST_DRIFT = 0.3  # relative, of temperature: a run that cannot detect it is inconclusive
SAFETY = 2.0  # rounding may be larger than the largest measured
RowsOf = Callable[[ServedText], TargetRows]
Answers = Sequence[tuple[int, ServedText]]  # each with the number of its request


def server_checks(
    texts: Iterable[ServedText], rows_of: RowsOf, sampling: Sampling, rounding: float,
    never: Sequence[int] = (),
) -> Iterator[Check | str]:  # fmt: skip
    """Yield every check that applies to these settings; a sentence for one that cannot run.

    Args:
        sampling: the settings that the texts should have been sampled with.
        rounding: how much the server's logits may differ; from `server_rows.LOGIT_ROUNDING`.
        never: tokens that no answer can contain: stop tokens, if a text ends at one.
    """
    answers = [(number, text) for number, text in enumerate(texts) if text.tokens]
    if not answers:
        yield f"{SERVER}: the answers have no tokens"
        return
    if sampling.temperature == 0:
        yield _greedy(answers, rows_of, SAFETY * rounding)
        return
    tests: list[MartingaleTest] = []
    unlisted: list[np.ndarray] = []
    impossible: list[str] = []
    for number, text in answers:
        rows = rows_of(text)
        judged = judged_tokens(rows, text.tokens, sampling, rounding, never)
        impossible += [_token(number, text, rows, place) for place in judged.impossible.tolist()]
        if len(judged.p):
            tests.append(likelihood_along(judged.p, judged.columns.tolist()))
            if rows.listed is not None and sampling == Sampling():
                unlisted.append(np.stack([judged.p[:, -1], judged.columns == rows.listed]))
    yield _none_of("tokens that these settings exclude", impossible)
    if not tests:
        yield f"{SERVER}: no token can be judged"
        return
    yield from _witnesses(MartingaleTest.total(tests))
    if unlisted:
        yield _unlisted(*np.concatenate(unlisted, -1))


def _greedy(answers: Answers, rows_of: RowsOf, noise: float) -> Check:
    """Count tokens that rounding cannot explain; `noise` is in logits."""
    faults: list[str] = []
    for number, text in answers:
        rows = rows_of(text)
        logits = rows.logits[np.arange(len(text.tokens)), rows.columns(text.tokens)]
        places = np.flatnonzero(rows.logits.max(-1) - logits > noise)
        faults += [_token(number, text, rows, place) for place in places.tolist()]
    sees = f"every token more than {noise:.2g} logits behind the likeliest"
    return _none_of("greedy tokens that are not the target's, but for ties", faults, sees)


def _token(number: int, text: ServedText, rows: TargetRows, place: int) -> str:
    """Describe a token so that its request, whose seed is its number, can be replayed."""
    p = float(probabilities(rows.logits[[place]], Sampling())[0, rows.columns(text.tokens)[place]])
    prompt = ", ".join(map(str, text.prompt[:8])) + ", ..." * (len(text.prompt) > 8)
    token = f"token {place + 1} is {text.tokens[place]}, p = {p:.3g}"
    return f"first: request {number}, prompt {prompt}; {token}"


def _none_of(name: str, faults: Sequence[str], sees: str = "") -> Check:
    return Check(f"{SERVER}: {name}", not faults, len(faults), 0, sees, (*faults, "")[0])


def _witnesses(test: MartingaleTest) -> Iterator[Check | str]:
    """Compare the first and second moment of the surprisal with their Chernoff bounds."""
    (first, second), bounds, root = test.z_scores, test.z_bounds(), sqrt(test.variance[0])
    # at T (1 + e) the mean surprisal is larger by e Var(s), to first order
    drift = (float(np.abs(bounds[0]).max()) + SIGMAS_99) / root if root else np.inf
    sees = f"a temperature {drift:.0%} off" if drift < LARGEST_DRIFT else ""
    detail = f"the tokens are too {'unlikely' if first > 0 else 'likely'}"
    yield within(f"{SERVER}: surprisal (deviations)", first, bounds[0], sees, detail)
    yield within(f"{SERVER}: surprisal, second moment (deviations)", second, bounds[1])
    if drift >= LARGEST_DRIFT:
        yield (f"{SERVER}: {test.tokens} tokens are too few to detect a temperature "
               f"{LARGEST_DRIFT:.0%} off: request more")  # fmt: skip


def _unlisted(share: np.ndarray, hits: np.ndarray) -> Check:
    """Compare the number of unlisted tokens with their probability: as one column, their surprisal
    may be as expected whatever their number."""
    p = np.stack([1 - share, share], -1)
    test = MartingaleTest.along(p, hits.astype(int).tolist(), np.array([0.0, 1.0]) - share[:, None])
    name = f"{SERVER}: tokens that are not listed (deviations)"
    return within(name, float(test.z_scores[0]), test.z_bounds()[0])
