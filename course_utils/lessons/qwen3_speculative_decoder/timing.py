"""What the parts of a round cost on this machine, each timed by itself and in turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from transformers import AutoConfig

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import Drafter, LanguageModel
from course_utils.decoding.noise import Noise
from course_utils.decoding.theory import expected_tokens, speedup_with_costs
from course_utils.measuring.clocked import timed_pass

REPEATS = 12


@dataclass(frozen=True)
class Parts:
    """Medians; `one` is the unit of the others."""

    one: float  # seconds of the target's pass over one token
    c: float  # a drafted token, sampling included
    v: dict[int, float]  # {k: the target's pass over k tokens}


def timed_parts(
    target: LanguageModel, drafter: Drafter, text: Sequence[int], largest: int, gamma: int,
    repeats: int = REPEATS,
) -> Parts:  # fmt: skip
    """Time passes over 1 to `largest` + 1 tokens, and drafts of `gamma`, behind `text`.

    The last largest + 1 tokens of `text` are what the passes read; the rest is in the cache.
    """
    known, new = list(text[: -largest - 1]), list(text[-largest - 1 :])
    session, noise = target.start(known), Noise(0).round(0)
    passes: dict[int, list[float]] = {k: [] for k in range(1, largest + 2)}
    drafts = []
    for _ in range(repeats):
        for k, seconds in passes.items():
            seconds.append(timed_pass(session, new[:k])[1])
            session.rollback(len(known))
            begin = now()
            drafter.propose(known, gamma, noise)
            drafts.append((now() - begin) / gamma)
    one = median(passes[1])
    v = {k: median(seconds) / one for k, seconds in passes.items()}
    return Parts(one, median(drafts) / one, v)


def half_on_disk(folder: str) -> dict[str, str]:
    """A device map of a saved Qwen3: the second half of its layers is read in each pass."""
    layers = AutoConfig.from_pretrained(folder).num_hidden_layers
    places = dict.fromkeys(
        ("model.embed_tokens", "model.norm", "model.rotary_emb", "lm_head"), "cpu"
    )
    return places | {
        f"model.layers.{i}": "disk" if 2 * i >= layers else "cpu" for i in range(layers)
    }


def best_at(parts: Parts, alpha: float) -> dict[str, float]:
    """A row of a table: the costs, the best gamma that was timed, and the speedup there."""
    gammas = range(1, max(parts.v))
    speeds = {
        g: speedup_with_costs(expected_tokens(alpha, g), g, parts.c, parts.v.get, 0.0)
        for g in gammas
    }
    best = max(speeds, key=speeds.get)
    row = {"T(1) in ms": 1e3 * parts.one, "c": parts.c, "v(5)": parts.v[5]}
    return row | {"best gamma": best, "speedup at best": speeds[best]}
