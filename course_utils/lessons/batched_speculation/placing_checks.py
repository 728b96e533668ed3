"""Checks of the main build: where the tokens of a ragged batch go, what they see, what stays."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise

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
    rows = [row for row, count in enumerate(counts) for _ in range(count)]
    positions = [
        length + i for length, count in zip(lengths, counts, strict=True) for i in range(count)
    ]
    return rows, positions


def _placed(
    row: Callable = lambda row, i, counts: row,
    position: Callable = lambda row, i, lengths, counts: lengths[row] + i,
) -> Callable:
    """`rows_placed` with another row, or another position, of the i-th new token of a row."""

    def attempt(lengths: Counts, counts: Counts) -> tuple[list[int], list[int]]:
        new = [(r, i) for r, count in enumerate(counts) for i in range(count)]
        return (
            [row(r, i, counts) for r, i in new],
            [position(r, i, lengths, counts) for r, i in new],
        )

    return attempt


def _padded(lengths: Counts, counts: Counts) -> tuple[list[int], list[int]]:
    """As if every row had as many new tokens as the widest."""
    most = max(counts)
    return rows_placed(lengths, [most] * len(counts))


check_rows_placed = Exercise(
    "rows_placed",
    cases=PASSES,
    right=rows_placed,
    parts=("rows", "positions"),
    mistakes={
        "You give every row as many places as the widest one has new tokens. There are no such "
        "tokens: nothing is padded here, each row has places for its own.": _padded,
        "Rows are handed out in turn, as cards are. The tokens come row by row: all of row 0, then "
        "all of row 1.": _placed(row=lambda r, i, counts: i),
        "That is the place in the list of all new tokens. Where a token stands in its own text has "
        "nothing to do with the rows before it: its row's length, and on from there.": _placed(
            position=lambda r, i, lengths, counts: sum(counts[:r]) + i
        ),
        "All rows begin where the longest ends. That is the padded layout, and for a shorter row "
        "it is a wrong position: the rotary embedding would see a gap.": _placed(
            position=lambda r, i, lengths, counts: max(lengths) + i
        ),
        "One too many: positions are counted from 0, so behind 5 tokens the next one stands at "
        "5.": _placed(position=lambda r, i, lengths, counts: lengths[r] + i + 1),
        "One too few: you write over the last token that the row holds.": _placed(
            position=lambda r, i, lengths, counts: lengths[r] + i - 1
        ),
        "The text before counts: a new token stands behind its row's `length` tokens.": _placed(
            position=lambda r, i, lengths, counts: i
        ),
        "All new tokens of a row stand on one place: each goes one further.": _placed(
            position=lambda r, i, lengths, counts: lengths[r]
        ),
    },
    insight="No token was padded, and none was moved: each knows its row and its position.",
)


def seen_columns(lengths: Counts, counts: Counts) -> np.ndarray:
    """(new tokens, longest row afterwards): which columns of its own row each token sees."""
    positions = np.array(rows_placed(lengths, counts)[1])
    return np.arange(positions.max() + 1) <= positions[:, None]


def _seen(last: Callable) -> Callable:
    """A mask up to column `last(row, i, lengths, counts)` of each token, that one included."""

    def attempt(lengths: Counts, counts: Counts) -> np.ndarray:
        new = [(r, i) for r, count in enumerate(counts) for i in range(count)]
        width = max(rows_placed(lengths, counts)[1]) + 1
        ends = np.array([last(r, i, lengths, counts) for r, i in new])
        return np.arange(width) <= ends[:, None]

    return attempt


def _from_the_right(lengths: Counts, counts: Counts) -> np.ndarray:
    """A mask for rows that all end in the last column."""
    right = seen_columns(lengths, counts)
    return right[:, ::-1]


def _as_columns(answer: object, lengths: Counts, counts: Counts) -> str | None:
    wanted = seen_columns(lengths, counts).shape
    if np.shape(answer) != wanted:
        positions = rows_placed(lengths, counts)[1]
        if np.shape(answer) == (len(positions), min(positions) + 1):
            return "Your columns end with the SHORTEST row's first new token: take the maximum."
        return (
            f"For lengths = {lengths}, counts = {counts} there are {wanted[0]} new tokens, and the "
            f"longest position that is read is {wanted[1] - 1}: an array of shape {wanted}; yours "
            f"has {np.shape(answer)}."
        )
    return None


def _first_column(answer: object, lengths: Counts, counts: Counts) -> str:
    """Which token sees a column that it must not see, or misses one."""
    right, given = seen_columns(lengths, counts), np.asarray(answer, dtype=bool)
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
    right=seen_columns,
    mistakes={
        "A token sees itself: its own key and value are in the cache before anybody looks.": (
            _seen(lambda r, i, lengths, counts: lengths[r] + i - 1)
        ),
        "Your tokens see those that come after them in the same draft. A guess would be judged by "
        "what was guessed behind it.": _seen(
            lambda r, i, lengths, counts: lengths[r] + counts[r] - 1
        ),
        "Your tokens see only what was there before the pass, and not the guesses before "
        "them.": _seen(lambda r, i, lengths, counts: lengths[r] - 1),
        "Every row is taken to be as long as the longest. In the columns behind a short row lies "
        "what was rejected there, or another text's rest: stale keys.": _seen(
            lambda r, i, lengths, counts: max(lengths) + i
        ),
        "Every row is taken to be as short as the shortest: the long ones forget their end.": (
            _seen(lambda r, i, lengths, counts: min(lengths) + i)
        ),
        "Rows begin at column 0 and end where they end. Yours are pushed to the right, as in the "
        "realigned layout.": _from_the_right,
        "Nothing is hidden: the columns behind a token's own position are not its text.": (
            _seen(lambda r, i, lengths, counts: max(rows_placed(lengths, counts)[1]))
        ),
    },
    form=_as_columns,
    told=_first_column,
    insight="A token sees up to its own position: one comparison, whatever its neighbours hold.",
)


def committed_lengths(lengths: Counts, accepted: Counts, ended: Sequence[bool]) -> list[int]:
    """Tokens that each row holds after the verdicts; a row that has ended leaves an empty slot."""
    return [
        0 if over else length + 1 + kept
        for length, kept, over in zip(lengths, accepted, ended, strict=True)
    ]


def _committed(one: Callable, freed: bool = True) -> Callable:
    def attempt(lengths: Counts, accepted: Counts, ended: Sequence[bool]) -> list[int]:
        return [0 if ended[i] and freed else one(i, lengths, accepted) for i in range(len(lengths))]

    return attempt


def _first_row(answer: object, lengths: Counts, accepted: Counts, ended: Sequence[bool]) -> str:
    """What the pass did to the first row whose length is wrong."""
    right = committed_lengths(lengths, accepted, ended)
    given = np.ravel(answer).tolist()
    if len(given) != len(right):
        return f"there are {len(right)} rows, and you return {len(given)} lengths."
    row = next(i for i, (a, b) in enumerate(zip(given, right, strict=True)) if a != b)
    if ended[row]:
        return f"row {row} has ended, so its slot is empty: 0, not {given[row]}."
    return (
        f"row {row} held {lengths[row]} tokens; the pass read its last token and then its guesses, "
        f"of which {accepted[row]} were accepted. You leave {given[row]}."
    )


check_committed_lengths = Exercise(
    "committed_lengths",
    cases=[
        ([5, 2, 9], [3, 0, 1], [False, False, False]),
        ([8, 8], [0, 0], [False, True]),
        ([1, 30, 4, 6], [4, 2, 0, 4], [True, False, False, False]),
        ([7], [2], [False]),
        ([3, 3, 3], [1, 1, 1], [True, True, True]),
    ],
    right=committed_lengths,
    mistakes={
        "The first token of the pass is missing. The pass read the last token of the text and then "
        "the guesses, so it is in the cache as well.": _committed(
            lambda i, lengths, accepted: lengths[i] + accepted[i]
        ),
        "One too many: the correction, or the bonus, was chosen after the pass. Nothing has read "
        "it yet; it is what the next pass begins with.": _committed(
            lambda i, lengths, accepted: lengths[i] + accepted[i] + 2
        ),
        "Every row goes on by what the slowest row accepted. The text stays right, but accepted "
        "tokens are thrown away: a batch of many would hardly move.": _committed(
            lambda i, lengths, accepted: lengths[i] + 1 + min(accepted)
        ),
        "Every row goes on by what the fastest row accepted: the others keep rejected tokens, and "
        "attention reads them.": _committed(
            lambda i, lengths, accepted: lengths[i] + 1 + max(accepted)
        ),
        "All rows are brought to one length. That is realigning; here each row has a length of its "
        "own.": _committed(lambda i, lengths, accepted: max(lengths) + 1 + accepted[i]),
        "A row that has ended leaves its slot: its length is 0, and the next prompt can begin "
        "there.": _committed(lambda i, lengths, accepted: lengths[i] + 1 + accepted[i], False),
    },
    told=_first_row,
    insight="Rejected tokens stay in memory; since no length reaches them, nobody reads them.",
)
