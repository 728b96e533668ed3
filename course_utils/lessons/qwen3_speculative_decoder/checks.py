"""Checks of this lesson: a stream, the statistics block, a fair race, a published fall-back."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import mean, median

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.rounds import round_of, rounds_in_words
from course_utils.decoding.contracts import Round
from course_utils.lessons.qwen3_speculative_decoder.streaming import UNFINISHED, Tokens, stream

# --- a stream -------------------------------------------------------------------------

END = 0  # the stop token
START, A_ROUND = 3.0, 0.25  # seconds on the clock


class _Stage:
    """Rounds that take time, and a screen that notes what it shows after which of them."""

    def __init__(self, rounds: Sequence[Tokens]):
        self._rounds = rounds
        self.now = START
        self.shown: list[str] = []  # by round

    def rounds(self) -> Iterator[list[int]]:
        for new in self._rounds:
            self.now += A_ROUND
            self.shown.append("")
            yield list(new)

    def show(self, text: str = "", *more: object, **how: object) -> None:
        if not self.shown:
            self.shown.append("")
        self.shown[-1] += text

    def clock(self) -> float:
        return self.now


def decode_bytes(tokens: Iterable[int]) -> str:
    """A token is a byte; the stop token is spelt out."""
    spelt = (b"<end>" if token == END else bytes([token]) for token in tokens)
    return b"".join(spelt).decode("utf-8", "replace")


def _asked(attempt: Callable, *rounds: Tokens) -> object:
    stage = _Stage(rounds)
    said = attempt(stage.rounds(), decode_bytes, stage.show, (END,), stage.clock)
    return said | {"shown": stage.shown} if isinstance(said, dict) else said


def _no_numbers(said: object, *rounds: Tokens) -> str | None:
    if isinstance(said, dict) and said.keys() >= {"rounds", "tokens", "seconds"}:
        return None
    return "Return a dict with rounds, tokens and seconds; the text itself is handed to `show`."


# --- mistakes, each a stream that does one thing otherwise ---------------------------------

Seen = Sequence[list[int]]  # the tokens of each round so far, up to the stop token
Piece = Callable[[Callable, Seen], str]  # (decode, seen) -> what is shown after a round


def _text(decode: Callable, seen: Seen, rounds: int | None = None) -> str:
    """Of the first `rounds` rounds, with what is unfinished."""
    return decode([token for new in seen[:rounds] for token in new])


def _new(strip: Callable[[str], str]) -> Piece:
    """What the last round adds to strip(text)."""
    return lambda decode, seen: strip(_text(decode, seen))[len(strip(_text(decode, seen, -1))) :]


def _finished(text: str) -> str:
    return text.rstrip(UNFINISHED)


def _held_back(decode: Callable, seen: Seen) -> str:
    """Nothing of a round before all its characters are finished."""
    whole = [i for i in range(len(seen) + 1) if not _text(decode, seen, i).endswith(UNFINISHED)]
    if whole[-1] < len(seen):
        return ""
    return _text(decode, seen)[len(_text(decode, seen, whole[-2])) :]


def _rest(decode: Callable, seen: Seen) -> str:
    text = _text(decode, seen)
    return text[len(_finished(text)) :]


def _up_to_stop(new: Tokens, stop_tokens: Tokens) -> tuple[list[int], bool]:
    stops = [i for i, token in enumerate(new) if token in stop_tokens]
    return (list(new[: stops[0]]), True) if stops else (list(new), False)


def _streamed(
    piece: Piece = _new(_finished), last: Piece = _rest, cut: Callable = _up_to_stop
) -> Callable:
    """A student who shows `piece` after each round, `last` at the end, and ends as `cut` says."""

    def attempt(rounds, decode, show, stop_tokens, clock):
        start, seen, ended = clock(), [], False
        for new in rounds:
            kept, ended = cut(new, stop_tokens)
            seen.append(kept)
            show(piece(decode, seen))
            if ended:
                break
        show(last(decode, seen))
        tokens = sum(map(len, seen)) + ended
        return {"rounds": len(seen), "tokens": tokens, "seconds": clock() - start}

    return attempt


def _but(**wrong: Callable) -> Callable:
    """A student whose numbers are wrong: wrong[part](the right ones)."""

    def attempt(*given):
        said = stream(*given)
        return said | {part: make(said) for part, make in wrong.items()}

    return attempt


def _asks_on(rounds, *given):
    """What comes after the stop token is thrown away, but asked for."""
    said = stream(rounds, *given)
    next(rounds, None)
    return said


def _stop_not_counted(rounds, *given):
    taken: list[int] = []

    def noted() -> Iterator[Tokens]:
        for new in rounds:
            taken.extend(new)
            yield new

    said = stream(noted(), *given)
    return said | {"tokens": said["tokens"] - (END in taken)}


def _starts_late(rounds, decode, show, stop_tokens, clock):
    said = stream(rounds, decode, show, stop_tokens, clock)
    return said | {"seconds": said["seconds"] - A_ROUND}


check_stream = Exercise(
    "stream",
    cases=[
        ([72, 105], [33, 10, 32], [79, 107]),  # "Hi", "!\n ", "Ok"
        ([97, 228], [186], [186, 229, 183], [165, 98]),  # "a人工b", in four rounds
        ([240, 159], [152, 128, 33]),  # an emoji of four bytes
        ([97, 255, 98], [99, 228, 186]),  # bytes that are no character, within and at the end
        ([72, 105], [33, END, 97], [98, 99]),  # goes on after the end
    ],
    right=stream,
    mistakes={
        "You decode each round by itself, so a character whose bytes come in two rounds breaks. "
        "Decode all tokens so far, and show what is new.": (
            _streamed(lambda decode, seen: decode(seen[-1]), lambda *_: "")
        ),
        "You decode each token by itself, and a character of several bytes is never one token. "
        "Decode all tokens so far, and show what is new.": _streamed(
            lambda decode, seen: "".join(decode([token]) for token in seen[-1]), lambda *_: ""
        ),
        "You show the whole text again after each round. Show only what is new.": _streamed(
            lambda decode, seen: _finished(_text(decode, seen))
        ),
        "You show a character before all its bytes are there: an unfinished one is decoded as "
        "\ufffd. Let it wait for the next round.": _streamed(_new(str), lambda *_: ""),
        "You show the text when all is over. Show what is new after each round.": _streamed(
            lambda *_: "", _text
        ),
        "You hold back a whole round for one unfinished character. Only that character has to "
        "wait; show what stands before it.": _streamed(_held_back),
        "At the end something is missing: bytes that wait for a rest which never comes. Show what "
        "is left.": _streamed(last=lambda *_: ""),
        "You take out every \ufffd. Only the ones at the end of the text may still become a "
        "character; one in the middle is what the models said.": _streamed(
            _new(lambda text: text.replace(UNFINISHED, "")), lambda *_: ""
        ),
        "You go on after the stop token. It ends the text.": _streamed(
            cut=lambda new, stop_tokens: (list(new), False)
        ),
        "You show the stop token. It ends the text and is no part of it.": _streamed(
            cut=lambda new, stop_tokens: (
                (kept := _up_to_stop(new, stop_tokens))[0] + [END] * kept[1],
                kept[1],
            )
        ),
        "You show what stands behind the stop token in the same round. The text ends before "
        "it.": _streamed(cut=lambda new, stop_tokens: (list(new), END in new)),
        "After the stop token you ask for one round more. It is the most expensive way to find out "
        "that nothing more is wanted: leave the loop.": _asks_on,
        "That is the number of tokens, not of rounds.": _but(rounds=lambda said: said["tokens"]),
        "The stop token is a new token as well: count it.": _stop_not_counted,
        "That is the number of rounds, not of tokens.": _but(tokens=lambda said: said["rounds"]),
        "No time has passed: read the clock once before the loop and once after it.": _but(
            seconds=lambda said: 0.0
        ),
        "You start the clock after the first round, which takes the longest: it reads the "
        "prompt.": _starts_late,
        "That is what the clock shows at the end. Subtract what it showed at the start.": _but(
            seconds=lambda said: said["seconds"] + START
        ),
        "That is seconds per token. Return the seconds of the whole text.": _but(
            seconds=lambda said: said["seconds"] / said["tokens"]
        ),
        "That is tokens per second. Return the seconds.": _but(
            seconds=lambda said: said["tokens"] / said["seconds"]
        ),
    },
    insight="Text comes in bursts, a round at a time, and nobody waits for a byte that is already "
    "certain.",
    ask=_asked,
    form=_no_numbers,
    parts=("shown", "rounds", "tokens", "seconds"),
    shown=lambda *rounds: f"rounds of the bytes {', '.join(map(str, rounds))}",
)


# --- the statistics block ---------------------------------------------------------


def _drafted(rounds: Sequence[Round]) -> int:
    return sum(len(r.drafted) for r in rounds)


def _accepted(rounds: Sequence[Round]) -> int:
    return sum(r.accepted for r in rounds)


def _emitted(rounds: Sequence[Round]) -> int:
    return sum(len(r.emitted) for r in rounds)


def _count(kind: str, rounds: Sequence[Round]) -> int:
    return sum(r.kinds.count(kind) for r in rounds)


def _statistics(rounds: Sequence[Round], **wrong: int) -> dict[str, int]:
    return {
        "drafted": _drafted(rounds),
        "new": _emitted(rounds),
        "accepted": _accepted(rounds),
        "examined": _accepted(rounds) + _count("correction", rounds),
    } | wrong


check_statistics = Exercise(
    "statistics",
    # (drafted, accepted) of each round: three corrections, a bonus, a round with no room to draft,
    # and a draft that was accepted up to a stop token.
    cases=[
        (
            [
                *(round_of(*end) for end in ((4, 2), (4, 4), (4, 0), (4, 1), (0, 0))),
                replace(round_of(4, 4), emitted=(5, 5), stop_reason="stop_token"),
            ],
        )
    ],
    right=_statistics,
    mistakes={
        "You count the rounds that drafted. Count every guess that was sent to the target.": (
            lambda rounds: _statistics(rounds, drafted=sum(len(r.drafted) > 0 for r in rounds))
        ),
        "That is what was drafted, not what was emitted.": (
            lambda rounds: _statistics(rounds, new=_drafted(rounds))
        ),
        "You count every emitted token. A correction or a bonus was never drafted.": (
            lambda rounds: _statistics(rounds, accepted=_emitted(rounds))
        ),
        "You count the corrections as accepted, as the article does. A correction replaces a "
        "guess that was *rejected*.": lambda rounds: _statistics(
            rounds, accepted=_accepted(rounds) + _count("correction", rounds)
        ),
        "You count the bonuses as accepted; they were never drafted.": (
            lambda rounds: _statistics(rounds, accepted=_accepted(rounds) + _count("bonus", rounds))
        ),
        "Those are the drafted tokens. What comes after a rejection is thrown away unexamined.": (
            lambda rounds: _statistics(rounds, examined=_drafted(rounds))
        ),
        "A stop token ended a round: it accepted less than it drafted and rejected nothing. A "
        "rejection is a round with a correction.": lambda rounds: _statistics(
            rounds, examined=sum(r.accepted + (r.accepted < len(r.drafted)) for r in rounds)
        ),
        "A rejected guess was examined, too.": (
            lambda rounds: _statistics(rounds, examined=_accepted(rounds))
        ),
        "You examine the bonus: it is the target's own word and needs no examination.": (
            lambda rounds: _statistics(rounds, examined=_emitted(rounds))
        ),
    },
    insight="An examined guess was accepted or corrected. A round that a stop token cuts short "
    "has no correction, and r.kinds knows that.",
    parts=("drafted", "new", "accepted", "examined"),
    shown=rounds_in_words,
)


# --- a fair race ----------------------------------------------------------------------

Seconds = Callable[[], float]


@dataclass
class Machine:
    """Two programs and the clock that they move.

    slow_after: so many runs of either program, and each run takes twice as long.
    extra: {(program, number of its run, from 0): seconds added to that run}.
    """

    says: str  # what is special about it
    slow_after: int = 10**9
    extra: Mapping[tuple[str, int], float] = field(default_factory=dict)
    now: float = 0.0
    runs: dict[str, int] = field(default_factory=lambda: {"standard": 0, "speculative": 0})

    def standard(self) -> None:
        self._run("standard", 2)

    def speculative(self) -> None:
        self._run("speculative", 1)

    def clock(self) -> float:
        return self.now

    def _run(self, program: str, seconds: float) -> None:
        slow = 2 if sum(self.runs.values()) >= self.slow_after else 1
        self.now += slow * seconds + self.extra.get((program, self.runs[program]), 0)
        self.runs[program] += 1


FIRST = [("standard", 0), ("speculative", 0)]
UNEVEN = {("speculative", 1): 10, ("standard", 3): -1, ("standard", 4): 6}


def _case(machine: Machine, repeats: int) -> tuple:
    return machine.standard, machine.speculative, machine.clock, repeats


def _timed(run: Callable, clock: Seconds) -> float:
    start = clock()
    run()
    return clock() - start


def _race(
    standard: Callable, speculative: Callable, clock: Seconds, repeats: int
) -> list[tuple[float, float]]:
    """Seconds of the two programs, `repeats` times in turn, after one run of each."""
    standard()
    speculative()
    return [(_timed(standard, clock), _timed(speculative, clock)) for _ in range(repeats)]


def fair_speedup(standard: Callable, speculative: Callable, clock: Seconds, repeats: int) -> float:
    """Median of seconds(standard) / seconds(speculative), run in turn, both warm."""
    return median(a / b for a, b in _race(standard, speculative, clock, repeats))


def _of_race(result: Callable) -> Callable:
    """A student who races fairly and takes `result` of the pairs of times."""
    return lambda *machine: result(_race(*machine))


def _cold(standard: Callable, speculative: Callable, clock: Seconds, repeats: int) -> float:
    pairs = [(_timed(standard, clock), _timed(speculative, clock)) for _ in range(repeats)]
    return median(a / b for a, b in pairs)


def _half_warm(standard: Callable, *rest) -> float:
    standard()
    return _cold(standard, *rest)


def _one_after_the_other(standard, speculative, clock, repeats) -> float:
    standard()
    speculative()
    times = [[_timed(run, clock) for _ in range(repeats)] for run in (standard, speculative)]
    return median(a / b for a, b in zip(*times, strict=True))


check_fair_speedup = Exercise(
    "fair_speedup",
    cases=[
        _case(Machine("slow in its first runs", extra=dict.fromkeys(FIRST, 5)), 1),
        _case(Machine("half as fast from its eighth run on", slow_after=7), 5),
        _case(Machine("half as fast from its ninth run on", slow_after=8), 5),
        _case(Machine("twice disturbed and once lucky", extra=UNEVEN), 5),
    ],
    right=fair_speedup,
    mistakes={
        "It is the other way round: the standard run's time over the speculative run's. More than "
        "1 says that speculation is faster.": lambda *machine: 1 / fair_speedup(*machine),
        "The first run of each is slower than all others, and you time it. Run both once before "
        "the clock counts.": _cold,
        "Only one of the two is warm. Run both once before the clock counts.": _half_warm,
        "You time all standard runs first and all speculative ones after them. If the machine gets "
        "slower in between, the second program looks bad. Take turns.": _one_after_the_other,
        "One disturbed run spoils a mean. Take the median of the ratios.": _of_race(
            lambda pairs: mean(a / b for a, b in pairs)
        ),
        "One disturbed run spoils a sum. Take a ratio for each pair, and the median of them.": (
            _of_race(lambda pairs: sum(a for a, _ in pairs) / sum(b for _, b in pairs))
        ),
        "Two medians may come from different moments, one before the machine got slower and one "
        "after. Take a ratio for each pair, and the median of the ratios.": _of_race(
            lambda pairs: median(a for a, _ in pairs) / median(b for _, b in pairs)
        ),
        "The fastest run of each is luck, and not of the same moment. Take a ratio for each pair, "
        "and the median of them.": _of_race(
            lambda pairs: min(a for a, _ in pairs) / min(b for _, b in pairs)
        ),
        "You take the best of the ratios. Take their median.": _of_race(
            lambda pairs: max(a / b for a, b in pairs)
        ),
        "You time one pair only, whatever `repeats` says.": (
            lambda *machine: fair_speedup(*machine[:3], 1)
        ),
        "That is a difference in seconds. A speedup is a ratio.": _of_race(
            lambda pairs: median(a - b for a, b in pairs)
        ),
    },
    insight="Taking turns lets both programs meet the same machine, and the median forgives it a "
    "bad moment.",
    shown=lambda standard, *_: f"a machine that is {standard.__self__.says},",
)


# --- a published fall-back ------------------------------------------------------------

ERRORS = 3  # standard errors at which an excess is noticed


def on_a_miss(p: np.ndarray, w: np.ndarray) -> dict[str, object]:
    """What a position emits where a placeholder ~ w is accepted if it is p's favourite, and
    the token else comes from p.

    Rows (V,) -> {"emitted": row (V,), "TV": its distance from p, "tokens": how many tokens
    until the favourite's excess is three standard errors}.
    """
    favourite = p.argmax()
    accepted = w[favourite]
    emitted = (1 - accepted) * p
    emitted[favourite] += accepted
    share, excess = p[favourite], emitted[favourite] - p[favourite]
    return {
        "emitted": emitted,
        "TV": np.abs(emitted - p).sum() / 2,
        "tokens": ERRORS**2 * share * (1 - share) / excess**2,
    }


def placeholders(vocabulary_size: int, steps: int = 256) -> np.ndarray:
    """The distribution (V,) of the first place of the largest of V uniforms on a grid.

    The program fills a row with uniforms in the model's number format and takes the argmax.
    Just below 1 neighbouring numbers of bfloat16 are 1/256 apart, so each place holds the
    largest of them with probability 1/256, and the first place that does wins: place k with
    (1 - 1/steps)^k / steps.  What is left where no place holds it is spread evenly.
    """
    w = (1 - 1 / steps) ** np.arange(vocabulary_size) / steps
    return w + (1 - w.sum()) / vocabulary_size


def _missed(**wrong: Callable) -> Callable:
    """A student who gets one part wrong: wrong[part](p, w, the right answer)."""
    return lambda p, w: (
        (right := on_a_miss(p, w)) | {part: make(p, w, right) for part, make in wrong.items()}
    )


def _favoured(p: np.ndarray, share: float, rest: np.ndarray) -> np.ndarray:
    """`share` at p's favourite, on top of (1 - share) of `rest`."""
    return share * (np.arange(len(p)) == p.argmax()) + (1 - share) * rest


def _without_favourite(p: np.ndarray) -> np.ndarray:
    rest = np.where(np.arange(len(p)) == p.argmax(), 0, p)
    return rest / rest.sum()


def _error_free(p: np.ndarray) -> float:
    return p.max() * (1 - p.max())


check_on_a_miss = Exercise(
    "on_a_miss",
    # p and w; in the second one w is not even, and prefers another token than p
    cases=[
        (np.array([0.2, 0.4, 0.3, 0.1]), np.full(4, 0.25)),
        (np.array([0.15, 0.1, 0.1, 0.6, 0.05]), np.array([0.5, 0.2, 0.15, 0.1, 0.05])),
    ],
    right=on_a_miss,
    mistakes={
        "That is p: exact, as the README says. Follow the rule line by line: how likely is it that "
        "the placeholder is the favourite?": _missed(emitted=lambda p, w, _: p),
        "Your row adds up to more than 1: p is drawn from only if the placeholder was not the "
        "favourite.": _missed(
            emitted=lambda p, w, _: p + w[p.argmax()] * (np.arange(len(p)) == p.argmax())
        ),
        "A placeholder does not come from p: it is the favourite with probability w[favourite].": (
            _missed(emitted=lambda p, w, _: _favoured(p, p.max(), p))
        ),
        "The placeholders come from w, and w need not be even: w[favourite], not 1/V.": (
            _missed(emitted=lambda p, w, _: _favoured(p, 1 / len(p), p))
        ),
        "You compare the placeholder with the favourite of w. The rule takes the favourite of p.": (
            _missed(
                emitted=lambda p, w, _: (
                    w.max() * (np.arange(len(p)) == w.argmax()) + (1 - w.max()) * p
                )
            )
        ),
        "After a mismatch the favourite may still be drawn: the rule draws from p itself, not from "
        "what is left of p without it.": (
            _missed(emitted=lambda p, w, _: _favoured(p, w[p.argmax()], _without_favourite(p)))
        ),
        "That draws the token after a mismatch from w. It is drawn from p.": (
            _missed(emitted=lambda p, w, _: _favoured(p, w[p.argmax()], w))
        ),
        "That is greedy decoding. After a mismatch the rule samples from p.": (
            _missed(emitted=lambda p, w, _: _favoured(p, 1.0, p))
        ),
        "Total variation is *half* the sum of the absolute differences.": (
            _missed(TV=lambda p, w, right: 2 * right["TV"])
        ),
        "That is how often the placeholder is accepted. Often the favourite would have been said "
        "anyway.": _missed(TV=lambda p, w, _: w[p.argmax()]),
        "The differences of a distribution add up to 0. Take absolute values first.": (
            _missed(TV=lambda p, w, _: 0.0)
        ),
        "That is where the excess is one standard error. Three are asked: 3 squared times as many "
        "tokens.": _missed(tokens=lambda p, w, right: right["tokens"] / ERRORS**2),
        "The error falls with the root of n, so square the 3 as well: n = 9 p (1 - p) / excess².": (
            _missed(tokens=lambda p, w, right: right["tokens"] / ERRORS)
        ),
        "You left out p (1 - p), the variance of one token.": (
            _missed(tokens=lambda p, w, right: right["tokens"] / _error_free(p))
        ),
        "You divide by the excess, not by its square. The error falls with the root of n only.": (
            _missed(tokens=lambda p, w, right: right["tokens"] * right["TV"])
        ),
        "That is the root of n.": _missed(tokens=lambda p, w, right: right["tokens"] ** 0.5),
    },
    insight="It emits w·(the favourite) + (1 - w)·p, with w the chance that the placeholder is the "
    "favourite: never exact, and with w = 1/V very nearly.",
    parts=("emitted", "TV", "tokens"),
    shown=lambda p, w: f"p = {p.tolist()} and w = {w.tolist()}",
)
