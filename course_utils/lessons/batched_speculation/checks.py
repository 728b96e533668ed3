"""Checks of this lesson: where tokens of a batch go, is it right, its bonus, and who waits."""

from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heapreplace

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.batch_theory import expected_slowest, rounds_distribution
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


# --- is row i of a batch what prompt i says, and accepts, alone? ----------------------

# of each row its rounds: (the tokens that were emitted, how many guesses were accepted)
Rounds = Mapping[int, Sequence[tuple[Sequence[int], int]]]
TEXT, ACCEPTED = "text", "accepted"


def judged_rows(batch: Rounds, alone: Rounds) -> set[tuple[int, str]]:
    """(row, "text") for another text, (row, "accepted") for other acceptances."""
    found = set()
    for row, solo in alone.items():
        for part, what in ((_said, TEXT), (_accepted, ACCEPTED)):
            if part(batch.get(row, ())) != part(solo):
                found.add((row, what))
    return found


def _said(rounds: Sequence) -> list[int]:
    return [token for emitted, _ in rounds for token in emitted]


def _accepted(rounds: Sequence) -> list[int]:
    return [accepted for _, accepted in rounds]


def _judge(
    text: Callable = _said,
    accepted: Callable | None = _accepted,
    pairs: Callable = lambda batch, alone: [(row, batch.get(row, ()), alone[row]) for row in alone],
) -> Callable:
    """`judged_rows` that compares something else of the rounds, or other rows."""

    def attempt(batch: Rounds, alone: Rounds) -> set[tuple[int, str]]:
        found = set()
        for row, mine, solo in pairs(batch, alone):
            for part, what in ((text, TEXT), (accepted, ACCEPTED)):
                if part and part(mine) != part(solo):
                    found.add((row, what))
        return found

    return attempt


_A = [([4, 7, 7], 2), ([1], 0), ([3, 3], 1)]
_B = [([2], 0), ([5, 5, 6], 2)]
_C = [([9, 9], 1), ([9, 8], 1)]
_SLOW = [([4, 7], 1), ([7], 0), ([1], 0), ([3, 3], 1)]  # A's text with fewer accepted
_SWAPPED = [([9, 9, 9], 2), ([8], 0)]  # C's text, as many accepted, in other rounds
_OTHER = [([4, 7, 7], 2), ([2], 0), ([3, 3], 1)]  # accepts as A, says another text
_SOLO = {0: _A, 1: _B, 2: _C}

check_judged_rows = Exercise(
    "judged_rows",
    cases=[
        (_SOLO, _SOLO),
        ({2: _C, 0: _A, 1: _B}, _SOLO),
        ({0: _SLOW, 1: _B, 2: _C}, _SOLO),
        ({0: _OTHER, 1: _B, 2: _C}, _SOLO),
        ({0: _B, 1: _A, 2: _C}, _SOLO),
        ({0: _A, 1: _B, 2: _SWAPPED}, _SOLO),
        ({0: _A, 1: _B[:1], 2: _C}, _SOLO),
        ({0: _A, 2: _C}, _SOLO),
    ],
    right=judged_rows,
    mistakes={
        "You compare texts only. A row that accepts fewer guesses says the same at temperature 0, "
        "in more rounds: a draft that reads wrong tokens passes.": _judge(accepted=None),
        "You compare acceptances only: a text may be wrong with the very same counts.": _judge(
            text=lambda rounds: None
        ),
        "You compare the text round by round, so a text that is right but comes in other pieces is "
        "called another text. Put the rounds' tokens together first.": _judge(
            text=lambda rounds: [list(emitted) for emitted, _ in rounds]
        ),
        "The total of accepted guesses is not enough: a round that lost one and a round that won "
        "one cancel. Compare them round by round.": _judge(
            accepted=lambda rounds: sum(kept for _, kept in rounds)
        ),
        "You compare rows in the order in which they come out of the dict. Row 2 of the batch "
        "belongs to prompt 2, wherever it stands.": _judge(
            pairs=lambda batch, alone: [
                (row, mine, alone[row]) for row, mine in zip(alone, batch.values(), strict=False)
            ]
        ),
        "You go over the rows of the batch: a prompt that was never answered is not missed. Go "
        "over those that ran alone.": _judge(
            pairs=lambda batch, alone: [(row, batch[row], alone[row]) for row in batch]
        ),
        "Comparing as far as both go passes a text that ends too early.": _judge(
            pairs=lambda batch, alone: [
                (row, batch.get(row, ())[: len(alone[row])], alone[row][: len(batch.get(row, ()))])
                for row in alone
            ]
        ),
    },
    form=lambda answer, batch, alone: (
        None if isinstance(answer, set | list | tuple | frozenset) else "Return a set of pairs."
    ),
    same=lambda given, right: sorted(map(tuple, given)) == sorted(map(tuple, right)),
    shown=lambda batch, alone: f"batch = {dict(batch)}",
    insight="Two comparisons a row. The second one is what production tests lack.",
)


