"""An older text of the same prompt as the draft: what reinforcement learning has from its last
epoch (SPEC-RL: REFERENCES.md, liu2025specrl).

All guesses are there before the run, each with the row that it was drawn from at the time.  After
a rejection the text goes on otherwise, and the old one still stands: what was not examined of it
is as much a draw from its rows as before.  So it is guessed again, place by place; only the
rejected token is not.  That holds for a rule that looks at one guess after the other, as the
token-wise one; block verification has looked at all of them (`proofs.broken_rollouts`).
"""

from collections.abc import Iterable, Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, Round, RoundNoise, Rows
from course_utils.decoding.rows import namespace


class Rollout:
    """Guesses the tokens of an old text that stand where the new one ends.

    The rows must be those that drew the old text, when it was drawn.  The new text needs a seed
    that no text before it had, or the uniforms that judge a token are those that drew it.  And
    today's model must not have learned from this very text.

    Args:
        prompt: how many tokens the prompt of both texts has.
        tokens: of the old text, n, without the prompt.
        q: (n, vocabulary), the distribution each of them was drawn from.

    Raises:
        ValueError: there is not a row for each token.
    """

    def __init__(self, prompt: int, tokens: Sequence[int], q: Rows):
        if len(tokens) != len(q):
            raise ValueError(f"{len(tokens)} tokens and {len(q)} rows: each token needs its own")
        self.prompt, self.tokens, self.q = prompt, tuple(tokens), q

    @classmethod
    def of(cls, rounds: Iterable[Round]) -> "Rollout":
        """The text of a run, plain or speculative, whose rule is lossless, with the target's rows.

        Raises:
            ValueError: there are no rounds, or they drafted trees.
            LookupError: the rounds were generated without `rows=True`.
        """
        rounds = list(rounds)
        if not rounds or any(r.parents is not None for r in rounds):
            raise ValueError("an old text is that of a run of chains, and of one round at least")
        xp = namespace(rounds[0].p)
        rows = [r.p[: len(r.emitted)] for r in rounds]
        return cls(rounds[0].context, [t for r in rounds for t in r.emitted], xp.concat(rows))

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        at = len(tokens) - self.prompt
        guesses = self.tokens[at : at + gamma]
        return Draft(guesses, self.q[at : at + len(guesses)]) if guesses else NO_DRAFT
