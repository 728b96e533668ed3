"""Text by a chat model with its hidden states, the training data of its head.

    folder/work/written/00000/       texts of one shard: `Studied`, in one file

A shard's texts are written in lock step, one token of each per pass, so that a pass reads the
weights once for all.  Each starts with the head of the chat template and the opening of a user's
request, and continues with turns of user and assistant that the model invents.  Without openings
the requests are mostly small talk.  Shard 0 is held out.

Left out: other languages, prompts by people, filtering of the text.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor
from tqdm.auto import tqdm
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerBase

from course_utils.models.qwen3.heads import Ends
from course_utils.models.qwen3.readable import Qwen3
from course_utils.training.losses import EMULATED
from workshop.training import manifest
from workshop.training.head_losses import Studied
from workshop.training.recipes import WrittenSchooling

FILE = "studied.safetensors"
USERS_TEMPERATURE = 0.8  # for a user's turns; at 1 many are not questions
ANSWERS_TEMPERATURES = torch.tensor([1.0, 1.0, 0.7, 0.3])  # one of them per text
OPENINGS = (
    "What is", "What are", "What is the difference between", "What causes", "What happens",
    "What should I", "What can I", "How does", "How do I", "How can I", "How many", "How to",
    "Why is", "Why do", "Who was", "Who invented", "When did", "Where is", "Which", "Explain",
    "Can you explain", "Describe", "Tell me", "Tell me about", "Tell me three facts about",
    "Give me", "Give me tips for", "List", "Name", "Write a", "Write a short story about",
    "Write a poem about", "Write an email", "Summarize", "Compare", "Is it", "Should I",
    "Could you", "Suggest", "I want to learn", "I need", "Define", "Help me", "Plan", "Recommend",
)  # fmt: skip


class LockStep:
    """The place of the next token of B texts of one length; an `AnyLayout`."""

    def __init__(self, position: int):
        self.position, self.positions = position, slice(position, position + 1)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, kv: Tensor) -> Tensor:
        """As `AnyLayout.attend`: token i belongs to slot i."""
        (h, b, d), g = q.shape, len(k)
        kv[:, :, :, self.position] = torch.stack([k, v]).transpose(1, 2)
        keys, values = kv[:, :, :, : self.position + 1]  # (B, g, t, d)
        q = q.transpose(0, 1).reshape(b, g, h // g, d)
        weights = ((q @ keys.mT).float() * d**-0.5).softmax(-1).to(v.dtype)
        return (weights @ values).view(b, h, d).transpose(0, 1)


def template_head(tokenizer: PreTrainedTokenizerBase) -> list[int]:
    """Return the tokens before a user's first message; the first of them starts each turn."""
    messages = [{"role": "user", "content": "?"}]
    text = tokenizer.apply_chat_template(messages, tokenize=False)
    return tokenizer(text.rpartition("?")[0], add_special_tokens=False)["input_ids"]


@torch.inference_mode()
def write(
    model: Qwen3, head: Sequence[int], openings: Sequence[Sequence[int]],
    schooling: WrittenSchooling, taps: Sequence[int], seed: int,
) -> dict[str, Tensor]:  # fmt: skip
    """Write texts after `head` and one of `openings`, which are shorter than a text.

    Returns:
        tokens (B, L), states (taps, B, L, d), log_sum_exp (B, L).
        The states are bfloat16, in which the model computes if that is native.
    """
    c, texts, length = model.config, schooling.texts, len(head) + schooling.length
    generator = torch.Generator().manual_seed(seed)
    shape = (len(model.blocks), 2, texts, c.num_key_value_heads, length, c.head_dim)
    cache = torch.zeros(shape, dtype=model.dtype)
    states = torch.empty(len(taps), texts, length, c.hidden_size, dtype=torch.bfloat16)
    log_sum_exp = torch.empty(texts, length)
    tokens = torch.tensor([*head, *[0] * schooling.length]).repeat(texts, 1)
    temperature_of = torch.randint(len(ANSWERS_TEMPERATURES), (texts,), generator=generator)
    opening_of = torch.randint(len(openings), (texts,), generator=generator)
    answering = torch.zeros(texts, dtype=torch.bool)
    logits = torch.empty(0)
    for at in range(length):
        if at >= len(head):
            warmth = torch.where(answering, ANSWERS_TEMPERATURES[temperature_of], USERS_TEMPERATURE)
            sums = (logits / warmth[:, None]).softmax(-1).cumsum(-1)
            places = torch.rand(texts, 1, generator=generator) * sums[:, -1:]
            new = torch.searchsorted(sums, places)[:, 0].clamp(max=logits.shape[-1] - 1)
            for text, opening in enumerate(openings[i] for i in opening_of):
                if at - len(head) < len(opening):
                    new[text] = opening[at - len(head)]
            tokens[:, at] = new
            answering ^= new == head[0]
        tapped = {tap: states[i, :, at] for i, tap in enumerate(taps)}
        x = model.forward(model.embed_tokens[tokens[:, at]], cache, LockStep(at), tapped)
        logits = model.logits(x)
        log_sum_exp[:, at] = logits.logsumexp(-1)
    return {"tokens": tokens.int(), "states": states, "log_sum_exp": log_sum_exp}


def prepare(
    folder: Path,
    source: Path,
    settings: manifest.Settings,
    schooling: WrittenSchooling,
    taps: Sequence[int],
    seed: int,
) -> list[Path]:
    """Return the shards' files, held-out one first; write missing ones.

    Args:
        source: the model's folder, in transformers' format.
        settings: everything that a shard depends on, except its number.
        taps: layers whose states are stored; the last one is the model's last.
    """
    shards = 1 + -(-schooling.written // (schooling.texts * schooling.length))
    places = [folder / "work" / "written" / f"{i:05d}" for i in range(shards)]
    left = [i for i, place in enumerate(places) if not manifest.is_made(place, settings)]
    if left:
        dtype = torch.float32 if EMULATED else torch.bfloat16
        model = Qwen3.from_transformers(AutoModelForCausalLM.from_pretrained(source, dtype=dtype))
        tokenizer = AutoTokenizer.from_pretrained(source)
        openings = tokenizer([*OPENINGS], add_special_tokens=False)["input_ids"]
        head = template_head(tokenizer)
        for i in tqdm(left, desc="the target writes", unit="shard"):
            texts = write(model, head, openings, schooling, taps, seed * 100_003 + i)
            manifest.make(
                places[i], settings, lambda inside, texts=texts: save_file(texts, inside / FILE)
            )
    return [place / FILE for place in places]


def tokens_of(file: Path) -> Tensor:
    """Return all texts of a shard, (B, L)."""
    with safe_open(file, "pt") as shard:
        return shard.get_tensor("tokens")


def read(file: Path, rows: slice, ends: Ends) -> Studied:
    """Return some texts of a shard, as from a target's pass over them."""
    with safe_open(file, "pt") as shard:
        tokens = shard.get_slice("tokens")[rows].long()
        states = shard.get_slice("states")[:, rows]
        log_sum_exp = shard.get_slice("log_sum_exp")[rows]
    last = F.rms_norm(states[-1].float(), ends.norm.shape, ends.norm, ends.eps)
    return Studied(tokens, states, last, log_sum_exp)
