"""A bench report as a page to read; its headline figures as a table for the README."""

from collections.abc import Iterator, Mapping, Sequence

from course_utils.measuring.comparisons import prediction_errors
from course_utils.measuring.contenders import ENGINES
from course_utils.measuring.passages import IN_A_ROW
from course_utils.measuring.recorded import rows_of

Report = Mapping[str, object]
Comparison = Mapping[str, object]  # as `comparisons.Comparison` is in JSON

_COLUMNS = (  # title, field, format, explanation
    ("tok/s", "tokens_per_second", ".0f", "new tokens per second, prompt included: geometric mean"),
    ("±", "spread", ".0f", "distance between its quartiles"),
    ("again", "said_before", ".0%", f"of its text, said before {IN_A_ROW} tokens in a row"),
    ("/best", "ratio_vs_best", ".2f", "tok/s over the fastest engine"),
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
    m, tried = report["machine"], report["settings"]
    lines = [
        f"{m['processor']}, {m['threads']} threads, torch {m['torch']}; "
        f"passages of {report['prompts']} held-out texts, at most {report['new_tokens']} tokens "
        f"each, interleaved; {report['seconds'] / 60:.0f} minutes in all",
        f"memory is read at {report['memory_bandwidth_gb_s']:.0f} GB/s; the toy lessons' modules "
        f"load in {report['toy_import_seconds']:.2f} s",
        f"settings: {', '.join(f'{n} of {who}' for who, n in tried.items())}; all were tried on "
        "passages that are not reported;",
        "* marks what each side chose there; not looping: the part of a text before its loop;",
        "95 %: bootstrapped over passages; from fewer than ten it comes out too narrow",
        *(f"{who} is left out: {why}" for who, why in report.get("absent", {}).items()),
    ]
    lines += [
        f"{name} is left out: this processor emulates it (--dtypes {name} measures it all the same)"
        for name in report["emulated"]
        if not any(row["dtype"] == name for row in report["rows"])
    ]
    for found in by_setting(report):
        here = found[0]
        rows = rows_of(report, here["temperature"], here["dtype"], here["text"])
        title = f"T={here['temperature']:g} {here['dtype']}, {here['text']}"
        size = f"{here['passages']} passages, {here['new_tokens']} tokens"
        lines += ["", f"{title}: {size}", _HEADER, *map(_line, rows), *_headlines(found, rows)]
    if recorded := report.get("recorded"):
        lines += ["", *_elsewhere(recorded)]
    if report["missing"]:
        lines += ["", f"not measured: {', '.join(report['missing'])}"]
    lines += ["", *(f"{title:<8} {words}" for title, _, _, words in _COLUMNS)]
    return "\n".join(lines)


def by_setting(report: Report) -> list[list[Comparison]]:
    """The comparisons of each setting, that with the fastest engine first."""
    settings: dict[tuple, list[Comparison]] = {}
    for found in report["compared"]:
        here = found["temperature"], found["dtype"], found["text"]
        settings.setdefault(here, []).append(found)
    return [sorted(found, key=lambda one: one["ratio"]) for found in settings.values()]


def as_markdown(report: Report) -> str:
    """The comparisons as a table; README holds the recorded one.

    The speed of the fastest engine is 1.00 in each row.
    """
    engines = [who for who in ENGINES if any(f["who"] == who for f in report["compared"])]
    lines = [
        f"| temperature, format | text | {' | '.join(engines)} | the course | = plain, over that "
        "engine's | × speculation, ours | / theirs |",
        "|---|---|" + "---|" * (len(engines) + 4),
    ]
    for found in by_setting(report):
        fastest, of = found[0], {one["who"]: one for one in found}
        cells = [f"{fastest['temperature']:g}, {fastest['dtype']}", fastest["text"]]
        cells += [
            f"`{of[who]['theirs']}` {fastest['ratio'] / of[who]['ratio']:.2f}" if who in of else "–"
            for who in engines
        ]
        cells += [f"`{fastest['ours']}` {_ratio(fastest)}"]
        cells += [f"{fastest[factor]:.2f}" for factor in _FACTORS]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


_FACTORS = ("implementation", "speculation_ours", "speculation_theirs")


def _ratio(found: Comparison) -> str:
    low, high = found["between"]
    return f"**{found['ratio']:.2f}** ({low:.2f} to {high:.2f})"


def _elsewhere(recorded: Mapping[str, object]) -> Iterator[str]:
    """What is no row above, for it was measured on another machine."""
    yield (
        f"{recorded['who']}, a session recorded on {recorded['date']} ({recorded['hardware']}), "
        "over HTTP:"
    )
    for row in recorded["rows"]:
        yield (
            f"T={row['temperature']:g}: plain {row['plain']:.0f} tok/s, {row['best']} "
            f"{row['speed']:.0f}, speculation {row['speed'] / row['plain']:.2f}x"
        )


def _line(row: Mapping[str, object]) -> str:
    cells = [
        " " * 8 if row[field] is None else f"{row[field]:>8{form}}"
        for _, field, form, _ in _COLUMNS
    ]
    return f"{'*' if row['chosen'] else ' '} {row['name']:<30}" + "".join(cells)


def _headlines(
    compared: Sequence[Comparison], rows: Sequence[Mapping[str, object]]
) -> Iterator[str]:
    """How far the course is ahead of each engine, the fastest first; and of its prediction."""
    speeds = {row["name"]: row["tokens_per_second"] for row in rows}
    first = compared[0]
    yield f"ours ({first['ours']}) {speeds[first['ours']]:.0f} tok/s"
    for found in compared:
        implementation, ours, theirs = (found[factor] for factor in _FACTORS)
        low, high = found["between"]
        yield (
            f"over {found['who']} ({found['theirs']}, {speeds[found['theirs']]:.0f} tok/s): "
            f"{found['ratio']:.2f}x, 95 % {low:.2f} to {high:.2f}, = {implementation:.2f} "
            f"(implementation: plain against plain) x {ours:.2f} / {theirs:.2f} (speculation: ours "
            "/ theirs)"
        )
    largest, median = prediction_errors(rows)
    yield (
        f"predictions off by {median:.0%} (median), {largest:.0%} (largest); "
        f"gamma {first['auto_gamma']} picked from the prediction, {first['auto_loss']:.0%} below "
        "the best"
    )
