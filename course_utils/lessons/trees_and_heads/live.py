"""Two heads learn while the lesson runs, from a student's loss: one on true states only, one on
its own as well.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from transformers import PreTrainedTokenizerBase, Qwen3ForCausalLM
from transformers.utils import logging as transformers_logging

from course_utils.lessons.trees_and_heads.checks import Step
from course_utils.models.heads import Ends, UnrolledHead
from course_utils.models.pairs import PAIRS
from course_utils.training import corpus
from course_utils.training.head_recipes import HeadRecipe
from course_utils.training.optimisers import optimisers_of
from workshop.training.head_losses import (
    Studied,
    compared,
    precision,
    study,
    tokens_a_round,
)
from workshop.training.head_stage import new_head

TAPS = (2, 8, 16)
RECIPE = HeadRecipe(5, 0.8, taps=TAPS, draft_vocabulary=2048)
LENGTH = 64  # tokens a window
RATE = 6e-3  # of learning, at its peak
LOOK = 5  # positions that are looked at


def loaded(which: int) -> Qwen3ForCausalLM:
    """The pair's target (0) or draft (1) as transformers has it; it learns nothing here."""
    transformers_logging.disable_progress_bar()
    model = Qwen3ForCausalLM.from_pretrained(PAIRS["tiny"][which], dtype=torch.float32)
    return model.eval().requires_grad_(False)


def tokens_of(tokenizer: PreTrainedTokenizerBase, held_out: bool, files: int = 60) -> np.ndarray:
    """Text that the pair learned from, or text that it never saw."""
    sources = corpus.held_out_sources() if held_out else corpus.training_sources()
    texts = [text for name, text in sources if held_out or not corpus.is_test(name)]
    texts = texts[:: max(1, len(texts) // files)][:files]
    return np.concatenate([np.asarray(ids, np.int64) for ids in tokenizer(texts)["input_ids"]])


def windows(tokens: np.ndarray, number: int, seed: int = 0, length: int = LENGTH) -> Tensor:
    """Random ones, (number, length)."""
    starts = np.random.default_rng(seed).integers(0, len(tokens) - length, number)
    return torch.from_numpy(np.stack([tokens[s : s + length] for s in starts]))


@dataclass
class Learned:
    """A head, and what it was measured to do on text that it never saw."""

    head: UnrolledHead
    unroll: int
    given: list[float]  # alpha by position, true states given
    own: list[float]  # alpha by position, on its own states
    tau: float  # predicted on its own states, for chains of `LOOK`
    promised: float  # the same number, if the alphas of given states are taken for it


class School:
    """The target's knowledge of some windows, from which any head can learn."""

    def __init__(self, target, draft, learned: np.ndarray, unseen: np.ndarray, number: int = 64):
        self._target, self._draft, self._tokens = target, draft, learned
        self.ends = Ends.of(target)
        self.lessons: Studied = study(target, windows(learned, number), TAPS)
        self.held_out: Studied = study(target, windows(unseen, 16, seed=1), TAPS)
        with torch.no_grad():
            self._p = F.linear(self.lessons.last.float(), self.ends.lm_head.float()).softmax(-1)

    def new_head(self, seed: int = 0) -> UnrolledHead:
        """It begins with the draft's first layer."""
        torch.manual_seed(seed)
        return new_head(RECIPE, self._target, self._tokens, self._draft)

    def anchors(self, steps: int, number: int, seed: int = 0) -> Iterator[list[tuple[int, int]]]:
        """For each step of training so many (window, anchor), drawn at random."""
        rng = np.random.default_rng(seed)
        last = LENGTH - 1 - LOOK  # so many rows must follow
        for _ in range(steps):
            rows, places = rng.integers(0, [[len(self._p)], [last]], (2, number))
            yield list(zip(rows.tolist(), places.tolist(), strict=True))

    def read(
        self, head: UnrolledHead, window: int, anchor: int
    ) -> tuple[Step, Tensor, list[int], Tensor]:
        """(step, states, tokens, p) of a window, as `unrolled_loss` takes them.

        `step` holds the head's own cache, in which the text up to `anchor` has been read.  p is
        over the tokens that the head can say.
        """
        tokens = self.lessons.tokens[window]
        states = head.first_state(self.lessons.taps[:, window])
        anchors, seen = torch.tensor([anchor]), []

        def step(token: int, state: Tensor) -> tuple[Tensor, Tensor]:
            x, places = head.joined(torch.as_tensor(token), state)[None, None], anchors + len(seen)
            if not seen:  # the warm-up
                before = head.joined(tokens[1 : anchor + 1], states[:anchor])
                x, places = torch.cat([before[None], x], 1), torch.arange(anchor + 1)
            new = head.block(x, places, anchors, seen)
            return new[0, 0], head.logits(new)[0, 0].log_softmax(-1)

        return step, states, tokens.tolist(), self._p[window][:, head.draft_tokens]

    def looked_at(self, head: UnrolledHead, unroll: int) -> Learned:
        """Alphas and tau on the windows that were held out."""
        head.requires_grad_(False).eval()
        with torch.no_grad(), precision(self.held_out.last.device):
            own = compared(head, self.ends, self.held_out, LOOK)[1]
            first = compared(head, self.ends, self.held_out, 1)[1][0]
        # given the true states, guess i is the first one of a later anchor
        given = [first[:, i : i + own[0].shape[1]] for i in range(LOOK)]
        tau, promised = (tokens_a_round(side).mean().item() for side in (own, given))
        by_place = ([a.mean().item() for a in side] for side in (given, own))
        return Learned(head, unroll, *by_place, tau, promised)


class Learner:
    """Steps of an optimiser: the rate rises over the first tenth, then falls to zero."""

    def __init__(self, head: UnrolledHead, steps: int, rate: float = RATE):
        self._optimisers, self._steps, self._rate, self._done = (
            optimisers_of(head, rate),
            steps,
            rate,
            0,
        )

    def step(self) -> None:
        """By the gradients that were added up since the last one."""
        share = min(10 * (self._done + 1) / self._steps, 1.0) * (1 - self._done / self._steps)
        for optimiser in self._optimisers:
            for group in optimiser.param_groups:
                group["lr"] = self._rate * share
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        self._done += 1
