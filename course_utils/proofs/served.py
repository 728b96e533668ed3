"""Is a server's text the model's?  Texts and the target's rows in, a verdict out.

Of each answer there are the tokens, and what the target says at each place: whole rows of a
copy, or the likeliest tokens of a server's own.  Both are kept with the likeliest token first,
so that temperature, top-k, top-p and min-p all leave a beginning of a row.

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
from itertools import product
from math import log, sqrt

import numpy as np

from course_utils.decoding.sampling import Sampling
from course_utils.proofs.certificate import SERVER
from course_utils.proofs.examination import Rounding, tested
from course_utils.proofs.scores import Ranks, Scores, likelier
from course_utils.proofs.surprise import FALSE_ALARM, Surprise, limits, surprise_along, tilted
from course_utils.proofs.table_checks import Check, at_most
from course_utils.proofs.ties import SAFETY

DRIFT = 0.3  # share of the temperature: a run that does not even see this says nothing
SURELY = 2.33  # standard deviations that a normal exceeds once in a hundred
GUESSED = 1500  # tokens from which settings are guessed
BETTER = 10.0  # nats by which other settings must explain the texts better, and for each that
TRIED = 2  # settings that are put to the checks
DIFFERS = 3.0  # differs from what was asked so many more
TINY = np.finfo(float).tiny
EDGE = -15.0  # log-probability of a token that settings exclude: a few are rounding's


@dataclass(frozen=True)
class Text:
    """A request and its answer."""

    prompt: tuple[int, ...]
    tokens: tuple[int, ...]
    ended: bool = False  # at a stop token, which is not among the tokens


@dataclass(frozen=True, eq=False)
class Rows:
    """What the target says at each place of an answer, likeliest first."""

    tokens: np.ndarray  # (n, m)
    logits: np.ndarray  # (n, m), falling; -inf where there is none
    # None: whole rows.  Else log-probabilities of so many likeliest tokens; behind them may stand
    # the answer's own
    listed: int | None = None

    @classmethod
    def of(cls, logits: np.ndarray) -> "Rows":
        """Of whole rows, (n, vocabulary)."""
        logits = np.asarray(logits, np.float64)
        order = np.argsort(-logits, axis=-1, kind="stable")
        return cls(order, np.take_along_axis(logits, order, -1))

    @property
    def rest(self) -> np.ndarray:
        """(n, 1): the probability, at temperature 1, of what is not listed."""
        listed = self.logits[:, : self.listed]
        return np.maximum(1 - np.exp(listed).sum(-1, keepdims=True), 0) * (self.listed is not None)

    def ranks(self, tokens: Sequence[int]) -> np.ndarray:
        """(n,): where each token stands in its row; m where it does not."""
        here = self.tokens[: len(tokens)] == np.asarray(tokens, np.int64)[:, None]
        return np.where(here.any(-1), here.argmax(-1), self.tokens.shape[1])

    def at(self, temperature: float) -> "Weights":
        w = np.exp((self.logits - self.logits[:, :1]) / temperature)
        return Weights(w, np.cumsum(w[:, : self.listed], -1))


@dataclass(frozen=True, eq=False)
class Weights:
    """Rows at a temperature; the likeliest token weighs 1."""

    w: np.ndarray  # (n, m)
    sums: np.ndarray  # (n, listed), of each token and those before it

    def above(self, least: np.ndarray | float) -> np.ndarray:
        """(n,): how many tokens weigh at least so much."""
        return _count(lambda at: np.take_along_axis(self.w, at, -1)[:, 0] >= least, *self.w.shape)

    def total(self, many: np.ndarray) -> np.ndarray:
        """(n,): what the first so many of those that are listed weigh."""
        at = np.clip(many, 1, self.sums.shape[1])[:, None] - 1
        return np.take_along_axis(self.sums, at, -1)[:, 0]

    def reaching(self, mass: np.ndarray) -> np.ndarray:
        """(n,): the first so many tokens reach a mass, as top-p has it."""
        sums = self.sums
        return 1 + _count(lambda at: np.take_along_axis(sums, at, -1)[:, 0] < mass, *sums.shape)


def _count(holds: Callable[[np.ndarray], np.ndarray], n: int, m: int) -> np.ndarray:
    """(n,): at how many of the m places something holds that holds at the first ones only."""
    low, high = np.zeros(n, int), np.full(n, m)
    while (low < high).any():
        middle = (low + high) // 2
        true = holds(np.minimum(middle, m - 1)[:, None]) & (low < high)
        low, high = np.where(true, middle + 1, low), np.where(true, high, middle)
    return low


@dataclass(frozen=True)
class Settings(Sampling):
    """Also what was never asked for: penalties, and filters that come before the temperature."""

    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    temperature_last: bool = False  # as llama.cpp has it, unless it is told otherwise

    def differing(self, asked: Sampling) -> list[str]:
        """Each setting that is another one, "top_k = 50"."""
        theirs = vars(as_settings(asked))
        return [f"{name} = {x:g}" for name, x in vars(self).items() if x != theirs[name]]


def penalties(settings: Sampling) -> tuple[float, float, float]:
    """Of repetition, presence and frequency."""
    s = as_settings(settings)
    return s.repetition_penalty, s.presence_penalty, s.frequency_penalty


def as_settings(sampling: Sampling, **others: float) -> Settings:
    return Settings(**vars(sampling) | others)


# --- what settings leave of a row -----------------------------------------------------------


def kept(
    rows: Rows, weights: Weights, settings: Sampling, slack: float = 0.0, mass: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """(n,) twice: how many of the first tokens are surely kept, and how many may be.

    Args:
        weights: the rows at the temperature at which the filters look at them.
        slack, mass: the share by which rounding may change a weight, and the sum of some.
    """
    listed, m = weights.sums.shape[1], weights.w.shape[1]
    partial, k = rows.listed is not None, settings.top_k
    high = weights.above(TINY)
    low = np.minimum(high, listed)
    if 0 < k < (listed + 1 if partial else listed):
        last = weights.w[:, k - 1]
        beyond = weights.w[:, k] if k < listed else last  # a tie with what is not listed
        low = np.minimum(low, weights.above(beyond * (1 + slack) + TINY) if slack else k)
        high = np.minimum(high, weights.above(last * (1 - slack)) if slack else k)
    if settings.min_p > 0:
        low = np.minimum(low, weights.above(settings.min_p * (1 + slack)))
        high = np.minimum(high, weights.above(settings.min_p * (1 - slack)))
    if settings.top_p < 1:
        least, most = weights.total(low), weights.total(high)
        if partial and not 0 < k <= listed:
            most = most + _rest(rows, settings)
        low = np.minimum(low, weights.reaching(least * (settings.top_p - mass)))
        enough = most * (settings.top_p + mass)
        high = np.where(enough > weights.sums[:, -1], high,
                        np.minimum(high, weights.reaching(enough)))  # fmt: skip
    low = np.maximum(low, 1)
    return low, np.clip(high, low, m)


def _rest(rows: Rows, settings: Sampling) -> np.ndarray:
    """(n,): the most that the tokens that are not listed can weigh.

    Each has at most the last one's probability, so that p^(1/T) is at most p * last^(1/T - 1)
    for T <= 1; for T > 1 there is no bound.
    """
    rest, inverse = rows.rest[:, 0], 1 / settings.temperature
    if inverse < 1:
        return np.where(rest > 0, np.inf, 0.0)
    last, first = rows.logits[:, rows.listed - 1], rows.logits[:, 0]
    return rest * np.exp(last * (inverse - 1) - first * inverse)


@dataclass(frozen=True, eq=False)
class _Judged:
    """The places of a text that can be judged; a column is a rank."""

    p: np.ndarray  # (places, ranks)
    at: np.ndarray  # (places,) which rank stands there
    places: np.ndarray  # (n,) which of the text's these are
    outside: int  # tokens that the filters surely exclude
    listed: (
        int | None
    )  # the column behind it stands for all that is not listed; None: there is none
    stops: tuple[int, float]  # ends that are there, and that were expected


def _judged(
    text: Text, rows: Rows, settings: Sampling, rounding: Rounding, stops: Sequence[int], ends: bool
) -> _Judged:
    """Args: ends: texts end at stop tokens, so that what is judged is given that they do not."""
    n = len(text.tokens)
    heat = 1.0 if getattr(settings, "temperature_last", False) else settings.temperature
    drawn, seen = rows.at(settings.temperature), rows.at(heat)
    far = min(0.99, np.expm1(2 * rounding.logits / heat))
    _, high = kept(rows, seen, settings, far, rounding.largest)
    low, _ = kept(rows, seen, settings, 2 * rounding.mean, 2 * rounding.mean)
    listed = seen.sums.shape[1]
    w, ranks = drawn.w[:, :listed].copy(), rows.ranks(text.tokens)
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
        p, inside = p / np.where(total > 0, total, 1), inside & (total[:, 0] > 0)
    outside = int(((ranks >= high[:n]) & known).sum())
    columns = p[inside][:, : int(low.max())]
    return _Judged(columns, ranks[inside], inside, outside, listed if lumped else None,
                   (there, expected))  # fmt: skip


def filters(settings: Sampling) -> bool:
    """Do they exclude any token?"""
    return bool(settings.top_k or settings.top_p < 1 or settings.min_p)


# --- the checks -------------------------------------------------------------------------------

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
        rows = _penalised(rows_of(text), text, settings)
        found = _judged(text, rows, settings, rounding, stops, ends)
        outside, written = outside + found.outside, written + len(text.tokens)
        there, expected = there + found.stops[0], expected + found.stops[1]
        whole &= rows.listed is None
        if not len(found.at):
            continue
        p, at = found.p, found.at
        again.append(_excess(found, _said_before(found, rows, text)))
        if found.listed is not None:
            beyond.append(
                _excess(found, np.arange(p.shape[1]) >= np.full((len(p), 1), found.listed))
            )
        told.append(surprise_along(p, at))
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
        off = _exponent(there, expected)
        yield Check(f"{SERVER}: stop tokens, {there} of {expected:.1f} (exponent)",
                    off <= log(2 / FALSE_ALARM), off, log(2 / FALSE_ALARM))  # fmt: skip
    judged = sum(one.tokens for one in told)
    if judged < written / 2:
        yield f"{SERVER}: only {judged} of {written} tokens are surely inside the filters"


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


def _witnesses(told: Sequence[Surprise], settings: Sampling) -> Iterator[Check | str]:
    if not told:
        yield f"{SERVER}: no token can be judged"
        return
    sums = Surprise(*map(sum, zip(*(vars(one).values() for one in told), strict=True)))
    pairs = (sums.deviations, "surprise"), (sums.second_deviations, "surprise, second moment")
    drift = _drift(sums)
    for (off, name), (down, up) in zip(pairs, sums.bands, strict=True):
        # an infinite one is no JSON
        far, most = min(abs(off), 1e9), min(up if off > 0 else -down, 1e9)
        sees = f"a temperature {drift:.0%} off" if name == "surprise" and drift < DRIFT else ""
        side = "too likely" if off < 0 else "too unlikely"
        detail = f"the tokens are {side}" if name == "surprise" else ""
        yield Check(f"{SERVER}: {name} (deviations)", far < most, far, most, sees,
                    detail="" if far < most else detail)  # fmt: skip
    if drift >= DRIFT:
        yield (f"{SERVER}: {sums.tokens} tokens are too few at temperature {settings.temperature:g}"
               f": one {DRIFT:.0%} off would not be seen; ask for more")  # fmt: skip


def _drift(sums: Surprise) -> float:
    """The share of the temperature by which it may be off and be seen 99 times in 100.

    At T (1 + e) the mean surprise is larger by e Var(s), to first order.
    """
    root = sqrt(sums.variance)
    return (float(np.abs(sums.bands[0]).max()) + SURELY) / root if root else np.inf


Excess = tuple[float, float, np.ndarray]  # of a count, its variance, and what its tilts gain


def _excess(found: _Judged, these: np.ndarray) -> Excess:
    """How many more tokens than expected are among `these`, (places, ranks)."""
    share = (found.p * these).sum(-1, keepdims=True)
    excess = these - share
    more = float(excess[np.arange(len(found.at)), found.at].sum())
    return more, float((share * (1 - share)).sum()), tilted(found.p, excess)


def _said_before(found: _Judged, rows: Rows, text: Text) -> np.ndarray:
    """(places, ranks): the tokens that the answer has already."""
    said = np.zeros(found.p.shape, bool)
    for i, place in enumerate(np.flatnonzero(found.places)):
        tokens = rows.tokens[place, : said.shape[1]]
        said[i, : len(tokens)] = np.isin(tokens, text.tokens[:place])
    return said


def _counted(name: str, parts: Sequence[Excess], penalty: bool = False) -> Iterator[Check]:
    """A presence penalty of x takes x times the variance from the count, to first order."""
    more, variance, gains = (sum(each) for each in zip(*parts, strict=True)) if parts else (0,) * 3
    if variance:
        root = sqrt(variance)
        down, up = limits(gains)[0] / root
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
        limit = log(FALSE_ALARM / len(pairs))
        wrong = [i for i, j in pairs if texts[i] == texts[j] and chances[i] < limit]
        yield at_most(f"{SERVER}: answers repeated, of {len(pairs)} pairs", len(wrong), 0)


def _exponent(n: float, m: float) -> float:
    """Chernoff's bound for n where m are expected, as an exponent of 1/e."""
    m = max(m, 1e-9)
    return n * log(max(n, 1e-9) / m) - n + m


