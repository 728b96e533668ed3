"""The pictures of the exact proof: counts, paths, errors by text, suspects, the zoo."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import (
    ACCEPTED,
    INK,
    MEASURED,
    NEUTRAL,
    PALE,
    REJECTED,
    ROLES,
    TARGET,
    TINT,
)
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.decoding.contracts import Round
from course_utils.lessons.exact_proof.evidence import first_token_and_bonus
from course_utils.proofs.decoders import Decoder, Exam


def suspects(
    words: Sequence[str], p: np.ndarray, exam: Exam, decoders: Mapping[str, Decoder]
) -> Picture:
    """For each decoder the first tokens of a round, accepted and corrected, and the bonus."""
    evidence = {name: first_token_and_bonus(exam, each) for name, each in decoders.items()}
    figure, axes = panels(len(evidence), height=4.4)
    places = np.arange(len(words))
    top = 1.08 * max(p.max(), *(max((a + c).max(), b.max()) for a, c, b in evidence.values()))
    for ax, (name, (accepted, corrected, bonus)) in zip(axes, evidence.items(), strict=True):
        ax.bar(places, accepted, 0.7, label="first token, accepted", **ROLES["accepted"].bars())
        ax.bar(
            places, corrected, 0.7, accepted, label="first token, corrected",
            **ROLES["correction"].bars(),
        )  # fmt: skip
        ax.bar(places, p, 0.84, fill=False, edgecolor=TARGET, lw=1.8, label="p, as it should be")
        if bonus.any():
            dots = ROLES["bonus"].points() | {"mec": INK, "clip_on": False, "zorder": 3}
            ax.plot(places, bonus, label="bonus", **dots)
        ax.set(title=name, ylim=(0, top))
        ax.set_xticks(places, words, rotation=90)
        ax.grid(visible=False, axis="x")
        ax.tick_params(labelleft=ax is axes[0])
    axes[0].set_ylabel("probability")
    legend_below(figure, 2)
    entitle(figure, "A bug shows where bars or diamonds leave the outline of p")
    return picture(
        figure,
        "For each specimen the distribution of a round's first token, in the outline of p: "
        + "; ".join(
            f"{name}: {np.round(a + c, 2).tolist()}, bonus {np.round(b, 2).tolist()}"
            for name, (a, c, b) in evidence.items()
        ),
    )


def zoo(
    specimens: Sequence[tuple[str, float, float]], shown_if_right: float, notes: Mapping[str, str]
) -> Picture:
    """The whole zoo: (name, TV, acceptance) each; `notes` for those whose TV is 0."""
    figure, (distance, rate) = panels(2, height=6.6)
    ordered = sorted(specimens, key=lambda s: (s[1] if s[0] not in notes else 0.0, s[0] in notes))
    names = [name for name, _, _ in ordered]
    places = np.arange(len(ordered))
    wrong = np.array([name not in notes for name in names])
    tv = np.array([value for _, value, _ in ordered])
    floor = tv[wrong].min() / 8
    distance.hlines(places[wrong], floor, tv[wrong], color=REJECTED, lw=3)
    distance.plot(tv[wrong], places[wrong], **ROLES["rejected"].points() | {"ms": 9})
    for place, name in zip(places[~wrong], np.array(names)[~wrong], strict=True):
        distance.plot(floor, place, **ROLES["accepted"].points() | {"ms": 8, "clip_on": False})
        distance.text(floor * 1.7, place, f"TV 0; {notes[str(name)]}", va="center", fontsize=10)
    distance.set(xscale="log", xlim=(floor, 1.3), xlabel="TV from the target (log scale)")
    distance.set_yticks(places, names)
    shown = np.array([value for _, _, value in ordered])
    same = np.isclose(shown, shown_if_right)
    rate.axvline(shown_if_right, color=ACCEPTED, lw=1)
    for those, kind, label in (
        (same, "accepted", "exactly as if correct"),
        (~same, "rejected", "different"),
    ):
        dots = ROLES[kind].points() | {"ms": 9}
        rate.plot(shown[those], places[those], label=label, **dots)
    rate.set(xlim=(0, 1.05), xlabel="accepted / examined, first round")
    rate.set_yticks(places, [])
    rate.tick_params(axis="y", length=0)
    legend_below(figure, 2)
    entitle(
        figure,
        f"{wrong.sum()} of {len(wrong)} specimens are wrong, "
        f"{(same & wrong).sum()} of them at the right acceptance",
    )
    for axes in (distance, rate):
        axes.set_ylim(-0.7, len(ordered) - 0.3)
    return picture(
        figure,
        "TV from the target and acceptance shown by each specimen: "
        + "; ".join(f"{name} {value:.1e}, {shown:.2f}" for name, value, shown in ordered),
    )


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
        ylabel="the uniform that judges it, then the last one",
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


def strayed(truth: Sequence[float], found: Mapping[str, np.ndarray], usual: float) -> Picture:
    """How far each text's count strayed from what is expected: one stick a text, one panel a
    decoder; the band is where a right decoder's counts lie but for one in ten thousand.

    truth (texts,): the probabilities under the target, which order them.
    """
    figure, axes = panels(len(found), height=3.6)
    order = np.argsort(truth)[::-1]
    top = 1.15 * max(usual, *(np.abs(values).max() for values in found.values()))
    # the counts do not tell which is right, so the colours must not either
    for ax, (name, values) in zip(axes, found.items(), strict=True):
        ax.axhspan(-usual, usual, color=PALE, label=f"usual: within {usual}")
        ax.vlines(range(len(order)), 0, values[order], color=INK, lw=2)
        ax.plot(values[order], **MEASURED.points() | {"ms": 4, "mew": 0, "label": "one text"})
        ax.set_title(name)
        worst = f"largest: {np.abs(values).max():.1f}"
        ax.text(len(order) - 1, 0.9 * top, worst, ha="right", va="top")
        ax.set(ylim=(-top, top), xlabel="texts, likeliest first")
        ax.set_xticks([0, len(order) - 1], ["1", str(len(order))])
        ax.tick_params(labelleft=ax is axes[0])
    axes[0].set_ylabel("deviation of the count")
    legend_below(figure, 2)
    outside = sum(np.abs(values).max() > usual for values in found.values())
    entitle(figure, f"Counting convicts {outside} of {len(found)} decoders")
    return picture(
        figure,
        "Counts of each text against the target's probabilities, largest deviation: "
        + ", ".join(f"{name} {np.abs(v).max():.1f}" for name, v in found.items()),
    )
