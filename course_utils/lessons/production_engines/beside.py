"""An engine's answers and counters beside the course's own: tables of the lesson."""

from collections.abc import Mapping, Sequence

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.metrics import acceptance_counts, emitted_tokens, summarise
from course_utils.engines.sessions import Part, Run
from course_utils.proofs.ties import BUG, SAME, TIE, unexplained


def verdict(
    target: LanguageModel, prompt: Sequence[int], ours: Sequence[int], theirs: Sequence[int],
    noise: float,
) -> str:  # fmt: skip
    """ "same", "numerical tie" or "bug", of two greedy texts.

    Theirs was made elsewhere, so that its passes cannot be repeated: it is a tie if each of its
    tokens is within `noise` logits of the target's likeliest.
    """
    if list(ours) == list(theirs):
        return SAME
    if common_prefix(ours, theirs) == min(len(ours), len(theirs)):
        return BUG  # one text ends where the other goes on
    return BUG if unexplained(target, prompt, theirs, noise) else TIE


def greedy_table(
    runs: Mapping[str, Run], ours: Sequence[Sequence[int]], target: LanguageModel, noise: float
) -> list[dict]:
    """A line for each run with a greedy part: how many texts are the same, ties, bugs."""
    lines = []
    for name, run in runs.items():
        if "greedy" in run.parts:
            part = run.parts["greedy"]
            found = [
                verdict(target, question.prompt, text, answer.tokens, noise)
                for question, text, answer in zip(part.questions, ours, part.answers, strict=True)
            ]
            counted = {kind: found.count(kind) for kind in (SAME, TIE, BUG)}
            lines.append({"configuration": name, "texts": len(found)} | counted)
    return lines


def definitions(part: Part, ours: Sequence[Round], alike: Sequence[Round], gamma: int) -> list:
    """The same four numbers thrice: the page's, ours, and ours with the engine's conventions.

    Raises:
        NoCounters: the server decoded without speculation.
    """
    page = part.counters
    lines = [
        {
            "number": "accepted / drafted",
            "page": page.acceptance_rate,
            "ours": summarise(ours).accepted_per_drafted,
            "ours, its way": summarise(alike).accepted_per_drafted,
        },
        {
            "number": "1 + accepted / drafts",
            "page": page.mean_acceptance_length,
            "ours": _mean_length(ours),
            "ours, its way": _mean_length(alike),
        },
    ]
    for i, (count, alpha) in enumerate(zip(page.per_position, page.conditional, strict=True)):
        mine, theirs = (acceptance_counts(rounds, gamma) for rounds in (ours, alike))
        lines += [
            {
                "number": f"position {i + 1}: A{i + 1} / D",
                "page": count / page.drafts,
                "ours": mine[i][0] / mine[0][1],
                "ours, its way": theirs[i][0] / theirs[0][1],
            },
            {
                "number": f"position {i + 1}: α",
                "page": alpha,
                "ours": _share(mine[i]),
                "ours, its way": _share(theirs[i]),
            },
        ]
    return lines


def by_position(part: Part) -> dict[str, str]:
    """α of each position from the counters, a dash where none was reached."""
    shares = part.counters.conditional
    return {f"α{i}": "–" if share is None else f"{share:.2f}" for i, share in enumerate(shares, 1)}


def loads(runs: Mapping[str, Run]) -> dict[str, dict[int, Part]]:
    """{configuration: {requests open at a time: part}} of the runs that were put under load."""
    found = {
        name: {part.together: part for key, part in run.parts.items() if key.startswith("load")}
        for name, run in runs.items()
    }
    return {name: parts for name, parts in found.items() if parts}


def equal_rounds(part: Part, served: Sequence[Sequence[Round]]) -> int:
    """Of how many texts each round drafted and accepted as many as the server's."""
    told = [[(len(r.drafted), r.accepted) for r in rounds if r.drafted] for rounds in served]
    return sum(a.steps == mine for a, mine in zip(part.answers, told, strict=True))


def texts_of(rounds: Sequence[Sequence[Round]]) -> list[list[int]]:
    """The new tokens of each text."""
    return [emitted_tokens(text) for text in rounds]


def _mean_length(rounds: Sequence[Round]) -> float:
    drafts = [r for r in rounds if r.drafted]
    return 1 + sum(r.accepted for r in drafts) / len(drafts)


def _share(counted: tuple[int, int]) -> float | None:
    return counted[0] / counted[1] if counted[1] else None
