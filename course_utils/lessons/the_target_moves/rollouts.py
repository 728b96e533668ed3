"""A policy that learns from its own texts, and the texts of one epoch as drafts of the next."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from transformers import Qwen3ForCausalLM

from course_utils.decoding.contracts import NO_DRAFT, Draft, LanguageModel, Rows
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.lessons.the_target_moves.rollout import Rollout
from course_utils.lessons.the_target_moves.zoo import Reuse
from course_utils.models.names import PAIRS
from course_utils.models.qwen3.onnx import OnnxQwen3
from course_utils.models.qwen3.readable import Qwen3

RATE = 1e-4

# (prompt length, old text, its rows, the text so far, gamma) -> (guesses, their rows)
Rest = Callable[[int, Sequence[int], Rows, Sequence[int], int], tuple[Sequence[int], Rows]]


def reuse(rest: Rest) -> Reuse:
    """Turn a student's function into a drafter that guesses from an old text."""

    class Yours(Rollout):
        def propose(self, tokens, gamma, noise) -> Draft:
            old = list(self.tokens)
            guesses, q = rest(self.prompt, old, self.q, list(tokens), gamma)
            return Draft(tuple(guesses), q) if len(guesses) else NO_DRAFT

    return Yours


class UpToARejection(Rollout):
    """A drafter that guesses the whole old text once, and nothing after a rejection."""

    def propose(self, tokens, gamma, noise) -> Draft:
        return super().propose(tokens, gamma, noise) if len(tokens) == self.prompt else NO_DRAFT


class Policy:
    """The trained target, which learns by policy gradient.

    It takes one AdamW step per epoch.  A text's advantage is its reward minus the mean of its
    prompt's group, divided by the group's spread (GRPO, Shao et al. 2024, equation 3; one step, so
    no clipping; no KL term).
    """

    def __init__(self, rate: float = RATE):
        self._model = Qwen3ForCausalLM.from_pretrained(PAIRS["tiny"][0], dtype=torch.float32)
        self._optimiser = torch.optim.AdamW(self._model.parameters(), rate, weight_decay=0.0)

    def now(self) -> LanguageModel:
        """Return a frozen copy of the current policy."""
        weights = {name: weight.clone() for name, weight in self._model.state_dict().items()}
        return OnnxQwen3(Qwen3(self._model.config, weights))

    def learn(self, prompts: np.ndarray, texts: Sequence[Rollout], reward: np.ndarray) -> None:
        """Take one training step.

        Args:
            prompts: (prompts, tokens of each)
            texts: grouped by prompt.
            reward: (prompts, group)
        """
        spread = reward.std(1, keepdims=True) + 1e-6
        advantages = torch.tensor((reward - reward.mean(1, keepdims=True)) / spread).ravel()
        written, before = np.array([text.tokens for text in texts]), prompts.shape[1]
        ids = torch.tensor(np.concatenate([prompts.repeat(reward.shape[1], 0), written], 1))
        logits = self._model(ids[:, :-1]).logits[:, before - 1 :]
        chosen = logits.log_softmax(-1).gather(2, ids[:, before:, None])[..., 0]
        self._optimiser.zero_grad()
        (-(advantages[:, None] * chosen).mean()).backward()
        self._optimiser.step()


def write(
    model: LanguageModel, prompts: np.ndarray, tokens: int, seed: int,
    old: Sequence[Rollout] | None = None, way: Reuse = Rollout,
) -> tuple[list[Rollout], np.ndarray]:  # fmt: skip
    """Write a text per prompt, drafting from `old` by `way`; return texts and passes."""
    texts, passes = [], []
    for i, prompt in enumerate(prompts.tolist()):
        drafter = way(old[i].prompt, old[i].tokens, old[i].q) if old else None
        options = {"gamma": tokens, "max_new_tokens": tokens, "rows": True}
        rounds = list(generate(model, prompt, drafter, seed=1000 * seed + i, **options))
        rows = np.concatenate([as_numpy(r.p[: len(r.emitted)]) for r in rounds])
        texts.append(Rollout(len(prompt), emitted_tokens(rounds), rows))
        passes.append(len(rounds))
    return texts, np.array(passes)


def judged(
    model: LanguageModel, prompts: np.ndarray, old: Sequence[Rollout]
) -> tuple[float, np.ndarray]:
    """Judge the old texts of these prompts by the current policy.

    Returns:
        alpha, the mean of sum(min(p, q)); min(1, p/q) for each old token that can be a guess,
        (texts, tokens - 1).
    """
    overlaps, accepted = [], []
    for text, prompt in zip(old, prompts, strict=True):
        rows = model.start(prompt[:-1].tolist()).extend([int(prompt[-1]), *text.tokens[:-1]])
        p, q = as_numpy(probabilities(rows, Sampling())), text.q
        drawn = np.arange(len(p)), list(text.tokens)
        overlaps.append(np.minimum(p, q).sum(-1).mean())
        accepted.append(np.minimum(1, p[drawn] / q[drawn])[:-1])
    return float(np.mean(overlaps)), np.stack(accepted)
