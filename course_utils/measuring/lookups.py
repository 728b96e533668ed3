"""The cost of one lookup proposal, by the length of the text it searches.

transformers' candidate generator, the course's search and the suffix automaton are timed
alternately on the same ids.  Each round adds a few tokens, whose reading counts as the automaton's
time; its first reading of the text is timed separately.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from transformers.generation.candidate_generator import PromptLookupCandidateGenerator

from course_utils.decoding.clock import now
from course_utils.decoding.noise import Noise
from course_utils.decoding.proposal import CommittedText
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.suffix import SuffixLookup
from course_utils.measuring.turns import seconds_in_turns

LENGTHS = (1_000, 8_000, 32_000)
GAMMA, LONGEST, NEW, ROUNDS = 4, 3, 3, 40  # NEW tokens are added per round
THEIRS, SEARCH, AUTOMATON = "transformers", "prompt lookup", "suffix automaton"

Propose = Callable[[int], object]


def measured(
    texts: Mapping[str, Sequence[int]], lengths: Sequence[int] = LENGTHS, rounds: int = ROUNDS
) -> list[dict[str, object]]:
    """Return a row per text and length: median microseconds of a proposal, and ratios.

    Raises:
        ValueError: a text is shorter than the longest length plus the tokens of the rounds.
    """
    rows = []
    for name, text in texts.items():
        if len(text) < max(lengths) + rounds * NEW:
            raise ValueError(f"{name} has {len(text)} tokens, too few for length {max(lengths)}")
        for length in lengths:
            rows.append({"text": name, "context": length} | _row(list(text), length, rounds))
    return rows


def _row(text: Sequence[int], length: int, rounds: int) -> dict[str, float]:
    begin = now()
    steps = _proposers(text, length)
    reading = now() - begin
    times = seconds_in_turns(steps, rounds - 1, f"{length} tokens")
    medians = {name: 1e6 * float(np.median(own)) for name, own in times.items()}
    ratios = {f"{name} / {AUTOMATON}": medians[name] / medians[AUTOMATON]
              for name in (THEIRS, SEARCH)}  # fmt: skip
    return medians | ratios | {"read once, us per token": reading / length * 1e6}


def _proposers(text: Sequence[int], length: int) -> dict[str, Propose]:
    """Return {name: function of the turn that proposes}; the automaton has read `length` tokens."""
    grown, noise = list(text[:length]), Noise(0).round(0)
    view, suffix, search = CommittedText(grown), SuffixLookup(), PromptLookup(LONGEST)
    suffix.propose(view, GAMMA, noise)
    ids = torch.tensor([text])
    theirs = PromptLookupCandidateGenerator(
        num_output_tokens=GAMMA, max_matching_ngram_size=LONGEST, max_length=len(text) + GAMMA
    )

    def end(turn: int) -> int:
        return length + NEW * (turn + 1)

    def grow(turn: int) -> object:
        grown.extend(text[len(grown) : end(turn)])
        return suffix.propose(view, GAMMA, noise)

    return {
        AUTOMATON: grow,  # first, so that the search sees the text of this turn
        SEARCH: lambda turn: search.propose(view, GAMMA, noise),
        THEIRS: lambda turn: theirs.get_candidates(ids[:, : end(turn)]),  # type: ignore[arg-type]
    }
