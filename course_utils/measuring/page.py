"""A bench report as a page to read; its headline figures as a table for the README."""

from collections.abc import Mapping, Sequence

from course_utils.measuring.passages import IN_A_ROW
from course_utils.measuring.recorded import rows_of
from course_utils.measuring.report import prediction_errors

Report = Mapping[str, object]

_COLUMNS = (  # title, field, format, explanation
    ("tok/s", "tokens_per_second", ".0f", "new tokens per second, prompt included: geometric mean"),
    ("±", "spread", ".0f", "distance between its quartiles"),
    ("again", "said_before", ".0%", f"of its text, said before {IN_A_ROW} tokens in a row"),
    ("/hf", "ratio_vs_hf", ".2f", "tok/s over the best of transformers"),
    ("/ar", "ratio_vs_autoregressive", ".2f", "tok/s over our own without a draft"),
    ("decode", "decode_ratio", ".2f", "the same without reading the prompt"),
    ("pred", "predicted_ratio", ".2f", "decode, as costs and acceptance predict it"),
    ("iid", "iid_ratio", ".2f", "the same from one acceptance rate for all positions"),
    ("fwd/tok", "forwards_per_token", ".2f", "passes of the target a token"),
    ("tok/rd", "tokens_per_round", ".2f", "tokens per round"),
    ("alpha", "alpha", ".2f", "accepted / examined guesses"),
    ("draft", "draft_share", ".0%", "of the time: the draft's passes; on the target, all drafting"),
    ("verify", "verify_share", ".0%", "the target's passes"),
    ("host", "host_share", ".0%", "all the rest"),
    ("floor", "floor_ratio", ".2f", "time over that of the passes alone"),
    ("memory", "memory_ratio", ".2f", "time over that of reading the passes' weights"),
)
_HEADER = " " * 32 + "".join(f"{title:>8}" for title, *_ in _COLUMNS)


def as_text(report: Report) -> str:
    """A table for each setting, with the headline below each."""
    m = report["machine"]
    lines = [
        f"{m['processor']}, {m['threads']} threads, torch {m['torch']}; "
        f"passages of {report['prompts']} held-out texts, at most {report['new_tokens']} tokens "
        f"each, interleaved; {report['seconds'] / 60:.0f} minutes in all",
        f"memory is read at {report['memory_bandwidth_gb_s']:.0f} GB/s; the toy lessons' modules "
        f"load in {report['toy_import_seconds']:.2f} s",
        f"{report['settings']['transformers']} settings of transformers and up to "
        f"{report['settings']['course']} of the course were tried on passages that are not "
        "reported;",
        "* marks what each side chose there; not looping: the part of a text before its loop",
    ]
    lines += [
        f"{name} is left out: this processor emulates it (--dtypes {name} measures it all the same)"
        for name in report["emulated"]
        if not any(row["dtype"] == name for row in report["rows"])
    ]
    for found in report["compared"]:
        rows = rows_of(report, found["temperature"], found["dtype"], found["text"])
        title = f"T={found['temperature']:g} {found['dtype']}, {found['text']}"
        size = f"{found['passages']} passages, {found['new_tokens']} tokens"
        lines += ["", f"{title}: {size}", _HEADER, *map(_line, rows), *_headline(found, rows)]
    if report["missing"]:
        lines += ["", f"not measured: {', '.join(report['missing'])}"]
    lines += ["", *(f"{title:<8} {words}" for title, _, _, words in _COLUMNS)]
    return "\n".join(lines)


def as_markdown(report: Report) -> str:
    """The comparisons as a table; README holds the recorded one."""
    lines = [
        "| temperature, format | text | the course | transformers | ratio | = implementation "
        "| × speculation, ours | / theirs |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for found in report["compared"]:
        cells = [
            f"{found['temperature']:g}, {found['dtype']}",
            found["text"],
            *(f"`{found[side]}`" for side in ("ours", "theirs")),
            f"**{found['ratio']:.2f}**",
            *(f"{found[factor]:.2f}" for factor in _FACTORS),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


_FACTORS = ("implementation", "speculation_ours", "speculation_theirs")


def _line(row: Mapping[str, object]) -> str:
    cells = [
        " " * 8 if row[field] is None else f"{row[field]:>8{form}}"
        for _, field, form, _ in _COLUMNS
    ]
    return f"{'*' if row['chosen'] else ' '} {row['name']:<30}" + "".join(cells)


def _headline(found: Mapping[str, object], rows: Sequence[Mapping[str, object]]) -> list[str]:
    implementation, ours, theirs = (found[factor] for factor in _FACTORS)
    largest, median = prediction_errors(rows)
    speeds = {row["name"]: row["tokens_per_second"] for row in rows}
    return [
        f"ours ({found['ours']}) {speeds[found['ours']]:.0f} tok/s, "
        f"transformers ({found['theirs']}) {speeds[found['theirs']]:.0f} tok/s: "
        f"{found['ratio']:.2f}x ± {found['error'] * found['ratio']:.2f} = {implementation:.2f} "
        f"(implementation: plain against plain) x {ours:.2f} / {theirs:.2f} "
        "(speculation: ours / theirs)",
        f"predictions off by {median:.0%} (median), {largest:.0%} (largest); "
        f"gamma {found['auto_gamma']} picked from the prediction, {found['auto_loss']:.0%} below "
        "the best",
    ]
