"""Pictures of a key-value cache: what it sees, saves, keeps and costs."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor
from transformers import Qwen3Config

from course_utils.classroom.palette import INK, NEUTRAL, PALE, ROLES, TARGET, mix, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.classroom.table import table
from course_utils.classroom.tokens import Html
from course_utils.decoding.contracts import Round
from course_utils.engines.accelerators import ACCELERATORS, MODELS
from course_utils.engines.calculator import roofline
from course_utils.models.loading.memory import memory_needed, qwen3_config

LONGEST = 32768  # tokens, of a text that is long

_PALE = mix(TARGET, "#FFFFFF", 0.65)
_KEYS, _VALUES = -2.1, 2.1  # rows of the strips above and below the grid


def attention_weights(weights: Sequence[Sequence[float]], start: int) -> Picture:
    """One head: weights (new, slots) of new tokens (rows) over slots (columns);
    the first `start` slots were there before, the last ones lie behind the text.
    """
    weights = np.asarray(weights, dtype=float)
    n, slots = weights.shape
    figure, (axes,) = panels(height=3.3 + 0.5 * n)
    axes.set_axis_off()
    axes.set(xlim=(-4.6, slots + 3.6), ylim=(n + 3.7, -3.6), xticks=[], yticks=[])
    kinds = [_PALE] * start + [TARGET] * n + ["white"] * (slots - start - n)
    hatch = [""] * (start + n) + ["//"] * (slots - start - n)
    for name, row in (("keys", _KEYS), ("values", n - 1 + _VALUES)):
        axes.text(-0.8, row, name, ha="right", va="center", weight="bold")
        _cells(axes, range(slots), row, kinds, hatch=hatch)
    for i, weight in enumerate(weights):
        axes.text(-0.8, i, f"query of new token {i}", ha="right", va="center")
        axes.text(slots - 0.2, i, f"→ output of {i}", ha="left", va="center")
        # what may not be seen and has no weight is blank
        shown = [j for j in range(slots) if j <= start + i or weight[j] != 0]
        strengths = [min(1.0, max(0.0, np.nan_to_num(weight[j]))) for j in shown]
        blues = [mix("#FFFFFF", TARGET, 0.08 + 0.9 * strength) for strength in strengths]
        _cells(axes, shown, i, blues)
        for j, strength in zip(shown, strengths, strict=True):
            ink = "white" if strength > 0.6 else INK
            percent = f"{100 * weight[j]:.0f}"
            axes.text(j, i, percent, ha="center", va="center", color=ink, size=10)
    _words(axes, start, n, slots)
    entitle(figure, "Each new token asks, and mixes the values of what it may see")
    rows = "; ".join(
        f"new token {i}: " + " ".join(f"{100 * w:.0f}" for w in row)
        for i, row in enumerate(weights)
    )
    return picture(
        figure, f"Attention of {n} new tokens over {slots} slots, weights in percent. {rows}"
    )


def _cells(axes, slots: Sequence[int], row: float, colours: Sequence[str], **look) -> None:
    edge = {"edgecolor": NEUTRAL, "linewidth": 0.8}
    axes.bar(slots, 1, 1, row - 0.5, color=colours, **edge, **look)


def _words(axes, start: int, n: int, slots: int) -> None:
    here = (0, start, f"cached: start = {start}"), (start, start + n, f"new: n = {n}")
    for first, end, name in (*here, (start + n, slots, "never read")):
        axes.text((first + end - 1) / 2, _KEYS - 0.95, name, ha="center", va="center")
    below = n - 1 + _VALUES
    for slot in range(slots):
        axes.text(slot, below + 0.85, str(slot), ha="center", va="center", color=NEUTRAL, size=10)
    axes.text(-0.8, below + 0.85, "slot", ha="right", va="center", color=NEUTRAL, size=10)
    for row, said in (
        (_KEYS / 2 - 0.02, "↓ score: query · key / √d, then softmax over the row"),
        (below - _VALUES / 2 + 0.02, "↓ mix: the sum of weight × value is the row's output"),
        (below + 1.85, "Weights in percent, each row sums to 100. Blank: hidden by the mask."),
    ):
        axes.text(-0.4, row, said, va="center", size=10)


def naive_against_cached(
    lengths: Sequence[int], naive: Sequence[float], cached: Sequence[float]
) -> Picture:
    """For the next token after each length: tokens processed, left, and milliseconds, right."""
    figure, (left, right) = panels(2, height=3.8)
    text = np.arange(1, max(lengths) + 1)
    plain, target = series(2)[1], ROLES["target"]
    left.plot(text, text, label="without a cache", **plain.curve())
    left.plot(text, np.ones(len(text)), label="with a cache", **target.curve())
    left.set(title="counted, for the next token", ylabel="tokens processed")
    right.plot(lengths, naive, **plain.line())
    right.plot(lengths, cached, **target.line())
    right.set(title="measured, for the next token", ylabel="time (ms)", ylim=(0, None))
    for axes in (left, right):
        axes.set_xlabel("length of the text (tokens)")
    legend_below(figure, 2)
    entitle(
        figure,
        f"After {lengths[-1]} tokens the cache makes a token {naive[-1] / cached[-1]:.0f} times"
        " as fast",
    )
    return picture(
        figure,
        "Tokens processed and time per token over the text length: without a cache both grow, "
        f"to {naive[-1]:.0f} ms at {lengths[-1]} tokens; with it {cached[-1]:.0f} ms",
    )


def cache_through_rounds(rounds: Sequence[Round]) -> Picture:
    """One bar per round: entries before it, written and kept, written and rolled back."""
    figure, (axes,) = panels(height=1.5 + 0.32 * len(rounds))
    for i, r in enumerate(rounds):
        kept = r.cache_after - r.cache_before
        dropped = len(r.drafted) + 1 - kept
        axes.barh(i, r.cache_before, color=PALE, edgecolor="white", label="cached before")
        bar = {"left": r.cache_before, "label": "written and kept"}
        axes.barh(i, kept, **bar, **ROLES["accepted"].bars())
        if dropped:
            bar = {"left": r.cache_after, "label": "written, rolled back"}
            axes.barh(i, dropped, **bar, **ROLES["rejected"].bars())
    first = rounds[0].cache_before
    axes.set_xlim(first - 6, rounds[-1].cache_after + 6)
    axes.set_yticks(range(len(rounds)), [f"round {r.index + 1}" for r in rounds])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("position in the target's cache (tokens)")
    legend_below(figure, 3)
    entitle(figure, "Each round writes, then rolls back to what was committed")
    return picture(
        figure,
        f"The target's cache over {len(rounds)} rounds grows from {first} to "
        f"{rounds[-1].cache_after} tokens; rejected entries are rolled back",
    )


def acceptance_against(right: Sequence[float], wrong: Sequence[float]) -> Picture:
    """Accepted share per prompt, of a draft that rolls back and of one that does not."""
    figure, (axes,) = panels(height=3.6)
    places = np.arange(len(right))
    axes.bar(places - 0.2, right, 0.38, label="rolls back", **ROLES["accepted"].bars())
    axes.bar(places + 0.2, wrong, 0.38, label="never rolls back", **ROLES["rejected"].bars())
    axes.set_ylim(0, 1)
    axes.set_xticks(places, [f"prompt {i + 1}" for i in places])
    axes.grid(axis="x", visible=False)
    axes.set_ylabel("accepted / examined")
    legend_below(figure, 2)
    good, bad = np.mean(right), np.mean(wrong)
    entitle(figure, f"Same text, but acceptance falls from {good:.2f} to {bad:.2f}")
    return picture(
        figure,
        f"Acceptance on {len(right)} prompts: {good:.2f} on average with rollback, "
        f"{bad:.2f} without",
    )


def verification_cost(ratios: dict[str, Sequence[float]]) -> Picture:
    """v(k) = T(k) / T(1) for k = 1, 2, ... against k separate forwards."""
    figure, (axes,) = panels(height=3.8)
    longest = max(map(len, ratios.values()))
    k = np.arange(1, longest + 1)
    axes.plot(k, k, label="k forwards of one token", **ROLES["neutral"].curve())
    axes.plot(k, np.ones(longest), color=NEUTRAL, linewidth=1, label="free: v = 1")
    for (name, values), look in zip(ratios.items(), series(len(ratios)), strict=True):
        axes.plot(k[: len(values)], values, label=name, **look.line())
    axes.set(xlabel="k, tokens in one forward pass of the target")
    axes.set(ylabel="v(k) = T(k) / T(1)", ylim=(0, None))
    axes.legend(loc="upper left")
    dearest = max(values[-1] for values in ratios.values())
    entitle(
        figure, f"{longest} tokens in one pass cost {dearest:.1f} passes at most, not {longest}"
    )
    ends = ", ".join(f"{values[-1]:.1f} in {name}" for name, values in ratios.items())
    return picture(figure, f"v(k) over k: at k = {longest} it is {ends}")


def cache_size(
    bytes_a_token: dict[str, int], weights: dict[str, int], longest: int = LONGEST
) -> Picture:
    """Gigabytes of one text's cache over its length, and of the weights."""
    figure, (axes,) = panels(height=3.8)
    lengths = np.array([0, longest])
    for (name, size), look in zip(bytes_a_token.items(), series(len(bytes_a_token)), strict=True):
        axes.plot(lengths / 1000, lengths * size / 1e9, label=f"{name}: cache", **look.curve())
        axes.plot(
            lengths / 1000, [weights[name] / 1e9] * 2, label=f"{name}: weights", lw=1,
            **look.curve(),
        )  # fmt: skip
    axes.set(xlabel="length of the text (thousands of tokens)")
    axes.set(ylabel="memory (GB)", ylim=(0, None))
    axes.legend(loc="upper left", bbox_to_anchor=(0, 0.92), ncols=2)
    heaviest = max(size * longest / weights[name] for name, size in bytes_a_token.items())
    entitle(figure, f"The cache of one long text weighs up to {heaviest:.1f} times its model")
    ends = ", ".join(
        f"{name} {longest * size / 1e9:.1f} GB" for name, size in bytes_a_token.items()
    )
    return picture(figure, f"Key-value cache over text length; at {longest} tokens: {ends}")


