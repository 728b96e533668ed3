"""The losses' table: six losses on three texts, from one plain draft, at one budget of tokens.

    python -m workshop.training.distillation [--target DIR] [--steps N]

Minutes of training, so the table stands in data/distillation.json.  A run that was stopped
goes on; a table of another target, plain draft, budget or other seeds is begun anew.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from tqdm.auto import tqdm
from transformers import AutoTokenizer, PreTrainedTokenizerBase, Qwen3ForCausalLM

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.rows import as_numpy
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.better_drafts import distilled
from course_utils.lessons.better_drafts.checks import distillation_step
from course_utils.lessons.better_drafts.distilled import WINDOWS, as_fast, rows_of
from course_utils.lessons.better_drafts.record import CONTROL, CORPUS, FILE, OWN, TARGETS
from course_utils.models.device import processor_name
from course_utils.models.names import held_out_prompts
from course_utils.training.losses import LOSSES, RowLoss, acceptance
from workshop.training import atomic_folder

# Three texts to be distilled on: the corpus, what the draft says, what the target says.
# The first is off-policy and costs nothing.  The second is on-policy (REFERENCES.md: zhou2024):
# the draft is taught where its own guesses lead.  The third is where a committed text leads.

BEGINNING = 16  # tokens of the corpus that a sampled window begins with
FRESH = 8  # steps for which windows are sampled at once; then the draft has changed


def sampled_windows(
    model: Qwen3ForCausalLM, corpus: Iterator[Tensor], seed: int, fresh: int = FRESH
) -> Iterator[Tensor]:
    """Windows (WINDOWS, length + 1) that `model`, as it is then, samples at temperature 1."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        beginnings = torch.cat([next(corpus) for _ in range(fresh)])
        length = beginnings.shape[1]
        yield from continued(model, beginnings[:, :BEGINNING], length, generator).split(WINDOWS)


@torch.no_grad()
def continued(
    model: Qwen3ForCausalLM, text: Tensor, length: int, generator: torch.Generator
) -> Tensor:
    """Texts (batch, n) -> (batch, length), each token a draw from the model's row."""
    past, new = None, text
    while text.shape[1] < length:
        output = model(new, past_key_values=past, use_cache=True)
        past = output.past_key_values
        new = torch.multinomial(output.logits[:, -1].float().softmax(-1), 1, generator=generator)
        text = torch.cat([text, new], dim=1)
    return text


# On held-out prompts, as the target continues them at temperature 1.

GAMMA = 4
NEW_TOKENS = 48  # of each continuation
LOOPED = 8  # prompts that the loop is run on


