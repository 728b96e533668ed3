"""A tiny config of any model family that transformers knows, built from the family's defaults.

Fields are made small by their names, whatever the family; `CHANGES` has what that
does not settle.  Windows hold 8 tokens and contexts 64, so that texts outgrow the
one and reach the end of the other.
"""

from transformers import CONFIG_MAPPING, PretrainedConfig

VOCABULARY, WINDOW, CONTEXT = 97, 8, 64

_BY_VALUE = [
    (VOCABULARY, "vocab_size decoder_vocab_size unpadded_vocab_size vocab_size_per_layer_input"),
    (
        WINDOW,
        "sliding_window window_size attention_window_size local_attention sliding_window_size "
        "attention_chunk_size local_attention_window_len",
    ),
    (
        CONTEXT,
        "max_position_embeddings n_positions n_ctx max_seq_len seq_length model_max_length "
        "max_target_positions max_source_positions context_length",
    ),
    (
        32,
        "hidden_size d_model n_embd dim backbone_hidden_size attention_hidden_size lru_width "
        "embedding_size word_embed_proj_dim emb_dim output_embedding_size "
        "input_embedding_size embedding_dim hidden_dim adapter_in_dim adapter_input_size "
        "adapter_out_dim",
    ),
    (
        48,
        "intermediate_size moe_intermediate_size decoder_ffn_dim encoder_ffn_dim ffn_dim "
        "d_inner dff ffn_hidden_size shared_expert_intermediate_size shared_intermediate_size "
        "dense_intermediate_size expert_ffn_hidden_size intermediate_size_mlp dim_ff "
        "feed_forward_size shared_experts_intermediate_size "
        "moe_shared_expert_intermediate_size n_inner",
    ),
    (16, "kv_lora_rank q_lora_rank o_lora_rank num_centroids"),
    (
        8,
        "head_dim swa_head_dim v_head_dim qk_rope_head_dim qk_nope_head_dim kv_channels "
        "attention_head_dim dim_head d_head attention_head_size linear_head_dim "
        "linear_key_head_dim linear_value_head_dim d_rel index_head_dim mamba_d_head "
        "mamba_head_dim mamba_headdim rotary_dim mamba_n_heads mamba_num_heads n_mamba_heads "
        "time_step_rank mamba_dt_rank laurel_rank hidden_size_per_layer_input",
    ),
    (
        4,
        "num_attention_heads n_head n_heads num_heads decoder_attention_heads "
        "encoder_attention_heads attention_heads num_decoder_attention_heads "
        "num_encoder_attention_heads swa_num_attention_heads num_experts num_local_experts "
        "n_routed_experts moe_num_experts state_size mamba_d_state ssm_state_size index_topk",
    ),
    (
        2,
        "num_hidden_layers n_layer n_layers num_layers decoder_layers encoder_layers "
        "num_decoder_layers num_encoder_layers num_blocks num_key_value_heads num_kv_heads "
        "num_query_groups swa_num_key_value_heads num_experts_per_tok num_experts_per_token "
        "moe_topk moe_k linear_num_heads linear_num_key_heads linear_num_value_heads "
        "centroid_intermediate_top_k",
    ),
    (
        1,
        "n_group topk_group num_expert_group pretraining_tp n_shared_experts "
        "num_shared_experts moe_num_shared_experts mamba_n_groups mamba_ngroups n_groups",
    ),
    (0, "num_kv_shared_layers first_k_dense_replace"),
    (
        0.2,
        "initializer_range init_std w_init_variance_scale final_w_init_variance_scale "
        "embedding_initializer_range",
    ),
]  # 0.2: rows far from uniform
SMALL = {name: value for value, names in _BY_VALUE for name in names.split()}
SPECIAL_TOKENS = dict(pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=2)

