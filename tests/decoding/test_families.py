"""Every model family of transformers: decoded exactly as `generate` decodes it, or refused.

Texts outgrow the sliding windows and reach the end of the context.
"""

import copy
import random

import pytest
import torch
from transformers import AutoModelForCausalLM
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.models.adapter import TransformersModel, UnsupportedModel
from tests.families import CONTEXT, VOCABULARY, WINDOW, tiny_config

ROBERTAS = "camembert data2vec-text roberta roberta-prelayernorm xlm-roberta xlm-roberta-xl xmod"
BERTS = "bert bert-generation electra ernie megatron-bert rembert roc_bert roformer"
STATEFUL = "bamba falcon_mamba jamba mamba recurrent_gemma rwkv xlstm zamba"
OTHERWISE = "big_bird blt cpmant minimax moshi openai-gpt prophetnet reformer xlm xlnet"
# Those that look ahead unless is_decoder says that they are not encoders, that reset a state, whose
# state cannot be copied, that do not store exactly what they have read; and those whose positions
# count padding tokens.
REFUSED = {*f"{BERTS} {ROBERTAS} {STATEFUL} {OTHERWISE}".split()}
REFUSED |= {f"{family} as a decoder" for family in ROBERTAS.split()}
# These cannot be built from a config alone.
NOT_BUILT = "gemma3n gemma4_assistant gemma4_unified_assistant musicgen musicgen_melody"

_SCALED = dict(rope_theta=10_000.0, factor=4.0, original_max_position_embeddings=32)
_LONG = dict(rope_type="longrope", short_factor=[1.0] * 4, long_factor=[4.0] * 4, **_SCALED)
CASES = {
    name: (name, {}) for name in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES if name not in NOT_BUILT.split()
}
CASES |= {
    f"{name} as a decoder": (name, dict(is_decoder=True)) for name in f"{BERTS} {ROBERTAS}".split()
}
CASES |= {
    f"llama, {kind}": ("llama", dict(rope_parameters=dict(rope_type=kind, **_SCALED)))
    for kind in ("linear", "dynamic", "yarn")
}
CASES |= {
    "phi3, longrope": (
        "phi3", dict(rope_parameters=_LONG, original_max_position_embeddings=32)
    ),
    "phimoe, longrope": (
        "phimoe", dict(rope_parameters=dict(short_mscale=1.0, long_mscale=2.0, **_LONG)),
    ),
    "minimax_m3, sparse": (
        "minimax_m3_vl_text", dict(layer_types=["full_attention", "minimax_m3_sparse"])
    ),
}  # fmt: skip
# `make test` decodes one of each kind, `make slow` all of them
FEW = {"llama", "qwen3", "bloom", "gemma2", "mamba2", "bert", "roberta as a decoder"}
PROMPT = list(range(4, 4 + WINDOW + 4))


class OftenRight:
    """A drafter that knows the text; a random number of its guesses is right."""

    def __init__(self, text):
        self.text, self.random = text, random.Random(0)

    def propose(self, tokens, gamma, noise):
        truth = self.text[len(tokens) : len(tokens) + gamma]
        right = self.random.randint(0, len(truth))
        return Draft((*truth[:right], *(self.wrong(x) for x in truth[right:])), None)

    def wrong(self, token):
        return (token + self.random.randint(1, VOCABULARY - 1)) % VOCABULARY


def built(family, changes):
    torch.manual_seed(0)
    config = tiny_config(family, **changes)
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


def by_transformers(model, prompt, count):
    """Decode greedily, without the settings in a family's generation config."""
    settings = model.generation_config
    for habit in ("forced_eos_token_id", "suppress_tokens", "begin_suppress_tokens",
                  "no_repeat_ngram_size", "max_length", "eos_token_id"):  # fmt: skip
        setattr(settings, habit, None)
    ids = torch.tensor([prompt])
    output = model.generate(ids, max_new_tokens=count, do_sample=False, pad_token_id=0)
    return output[0, len(prompt) :].tolist()


@pytest.mark.parametrize(
    "case", [name if name in FEW else pytest.param(name, marks=pytest.mark.slow) for name in CASES]
)
def test_a_family_decodes_as_transformers_does_or_is_refused(case):
    model = built(*CASES[case])
    if case in REFUSED:
        with pytest.raises(UnsupportedModel):
            TransformersModel(model)
        return
    untouched = copy.deepcopy(model)  # some models change while they read
    adapter = TransformersModel(model)
    for prompt, drafts in ((PROMPT, True), ([7], False)):
        count = min(30, adapter.context - len(prompt))
        expected = by_transformers(untouched, prompt, count)
        drafter = OftenRight([*prompt, *expected]) if drafts else None
        rounds = generate(adapter, prompt, drafter, sampling=GREEDY, max_new_tokens=count)
        assert emitted_tokens(rounds) == expected
    assert_rows_depend_on_the_text_alone(adapter)
    if case not in ("bloom", "mamba2"):  # positions that are distances, and none, have no end
        text = [5 + i % 90 for i in range(adapter.context)]
        assert len(adapter.start([]).extend(text)) == len(text) <= CONTEXT


def assert_rows_depend_on_the_text_alone(model):
    """Extend and roll back at random; the rows must equal those of the text read at once."""
    draw = random.Random(0)
    session, text = model.start([]), []
    for _ in range(10):
        room = model.context - len(text)
        new = [draw.randrange(3, VOCABULARY) for _ in range(draw.randint(1, min(6, room)))]
        text += new
        at_once = model.start([]).extend(text)[-len(new) :]
        torch.testing.assert_close(session.extend(new), at_once, atol=1e-3, rtol=1e-3)
        if draw.random() < 0.6 or len(text) == model.context:
            del text[draw.randrange(len(text)) :]
            session.rollback(len(text))
