"""The course's loop with an engine's conventions, so that rounds can be laid beside rounds.

vLLM differs in three places (`vllm/v1/worker`, `ngram_proposer.py`; REFERENCES.md: vllm):
the first new token comes from the prompt's own pass, without a draft; a draft is as long at a
text's end as elsewhere, and what lies beyond the end is counted and thrown away; and its
prompt lookup copies from the *earliest* place where the last n tokens stand.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import (
    NO_DRAFT,
    Draft,
    Drafter,
    LanguageModel,
    Round,
    RoundNoise,
)
from course_utils.decoding.lean import lean
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import GREEDY
from course_utils.engines.client import Question
from course_utils.engines.configurations import GAMMA

Step = tuple[int, int]  # drafted, accepted


def our_rounds(
    target: LanguageModel, question: Question, drafter: Drafter | None, gamma: int = GAMMA
) -> list[Round]:
    """A greedy text as the course decodes it; its rounds are `lean`."""
    asked = {"gamma": gamma, "sampling": GREEDY, "max_new_tokens": question.max_tokens}
    return list(map(lean, generate(target, question.prompt, drafter, **asked)))


def steps(rounds: Sequence[Round]) -> list[Step]:
    """Of the rounds that drafted, as `Answer.steps` has them."""
    return [(len(r.drafted), r.accepted) for r in rounds if r.drafted]


def as_served(
    target: LanguageModel, question: Question, drafter: Drafter, gamma: int = GAMMA
) -> list[Round]:
    """The rounds of a greedy text by the first two conventions above, `lean`.

    The last round may emit more than the question asks for.
    """
    asked = {"gamma": gamma, "sampling": GREEDY}
    (first,) = generate(target, question.prompt, max_new_tokens=1, **asked)
    rounds, new = [], 1
    room = max(1, question.max_tokens - 1) + gamma
    for done in generate(
        target, [*question.prompt, *first.emitted], drafter, max_new_tokens=room, **asked
    ):
        if new >= question.max_tokens:
            break
        rounds.append(lean(done))
        new += len(done.emitted)
    return rounds


class EarliestLookup:
    """Prompt lookup that copies from the earliest place of the longest match.

    Raises:
        ValueError: not 1 <= shortest <= longest.
    """

    def __init__(self, longest: int = 3, shortest: int = 1):
        if not 1 <= shortest <= longest:
            raise ValueError(f"longest={longest}, shortest={shortest}: match at least 1 token")
        self.longest, self.shortest = longest, shortest

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        tokens = list(tokens)
        for n in range(min(self.longest, len(tokens) - 1), self.shortest - 1, -1):
            for start in range(len(tokens) - n):
                if tokens[start : start + n] == tokens[-n:]:
                    return Draft(tuple(tokens[start + n : start + n + gamma]), None)
        return NO_DRAFT
