"""Estimates of memory are held to what a process took at its worst moment, in each form.

The kernel keeps the peak of the resident set itself and lets it be set back, so nothing is
sampled and no other work on the machine matters.  The files are in another number format than
the model: what is mapped from them is gone when all is read, which is when the peak is set back.
What is read until then is less than what comes after.
"""

import gc
from pathlib import Path

import pytest
import torch
from transformers import AutoConfig, AutoTokenizer, Qwen3Config, Qwen3ForCausalLM

from course_utils.decoding.loop import generate
from course_utils.drafters.lookup import PromptLookup
from course_utils.models import pairs
from course_utils.models.folder import read_weights
from course_utils.models.forms import ONNX, PACKED, READABLE, form_need
from course_utils.models.memory import giving_back
from course_utils.models.pairs import load_pair
from tests.forks import result_of

pytestmark = pytest.mark.slow

KERNEL = Path("/proc/self/clear_refs")
CONTEXTS = 128, 1024
CASES = [
    (READABLE, "bfloat16"), (PACKED, "bfloat16"),
    (READABLE, "float32"), (PACKED, "float32"), (ONNX, "float32"),
]  # fmt: skip


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """By the format that a model is loaded in: 330 MB in float32, its head two thirds of that."""
    config = Qwen3Config(
        vocab_size=50_000, hidden_size=1024, intermediate_size=3072, num_hidden_layers=2,
        num_attention_heads=16, num_key_value_heads=8, head_dim=128, tie_word_embeddings=True,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = Qwen3ForCausalLM(config)
    made = {}
    for loaded, stored in (("bfloat16", torch.float32), ("float32", torch.bfloat16)):
        made[loaded] = tmp_path_factory.mktemp(loaded)
        model.to(stored).save_pretrained(made[loaded])
        AutoTokenizer.from_pretrained(pairs.PAIRS["tiny"][0]).save_pretrained(made[loaded])
    return made


@pytest.mark.skipif(not KERNEL.exists(), reason="only Linux lets a peak be set back")
@pytest.mark.parametrize(("form", "dtype"), CASES)
def test_the_estimate_is_within_a_tenth_of_the_peak(folders, form, dtype):
    folder = str(folders[dtype])
    config, tokens = AutoConfig.from_pretrained(folder), len(AutoTokenizer.from_pretrained(folder))
    peaks = result_of(measured, folder, form, dtype)
    for context, peak in zip(CONTEXTS, peaks, strict=True):
        need = form_need(config, form, getattr(torch, dtype), context, tokens=tokens).total
        assert need == pytest.approx(peak, rel=0.1), f"{form}, {dtype}, context {context}"


def measured(folder: str, form: str, dtype: str) -> list[int]:
    """Bytes that loading and three rounds at the end of a text took, with each context."""
    torch.set_num_threads(1)
    decode(load_pair("tiny", dtype=dtype, form=form, context=64))  # what is loaded lazily
    peaks = []
    for context in CONTEXTS:
        with giving_back():
            gc.collect()
        before = resident("VmRSS")
        pairs.read_weights = peak_set_back
        decode(load_pair(folder, dtype=dtype, form=form, context=context))
        peaks.append(resident("VmHWM") - before)
    return peaks


def peak_set_back(*arguments):
    model = read_weights(*arguments)
    KERNEL.write_text("5")
    return model


def decode(pair: pairs.Pair) -> None:
    room = pair.target.context - 24
    prompt = [*range(room // 2)] * 2
    for i, _ in enumerate(generate(pair.target, prompt, PromptLookup(), max_new_tokens=15)):
        if i == 2:
            return


def resident(field: str) -> int:
    """Bytes: "VmRSS" is what lies in memory, "VmHWM" the most that did."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(field))
