"""The figures of the exact proof: errors by text, every path of a round, five suspects."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from course_utils.classroom.palette import INK, PALE, ROLES, TARGET, TINT
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.decoding.contracts import Round


def by_text(
    errors: Mapping[str, Sequence[float]], ylabel: str, message: str, usual: float = 0
) -> Picture:
    """Draw the error of each text as a stick, in a panel for each decoder; the band, `usual` on
    either side of 0, is the range of a correct decoder."""
    figure, axes = panels(len(errors), height=3.5)
    top = 1.15 * max(usual, *(np.abs(values).max() for values in errors.values()))
    for ax, (name, values) in zip(axes, errors.items(), strict=True):
        if usual:
            ax.axhspan(-usual, usual, color=PALE)
        ax.vlines(range(len(values)), 0, values, color=INK, lw=2)
        ax.axhline(0, color=INK, lw=1)
        ax.set(title=name, ylim=(-top, top), xlabel="texts, likeliest first", xticks=[])
        ax.tick_params(labelleft=ax is axes[0])
    axes[0].set_ylabel(ylabel)
    entitle(figure, message)
    largest = (f"{name} {np.abs(values).max():.2g}" for name, values in errors.items())
    return picture(figure, f"{message}. Largest: {', '.join(largest)}")


def unit_square(paths: Sequence[tuple[float, Round]], names: Sequence[str]) -> Picture:
    """Draw every path of a round that drafts one token, (probability, round), as an area of the
    unit square.  A column is a guess, as wide as q; its paths are stacked."""
    figure, (axes,) = panels(height=4.4)
    left, labels = 0.0, []
    for token, width in {r.drafted[0]: float(r.q[0, r.drafted[0]]) for _, r in paths}.items():
        low = 0.0
        for weight, r in (path for path in paths if path[1].drafted[0] == token):
            look = ROLES["accepted" if r.accepted else "correction"].bars()
            look |= {"color": look["color"] + TINT, "lw": 3}
            axes.bar(left, weight / width, width, low, align="edge", **look)
            area = Fraction(weight).limit_denominator(1000)
            label = f"{' '.join(names[x] for x in r.emitted)} ({r.kinds[-1]})\nprobability {area}"
            where = left + width / 2, low + weight / width / 2
            ground = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 2}
            axes.text(*where, label, ha="center", va="center", bbox=ground)
            labels.append(label.replace("\n", " "))
            low += weight / width
        axes.text(left + width / 2, 1.02, f"the draft guesses {names[token]}", ha="center")
        left += width
    axes.set(xlim=(0, 1), ylim=(0, 1.1), xlabel="the uniform that draws the guess")
    axes.set_ylabel("the uniforms that judge it and end the round")
    axes.grid(visible=False)
    message = f"{len(paths)} paths fill the square: nothing is missing"
    entitle(figure, message)
    return picture(figure, f"{message}. {'; '.join(labels)}")


def suspects(
    words: Sequence[str], p: np.ndarray, rounds: Mapping[str, Sequence[tuple[float, Round]]]
) -> Picture:
    """Draw the first token of a round by each decoder, accepted or corrected, in the outline of p;
    rounds: {name: [(probability, round), ...]}."""
    figure, axes = panels(len(rounds), height=3.6)
    places, outputs = np.arange(len(words)), []
    for ax, (name, paths) in zip(axes, rounds.items(), strict=True):
        accepted, corrected = np.zeros((2, len(words)))
        for weight, r in paths:
            (accepted if r.kinds[0] == "accepted" else corrected)[r.emitted[0]] += weight
        ax.bar(places, accepted, 0.7, label="accepted", **ROLES["accepted"].bars())
        ax.bar(places, corrected, 0.7, accepted, label="corrected", **ROLES["correction"].bars())
        ax.bar(places, p, 0.84, fill=False, edgecolor=TARGET, lw=1.8, label="p, as it should be")
        ax.set(title=name, ylim=(0, 0.7))
        ax.set_xticks(places, words, rotation=90)
        ax.grid(visible=False, axis="x")
        ax.tick_params(labelleft=ax is axes[0])
        outputs.append(f"{name} {np.round(accepted + corrected, 2).tolist()}")
    axes[0].set_ylabel("probability of the first token")
    legend_below(figure, 3)
    message = "Where bars leave the outline of p, the first token is wrong"
    entitle(figure, message)
    return picture(figure, f"{message}: {'; '.join(outputs)}")
