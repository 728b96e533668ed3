"""Drafting for several rows at once: any drafter for each, or one draft model for all."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

from course_utils.decoding.batch import BatchModel, BatchSession, Request, check_batch_model
from course_utils.decoding.contracts import NO_DRAFT, Draft, Drafter, Round, Rows, SlotSession
from course_utils.decoding.proposal import notify, sampling_of
from course_utils.decoding.rows import checked_rows
from course_utils.decoding.sampling import Sampling, Stop, drawing, never
from course_utils.decoding.sessions import CachedPrefix


class Each:
    """A BatchDrafter with an ordinary drafter per row, created by `make()`."""

    def __init__(self, make: Callable[[], Drafter]):
        self._make = make
        self._drafters: dict[int, Drafter] = {}

    def learn(self, row: int, done: Round) -> None:
        notify(self._drafters[row], done)

    def propose(self, requests: Sequence[Request]) -> list[Draft]:
        self._drafters = {a.row: self._drafters.get(a.row) or self._make() for a in requests}
        return [self._drafters[a.row].propose(a.tokens, a.gamma, a.noise) for a in requests]


@dataclass
class _Lane:
    """A row's slot in the draft model's session, and the tokens cached there."""

    slot: int
    session: SlotSession
    cached: CachedPrefix = field(default_factory=CachedPrefix)


class BatchSampled:
    """`Sampled` for all rows in lock-step: one pass of the draft model per guess.

    The first pass of a round reads the missing tokens of each row.

    Args:
        sampling: None uses the settings of each row's run.
        stop: as for `Sampled`, applied to each row; rows that stopped skip the other passes.
    """

    def __init__(self, model: BatchModel, sampling: Sampling | None = None, stop: Stop = never):
        check_batch_model(model, "draft")
        self.model, self.sampling, self.stop = model, sampling, stop
        self._session: BatchSession | None = None
        self._lanes: dict[int, _Lane] = {}  # by row

    def propose(self, requests: Sequence[Request]) -> list[Draft]:
        fitting = [a for a in requests if self.model.context > len(a.tokens) - 1]
        session = self._seated(fitting)
        drafts = {request.row: NO_DRAFT for request in requests}
        steps: dict[int, Generator[Sequence[int], Rows, Draft]] = {}
        waiting: dict[int, Sequence[int]] = {}  # the tokens that each active row reads next

        def advance(row: int, logits: Rows) -> None:
            try:
                waiting[row] = steps[row].send(logits)
            except StopIteration as end:
                drafts[row] = end.value
                waiting.pop(row, None)

        for a in fitting:
            lane = self._lanes[a.row]
            missing = lane.cached.missing(lane.session, a.tokens)
            gamma = min(a.gamma, self.model.context - len(a.tokens) + 1)
            uniforms = a.noise.uniforms("draft", gamma)
            sampling = sampling_of(a.tokens, self.sampling)
            steps[a.row] = drawing(missing, uniforms, sampling, self.stop)
            advance(a.row, None)
        while waiting:
            rows = session.extend({self._lanes[row].slot: new for row, new in waiting.items()})
            for row, new in list(waiting.items()):
                lane = self._lanes[row]
                advance(row, checked_rows(rows[lane.slot], len(new), lane.session))
        for a in fitting:
            lane = self._lanes[a.row]
            lane.cached.record(lane.session, a.tokens, drafts[a.row].tokens)
        return [drafts[request.row] for request in requests]

    def _seated(self, fitting: Sequence[Request]) -> BatchSession:
        """Return the session with a slot for each requested row and for no other."""
        rows = {a.row for a in fitting}
        self._lanes = {row: lane for row, lane in self._lanes.items() if row in rows}
        if self._session is None or self._session.slots < len(rows):
            self._session, self._lanes = self.model.start_batch(max(1, len(rows))), {}
        free = sorted({*range(self._session.slots)} - {lane.slot for lane in self._lanes.values()})
        for a in fitting:
            if a.row not in self._lanes:  # a new row reads its prompt
                slot = free.pop(0)
                self._lanes[a.row] = _Lane(slot, self._session.start(slot, a.tokens[:-1]))
                self._lanes[a.row].cached.update(a.tokens[:-1])
        return self._session
