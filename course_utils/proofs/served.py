"""Is a server's text the model's?  Texts and the target's rows in, a verdict out.

Of each answer there are the tokens, and what the target says at each place (`served_rows`).

Rounding can move a token across the edge of a filter.  So a place is judged if its token is
*surely* inside, beside the other tokens that are: given that, its distribution is exact,
wherever the edge is.  A token that is surely outside is impossible.  The same holds for rows of
the likeliest k tokens without a filter: the places whose token is among them are judged.

What is not seen, however long the texts:

* two tokens of equal probability exchanged, and any fault smaller than what is stated;
* a fault of prompts or texts longer than those that were asked, or of requests side by side
  where they were sent one by one;
* requests that share their random numbers, but for equal prompts, which are asked twice;
* with the server's own rows: other weights, another prompt (both are in the rows, too).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt

import numpy as np

from course_utils.decoding.sampling import Sampling
from course_utils.proofs.certificate import SERVER
from course_utils.proofs.examination import Rounding, tested
from course_utils.proofs.likelihood import (
    FALSE_POSITIVE_RATE,
    LikelihoodTest,
    chernoff_bounds,
    likelihood_along,
    log_mgf,
)
from course_utils.proofs.scores import Ranks, Scores, likelier
from course_utils.proofs.served_rows import (
    TINY,
    Rows,
    Text,
    filters,
    kept,
)
from course_utils.proofs.table_checks import Check, at_most
from course_utils.proofs.ties import SAFETY

DRIFT = 0.3  # share of the temperature: a run that does not even see this says nothing
SURELY = 2.33  # standard deviations that a normal exceeds once in a hundred
CERTAIN = 1e-6  # variance of a token's surprise: less than of any row that is not one-hot
RowsOf = Callable[[Text], Rows]  # one more row than tokens where the text ended by itself


def checks(
    texts: Sequence[Text],
    rows_of: RowsOf,
    settings: Sampling,
    rounding: Rounding,
    *,
    stops: Sequence[int] = (),
    ends: bool = False,
    draft_of: Callable[[Text], np.ndarray] | None = None,
) -> Iterator[Check | str]:
    """Every check that applies to texts of these settings; a sentence for what cannot be said.

    Args:
        texts: at least one, none of them empty.
        rows_of: the target's rows along a text.
        settings: what the texts should have been drawn with.
        rounding: by how much the server's own rows may differ.
        stops: the tokens that end a text, as far as they are known.
        ends: texts end there; else they go on.
        draft_of: (n, vocabulary), the distributions of a draft model, if there is one.
    """
    if settings.temperature == 0:
        yield _greedy(texts, rows_of, SAFETY * rounding.logits)
        return
    told, again, beyond, ranks, cases = [], [], [], Ranks(), [Scores("towards likelier tokens")]
    cases += [Scores("towards the draft")] if draft_of else []
    outside = there = written = 0
    expected, whole, chances = 0.0, True, {}
    for i, text in enumerate(texts):
        rows = rows_of(text)
        found = _judged(text, rows, settings, rounding, stops, ends)
        outside, written = outside + found.outside, written + len(text.tokens)
        there, expected = there + found.stops[0], expected + found.stops[1]
        whole &= rows.listed is None and rows.own is None
        if not len(found.at):
            continue
        p, at = found.p, found.at
        again.append(_excess(found, _said_before(found, rows, text)))
        if found.listed is not None:
            beyond.append(
                _excess(found, np.arange(p.shape[1]) >= np.full((len(p), 1), found.listed))
            )
        told.append(likelihood_along(p, at))
        chances[i] = float(np.log(p[np.arange(len(at)), at]).sum())
        ranks.add(p, at)
        places = np.random.default_rng([i, 1]).random((2, len(at)))
        cases[0].add(p, likelier(p), p, at, places[0])
        if draft_of and rows.listed is None:
            q = np.take_along_axis(draft_of(text), rows.tokens[: len(text.tokens)], -1)
            q = np.where(p > 0, q[found.places][:, : p.shape[1]], 0.0)
            q /= np.maximum(q.sum(-1, keepdims=True), TINY)
            cases[1].add(p, q, p / np.maximum(q, TINY), at, places[1])
    if filters(settings) or outside:
        yield at_most(f"{SERVER}: tokens that these settings exclude", outside, 0)
    yield from _witnesses(told, settings)
    unlikely, k = ranks.unlikely(), ranks.least_filter()
    sees = f"a top-k of {k} applied unasked" if k else ""
    rank = at_most(f"{SERVER}: tokens beyond a rank (exponent)", unlikely, ranks.THRESHOLD)
    yield replace(rank, sees=sees)
    yield from tested(cases, SERVER)
    yield from _counted("said before", again, penalty=True)
    yield from _counted("beyond those that are listed", beyond)
    yield from _repeated(texts, chances)
    if stops and whole:
        off, most = _exponent(there, expected), log(2 / FALSE_POSITIVE_RATE)
        yield Check(f"{SERVER}: stop tokens, {there} of {expected:.1f} (exponent)",
                    off <= most, off, most)  # fmt: skip
    judged = sum(one.tokens for one in told)
    if judged < written / 2:
        yield f"{SERVER}: only {judged} of {written} tokens are surely inside the filters"


@dataclass(frozen=True, eq=False)
class _Judged:
    """The places of a text that can be judged; a column is a rank."""

    p: np.ndarray  # (places, ranks)
    at: np.ndarray  # (places,) which rank stands there
    places: np.ndarray  # (n,) which of the text's these are
    outside: int  # tokens that the filters surely exclude
    # the column behind it stands for all that is not listed; None: there is none
    listed: int | None
    stops: tuple[int, float]  # ends that are there, and that were expected


def _judged(
    text: Text, rows: Rows, settings: Sampling, rounding: Rounding, stops: Sequence[int], ends: bool
) -> _Judged:
    """Args: ends: texts end at stop tokens, so that what is judged is given that they do not."""
    n = len(text.tokens)
    heat = settings.temperature
    drawn, seen = rows.at(settings.temperature), rows.at(heat)
    far = min(0.99, np.expm1(2 * rounding.logits / heat))
    _, high = kept(rows, seen, settings, far, rounding.largest)
    low, _ = kept(rows, seen, settings, 2 * rounding.mean, 2 * rounding.mean)
    listed = seen.sums.shape[1]
    w, ranks = (drawn.w * rows.many)[:, :listed], rows.ranks(text.tokens)
    w[np.arange(listed) >= low[:, None]] = 0
    known = (ranks < rows.tokens.shape[1]) | (high[:n] < listed)
    lumped = rows.listed is not None and not filters(settings) and heat == 1
    if lumped:  # the rest is one more column
        w = np.concatenate([w, rows.rest * np.exp(-rows.logits[:, :1])], -1)
        low, ranks = low + 1, np.minimum(ranks, listed)
        high = np.maximum(high, low)
    p = w / w.sum(-1, keepdims=True)
    ending = np.zeros(p.shape, bool)
    ending[:, :listed] = np.isin(rows.tokens[:, :listed], stops)
    expected = float(p[ending].sum())
    there = sum(token in stops for token in text.tokens) + (len(rows.tokens) > n)
    p, inside = p[:n], ranks < low[:n]
    if ends:
        p = np.where(ending[:n], 0.0, p)
        total = p.sum(-1, keepdims=True)
        p, inside = p / np.where(total > 0, total, 1), inside & ~_at(ending[:n], ranks)
    outside = int(((ranks >= high[:n]) & known).sum())
    columns = p[inside][:, : int(low.max())]
    return _Judged(columns, ranks[inside], inside, outside, listed if lumped else None,
                   (there, expected))  # fmt: skip


def _at(columns: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """(n,): what stands at each rank, of (n, ranks); of the last where there is none."""
    return columns[np.arange(len(ranks)), np.minimum(ranks, columns.shape[1] - 1)]


def _greedy(texts: Iterable[Text], rows_of: RowsOf, noise: float) -> Check:
    """Tokens that no rounding explains, as in `ties.unexplained`; ties are excused."""
    wrong = 0
    for text in texts:
        rows, n = rows_of(text), len(text.tokens)
        ranks = rows.ranks(text.tokens)
        behind = rows.logits[:n, :1] - np.pad(rows.logits[:n], ((0, 0), (0, 1)),
                                              constant_values=-np.inf)  # fmt: skip
        wrong += int((behind[np.arange(n), ranks] > noise).sum())
    found = at_most(f"{SERVER}: greedy tokens that are not the target's, but for ties", wrong, 0)
    return replace(found, sees=f"every token more than {noise:.2g} logits behind the likeliest")


def _witnesses(told: Sequence[LikelihoodTest], settings: Sampling) -> Iterator[Check | str]:
    if not told:
        yield f"{SERVER}: no token can be judged"
        return
    sums = LikelihoodTest.total(told)
    names = "surprisal", "surprisal, second moment"
    drift = _drift(sums)
    for name, off, (down, up) in zip(names, sums.z_scores, sums.z_bounds, strict=True):
        # an infinite one is no JSON
        far, most = min(abs(off), 1e9), min(up if off > 0 else -down, 1e9)
        sees = f"a temperature {drift:.0%} off" if name == "surprisal" and drift < DRIFT else ""
        side = "too likely" if off < 0 else "too unlikely"
        detail = f"the tokens are {side}" if name == "surprisal" else ""
        yield Check(f"{SERVER}: {name} (deviations)", far < most, far, most, sees,
                    detail="" if far < most else detail)  # fmt: skip
    if sums.variance < CERTAIN * sums.tokens:
        yield (f"{SERVER}: by these rows each token was certain at temperature "
               f"{settings.temperature:g}, so they tell nothing: servers that speculate may say so "
               "of all they emit; judge by a copy of the model")  # fmt: skip
    elif drift >= DRIFT:
        yield (f"{SERVER}: {sums.tokens} tokens are too few at temperature {settings.temperature:g}"
               f": one {DRIFT:.0%} off would not be seen; ask for more")  # fmt: skip


def _drift(sums: LikelihoodTest) -> float:
    """The share of the temperature by which it may be off and be seen 99 times in 100.

    At T (1 + e) the mean surprisal is larger by e Var(s), to first order.
    """
    root = sqrt(sums.variance)
    return (float(np.abs(sums.z_bounds[0]).max()) + SURELY) / root if root else np.inf


Excess = tuple[float, float, np.ndarray]  # of a count, its variance, and what its tilts gain


def _excess(found: _Judged, these: np.ndarray) -> Excess:
    """How many more tokens than expected are among `these`, (places, ranks)."""
    share = (found.p * these).sum(-1, keepdims=True)
    excess = these - share
    more = float(excess[np.arange(len(found.at)), found.at].sum())
    return more, float((share * (1 - share)).sum()), log_mgf(found.p, excess)


def _said_before(found: _Judged, rows: Rows, text: Text) -> np.ndarray:
    """(places, ranks): the tokens that the answer has already."""
    first = np.full(max(rows.tokens.max(), *text.tokens) + 2, len(text.tokens))  # last: a group
    for place in reversed(range(len(text.tokens))):
        first[text.tokens[place]] = place
    places = np.flatnonzero(found.places)
    said = np.zeros(found.p.shape, bool)  # also where a column stands for what is not listed
    said[:, : rows.tokens.shape[1]] = first[rows.tokens[places, : said.shape[1]]] < places[:, None]
    return said


def _counted(name: str, parts: Sequence[Excess], penalty: bool = False) -> Iterator[Check]:
    """A presence penalty of x takes x times the variance from the count, to first order."""
    more, variance, gains = (sum(each) for each in zip(*parts, strict=True)) if parts else (0,) * 3
    if variance:
        root = sqrt(variance)
        down, up = chernoff_bounds(gains)[0] / root
        off, most = abs(more) / root, up if more > 0 else -down
        least = (SURELY - down) / root
        sees = f"a presence penalty of {least:.2g}" if penalty and least < 1 else ""
        yield Check(f"{SERVER}: tokens {name} (deviations)", off < most, off, most, sees)


def _repeated(texts: Sequence[Text], chances: Mapping[int, float]) -> Iterator[Check]:
    """Answers to one prompt that are the same though they are too unlikely for that.

    Of honest texts the chance that any of so many pairs is equal, and less likely than e, is at
    most e times the pairs.
    """
    groups: dict[tuple, list[int]] = {}
    for i in chances:
        groups.setdefault(texts[i].prompt, []).append(i)
    pairs = [(i, j) for same in groups.values() for a, i in enumerate(same) for j in same[:a]]
    if pairs:
        limit = log(FALSE_POSITIVE_RATE / len(pairs))
        wrong = [i for i, j in pairs if texts[i] == texts[j] and chances[i] < limit]
        yield at_most(f"{SERVER}: answers repeated, of {len(pairs)} pairs", len(wrong), 0)


def _exponent(n: float, m: float) -> float:
    """Chernoff's bound for n where m are expected, as an exponent of 1/e."""
    m = max(m, 1e-9)
    return n * log(max(n, 1e-9) / m) - n + m
