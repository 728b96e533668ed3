"""Made-up data that the figures of several lessons are drawn from."""

import numpy as np

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.theory import expected_tokens
from course_utils.drafters.sampled import Sampled
from course_utils.models.characters import CharacterModel

WORDS = ["mat", "sofa", "roof", "floor", "moon"]
P = np.array([0.45, 0.25, 0.15, 0.10, 0.05])
Q = np.array([0.25, 0.10, 0.40, 0.15, 0.10])
COMMON, REST = np.minimum(P, Q), P - np.minimum(P, Q)
GAMMAS = range(1, 9)
TEN = np.arange(10)
TOKENS = [expected_tokens(0.7, gamma) for gamma in GAMMAS]


def _runs():
    target, drafter = CharacterModel(), Sampled(CharacterModel(accuracy=0.7))
    plain = list(generate(target, [0], None, gamma=1, max_new_tokens=18))
    drafted = {
        gamma: list(generate(target, [0], drafter, gamma=gamma, max_new_tokens=18, seed=1))
        for gamma in GAMMAS
    }
    return plain, drafted


PLAIN, RUNS = _runs()
METRICS = {gamma: summarise(rounds) for gamma, rounds in RUNS.items()}


def bench_row(name, gamma, speed):
    return {
        "name": name, "gamma": gamma, "tokens_per_round": 1 + 0.3 * (gamma or 0),
        "tokens_per_second": speed, "verify_share": 0.6, "draft_share": 0.3,
        "host_share": 0.1, "decode_ratio": speed / 350, "predicted_ratio": speed / 340,
        "iid_ratio": speed / 330, "floor_ratio": 1.08 if gamma else None, "memory_ratio": 6.0,
    }  # fmt: skip


ROWS = [bench_row(f"model g={gamma}", gamma, 350 + 80 * gamma) for gamma in GAMMAS]
GRID = np.linspace(0.02, 0.98, 30)
