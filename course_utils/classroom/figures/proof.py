"""The pictures of lesson 03's proof by enumeration: paths as areas, errors text by text."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import ACCEPTED, CORRECTION, NEUTRAL, REJECTED
from course_utils.classroom.picture import Picture, panels, picture
from course_utils.decoding.contracts import Round


def unit_square(
    paths: Sequence[tuple[float, Round]], names: Sequence[str], lengths: Sequence[str]
) -> Picture:
    """Every path of a round that drafts one token, as an area of the unit square.

    paths: (probability, round), in the order walked; `lengths`: their
    probabilities as the reader should see them.  A column is a guess, as wide as
    q; in it the paths lie on one another, each as large as it is probable.
    """
    from matplotlib.patches import Rectangle

    figure, (axes,) = panels(1, width=7.5, height=4.2)
    left, columns = 0.0, {r.drafted[0]: float(r.q[0, r.drafted[0]]) for _, r in paths}
    for token, width in columns.items():
        low = 0.0
        for number, (weight, r) in enumerate(paths):
            if r.drafted[0] != token:
                continue
            height = weight / width
            kept = r.accepted == 1
            axes.add_patch(
                Rectangle(
                    (left, low), width, height, facecolor=(ACCEPTED if kept else CORRECTION) + "55",
                    hatch="" if kept else "\\\\", edgecolor="white", lw=3,
                )
            )  # fmt: skip
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
        title=f"{len(paths)} paths fill the square: nothing is missing",
    )  # fmt: skip
    axes.grid(visible=False)
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
    figure, axes = panels(len(errors), width=9.6, height=3.3)
    order = np.argsort(truth)[::-1]
    top = 1.15 * max(np.abs(values).max() for values in errors.values())
    for ax, (name, values), colour in zip(
        axes, errors.items(), (ACCEPTED, REJECTED, CORRECTION), strict=False
    ):
        sticks = np.asarray(values)[order]
        ax.vlines(range(len(order)), 0, sticks, color=colour, lw=2)
        ax.plot(sticks, "o", color=colour, ms=4)
        ax.axhline(0, color=NEUTRAL, lw=1)
        ax.set_title(name, fontsize=11)
        ax.set(ylim=(-top, top), xlabel="texts, likeliest first")
        ax.set_xticks([0, len(order) - 1], ["1", str(len(order))])
    axes[0].set_ylabel("probability − the target's")
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    return picture(
        figure,
        "Error of the probability of each text: "
        + "; ".join(f"{name}, at most {np.abs(v).max():.1e}" for name, v in errors.items()),
    )


def gains(points: Mapping[int, tuple[Sequence[float], Sequence[float]]]) -> Picture:
    """Tokens that block verification gains over token-wise: for each gamma its pairs.

    points[gamma]: (accepted / examined, gain as a share) of each pair.
    """
    figure, (axes,) = panels(1, width=7.5, height=3.6)
    styles = (("s", NEUTRAL), ("o", ACCEPTED), ("^", CORRECTION), ("D", REJECTED))
    for (gamma, (rates, gained)), (marker, colour) in zip(points.items(), styles, strict=False):
        axes.plot(
            rates, 100 * np.asarray(gained), marker, color=colour, ms=6, alpha=0.75, mew=0,
            label=f"γ = {gamma}",
        )  # fmt: skip
    axes.axhline(0, color="black", lw=1)
    axes.set(
        title="Block verification never loses, and gains more the longer the draft",
        xlabel="accepted / examined, token-wise", ylabel="tokens a round gained, %",
    )  # fmt: skip
    axes.legend()
    best = max(100 * max(gained) for _, gained in points.values())
    return picture(
        figure,
        f"Gain of block verification over token-wise for random pairs: never below zero, zero at "
        f"gamma 1, at most {best:.1f} %.",
    )
