"""How many tokens per second a batch brings, and what its passes take: to measure and predict."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from course_utils.decoding.batch import BatchDrafter, BatchModel, generate_batch
from course_utils.decoding.clock import now
from course_utils.decoding.contracts import Round


@dataclass(frozen=True)
class BatchRun:
    """One run of `generate_batch`; times in seconds, of all rows together."""

    slots: int
    gamma: int  # 0: without a drafter
    tokens: int
    rounds: int
    accepted: int
    drafted: int
    draft: float
    verify: float
    host: float
    whole: float  # also the reading of the prompts, and the first pass of each slot

    @property
    def tokens_per_round(self) -> float:
        return self.tokens / self.rounds

    @property
    def rate(self) -> float:
        """Tokens per second of decoding; the prompts are read before, by whatever decodes."""
        return self.tokens / (self.draft + self.verify + self.host)


def run_full(
    target: BatchModel, prompts: Sequence[Sequence[int]], drafter: BatchDrafter | None = None,
    *, slots: int, gamma: int = 4, **settings: object,
) -> BatchRun:  # fmt: skip
    """Decode in whole turns with a text in every slot, as on a server that has a queue, and count.

    A drafter's own reading of a prompt is in `draft`.

    Raises:
        ValueError: fewer prompts than slots.
    """
    if len(prompts) < slots:
        raise ValueError(f"{len(prompts)} prompts do not fill {slots} slots: give more")
    began, rounds, more = now(), [], len(prompts) - slots
    for _, done in generate_batch(target, prompts, drafter, slots=slots, gamma=gamma, **settings):
        rounds.append(done)
        more -= done.stop_reason is not None
        if more < 0 and len(rounds) % slots == 0:  # nobody waits for a slot that was left
            break
    return _counted(rounds, slots, gamma if drafter else 0, now() - began)


def _counted(rounds: Sequence[Round], slots: int, gamma: int, whole: float) -> BatchRun:
    return BatchRun(
        slots, gamma,
        sum(len(done.emitted) for done in rounds), len(rounds),
        sum(done.accepted for done in rounds), sum(len(done.drafted) for done in rounds),
        sum(done.seconds.draft for done in rounds), sum(done.seconds.verify for done in rounds),
        sum(done.seconds.host for done in rounds), whole,
    )  # fmt: skip


def pass_times(
    model: BatchModel,
    prompt: Sequence[int],
    shapes: Iterable[tuple[int, int]],
    repeats: int = 8,
    clock: Callable[[], float] = now,
) -> dict[tuple[int, int], float]:
    """Seconds of a pass of so many rows, each with so many new tokens behind `prompt`.

    The least of the repeats: what disturbs a pass only ever makes it longer.

    Args:
        clock: `process_time` counts what the processor worked, on a machine that has no peace.
    """
    found = {}
    for rows, new in shapes:
        session = model.start_batch(rows)
        slots = [session.start(slot, prompt) for slot in range(rows)]
        tokens = {slot: [prompt[-1]] * new for slot in range(rows)}
        times = []
        for _ in range(repeats + 1):  # the first warms up
            began = clock()
            session.extend(tokens)
            times.append(clock() - began)
            for slot in slots:
                slot.rollback(len(prompt))
        found[rows, new] = min(times[1:])
    return found
