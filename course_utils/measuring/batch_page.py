"""A report of `bench --batches` as a page to read."""

from collections.abc import Mapping, Sequence

from course_utils.classroom.table import text_table

Report = Mapping[str, object]

_EXPLAINED = (
    ("tok/s", "tokens per second of all rows together, prompts apart; median, ± half the range"),
    ("/1", "over plain decoding of one text"),
    ("/plain", "over plain decoding of the same batch"),
    ("pred", "the same as tok/s, predicted from the passes, the host's work and the acceptance"),
    ("o = 0", "predicted as if the host took no time"),
    ("tok/rd", "tokens per round, and as it was predicted"),
    ("*", "the fastest of its batch;  > what the prediction takes for the fastest"),
)


def as_text(report: Report) -> str:
    """A table for each setting, then what is copied and waited for."""
    m = report["machine"]
    lines = [
        f"{m['processor']}, {m['threads']} threads, torch {m['torch']}; {report['new_tokens']} "
        f"tokens a text, {report['turns']} turns, interleaved; costs and acceptance from other "
        f"prompts; {report['seconds'] / 60:.1f} minutes so far",
    ]
    for found in report["settings"]:
        title = f"T={found['temperature']:g} {found['dtype']}"
        lines += ["", f"{title}: every slot has a text", _speeds(found["rows"])]
        lines += [_summary(found)]
    if report["copied"]:
        lines += ["", "cache copied in a pass, by layout", _copied(report["copied"])]
    if report["schedules"]:
        lines += ["", "turns of static groups and of continuous batching", _turns(report)]
    if report["missing"]:
        lines += ["", f"not measured: {', '.join(report['missing'])}"]
    return "\n".join([*lines, "", *(f"{name:<8} {words}" for name, words in _EXPLAINED)])


def _speeds(rows: Sequence[Mapping[str, float]]) -> str:
    speeds = {(row["batch"], row["gamma"]): row["tokens_per_second"] for row in rows}
    one = speeds[rows[0]["batch"], 0]
    lines = [
        ("batch", "gamma", "tok/s", "±", "/1", "/plain", "pred", "o = 0", "tok/rd", "pred", "")
    ]
    for row in rows:
        speed, same = row["tokens_per_second"], [r for r in rows if r["batch"] == row["batch"]]
        marks = "".join(
            mark
            for mark, field in (("*", "tokens_per_second"), (">", "predicted"))
            if row[field] == max(r[field] for r in same)
        )
        lines.append(
            (
                str(row["batch"]), str(row["gamma"]), f"{speed:.0f}", f"{row['spread'] / 2:.0f}",
                f"{speed / one:.2f}", f"{speed / speeds[row['batch'], 0]:.2f}",
                f"{row['predicted']:.0f}", f"{row['predicted_without_host']:.0f}",
                f"{row['tokens_per_round']:.2f}", f"{row['predicted_tokens_per_round']:.2f}", marks,
            )
        )  # fmt: skip
    return text_table(lines, left=(10,))


def _summary(found: Mapping[str, object]) -> str:
    """Which gamma pays at which batch, and where none does any more."""
    measured, predicted = (_listed(found[name]) for name in ("best_gamma", "predicted_gamma"))
    stops = {name: batch or "none of these" for name, batch in found["stops_paying"].items()}
    return "\n".join(
        (
            f"the best gamma by batch: {measured}; predicted: {predicted}",
            f"speculation stops paying at a batch of {stops['measured']}; predicted: "
            f"{stops['predicted']}",
            f"alpha {found['alpha']:.2f}; predictions off by at most {found['largest_error']:.0%}, "
            f"without the host's work {found['error_without_host']:.0%}",
        )
    )


def _listed(gammas: Mapping[str, int]) -> str:
    return ", ".join(f"{batch}: {gamma}" for batch, gamma in gammas.items())


def _copied(rows: Sequence[Mapping[str, object]]) -> str:
    lines = [("layout", "batch", "gamma", "MB a pass", "columns with text", "texts")]
    for row in rows:
        held = "–" if row["held"] is None else f"{row['held']:.0%}"
        same = "the same" if row["same_texts"] else "OTHERS"
        size = f"{row['bytes_copied_per_pass'] / 1e6:.2f}"
        lines.append((row["layout"], str(row["batch"]), str(row["gamma"]), size, held, same))
    return text_table(lines, left=(0, 5))


def _turns(report: Report) -> str:
    lines = [("output lengths", "batch", "static", "continuous", "gain", "i.i.d. predicts")]
    for row in report["schedules"]:
        turns = (f"{row[schedule]:.0f}" for schedule in ("static", "continuous"))
        gains = (f"{row[gain]:.2f}x" for gain in ("gain", "predicted_gain"))
        lines.append((row["lengths"], str(row["batch"]), *turns, *gains))
    return text_table(lines, left=(0,))
