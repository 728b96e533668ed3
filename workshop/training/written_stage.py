"""The draft of SmolLM2: a head that learns from text by its target (`written_text`).

folder/smollm2/             what `course_utils.models.trained_heads.load_head` loads
folder/smollm2_log.jsonl    loss and alpha by position on held-out text, against tokens
folder/work/                the text, checkpoints, and the log so far; may be deleted then
"""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from course_utils.models.qwen3.heads import EagleHead, Ends
from workshop.training import manifest, stages, written_text
from workshop.training.head_losses import objective
from workshop.training.head_stage import LOGGED_TOKENS, new_head
from workshop.training.recipes import SMOLLM2, WRITTEN, TiedRecipe, WrittenSchooling
from workshop.training.unrolled import save_head

NAME = "smollm2"


def train_on_written(
    folder: Path,
    source: Path,
    schooling: WrittenSchooling = WRITTEN,
    recipe: TiedRecipe = SMOLLM2,
    *,
    seed: int = 0,
    **options,
) -> None:
    """Write `folder`/smollm2, for the model in `source`, unless it exists.

    Args:
        options: passed to `course_utils.training.loop.train`.

    Raises:
        ValueError: there is a head, text or checkpoint with other settings.
    """
    weights = manifest.digest(source / "model.safetensors") or "unknown"
    same = {"target": weights, "seed": seed, "length": schooling.length, "texts": schooling.texts}
    settings = {**asdict(schooling), "recipe": str(recipe), **same}
    if stages.is_finished(folder, NAME, settings):
        return
    torch.manual_seed(seed)
    target = AutoModelForCausalLM.from_pretrained(source, dtype=torch.float32)
    ends, taps = Ends.of(target), recipe.aux_layers
    text = {**same, "taps": str(taps)}
    held_out, *shards = written_text.prepare(folder, source, text, schooling, taps, seed)
    before = len(written_text.template_head(AutoTokenizer.from_pretrained(source)))
    text_tokens = torch.cat([written_text.tokens_of(shard)[:, before:] for shard in shards])
    head = new_head(recipe, target, text_tokens.flatten().numpy())
    assert isinstance(head, EagleHead)
    del target  # only its ends are needed
    at_once = schooling.batch_tokens // schooling.length
    blocks = [slice(i, i + at_once) for i in range(0, schooling.texts, at_once)]

    def draw(step: int) -> tuple[Path, slice]:
        """Return every block of every shard once per epoch, in a new order each time."""
        turn, place = divmod(step, len(shards) * len(blocks))
        order = np.random.default_rng((seed, turn)).permutation(len(shards) * len(blocks))
        shard, block = divmod(int(order[place]), len(blocks))
        return shards[shard], blocks[block]

    loss, evaluate = objective(
        {NAME: head}, ends, {NAME: recipe}, taps, lambda place: written_text.read(*place, ends),
        [(held_out, block) for block in blocks], schooling.stride, before,
    )  # fmt: skip
    stages.train_and_write(
        folder, NAME, settings, head, loss, draw, evaluate, schooling,
        lambda new: save_head(head, new), logged_tokens=LOGGED_TOKENS, **options,
    )  # fmt: skip
