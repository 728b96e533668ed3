"""Which drafter guesses: the one that would have done best so far.

The choice is made before anything is drawn, from rounds that are over, so the output is
the target's, whoever guesses.  `cascade` chooses by who has a guess.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import exp, fsum

from course_utils.decoding.contracts import (
    Draft,
    Drafter,
    LanguageModel,
    Round,
    RoundNoise,
    Rows,
    Session,
)
from course_utils.decoding.lean import examined_overlaps
from course_utils.decoding.loop import catch_up
from course_utils.decoding.noise import Noise
from course_utils.decoding.outcomes import Cost
from course_utils.decoding.proposal import DraftNoise
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.theory import expected_tokens_by_position, overlap
from course_utils.drafters.held import Held

NO_NOISE = DraftNoise([0.0])  # certain guesses take none

# (text, rows of p that its last tokens were drawn from) -> P(accepted) of a guess at each
Judge = Callable[[Sequence[int], Rows], list[float]]


def certain_guesses(drafter: Drafter) -> Judge:
    """Of a drafter whose guesses are certain: p(guess), 0 where it has none.

    Costs no pass, but a copy of the text for each token.  `drafter` is asked about places
    in the text's past: give it one that keeps nothing between proposals, or one of its own.
    """

    def judge(text: Sequence[int], p: Rows) -> list[float]:
        shares = []
        for row, place in zip(p, range(len(text) - len(p), len(text)), strict=True):
            draft = drafter.propose(text[:place], 1, NO_NOISE)
            shares.append(float(row[draft.tokens[0]]) if draft.tokens else 0.0)
        return shares

    return judge


class ModelJudge:
    """Of a draft model: sum min(p, q) = 1 - TV at each place.

    Costs one pass over what was committed since the model was last asked.
    """

    def __init__(self, model: LanguageModel, sampling: Sampling = Sampling()):
        self.model = model
        self.sampling = sampling
        self._session: Session | None = None
        self._held = Held()

    def __call__(self, text: Sequence[int], p: Rows) -> list[float]:
        if len(text) > self.model.context:
            return [0.0] * len(p)
        if self._session is None:
            self._session = self.model.start([])
        kept = min(self._held.agrees_with(text), len(text) - len(p) - 1)
        logits = catch_up(self._session, text, kept)[-len(p) - 1 : -1]
        self._held.now(text)
        return overlap(as_numpy(p), as_numpy(probabilities(logits, self.sampling))).tolist()


@dataclass(frozen=True)
class Expert:
    """A drafter to choose, how it is judged without being played, and what it costs.

    Attributes:
        gamma: the guesses that it makes.
        cost: of a round with so many of its guesses, all experts in one unit.
    """

    name: str
    drafter: Drafter
    judge: Judge
    cost: Cost
    gamma: int = 4


@dataclass
class Hedged:
    """Hedge over drafters: each is judged on every text that was verified, played or not.

    On the verified prefix of a round the rows of p are known, so P(accepted) of every
    drafter's guess there is, too: full information, nothing need be tried out (Not-a-Bandit,
    REFERENCES.md: notabandit2025).  Of a model that was played the rows of q are at hand; one
    that was not costs what its judge costs.  The gain of a drafter is the expected tokens per cost
    of a round that began where one did, by these; weights are exponential in the gains, and
    old gains fade.

    Args:
        rate: how fast weights follow gains.
        memory: rounds after which a gain has faded to a third.
        seed: of its own uniforms, which have no part in the guesses.
    """

    experts: Sequence[Expert]
    rate: float = 1.0
    memory: float = 12.0
    seed: int = 0
    played: list[str] = field(default_factory=list, init=False)  # a name for each round

    def __post_init__(self) -> None:
        if not self.experts:
            raise ValueError("no drafters to choose from: give at least one Expert")
        self._gains = [0.0] * len(self.experts)
        self._shares: list[list[float]] = [[] for _ in self.experts]  # at each place since
        self._starts: deque[int] = deque()  # of rounds whose gains are not known yet
        self._done: Round | None = None
        self._playing: Expert | None = None

    def shares(self) -> list[float]:
        """With which probability each expert is played next."""
        top = max(self._gains)
        weights = [exp(self.rate * (gain - top)) for gain in self._gains]
        return [weight / fsum(weights) for weight in weights]

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        self._judge(tokens)
        [uniform] = Noise(self.seed).round(len(self.played)).uniforms("other", 1)
        ends = accumulate(self.shares())
        at = next((i for i, end in enumerate(ends) if uniform < end), len(self.experts) - 1)
        self._playing = playing = self.experts[at]
        self.played.append(playing.name)
        return playing.drafter.propose(tokens, min(gamma, playing.gamma), noise)

    def learn(self, done: Round) -> None:
        self._done = done
        if self._playing and hasattr(self._playing.drafter, "learn"):
            self._playing.drafter.learn(done)

    def _judge(self, tokens: Sequence[int]) -> None:
        """Gains of all experts from the round before, whose rows of p stand on `tokens`."""
        done, self._done = self._done, None
        if done is None:
            return
        rows = done.p[: len(done.emitted)]  # those of the tokens that were committed
        self._starts.append(len(self._shares[0]))
        for expert, known in zip(self.experts, self._shares, strict=True):
            if expert is self._playing and done.drafted and done.q is not None:
                shares = examined_overlaps(done)
                # where the bonus stands nothing was guessed: taken to be as the rest
                shares += [fsum(shares) / len(shares)] * (len(rows) - len(shares))
            else:
                shares = expert.judge(tokens, rows)
            known += shares
        longest = max(expert.gamma for expert in self.experts)
        while self._starts and self._starts[0] + longest <= len(self._shares[0]):
            self._weigh(self._starts.popleft())

    def _weigh(self, start: int) -> None:
        """Add what a round of each expert from this place would have brought for its cost."""
        kept = 1 - 1 / self.memory
        for i, expert in enumerate(self.experts):
            rates = self._shares[i][start : start + expert.gamma]
            gain = expected_tokens_by_position(rates) / expert.cost(expert.gamma)
            self._gains[i] = kept * self._gains[i] + gain
