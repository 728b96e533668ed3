"""Which settings would explain a server's texts?

The most probable settings of a grid are put to the checks themselves, and named if they pass.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from course_utils.decoding.sampling import Sampling
from course_utils.proofs.examination import Rounding
from course_utils.proofs.served import RowsOf, checks
from course_utils.proofs.served_rows import Rows, Settings, Text, as_settings, kept, penalised
from course_utils.proofs.table_checks import Check

GUESSED = 1500  # tokens from which settings are guessed
BETTER = 10.0  # nats by which other settings must explain the texts better, and for each that
DIFFERS = 3.0  # differs from what was asked so many more
TRIED = 2  # settings that are put to the checks
EDGE = -15.0  # log-probability of a token that settings exclude: a few are rounding's

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

    Args:
        known: settings that a server may fall back on, {where they stand: settings}.
        options: of `checks`.
    """
    options |= {"draft_of": None}
    rows = {text: rows_of(text).short(text.tokens) for text in texts}
    few = {text: rows[text] for text in _few(texts)}
    usual = _likelihoods(few, _grid(asked, known or {}))
    base = usual.get(as_settings(asked), -np.inf)  # greedy texts: any that explains them
    found = usual | _likelihoods(few, _closer(max(usual, key=usual.get)))

    def likely(settings: Settings) -> float:
        return found[settings] - DIFFERS * (
            len(settings.differing(asked)) + (settings not in usual)
        )

    for more in [], _penalties(asked) if asked.temperature else []:
        if more:
            found = _likelihoods(few, more)
        for settings in sorted(found, key=likely, reverse=True)[:TRIED]:
            if found[settings] - base < BETTER or not settings.differing(asked):
                break
            made = checks(texts, rows.__getitem__, settings, rounding, **options)
            if all(check.passed for check in made if isinstance(check, Check)):
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
        groups.setdefault((s.penalties, s.temperature, s.temperature_last), []).append(s)
    found, before = {}, None
    for (penalties, temperature, last), group in groups.items():
        if penalties != before:
            row, ranks = _together(few, group[0])
            before = penalties
        drawn = row.at(temperature)
        seen = row.at(1.0) if last else drawn
        w = np.pad(drawn.w, ((0, 0), (0, 1)))[np.arange(len(ranks)), ranks]
        for settings in group:
            _, many = kept(row, seen, settings)
            told = np.log(np.where(ranks < many, w, 1)) - np.log(drawn.total(many))
            found[settings] = float(np.where(ranks < many, told, EDGE).sum())
    return found


def _together(few: Mapping[Text, Rows], settings: Settings) -> tuple[Rows, np.ndarray]:
    """All places of all texts; where each token stands in its row."""
    parts = [penalised(rows, text, settings) for text, rows in few.items()]
    ranks = [part.ranks(text.tokens) for part, text in zip(parts, few, strict=True)]
    joined = (
        np.concatenate([np.broadcast_to(getattr(part, name), part.logits.shape)[: len(text.tokens)]
                        for text, part in zip(few, parts, strict=True)])
        for name in ("tokens", "logits", "many")
    )  # fmt: skip
    tokens, logits, many = joined
    return Rows(tokens, logits, parts[0].listed, many), np.concatenate(ranks)