class Judge:
    """Holds the target's continuations and rows, so that every draft is judged on the same."""

    def __init__(
        self,
        target: Qwen3ForCausalLM,
        tokenizer: PreTrainedTokenizerBase,
        new_tokens: int = NEW_TOKENS,
    ):
        self.new_tokens = new_tokens
        self.target = as_fast(target)
        texts = held_out_prompts("code") + held_out_prompts("prose")
        self.prompts = [tokenizer(text)["input_ids"] for text in texts]
        self._continued = [self._continue(i) for i in range(len(self.prompts))]

    def alpha(self, draft: Qwen3ForCausalLM) -> float:
        """Mean acceptance over all tokens of all continuations."""
        found = [
            acceptance(log_p, rows_of(draft, text)[0, -len(log_p) :])
            for text, log_p in self._continued
        ]
        return torch.cat(found).mean().item()

    def tokens_per_round(self, draft: Qwen3ForCausalLM) -> float:
        """In the loop, at gamma 4, on some of the prompts; prompt i has seed i."""
        model, rounds = as_fast(draft), []
        for i in range(0, len(self.prompts), max(1, len(self.prompts) // LOOPED)):
            rounds += self._run(i, Sampled(model))
        return summarise(rounds).tokens_per_round

    def _continue(self, i: int) -> tuple[Tensor, Tensor]:
        """(the text (1, n + 1), the target's log rows (m, V) of the m tokens it wrote)."""
        rounds = self._run(i, None)
        p = np.concatenate([as_numpy(r.p) for r in rounds])
        log_p = torch.from_numpy(p).float().log()
        return torch.tensor([[*self.prompts[i], *emitted_tokens(rounds)]]), log_p

    def _run(self, i: int, drafter: Sampled | None) -> list:
        options = {"gamma": GAMMA, "max_new_tokens": self.new_tokens, "seed": i, "rows": True}
        return list(generate(self.target, self.prompts[i], drafter, **options))


STEPS = 32
SEEDS = (0, 1, 2)  # of the windows, and of the texts that are sampled
Drafts = dict[str, Qwen3ForCausalLM]  # by the loss that each learns with


def together(drafts: Drafts, target: Qwen3ForCausalLM, text: Iterator[Tensor], steps: int) -> None:
    """Each draft learns in place with its own loss, all from the same windows."""
    optimisers = {name: distilled.Optimiser(draft, steps) for name, draft in drafts.items()}
    for _ in tqdm(range(steps), desc=", ".join(drafts), unit="step"):
        windows = next(text)
        log_p = distilled.rows_of(target, windows)
        for name, draft in drafts.items():
            told = said_next(windows, log_p.shape[-1]) if name == CONTROL else log_p
            distillation_step(draft, optimisers[name], windows, told, loss_named(name))


def loss_named(name: str) -> RowLoss:
    """-log alpha is cross-entropy where p is certain, so it serves the control, too."""
    return LOSSES["-log α" if name == CONTROL else name]


def said_next(windows: Tensor, vocabulary: int) -> Tensor:
    """log p of a target that is certain of the text: (batch, length, V)."""
    return F.one_hot(windows[:, 1:], vocabulary).float().log()


def entries(
    target: Qwen3ForCausalLM,
    tokenizer: PreTrainedTokenizerBase,
    judge: Judge,
    steps: int,
    done: Sequence[dict],
    plain: Callable[[], Qwen3ForCausalLM],
) -> Iterator[dict[str, Any]]:
    """The rows of the table that are not `done`, each as soon as it is known."""
    tokens = distilled.training_tokens(tokenizer)
    known = {(entry["seed"], entry["text"], entry["loss"]) for entry in done}

    def learned(seed: int, text: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        drafts = {name: plain() for name in names if (seed, text, name) not in known}
        if not drafts:
            return
        corpus = distilled.corpus_windows(tokens, seed)
        sampler = {OWN: next(iter(drafts.values())), TARGETS: target}.get(text)
        windows = corpus if sampler is None else sampled_windows(sampler, corpus, seed)
        together(drafts, target, windows, steps)
        for name, draft in drafts.items():
            yield {"seed": seed, "text": text, "loss": name, **judged(judge, draft)}

    for seed in SEEDS:
        yield from learned(seed, CORPUS, [CONTROL, *LOSSES])
        for name in LOSSES:
            yield from learned(seed, OWN, [name])
        yield from learned(seed, TARGETS, [*LOSSES])


def judged(judge: Judge, draft: Qwen3ForCausalLM) -> dict[str, float]:
    return {
        "alpha": round(judge.alpha(draft), 4),
        "tokens_per_round": round(judge.tokens_per_round(draft), 3),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--target", type=Path, default=distilled.TARGET, metavar="DIR")
    parser.add_argument("--plain", type=Path, default=distilled.PLAIN, metavar="DIR")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--out", type=Path, default=FILE, metavar="FILE")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)  # so that the sums, and with them the weights, are the same anywhere
    settings = {
        "target": atomic_folder.digest(options.target / "model.safetensors"),
        "plain": atomic_folder.digest(options.plain / "model.safetensors"),
        "tokens": options.steps * distilled.WINDOWS * distilled.LENGTH,
        "rate": distilled.RATE,
        "seeds": list(SEEDS),
        "gamma": GAMMA,
    }
    table = _begun(options.out, settings)
    target = distilled.teacher(options.target)
    tokenizer = AutoTokenizer.from_pretrained(options.target)
    plain, judge = partial(distilled.loaded, options.plain), Judge(target, tokenizer)
    table.setdefault("before", judged(judge, plain()))
    for entry in entries(target, tokenizer, judge, options.steps, table["entries"], plain):
        table["entries"].append(entry)
        atomic_folder.write_text(
            options.out, json.dumps(table, indent=1, ensure_ascii=False) + "\n"
        )


def _begun(file: Path, settings: dict) -> dict[str, Any]:
    """The table so far, if it was made with the same settings; else an empty one."""
    made = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    if made.get("settings") == settings:
        return made
    return {
        "command": "python -m workshop.training.distillation",
        "date": date.today().isoformat(),
        "processor": processor_name(),
        "settings": settings,
        "entries": [],
    }


if __name__ == "__main__":
    main()