# --- which settings would explain it ------------------------------------------------------------

TEMPERATURES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5, 1.7, 2.0)
FILTERS = (
    *({"top_k": k} for k in (1, 5, 10, 20, 30, 40, 50, 64, 100)),
    *({"top_p": p} for p in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)),
    *({"min_p": p} for p in (0.01, 0.02, 0.05, 0.1, 0.2)),
    {"top_k": 20, "top_p": 0.8}, {"top_k": 20, "top_p": 0.95}, {"top_k": 50, "top_p": 0.95},
    {"top_k": 40, "top_p": 0.95, "min_p": 0.05}, {"top_k": 64, "top_p": 0.95},
)  # fmt: skip
NONE = {"top_k": 0, "top_p": 1.0, "min_p": 0.0}
PENALTIES = (
    *({"repetition_penalty": x} for x in (1.05, 1.1, 1.2, 1.3)),
    *({"presence_penalty": x} for x in (0.5, 1.0, 1.5)),
    *({"frequency_penalty": x} for x in (0.2, 0.5, 1.0)),
)


def looks_like(
    texts: Sequence[Text], rows_of: RowsOf, asked: Sampling, rounding: Rounding,
    known: Mapping[str, Sampling] | None = None, **options,
) -> str:  # fmt: skip
    """Settings that explain texts which are not of those asked, in words; "" if none do.

    The most probable settings of a grid are put to `checks` themselves, and named if they pass.

    Args:
        known: settings that a server may fall back on, {where they stand: settings}.
        options: of `checks`.
    """
    options |= {"draft_of": None}
    few = {text: rows_of(text) for text in _few(texts)}
    found = _likelihoods(few, _grid(asked, known or {}))
    base = found.get(as_settings(asked), -np.inf)  # greedy texts: any that explains them
    found |= _likelihoods(few, _closer(max(found, key=found.get)))

    def likely(settings: Settings) -> float:
        odd = settings.temperature not in (asked.temperature, *TEMPERATURES)
        return found[settings] - DIFFERS * (len(settings.differing(asked)) + odd)

    def passes(settings: Settings, some: Sequence[Text], rows: RowsOf) -> bool:
        made = checks(some, rows, settings, rounding, **options)
        return all(check.passed for check in made if isinstance(check, Check))

    for more in [], _penalties(asked) if asked.temperature else []:
        if more:
            found = _likelihoods(few, more)
        for settings in sorted(found, key=likely, reverse=True)[:TRIED]:
            if found[settings] - base < BETTER or not settings.differing(asked):
                break
            if passes(settings, list(few), few.__getitem__) and passes(settings, texts, rows_of):
                places = [name for name, s in (known or {}).items() if as_settings(s) == settings]
                where = [f", as {place} has it: does the server look there?" for place in places]
                words = f"{', '.join(settings.differing(asked))}, which you did not ask for"
                return words + "".join(where)
    return ""


