"""Pictures of a bench report: where a round's time goes, and what was predicted.

Rows and costs are those of `python -m course_utils bench --json`.
"""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import INK, LIGHTEST, MEASURED, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture

Row = Mapping[str, object]


def round_budget(plain: Row, drafted: Sequence[Row]) -> Picture:
    """Milliseconds a round, stacked: drafting, verifying, host; and a token's share."""
    rows = [plain, *drafted]
    names = ["none", *(f"{row['gamma']}" for row in drafted)]
    rounds = [1e3 * row["tokens_per_round"] / row["tokens_per_second"] for row in rows]
    figure, (axes, tokens) = panels(2, height=3.7)
    bottom = [0.0] * len(rows)
    for share, role, label in (
        ("verify_share", "target", "target's pass"),
        ("draft_share", "draft", "draft's passes"),
        ("host_share", "neutral", "host: all the rest"),
    ):
        heights = [ms * row[share] for ms, row in zip(rounds, rows, strict=True)]
        axes.bar(names, heights, 0.75, bottom, label=label, **ROLES[role].bars())
        bottom = [low + height for low, height in zip(bottom, heights, strict=True)]
    axes.set(title="a round", ylabel="milliseconds")
    each = [1e3 / row["tokens_per_second"] for row in rows]
    best = min(range(len(each)), key=each.__getitem__)
    tokens.bar(names, each, 0.75, color=[INK if i == best else LIGHTEST for i in range(len(each))])
    tokens.set(title="a token")
    for ax in (axes, tokens):
        ax.set_xlabel("γ, drafted tokens a round")
        ax.grid(visible=False, axis="x")
    legend_below(figure, 3)
    entitle(
        figure,
        f"A round costs more and a token less: {each[best]:.1f} ms instead of {each[0]:.1f} ms",
    )
    return picture(
        figure,
        "Stacked time of a round for each gamma, and time a token; the least is "
        f"{each[best]:.2f} ms at gamma {names[best]}, {each[0]:.2f} ms without a draft.",
    )


def predicted_against_measured(rows: Sequence[Row]) -> Picture:
    """Decoding speedup over gamma: measured, predicted from costs and positions, and i.i.d."""
    gammas = [row["gamma"] for row in rows]
    measured = [row["decode_ratio"] for row in rows]
    figure, (axes,) = panels(height=3.6)
    for column, look, label in zip(
        ("predicted_ratio", "iid_ratio"),
        series(2),
        ("predicted: costs and acceptance by position", "predicted with one α for all positions"),
        strict=True,
    ):
        axes.plot(gammas, [row[column] for row in rows], label=label, **look.curve())
    axes.plot(gammas, measured, label="measured", **MEASURED.points() | {"ms": 8})
    axes.axhline(1, lw=1, color=NEUTRAL)
    axes.annotate("no draft", (gammas[0], 1), (0, -14), textcoords="offset points", color=NEUTRAL)
    axes.set(
        xlabel="γ, drafted tokens a round", ylabel="speedup over autoregressive", ylim=(0, None)
    )  # fmt: skip
    axes.legend(loc="lower right")
    worst = max(abs(row["predicted_ratio"] / row["decode_ratio"] - 1) for row in rows)
    entitle(figure, f"Costs and acceptance predict the speedup to within {worst:.0%}")
    return picture(
        figure,
        "Measured and predicted speedup over gamma; measured "
        + ", ".join(f"{value:.2f}" for value in measured),
    )


def verification_cost(v: Mapping[str, Sequence[float]]) -> Picture:
    """v(k) for k = 1, 2, ...: one line a dtype."""
    figure, (axes,) = panels()
    for (name, values), look in zip(v.items(), series(len(v)), strict=True):
        axes.plot(range(1, len(values) + 1), values, label=name, **look.line())
    axes.axhline(1, color=NEUTRAL, lw=1)
    axes.set(
        ylabel="v(k), in passes over one token", xlabel="k, tokens in the pass",
        ylim=(0, 1.15 * max(map(max, v.values()))),
    )  # fmt: skip
    axes.legend(loc="lower right")
    dearest, most = max(values[-1] for values in v.values()), max(map(len, v.values()))
    entitle(figure, f"{most} tokens in one pass cost at most {dearest:.2f} times as much as one")
    return picture(
        figure,
        "v(k): " + "; ".join(f"{name} ends at {values[-1]:.2f}" for name, values in v.items()),
    )


def floors(rows: Sequence[Row]) -> Picture:
    """Tokens a second, and what the passes alone, and reading their weights, would allow."""
    figure, (axes,) = panels(height=0.5 * len(rows) + 1.6)
    names = [row["name"] for row in rows]
    speeds = [row["tokens_per_second"] for row in rows]
    told = [(i, row) for i, row in enumerate(rows) if row["floor_ratio"]]
    bounds = (
        ("floor_ratio", "D", "if only forward passes took time"),
        ("memory_ratio", "|", "if only reading their weights did"),
    )
    for (ratio, marker, label), look in zip(bounds, series(3)[1:], strict=True):
        axes.plot(
            [row["tokens_per_second"] * row[ratio] for _, row in told],
            [i for i, _ in told],
            label=label, **look.points() | {"marker": marker, "ms": 14 if marker == "|" else 9},
            mew=3,
        )  # fmt: skip
    axes.plot(speeds, range(len(rows)), label="measured", **MEASURED.points() | {"ms": 9})
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="tokens a second (log scale)")
    axes.set_xticks([100, 300, 1000, 3000, 10000], ["100", "300", "1000", "3000", "10 000"])
    axes.minorticks_off()
    legend_below(figure, 2, markerscale=0.8)
    passes = max(row["floor_ratio"] for _, row in told)
    entitle(figure, f"Nothing but the forward passes would be at most {passes - 1:.0%} faster")
    return picture(
        figure,
        "Tokens a second: " + "; ".join(f"{n} {s:.0f}" for n, s in zip(names, speeds, strict=True)),
    )


def context_costs(
    lengths: Sequence[int], passes: Sequence[float], rollbacks: Sequence[float]
) -> Picture:
    """Milliseconds of a verifying pass, microseconds of a rollback, by cached tokens."""
    figure, (verify, forget) = panels(2, height=3.5)
    for axes, values, title, unit in (
        (verify, passes, "a verifying pass", "milliseconds"),
        (forget, rollbacks, "a rollback", "microseconds"),
    ):
        axes.plot(lengths, values, **ROLES["target"].line())
        axes.set(title=title, ylabel=unit, xlabel="tokens in the cache")
        axes.set_ylim(0, 1.2 * max(values))
    longer, slower, rolled = (values[-1] / values[0] for values in (lengths, passes, rollbacks))
    entitle(
        figure,
        f"A cache {longer:.0f} times as long: pass {slower:.2f} times, rollback {rolled:.2f} times",
    )
    return picture(
        figure,
        f"A pass takes {passes[0]:.1f} ms after {lengths[0]} tokens, {passes[-1]:.1f} ms after "
        f"{lengths[-1]}; a rollback {rollbacks[0]:.1f} and {rollbacks[-1]:.1f} microseconds.",
    )