# --- published batch code whose rounds never emit the bonus ---------------------------


def published_row(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    """What one row emits in a round at temperature 0, as eBay/spec_dec at commit 96e1d12 has it.

    In our words and without its tensors; REFERENCES.md: eqspec2025.

    Args:
        guesses: the gamma tokens that were drafted.
        said: the target's likeliest token after the text, and after each guess: gamma + 1.
    """
    said = said[:-1]
    same = [guess == token for guess, token in zip(guesses, said, strict=True)]
    first_other = same.index(False) if False in same else len(same) - 1
    return [*guesses[:first_other], said[first_other]]


def repaired_row(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    """The accepted guesses and one token of the target: the correction, or the bonus."""
    same = [guess == token for guess, token in zip(guesses, said, strict=False)]
    first_other = same.index(False) if False in same else len(same)
    return [*guesses[:first_other], said[first_other]]


def _matches(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    """Takes every guess that agrees, wherever it stands."""
    kept = [guess for guess, token in zip(guesses, said, strict=False) if guess == token]
    return [*kept, said[len(kept)]]


def _counted(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    """Takes as many guesses as agree, wherever these stand."""
    right = sum(guess == token for guess, token in zip(guesses, said, strict=False))
    return [*guesses[:right], said[right]]


def _always_bonus(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    return [*repaired_row(guesses, said)[:-1], said[-1]]


def _both(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    right = repaired_row(guesses, said)
    return [*right, said[-1]] if len(right) <= len(guesses) else right


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
    right=repaired_row,
    mistakes={
        "That is the published code. Look at a draft that was accepted whole: how many tokens come "
        "out, and for how many did the target compute a row?": published_row,
        "The row after the last guess is there now, but the round still ends one early: after a "
        "whole draft `first_other` must be the place BEHIND the last guess.": (
            lambda guesses, said: (
                published_row(guesses, said)
                if list(guesses) != list(said[:-1])
                else [*guesses[:-1], said[-1]]
            )
        ),
        "A guess counts only if all before it were right. Yours takes agreeing guesses behind a "
        "wrong one, whose rows belong to another text.": _matches,
        "Yours counts all guesses that agree. A guess counts only if all before it were right: "
        "count up to the first that is not.": _counted,
        "The last row follows the whole draft. Behind a wrong guess it belongs to a text that "
        "nobody says: there the correction is the token.": _always_bonus,
        "One token of the target a round: the correction OR the bonus.": _both,
        "The target's own token is missing: each round emits one besides what it accepts.": (
            lambda guesses, said: repaired_row(guesses, said)[:-1]
        ),
        "You emit all the target said. Behind a wrong guess its answers follow that guess.": (
            lambda guesses, said: list(said)
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
    right=bonus_lost,
    mistakes={
        "That is what a round brings with the bonus, not what is lost.": expected_tokens,
        "That is what a round brings without the bonus, not what is lost.": (
            lambda alpha, gamma: expected_tokens(alpha, gamma - 1)
        ),
        "A token is lost only in rounds that accept the whole draft, not in each.": (
            lambda alpha, gamma: 1.0
        ),
        "One factor too many: the bonus comes after gamma accepted guesses, and it needs no "
        "acceptance of its own.": lambda alpha, gamma: alpha ** (gamma + 1),
        "That is the share of the tokens. Asked is how many tokens per round.": (
            lambda alpha, gamma: alpha**gamma / expected_tokens(alpha, gamma)
        ),
        "That is the probability that some guess is rejected; then there is a correction, and no "
        "bonus that could be lost.": lambda alpha, gamma: 1 - alpha**gamma,
        "gamma guesses must be right one after the other: a power, no product.": (
            lambda alpha, gamma: alpha * gamma
        ),
    },
    insight="The better the draft, the dearer: at alpha = 1 a whole token of gamma + 1.",
)


# --- the slowest of a batch, and slots that are filled again --------------------------


def slowest_of(rounds: Sequence[float], rows: int) -> float:
    """E[the most rounds of `rows` independent texts]; rounds[r] = P(a text takes r)."""
    return expected_slowest(np.asarray(rounds), rows)


def _steps(rounds: Sequence[float]) -> np.ndarray:
    return np.arange(len(rounds))


def _cut(rounds: Sequence[float], rows: int) -> float:
    """Takes P(max >= r) from r = 0, one more than there are."""
    below = np.cumsum(rounds) - rounds
    return float((1 - below**rows).sum())


check_slowest_of = Exercise(
    "slowest_of",
    cases=[
        ([0, 0.5, 0.5], 1),
        ([0, 0.5, 0.5], 3),
        ([0, 0.2, 0.5, 0.3], 2),
        (rounds_distribution(0.6, 2, 6).tolist(), 4),
        ([0, 0, 0, 1.0], 8),
        (rounds_distribution(0.8, 4, 12).tolist(), 16),
    ],
    right=slowest_of,
    mistakes={
        "That is the mean of one text. The batch ends with the slowest of `rows`.": (
            lambda rounds, rows: float(np.dot(rounds, _steps(rounds)))
        ),
        "That is the most that a text can take at all, however unlikely.": (
            lambda rounds, rows: float(np.max(np.flatnonzero(rounds)))
        ),
        "That is the FASTEST of the batch: P(min > r) is P(one > r) to the power of rows. For the "
        "slowest all must be at most r.": (
            lambda rounds, rows: float(((1 - np.cumsum(rounds)).clip(0) ** rows).sum())
        ),
        "The sum of all texts' rounds is what one after the other would take. They work at the "
        "same time.": lambda rounds, rows: rows * float(np.dot(rounds, _steps(rounds))),
        "One too many. E[max] is the sum of P(max > r) over r = 0, 1, ...; you take P(max >= "
        "r).": _cut,
        "That is P(max <= r) summed up; the expectation is the sum of what is missing to 1.": (
            lambda rounds, rows: float((np.cumsum(rounds).clip(max=1) ** rows).sum())
        ),
        "P(max = r) is not P(one takes r) to the power of rows: it is enough that ONE row takes r, "
        "if no other takes more.": (
            lambda rounds, rows: float(np.dot(np.asarray(rounds) ** rows, _steps(rounds)))
        ),
    },
    shown=lambda rounds, rows: (
        f"rows = {rows}, P(r rounds) = {[float(round(x, 3)) for x in rounds]}"
    ),
    insight="Independent rows: P(max <= r) is a product. No text was simulated.",
)


def finished_at(rounds: Sequence[int], slots: int) -> list[int]:
    """After how many turns each text is done, if a slot that becomes free is filled at once."""
    free, ends = [0] * slots, []
    heapify(free)
    for needed in rounds:
        ends.append(free[0] + needed)
        heapreplace(free, ends[-1])
    return ends


def _static(rounds: Sequence[int], slots: int) -> list[int]:
    began, ends = 0, []
    for start in range(0, len(rounds), slots):
        group = rounds[start : start + slots]
        ends += [began + needed for needed in group]
        began += max(group)
    return ends


def _shortest_first(rounds: Sequence[int], slots: int) -> list[int]:
    order = sorted(range(len(rounds)), key=lambda i: rounds[i])
    ends = finished_at([rounds[i] for i in order], slots)
    back = dict(zip(order, ends, strict=True))
    return [back[i] for i in range(len(rounds))]


def _dealt(rounds: Sequence[int], slots: int) -> list[int]:
    """Text i always takes slot i modulo slots."""
    free, ends = [0] * slots, []
    for i, needed in enumerate(rounds):
        free[i % slots] += needed
        ends.append(free[i % slots])
    return ends


def _later(step: int) -> Callable:
    def attempt(rounds: Sequence[int], slots: int) -> list[int]:
        free, ends = [0] * slots, []
        for i, needed in enumerate(rounds):
            start = min(free) + (step if i >= slots else 0)
            free[free.index(min(free))] = start + needed
            ends.append(start + needed)
        return ends

    return attempt


check_finished_at = Exercise(
    "finished_at",
    cases=[
        ([1, 9, 2, 8], 2),
        ([5, 5, 5], 3),
        ([4, 1, 1, 1, 6, 2], 2),
        ([3], 4),
        ([7, 2, 2, 3, 9, 1, 1, 4, 2], 3),
        ([2, 5, 3], 1),
    ],
    right=finished_at,
    mistakes={
        "You wait for the slowest of each group before the next group begins. That is the static "
        "batch; here a slot is filled as soon as it is free.": _static,
        "All texts begin at once: there are only `slots` places.": (
            lambda rounds, slots: list(rounds)
        ),
        "That is one text after the other, as if there were one slot. Did you take the slot that "
        "is free LAST, the maximum for the minimum?": (
            lambda rounds, slots: np.cumsum(rounds).tolist()
        ),
        "The shortest are taken first. Nobody knows how long a text will be: prompts are taken in "
        "their order.": _shortest_first,
        "Slots are dealt in turn: a text waits for its own slot while another one is free.": _dealt,
        "A turn is lost at each change: a freed slot is filled before the next turn.": _later(1),
        "That is when each text BEGINS: add the rounds it takes.": (
            lambda rounds, slots: [
                end - needed for end, needed in zip(finished_at(rounds, slots), rounds, strict=True)
            ]
        ),
    },
    insight="The largest of them is what the whole list takes. In turns, not in texts.",
)
