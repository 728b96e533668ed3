"""A Qwen3 folder as llama.cpp reads it: one file, float32, with the tokens' texts."""

import json
from pathlib import Path

import numpy as np
from safetensors.torch import load_file

from course_utils.measuring.genai import NEVER

_NAMES = {
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm", "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
    "embed_tokens": "token_embd", "norm": "output_norm", "lm_head": "output",
}  # fmt: skip


def write_gguf(source: Path, file: Path) -> None:
    """Write config.json, model.safetensors and tokenizer.json of `source` as one GGUF file.

    The end token gets another text and kind: llama.cpp knows it by its text and would stop there.
    """
    import gguf

    config = json.loads((source / "config.json").read_text("utf-8"))
    tokenizer = json.loads((source / "tokenizer.json").read_text("utf-8"))["model"]
    size, end = config["vocab_size"], config["eos_token_id"]
    texts = {i: f"[unused {i}]" for i in range(size)}
    texts |= {i: text for text, i in tokenizer["vocab"].items()} | {end: "[end of a text]"}
    writer = gguf.GGUFWriter(file, "qwen3")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(config["head_dim"])
    writer.add_value_length(config["head_dim"])
    writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_vocab_size(size)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list([texts[i] for i in range(size)])
    writer.add_token_types([gguf.TokenType.NORMAL] * size)
    writer.add_token_merges([" ".join(pair) for pair in tokenizer["merges"]])
    writer.add_eos_token_id(tokenizer["vocab"][NEVER])
    writer.add_pad_token_id(tokenizer["vocab"][NEVER])
    writer.add_add_bos_token(False)
    for name, weight in load_file(source / "model.safetensors").items():
        writer.add_tensor(_name(name), weight.float().numpy().astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _name(name: str) -> str:
    """ "model.layers.3.mlp.up_proj.weight" -> "blk.3.ffn_up.weight" """
    inside = name.removeprefix("model.").removesuffix(".weight")
    if not inside.startswith("layers."):
        return f"{_NAMES[inside]}.weight"
    _, layer, part = inside.split(".", 2)
    return f"blk.{layer}.{_NAMES[part]}.weight"
