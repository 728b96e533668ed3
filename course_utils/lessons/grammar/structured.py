"""What the elective does with a grammar: a round of yours in the loop, texts, rows, every path."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import Round, Rule, Verdict
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.drafters.sampled import Sampled
from course_utils.models.grammar import Matcher, Prompted, Spelled, Step, constrained
from course_utils.pairs import Pair
from course_utils.proofs.enumeration import (
    distribution_distance,
    merge_paths,
    outcomes,
    target_distribution,
)

GAMMA = 4
MaskedRound = Callable[..., tuple[int, int, Matcher]]


def spelled(step: Step, pair: Pair) -> Spelled:
    """An automaton over characters as a matcher over the pair's tokens."""
    pieces = [pair.decode([token]) for token in range(pair.target.vocabulary_size)]
    return Spelled(step, ["" if "\ufffd" in piece else piece for piece in pieces], pair.stop_tokens)


def rule(one_round: MaskedRound, at: Matcher) -> Rule:
    """A round of yours as a rule of the course's loop, for one text: it keeps where that stands."""

    def verify(p, q, drafted, uniforms):
        nonlocal at
        p, q = as_numpy(p), np.empty((0, p.shape[-1])) if q is None else as_numpy(q)
        accepted, token, at = one_round(p, q, list(drafted), list(uniforms), at)
        return Verdict(int(accepted), int(token))

    return Rule("yours", verify, False, "your own")


@dataclass(frozen=True)
class Task:
    """A prompt, and the grammar of what follows it."""

    pair: Pair
    prompt: tuple[int, ...]
    matcher: Matcher  # of what follows

    @property
    def grammar(self) -> Matcher:
        """The same, of the whole text."""
        return Prompted(len(self.prompt), self.matcher)

    def rounds(self, masked: bool, seed: int, tokens: int, gamma: int = GAMMA) -> list[Round]:
        """A text; is the draft masked, too?  At temperature 1."""
        draft = self.pair.draft
        return self._run(
            constrained(self.pair.target, self.grammar), gamma=gamma, tokens=tokens, seed=seed,
            drafter=Sampled(constrained(draft, self.grammar) if masked else draft),
        )  # fmt: skip

    def yours(self, one_round: MaskedRound, seed: int, tokens: int) -> list[Round]:
        """A text by a round of yours: the loop's target and draft are free."""
        return self._run(
            self.pair.target, drafter=Sampled(self.pair.draft), gamma=GAMMA, tokens=tokens,
            seed=seed, rule=rule(one_round, self.matcher),
        )  # fmt: skip

    def _run(self, target, *, tokens: int, **options) -> list[Round]:
        stop = self.pair.stop_tokens
        return list(
            generate(target, self.prompt, stop_tokens=stop, max_new_tokens=tokens, **options)
        )

    def text(self, rounds: Sequence[Round]) -> str:
        """What was written, without the stop token."""
        said = [token for token in emitted_tokens(rounds) if token not in self.pair.stop_tokens]
        return self.pair.decode(said)

    def rows(self, tokens: Sequence[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """p and q of the free models and what is allowed, each (len(tokens), vocabulary), where
        each of `tokens` stands after the prompt."""
        before = [self.prompt[-1], *tokens[:-1]]
        p, q = (
            as_numpy(probabilities(model.start(self.prompt[:-1]).extend(before), Sampling()))
            for model in (self.pair.target, self.pair.draft)
        )
        allowed, at = [], self.matcher
        for token in tokens:
            allowed.append(at.allowed())
            at = at.after(token)
        return p, q, np.stack(allowed)

    def every_text(self, tokens: int, gamma: int) -> tuple[int, float]:
        """All paths of decoding with a masked draft: how many texts they end in, and how far their
        distribution is from that of the masked target alone (total variation)."""
        target = constrained(self.pair.target, self.grammar)
        drafter = constrained(self.pair.draft, self.grammar)

        def written(noise) -> tuple[int, ...]:
            rounds = self._run(
                target, drafter=Sampled(drafter), gamma=gamma, tokens=tokens, noise=lambda _: noise
            )
            return tuple(emitted_tokens(rounds))

        found = merge_paths(outcomes(written))
        truth = target_distribution(target, self.prompt, tokens, stop_tokens=self.pair.stop_tokens)
        return len(found), distribution_distance(found, truth)
