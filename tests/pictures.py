"""Every figure of the course, drawn from small made-up data like the lessons' own."""

from types import SimpleNamespace

import numpy as np

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.theory import expected_tokens
from course_utils.decoding.theory import speedup as speedup_of
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.acceptance_rule import figures as acceptance
from course_utils.lessons.acceptance_rule.darts import throw
from course_utils.lessons.character_simulator import figures as characters
from course_utils.lessons.decoding_with_a_cache import figures as cache
from course_utils.lessons.exact_proof import figures as proof
from course_utils.lessons.ngram_drafter import figures as n_grams
from course_utils.lessons.qwen3_speculative_decoder import figures as qwen3
from course_utils.lessons.qwen3_speculative_decoder import tie_figures as ties
from course_utils.lessons.speedup_theory import bench_figures as bench
from course_utils.lessons.speedup_theory import figures as speedup
from course_utils.lessons.start_here import figures as start
from course_utils.lessons.verification_rules import figures as verification
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


def _paths():
    for draft, p_kept, emitted, weight in (
        (0, 1, (0, 0), 1 / 9),
        (0, 1, (0, 1), 2 / 9),
        (0, 0, (1,), 1 / 3),
        (1, 1, (1, 0), 1 / 9),
        (1, 1, (1, 1), 2 / 9),
    ):
        kinds = ("accepted", "bonus") if p_kept else ("correction",)
        q = np.array([[2 / 3, 1 / 3]])
        yield (
            weight,
            SimpleNamespace(drafted=(draft,), q=q, accepted=p_kept, emitted=emitted, kinds=kinds),
        )


def _divergence(alone, among, verdict):
    return SimpleNamespace(
        alone=SimpleNamespace(margin=alone), among=SimpleNamespace(margin=among), verdict=verdict
    )


def _row(name, gamma, speed):
    return {
        "name": name, "gamma": gamma, "tokens_per_round": 1 + 0.3 * (gamma or 0),
        "tokens_per_second": speed, "verify_share": 0.6, "draft_share": 0.3,
        "host_share": 0.1, "decode_ratio": speed / 350, "predicted_ratio": speed / 340,
        "iid_ratio": speed / 330, "floor_ratio": 1.08 if gamma else None, "memory_ratio": 6.0,
    }  # fmt: skip


ROWS = [_row(f"model g={gamma}", gamma, 350 + 80 * gamma) for gamma in GAMMAS]
SPECIMENS = [(f"specimen {i}", 0.5 / 2**i, 0.5 + 0.03 * (i % 6)) for i in range(18)]
LOSSLESS = {"token-wise": (2.49, 0.0), "block": (2.52, 0.0), "greedy match": (1.58, 0.0)}
LOSSY = {"typical": (2.81, 0.2), "p >= q": (1.95, 0.43)}
MIXTURE = {"": (2.49, 0.0), "w = 0.5": (2.73, 0.15), "w = 0": (3.0, 0.28)}
GRID = np.linspace(0.02, 0.98, 30)
MAP = np.array([[max(1.0, speedup_of(a, 4, c)) for a in GRID] for c in GRID])
CURVES = {
    f"α = {a}, c = {c}": [speedup_of(a, g, c) for g in range(1, 25)]
    for a, c in ((0.9, 0.05), (0.8, 0.1), (0.6, 0.1), (0.5, 0.2), (0.2, 0.3))
}
SIMULATED = {
    a: ([expected_tokens(a, g) for g in GAMMAS], np.full(8, 0.05)) for a in (0.9, 0.7, 0.5)
}
RATES = {
    "accepted / drafted": [t / g - 0.4 for t, g in zip(TOKENS, GAMMAS, strict=True)],
    "accepted / examined (α)": [0.7] * 8,
    "accepted / emitted": [1 - 1 / t for t in TOKENS],
}
KINDS_OF_TEXT = {"code": (0.8, 90), "prose": (0.7, 80), "lists": (0.9, 100)}

