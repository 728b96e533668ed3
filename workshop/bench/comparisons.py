"""What a bench found: a row for each contender, and each comparison taken apart."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import exp, log
from statistics import fmean, median

import numpy as np
from scipy import stats

from course_utils.measuring.costs import Costs, Prediction
from workshop.bench.contenders import COURSE, PLAIN, Contender
from workshop.bench.passages import said_before
from workshop.bench.protocol import Run, Runs, spread, tokens_per_second


@dataclass(frozen=True)
class Setting:
    """What rows must share to be compared."""

    temperature: float
    dtype: str
    text: str  # one of passages.TEXTS


@dataclass(frozen=True)
class Price:
    """What reading the weights of a pass takes."""

    target: int  # bytes
    # of the model that guesses, by `NamedDrafter.guesses_with`; None: not known
    drafts: Mapping[str | None, int | None]
    bandwidth: float  # bytes per second


# a contender in a setting, in JSON's types; `pages` says what its columns mean
Row = dict[str, object]

# the columns that only rounds tell; of an engine, which tells its passes at most, they are None
OF_ROUNDS = (
    *("forwards_per_token", "tokens_per_round", "alpha", "draft_share", "verify_share"),
    *("host_share", "floor_ratio", "memory_ratio", "decode_ratio", "predicted_ratio", "iid_ratio"),
)

# the best of the course against the best of an engine, both as they were chosen
Comparison = dict[str, object]


def rows_of_setting(
    setting: Setting,
    runs: Runs,
    chosen: Sequence[Contender],
    predictions: Mapping[int, Prediction],
    price: Price,
) -> list[Row]:
    """A row a contender; `chosen` lists the best of each family, fastest first."""
    speed = {contender: tokens_per_second(found) for contender, found in runs.items()}
    theirs = next(c for c in chosen if c.who != COURSE)
    return [
        {
            "name": contender.name,
            **asdict(contender),
            **asdict(setting),
            "chosen": contender in chosen,  # on the passages that are not reported
            "tokens_per_second": speed[contender],
            "spread": spread(found),
            "said_before": _share_said_before(found),
            "ratio_vs_best": speed[contender] / speed[theirs],
            "ratio_vs_autoregressive": speed[contender] / speed[PLAIN[COURSE]],
            **dict.fromkeys(OF_ROUNDS),
            **(_details(contender, runs, predictions, price) if found[0].metrics else _told(found)),
        }
        for contender, found in runs.items()
    ]


def comparison(
    setting: Setting,
    runs: Runs,
    chosen: Sequence[Contender],
    predictions: Mapping[int, Prediction],
    who: str,
) -> Comparison:
    """The course and the engine `who`; `chosen` lists the best of each family, fastest first.

    ratio = implementation x speculation_ours / speculation_theirs, exactly; "between" is where it
    is, 95 %: bootstrapped over passages.  Of our draft model's gammas "auto_gamma" has the best
    prediction, and stays by "auto_loss" below the fastest of them.
    """
    speed = {contender: tokens_per_second(found) for contender, found in runs.items()}
    theirs, ours = _best(chosen, who), _best(chosen, COURSE)
    their_plain, our_plain = speed[PLAIN[who]], speed[PLAIN[COURSE]]
    logs = [log(a.speed / b.speed) for a, b in zip(runs[ours], runs[theirs], strict=True)]
    models = [contender for contender in runs if _is_predicted(contender)]
    auto = max(models, key=lambda contender: predictions[contender.gamma].speedup)
    return {
        **asdict(setting),
        "who": who,
        "passages": len(logs),
        "new_tokens": sum(run.passage.new_tokens for run in runs[ours]),  # in all of them
        "theirs": theirs.name,
        "ours": ours.name,
        "ratio": speed[ours] / speed[theirs],
        "implementation": our_plain / their_plain,
        "speculation_ours": speed[ours] / our_plain,
        "speculation_theirs": speed[theirs] / their_plain,
        "between": _between(logs),
        "auto_gamma": auto.gamma,
        "auto_loss": 1 - speed[auto] / max(speed[contender] for contender in models),
    }


def _between(logs: Sequence[float]) -> tuple[float, float]:
    """Where the mean of logarithms is, as a factor."""
    if len(logs) < 2 or len(set(logs)) == 1:  # nothing to draw from
        return exp(fmean(logs)), exp(fmean(logs))
    found = stats.bootstrap((logs,), np.mean, rng=np.random.default_rng(0)).confidence_interval
    return exp(found.low), exp(found.high)


def as_json(
    rows: Sequence[Row], compared: Sequence[Comparison], costs: Mapping[str, Costs]
) -> dict[str, object]:
    """All of them in JSON's types."""
    told = {name: asdict(found) | {"c": found.c, "v": found.v} for name, found in costs.items()}
    return {"compared": [*compared], "rows": [*rows], "costs": told}


