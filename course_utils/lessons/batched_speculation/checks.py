"""Checks of lesson 11: the parts of a ragged batch, its bonus, its speed."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.theory.speedup import expected_tokens

Counts = Sequence[int]
PASSES = [  # lengths before the pass, and new tokens of each row
    ([5, 2, 9], [3, 1, 2]),
    ([4, 4], [2, 2]),
    ([0, 7], [4, 0]),
    ([12], [1]),
    ([3, 0, 8, 1], [1, 5, 0, 3]),
]


def place_tokens(lengths: Counts, counts: Counts) -> tuple[list[int], list[int]]:
    """Return the row and the position of each new token, row by row."""
    rows, positions = [], []
    for row, count in enumerate(counts):
        for i in range(count):
            rows.append(row)
            positions.append(lengths[row] + i)
    return rows, positions


check_place_tokens = Exercise(
    "place_tokens",
    cases=PASSES,
    solution=place_tokens,
    parts=("rows", "positions"),
    mistakes={
        "You give every row as many tokens as the row with the most new ones. Nothing is padded "
        "here: row i has counts[i] new tokens.": "range(count) → range(max(counts))",
        "You deal out the rows like cards. The tokens come row by row: all of row 0, then all of "
        "row 1.": "append(row) → append(i)",
        "That is the index in the list of all new tokens. A token's position does not depend on "
        "other rows: count up from its own row's length.": "lengths[row] + i → len(positions)",
        "You start every row where the longest one ends. That is the padded layout. For a shorter "
        "row the position is wrong: "
        "the rotary embedding would see a gap.": "lengths[row] + i → max(lengths) + i",
        "One too many: positions are counted from 0, "
        "so after 5 tokens the next position is 5.": "lengths[row] + i → lengths[row] + i + 1",
    },
    insight="No token is padded or moved: each has its row and its position.",
)


def visible_columns(lengths: Counts, counts: Counts) -> np.ndarray:
    """Return (new tokens, columns) bool: which columns of its own row each token sees."""
    rows = zip(lengths, counts)
    positions = np.array([n + i for n, count in rows for i in range(count)])
    return np.arange(positions.max() + 1) <= positions[:, None]


check_visible_columns = Exercise(
    "visible_columns",
    cases=PASSES,
    solution=visible_columns,
    mistakes={
        "A token sees itself: its own key and value are in the cache before attention "
        "runs.": "<= positions → < positions",
        "Your tokens see the later tokens of the same draft. The target would judge a guess by the "
        "guesses after it.": "<= positions → < np.repeat(np.add(lengths, counts), counts)",
        "Your tokens see only what was cached before the pass, "
        "not the guesses before them.": "<= positions → < np.repeat(lengths, counts)",
        "You treat every row as if it were as long as the longest. The columns after a short row "
        "hold stale keys, of rejected guesses or of another text.": "positions[:, None] → "
        "(positions + np.repeat(np.subtract(max(lengths), lengths), counts))[:, None]",
        "Nothing is hidden: the columns after a token's own position are not its "
        "text.": "<= positions → >= 0 * positions",
    },
    insight="A token sees up to its own position: one comparison, whatever the other rows hold.",
)


def committed_lengths(lengths: Counts, accepted: Counts, ended: Sequence[bool]) -> list[int]:
    """Return each row's cached tokens after the verdicts: 0 for a row that has ended."""
    rows = zip(lengths, accepted, ended)
    return [0 if over else length + 1 + n for length, n, over in rows]


check_committed_lengths = Exercise(
    "committed_lengths",
    cases=[
        ([5, 2, 9], [3, 0, 1], [False, False, False]),
        ([8, 8], [0, 0], [False, True]),
        ([1, 30, 4, 6], [4, 2, 0, 4], [True, False, False, False]),
        ([7], [2], [False]),
        ([3, 3, 3], [1, 1, 1], [True, True, True]),
    ],
    solution=committed_lengths,
    must_not_mutate=True,
    mistakes={
        "The first token of the pass is missing. The pass read the last token of the text before "
        "the guesses, so that token is in the cache as well.": "length + 1 + n → length + n",
        "One too many: the correction or bonus was drawn after the pass. No pass has read it yet; "
        "it is the first token of the next pass.": "length + 1 → length + 2",
        "You advance every row by what the slowest row accepted. The text stays right, but "
        "accepted tokens are thrown away, "
        "and a large batch would hardly advance.": "1 + n  → 1 + min(accepted) ",
        "You advance every row by what the fastest row accepted: the others keep rejected tokens, "
        "and attention reads them.": "1 + n  → 1 + max(accepted) ",
        "A row that has ended frees its slot: its length is 0, so that the next prompt can start "
        "there.": "0 if over else  → ",
    },
    insight="Rejected tokens stay in memory, but beyond the length, where attention never looks.",
)


# --- published batch code whose rounds never emit the bonus: eBay/spec_dec at 96e1d12 ---


