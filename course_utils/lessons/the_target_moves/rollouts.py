"""A policy that learns from its own texts, and the texts of one epoch as drafts of the next."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from tqdm.auto import tqdm
from transformers import Qwen3ForCausalLM

from course_utils.decoding.contracts import NO_DRAFT, Draft, Drafter, LanguageModel, Rows
from course_utils.decoding.loop import generate
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.drafters.rollout import Rollout
from course_utils.models.names import held_out_prompts
from course_utils.models.qwen3.onnx import OnnxQwen3
from course_utils.models.qwen3.readable import Qwen3
from course_utils.pairs import PAIRS, Pair
from course_utils.proofs.broken_rollouts import Reuse, epochs
from course_utils.proofs.decoders import Exam

PROMPT = 16  # tokens of each prompt
RATE = 1e-4

# (tokens of the prompt, old text, its rows, the text so far, gamma) -> (guesses, their rows)
Rest = Callable[[int, Sequence[int], Rows, Sequence[int], int], tuple[Sequence[int], Rows]]


def reuse(rest: Rest) -> Reuse:
    """A function of yours as what makes a drafter of an old text."""

    class Yours(Rollout):
        def propose(self, tokens, gamma, noise) -> Draft:
            old = list(self.tokens)
            guesses, q = rest(self.prompt, old, self.q, list(tokens), gamma)
            return Draft(tuple(guesses), q) if len(guesses) else NO_DRAFT

    return Yours


class UpToARejection(Rollout):
    """The old text as one draft, and no guess after it."""

    def propose(self, tokens, gamma, noise) -> Draft:
        return super().propose(tokens, gamma, noise) if len(tokens) == self.prompt else NO_DRAFT


def reward(text: str) -> float:
    """The share of its characters that are small letters."""
    return sum(character.islower() for character in text) / max(1, len(text))


class Policy:
    """The trained target, which learns by policy gradient.

    One step of AdamW an epoch, towards texts of more reward than the mean of their prompt's group,
    in units of the group's spread (GRPO, Shao et al. 2024, equation 3, with one step, so without
    clipping; no KL term).
    """

    def __init__(self, rate: float = RATE):
        self._model = Qwen3ForCausalLM.from_pretrained(PAIRS["tiny"][0], dtype=torch.float32)
        self._optimiser = torch.optim.AdamW(self._model.parameters(), rate, weight_decay=0.0)

    def now(self) -> LanguageModel:
        """What it is at this moment, as a model that learns no more."""
        weights = {name: weight.clone() for name, weight in self._model.state_dict().items()}
        return OnnxQwen3(Qwen3(self._model.config, weights))

    def learn(self, prompts: np.ndarray, texts: np.ndarray, reward: np.ndarray) -> None:
        """One step.

        Args:
            prompts: (prompts, PROMPT)
            texts: (prompts * group, tokens), those of a prompt beside one another.
            reward: (prompts, group)
        """
        spread = reward.std(1, keepdims=True) + 1e-6
        advantages = torch.tensor((reward - reward.mean(1, keepdims=True)) / spread).ravel()
        before = prompts.repeat(reward.shape[1], 0)
        ids = torch.tensor(np.concatenate([before, texts], 1))
        logits = self._model(ids[:, :-1]).logits[:, PROMPT - 1 :]
        chosen = logits.log_softmax(-1).gather(2, ids[:, PROMPT:, None])[..., 0]
        self._optimiser.zero_grad()
        (-(advantages[:, None] * chosen).mean()).backward()
        self._optimiser.step()


@dataclass(frozen=True)
class Beside:
    """Today's policy along old texts, whose rows q are theirs.

    Attributes:
        alpha: the mean of sum(min(p, q)).
        accepted: (texts, tokens - 1), min(1, p/q) of each old token that can be a guess.
        resampled: the mean TV, per token, between p and what comes out if a rejected token is
            replaced by a draw from p.
    """

    alpha: float
    accepted: np.ndarray
    resampled: float


def beside(model: LanguageModel, prompts: np.ndarray, old: Sequence[Rollout]) -> Beside:
    """Those figures, of texts of which as many belong to each prompt."""
    overlaps, accepted, resampled = [], [], []
    for rollout, prompt in zip(old, prompts.repeat(len(old) // len(prompts), 0), strict=True):
        after = [int(prompt[-1]), *rollout.tokens[:-1]]
        rows = model.start(prompt[:-1].tolist()).extend(after)
        p, q = as_numpy(probabilities(rows, Sampling())), as_numpy(rollout.q)
        both = np.minimum(p, q)
        overlap = both.sum(-1, keepdims=True)
        chosen = np.arange(len(p)), list(rollout.tokens)
        overlaps.append(overlap.mean())
        accepted.append(np.minimum(1, p[chosen] / q[chosen])[:-1])
        resampled.append(np.abs(both - overlap * p).sum(-1).mean() / 2)  # both + (1 - overlap) p
    return Beside(float(np.mean(overlaps)), np.stack(accepted), float(np.mean(resampled)))


@dataclass(frozen=True)
class Epoch:
    """One round of writing, and what the old texts were worth in it; None in the first epoch."""

    model: LanguageModel  # the policy that wrote
    texts: list[Rollout]
    reward: np.ndarray  # (prompts, group)
    passes: dict[str, np.ndarray]  # of the target, for each text, by how old texts were used
    last: Beside | None = None  # the texts of the epoch before
    first: Beside | None = None  # those of the first epoch

    @property
    def better(self) -> np.ndarray:
        """(texts,), whether the step of training makes a text likelier."""
        return (self.reward > self.reward.mean(1, keepdims=True)).ravel()


LAST, CUT, FIRST = "last epoch's texts", "up to a rejection", "first epoch's texts"


@dataclass(frozen=True)
class Training:
    """Prompts, and how many texts of how many tokens each of them gets in an epoch."""

    pair: Pair
    prompts: int = 4
    group: int = 4
    tokens: int = 32

    def run(self, rest: Rest, many: int) -> list[Epoch]:
        """So many epochs; old texts are used by `rest`."""
        texts = held_out_prompts("prose")[: self.prompts]
        prompts = np.array([self.pair.encode(text)[:PROMPT] for text in texts])
        policy, done = Policy(), []
        for number in tqdm(range(many), unit="epoch"):
            done.append(self._epoch(policy.now(), prompts, rest, number, done))
            written = np.array([text.tokens for text in done[-1].texts])
            policy.learn(prompts, written, done[-1].reward)
        return done

    def _reward_of(self, texts: Sequence[Rollout]) -> np.ndarray:
        each = [reward(self.pair.decode(list(text.tokens))) for text in texts]
        return np.array(each).reshape(self.prompts, self.group)

    def _epoch(
        self,
        model: LanguageModel,
        prompts: np.ndarray,
        rest: Rest,
        number: int,
        done: Sequence[Epoch],
    ) -> Epoch:
        if not done:
            texts, passes = self._written(model, prompts, number, None)
            return Epoch(model, texts, self._reward_of(texts), {LAST: passes})
        ways = {
            LAST: (done[-1].texts, reuse(rest)),
            CUT: (done[-1].texts, UpToARejection),
            FIRST: (done[0].texts, reuse(rest)),
        }
        runs = {
            name: self._written(
                model, prompts, number, [make(old.prompt, old.tokens, old.q) for old in olds]
            )
            for name, (olds, make) in ways.items()
        }
        texts = runs[LAST][0]
        return Epoch(
            model, texts, self._reward_of(texts),
            {name: passes for name, (_, passes) in runs.items()},
            beside(model, prompts, done[-1].texts), beside(model, prompts, done[0].texts),
        )  # fmt: skip

    def _written(
        self,
        model: LanguageModel,
        prompts: np.ndarray,
        number: int,
        drafters: Sequence[Drafter] | None,
    ) -> tuple[list[Rollout], np.ndarray]:
        """A text of each place, and the passes that it took; each has a seed of its own."""
        texts, passes = [], []
        for place, prompt in enumerate(prompts.repeat(self.group, 0).tolist()):
            rounds = list(
                generate(
                    model, prompt, drafters[place] if drafters else None, gamma=self.tokens,
                    max_new_tokens=self.tokens, seed=1000 * number + place, rows=True,
                )
            )  # fmt: skip
            texts.append(Rollout.of(rounds))
            passes.append(len(rounds))
        return texts, np.array(passes)


def every_text(now: LanguageModel, before: LanguageModel, prompt: Sequence[int], rest: Rest):
    """Every old text of three tokens, and every path of today's policy with it.

    Of each row the two likeliest tokens count.

    Returns:
        The total variation between the texts that come out and those of today's policy.
    """
    settings = {"sampling": Sampling(top_k=2), "gamma": 3, "length": 3}
    return Exam(now, before, prompt=tuple(prompt), **settings).distance(epochs(reuse(rest)))
