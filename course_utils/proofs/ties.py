"""Whether two greedy runs differ by a numerical tie or by a bug.

Speculation scores a position together with the rows of a draft, plain decoding scores it alone.
Matrix products then add in another order, and in bfloat16 two nearly equal tokens may swap ranks.
That is not a fault of the decoder; any other wrong token is.

Let a and s be the first tokens at which a plain and a speculative run differ, and score the
position again both ways, by the same calls as in the runs.  It is a numerical tie if a leads when
scored alone, s leads among the rows of its round, and in both the other token is behind by at most
the *noise*; anything else is a bug.  The first two conditions are exact: the same calls on the
same machine give the same bits.  The effect of grouping is measured, on the same model and other
text: `noise_floor`.

After a tie, each token is compared with the argmax along the *speculative* text, so a bug after a
tie is also found.  Exactly equal logits are a tie.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sessions import common_prefix
from course_utils.proofs.passes import below, largest_change, score, score_again

GROUPS = range(2, 10)  # rows in a pass that verifies 1..8 drafted tokens
SAFETY = 2.0  # the largest change may exceed the largest in the sample
MAX_FLIPS = 0.1  # share of positions; rounding flips the leader at 0.01, a wrong mask at most

SAME, TIE, BUG = "same", "numerical tie", "bug"


@dataclass(frozen=True)
class Scoring:
    """The distances of two tokens from the largest logit of one row."""

    rows: int  # rows in the same pass
    autoregressive: float
    speculative: float

    @property
    def margin(self) -> float:
        """The lead of the autoregressive token over the speculative one, in logits."""
        return self.speculative - self.autoregressive


@dataclass(frozen=True)
class Divergence:
    """A position at which speculation and plain decoding emitted different tokens."""

    position: int  # 0 is the first new token
    autoregressive: int  # token
    speculative: int  # token
    alone: Scoring  # one new token per pass, as plain decoding scores
    among: Scoring  # in the rows of the round that emitted it
    noise: float  # logits

    @property
    def verdict(self) -> str:
        """ "numerical tie" or "bug"."""
        each_leads = self.alone.autoregressive == 0 == self.among.speculative
        behind = max(self.alone.speculative, self.among.autoregressive)
        return TIE if each_leads and behind <= self.noise else BUG


def compare(
    target: LanguageModel, prompt: Sequence[int], autoregressive: Sequence[int],
    rounds: Iterable[Round], noise: float,
) -> tuple[Divergence, ...]:  # fmt: skip
    """Return each difference between a speculative greedy run and a plain one.

    Both must come from this machine, with the same number of threads: their passes are repeated
    and compared to the last bit.  For texts from elsewhere use `unexplained`.

    Args:
        target: the model itself, without any wrapper used in the runs.
        autoregressive: the new tokens of the run without a drafter; same budget, same stop tokens.
        rounds: the speculative run.
        noise: from `noise_floor`.

    Raises:
        ValueError: one text ends before the other.
    """
    rounds = list(rounds)
    tokens = emitted_tokens(rounds)
    if tokens == list(autoregressive):
        return ()
    parted = common_prefix(autoregressive, tokens)
    if parted in (len(tokens), len(autoregressive)):
        raise ValueError("one text ends before the other: use the same budget and stop tokens")
    alone, among = score(target, prompt, tokens), score_again(target, prompt, rounds)
    plain = alone.argmax(-1).tolist()
    plain[parted] = autoregressive[parted]
    return tuple(
        Divergence(
            i, plain[i], token,
            Scoring(1, below(alone[i], plain[i]), below(alone[i], token)),
            Scoring(k, below(row, plain[i]), below(row, token)),
            noise,
        )
        for i, (token, (k, row)) in enumerate(zip(tokens, among, strict=True))
        if plain[i] != token
    )  # fmt: skip


def unexplained(
    target: LanguageModel, prompt: Sequence[int], tokens: Sequence[int], noise: float
) -> list[int]:
    """Return the positions of a greedy text whose token is not within `noise` of the argmax.

    It scores the text one token at a time, so it needs neither rounds nor a second run.  It misses
    a wrong token if the right one leads by less than the noise; `compare` does not.
    """
    rows = score(target, prompt, tokens)
    return [i for i, token in enumerate(tokens) if below(rows[i], token) > noise]


def noise_floor(
    target: LanguageModel, texts: Iterable[Sequence[int]], groups: Iterable[int] = GROUPS
) -> float:
    """Return `SAFETY` times the largest effect of grouping on a lead, in logits: the likeliest
    token's over the second, alone against among k rows of `groups`, over all positions.

    Args:
        texts: held-out texts, a few hundred tokens in total.

    Raises:
        ValueError: no text has two tokens; scoring twice in the same way gives different bits,
            which `compare` cannot handle; or grouping changes the leader too often for rounding.
    """
    texts, groups = [text for text in texts if len(text) > 1], list(groups)
    if not texts or not groups:
        raise ValueError("no text has two tokens: give longer texts to measure the noise on")
    once, twice = (score(target, texts[0][:1], texts[0][1:]) for _ in range(2))
    if not (once == twice).all():
        raise ValueError(
            "scoring a text twice in the same way gives different logits, so a run cannot be "
            "repeated: use deterministic kernels (torch.use_deterministic_algorithms)"
        )
    changes, flips, positions = [], 0, 0
    for text in texts:
        alone = score(target, text[:1], text[1:])
        for k in groups:
            among = score(target, text[:1], text[1:], k)
            changes.append(largest_change(alone, among))
            flips += int((alone.argmax(-1) != among.argmax(-1)).sum())
            positions += len(alone)
    if flips > MAX_FLIPS * positions:
        raise ValueError(
            f"scoring several rows at once changes the likeliest token at {flips} of {positions} "
            "positions, too many for rounding: check the model's causal mask by comparing its "
            "extend of one token with that of several"
        )
    return SAFETY * max(changes)
