"""Which settings are reported: the best on passages that are kept for this question."""

from collections.abc import Mapping, Sequence
from itertools import islice

from course_utils.measuring.contenders import Contender
from course_utils.measuring.passages import Passage
from course_utils.measuring.protocol import Continue, Run, interleaved, tokens_per_second


def choose(
    contenders: Mapping[Contender, Continue],
    passages: Sequence[Passage],
    rungs: Sequence[int],
    label: str = "",
) -> list[Contender]:
    """The fastest setting of each family, fastest first.

    All settings are tried on the first `rungs[0]` passages, the faster half of each
    family on the next `rungs[1]`, and so on as long as there are passages.  So transformers
    and the course spend as much on a setting, and each choice rests on as many passages.
    """
    left, coming = list(contenders), iter(passages)
    runs: dict[Contender, list[Run]] = {contender: [] for contender in contenders}
    for rung in rungs:
        met = list(islice(coming, rung))
        if not met:
            break
        trying = {contender: contenders[contender] for contender in left}
        for contender, found in interleaved(trying, met, label).items():
            runs[contender] += found
        left = _faster_halves(runs, left)
    best = {contender.family: contender for contender in reversed(_ranked(runs, left))}
    return _ranked(runs, best.values())


def _faster_halves(
    runs: Mapping[Contender, Sequence[Run]], left: Sequence[Contender]
) -> list[Contender]:
    kept = []
    for family in dict.fromkeys(contender.family for contender in left):
        members = _ranked(runs, [c for c in left if c.family == family])
        kept += members[: -(-len(members) // 2)]
    return kept


def _ranked(runs: Mapping[Contender, Sequence[Run]], among: Sequence[Contender]) -> list[Contender]:
    """Fastest first."""
    return sorted(among, key=lambda contender: -tokens_per_second(runs[contender]))