PICTURES = {
    "call_strips": lambda: start.call_strips(
        summarise(PLAIN), METRICS[4], [len(r.emitted) for r in RUNS[4]]
    ),
    "overlap_bars": lambda: characters.overlap_bars(WORDS, P, Q),
    "calls_histogram": lambda: characters.calls_histogram([5, 6, 6, 7], P.repeat(8) / 8, 18),
    "calls_by_acceptance": lambda: characters.calls_by_acceptance(
        GRID, {name: 18 * (1 - GRID * k) for name, k in (("loop", 0.7), ("no bonus", 0.6))}, 18
    ),
    "tokens_by_gamma": lambda: characters.tokens_by_gamma(GAMMAS, TOKENS, TOKENS, 0.7),
    "acceptance_bars": lambda: n_grams.acceptance_bars(
        {s: dict.fromkeys(("trigram", "lookup"), KINDS_OF_TEXT) for s in ("greedy", "sampled")}
    ),
    "overlap_and_residual": lambda: acceptance.overlap_and_residual(WORDS, P, Q),
    "darts": lambda: acceptance.darts(WORDS, P, Q, throw(P, Q, 400, 0)),
    "built_distributions": lambda: acceptance.built_distributions(
        WORDS, P, {"the residual": (COMMON, REST), "p itself": (COMMON, 0.35 * P)}
    ),
    "chi_squares": lambda: proof.chi_squares(
        10 + np.arange(100.0),
        {"correct": 11.4, "a bug": 10.7, "another": 399.3},
        "Dice find only one bug",
    ),
    "offers": lambda: verification.offers(
        WORDS, P, {"one": Q, "another": P}, "A mass that is offered twice is accepted once"
    ),
    "outputs": lambda: verification.outputs(
        WORDS, P, {name: (COMMON, REST) for name in ("token-wise", *"ABCD")}
    ),
    "unit_square": lambda: proof.unit_square(
        list(_paths()), "AB", ["1/9", "2/9", "1/3", "1/9", "2/9"]
    ),
    "errors_by_text": lambda: proof.errors_by_text(
        TEN / 45, {"correct": TEN * 1e-17, "a bug": (TEN - 4.5) / 1000}, "Enumeration shows it all"
    ),
    "gains": lambda: verification.gains({g: (GRID, g * (1 - GRID) / 30) for g in (1, 2, 3, 5)}),
    "suspects": lambda: proof.suspects(
        WORDS, P, {name: (COMMON, REST, P) for name in ("correct", *"ABCDE")}
    ),
    "zoo": lambda: proof.zoo(
        [*SPECIMENS, ("no bonus", 0.0, 0.38)], 0.56, {"no bonus": "3.44 tokens, not 4.68"}
    ),
    "chart": lambda: verification.chart(LOSSLESS, LOSSY, MIXTURE),
    "tokens_per_round": lambda: speedup.tokens_per_round(
        GAMMAS, {a: means for a, (means, _) in SIMULATED.items()}, SIMULATED
    ),
    "rates": lambda: speedup.rates(GAMMAS, RATES),
    "by_position": lambda: speedup.by_position(
        [0.7] * 8, [0.05] * 8, 0.7, GAMMAS, {"formula at α": TOKENS, "measured": TOKENS}
    ),
    "speedup_curves": lambda: speedup.speedup_curves(range(1, 25), CURVES),
    "speedup_map": lambda: speedup.speedup_map(GRID, GRID, MAP, np.full(MAP.shape, 4)),
    "predicted_and_measured": lambda: speedup.predicted_and_measured(
        range(1, 10),
        1 + np.arange(9) / 50,
        GAMMAS,
        {"with v and o": TOKENS, "textbook": TOKENS},
        np.multiply.outer([0.9, 1, 1.1], TOKENS),
    ),
    "claim": lambda: speedup.claim(
        range(1, 17),
        {"claim A": 5 * np.arange(1, 17), "truth": [2] * 16, "limit": [5] * 16},
        "No draft gives more than 5×",
        "k, drafted tokens per round",
    ),
    "round_budget": lambda: bench.round_budget(_row("plain", None, 350), ROWS),
    "predicted_against_measured": lambda: bench.predicted_against_measured(ROWS),
    "floors": lambda: qwen3.floors([_row("plain", None, 350), *ROWS[:3]]),
    "context_costs": lambda: cache.context_costs([64, 256, 1000], [5.6, 5.9, 7.0], [4.7, 4.4, 4.5]),
    "attention_mask": lambda: cache.attention_mask(np.tri(4, 10, 6, dtype=bool)),
    "naive_against_cached": lambda: cache.naive_against_cached(
        [32, 512, 1000], [9, 85, 230], [6] * 3
    ),
    "cache_through_rounds": lambda: cache.cache_through_rounds(RUNS[4]),
    "acceptance_against": lambda: cache.acceptance_against([0.95, 0.9, 0.8], [0.8, 0.6, 0.5]),
    "verification_cost": lambda: cache.verification_cost({"float32": 1 + TEN / 40}),
    "cache_size": lambda: cache.cache_size(
        {"0.6B": 114688, "4B": 147456}, {"0.6B": 1192099840, "4B": 8044936192}
    ),
    "acceptance_over_gamma": lambda: qwen3.acceptance_over_gamma(METRICS),
    "speedup_over_gamma": lambda: qwen3.speedup_over_gamma({1: 1.2, 2: 1.4}, {1: 1.3, 2: 1.35}),
    "distributions_at_one_position": lambda: qwen3.distributions_at_one_position(
        {"p at temperature 1": P, "p at temperature 0.7": P**1.4, "the article": Q}
    ),
    "speed_within_reach": lambda: qwen3.speed_within_reach(
        {"as printed": (20, 60), "one pass per round": (10, 50)}, 50, 2.72, {"weights": 0.15}
    ),
    "leads": lambda: ties.leads(
        [_divergence(0.1, 0.0, "numerical tie")],
        [_divergence(1.2, 1.1, "bug"), _divergence(0.1, -0.1, "numerical tie")],
        0.3,
    ),
}
