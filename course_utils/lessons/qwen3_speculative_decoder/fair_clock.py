"""The check of a fair race: made-up machines that warm up, slow down, or stumble.

Each takes 2 seconds for a standard run and 1 for a speculative one, so that the right
answer is 2 wherever the race is fair.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import mean, median

from course_utils.classroom.exercise import Exercise

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
