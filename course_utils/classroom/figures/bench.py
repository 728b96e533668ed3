"""Pictures of a bench report: where a round's time goes, and what was predicted.

Rows and costs are those of `python -m course_utils bench --json`.
"""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import ACCEPTED, DRAFT, NEUTRAL, REJECTED, TARGET
from course_utils.classroom.picture import Picture, panels, picture

Row = Mapping[str, object]


def round_budget(plain: Row, drafted: Sequence[Row]) -> Picture:
    """Milliseconds a round, stacked: drafting, verifying, host; and a token's share."""
    rows = [plain, *drafted]
    names = ["none", *(f"{row['gamma']}" for row in drafted)]
    rounds = [1e3 * row["tokens_per_round"] / row["tokens_per_second"] for row in rows]
    figure, (axes, tokens) = panels(2, width=9.4, height=3.6)
    bottom = [0.0] * len(rows)
    parts = (
        ("verify_share", TARGET, "", "target's pass"),
        ("draft_share", DRAFT, "//", "draft's passes"),
        ("host_share", NEUTRAL, "xx", "host: all the rest"),
    )
    for share, colour, hatch, label in parts:
        heights = [ms * row[share] for ms, row in zip(rounds, rows, strict=True)]
        axes.bar(
            names, heights, 0.7, bottom, color=colour, hatch=hatch, edgecolor="white", label=label
        )
        bottom = [low + height for low, height in zip(bottom, heights, strict=True)]
    axes.set(title="A round costs more ...", xlabel="γ", ylabel="ms a round")
    axes.legend(loc="upper left")
    each = [1e3 / row["tokens_per_second"] for row in rows]
    best = min(range(len(each)), key=each.__getitem__)
    colours = [ACCEPTED if i == best else NEUTRAL for i in range(len(each))]
    tokens.bar(names, each, 0.7, color=colours)
    tokens.set(title="... and a token less", xlabel="γ", ylabel="ms a token")
    return picture(
        figure,
        "Stacked time of a round for each gamma, and time a token; the least is "
        f"{each[best]:.2f} ms at gamma {names[best]}, {each[0]:.2f} ms without a draft.",
    )


def predicted_against_measured(rows: Sequence[Row]) -> Picture:
    """Decoding speedup over gamma: measured, predicted from costs and positions, and i.i.d."""
    gammas = [row["gamma"] for row in rows]
    measured = [row["decode_ratio"] for row in rows]
    figure, (axes,) = panels(1, width=7.5, height=3.5)
    axes.plot(gammas, measured, "o", color=ACCEPTED, ms=8, label="measured")
    axes.plot(
        gammas, [row["predicted_ratio"] for row in rows], "-", color=TARGET,
        label="predicted: costs and acceptance by position",
    )  # fmt: skip
    axes.plot(
        gammas, [row["iid_ratio"] for row in rows], "--", color=REJECTED,
        label="predicted with one α for all positions",
    )  # fmt: skip
    axes.axhline(1, color=NEUTRAL, lw=1, ls=":")
    axes.set(
        title="The budget predicts the measurement", xlabel="γ, drafted tokens a round",
        ylabel="speedup over autoregressive", ylim=(0, None),
    )  # fmt: skip
    axes.legend(loc="lower right")
    return picture(
        figure,
        "Measured and predicted speedup over gamma; measured "
        + ", ".join(f"{value:.2f}" for value in measured),
    )


def verification_cost(v: Mapping[str, Sequence[float]]) -> Picture:
    """v(k) for k = 1, 2, ...: one line a dtype."""
    figure, (axes,) = panels(1, width=7.5, height=3.3)
    looks = ((TARGET, "o-"), (REJECTED, "s--"))
    for (name, values), (colour, style) in zip(v.items(), looks, strict=False):
        axes.plot(range(1, len(values) + 1), values, style, color=colour, label=name)
    axes.axhline(1, color=NEUTRAL, lw=1, ls=":")
    axes.set(
        title="k tokens in one pass cost little more than one", ylabel="v(k)",
        xlabel="k, tokens in the pass", ylim=(0, 1.15 * max(map(max, v.values()))),
    )  # fmt: skip
    axes.legend(loc="lower right")
    return picture(
        figure,
        "v(k): " + "; ".join(f"{name} ends at {values[-1]:.2f}" for name, values in v.items()),
    )


def floors(rows: Sequence[Row]) -> Picture:
    """Tokens a second, and what the passes alone, and reading their weights, would allow."""
    figure, (axes,) = panels(1, width=8.2, height=0.7 * len(rows) + 1.2)
    names = [row["name"] for row in rows]
    speeds = [row["tokens_per_second"] for row in rows]
    axes.plot(speeds, names, "o", color=TARGET, ms=10, label="measured")
    told = [row for row in rows if row["floor_ratio"]]
    for ratio, marker, colour, label in (
        ("floor_ratio", "D", ACCEPTED, "if only forward passes took time"),
        ("memory_ratio", "|", REJECTED, "if only reading their weights did"),
    ):
        axes.plot(
            [row["tokens_per_second"] * row[ratio] for row in told],
            [row["name"] for row in told],
            marker, color=colour, ms=14 if marker == "|" else 8, mew=3, label=label,
        )  # fmt: skip
    axes.invert_yaxis()
    axes.set(
        title="Little is left above the passes, much below them", xscale="log",
        xlabel="tokens a second (log scale)",
    )  # fmt: skip
    axes.set_xticks([100, 300, 1000, 3000, 10000], ["100", "300", "1000", "3000", "10 000"])
    figure.legend(loc="outside lower center", ncols=3, fontsize=9)
    return picture(
        figure,
        "Tokens a second: " + "; ".join(f"{n} {s:.0f}" for n, s in zip(names, speeds, strict=True)),
    )


def context_costs(
    lengths: Sequence[int], passes: Sequence[float], rollbacks: Sequence[float]
) -> Picture:
    """Milliseconds of a verifying pass, microseconds of a rollback, by cached tokens."""
    figure, (verify, forget) = panels(2, width=9.4, height=3.3)
    verify.plot(lengths, passes, "o-", color=TARGET)
    verify.set(title="A pass grows by its attention only", ylabel="ms a pass")
    forget.plot(lengths, rollbacks, "s-", color=ACCEPTED)
    forget.set(title="A rollback costs the same", ylabel="µs a rollback")
    for axes, values in ((verify, passes), (forget, rollbacks)):
        axes.set(xlabel="tokens in the cache", ylim=(0, 1.2 * max(values)))
    return picture(
        figure,
        f"A pass takes {passes[0]:.1f} ms after {lengths[0]} tokens, {passes[-1]:.1f} ms after "
        f"{lengths[-1]}; a rollback {rollbacks[0]:.1f} and {rollbacks[-1]:.1f} microseconds.",
    )
