"""Checks of this lesson: where tokens of a batch go, is it right, its bonus, its speed."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import expected_tokens

# --- where the tokens of a ragged batch go, what they see, what stays -----------------

Counts = Sequence[int]
PASSES = [  # lengths before the pass, and new tokens of each row
    ([5, 2, 9], [3, 1, 2]),
    ([4, 4], [2, 2]),
    ([0, 7], [4, 0]),
    ([12], [1]),
    ([3, 0, 8, 1], [1, 5, 0, 3]),
]


def rows_placed(lengths: Counts, counts: Counts) -> tuple[list[int], list[int]]:
    """Row and position of each new token; the tokens come row by row."""
    rows, positions = [], []
    for row, count in enumerate(counts):
        for i in range(count):
            rows.append(row)
            positions.append(lengths[row] + i)
    return rows, positions


check_rows_placed = Exercise(
    "rows_placed",
    cases=PASSES,
    solution=rows_placed,
    parts=("rows", "positions"),
    mistakes={
        "You give every row as many places as the widest one has new tokens. There are no such "
        "tokens: nothing is padded here, each row has places for its own.": (
            ("range(count)", "range(max(counts))")
        ),
        "Rows are handed out in turn, as cards are. The tokens come row by row: all of row 0, then "
        "all of row 1.": ("append(row)", "append(i)"),
        "That is the place in the list of all new tokens. Where a token stands in its own text has "
        "nothing to do with the rows before it: its row's length, and on from there.": (
            ("lengths[row] + i", "len(positions)")
        ),
        "All rows begin where the longest ends. That is the padded layout, and for a shorter row "
        "it is a wrong position: the rotary embedding would see a gap.": (
            ("lengths[row] + i", "max(lengths) + i")
        ),
        "One too many: positions are counted from 0, so behind 5 tokens the next one stands at "
        "5.": ("lengths[row] + i", "lengths[row] + i + 1"),
    },
    insight="No token was padded, and none was moved: each knows its row and its position.",
)


def seen_columns(lengths: Counts, counts: Counts) -> np.ndarray:
    """(new tokens, longest row afterwards): which columns of its own row each token sees."""
    counted = zip(lengths, counts)
    positions = np.array([n + i for n, count in counted for i in range(count)])
    return np.arange(positions.max() + 1) <= positions[:, None]


def _first_column(answer: object, lengths: Counts, counts: Counts) -> str:
    """Which token sees a column that it must not see, or misses one."""
    right, given = seen_columns(lengths, counts), np.asarray(answer, dtype=bool)
    if given.shape != right.shape:
        return f"the array has the shape {right.shape}, not {given.shape}."
    token, column = (int(at[0]) for at in np.nonzero(given != right))
    rows, positions = rows_placed(lengths, counts)
    verb = "sees" if given[token, column] else "does not see"
    return (
        f"token {token} stands at position {positions[token]} of row {rows[token]}, and in your "
        f"array it {verb} column {column}."
    )


check_seen_columns = Exercise(
    "seen_columns",
    cases=PASSES,
    solution=seen_columns,
    mistakes={
        "A token sees itself: its own key and value are in the cache before anybody looks.": (
            ("<= positions", "< positions")
        ),
        "Your tokens see those that come after them in the same draft. A guess would be judged by "
        "what was guessed behind it.": (
            ("<= positions", "< np.repeat(np.add(lengths, counts), counts)")
        ),
        "Your tokens see only what was there before the pass, and not the guesses before them.": (
            "<= positions",
            "< np.repeat(lengths, counts)",
        ),
        "Every row is taken to be as long as the longest. In the columns behind a short row lies "
        "what was rejected there, or another text's rest: stale keys.": (
            "positions[:, None]",
            "(positions + np.repeat(np.subtract(max(lengths), lengths), counts))[:, None]",
        ),
        "Nothing is hidden: the columns behind a token's own position are not its text.": (
            ("<= positions", ">= 0 * positions")
        ),
    },
    explain=_first_column,
    insight="A token sees up to its own position: one comparison, whatever its neighbours hold.",
)


def committed_lengths(lengths: Counts, accepted: Counts, ended: Sequence[bool]) -> list[int]:
    """Tokens that each row holds after the verdicts; a row that has ended leaves an empty slot."""
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
        "The first token of the pass is missing. The pass read the last token of the text and then "
        "the guesses, so it is in the cache as well.": ("length + 1 + n", "length + n"),
        "One too many: the correction, or the bonus, was chosen after the pass. Nothing has read "
        "it yet; it is what the next pass begins with.": ("length + 1", "length + 2"),
        "Every row goes on by what the slowest row accepted. The text stays right, but accepted "
        "tokens are thrown away: a batch of many would hardly move.": (
            ("1 + n ", "1 + min(accepted) ")
        ),
        "Every row goes on by what the fastest row accepted: the others keep rejected tokens, and "
        "attention reads them.": ("1 + n ", "1 + max(accepted) "),
        "A row that has ended leaves its slot: its length is 0, and the next prompt can begin "
        "there.": ("0 if over else ", ""),
    },
    insight="Rejected tokens stay in memory; since no length reaches them, nobody reads them.",
)


# --- is row i of a batch what prompt i says, and accepts, alone? ----------------------

# of each row its rounds: (the tokens that were emitted, how many guesses were accepted)
Rounds = Mapping[int, Sequence[tuple[Sequence[int], int]]]


def judged_rows(batch: Rounds, alone: Rounds) -> set[tuple[int, str]]:
    """(row, "text") for another text, (row, "accepted") for other acceptances."""
    differences = set()
    for row, solo in alone.items():
        both = batch.get(row, ()), solo
        texts = [[x for emitted, _ in rounds for x in emitted] for rounds in both]
        accepted = [[n for _, n in rounds] for rounds in both]
        if texts[0] != texts[1]:
            differences.add((row, "text"))
        if accepted[0] != accepted[1]:
            differences.add((row, "accepted"))
    return differences


_A = [([4, 7, 7], 2), ([1], 0), ([3, 3], 1)]
_B = [([2], 0), ([5, 5, 6], 2)]
_C = [([9, 9], 1), ([9, 8], 1)]
_SLOW = [([4, 7], 1), ([7], 0), ([1], 0), ([3, 3], 1)]  # A's text with fewer accepted
_TURNED = [([4, 7], 1), ([7], 0), ([1, 3, 3], 2)]  # A's text and total in other rounds
_OTHER = [([7, 4, 7], 2), ([1], 0), ([3, 3], 1)]  # accepts as A, says its tokens in another order
_SOLO = {0: _A, 1: _B, 2: _C}

check_judged_rows = Exercise(
    "judged_rows",
    cases=[
        (_SOLO, _SOLO),
        ({2: _C, 0: _A, 1: _B}, _SOLO),
        ({0: _SLOW, 1: _B, 2: _C}, _SOLO),
        ({0: _OTHER, 1: _B, 2: _C}, _SOLO),
        ({0: _B, 1: _A, 2: _C}, _SOLO),
        ({0: _TURNED, 1: _B, 2: _C}, _SOLO),
        ({0: _A, 1: _B[:1], 2: _C}, _SOLO),
        ({0: _A, 2: _C}, _SOLO),
        ({7: _A, 4: _A}, {4: _A, 7: _B}),  # of a batch that began elsewhere
    ],
    solution=judged_rows,
    mistakes={
        "You compare texts only. A row that accepts fewer guesses says the same at temperature 0, "
        "in more rounds: a draft that reads wrong tokens passes.": (
            ("if accepted[0] != accepted[1]", "if False")
        ),
        "You compare acceptances only: a text may be wrong with the very same counts.": (
            ("if texts[0] != texts[1]", "if False")
        ),
        "The total of accepted guesses, the number of rounds, the numbers without their order: "
        "none is enough, since a round that lost a guess and one that won one cancel. Compare "
        "round by round.": (("[n for _, n in rounds]", "sum(n for _, n in rounds)")),
        "A row may be wrong in both ways: two `if`s, no `elif`.": (
            ("        if accepted[0] != accepted[1]", "        elif accepted[0] != accepted[1]")
        ),
        "You compare rows in the order in which they come out of the dict. Row 2 of the batch "
        "belongs to prompt 2, wherever it stands.": (
            ("for row, solo in alone.items()", "for row, rounds in zip(alone, batch.values())"),
            ("batch.get(row, ()), solo", "rounds, alone[row]"),
        ),
        "A prompt that was never answered is not missed. Go over the rows that ran alone; one that "
        "the batch lacks has no rounds there, so its text and its numbers differ.": (
            ("for row, solo in alone.items()", "for row, rounds in batch.items()"),
            ("batch.get(row, ()), solo", "rounds, alone[row]"),
        ),
    },
    equal=lambda given, right: sorted(map(tuple, given)) == sorted(map(tuple, right)),
    describe_case=lambda batch, alone: f"batch = {batch}, alone = {alone}",
    insight="Two comparisons a row. The second one is what production tests lack.",
)


# --- published batch code whose rounds never emit the bonus: eBay/spec_dec at 96e1d12 ---


def repaired_row(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    """The accepted guesses and one token of the target: the correction, or the bonus.

    Args:
        guesses: the gamma tokens that were drafted.
        said: the target's likeliest token after the text, and after each guess: gamma + 1.
    """
    same = [guess == token for guess, token in zip(guesses, said)]
    first_other = same.index(False) if False in same else len(same)
    return [*guesses[:first_other], said[first_other]]


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
        "As in the published code, a draft that was accepted whole brings one token too few. How "
        "many come out, and for how many did the target compute a row?": (
            ("    same =", "    said = said[:-1]\n    same ="),
            ("else len(same)", "else len(same) - 1"),
        ),
        "The row after the last guess is there now, but the round still ends one early: after a "
        "whole draft `first_other` must be the place BEHIND the last guess.": (
            ("else len(same)", "else -1")
        ),
        "Yours counts all guesses that agree. A guess counts only if all before it were right: "
        "count up to the first that is not.": (
            ("same.index(False) if False in same else len(same)", "sum(same)")
        ),
        "The last row follows the whole draft. Behind a wrong guess it belongs to a text that "
        "nobody says: there the correction is the token.": ("said[first_other]", "said[-1]"),
        "The target's own token is missing: each round emits one besides what it accepts.": (
            (", said[first_other]", "")
        ),
    },
    insight="gamma + 1 tokens of a round whose guesses are all right, from a row already paid for.",
)


def bonus_lost(alpha: float, gamma: int) -> float:
    """Tokens per round that go with the bonus, in expectation."""
    return alpha**gamma


check_bonus_lost = Exercise(
    "bonus_lost",
    cases=[(0.5, 1), (0.8, 4), (0.95, 2), (0.0, 3), (1.0, 5), (0.7, 8)],
    solution=bonus_lost,
    mistakes={
        "That is what a round brings with the bonus, not what is lost.": expected_tokens,
        "A token is lost only in rounds that accept the whole draft, not in each.": (
            lambda alpha, gamma: 1.0
        ),
        "One factor too many: the bonus comes after gamma accepted guesses, and it needs no "
        "acceptance of its own.": lambda alpha, gamma: alpha ** (gamma + 1),
        "That is the share of the tokens. Asked is how many tokens per round.": (
            lambda alpha, gamma: alpha**gamma / expected_tokens(alpha, gamma)
        ),
    },
    insight="The better the draft, the dearer: at alpha = 1 a whole token of gamma + 1.",
)


# --- tokens of a loaded server ----------------------------------------------------------


def batch_rate(rows: int, gamma: int, tau: float, c: Callable, v: Callable, o: Callable) -> float:
    """Tokens of all rows in the time of one pass: of a turn, over its parts."""
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
        "That is what one row brings. The batch brings as much for each of its rows.": (
            "rows * tau / seconds",
            "tau / seconds",
        ),
        "The target's pass is over the tokens of ALL rows, rows * (gamma + 1).": (
            "v(rows * (gamma + 1))",
            "v(gamma + 1)",
        ),
        "The rows share the target's pass: it is one pass over all tokens, not one for each row.": (
            "v(rows * (gamma + 1))",
            "rows * v(gamma + 1)",
        ),
        "The draft makes a pass for each guess, gamma in a turn.": ("gamma * c(rows)", "c(rows)"),
        "The host's work is missing: o(rows, gamma).": (" + o(rows, gamma)", ""),
        "A turn emits tau tokens of a row. That is how many were drafted and read.": (
            "rows * tau",
            "rows * (gamma + 1)",
        ),
    },
    describe_case=lambda rows, gamma, tau, c, v, o: (
        f"rows = {rows}, gamma = {gamma}, tau = {tau}, c({rows}) = {c(rows):g}, "
        f"v({rows * (gamma + 1)}) = {v(rows * (gamma + 1)):g}, "
        f"o({rows}, {gamma}) = {o(rows, gamma):g}"
    ),
    insight="With one row it is lesson 06's planner. The batch changes the costs, never tau.",
)
