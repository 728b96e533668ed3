"""Policies of draft length on one recorded text: what each costs beside the best constant.

A text is recorded once: at each place the draft's acceptance, sum min(p, q), and how sure
it was.  A policy then needs no model: at place t a guess is accepted if the place's
uniform is below its acceptance, the same uniform for every policy.  What is left out: a
wrong guess changes the rows behind it, and a drawn text would not be this one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.outcomes import Cost, Outcome, fastest_length
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.theory import overlap
from course_utils.drafters.lengths import Constant, Policy

LARGEST = 16  # guesses
AT_ONCE = 128  # places whose rows are held: they are 0.6 MB each, of p and q, with Qwen3


@dataclass(frozen=True)
class Text:
    """A recorded text, place by place."""

    tokens: np.ndarray  # (places,)
    accepted: np.ndarray  # (places,), probability that a guess there is accepted
    sure: np.ndarray  # (places,), the largest probability in the draft's row

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True)
class Course:
    """What a policy did to a text."""

    places: np.ndarray  # where each round began
    lengths: np.ndarray  # drafted in it
    spent: np.ndarray  # cost up to the end of each round


def recorded(target: LanguageModel, draft: LanguageModel, tokens: Sequence[int]) -> Text:
    """Both models over a text, so many places at once; the first has no row."""
    sessions, accepted, sure = [model.start([]) for model in (target, draft)], [], []
    for start in range(0, len(tokens) - 1, AT_ONCE):
        read = tokens[:-1][start : start + AT_ONCE]
        p, q = (as_numpy(probabilities(s.extend(read), Sampling())) for s in sessions)
        accepted.append(overlap(p, q))
        sure.append(q.max(-1))
    return Text(np.array(tokens[1:]), np.concatenate(accepted), np.concatenate(sure))


def one_after_another(texts: Sequence[Text], places: int) -> Text:
    """So many places of each text, repeated where it is shorter."""
    return Text(
        *(
            np.concatenate([np.resize(getattr(text, name), places) for text in texts])
            for name in ("tokens", "accepted", "sure")
        )
    )


def follow(
    text: Text, policy: Policy, uniforms: np.ndarray, cost: Cost, least_sure: float = 0.0
) -> Course:
    """A policy on a text, from its first place to its last.

    Args:
        uniforms: (places,), one for each guess there.
        least_sure: where the draft is less sure than that, it is not asked to go on; at
            least one guess is made.
    """
    passes = uniforms < text.accepted
    unsure = text.sure < least_sure
    at, spent, found = 0, 0.0, []
    while at < len(text):
        if hasattr(policy, "see"):
            policy.see(at)
        asked = policy.length()
        wanted = 1
        while wanted < asked and at + wanted < len(text) and not unsure[at + wanted]:
            wanted += 1
        failed = np.flatnonzero(~passes[at : at + wanted])
        accepted = int(failed[0]) if len(failed) else wanted
        policy.learn(Outcome(asked, wanted, accepted, tuple(text.sure[at : at + wanted])))
        spent += cost(wanted)
        found.append((at, wanted, spent))
        at += accepted + 1
    return Course(*(np.array(column) for column in zip(*found, strict=True)))


def oracle(text: Text, uniforms: np.ndarray, cost: Cost, largest: int = LARGEST) -> Course:
    """Drafts just what will be accepted: it knows the uniforms.  A bound, and no policy."""
    passes = uniforms < text.accepted
    at, spent, found = 0, 0.0, []
    while at < len(text):
        failed = np.flatnonzero(~passes[at : at + largest])
        length = int(failed[0]) if len(failed) else min(largest, len(text) - at)
        spent += cost(length)
        found.append((at, length, spent))
        at += length + 1
    return Course(*(np.array(column) for column in zip(*found, strict=True)))


def best_constant(text: Text, uniforms: np.ndarray, cost: Cost, largest: int = LARGEST) -> int:
    """The cheapest constant length in hindsight, over all rows of uniforms together."""

    def spent(gamma: int) -> float:
        return sum(follow(text, Constant(gamma), row, cost).spent[-1] for row in uniforms)

    return min(range(1, largest + 1), key=spent)


def best_by_rates(text: Text, cost: Cost, largest: int = LARGEST) -> int:
    """The fastest length for a text of this mean acceptance, by the formula."""
    alpha = float(text.accepted.mean())
    return fastest_length([alpha**j for j in range(1, largest + 1)], cost)


def regrets(
    text: Text,
    policies: Mapping[str, Callable[[int], Course]],
    reference: Callable[[int], Course],
    seeds: int,
) -> dict[str, np.ndarray]:
    """Of each policy the cost beyond the reference's at every place: (seeds, places).

    Args:
        policies: for each a function seed -> its course; `reference` is one, too.
    """
    places = np.arange(1, len(text) + 1)

    def cost_at(course: Course) -> np.ndarray:
        ends = np.append(course.places[1:], len(text))
        return np.interp(places, np.append(0, ends), np.append(0.0, course.spent))

    bases = [cost_at(reference(seed)) for seed in range(seeds)]
    return {
        name: np.stack([cost_at(run(seed)) - base for seed, base in enumerate(bases)])
        for name, run in policies.items()
    }