def sizes_table(config: Qwen3Config) -> Html:
    """The letters of the lesson, for one model."""
    sizes = {
        "layers": config.num_hidden_layers,
        "hidden size": config.hidden_size,
        "h, query heads": config.num_attention_heads,
        "g, key-value heads": config.num_key_value_heads,
        "d, head dimension": config.head_dim,
        "vocabulary": config.vocab_size,
    }
    return table([{"what": what, "value": value} for what, value in sizes.items()])


def cache_table(cache: Tensor) -> Html:
    """The axes of a session's cache."""
    axes = ("layer", "key or value", "text", "g", "slot", "d")
    named = zip(axes, cache.shape, strict=True)
    rows = [{"axis": name, "size": size} for name, size in named]
    return table(rows, "The key-value cache of one session")


def cache_of_qwen3() -> Picture:
    """`cache_size` of the real pair in bfloat16."""
    needs = {
        name: memory_needed(qwen3_config(f"Qwen/{name}"), torch.bfloat16, context=LONGEST)
        for name in ("Qwen3-0.6B", "Qwen3-4B")
    }
    return cache_size(
        {name: need.cache // LONGEST for name, need in needs.items()},
        {name: need.weights for name, need in needs.items()},
    )


def rounds_table(rounds: Sequence[Round]) -> Html:
    """What each round recorded of the target's cache."""
    return table(
        [
            {
                "round": r.index + 1,
                "text": r.context,
                "cached before": r.cache_before,
                "processed": 1 + len(r.drafted),
                "accepted": r.accepted,
                "cached after": r.cache_after,
            }
            for r in rounds
        ]
    )


def passes_table(milliseconds: Mapping[str, Sequence[float]], gamma: int) -> Html:
    """T(1) and T(gamma + 1) by format, as measured, and Qwen3-4B's on an H200 at best.

    Args:
        milliseconds: medians of passes over 1, 2, ... tokens, by format.
    """
    there = roofline(ACCELERATORS["H200"], MODELS["Qwen3-4B"])
    both = {f"here, {name}": (taken[0], taken[gamma]) for name, taken in milliseconds.items()}
    both["Qwen3-4B on an H200, at best"] = tuple(1e3 * there.target(1, k) for k in (1, gamma + 1))
    return table(
        [
            {
                "": name,
                "T(1) in ms": one,
                f"T({gamma + 1}) in ms": many,
                f"v({gamma + 1})": many / one,
                f"{gamma + 1} passes": float(gamma + 1),
            }
            for name, (one, many) in both.items()
        ]
    )
