"""The report of a bench: one row per contender and setting, and a page of them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import exp, log

import numpy as np
from scipy import stats

from course_utils.classroom.table import table
from workshop.bench.contenders import COURSE, PLAIN, Contender
from workshop.bench.runs import Run, Runs, tokens_per_second

Row = dict[str, object]  # in JSON's types
SETTING = ("temperature", "dtype", "text")
# columns that only the course's rounds can fill
OF_ROUNDS = ("tokens_per_round", "alpha", "draft_share", "verify_share", "host_share")
SHOWN = ("tokens_per_second", "over_plain", "over_engine", "low", "high", *OF_ROUNDS)


def rows_of(runs: Runs, chosen: Sequence[Contender], **setting: object) -> list[Row]:
    """Return a row per contender.

    "over_plain" is its speed over its side's without a draft; "over_engine" over the fastest
    engine's, with the 95 % interval from "low" to "high", bootstrapped over passages.  Engines
    count with the settings that they chose.

    Args:
        chosen: the best of each family, by passages that are not reported, the fastest first.
        setting: what rows must share to be comparable, by the names in `SETTING`.
    """
    speed = {contender: tokens_per_second(of_one) for contender, of_one in runs.items()}
    tuned = {c.who: c for c in reversed(chosen) if c.who != COURSE}
    fastest = max(tuned.values(), key=speed.__getitem__)
    rows = []
    for contender, of_one in runs.items():
        low, high = _interval(of_one, runs[fastest])
        rows.append({
            "name": contender.name, **asdict(contender), **setting, "chosen": contender in chosen,
            "passages": len(of_one), "tokens_per_second": speed[contender],
            "over_plain": speed[contender] / speed[PLAIN[contender.who]],
            "over_engine": speed[contender] / speed[fastest], "low": low, "high": high,
            **(_of_rounds(of_one) if of_one[0].metrics else dict.fromkeys(OF_ROUNDS)),
        })  # fmt: skip
    return rows


def _interval(runs: Sequence[Run], others: Sequence[Run]) -> tuple[float, float]:
    logs = [log(a.speed / b.speed) for a, b in zip(runs, others, strict=True)]
    if len(set(logs)) == 1:
        return exp(logs[0]), exp(logs[0])
    found = stats.bootstrap((logs,), np.mean, rng=np.random.default_rng(0))
    low, high = found.confidence_interval
    return exp(low), exp(high)


def _of_rounds(runs: Sequence[Run]) -> Row:
    parts = {
        part: sum(getattr(run.parts, part) for run in runs) for part in ("draft", "verify", "host")
    }
    tokens, rounds, accepted, examined = (
        sum(getattr(run.metrics, count) for run in runs)
        for count in ("tokens", "rounds", "accepted", "examined")
    )
    return {
        "tokens_per_round": tokens / rounds,
        "alpha": accepted / examined if examined else None,
        **{f"{part}_share": seconds / sum(parts.values()) for part, seconds in parts.items()},
    }


def page(report: Mapping[str, object]) -> str:
    """Return a table per setting, with * before what a side chose."""
    machine = report["machine"]
    texts = [f"{machine['processor']}, {machine['threads']} threads, torch {machine['torch']}"]
    settings: dict[tuple, list[Row]] = {}
    for row in report["rows"]:
        shown = {"": f"{'*' if row['chosen'] else ' '} {row['name']}"}
        shown |= {name.replace("_", " "): row[name] for name in SHOWN}
        settings.setdefault(tuple(row[name] for name in SETTING), []).append(shown)
    for setting, rows in settings.items():
        texts.append(table(rows, "T={:g}, {}, {}".format(*setting)).text)
    return "\n\n".join(texts)
