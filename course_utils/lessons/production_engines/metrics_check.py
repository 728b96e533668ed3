"""The check of two /metrics pages: alpha by position, tokens per round, and a longer draft."""

from collections.abc import Callable, Sequence

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import expected_tokens, expected_tokens_by_position
from course_utils.engines.counters import Counters

PARTS = ("alpha", "length", "gain")


def page(drafts: int, accepted: Sequence[int], earlier: str = "") -> str:
    """The part of a server's page that counts drafts of `len(accepted)` tokens each."""
    at = 'engine="0",model_name="pair"'
    counted = {
        "drafts": ("Number of spec decoding drafts.", {at: drafts}),
        "draft_tokens": ("Number of draft tokens.", {at: drafts * len(accepted)}),
        "accepted_tokens": ("Number of accepted tokens.", {at: sum(accepted)}),
        "accepted_tokens_per_pos": (
            "Accepted tokens per draft position.",
            {f'{at},position="{i}"': count for i, count in enumerate(accepted)},
        ),
    }
    lines = [earlier] if earlier else []
    for name, (text, values) in counted.items():
        name = f"vllm:spec_decode_num_{name}_total"
        lines += [f"# HELP {name} {text}", f"# TYPE {name} counter"]
        lines += [f"{name}{{{labels}}} {float(value)}" for labels, value in values.items()]
    return "\n".join(lines) + "\n"


def read_metrics(before: str, after: str) -> dict:
    """What happened between two pages of one server whose drafts are all equally long.

    Returns: "alpha", of each position the share accepted of those examined there; "length",
    tokens per round; "gain", tokens per round with two more drafted tokens over "length".  The
    two are taken to be accepted as the last position is, once they are reached.
    """
    counted = Counters.of(after) - Counters.of(before)
    return _answer([*counted.conditional], counted.mean_acceptance_length)


def _answer(alpha: list[float], length: float) -> dict:
    longer = expected_tokens_by_position([*alpha, alpha[-1], alpha[-1]])
    return {"alpha": alpha, "length": length, "gain": longer / length}


def _student(**wrong: Callable) -> Callable[[str, str], dict]:
    """`read_metrics` with one part its own way, from what was counted and what is right."""

    def attempt(before: str, after: str) -> dict:
        counted = Counters.of(after) - Counters.of(before)
        right = _answer([*counted.conditional], counted.mean_acceptance_length)
        return right | {part: made(counted, right) for part, made in wrong.items()}

    return attempt


def _since_the_start(before: str, after: str) -> dict:
    return read_metrics(page(0, [0] * len(Counters.of(after).per_position)), after)


def _one_more(counted: Counters, right: dict) -> float:
    alpha = right["alpha"]
    return expected_tokens_by_position([*alpha, alpha[-1]]) / right["length"]


def _mean_alpha(counted: Counters, right: dict) -> float:
    alpha = sum(right["alpha"]) / len(right["alpha"])
    return expected_tokens(alpha, len(right["alpha"]) + 2) / right["length"]


def _reached_always(counted: Counters, right: dict) -> float:
    return (right["length"] + 2 * right["alpha"][-1]) / right["length"]


def _unconditional(counted: Counters, right: dict) -> float:
    last = counted.per_position[-1] / counted.drafts
    return expected_tokens_by_position([*right["alpha"], last, last]) / right["length"]


def _accepted_only(counted: Counters, right: dict) -> float:
    return (right["gain"] * right["length"] - 1) / (right["length"] - 1)


ALPHA = {
    "You read the second page alone: its counters run since the server was started. Take the "
    "difference of the two pages.": _since_the_start,
    "That is A_i / D, what vLLM prints per position: the chance that the first i are ALL accepted. "
    "Of those that were examined at position i, which ones were accepted?": _student(
        alpha=lambda counted, right: [n / counted.drafts for n in counted.per_position]
    ),
    "Those are shares of all accepted tokens. Divide by how many were examined at that position.": (
        _student(alpha=lambda counted, right: [n / counted.accepted for n in counted.per_position])
    ),
    "That is A / K at every position: accepted over drafted. Tokens behind a rejection were never "
    "examined, and the positions differ.": _student(
        alpha=lambda counted, right: [counted.acceptance_rate] * len(counted.per_position)
    ),
    "The first position is missing: it is examined in every draft, so it is A_1 / D.": _student(
        alpha=lambda counted, right: right["alpha"][1:]
    ),
}
LENGTH = {
    "That is A / D, the accepted tokens alone. Each round also emits a correction or a bonus.": (
        _student(length=lambda counted, right: right["length"] - 1)
    ),
    "You divide by the drafted tokens. Tokens per ROUND: divide by the drafts.": _student(
        length=lambda counted, right: 1 + counted.accepted / counted.drafted
    ),
    "That is accepted over drafted. Asked are the tokens that a round emits.": _student(
        length=lambda counted, right: counted.acceptance_rate
    ),
    "That is the draft length, tokens drafted per round. Count those that are emitted.": _student(
        length=lambda counted, right: counted.drafted / counted.drafts
    ),
}
GAIN = {
    "That is one more drafted token. Add two.": _student(gain=_one_more),
    "You take one mean alpha for all positions. Keep those that were measured, and repeat the "
    "last.": _student(gain=_mean_alpha),
    "A further token counts only if all before it were accepted: multiply the chances up.": (
        _student(gain=_reached_always)
    ),
    "You repeat A_i / D of the last position, which already holds the chance of being reached. "
    "Repeat the last alpha.": _student(gain=_unconditional),
    "Those are accepted tokens over accepted tokens. The correction or bonus is text, too.": (
        _student(gain=_accepted_only)
    ),
    "Those are the tokens per round with two more. Divide by those without.": _student(
        gain=lambda counted, right: right["gain"] * right["length"]
    ),
    "That is what is added, 0 where nothing is. The gain is a ratio, 1 there.": _student(
        gain=lambda counted, right: right["gain"] - 1
    ),
    "That is old over new. Turn the fraction over.": _student(
        gain=lambda counted, right: 1 / right["gain"]
    ),
}

check_read_metrics = Exercise(
    "read_metrics",
    cases=[
        (page(100, (50, 20, 10)), page(1100, (850, 580, 400))),
        (page(40, (30, 30, 30, 30)), page(2040, (1430, 730, 400, 240))),
        (page(500, (100,)), page(900, (340,))),
        (page(7, (0, 0)), page(1007, (900, 810))),
    ],
    right=read_metrics,
    mistakes=ALPHA | LENGTH | GAIN,
    parts=PARTS,
    shown=lambda before, after: (
        f"{(d := Counters.of(after) - Counters.of(before)).drafts} drafts of "
        f"{len(d.per_position)} tokens between the pages, accepted by position "
        f"{', '.join(map(str, d.per_position))},"
    ),
    insight="What a server prints is enough to say what a longer draft would bring, before it is "
    "tried; what it would cost is not on the page.",
)
