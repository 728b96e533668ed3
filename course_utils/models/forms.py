"""The forms of a Qwen3: one to be read, and those that are arranged for a CPU; which of them is the
fastest on this machine, and how much memory each needs.

In float32 the forms are put to a model of the trained target's shape, in turns: a pass over one
token and one over six, as verification has it.  The least of each counts, which other work
inflates for all of them.  It is measured once, and remembered.

Memory is counted at the worst moment of a form's making and of a pass.  The weights are not all: a
matrix is there twice while a norm is folded into it, ONNX Runtime packs copies, attention has
scores.  Held to what is measured by tests/models/test_memory_peaks.py.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile

import onnxruntime
import platformdirs
import torch
from pydantic import PositiveFloat, TypeAdapter
from transformers import Qwen3Config, Qwen3ForCausalLM

from course_utils.decoding.clock import now
from course_utils.models import packed, qwen3
from course_utils.models.memory import Need, memory_needed
from course_utils.models.onnx_qwen3 import OnnxQwen3
from course_utils.models.packed import PackedQwen3, packing
from course_utils.models.processor import packs, processor_name
from course_utils.models.qwen3 import Qwen3
from course_utils.models.same_bits import same_bits

FLOAT = 4  # bytes of a float32
TOKEN = 400  # bytes that a tokenizer takes for a token, its text and what it is merged of
ROWS = 60  # of logits and probabilities, when a round of five is judged: its own and the last one's
PASSES = (1, 6)  # tokens
_Remembered = TypeAdapter(dict[str, dict[str, tuple[PositiveFloat, PositiveFloat]]])
TURNS, CONTEXT, HELD = 20, 128, 64
AnyQwen3 = Qwen3 | PackedQwen3 | OnnxQwen3
READABLE, PACKED, ONNX = "readable", "packed", "onnx"
FORMS: dict[str, Callable[[Qwen3], AnyQwen3]] = {
    READABLE: lambda model: model,
    PACKED: packing,
    ONNX: OnnxQwen3,
}
FASTEST = "fastest"  # of these, where a model is to run
SAME_BITS = "same-bits"
ASKED_FOR = FORMS | {SAME_BITS: same_bits}  # the last is never the fastest, and chosen by name only


def check_form(form: str, dtype: torch.dtype, device: torch.device) -> None:
    """Raises ValueError: there is no such form, or not in `dtype` on `device`."""
    if form not in (FASTEST, *ASKED_FOR):
        raise ValueError(f"form is {form!r}; choose {FASTEST}, {', '.join(ASKED_FOR)}")
    if form in (PACKED, ONNX) and device.type != "cpu":
        raise ValueError(
            f"form {form} is for a CPU and the model is to be on {device}: leave it out"
        )
    if form == ONNX and dtype != torch.float32:
        raise ValueError(
            f"form {ONNX} is float32 and {str(dtype).removeprefix('torch.')} was asked for: "
            f"take float32, or form {PACKED}"
        )


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


def form_need(
    config: Qwen3Config,
    form: str,
    dtype: torch.dtype,
    context: int,
    stored_head: bool = False,
    tokens: int | None = None,
) -> Need:
    """What a Qwen3 takes in one of `ASKED_FOR`, with its tokenizer.

    Args:
        stored_head: is the head read from the file of a model that has none of its own?  It is
            let go at once, but it was there.
        tokens: those of its tokenizer; by default as many as it has rows for.
    """
    need = memory_needed(config, dtype, context)
    texts = TOKEN * (config.vocab_size if tokens is None else tokens)
    rows = ROWS * FLOAT * config.vocab_size
    need = replace(need, tables=need.tables + texts, passing=rows)
    if form == PACKED:
        return _packed(need, config, dtype, context)
    if form == ONNX:
        return _for_onnx(need, config, context)
    return _readable(need, config, dtype, context, stored_head)


def _readable(
    need: Need, config: Qwen3Config, dtype: torch.dtype, context: int, stored_head: bool
) -> Need:
    """A block is there twice while it is fused; a chunk of a prompt has a mask, in whatever form
    attention wants it, and states as wide as the MLP."""
    chunk = min(context, qwen3.CHUNK)
    mask = chunk * context * (1 + 4 * dtype.itemsize)
    states = 5 * chunk * config.intermediate_size * dtype.itemsize
    return replace(
        need,
        tables=need.tables + _rotations(config, context) * dtype.itemsize,
        making=max(_fused(config), stored_head * _head(config)) * dtype.itemsize,
        passing=need.passing + mask + states,
    )


def _packed(need: Need, config: Qwen3Config, dtype: torch.dtype, context: int) -> Need:
    """The head is there beside the embedding, and once more while it is folded; the cache and
    attention are float32, and attention has scores, their softmax and the keys in a row."""
    head, chunk = _head(config) * dtype.itemsize, packed.CHUNK
    heads = config.num_attention_heads
    scores = 2 * heads * min(context, chunk) * context * FLOAT
    mask = heads // config.num_key_value_heads * chunk * (context + chunk) * FLOAT
    folding = 2 * _fused(config) * dtype.itemsize - head
    return replace(
        need,
        weights=need.weights + head,
        cache=need.cache * FLOAT // dtype.itemsize,
        tables=need.tables + _rotations(config, context) * FLOAT + mask,
        making=max(head if packs(dtype) else 0, folding),
        passing=need.passing + scores + _keys(config, context),
    )


def _for_onnx(need: Need, config: Qwen3Config, context: int) -> Need:
    """All matrices are there twice, the model's own and those that ONNX Runtime packs, and the
    largest once more while it does."""
    head = _head(config) * FLOAT
    unread = 0 if config.tie_word_embeddings else head  # an embedding is not multiplied with
    return replace(
        need,
        weights=2 * need.weights - unread,
        tables=need.tables + 2 * _rotations(config, context) * FLOAT,
        making=max(head, _fused(config) * FLOAT),
        passing=need.passing + _keys(config, context),
    )


def _head(config: Qwen3Config) -> int:
    return config.vocab_size * config.hidden_size


def _fused(config: Qwen3Config) -> int:
    """Numbers of the larger of a block's fused matrices."""
    heads = config.num_attention_heads + 2 * config.num_key_value_heads
    return max(2 * config.intermediate_size, heads * config.head_dim) * config.hidden_size


def _rotations(config: Qwen3Config, context: int) -> int:
    return 2 * context * config.head_dim


def _keys(config: Qwen3Config, context: int) -> int:
    """Bytes of one block's keys in float32."""
    return config.num_key_value_heads * config.head_dim * context * FLOAT
