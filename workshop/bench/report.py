"""The report of a bench: a row per contender, comparisons by factor, and a page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import exp, log

import numpy as np
from scipy import stats

from course_utils.classroom.table import text_table
from course_utils.measuring.recorded import rows_of
from course_utils.theory.costs import Prediction
from workshop.bench.contenders import COURSE, PLAIN, Contender
from workshop.bench.runs import Run, Runs, tokens_per_second

Report = Mapping[str, object]  # in JSON's types, like rows and comparisons
# columns that only the course's rounds can fill
OF_ROUNDS = ("tokens_per_round", "alpha", "draft_share", "verify_share", "host_share")
OF_ROUNDS += ("decode_ratio", "predicted_ratio", "iid_ratio")
_FACTORS = ("implementation", "speculation_ours", "speculation_theirs")


@dataclass(frozen=True)
class Setting:
    """The setting that rows must share to be comparable."""

    temperature: float
    dtype: str
    text: str  # not looping, looping


def rows_of_setting(
    here: Setting,
    runs: Runs,
    chosen: Sequence[Contender],
    predictions: Mapping[int, Prediction],
) -> list[dict[str, object]]:
    """Return a row per contender; `chosen` lists the best of each family."""
    plain = tokens_per_second(runs[PLAIN[COURSE]])
    return [
        {
            "name": contender.name,
            **asdict(contender),
            **asdict(here),
            "chosen": contender in chosen,  # on passages that are not reported
            "tokens_per_second": tokens_per_second(of_one),
            "ratio_vs_autoregressive": tokens_per_second(of_one) / plain,
            **dict.fromkeys(OF_ROUNDS),
            **(_of_rounds(contender, runs, predictions) if of_one[0].metrics else {}),
        }
        for contender, of_one in runs.items()
    ]


def _of_rounds(
    contender: Contender, runs: Runs, predictions: Mapping[int, Prediction]
) -> dict[str, float | None]:
    ours = runs[contender]
    parts = {
        part: sum(getattr(run.parts, part) for run in ours) for part in ("draft", "verify", "host")
    }
    tokens, rounds, accepted, examined = (
        sum(getattr(run.metrics, count) for run in ours)
        for count in ("tokens", "rounds", "accepted", "examined")
    )
    # acceptance was counted for the draft model's guesses, token by token
    predicted = contender.family == (COURSE, "model") and contender.verified_by is None
    prediction = predictions.get(contender.gamma) if predicted else None
    return {
        "tokens_per_round": tokens / rounds,
        "alpha": accepted / examined if examined else None,
        **{f"{part}_share": seconds / sum(parts.values()) for part, seconds in parts.items()},
        "decode_ratio": _decoding_speed(ours) / _decoding_speed(runs[PLAIN[COURSE]]),
        "predicted_ratio": prediction and prediction.speedup,
        "iid_ratio": prediction and prediction.iid_speedup,
    }


def _decoding_speed(runs: Sequence[Run]) -> float:
    """Return tokens per second over all passages, without the time to read prompts."""
    seconds = sum(run.parts.draft + run.parts.verify + run.parts.host for run in runs)
    return sum(run.tokens for run in runs) / seconds


def comparison(
    here: Setting, runs: Runs, chosen: Sequence[Contender], who: str
) -> dict[str, object]:
    """Compare the course with the engine `who`; `chosen` lists the best of each family first.

    ratio = implementation x speculation_ours / speculation_theirs, exactly; "between" is its 95 %
    interval, bootstrapped over passages.
    """
    speed = {contender: tokens_per_second(of_one) for contender, of_one in runs.items()}
    theirs, ours = (next(c for c in chosen if c.who == side) for side in (who, COURSE))
    logs = [log(a.speed / b.speed) for a, b in zip(runs[ours], runs[theirs], strict=True)]
    low = high = float(np.mean(logs))
    if len(set(logs)) > 1:
        low, high = stats.bootstrap(
            (logs,), np.mean, rng=np.random.default_rng(0)
        ).confidence_interval
    return {
        **asdict(here),
        "who": who,
        "passages": len(logs),
        "theirs": theirs.name,
        "ours": ours.name,
        "ratio": speed[ours] / speed[theirs],
        "implementation": speed[PLAIN[COURSE]] / speed[PLAIN[who]],
        "speculation_ours": speed[ours] / speed[PLAIN[COURSE]],
        "speculation_theirs": speed[theirs] / speed[PLAIN[who]],
        "between": (exp(low), exp(high)),
    }


# title, field, format
COLUMNS = (
    ("", "name", ""),
    ("tok/s", "tokens_per_second", ".0f"),
    ("/plain", "ratio_vs_autoregressive", ".2f"),
    ("decode", "decode_ratio", ".2f"),
    ("predicted", "predicted_ratio", ".2f"),
    ("tok/round", "tokens_per_round", ".2f"),
    ("alpha", "alpha", ".2f"),
    ("draft", "draft_share", ".0%"),
    ("verify", "verify_share", ".0%"),
    ("host", "host_share", ".0%"),
)


def page(report: Report) -> str:
    """Return a table per setting, with * before a side's choice, and the comparisons."""
    machine = report["machine"]
    lines = [f"{machine['processor']}, {machine['threads']} threads, torch {machine['torch']}"]
    for compared in by_setting(report):
        here = [compared[0][field] for field in ("temperature", "dtype", "text")]
        rows = [[title for title, *_ in COLUMNS]]
        for row in rows_of(report, *here):
            cells = [
                "-" if row[field] is None else format(row[field], form)
                for _, field, form in COLUMNS
            ]
            rows.append([("* " if row["chosen"] else "  ") + cells[0], *cells[1:]])
        lines += ["", "T={:g}, {}, {}".format(*here), text_table(rows, left=(0,))]
    return "\n".join([*lines, "", as_markdown(report)])


def by_setting(report: Report) -> list[list[dict[str, object]]]:
    """Return the comparisons of each setting, the fastest engine first."""
    settings: dict[tuple, list] = {}
    for compared in report["compared"]:
        here = compared["temperature"], compared["dtype"], compared["text"]
        settings.setdefault(here, []).append(compared)
    return [sorted(compared, key=lambda one: one["ratio"]) for compared in settings.values()]


def as_markdown(report: Report) -> str:
    """Return the comparisons as a table; `notebooks/how_fast.md` has the recorded one.

    The speed of the fastest engine is 1.00 in each row.
    """
    engines = dict.fromkeys(compared["who"] for compared in report["compared"])
    head = (f"temperature, format | text | {' | '.join(engines)} | the course", *_HEADINGS)
    lines = [_row(head), "|---|---|" + "---|" * (len(engines) + 4)]
    for compared in by_setting(report):
        fastest, of = compared[0], {one["who"]: one for one in compared}
        engine_cells = (
            f"`{of[who]['theirs']}` {fastest['ratio'] / of[who]['ratio']:.2f}" if who in of else "–"
            for who in engines
        )
        low, high = fastest["between"]
        ours = f"`{fastest['ours']}` **{fastest['ratio']:.2f}** ({low:.2f} to {high:.2f})"
        here = f"{fastest['temperature']:g}, {fastest['dtype']}", fastest["text"]
        factors = (f"{fastest[factor]:.2f}" for factor in _FACTORS)
        lines.append(_row([*here, *engine_cells, ours, *factors]))
    return "\n".join(lines)


_HEADINGS = ("= plain, over that engine's", "× speculation, ours", "/ theirs")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
