"""Every report of `bench` as a page to read, and its headline figures as a table for `how_fast.md`.

A table is its rows, as they stand in JSON, and its columns: title, field, format, and what the
title means where that needs words.
"""

from collections.abc import Iterator, Mapping, Sequence

from course_utils.classroom.table import text_table
from course_utils.measuring.recorded import rows_of
from workshop.bench.comparisons import prediction_errors
from workshop.bench.contenders import ENGINES
from workshop.bench.passages import IN_A_ROW

Report = Mapping[str, object]
Row = Mapping[str, object]
Comparison = Row  # as `comparisons.Comparison` is in JSON
Columns = Sequence[tuple[str, ...]]


def in_columns(columns: Columns, rows: Sequence[Row]) -> str:
    """One line a row: texts set left, numbers right, a dash for None.

    >>> columns = ("text", "name", ""), ("speed", "over", ".1f", "over plain decoding")
    >>> print(in_columns(columns, [{"name": "code", "over": 1.26}]))
    text  speed
    code    1.3
    """
    lines = [
        ["–" if row[field] is None else format(row[field], form) for _, field, form, *_ in columns]
        for row in rows
    ]
    fields = enumerate(field for _, field, *_ in columns)
    left = [place for place, field in fields if isinstance(rows[0][field], str)]
    return text_table([[title for title, *_ in columns], *lines], left)


def explained(columns: Columns) -> list[str]:
    """A line for each title that has words, below an empty one."""
    return ["", *(f"{title:<8} {words}" for title, _, _, *more in columns for words in more)]


def _beginning(report: Report, said: str) -> str:
    m = report["machine"]
    return f"{m['processor']}, {m['threads']} threads, torch {m['torch']}; {said}"


def _so_far(report: Report) -> str:
    return f"{report['seconds'] / 60:.1f} minutes so far"


def _missing(report: Report) -> list[str]:
    return ["", f"not measured: {', '.join(report['missing'])}"] if report["missing"] else []


# --- the trained pair against engines -----------------------------------------------------

_BENCH = (
    ("", "mark", ""),
    ("", "name", ""),
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
_FACTORS = ("implementation", "speculation_ours", "speculation_theirs")


def bench_page(report: Report) -> str:
    """A table for each setting, with the headline below each."""
    tried = report["settings"]
    said = (
        f"passages of {report['prompts']} held-out texts, at most {report['new_tokens']} tokens "
        f"each, interleaved; {_so_far(report)}"
    )
    lines = [
        _beginning(report, said),
        f"memory is read at {report['memory_bandwidth_gb_s']:.0f} GB/s",
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
        marked = [row | {"mark": "*" if row["chosen"] else ""} for row in rows]
        lines += ["", f"{title}: {size}", in_columns(_BENCH, marked), *_headlines(found, rows)]
    if recorded := report.get("recorded"):
        lines += ["", *_elsewhere(recorded)]
    return "\n".join([*lines, *_missing(report), *explained(_BENCH)])


def by_setting(report: Report) -> list[list[Comparison]]:
    """The comparisons of each setting, that with the fastest engine first."""
    settings: dict[tuple, list[Comparison]] = {}
    for found in report["compared"]:
        here = found["temperature"], found["dtype"], found["text"]
        settings.setdefault(here, []).append(found)
    return [sorted(found, key=lambda one: one["ratio"]) for found in settings.values()]


def as_markdown(report: Report) -> str:
    """The comparisons as a table; `notebooks/how_fast.md` holds the recorded one.

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


def _ratio(found: Comparison) -> str:
    low, high = found["between"]
    return f"**{found['ratio']:.2f}** ({low:.2f} to {high:.2f})"


def _elsewhere(recorded: Report) -> Iterator[str]:
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


def _headlines(compared: Sequence[Comparison], rows: Sequence[Row]) -> Iterator[str]:
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


# --- the real shapes ----------------------------------------------------------------------

_PASSES = (
    ("pass", "name", ""),
    ("weights, GB", "gigabytes", ".2f"),
    ("time, ms", "time", ".1f"),
    ("spread, ms", "spread", ".1f"),
    ("of the bandwidth", "share", ".0%"),
    ("v(k)", "v", ".2f"),
)
_ALLOWED = (
    ("alpha", "alpha", ".1f"),
    ("best gamma", "gamma", ""),
    ("tokens per round", "tokens", ".2f"),
    ("speedup", "speedup", ".2f"),
)


def shapes_page(report: Report) -> str:
    """The costs, and the speedup they allow."""
    r = report
    *allowed, cap = r["assumed_acceptance"]
    return "\n".join(
        (
            f"{r['target']} with {r['draft']}: the exact shapes, random weights, {r['dtype']} on "
            f"{r['device']}, {r['threads']} threads",
            f"after {r['context']} tokens, medians of {r['repeats']}, spread = distance of the "
            "quartiles",
            f"memory is read at {r['bandwidth']:.1f} GB/s",
            in_columns(_PASSES, list(_passes(report))),
            f"c = t_draft / t_target = {r['c']:.3f}",
            "speed is measured, acceptance is assumed (i.i.d., host time zero):",
            in_columns(_ALLOWED, allowed),
            f"as alpha -> 1 the speedup stays below {cap['speedup']:.2f}x, at gamma {cap['gamma']}",
        )
    )


def _passes(report: Report) -> Iterator[Row]:
    """The draft's over one token, then the target's over 1, 2, ..."""
    taken = zip(report["target_seconds"], report["target_spread"], report["v"], strict=True)
    draft = report["draft_seconds"], report["draft_spread"], None
    for k, (seconds, spread, v) in enumerate([draft, *taken]):
        who = "target" if k else "draft"
        yield {
            "name": f"{who}, {max(1, k)} token{'s' * (k > 1)}",
            "gigabytes": report[f"{who}_bytes"] / 1e9,
            "time": seconds * 1e3,
            "spread": spread * 1e3,
            "share": None if k > 1 else report[f"{who}_share_of_bandwidth"],
            "v": v,
        }
