"""Which form of a Qwen3 is the fastest on this machine: measured once, and remembered.

In float32 the forms are put to a model of the trained target's shape, in turns: a pass over one
token and one over six, as verification has it.  The least of each counts, which other work
inflates for all of them.
"""

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile

import onnxruntime
import platformdirs
import torch
from pydantic import PositiveFloat, TypeAdapter
from transformers import Qwen3Config, Qwen3ForCausalLM

from course_utils.decoding.clock import now
from course_utils.models.forms import FASTEST, FORMS, ONNX, PACKED, READABLE
from course_utils.models.onnx_qwen3 import OnnxQwen3
from course_utils.models.packed import PackedQwen3
from course_utils.models.processor import processor_name
from course_utils.models.qwen3 import Qwen3

PASSES = (1, 6)  # tokens
_Remembered = TypeAdapter(dict[str, dict[str, tuple[PositiveFloat, PositiveFloat]]])
TURNS, CONTEXT, HELD = 20, 128, 64


@dataclass(frozen=True)
class Measured:
    """What each form took, and where."""

    machine: str
    milliseconds: dict[str, tuple[float, float]]  # by form: a pass over each of PASSES

    @property
    def fastest(self) -> str:
        return min(self.milliseconds, key=lambda form: sum(self.milliseconds[form]))


def form_for(form: str, dtype: torch.dtype, device: torch.device) -> str:
    """`form` itself, or the fastest one of a model in `dtype` on `device`.

    On a GPU there is the readable one only; the graph for ONNX Runtime is float32.
    """
    if form != FASTEST:
        return form
    if device.type != "cpu":
        return READABLE
    return measured(torch.get_num_threads()).fastest if dtype == torch.float32 else PACKED


@lru_cache
def measured(threads: int) -> Measured:
    """What was measured on this machine with so many threads before, or else now."""
    place, machine = remembered_in(), _machine(threads)
    before = _read(place)
    if before.get(machine, {}).keys() == FORMS.keys():  # else there were others then
        return Measured(machine, before[machine])
    found = Measured(machine, _milliseconds())
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        kept = _Remembered.dump_json(before | {machine: found.milliseconds}, indent=1)
        with NamedTemporaryFile(dir=place.parent, delete=False) as new:  # whole, or not at all
            new.write(kept)
        os.replace(new.name, place)
    except OSError:
        pass  # in this process it is remembered
    return found


def _read(place: Path) -> dict[str, dict[str, tuple[float, float]]]:
    """What is remembered, by machine; nothing if there is none, or none that can be read."""
    try:
        return _Remembered.validate_json(place.read_bytes())
    except (OSError, ValueError):
        return {}


def remembered_in() -> Path:
    """The file, in the user's cache."""
    return platformdirs.user_cache_path("speculative-decoding-course") / "forms.json"


def _machine(threads: int) -> str:
    uses = f"{processor_name()} ({torch.backends.cpu.get_cpu_capability()}), {threads} threads"
    return f"{uses}, torch {torch.__version__}, onnxruntime {onnxruntime.__version__}"


def _milliseconds() -> dict[str, tuple[float, float]]:
    config = Qwen3Config(
        vocab_size=4096, hidden_size=256, intermediate_size=512, num_hidden_layers=16,
        num_attention_heads=4, num_key_value_heads=2, head_dim=64, tie_word_embeddings=True,
    )  # fmt: skip
    with torch.random.fork_rng(devices=[]):  # the caller's random numbers stay the next ones
        model = Qwen3.from_transformers(Qwen3ForCausalLM(config), CONTEXT)
    models = {READABLE: model, PACKED: PackedQwen3(model), ONNX: OnnxQwen3(model)}
    sessions = {form: model.start([0] * HELD) for form, model in models.items()}
    least = {form: [float("inf")] * len(PASSES) for form in models}
    for _ in range(TURNS):
        for i, tokens in enumerate(PASSES):
            for form, session in sessions.items():
                begin = now()
                session.extend([0] * tokens)
                least[form][i] = min(least[form][i], 1e3 * (now() - begin))
                session.rollback(HELD)
    return {form: (round(one, 3), round(six, 3)) for form, (one, six) in least.items()}
