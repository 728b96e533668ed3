"""Timing of forward passes; the rest of a run is host time."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, product

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel, Rows, Session
from course_utils.decoding.sessions import forward, in_trees, verifies_trees


def timed_pass(
    session: Session, tokens: Sequence[int], parents: Sequence[int] | None = None
) -> tuple[Rows, float]:
    """Return the rows of one pass and the seconds it took."""
    begin = now()
    rows = forward(session, tokens, parents)
    return rows, now() - begin


def passes_in_turn(
    sessions: Mapping[str, Session], tokens: Sequence[int], repeats: int, warm_up: int = 2
) -> dict[str, dict[int, list[float]]]:
    """Return {name: {k: seconds}} of passes over the first k of `tokens`, `repeats` of each.

    All cases alternate, so that a hiccup of the machine affects all of them; each session is
    rolled back after its pass.  The first `warm_up` turns are left out.
    """
    lengths = {name: session.length for name, session in sessions.items()}
    samples: dict[str, dict[int, list[float]]] = {
        name: {k: [] for k in range(1, len(tokens) + 1)} for name in sessions
    }
    # the session changes with each pass, so that each finds the caches as another one left them
    for turn, k, name in product(range(warm_up + repeats), range(1, len(tokens) + 1), sessions):
        seconds = timed_pass(sessions[name], tokens[:k])[1]
        sessions[name].rollback(lengths[name])
        if turn >= warm_up:
            samples[name][k].append(seconds)
    return samples


def undisturbed(passes: Sequence[float]) -> list[float]:
    """Reduce the seconds of passes over 1, 2, ... tokens to at most those of a longer pass.

    A pass could be padded to a longer one; if it took more time, other work disturbed it.

    >>> undisturbed([3.0, 2.0, 2.5, 4.0])
    [2.0, 2.0, 2.5, 4.0]
    """
    return [*accumulate(reversed(passes), min)][::-1]


class TimedModel:
    """A LanguageModel that adds up the seconds of its passes, separately for prompts."""

    def __init__(self, model: LanguageModel):
        self.model = model
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.verifies_trees = verifies_trees(model)
        self.passes = 0
        self.seconds = 0.0
        self.prompt_seconds = 0.0

    def start(self, prompt: Sequence[int]) -> "TimedSession":
        begin = now()
        session = self.model.start(prompt)
        self.prompt_seconds += now() - begin
        return TimedSession(session, self)


class TimedSession:
    """A session whose `extend` is timed."""

    def __init__(self, session: Session, clock: TimedModel):
        self._session, self._clock = session, clock
        self.rollback = session.rollback
        if clock.verifies_trees:
            self.keep = in_trees(session).keep

    @property
    def length(self) -> int:
        return self._session.length

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        first = self._session.length == 0  # a drafter reads the prompt in its first pass
        rows, seconds = timed_pass(self._session, tokens, parents)
        if first:
            self._clock.prompt_seconds += seconds
        else:
            self._clock.passes += 1
            self._clock.seconds += seconds
        return rows
