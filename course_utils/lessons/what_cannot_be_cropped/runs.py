"""The session in the course's loop: passes, states, texts; and the same in a hybrid model."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from course_utils.decoding import emitted_tokens, generate
from course_utils.decoding.contracts import NO_DRAFT, Draft, LanguageModel
from course_utils.decoding.sampling import GREEDY
from course_utils.lessons.what_cannot_be_cropped.layer import Gated
from course_utils.proofs.bugs import StaleSlotSession, WithSession

VOCABULARY = 64
PROMPT = [3, 1, 4, 1, 5]


class Knows:
    """Knows the text, and guesses each token right with chance `alpha`; sometimes `silent`."""

    def __init__(self, text: Sequence[int], alpha: float, silent: float = 0.0):
        self._text, self._alpha, self._silent = text, alpha, silent
        self._random = np.random.default_rng(0)

    def propose(self, tokens, gamma, noise) -> Draft:
        if self._random.random() < self._silent:
            return NO_DRAFT
        at = len(tokens)
        truth = np.array(self._text[at : at + gamma])
        wrong = self._random.random(len(truth)) >= self._alpha
        return Draft(tuple(((truth + wrong) % VOCABULARY).tolist()), None)


def text_of(target: LanguageModel, tokens: int, prompt: Sequence[int] = PROMPT) -> list[int]:
    """The plain greedy text, with its prompt."""
    rounds = generate(target, prompt, sampling=GREEDY, max_new_tokens=tokens)
    return [*prompt, *emitted_tokens(rounds)]


def passes(make: Callable[[], Gated], alpha: float, gamma: int, tokens: int) -> dict:
    """A greedy text of so many tokens: is it the plain one, and what did it take per round?

    Args:
        make: a new target, which counts its passes.
    """
    plain, target = text_of(make(), tokens + gamma), make()
    rounds = list(
        generate(target, PROMPT, Knows(plain, alpha), gamma=gamma, sampling=GREEDY,
                 max_new_tokens=tokens)
    )  # fmt: skip
    new = emitted_tokens(rounds)
    return {
        "equal": [*PROMPT, *new] == plain[: len(PROMPT) + tokens],
        "passes per round": (target.passes - 1) / len(rounds),  # one is the prompt's
        "tokens per pass": len(new) / (target.passes - 1),
    }


def stale(silent: float, tokens: int = 60, alpha: float = 0.8) -> int | None:
    """Where a text from a stale slot first differs from the plain one; None: nowhere."""
    plain = text_of(Gated(VOCABULARY), tokens + 1)
    target = WithSession(Gated(VOCABULARY), StaleSlotSession)
    drafter = Knows(plain, alpha, silent)
    rounds = generate(target, PROMPT, drafter, sampling=GREEDY, max_new_tokens=tokens)
    new = emitted_tokens(rounds)
    differ = (i for i, token in enumerate(new) if token != plain[len(PROMPT) + i])
    return next(differ, None)


def hybrid(config: Mapping[str, object], tokens: int = 40) -> dict[str, object]:
    """A small random Qwen3-Next of transformers with the layers of `config`, in float32.

    Speculative greedy text by the course's adapter against transformers' own `generate`, and the
    bytes of its cache.
    """
    import torch
    from transformers import Qwen3NextConfig, Qwen3NextForCausalLM

    from course_utils.models.adapter import TransformersModel
    from course_utils.models.loading.folder import quietly

    torch.manual_seed(0)
    small = Qwen3NextConfig(
        vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=len(config["layer_types"]),
        intermediate_size=48, moe_intermediate_size=16, shared_expert_intermediate_size=16,
        num_experts=4, num_experts_per_tok=2, num_attention_heads=2, linear_num_key_heads=2,
        initializer_range=0.2, eos_token_id=None, **config,
    )  # fmt: skip
    model = Qwen3NextForCausalLM(small).eval()
    with quietly():
        ids = torch.tensor([PROMPT])
        theirs = model.generate(ids, max_new_tokens=tokens, do_sample=False, pad_token_id=0)
        theirs = theirs[0].tolist()
        adapter = TransformersModel(model)
    drafter = Knows(theirs, 0.8)
    rounds = list(generate(adapter, PROMPT, drafter, sampling=GREEDY, max_new_tokens=tokens))
    cache = adapter.start(theirs).cache
    states = [layer.recurrent_states[0] for layer in cache.layers if hasattr(layer, "conv_states")]
    keys = [layer.keys for layer in cache.layers if hasattr(layer, "keys")]
    return {
        "equal to transformers": [*PROMPT, *emitted_tokens(rounds)] == theirs,
        "rejected": sum(r.accepted < len(r.drafted) for r in rounds),
        "rounds": len(rounds),
        "bytes of the states": sum(state.nbytes for state in states),
        "bytes of a token": sum(2 * key.nbytes for key in keys) // len(theirs),
    }
