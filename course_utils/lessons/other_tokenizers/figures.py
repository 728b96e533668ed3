"""Figures of this elective: the lemma on rows, and what two real ones share."""

import numpy as np

from course_utils.classroom.palette import INK, NEUTRAL, ROLES
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.decoding.theory import overlap
from course_utils.lessons.other_tokenizers.other_tokenizer import Intersection
from course_utils.lessons.other_tokenizers.small_vocabularies import (
    HELD,
    bounds,
    random_rows,
    restricted,
)


def restriction(count: int = 400, seed: int = 0) -> Picture:
    """Acceptance before and after a draft's rows are restricted, for random rows.

    Left over both vocabularies, right had the draft spoken the target's own.
    """
    p, q = random_rows(count, seed)
    after = overlap(p, restricted(q, HELD))
    low, high = bounds(p, q, HELD)
    all_of_it = np.random.default_rng(seed + 1).dirichlet(np.full(5, 0.7), count)
    whole = overlap(p[:, :5], all_of_it)
    cut = overlap(p[:, :5], restricted(all_of_it, HELD))
    figure, (left, right) = panels(2, height=4.3)
    for axes in (left, right):
        axes.plot((0, 1), (0, 1), color=NEUTRAL, lw=1)
        axes.set(xlim=(0, 1), ylim=(0, 1))
    small = {"ms": 3.5, "mew": 0}
    order = np.argsort(low)
    left.plot(low, after, label="renormalised", **ROLES["accepted"].points() | small)
    left.plot(low[order], high[order], ".", ms=2, color=INK, label="the bound above it")
    left.set(xlabel="Σ min(p, q) over the intersection", ylabel="α of the restricted q")
    left.set_title("against a draft over both vocabularies")
    better, worse = cut > whole, cut <= whole
    right.plot(
        whole[better], cut[better], label="rises", **ROLES["accepted"].points() | small
    )  # fmt: skip
    right.plot(whole[worse], cut[worse], label="falls", **ROLES["rejected"].points() | small)
    right.set(xlabel="α of a draft with all of the target's tokens")
    right.set_title(f"one token taken away: {better.mean():.0%} of rows rise")
    legend_below(figure, 4, markerscale=2)
    entitle(figure, "Renormalising never costs acceptance; a missing token may")
    return picture(
        figure,
        f"Left: {count} random rows; acceptance after renormalising is never below the shared "
        f"overlap and never above its bound. Right: with one token taken away acceptance rises in "
        f"{better.mean():.0%} of rows and falls in the others.",
    )


def shared(found: Intersection, whole: float, trained: tuple[float, float]) -> Picture:
    """What two real vocabularies share, and the acceptance that is left of `whole`.

    Args:
        whole: alpha of the same kind of draft, counted in the target's own tokens.
        trained: alpha of the pair's draft with all tokens, and with the shared ones alone.
    """
    figure, (shares, alphas) = panels(2, height=3.6)
    bars = {
        "target's entries": found.of_target_entries,
        "draft's entries": found.of_draft_entries,
        "tokens of the text": found.of_text,
        "mass of p": found.of_p,
        "mass of q": found.of_q,
    }
    _bars(shares, bars, {"color": NEUTRAL})
    shares.set_xlabel("share in the intersection")
    left = {
        "counted, the target's tokens": whole,
        "counted, shared tokens": found.alpha,
        "trained, the target's tokens": trained[0],
        "trained, shared tokens": trained[1],
        "the limit, p(S)": found.of_p,
    }
    _bars(alphas, left, ROLES["accepted"].bars())
    alphas.patches[0].set(color=NEUTRAL, hatch=None)  # the lowest bar is no draft
    alphas.set_xlabel("α")
    entitle(figure, "A good draft loses more: p(S) is a limit for every draft")
    return picture(
        figure,
        "Bars: "
        + "; ".join(f"{name} {share:.2f}" for name, share in bars.items())
        + ". Acceptance: "
        + "; ".join(f"{name} {share:.2f}" for name, share in left.items()),
    )


def _bars(axes, shares: dict[str, float], look: dict) -> None:
    names = list(shares)[::-1]
    drawn = axes.barh(range(len(names)), [shares[name] for name in names], 0.62, **look)
    axes.bar_label(drawn, [f"{shares[name]:.2f}" for name in names], padding=3)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlim(0, 1.25)
    axes.grid(visible=False, axis="y")
