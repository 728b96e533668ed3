"""The speedup that measured costs allow, with an assumed acceptance; and the page that says so."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from course_utils.decoding.theory import expected_tokens, speedup_with_costs
from course_utils.measuring.real_shapes import Shapes

ALPHAS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # the last is the limit that no draft reaches


@dataclass(frozen=True)
class Allowed:
    """What the theory allows at an assumed alpha: the best gamma and what it gives."""

    alpha: float
    gamma: int
    tokens: float  # per round
    speedup: float


def allowed_speedups(
    c: float, v: Callable[[int], float], largest: int, alphas: Sequence[float] = ALPHAS
) -> list[Allowed]:
    """For each alpha the gamma in 1..largest with the highest speedup; host time is zero.

    At alpha = 1 every drafted token is accepted, which caps the speedup of these costs.
    """
    best = []
    for alpha in alphas:
        choices = []
        for gamma in range(1, largest + 1):
            tokens = expected_tokens(alpha, gamma)
            speedup = speedup_with_costs(tokens, gamma, c, v, o=0)
            choices.append(Allowed(alpha, gamma, tokens, speedup))
        best.append(max(choices, key=lambda choice: choice.speedup))
    return best


def as_json(shapes: Shapes) -> dict:
    """What was measured and what follows from it, as JSON can hold it."""
    longest = len(shapes.target_seconds)
    return asdict(shapes) | {
        "c": shapes.c,
        "v": [shapes.v(k) for k in range(1, longest + 1)],
        "draft_share_of_bandwidth": shapes.draft_share,
        "target_share_of_bandwidth": shapes.target_share,
        "assumed_acceptance": [asdict(a) for a in _allowed(shapes)],
    }


def as_text(shapes: Shapes) -> str:
    """The same as lines: the costs, and the speedup they allow."""
    s = shapes
    longest = len(s.target_seconds)
    one_token = s.target_seconds[0], s.target_spread[0]
    *allowed, cap = _allowed(s)
    lines = [
        f"{s.target} with {s.draft}: the exact shapes, random weights, {s.dtype} on {s.device}"
        f"{', packed' * s.packed}, {s.threads} threads",
        f"after {s.context} tokens, medians of {s.repeats}, spread = distance of the quartiles",
        f"memory is read at {s.bandwidth:.1f} GB/s",
        "one token    weights        time      spread  of the bandwidth",
        f"  target   {_cost(s.target_bytes, *one_token, s.target_share)}",
        f"  draft    {_cost(s.draft_bytes, s.draft_seconds, s.draft_spread, s.draft_share)}",
        f"c = t_draft / t_target = {s.c:.3f}",
        "k           " + "".join(f"{k:7}" for k in range(1, longest + 1)),
        "t_target(k) " + "".join(f"{t * 1e3:7.0f}" for t in s.target_seconds) + "  ms",
        "spread      " + "".join(f"{t * 1e3:7.0f}" for t in s.target_spread) + "  ms",
        "v(k)        " + "".join(f"{s.v(k):7.2f}" for k in range(1, longest + 1)),
        "speed is measured, acceptance is assumed (i.i.d., host time zero):",
        "  alpha  best gamma  tokens per round  speedup",
        *(f"{a.alpha:7.1f}{a.gamma:12}{a.tokens:18.2f}{a.speedup:8.2f}x" for a in allowed),
        f"as alpha -> 1 the speedup stays below {cap.speedup:.2f}x, at gamma {cap.gamma}",
    ]
    return "\n".join(lines)


def _allowed(shapes: Shapes) -> list[Allowed]:
    return allowed_speedups(shapes.c, shapes.v, len(shapes.target_seconds) - 1)


def _cost(size: int, seconds: float, spread: float, share: float) -> str:
    times = f"{seconds * 1e3:7.1f} ms {spread * 1e3:7.1f} ms"
    return f"{size / 1e9:6.2f} GB  {times}  {share:6.0%}"