def _few(texts: Sequence[Text]) -> list[Text]:
    """Spread over all, so many tokens."""
    share = min(1.0, GUESSED / sum(len(text.tokens) for text in texts))
    return [t for i, t in enumerate(texts) if int((i + 1) * share) > int(i * share)] or [*texts[:1]]


def _grid(asked: Sampling, known: Mapping[str, Sampling]) -> list[Settings]:
    base = vars(asked)
    filters = [base, base | NONE, *(base | NONE | f for f in FILTERS), *(base | f for f in FILTERS)]
    heats = {asked.temperature, *TEMPERATURES} - {0.0}
    found = [Settings(**f | {"temperature": t}) for t, f in product(sorted(heats), filters)]
    found += [replace(s, temperature_last=True) for s in found
              if s.temperature != 1 and (s.top_p < 1 or s.min_p)]  # fmt: skip
    return list(dict.fromkeys([*found, *(as_settings(s) for s in known.values() if s.temperature)]))


def _penalties(asked: Sampling) -> list[Settings]:
    bases = asked, Sampling(asked.temperature), Sampling()
    return list(dict.fromkeys(as_settings(b, **p) for b, p in product(bases, PENALTIES)))


def _closer(best: Settings) -> list[Settings]:
    """Temperatures between those of the grid, and values of top-k between."""
    near = (best.temperature * (1 + x / 100) for x in range(-10, 11, 2))
    found = [replace(best, temperature=round(t, 3)) for t in near]
    if best.top_k:
        found += [replace(best, top_k=k) for k in range(max(1, best.top_k - 9), best.top_k + 10)]
    return found


