"""Two heads learn while the lesson runs: one on true states only, one on its own as well."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor
from tqdm.auto import tqdm
from transformers import PreTrainedTokenizerBase, Qwen3ForCausalLM
from transformers.utils import logging as transformers_logging

from course_utils.models.heads import Ends, UnrolledHead
from course_utils.models.pairs import PAIRS
from course_utils.training import corpus
from course_utils.training.head_losses import (
    Studied,
    compared,
    precision,
    study,
    tokens_a_round,
    trained,
)
from course_utils.training.head_stage import HeadRecipe, new_head

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
    loss: list[float] = field(default_factory=list)
    given: list[float] = field(default_factory=list)  # alpha by position, true states given
    own: list[float] = field(default_factory=list)  # alpha by position, on its own states
    tau: float = 1.0  # predicted on its own states, for chains of `LOOK`
    promised: float = 1.0  # the same number, if the alphas of given states are taken for it


class School:
    """The target's knowledge of some windows, from which any head can learn."""

    def __init__(self, target, draft, learned: np.ndarray, unseen: np.ndarray, number: int = 64):
        self._target, self._draft, self._tokens = target, draft, learned
        self.ends = Ends.of(target)
        self.lessons: Studied = study(target, windows(learned, number), TAPS)
        self.held_out: Studied = study(target, windows(unseen, 16, seed=1), TAPS)

    def train(self, unroll: int, steps: int, seed: int = 0) -> Learned:
        """A new head, with a progress bar; it begins with the draft's first layer."""
        torch.manual_seed(seed)
        head = new_head(RECIPE, self._target, self._tokens, self._draft)
        done = Learned(head, unroll)
        learning = trained(head, self.ends, self.lessons, steps, unroll, learning_rate=RATE)
        bar = tqdm(learning, total=steps, desc=f"unrolled {unroll}", unit="step")
        for loss, _ in bar:
            done.loss.append(loss)
        head.requires_grad_(False).eval()
        return self.looked_at(done)

    def looked_at(self, done: Learned) -> Learned:
        """Alphas and tau on the windows that were held out."""
        with torch.no_grad(), precision(self.held_out.last.device):
            own = compared(done.head, self.ends, self.held_out, LOOK)[1]
            first = compared(done.head, self.ends, self.held_out, 1)[1][0]
        # given the true states, guess i is the first one of a later anchor
        given = [first[:, i : i + own[0].shape[1]] for i in range(LOOK)]
        done.own, done.given = ([a.mean().item() for a in side] for side in (own, given))
        done.tau, done.promised = (tokens_a_round(side).mean().item() for side in (own, given))
        return done


def rows(heads: Sequence[Learned]) -> list[dict[str, object]]:
    """A row for each head and each way of looking at it."""
    found = []
    for done in heads:
        for way, alphas in {"given": done.given, "own": done.own}.items():
            places = {f"α{i}": alpha for i, alpha in enumerate(alphas, 1)}
            found.append({"unrolled": done.unroll, "states": way, **places})
    return found
