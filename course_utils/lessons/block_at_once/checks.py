"""Checks of this elective: the one pass of a block, and when a block is faster."""

import numpy as np

from course_utils.classroom.exercise import Exercise


def block_pass(known, gamma):
    """-> (sees (gamma, known - 1 + gamma), positions, cached)"""
    sees = np.tril(np.ones((gamma, known - 1 + gamma), bool), known - 1)
    positions = list(range(known - 1, known - 1 + gamma))
    return sees, positions, known


check_block_pass = Exercise(
    "block_pass",
    cases=[(4, 3), (1, 4), (6, 1), (9, 6)],
    solution=block_pass,
    parts=("sees", "positions", "cached"),
    mistakes={
        "Your rows see the masks after them, so they change with γ. This head was trained without "
        "that.": "np.tril(np.ones((gamma, known - 1 + gamma), bool), known - 1) → "
        "np.ones((gamma, known - 1 + gamma), bool)",
        "A row must also see its own slot, "
        "as in every causal mask.": "bool), known - 1) → bool), known - 2)",
        "A mask must also see the masks before it, as it did in "
        "training.": "np.tril(np.ones((gamma, known - 1 + gamma), bool), known - 1) → "
        "np.hstack([np.ones((gamma, known), bool), np.eye(gamma, dtype=bool)[:, 1:]])",
        "The anchor has slot known - 1, right after the slots 0 to known - "
        "2.": "range(known - 1, known - 1 + gamma) → range(known, known + gamma)",
        "All your rows have the anchor's position. Each mask has the position of the token it "
        "replaces, one more than the row "
        "before.": "list(range(known - 1, known - 1 + gamma)) → [known - 1] * gamma",
        "You keep the masks in the cache. The next round would read them as "
        "text.": "positions, known → positions, known - 1 + gamma",
    },
    insight="One pass gives all rows, and no mask stays in the cache.",
)  # fmt: skip


def crossing(chain, block, c, b, v):
    """-> (speedups of the chain, speedups of the block, first γ)"""
    gammas = np.arange(1, len(chain) + 1)
    of_chain = (1 + np.cumsum(np.cumprod(chain))) / (gammas * c + v[gammas])
    of_block = (1 + np.cumsum(np.cumprod(block))) / (b + v[gammas])
    faster = gammas[of_block > of_chain]
    return of_chain, of_block, int(faster[0]) if len(faster) else None


_V = np.array([1.0, 1.1, 1.15, 1.3, 1.35, 1.5, 1.6])
_CHAIN, _BLOCK = [0.63, 0.62, 0.62, 0.61, 0.6], [0.62, 0.5, 0.42, 0.36, 0.3]
_SUMS = ("np.cumsum(np.cumprod(chain))", "np.cumsum(np.cumprod(block))")
check_crossing = Exercise(
    "crossing",
    cases=[
        ([0.5, 0.5], [0.5, 0.25], 0.5, 0.6, np.ones(3)),
        (_CHAIN, _BLOCK, 0.15, 0.25, _V),  # crosses below the chain's best
        (_CHAIN, _BLOCK, 0.02, 0.03, _V),
        (_CHAIN, _BLOCK, 0.3, 0.2, _V),
    ],
    solution=crossing,
    parts=("speedups of the chain", "speedups of the block", "first γ"),
    mistakes={
        "You count the block's pass once per guess. "
        "It makes all guesses in one pass.": "(b + v[gammas]) → (gammas * b + v[gammas])",
        "You count the chain's pass once. EAGLE's head runs once per guess.": "gammas * c → c",
        "You use v[γ - 1]. A round with γ guesses verifies γ + 1 tokens, "
        "which costs v[γ].": "c + v[gammas] → c + v[gammas - 1]; b + v[gammas] → b + v[gammas - 1]",
        "A round emits one more token than it accepts: the correction or the "
        "bonus.": "(1 + np.cumsum(np.cumprod(chain))) → np.cumsum(np.cumprod(chain)); (1 + "
        "np.cumsum(np.cumprod(block))) → np.cumsum(np.cumprod(block))",
        "A guess counts only if all earlier ones were accepted: multiply the rates, "
        "then sum.": f"{_SUMS[0]} → np.cumsum(chain); {_SUMS[1]} → np.cumsum(block)",
        "You return an array index, which starts at 0. "
        "The first entry is γ = 1.": "int(faster[0]) → int(faster[0]) - 1",
    },
    describe_case=lambda chain, block, c, b, v: f"c = {c:g}, b = {b:g} and {len(chain)} guesses",
    insight="Rates and two costs predict the speed without writing any text.",
)  # fmt: skip
