"""A policy that learns from its own texts, and the texts of one epoch as drafts of the next, as in
reinforcement learning (SPEC-RL: REFERENCES.md, liu2025specrl).

All guesses exist before the run, each with the row that it was drawn from.  After a rejection the
new text differs, but the old tokens that were not examined are still draws from their rows.  So
they are guessed again, position by position, without the rejected token.  That is valid for rules
that examine one guess after the other, such as the token-wise one; block verification has already
examined all of them (`rollout_bugs`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from transformers import Qwen3ForCausalLM

from course_utils.decoding.contracts import (
    NO_DRAFT,
    Draft,
    Drafter,
    LanguageModel,
    RoundNoise,
    Rows,
    Rule,
)
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.rules import BLOCK, TOKEN_WISE
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.names import PAIRS
from course_utils.models.qwen3.onnx import OnnxQwen3
from course_utils.models.qwen3.readable import Qwen3
from course_utils.proofs.bugs import DRAFT, RATIO, TOKEN, Bug, bug
from course_utils.proofs.decoders import Decoder, Exam, exam
from course_utils.proofs.likelihood import rows_along
from course_utils.refused import returned

RATE = 1e-4

Reuse = Callable[[int, Sequence[int], Rows], Drafter]  # called with the fields of `Rollout`


def still_good(prompt, old, q, text, gamma):
    """prompt, its length; old, n tokens of the last epoch, and q (n, V),
    the rows they were drawn from; text, a list: prompt and new tokens
    -> (at most gamma guesses for the next tokens, their rows of q)"""
    start = len(text) - prompt
    guesses = old[start : start + gamma]
    return guesses, q[start : start + len(guesses)]


@dataclass(frozen=True, eq=False)
class Rollout:
    """A drafter that guesses the tokens of an old text from the position where the new one ends.

    The new text needs a fresh seed, or the uniforms that judge a token are those that drew it.
    And the current model must not have been trained on this text.
    """

    prompt: int  # the number of tokens in the prompt of both texts
    tokens: Sequence[int]  # the n tokens of the old text, without the prompt
    q: Rows  # (n, vocabulary), the distribution each of them was drawn from
    rest: Callable = still_good

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        old = list(self.tokens)
        guesses, q = returned(self.rest(self.prompt, old, self.q, list(tokens), gamma))
        return Draft(tuple(guesses), q) if len(guesses) else NO_DRAFT


def reuse(rest: Callable) -> Reuse:
    """Turn a function like `still_good` into a drafter that guesses from an old text."""
    return partial(Rollout, rest=rest)


@reuse
def UpToARejection(prompt, old, q, text, gamma):  # noqa: N802 (a drafter)
    """Guess the whole old text once, and nothing after a rejection."""
    return (old[:gamma], q[:gamma]) if len(text) == prompt else ((), None)


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
        p, q = rows_along(model, prompt.tolist(), text.tokens, Sampling()), text.q
        drawn = np.arange(len(p)), list(text.tokens)
        overlaps.append(np.minimum(p, q).sum(-1).mean())
        accepted.append(np.minimum(1, p[drawn] / q[drawn])[:-1])
    return float(np.mean(overlaps)), np.stack(accepted)


# In an exam the draft model is the last epoch's policy, and the target this epoch's.


class Epoch:
    """A drafter whose old text is gamma tokens that `model` writes in the first round."""

    def __init__(self, model: LanguageModel, reuse: Reuse = Rollout):
        self._writer, self._reuse = Sampled(model), reuse
        self._old: Drafter | None = None

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        if self._old is None:
            old = self._writer.propose(tokens, gamma, noise)
            self._old = self._reuse(len(tokens), old.tokens, old.q)
        return self._old.propose(tokens, gamma, noise)


def epochs(reuse: Reuse, rule: Rule = TOKEN_WISE, **options: Any) -> Decoder:
    """Return the decoder of an epoch that reuses texts of the last one."""
    return Decoder(rule, lambda model: Epoch(model, reuse), **options)


def rollout_exam(seed: int = 0, length: int = 4, **settings: Any) -> Exam:
    """Return an exam of `length` tokens, in which the whole old text fits one draft."""
    return exam(seed=seed, gamma=length, length=length, **settings)


def rollout_bugs(exam: Exam) -> tuple[Bug, ...]:
    """Return the specimens for this exam; one of them uses the exam's target."""

    def rows_of_today(prompt: int, tokens: Sequence[int], q: Rows) -> Rollout:
        return Rollout(prompt, tokens, rows_along(exam.target, exam.prompt, tokens, exam.sampling))

    return (
        Bug("resample from p", TOKEN, "the token after a rejection is drawn from p",
            epochs(Rollout, bug("resample from p").decoder.rule), "SPEC-RL #14"),
        Bug("rows of today", DRAFT, "the old text is judged by rows that the new model gives",
            epochs(rows_of_today), "tempting"),
        Bug("left by block", RATIO,
            "the reused tokens were examined: block verification uses all guesses",
            epochs(Rollout, BLOCK), "tempting"),
    )  # fmt: skip
