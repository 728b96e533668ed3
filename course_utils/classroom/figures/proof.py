"""The pictures of lesson 03's proof by enumeration: paths as areas, errors text by text."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import INK, NEUTRAL, ROLES, TINT, series
from course_utils.classroom.picture import Picture, entitle, panels, picture
from course_utils.decoding.contracts import Round


def unit_square(
    paths: Sequence[tuple[float, Round]], names: Sequence[str], lengths: Sequence[str]
) -> Picture:
    """Every path of a round that drafts one token, as an area of the unit square.

    paths: (probability, round), in the order walked; `lengths`: their
    probabilities as the reader should see them.  A column is a guess, as wide as
    q; in it the paths lie on one another, each as large as it is probable.
    """
    figure, (axes,) = panels(height=4.4)
    left, columns = 0.0, {r.drafted[0]: float(r.q[0, r.drafted[0]]) for _, r in paths}
    for token, width in columns.items():
        low = 0.0
        for number, (weight, r) in enumerate(paths):
            if r.drafted[0] != token:
                continue
            height = weight / width
            look = ROLES["accepted" if r.accepted else "correction"].bars()
            look |= {"color": look["color"] + TINT, "lw": 3}
            axes.bar(left, height, width, low, align="edge", **look)
            said = " ".join(names[x] for x in r.emitted)
            label = f"path {number + 1}: says {said}\n{r.kinds[-1]}, probability {lengths[number]}"
            axes.text(
                left + width / 2, low + height / 2, label, ha="center", va="center",
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 2},
            )  # fmt: skip
            low += height
        axes.text(left + width / 2, 1.02, f"draft says {names[token]}", ha="center")
        left += width
    axes.set(
        xlim=(0, 1), ylim=(0, 1.1), xlabel="the uniform that draws the draft",
        ylabel="the coin, and after it the last uniform",
    )  # fmt: skip
    axes.grid(visible=False)
    entitle(figure, f"{len(paths)} paths fill the square: nothing is missing")
    return picture(
        figure,
        "The unit square, cut into one area for each path: "
        + "; ".join(
            f"{' '.join(names[x] for x in r.emitted)} ({r.kinds[-1]}) {length}"
            for (_, r), length in zip(paths, lengths, strict=True)
        ),
    )


def errors_by_text(
    truth: Sequence[float], errors: Mapping[str, Sequence[float]], title: str
) -> Picture:
    """What each decoder says too often or too rarely: one stick a text.

    truth (texts,): their probabilities under the target, which order them;
    errors: for each decoder its probability minus that.
    """
    figure, axes = panels(len(errors), height=3.5)
    order = np.argsort(truth)[::-1]
    top = 1.15 * max(np.abs(values).max() for values in errors.values())
    for ax, (name, values) in zip(axes, errors.items(), strict=True):
        sticks = np.asarray(values)[order]
        look = ROLES["accepted" if np.abs(sticks).max() < 1e-12 else "rejected"]
        ax.vlines(range(len(order)), 0, sticks, color=look.colour, lw=2)
        ax.plot(sticks, **look.points() | {"ms": 5, "mew": 0})
        ax.axhline(0, color=NEUTRAL, lw=1)
        ax.set_title(name)
        ax.set(ylim=(-top, top), xlabel="texts, likeliest first")
        ax.set_xticks([0, len(order) - 1], ["1", str(len(order))])
        ax.tick_params(labelleft=ax is axes[0])
    axes[0].set_ylabel("probability − the target's")
    entitle(figure, title)
    return picture(
        figure,
        "Error of the probability of each text: "
        + "; ".join(f"{name}, at most {np.abs(v).max():.1e}" for name, v in errors.items()),
    )


def gains(points: Mapping[int, tuple[Sequence[float], Sequence[float]]]) -> Picture:
    """Expected tokens that block verification gains over token-wise: for each gamma its pairs.

    points[gamma]: (accepted / examined, gain as a share) of each pair.
    """
    figure, (axes,) = panels(height=3.7)
    axes.axhline(0, color=INK, lw=1)
    # the longest draft darkest
    for (gamma, (rates, gained)), look in zip(
        points.items(), reversed(series(len(points))), strict=True
    ):
        dots = look.points() | {"mec": "white", "mew": 0.5}
        axes.plot(rates, 100 * np.asarray(gained), label=f"γ = {gamma}", **dots)
    axes.set(xlabel="accepted / examined, token-wise", ylabel="expected tokens a round, gained (%)")
    axes.legend()
    entitle(figure, "In expectation block verification never yields fewer tokens")
    best = max(100 * max(gained) for _, gained in points.values())
    return picture(
        figure,
        f"Gain of block verification over token-wise for random pairs: never below zero, zero at "
        f"gamma 1, at most {best:.1f} %.",
    )
