"""The trained pair on the device at hand: is its greedy text that of the CPU, and what takes time?

A first run on hardware that nobody has tried: its texts, without a draft and with one, against the
text that the form to be read writes on the CPU in float32.  Where they part, the CPU scores the
text, and says whether rounding explains it.
"""

from dataclasses import dataclass
from functools import lru_cache
from statistics import median

import torch

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import common_prefix, generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.models.forms import READABLE
from course_utils.models.memory import device_memory
from course_utils.models.pairs import load_pair
from course_utils.proofs.examination import ROUNDING
from course_utils.proofs.ties import SAFETY, unexplained

NEW_TOKENS, GAMMA = 64, 4


@dataclass(frozen=True)
class Reference:
    """What the CPU says, in float32."""

    target: LanguageModel
    prompt: list[int]
    text: list[int]  # new tokens


def tried(prompt: str, dtype: str, device: torch.device) -> tuple[bool, str]:
    """(Are the pair's greedy texts right there, what was found and measured)."""
    reference, pair = _reference(prompt), load_pair("tiny", dtype=dtype, device=str(device))
    runs = []
    for drafter in (None, Sampled(pair.draft, GREEDY)):
        for tokens in (2 * GAMMA, NEW_TOKENS):  # a few to warm up
            rounds = generate(
                pair.target, reference.prompt, drafter,
                gamma=GAMMA, sampling=GREEDY, max_new_tokens=tokens,
            )  # fmt: skip
            run = list(rounds)
        runs.append(run)
    right, said = zip(*(_verdict(reference, run, dtype) for run in runs), strict=True)
    return all(right), (
        f"{said[0]} without a draft, {said[1]} with one; {_speeds(*runs)}; {device_memory(device)}"
    )


@lru_cache
def _reference(prompt: str) -> Reference:
    pair = load_pair("tiny", dtype="float32", device="cpu", form=READABLE)
    tokens = pair.encode(prompt)
    rounds = generate(pair.target, tokens, sampling=GREEDY, max_new_tokens=NEW_TOKENS)
    return Reference(pair.target, tokens, emitted_tokens(rounds))


def _verdict(reference: Reference, run: list[Round], dtype: str) -> tuple[bool, str]:
    """Is it the reference's text, as far as rounding in `dtype` lets it be?"""
    text = emitted_tokens(run)
    if text == reference.text:
        return True, "the text of float32 on the CPU"
    noise = SAFETY * ROUNDING[dtype].logits
    if wrong := unexplained(reference.target, reference.prompt, text, noise):
        return False, f"a text whose token {wrong[0] + 1} no rounding explains"
    at = common_prefix(text, reference.text) + 1
    return True, f"another text from token {at} on, which rounding explains,"


def _speeds(plain: list[Round], drafted: list[Round]) -> str:
    """Tokens per second of both runs, and medians of the parts of a whole round."""
    full = [r.seconds for r in drafted if len(r.drafted) == GAMMA]
    parts = {
        f"{GAMMA} guesses": median(s.draft for s in full),
        "the target's pass": median(s.verify for s in full),
        "host": median(s.host for s in full),
    }
    rates = (f"{NEW_TOKENS / summarise(run).seconds:.0f}" for run in (plain, drafted))
    times = (f"{name} {1e3 * seconds:.2f} ms" for name, seconds in parts.items())
    return f"{' and '.join(rates)} tokens per second; of a round {', '.join(times)}"
