"""The pictures of this lesson: room in a pass, rows drifting apart, tokens per second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import INK, MEASURED, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.measuring.speedups import MEANING, possible, speedup_cell


def slack(by_rows: Mapping[int, float], by_guesses: Mapping[int, float]) -> Picture:
    """{tokens in a pass: its time in passes over one}, of many rows and of one long draft."""
    figure, (axes,) = panels(height=3.3)
    cases = {"many texts, one token each": by_rows, "one text, a draft": by_guesses}
    for (name, times), look in zip(cases.items(), series(2), strict=True):
        axes.plot(list(times), list(times.values()), label=name, **look.line())
    most = max(by_rows)
    axes.plot(
        [1, most], [1, most], label="no room: a pass for each token", **ROLES["neutral"].curve()
    )
    top = 1.15 * max(*by_rows.values(), *by_guesses.values())
    axes.set(xlabel="tokens in the pass", ylabel="time, in passes over one", ylim=(0, top))
    axes.set_xticks(sorted({1, *by_rows} - {2}))
    legend_below(figure, 3)
    entitle(
        figure,
        f"{most} tokens in a pass: {by_rows[most]:.1f} times one if of {most} texts, "
        f"{by_guesses[most]:.1f} if of one",
    )
    said = "; ".join(
        f"{name}: " + ", ".join(f"{k} tokens {t:.2f}" for k, t in times.items())
        for name, times in cases.items()
    )
    return picture(figure, f"Time of a pass by its tokens. {said}.")


def drift(lengths: Sequence[Sequence[int]]) -> Picture:
    """Tokens that each row has emitted, turn by turn."""
    figure, (axes,) = panels(height=3.3)
    ends = [row[-1] for row in lengths]
    shown = list(dict.fromkeys([int(np.argmax(ends)), int(np.argmin(ends))]))
    for i, row in enumerate(lengths):
        if i not in shown:
            axes.plot(range(len(row)), row, color="#B9BDC2", lw=1.2)
    names = ("furthest at the end", "shortest at the end")
    for i, name, look in zip(shown, names, series(2), strict=False):
        axes.plot(range(len(lengths[i])), lengths[i], label=name, **look.line())
    axes.plot([], [], color="#B9BDC2", lw=1.2, label="the others")
    axes.set(xlabel="turn", ylabel="tokens emitted", ylim=(0, None))
    legend_below(figure, 3)
    apart = max(ends) - min(ends)
    entitle(figure, f"After {len(lengths[0]) - 1} turns the rows are {apart} tokens apart")
    return picture(
        figure, f"Tokens emitted by turn of {len(lengths)} rows, at the end {min(ends)} to "
        f"{max(ends)}.",
    )  # fmt: skip


def batch_rates(
    predicted: Mapping[int, Mapping[int, float]], measured: Mapping[int, Mapping[int, float]]
) -> Picture:
    """{gamma: {rows: tokens per second}}, lines predicted and markers measured."""
    figure, (axes,) = panels(height=3.8)
    for (gamma, rate), look in zip(predicted.items(), series(len(predicted)), strict=True):
        name = f"γ = {gamma}" if gamma else "no draft"
        axes.plot(list(rate), list(rate.values()), label=f"{name}, predicted", **look.curve())
        style = look.points() | {"markersize": 8}
        axes.plot(
            list(measured[gamma]), list(measured[gamma].values()), label=f"{name}, measured",
            **style,
        )  # fmt: skip
    rows = list(next(iter(predicted.values())))
    _rows_doubled(axes, rows)
    axes.set(xlabel="rows in the batch", ylabel="tokens per second", ylim=(0, None))
    legend_below(figure, 3)
    plain = measured[0]
    gain = plain[rows[-1]] / plain[rows[0]]
    entitle(figure, f"{rows[-1]} rows: {gain:.1f} times one row's tokens, without any draft")
    said = "; ".join(
        f"gamma {g}: " + ", ".join(f"{r} rows {x:.0f}" for r, x in of.items())
        for g, of in measured.items()
    )
    return picture(figure, f"Tokens per second by rows, measured. {said}.")


def gains_by_rows(
    bare: Mapping[int, float], whole: Mapping[int, float],
    measured: Mapping[int, tuple[float, float, float]], gamma: int, tokens: float,
) -> Picture:  # fmt: skip
    """{rows: speed over no draft at the same batch}: predicted twice, and by the clock.

    Args:
        measured: (least, median, most) of its repeats.
        tokens: per round, above which no gain is possible.
    """
    figure, (axes,) = panels(height=3.5)
    axes.plot(list(bare), list(bare.values()), label="predicted, passes only",
              **ROLES["neutral"].line())  # fmt: skip
    axes.plot(list(whole), list(whole.values()), label="predicted, with the host's work",
              **ROLES["draft"].line())  # fmt: skip
    least, middle, most = map(np.array, zip(*measured.values(), strict=True))
    bars = {"yerr": [middle - least, most - middle], "capsize": 3}
    axes.errorbar(list(measured), middle, label="measured", **bars, **MEASURED.points())
    axes.axhline(1, lw=1, color=INK)
    wrong = [rows for rows, (_, gain, _) in measured.items() if not possible(gain, tokens)]
    if wrong:
        name = "tokens per round: no gain is larger"
        axes.axhline(tokens, label=name, **ROLES["neutral"].curve())
    rows = list(bare)
    _rows_doubled(axes, rows)
    top = 1.12 * max(*bare.values(), *most)
    axes.set(xlabel="rows in the batch", ylabel=f"γ = {gamma} over no draft", ylim=(0, top))
    legend_below(figure, 2)
    gains = {r: speedup_cell(x, tokens) for r, (_, x, _) in measured.items()}
    first, last = gains[rows[0]], gains[rows[-1]]
    entitle(figure, f"What a draft gains: {first} alone, {last} with {rows[-1]} rows")
    said = ", ".join(f"{r} rows {x}" for r, x in gains.items())
    said = f"Gain of a draft of {gamma} over no draft, measured: {said}."
    return picture(figure, f"{said} {MEANING}." if wrong else said)


def best_lengths(found: Mapping[str, Mapping[int, int]]) -> Picture:
    """{draft: {rows: the best gamma}}; the title speaks of the one in the middle."""
    figure, (axes,) = panels(height=3.3)
    for (name, best), look in zip(found.items(), series(len(found)), strict=True):
        axes.plot(list(best), list(best.values()), label=name, **look.line())
    rows = list(next(iter(found.values())))
    _rows_doubled(axes, rows)
    most = max(max(best.values()) for best in found.values())
    axes.set(xlabel="rows in the batch", ylabel="best γ (0: no draft)", ylim=(-0.4, most + 1))
    axes.set_yticks(range(0, most + 2, 1 if most < 9 else 2))
    legend_below(figure, len(found))
    middle = list(found.values())[len(found) // 2]
    entitle(figure, f"Best alone: γ = {middle[rows[0]]}; with {rows[-1]} rows: {middle[rows[-1]]}")
    said = "; ".join(
        f"{name}: " + ", ".join(f"{r} rows {g}" for r, g in best.items())
        for name, best in found.items()
    )
    return picture(figure, f"Best draft length by rows. {said}.")


def _rows_doubled(axes, rows: Sequence[int]) -> None:
    """Numbers of rows along x, each as far from the next as it is from its double."""
    axes.set_xscale("log", base=2)
    axes.set_xticks(rows, [str(r) for r in rows])
