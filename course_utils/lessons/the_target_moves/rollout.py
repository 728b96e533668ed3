"""An older text of the same prompt as the draft, as reinforcement learning has from its last
epoch (SPEC-RL: REFERENCES.md, liu2025specrl).

All guesses exist before the run, each with the row that it was drawn from.  After a rejection the
new text differs, but the old tokens that were not examined are still draws from their rows.  So
they are guessed again, position by position, without the rejected token.  That is valid for rules
that examine one guess after the other, such as the token-wise one; block verification has already
examined all of them (`lessons.the_target_moves.zoo`).
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, RoundNoise, Rows


class Rollout:
    """Guess the tokens of an old text from the position where the new one ends.

    The rows must be those that the old text was drawn from.  The new text needs a fresh seed,
    or the uniforms that judge a token are those that drew it.  And the current model must not
    have been trained on this text.

    Args:
        prompt: the number of tokens in the prompt of both texts.
        tokens: the n tokens of the old text, without the prompt.
        q: (n, vocabulary), the distribution each of them was drawn from.

    Raises:
        ValueError: there is not one row per token.
    """

    def __init__(self, prompt: int, tokens: Sequence[int], q: Rows):
        if len(tokens) != len(q):
            raise ValueError(f"{len(tokens)} tokens and {len(q)} rows: give one row per token")
        self.prompt, self.tokens, self.q = prompt, tuple(tokens), q

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        at = len(tokens) - self.prompt
        guesses = self.tokens[at : at + gamma]
        return Draft(guesses, self.q[at : at + len(guesses)]) if guesses else NO_DRAFT
