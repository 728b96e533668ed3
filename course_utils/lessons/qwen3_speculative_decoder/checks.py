"""The checks of this lesson: a stream, rates by position, a fair race, an audit."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from statistics import median

import numpy as np

from course_utils.classroom.exercise import Exercise, untouched
from course_utils.classroom.trial import as_answer
from course_utils.decoding import rules
from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import sample
from course_utils.refused import require

Tokens = Sequence[int]

END = 0  # the stop token
START, A_ROUND = 3.0, 0.25  # seconds on the clock


def decode_bytes(tokens: Iterable[int]) -> str:
    """Decode each token as a byte; the stop token becomes "<end>"."""
    pieces = (b"<end>" if token == END else bytes([token]) for token in tokens)
    return b"".join(pieces).decode("utf-8", "replace")


def stream(
    rounds: Iterable[Tokens],
    decode: Callable[[list[int]], str],
    show: Callable[[str], object],
    stop_tokens: Tokens,
    clock: Callable[[], float],
) -> dict[str, float]:
    """Show the text of `rounds` as it becomes readable, up to the first stop token.

    Returns {"rounds", "tokens", "seconds"}; the stop token is counted, not shown.
    """
    start, tokens, on_screen, count, ended = clock(), [], "", 0, False
    for new in rounds:
        count += 1
        for token in new:
            ended = token in stop_tokens
            if ended:
                break
            tokens.append(token)
        text = decode(tokens).rstrip("\ufffd")  # the rest may follow
        show(text[len(on_screen) :])
        on_screen = text
        if ended:
            break
    show(decode(tokens)[len(on_screen) :])  # nothing more follows
    return {"rounds": count, "tokens": len(tokens) + ended, "seconds": clock() - start}


def _on_screen(attempt: Callable, *rounds: Tokens) -> object:
    """Return its counts for rounds that take time, and the text shown after each of them."""
    pieces: list[str] = []  # by round

    def timed_rounds() -> Iterator[list[int]]:
        for new in rounds:
            pieces.append("")
            yield list(new)

    def show(text: str = "") -> None:
        pieces[-1:] = ["".join([*pieces[-1:], text])]

    counts = attempt(
        timed_rounds(), decode_bytes, show, (1, END), lambda: START + A_ROUND * len(pieces)
    )
    if untouched(counts):
        return counts
    mapping = isinstance(counts, dict)
    require(mapping, "Return a dict with rounds, tokens and seconds; pass the text to `show`.")
    return counts | {"shown": pieces}


def _broken_character(answer: Sequence[str], *rounds: Tokens) -> str | None:
    """Explain a \ufffd that is not in the whole text, whatever else is wrong."""
    right = _on_screen(stream, *rounds)["shown"]
    broken, rest = ("".join(each).count("\ufffd") for each in (answer, right))
    if broken <= rest:
        return None
    return (
        f"the screen shows {answer}, not {right}. The bytes of a character may be in two rounds: "
        "decode ALL tokens so far, hold back the \ufffd at the end, and show what is new."
    )


check_stream = Exercise(
    "stream",
    cases=[
        ([72, 105], [33, 10, 32], [79, 107]),  # "Hi", "!\n ", "Ok"
        ([97, 228], [186], [186, 229, 183], [165, 98]),  # "a人工b", in four rounds
        ([240, 159], [152, 128, 33]),  # an emoji of four bytes
        ([97, 255, 98], [99, 228, 186]),  # invalid bytes, in the middle and at the end
        ([72, 105], [33, END, 97], [98, 99]),  # continues after the end
    ],
    solution=stream,
    mistakes={
        "You show the whole text again after each round. "
        "Show only what is new.": "show(text[len(on_screen) :]) → show(text)",
        "You show the text only at the end. "
        "Show what is new after each round.": 'decode(tokens).rstrip → "".rstrip',
        "You hold back a whole round because of one unfinished character. Hold back only that "
        "character, and show what comes before it.": 'decode(tokens).rstrip("\\ufffd") → '
        'on_screen if decode(tokens).endswith("\\ufffd") else decode(tokens)',
        "The end of the text is missing: bytes of a character that is never completed. Show what "
        "is left.": "show(decode(tokens)[len(on_screen) :]) → pass",
        "You show the stop token. It ends the text and must not be "
        "shown.": "            if ended:\n                break\n → ; "
        "            tokens.append(token) → "
        "            tokens.append(token)\n            if ended:\n                break",
        "After the stop token you ask for one more round, which costs a pass of the target for "
        "nothing. Leave the loop.": "if ended:\n            break\n    show → "
        "if ended:\n            next(iter(rounds), None)\n            break\n    show",
    },
    insight="Text appears in bursts, a round at a time, and every finished character at once.",
    call=_on_screen,
    parts=("shown", "rounds", "tokens", "seconds"),
    describe_case=lambda *rounds: f"rounds of the bytes {', '.join(map(str, rounds))}",
    explain=_broken_character,
)


def position_rates(lengths: Sequence[int], gamma: int) -> list[float]:
    """Return how often the 1st, 2nd, ... guess was accepted if all before it were."""
    accepted = [length - 1 for length in lengths]  # one is the target's own
    rates = []
    for place in range(1, gamma + 1):
        reached = sum(n >= place - 1 for n in accepted)
        passed = sum(n >= place for n in accepted)
        rates.append(passed / reached if reached else 0.0)
    return rates


check_position_rates = Exercise(
    "position_rates",
    cases=[
        ([1, 2, 2, 3, 4, 4, 1, 4, 2, 3], 3),
        ([1, 3, 2, 3, 1], 4),  # no round accepted a third guess: the fourth was never reached
    ],
    solution=position_rates,
    must_not_mutate=True,
    mistakes={
        "You count guess 1 as accepted in every round. A round of n new tokens accepted n - 1 "
        "guesses, and guesses are counted from 1, not from 0.": "length - 1 → length",
        "That is the share of *all* rounds. A guess counts only if it was reached: divide by the "
        "rounds that accepted every guess before it.": "n >= place - 1 → n >= 0",
        "A round that accepted more guesses also accepted this one: "
        "count n >= place.": "n >= place for → n == place for",
        "You divide by the rounds that ended at this guess. Rounds that accepted more reached it, "
        "too.": "n >= place - 1 → n == place - 1",
        "That is one rate for all positions, accepted / examined. Each position has its own.": (
            lambda lengths, gamma: (
                [1 - sum(n <= gamma for n in lengths) / sum(min(n, gamma) for n in lengths)] * gamma
            )
        ),
    },
    insight="A program returns no more than its rounds, and their lengths are enough.",
)


Clock = Callable[[], float]


FIRST = [("standard", 0), ("speculative", 0)]
UNEVEN = {("speculative", 1): 10, ("standard", 3): -1, ("standard", 4): 6}
PAIRS_DISTURBED = {  # whole pairs: medians of the two columns would give another ratio
    ("standard", 2): 6, ("speculative", 2): 3, ("standard", 3): 18, ("speculative", 3): 9,
    ("speculative", 4): 4, ("standard", 5): 1, ("speculative", 5): 7,
}  # fmt: skip


def _on_a_machine(
    attempt: Callable, quirk: str, repeats: int, extra: Mapping = {}, slow_after: float = inf
) -> object:  # fmt: skip
    """Call it with two simulated programs, of 2 and 1 seconds, and their clock.

    Args:
        extra: {(program, number of its run, from 0): seconds added to that run}.
        slow_after: the number of runs after which each run takes twice as long.
    """
    now, runs = 0.0, []

    def run(program: str, seconds: float) -> None:
        nonlocal now
        slow = 2 if len(runs) >= slow_after else 1
        now += slow * seconds + extra.get((program, runs.count(program)), 0)
        runs.append(program)

    programs = partial(run, "standard", 2), partial(run, "speculative", 1)
    return attempt(*programs, lambda: now, repeats)


def fair_speedup(standard: Callable, speculative: Callable, clock: Clock, repeats: int) -> float:
    """Return the median of seconds(standard) / seconds(speculative), alternating, both warm."""

    def seconds(run):
        start = clock()
        run()
        return clock() - start

    standard()  # the first run of each is slow
    speculative()
    pairs = [(seconds(standard), seconds(speculative)) for _ in range(repeats)]
    return median(plain / fast for plain, fast in pairs)


check_fair_speedup = Exercise(
    "fair_speedup",
    cases=[
        ("slow in its first runs", 1, dict.fromkeys(FIRST, 5)),
        ("half as fast from its eighth run on", 5, {}, 7),
        ("half as fast from its ninth run on", 5, {}, 8),
        ("twice disturbed and once lucky", 5, UNEVEN),
        ("disturbed for whole pairs", 5, PAIRS_DISTURBED),
    ],
    solution=fair_speedup,
    mistakes={
        "You divide the wrong way round: take the standard run's time over the speculative run's. "
        "More than 1 means that speculation is faster.": "plain / fast → fast / plain",
        "You time the first run of each, which is slower than all others. Run both once before you "
        "start the clock.": "standard() → pass; speculative() → pass",
        "You time all standard runs first and all speculative ones after them. If the machine gets "
        "slower in between, the second program looks bad. "
        "Alternate them.": "[(seconds(standard), seconds(speculative)) for _ in range(repeats)] → "
        "zip(*([seconds(f) for _ in range(repeats)] for f in (standard, speculative)))",
        "One disturbed run spoils a sum or a mean. Take a ratio for each pair, and the median of "
        "them.": "median(plain / fast for plain, fast in pairs) → np.divide(*np.sum(pairs, 0))",
        "Two medians may come from different moments, one before the machine got slower and one "
        "after. Take a ratio for each pair, "
        "and the median of the ratios.": "median(plain / fast for plain, fast in pairs) → "
        "np.divide(*np.median(pairs, 0))",
    },
    insight="Alternating runs see the same state of the machine, and the median ignores a few "
    "disturbed ones.",
    call=_on_a_machine,
    describe_case=lambda quirk, *_: f"a machine that is {quirk},",
)


def audited(r: Round, draws: Sequence[float], rule: Callable) -> str:
    """Return which record of a round is wrong: "guess", "verdict", or "" for none."""
    rows = [] if r.q is None else r.q
    guesses = [sample(row, u) for row, u in zip(rows, draws, strict=True)]
    if guesses != list(r.drafted):
        return "guess"
    accepted, token = rule(r.p, r.q, r.drafted, r.uniforms)
    if (accepted, token) != (r.verdict.accepted, r.verdict.token):
        return "verdict"
    return ""


token_wise = as_answer(rules.token_wise)
WRONG = (  # specimens of the bug zoo to audit
    "argmax draft, soft q", "first token unverified", "no uniform", "argmax correction",
    "resample from p",
)  # fmt: skip


def draws_of(r: Round, seed: int) -> Sequence[float]:
    """Return the uniforms that drew the guesses of a round, in a run of `seed`."""
    return Noise(seed).round(r.index).uniforms("draft", len(r.drafted))


P_ROWS = np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.25, 0.25, 0.5]])
Q_ROWS = np.array([[0.2, 0.6, 0.2], [0.35, 0.45, 0.2]])


def _round(drafted: Sequence[int], accepted: int, token: int, u: Sequence[float]) -> Round:
    p, q = P_ROWS[: len(drafted) + 1], Q_ROWS[: len(drafted)] if drafted else None
    verdict, emitted = Verdict(accepted, token), (*drafted[:accepted], token)
    return Round(0, 1, tuple(drafted), p, q, tuple(u), verdict, emitted, 0, 0, Seconds(0, 0, 0))


# .3 and .7 draw token 1 from both rows of q; swapped, they draw tokens 1 and 0.  Token 1 is
# accepted below p/q = .3/.6 = .5, and then below .2/.45; the residuals are tokens 0 and 2.
RECORDS = (  # (guesses, accepted, token, uniforms), draws
    (([1, 1], 2, 2, [0.4, 0.2, 0.9]), [0.3, 0.7]),  # a bonus
    (([1, 1], 1, 2, [0.4, 0.6, 0.9]), [0.3, 0.7]),  # a correction
    (([1, 2], 2, 2, [0.4, 0.2, 0.9]), [0.3, 0.7]),  # the second guess is wrong
    (([2, 0], 0, 1, [0.4, 0.2, 0.9]), [0.3, 0.7]),  # guess and verdict are wrong
    (([1, 1], 2, 2, [0.4, 0.6, 0.9]), [0.3, 0.7]),  # accepted although u is too large
    (([1, 1], 0, 1, [0.6, 0.2, 0.9]), [0.3, 0.7]),  # drawn from p
    (([1, 1], 0, 1, [0.4, 0.2, 0.9]), [0.3, 0.7]),  # both parts of the verdict are wrong
    (([1, 1], 2, 0, [0.4, 0.2, 0.9]), [0.3, 0.7]),  # the bonus is wrong
    (([0, 1], 2, 2, [0.4, 0.2, 0.9]), [0.1, 0.7]),  # the guess is not the likeliest token
    (([], 0, 1, [0.6]), []),  # nothing was drafted
)

check_audited = Exercise(
    "audited",
    cases=[(_round(*record), draws, token_wise) for record, draws in RECORDS],
    solution=audited,
    mistakes={
        "You do not check the guesses. Draw each one again, "
        "from its row of q with its uniform.": "guesses != list(r.drafted) → False",
        "You do not check the verdict. Let `rule` judge the guesses "
        "again.": "(accepted, token) != (r.verdict.accepted, r.verdict.token) → False",
        "You compare only the number of accepted guesses. The token after them is also part of the "
        "verdict.": "(accepted, token) != (r.verdict.accepted, r.verdict.token) → "
        "accepted != r.verdict.accepted",
        "You take the likeliest token of each row of q. A guess is drawn: sample(row, "
        "u).": "sample(row, u) for row, u → int(row.argmax()) for row, u",
        "You draw the guesses with `r.uniforms`. Those decide the verdict; the guesses were drawn "
        "with `draws`.": "zip(rows, draws, strict=True) → zip(rows, r.uniforms, strict=False)",
        "r.drafted is a tuple, which never equals a list: "
        "compare with list(r.drafted).": "list(r.drafted) → r.drafted",
    },
    insight="With the rows and the uniforms of a run you can check each of its decisions, without "
    "a model and without statistics.",
    describe_case=lambda r, draws, rule: (
        f"a round with guesses {list(r.drafted)}, draws {draws}, uniforms {list(r.uniforms)}, "
        f"accepted {r.verdict.accepted} and then token {r.verdict.token},"
    ),
)