def prediction_errors(rows: Sequence[Mapping[str, float | None]]) -> tuple[float, float]:
    """Largest and median relative error of the predicted speedups; rows as in JSON.

    Costs are measured in decoding, so it is the decoding ratio that they predict.
    """
    errors = [
        abs(row["predicted_ratio"] / row["decode_ratio"] - 1)
        for row in rows
        if row["predicted_ratio"]
    ]
    return max(errors), median(errors)


def _is_predicted(contender: Contender) -> bool:
    """Acceptance was counted of the draft model's guesses, token by token."""
    return contender.family == (COURSE, "model") and contender.verified_by is None


def _best(chosen: Sequence[Contender], who: str) -> Contender:
    return next(contender for contender in chosen if contender.who == who)


def _share_said_before(runs: Sequence[Run]) -> float:
    marks = [mark for run in runs for mark in said_before(run.passage.prompt, run.text)]
    return sum(marks) / len(marks)


def _told(runs: Sequence[Run]) -> dict[str, float]:
    """Of an engine that tells its passes; of others nothing."""
    if any(run.passes is None for run in runs):
        return {}
    per_token = sum(run.passes for run in runs) / sum(len(run.text) for run in runs)
    return {"forwards_per_token": per_token, "tokens_per_round": 1 / per_token}


def _details(
    contender: Contender, all_runs: Runs, predictions: Mapping[int, Prediction], price: Price
) -> dict[str, float | None]:
    """The columns that only our rounds can fill."""
    runs = all_runs[contender]
    draft, verify, host = (
        sum(getattr(run.parts, part) for run in runs) for part in ("draft", "verify", "host")
    )
    tokens, rounds, accepted, examined = (
        sum(getattr(run.metrics, count) for run in runs)
        for count in ("tokens", "rounds", "accepted", "examined")
    )
    seconds = draft + verify + host
    step, passes = price.drafts[contender.drafter.guesses_with], sum(r.draft_passes for r in runs)
    read = None if step is None else (rounds * price.target + passes * step) / price.bandwidth
    prediction = predictions.get(contender.gamma) if _is_predicted(contender) else None
    return {
        "forwards_per_token": rounds / tokens,
        "tokens_per_round": tokens / rounds,
        "alpha": accepted / examined if examined else None,
        "draft_share": draft / seconds,
        "verify_share": verify / seconds,
        "host_share": host / seconds,
        "floor_ratio": seconds / (draft + verify),
        "memory_ratio": read and seconds / read,
        "decode_ratio": _decoding_speed(runs) / _decoding_speed(all_runs[PLAIN[COURSE]]),
        "predicted_ratio": prediction and prediction.speedup,
        "iid_ratio": prediction and prediction.iid_speedup,
    }


def _decoding_speed(runs: Sequence[Run]) -> float:
    """Tokens a second over all passages, without the time to read them."""
    seconds = sum(run.parts.draft + run.parts.verify + run.parts.host for run in runs)
    return sum(len(run.text) for run in runs) / seconds
