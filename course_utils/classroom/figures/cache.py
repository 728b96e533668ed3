"""Pictures of a key-value cache: what it sees, saves, keeps and costs."""

from collections.abc import Sequence

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from course_utils.classroom.palette import ACCEPTED, BONUS, DRAFT, NEUTRAL, REJECTED, TARGET
from course_utils.classroom.picture import Picture, panels, picture
from course_utils.decoding.contracts import Round

_LINES = (("-", "o"), ("--", "s"), (":", "^"), ("-.", "D"))
_COLOURS = (TARGET, REJECTED, ACCEPTED, DRAFT)


def attention_mask(mask: Sequence[Sequence[bool]]) -> Picture:
    """A causal mask (n, t): new token i (a row) sees the filled positions."""
    seen = np.asarray(mask, dtype=int)
    n, t = seen.shape
    shades = seen + (np.arange(t) >= t - n) * seen  # 0 hidden, 1 cached, 2 new
    figure, (axes,) = panels(width=7.5, height=1.2 + 0.45 * n)
    axes.imshow(shades, cmap=ListedColormap(["white", BONUS, TARGET]), vmin=0, vmax=2)
    axes.set_xticks(range(t))
    axes.set_yticks(range(n), [f"new {i + 1}" for i in range(n)])
    axes.set_xticks(np.arange(t + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(n + 1) - 0.5, minor=True)
    axes.grid(False)
    axes.grid(True, which="minor", color=NEUTRAL, linewidth=0.6)
    axes.tick_params(which="minor", length=0)
    axes.set_xlabel("position in the text")
    axes.set_title("A new token sees the cache, earlier new tokens and itself")
    handles = [
        Patch(facecolor=BONUS, label="from the cache"),
        Patch(facecolor=TARGET, label="written in this pass"),
        Patch(facecolor="white", edgecolor=NEUTRAL, label="hidden"),
    ]
    axes.legend(handles=handles, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    return picture(
        figure, f"Causal mask for {n} new tokens after {t - n} cached ones: a staircase at the end"
    )


def naive_against_cached(
    lengths: Sequence[int], naive: Sequence[float], cached: Sequence[float]
) -> Picture:
    """Left: tokens processed in all; right: milliseconds for the next token."""
    figure, (left, right) = panels(2, width=10, height=3.5)
    text = np.arange(1, max(lengths) + 1)
    left.plot(text, np.cumsum(text) / 1000, ":", color=REJECTED, label="naive")
    left.plot(text, text / 1000, color=TARGET, label="with a cache")
    left.set_xlabel("length of the text (tokens)")
    left.set_ylabel("tokens processed (thousands)")
    left.set_title("Counted: quadratic against linear")
    left.legend()
    right.plot(lengths, naive, ":s", color=REJECTED, label="naive")
    right.plot(lengths, cached, "-o", color=TARGET, label="with a cache")
    right.set_ylim(bottom=0)
    right.set_xlabel("length of the text (tokens)")
    right.set_ylabel("time for the next token (ms)")
    right.set_title("Measured: growing against nearly flat")
    right.legend()
    return picture(
        figure,
        "Tokens processed and time a token over the text length: without a cache both grow, "
        f"to {naive[-1]:.0f} ms at {lengths[-1]} tokens; with it {cached[-1]:.0f} ms",
    )


def cache_through_rounds(rounds: Sequence[Round]) -> Picture:
    """One bar a round: entries before it, written and kept, written and rolled back."""
    figure, (axes,) = panels(width=9, height=0.9 + 0.32 * len(rounds))
    for i, r in enumerate(rounds):
        kept = r.cache_after - r.cache_before
        dropped = len(r.drafted) + 1 - kept
        axes.barh(i, r.cache_before, color="#D9DCE0", edgecolor="white")
        axes.barh(i, kept, left=r.cache_before, color=ACCEPTED, edgecolor="white")
        axes.barh(
            i, dropped, left=r.cache_after, color="white", edgecolor=REJECTED, hatch="////"
        )  # fmt: skip
    first = rounds[0].cache_before
    axes.set_xlim(first - 6, rounds[-1].cache_after + 6)
    axes.set_yticks(range(len(rounds)), [f"round {r.index + 1}" for r in rounds])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("position in the target's cache (tokens)")
    axes.set_title("Each round writes, then rolls back to what was committed")
    handles = [
        Patch(facecolor="#D9DCE0", label="cached before"),
        Patch(facecolor=ACCEPTED, label="written and kept"),
        Patch(facecolor="white", edgecolor=REJECTED, hatch="////", label="written, rolled back"),
    ]
    axes.legend(handles=handles, loc="upper right")
    return picture(
        figure,
        f"The target's cache over {len(rounds)} rounds grows from {first} to "
        f"{rounds[-1].cache_after} tokens; rejected entries are rolled back in each round",
    )


def acceptance_against(right: Sequence[float], wrong: Sequence[float]) -> Picture:
    """Accepted share a prompt, of a draft that rolls back and of one that does not."""
    figure, (axes,) = panels(width=8, height=3.4)
    places = np.arange(len(right))
    axes.bar(places - 0.2, right, 0.38, color=ACCEPTED, label="rolls back")
    axes.bar(
        places + 0.2, wrong, 0.38, color="white", edgecolor=REJECTED, hatch="////",
        label="never rolls back",
    )  # fmt: skip
    axes.set_ylim(0, 1)
    axes.set_xticks(places, [f"prompt {i + 1}" for i in places])
    axes.grid(axis="x", visible=False)
    axes.set_ylabel("accepted / examined")
    axes.set_title("Same text, fewer guesses accepted: the price of a wrong draft cache")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    return picture(
        figure,
        f"Acceptance on {len(right)} prompts: {np.mean(right):.2f} on average with rollback, "
        f"{np.mean(wrong):.2f} without",
    )


def verification_cost(ratios: dict[str, Sequence[float]]) -> Picture:
    """v(k) = T(k) / T(1) for k = 1, 2, ... against k separate forwards."""
    figure, (axes,) = panels(width=8, height=3.8)
    longest = max(map(len, ratios.values()))
    k = np.arange(1, longest + 1)
    axes.plot(k, k, ":", color=NEUTRAL, label="k forwards of one token")
    axes.plot(k, np.ones(longest), "-", color=NEUTRAL, linewidth=1, label="free: v = 1")
    styles = zip(ratios.items(), _COLOURS, _LINES, strict=False)
    for (name, values), colour, (line, marker) in styles:
        axes.plot(k, values, line + marker, color=colour, label=name)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("k, tokens in one forward pass of the target")
    axes.set_ylabel("v(k) = T(k) / T(1)")
    axes.set_title("One pass over k tokens costs far less than k passes")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    ends = ", ".join(f"{values[-1]:.1f} in {name}" for name, values in ratios.items())
    return picture(figure, f"v(k) over k: at k = {longest} it is {ends}")


def cache_size(
    bytes_a_token: dict[str, int], weights: dict[str, int], longest: int = 32768
) -> Picture:
    """Gigabytes of one text's cache over its length, and of the weights."""
    figure, (axes,) = panels(width=8, height=3.6)
    lengths = np.array([0, longest])
    styles = zip(bytes_a_token.items(), _COLOURS, _LINES, strict=False)
    for (name, size), colour, (line, _) in styles:
        axes.plot(lengths, lengths * size / 1e9, line, color=colour, label=f"{name}: cache")
        axes.axhline(
            weights[name] / 1e9, linestyle=line, color=colour, alpha=0.35, label=f"{name}: weights"
        )  # fmt: skip
    axes.set_ylim(bottom=0)
    axes.set_xlabel("length of the text (tokens)")
    axes.set_ylabel("memory (GB)")
    axes.set_title("The cache of a long text weighs as much as a model")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    ends = ", ".join(
        f"{name} {longest * size / 1e9:.1f} GB" for name, size in bytes_a_token.items()
    )
    return picture(figure, f"Key-value cache over text length; at {longest} tokens: {ends}")