_TURNS = dict(rope_type="default", rope_theta=10_000.0)
_MANY = dict(index_n_heads=32)  # with few heads, many positions of an indexer score exactly 0
CHANGES = {
    "axk2": _MANY,
    "bamba": dict(attn_layer_indices=[1]),
    "blt": dict(encoder_hash_byte_group_vocab=10),
    "cohere_compass_text": dict(
        rope_parameters=dict(full_attention=_TURNS, sliding_attention=_TURNS)
    ),
    "dbrx": dict(
        attn_config=dict(kv_n_heads=2, rope_theta=10_000.0, clip_qkv=8),
        ffn_config=dict(ffn_hidden_size=48, moe_num_experts=4, moe_top_k=2),
    ),
    "deepseek_v2": dict(num_experts_per_tok=2),
    "deepseek_v32": _MANY,
    "dory": dict(
        layer_types=None, num_hidden_layers=4, n_input_layers=1, n_recurrent_layers=2,
        n_output_layers=1,
    ),
    "dots1": dict(n_routed_experts=4, n_shared_experts=1, num_experts_per_tok=2),
    "dots3_note_text": dict(
        **_MANY,
        sliding_window=WINDOW,
        per_layer_config={1: dict(num_attention_heads=2, num_key_value_heads=2, head_dim=16)},
    ),
    "falcon_h1": dict(mamba_d_ssm=64),
    "gemma3n_text": dict(intermediate_size=48),
    "glm_moe_dsa": _MANY,
    "gpt_neo": dict(attention_types=[[["global", "local"], 1]]),
    "granitemoehybrid": dict(layer_types=["linear_attention", "full_attention"]),
    "hrm_text": dict(H_cycles=1, L_cycles=1),
    "hunyuan_v1_dense": dict(head_dim=8),
    "hunyuan_v1_moe": dict(head_dim=8),
    "hy_v4": _MANY,
    "jamba": dict(attn_layer_period=2, attn_layer_offset=1, use_mamba_kernels=False),
    "laguna": dict(
        layer_types=["sliding_attention", "full_attention"],
        sliding_window=WINDOW,
        num_attention_heads_per_layer=[4, 4],
    ),
    "lfm2": dict(layer_types=["conv", "full_attention"]),
    "lfm2_moe": dict(layer_types=["conv", "full_attention"]),
    "mamba2": dict(num_heads=8),
    "ministral": dict(head_dim=8),
    "nemotron": dict(head_dim=8, num_key_value_heads=2),
    "qwen4_exp_text": dict(
        indexer_n_heads=2, indexer_kv_heads=1, indexer_head_dim=8, indexer_budget=8,
        indexer_compress_ratio=2,
    ),
    "recurrent_gemma": dict(block_types=["recurrent", "attention"]),
    "reformer": dict(
        is_decoder=True, attn_layers=["local", "lsh"], axial_pos_shape=[8, 8], num_buckets=2,
        axial_pos_embds_dim=[16, 16], local_attn_chunk_length=8, lsh_attn_chunk_length=8,
    ),
    "roc_bert": dict(enable_pronunciation=False, enable_shape=False),
    "xlstm": dict(hidden_size=128, embedding_dim=128),
    "xmod": dict(default_language="en_XX"),
    "zamba": dict(
        num_hidden_layers=5, layers_block_type=["mamba", "hybrid", "mamba", "hybrid", "mamba"],
        attention_hidden_size=64, attention_head_dim=16,
    ),
    "zamba2": dict(
        num_hidden_layers=3, layers_block_type=["mamba", "hybrid", "hybrid"],
        attention_hidden_size=64, attention_head_dim=16,
    ),
    "zaya": dict(num_experts_per_tok=1),
}  # fmt: skip


def tiny_config(family: str, **changes) -> PretrainedConfig:
    """Return the family's default config with everything small; `changes` come last."""
    kind = CONFIG_MAPPING[family]
    return kind(**{**_shrunk(kind().to_dict()), **CHANGES.get(family, {}), **changes})


def _shrunk(fields: dict) -> dict:
    """Return the changes to the defaults `fields`, in nested configs too."""
    small = {}
    for name, value in fields.items():
        if isinstance(value, dict) and "model_type" in value:
            kind = value["model_type"]
            small[name] = {**_shrunk(value), **CHANGES.get(kind, {}), "model_type": kind}
        elif name in SMALL and isinstance(value, int | float) and not isinstance(value, bool):
            small[name] = SMALL[name]
        elif name.endswith("_token_id") and isinstance(value, int) and value >= VOCABULARY:
            small[name] = SPECIAL_TOKENS.get(name, 3)
        elif name.endswith("_token_index") and isinstance(value, int):
            small[name] = 90
    if "num_key_value_heads" in small and fields["num_key_value_heads"] == fields.get(
        "num_attention_heads"
    ):
        small["num_key_value_heads"] = SMALL["num_attention_heads"]
    return {**small, **_a_layer_of_each_kind(fields)}


def _a_layer_of_each_kind(fields: dict) -> dict:
    """["sliding", "sliding", "full", ...] -> ["sliding", "full"], and as many layers."""
    kinds = {
        name: list(dict.fromkeys(fields[name]))
        for name in ("layer_types", "mlp_layer_types", "layers_block_type")
        if isinstance(fields.get(name), list) and len(set(fields[name])) > 1
    }
    if not kinds:
        return {}
    layers = max(map(len, kinds.values()))
    return {
        **{name: (values * layers)[:layers] for name, values in kinds.items()},
        "num_hidden_layers": layers,
    }
