"""The figure of this elective: the leads where two greedy runs diverge."""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import NEUTRAL, PALE, ROLES
from course_utils.classroom.picture import Picture, finished, panels
from course_utils.proofs.ties import Divergence


def leads(
    places: Mapping[str, Sequence[Divergence]], verdicts: Sequence[str], noise: float
) -> Picture:
    """Plot the lead of the plain run's token at each divergence: alone filled, in a round hollow.

    Args:
        places: the divergences of each decoder, from the top.
        verdicts: "tie" or "bug" for each of them, in this order.
    """
    figure, (axes,) = panels(height=4.2)
    axes.axvspan(-noise, noise, color=PALE, lw=0, label="within the noise")
    axes.axvline(0, color=NEUTRAL, lw=1)
    every = [(name, d) for name, divergences in places.items() for d in divergences]
    for place, ((_, d), verdict) in enumerate(zip(every, verdicts, strict=True)):
        dot = ROLES["rejected" if verdict == "bug" else "accepted"].points()
        alone, among = d.alone.margin, d.among.margin
        axes.plot((alone, among), (place, place), color=dot["color"], lw=1)
        axes.plot(alone, place, label=f"{verdict}, scored alone", **dot)
        hollow = {"mfc": "white", "ms": 8, "zorder": 1.9}
        axes.plot(among, place, label=f"{verdict}, in the round", **dot | hollow)
    axes.set_yticks(range(len(every)), [name for name, _ in every])
    axes.set(ylim=(len(every) - 0.3, -0.7), xlabel="lead of the plain run's token, in logits")
    bugs = verdicts.count("bug")
    message = f"A bug overrides clear leads: {bugs} of {len(every)} divergences are no tie"
    return finished(figure, message, columns=3)
