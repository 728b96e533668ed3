"""The articles' lines about engines: what each claims, what happens today, what works instead.

A claim about a command names the `checks` that carry it, and what the installed vLLM said to each:
a test holds these to the record of a real run.  `evidence` is what else it rests on: a file of an
engine (other_engines.SOURCES), a thread or a lesson.  The articles' own sentences are not repeated.
"""

from dataclasses import dataclass

from course_utils.decoding.theory import speedup

YES, NO = "accepted", "refused"


@dataclass(frozen=True)
class Claim:
    """One line of an article; `article` is its number in REFERENCES.md, code stands in `ticks`."""

    name: str
    article: str
    claimed: str
    happens: str
    works: str
    checks: tuple[tuple[str, str], ...] = ()
    evidence: tuple[str, ...] = ()


GAMMA, RATIO = 8, 5.0  # article 001's own example: eight tokens, a draft five times as fast

CLAIMS = (
    Claim(
        "import",
        "001",
        "vLLM has a module for it: `from vllm.model_executor.models import draft_model`.",
        "There is no such module: ModuleNotFoundError. The script ends at its second line.",
        "Nothing is imported: `from vllm import LLM, SamplingParams` is enough.",
        (("001: the import", NO),),
    ),
    Claim(
        "draft_model=",
        "001",
        "`LLM(model=..., draft_model=..., num_speculative_tokens=8)`",
        "TypeError: neither word is a keyword of the engine.",
        '`LLM(model=..., speculative_config={"method": "draft_model", "model": ..., '
        '"num_speculative_tokens": 8})`: one dictionary holds every setting.',
        (
            ("001: draft_model=", NO),
            ("001: num_speculative_tokens=", NO),
            ("001 today", YES),
        ),
    ),
    Claim(
        "flags",
        "001",
        "TGI takes `--draft-model-id`, `--speculative-decoding` and `--num-speculative-tokens`.",
        "TGI's launcher declares none of the three, and has no draft model at all. vLLM's server "
        "refuses them, too: unrecognized arguments.",
        "TGI: `--speculate 4`, with Medusa or MLP heads if the checkpoint brings them, else "
        "n-grams. vLLM: `vllm serve MODEL --spec-method draft_model --spec-model DRAFT "
        "--spec-tokens 8`, or `--speculative-config` and the dictionary as JSON.",
        (
            ("serve --draft-model-id", NO),
            ("serve --speculative-decoding", NO),
            ("serve --num-speculative-tokens", NO),
            ("serve --speculative-model", NO),
            ("serve --spec-method", YES),
            ("serve --speculative-config", YES),
        ),
        ("tgi: launcher/src/main.rs",),
    ),
    Claim(
        "threshold",
        "001",
        "Engines accept a draft if the ratio of the probabilities is above a threshold.",
        "None of the four does by default. vLLM knows `standard` (min(1, p/q) and the residual), "
        "`block` and `synthetic`, and refuses a key for a threshold; TGI and llama.cpp draw from "
        "the target and compare; SGLang has two thresholds, on p and not on the ratio, and at "
        "their default of 1 they change nothing.",
        "Set nothing: the default rule is exact (lesson 05 says what a threshold costs). Whether a "
        "build applies it exactly is another question, and lesson 12 asks it.",
        (("a threshold for the ratio", NO), ("posterior_threshold", NO), ("keys", YES)),
        (
            "tgi: server/text_generation_server/utils/tokens.py",
            "llama.cpp: common/sampling.cpp",
            "sglang: python/sglang/srt/arg_groups/fields/spec.py",
        ),
    ),
    Claim(
        "largest speedup",
        "001",
        "The largest speedup is 1 + k · ratio.",
        f"For k = {GAMMA} and a draft {RATIO:.0f} times as fast that is {1 + GAMMA * RATIO:.0f}. "
        f"If every token is accepted, a round costs k/ratio + 1 passes and brings k + 1 "
        f"tokens: {speedup(1.0, GAMMA, 1 / RATIO):.2f}.",
        "Measure c, v(k) and α, then choose γ (lesson 06).",
        (),
        ("lesson 06",),
    ),
    Claim(
        "maths and code",
        "001",
        "For maths or code, lower the threshold, or draft fewer tokens, to be on the safe side.",
        "A lower threshold accepts more of what the target would not have written: it is the "
        "unsafe side. Under the exact rule neither the subject nor the number of drafted tokens "
        "changes the text's distribution (lesson 03).",
        "The exact rule as it is; or no `speculative_config` at all.",
        (("a threshold for the ratio", NO), ("no speculation", YES)),
        ("lesson 03", "lesson 05"),
    ),
    Claim(
        "two families",
        "002",
        "Qwen3-VL-235B drafted by Qwen2.5-VL-3B, `tensor_parallel_size=1`.",
        "235 billion weights of two bytes are 470 GB, and the largest single accelerator of this "
        "course has 141. The draft's positions (M-RoPE) are refused by the drafter of model runner "
        "V1: NotImplementedError. And the two were trained apart: nothing makes their "
        "distributions alike.",
        "A draft of the target's own family and for text: Qwen3-8B with Qwen3-0.6B, or a head "
        "made for the target (`eagle3`, `mtp`); `tensor_parallel_size` as large as it must be.",
        (
            ("002: the draft's positions", NO),
            ("a text model's positions", YES),
            ("draft, tensor parallel 2", YES),
        ),
        ("vllm: vllm/v1/spec_decode/llm_base_proposer.py", "REFERENCES.md: nvidia-h200"),
    ),
    Claim(
        "vocabularies",
        "002",
        "The draft is of another family (Qwen2.5 for Qwen3), and no condition is named.",
        "The sizes of the two vocabularies must be equal, and only the sizes are compared: "
        "Qwen2.5-3B passes for Qwen3-8B, Qwen2.5-7B does not, though its tokens are the same and "
        "only the padding differs. Equal sizes with other tokens would pass, too, and "
        "next to nothing would be accepted.",
        "Compare the tokenizers yourself. For two vocabularies there is "
        "`use_heterogeneous_vocab`: drafts from the tokens that both have, drawn greedily.",
        (
            ("two families, one size", YES),
            ("one family, two sizes", NO),
            ("two vocabularies", NO),
            ("two vocabularies, on purpose", YES),
        ),
        ("REFERENCES.md: vllm-38174",),
    ),
    Claim(
        "versions",
        "002",
        "A draft model needs vLLM 0.9; 0.10 raises NotImplementedError.",
        "It was so: 0.9.2 ran it, 0.10.0 and still 0.13.0 refused. Since then it is back.",
        "Any recent version; `method` may be left out, a model alone means `draft_model`.",
        (("the pair", YES), ("no method is named", YES)),
        ("REFERENCES.md: vllm-22047", "REFERENCES.md: vllm-24322"),
    ),
    Claim(
        "ngram",
        "002",
        '`{"method": "ngram", "num_speculative_tokens": 5, "prompt_lookup_max": 4}`',
        "Accepted. A maximum alone is the minimum, too, although the engine's own text says that "
        "the minimum is 1: only repeated fours of tokens are found, and no shorter ones.",
        "Give both: `prompt_lookup_max: 3, prompt_lookup_min: 1`.",
        (("002: ngram", YES), ("ngram, a maximum alone", YES), ("ngram 3..1", YES)),
    ),
    Claim(
        "suffix",
        "002",
        '`{"method": "suffix", "num_speculative_tokens": 5}` and nothing else.',
        "Accepted if the package arctic-inference is there, else ImportError. The five are a "
        "limit: the method chooses a length in every round.",
        "`pip install arctic-inference`; without a number the limit is the tree's depth, 24.",
        (
            ("002: suffix", YES),
            ("suffix", YES),
            ("suffix without its package", NO),
        ),
        ("REFERENCES.md: oliaro2024",),
    ),
    Claim(
        "MTP",
        "002",
        'The same cell with `"method": "MTP"` and one token.',
        "Refused twice: the names are lower case, and opt-6.7b has no head for it. Nor has "
        "Qwen3-8B.",
        'A model that brings its head, as Qwen3-Next: `{"method": "mtp", '
        '"num_speculative_tokens": 1}`, no second model.',
        (
            ("002: MTP", NO),
            ("mtp without a head", NO),
            ("mtp of Qwen3-8B", NO),
            ("mtp", YES),
        ),
        ("REFERENCES.md: deepseek2024",),
    ),
    Claim(
        "high concurrency",
        "004",
        "With many requests at once it is 2 to 4 times as fast, or more.",
        "With short contexts the gain is largest for one request and shrinks as the batch grows, "
        "since the spare arithmetic that verification uses is used up (lesson 11, also of long "
        "contexts; reported by Su et al. 2023, too). Reported of 24 clients: EAGLE-3 lost a "
        "third, and with fewer tokens per round it gained. SGLang's own table of lengths drafts "
        "nothing from a batch of 64 on.",
        "Fewer tokens as the batch grows: vLLM's `num_speculative_tokens_per_batch_size`, "
        "SGLang's `--speculative-adaptive`. The old key `disable_by_batch_size` is refused.",
        (
            ("lengths by batch size", YES),
            ("disable_by_batch_size", NO),
            ("speculative_disable_by_batch_size", NO),
        ),
        (
            "lesson 11",
            "REFERENCES.md: su2023",
            "REFERENCES.md: sfllm",
            "REFERENCES.md: vllm-35060",
            "sglang: python/sglang/srt/speculative/adaptive_spec_params.py",
        ),
    ),
)


def of(article: str) -> tuple[Claim, ...]:
    """The claims of the article with that number.

    Raises:
        KeyError: none of ours; the message names those with claims about engines.
    """
    found = tuple(one for one in CLAIMS if one.article == article)
    if not found:
        names = ", ".join(dict.fromkeys(one.article for one in CLAIMS))
        raise KeyError(f"no claims of article {article!r} here; there are those of {names}")
    return found