def repaired_row(guesses: Sequence[int], best: Sequence[int]) -> list[int]:
    """Return the accepted guesses and one token of the target: the correction or the bonus.

    Args:
        guesses: the gamma drafted tokens.
        best: the target's likeliest token after the text, and after each guess: gamma + 1.
    """
    matches = [guess == token for guess, token in zip(guesses, best)]
    first_wrong = matches.index(False) if False in matches else len(matches)
    return [*guesses[:first_wrong], best[first_wrong]]


check_repaired_row = Exercise(
    "repaired_row",
    cases=[
        ([3, 5, 7], [3, 5, 7, 9]),
        ([3, 5, 7], [3, 6, 7, 9]),
        ([3, 5, 7], [4, 5, 7, 9]),
        ([8], [8, 2]),
        ([8], [1, 2]),
        ([2, 2, 2, 2], [2, 2, 2, 1, 6]),
    ],
    solution=repaired_row,
    mistakes={
        "Like the published code, you emit one token too few after a fully accepted draft. How "
        "many are emitted, and for how many did the target compute a row?": "    matches = →     "
        "best = best[:-1]\n    matches =; else len(matches) → else len(matches) - 1",
        "You now keep the row after the last guess, but drop that guess: after a fully accepted "
        "draft `first_wrong` must be the index AFTER the last "
        "guess.": "else len(matches) → else -1",
        "You count all matching guesses. A guess counts only if all before it were right: stop at "
        "the first wrong "
        "one.": "matches.index(False) if False in matches else len(matches) → sum(matches)",
        "The last row follows the whole draft. After a wrong guess, emit the correction at that "
        "guess instead.": "best[first_wrong] → best[-1]",
        "The target's own token is missing: "
        "each round emits one more than it accepts.": ", best[first_wrong] → ",
    },
    insight="If all guesses are right, a round emits gamma + 1 tokens at no extra cost.",
)


def bonus_lost(alpha: float, gamma: int) -> float:
    """Return the expected tokens per round lost without the bonus."""
    return alpha**gamma


check_bonus_lost = Exercise(
    "bonus_lost",
    cases=[(0.5, 1), (0.8, 4), (0.95, 2), (0.0, 3), (1.0, 5), (0.7, 8)],
    solution=bonus_lost,
    mistakes={
        "That is the tokens per round with the bonus, not the loss.": expected_tokens,
        "A token is lost only in rounds that accept the whole draft, not in every round.": (
            lambda alpha, gamma: 1.0
        ),
        "One factor too many: the bonus comes after gamma accepted guesses, and it needs no "
        "acceptance of its own.": lambda alpha, gamma: alpha ** (gamma + 1),
        "That is a share of the tokens. Return a number of tokens per round.": (
            lambda alpha, gamma: alpha**gamma / expected_tokens(alpha, gamma)
        ),
    },
    insight="The better the draft, the larger the loss: at alpha = 1 one token of gamma + 1.",
)


def batch_rate(rows: int, gamma: int, tau: float, c: Callable, v: Callable, o: Callable) -> float:
    """Return the tokens of all rows in the time of one pass: a turn's tokens over its time."""
    seconds = gamma * c(rows) + v(rows * (gamma + 1)) + o(rows, gamma)
    return rows * tau / seconds


def _costs(draft: float, row: float, host: float) -> tuple[Callable, Callable, Callable]:
    return (
        lambda rows: draft * (1 + 0.1 * rows),
        lambda tokens: 1 + row * max(0, tokens - 4),
        lambda rows, gamma: host * (2 + rows * (1 + gamma)),
    )


check_batch_rate = Exercise(
    "batch_rate",
    cases=[
        (1, 0, 1.0, *_costs(0.1, 0.05, 0.02)),
        (1, 4, 3.36, *_costs(0.1, 0.05, 0.02)),
        (8, 0, 1.0, *_costs(0.1, 0.05, 0.02)),
        (8, 4, 3.36, *_costs(0.1, 0.05, 0.02)),
        (16, 2, 2.44, *_costs(0.2, 0.1, 0.01)),
    ],
    solution=batch_rate,
    mistakes={
        "That is the rate of one row. "
        "Multiply it by the number of rows.": "rows * tau / seconds → tau / seconds",
        "The target's pass is over the tokens of ALL rows, "
        "rows * (gamma + 1).": "v(rows * (gamma + 1)) → v(gamma + 1)",
        "The rows share the target's pass: it is one pass over all tokens, "
        "not one for each row.": "v(rows * (gamma + 1)) → rows * v(gamma + 1)",
        "The draft makes one pass per guess, gamma in a turn.": "gamma * c(rows) → c(rows)",
        "The host's work is missing: o(rows, gamma).": " + o(rows, gamma) → ",
        "A turn emits tau tokens per row. "
        "You count the tokens that the target reads.": "rows * tau → rows * (gamma + 1)",
    },
    describe_case=lambda rows, gamma, tau, c, v, o: (
        f"rows = {rows}, gamma = {gamma}, tau = {tau}, c({rows}) = {c(rows):g}, "
        f"v({rows * (gamma + 1)}) = {v(rows * (gamma + 1)):g}, "
        f"o({rows}, {gamma}) = {o(rows, gamma):g}"
    ),
    insight="With one row this is lesson 06's planner. The batch changes the costs, never tau.",
)
