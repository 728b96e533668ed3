"""Checks of this elective: what a block reads in its one pass, and when it is faster."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise

# ------------------------------------------------------------------ the one pass


def block_pass(known: int, gamma: int) -> tuple[np.ndarray, list[int], int]:
    """The cache holds slots 0 .. known - 2; the anchor and gamma - 1 masks are read behind them."""
    sees = np.tril(np.ones((gamma, known - 1 + gamma), bool), known - 1)
    positions = list(range(known - 1, known - 1 + gamma))
    return sees, positions, known


PAST = "np.tril(np.ones((gamma, known - 1 + gamma), bool), known - 1)"
check_block_pass = Exercise(
    "block_pass",
    cases=[(4, 3), (1, 4), (6, 1), (9, 6)],
    solution=block_pass,
    parts=("sees", "positions", "kept"),
    mistakes={
        "Your rows see the masks behind them. Then the first row is another one for each γ. This "
        "head has learned its rows without that.": (
            PAST, "np.ones((gamma, known - 1 + gamma), bool)"
        ),
        "A row sees its own slot, too, as in every causal mask.": (
            "bool), known - 1)", "bool), known - 2)"
        ),
        "Row i sees one slot too many: the anchor's row, row 0, sees slots 0 to known - 1.": (
            "bool), known - 1)", "bool), known)"
        ),
        "Your rows see the anchor and the masks before them, but not the text in the cache.": (
            PAST, "np.tril(np.ones((gamma, known - 1 + gamma), bool), known - 1) "
            "& (np.arange(known - 1 + gamma) >= known - 1)"
        ),
        "A mask sees the masks before it, too: with them in sight it has learned its row.": (
            PAST, "np.hstack([np.ones((gamma, known), bool), np.eye(gamma, dtype=bool)[:, 1:]])"
        ),
        "The anchor stands in slot known - 1, behind the slots 0 to known - 2.": (
            "range(known - 1, known - 1 + gamma)", "range(known, known + gamma)"
        ),
        "All your rows stand at the anchor's position. Each mask stands one further than the one "
        "before it, as the token would that it is for.": (
            "list(range(known - 1, known - 1 + gamma))", "[known - 1] * gamma"
        ),
        "You keep the masks. They are no text: the next round would read them as if they were.": (
            "positions, known", "positions, known - 1 + gamma"
        ),
        "You drop the anchor, too. It was read with the target's own state, and stays.": (
            "positions, known", "positions, known - 1"
        ),
    },
    describe_case=lambda known, gamma: f"known = {known}, gamma = {gamma}",
    insight="One pass for all rows, and nothing of the masks stays behind.",
)  # fmt: skip

# ------------------------------------------------------------------ where the curves cross


def crossing(
    chain: Sequence[float], block: Sequence[float], c: float, b: float, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int | None]:
    """Speedups of a chain and of a block for gamma = 1, 2, ...; where the block is first faster."""
    gammas = np.arange(1, len(chain) + 1)
    of_chain = (1 + np.cumsum(np.cumprod(chain))) / (gammas * c + v[gammas])
    of_block = (1 + np.cumsum(np.cumprod(block))) / (b + v[gammas])
    faster = gammas[of_block > of_chain]
    return of_chain, of_block, int(faster[0]) if len(faster) else None


_V = np.array([1.0, 1.1, 1.15, 1.3, 1.35, 1.5, 1.6])
_CHAIN, _BLOCK = [0.63, 0.62, 0.62, 0.61, 0.6], [0.62, 0.5, 0.42, 0.36, 0.3]
_EACH = ("np.cumsum(np.cumprod(chain))", "np.cumsum(np.cumprod(block))")
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
        "You pay the block's pass once for each guess. It makes all of them in one pass.": (
            "(b + v[gammas])", "(gammas * b + v[gammas])"
        ),
        "You pay the chain's pass once. EAGLE's head runs once for each guess.": (
            "gammas * c", "c"
        ),
        "A round with γ guesses verifies γ + 1 tokens: that pass costs v[γ].": (
            ("c + v[gammas]", "c + v[gammas - 1]"), ("b + v[gammas]", "b + v[gammas - 1]"),
        ),
        "The target's pass is missing in the cost of a round: v[γ].": (
            (" + v[gammas])\n    of_block", ")\n    of_block"), ("(b + v[gammas])", "b"),
        ),
        "A round emits one token more than it accepts: the correction or the bonus.": (
            ("(1 + np.cumsum(np.cumprod(chain)))", "np.cumsum(np.cumprod(chain))"),
            ("(1 + np.cumsum(np.cumprod(block)))", "np.cumsum(np.cumprod(block))"),
        ),
        "A guess counts only if all before it were accepted: multiply the rates, then add up.": (
            (_EACH[0], "np.cumsum(chain)"), (_EACH[1], "np.cumsum(block)"),
        ),
        "You take the first rate for all positions. A block's rates fall with the position.": (
            (_EACH[0], "np.cumsum(chain[0] ** gammas)"),
            (_EACH[1], "np.cumsum(block[0] ** gammas)"),
        ),
        "That is the place in the array, which begins at 0. The first entry is γ = 1.": (
            "int(faster[0])", "int(faster[0]) - 1"
        ),
        "That is where the chain is the faster one. Asked is the block.": (
            "of_block > of_chain", "of_block < of_chain"
        ),
        "That is the best γ of the block. Asked is the first at which it beats the chain.": (
            "int(faster[0]) if len(faster) else None", "int(gammas[of_block.argmax()])"
        ),
    },
    describe_case=lambda chain, block, c, b, v: f"c = {c:g}, b = {b:g} and {len(chain)} guesses",
    insight="Rates and two costs decide, and no text has to be written.",
)  # fmt: skip