def _likelihoods(few: Mapping[Text, Rows], candidates: Iterable[Settings]) -> dict[Settings, float]:
    """The log-probability of the texts under each; those of one temperature share their sums."""
    groups: dict[tuple, list[Settings]] = {}
    for s in candidates:
        groups.setdefault((penalties(s), s.temperature, s.temperature_last), []).append(s)
    found = {}
    for (_, temperature, last), group in groups.items():
        parts = [_penalised(rows, text, group[0]) for text, rows in few.items()]
        row = Rows(*(np.concatenate([getattr(part, name)[: len(text.tokens)]
                                     for text, part in zip(few, parts, strict=True)])
                     for name in ("tokens", "logits")), parts[0].listed)  # fmt: skip
        ranks, drawn = (
            row.ranks([token for text in few for token in text.tokens]),
            row.at(temperature),
        )
        seen = row.at(1.0) if last else drawn
        w = np.pad(drawn.w, ((0, 0), (0, 1)))[np.arange(len(ranks)), ranks]
        for settings in group:
            many, _ = kept(row, seen, settings)
            told = np.log(np.where(ranks < many, w, 1)) - np.log(drawn.total(many))
            found[settings] = float(np.where(ranks < many, told, EDGE).sum())
    return found


def _penalised(rows: Rows, text: Text, settings: Sampling) -> Rows:
    """With penalties as vLLM and llama.cpp have them: repetition on prompt and text, the others
    on the text."""
    repetition, presence, frequency = penalties(settings)
    if (repetition, presence, frequency) == (1, 0, 0) or rows.listed:
        return rows
    logits = np.empty_like(rows.logits)
    np.put_along_axis(logits, rows.tokens, rows.logits, -1)
    for i, row in enumerate(logits):
        said = np.bincount(text.tokens[:i], minlength=len(row)) if i else np.zeros(len(row))
        seen = (said > 0) | np.isin(np.arange(len(row)), text.prompt)
        row[seen] = np.where(row > 0, row / repetition, row * repetition)[seen]
        row -= presence * (said > 0) + frequency * said
    return Rows.of(logits)
