"""The loop over several texts: what `loop` does to one, in one pass of the target for all.

Each text is a `Run` of the loop, with its own settings, its own random numbers and its own
end.  Only the two forward passes are shared, and in them no text sees another.  So row i
says what prompt i says alone, as far as a row of logits does not depend on how many others are
in the pass.  With `Separately` it does not; with `Batched` it does by rounding, so that some texts
in float32 and most in bfloat16 are others than alone, drawn from the same target.

A text that has ended leaves its slot, and the next prompt takes it at once (continuous
batching).  A slot is a place in a model's batch; a row is one of the texts, numbered as the
prompts are, which keeps its random numbers whatever slot it is given.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import (
    NO_DRAFT,
    Draft,
    LanguageModel,
    NoiseSource,
    Round,
    RoundNoise,
    Rows,
    Rule,
)
from course_utils.decoding.contracts import SlotSession as SlotSession
from course_utils.decoding.loop import Run
from course_utils.decoding.noise import DraftNoise, Noise
from course_utils.decoding.proposal import checked_draft
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import Sampling


class BatchSession(Protocol):
    """Several texts being processed by one model."""

    slots: int

    def start(self, slot: int, prompt: Sequence[int]) -> SlotSession:
        """Forget what the slot held and process `prompt`, which may be empty."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        """One pass over the named slots, each of which reads its own tokens, one at least: for
        each of them logits (its tokens, vocabulary), as `Session.extend`."""


class BatchModel(LanguageModel, Protocol):
    """A LanguageModel that can process several texts in one pass."""

    def start_batch(self, slots: int) -> BatchSession:
        """A new session of so many empty slots."""


@dataclass(frozen=True)
class Request:
    """One row that is to be drafted."""

    row: int
    tokens: Sequence[int]  # the row's text; the same object in all its rounds
    gamma: int  # the most guesses
    noise: RoundNoise  # one uniform for each of them


class BatchDrafter(Protocol):
    """Guesses for several rows at once; for each row all holds that a `Drafter` promises.

    One that adapts also has `learn(row: int, done: Round)`.
    """

    def propose(self, requests: Sequence[Request]) -> Sequence[Draft]:
        """A draft for each request, in their order.

        A row that was asked for before and is not now has ended: it never comes again.
        """


@dataclass(frozen=True)
class Lane:
    """A row in work: its number, its text, and its slot of the target's session."""

    row: int
    text: Run
    session: SlotSession


def generate_batch(
    target: BatchModel, prompts: Sequence[Sequence[int]], drafter: BatchDrafter | None = None, *,
    slots: int = 8, gamma: int = 4, sampling: Sampling = Sampling(), rule: Rule = TOKEN_WISE,
    max_new_tokens: int = 128, stop_tokens: Sequence[int] = (),
    seed: int = 0, noise: Callable[[int, int], NoiseSource] = Noise, rows: bool = False,
) -> Iterator[tuple[int, Round]]:  # fmt: skip
    """Yield the number of a prompt and its next `Round`, as its row gets on.

    Row i's random numbers are `noise(seed, i)`: its rounds are those of `generate` with
    `noise=lambda seed: Noise(seed, i)`.  The seconds of a round are the row's share: an
    equal part of the drafting and of the target's pass that the rows had in common.
    At most `slots` rows are in work at once.

    Raises:
        ValueError: as `generate`, with the number of the prompt; no slots; a target or a
            drafter for one text; or a draft that is a tree.
    """
    if not hasattr(target, "start_batch"):
        raise ValueError(
            f"a {type(target).__name__} processes one text: take Batched(model) for a Qwen3, or "
            "Separately(model) for any other"
        )
    if not hasattr(slots, "__index__") or slots < 1:
        raise ValueError(f"slots is {slots!r}; give a whole number, at least 1")
    waiting: deque[tuple[int, Run]] = deque()
    for row, prompt in enumerate(prompts):
        with _named(row):
            text = Run(
                target, prompt, gamma=gamma, sampling=sampling, rule=rule, rows=rows,
                max_new_tokens=max_new_tokens, stop_tokens=stop_tokens, noise=noise(seed, row),
            )  # fmt: skip
            waiting.append((row, text))
    if not waiting:
        return
    session = target.start_batch(min(slots, len(waiting)))
    lanes: dict[int, Lane] = {}  # by slot
    while lanes or waiting:
        for slot in range(session.slots):
            if slot not in lanes and waiting:  # its prompt is read in a pass of its own
                row, text = waiting.popleft()
                lanes[slot] = Lane(row, text, session.start(slot, text.tokens[:-1]))
        began = now()
        drafts = _drafts(drafter, list(lanes.values()), target)
        verifying = now()
        logits = session.extend(
            {slot: [lane.text.tokens[-1], *drafts[lane.row].tokens] for slot, lane in lanes.items()}
        )
        shares = (verifying - began) / len(lanes), (now() - verifying) / len(lanes)
        for slot, lane in list(lanes.items()):
            judging = now()
            clock = [judging - sum(shares), judging - shares[1], judging]
            with _named(lane.row):
                done = lane.text.commit(lane.session, drafts[lane.row], logits[slot], clock)
            if lane.text.ended:
                del lanes[slot]
            yield lane.row, done


def _drafts(
    drafter: BatchDrafter | None, lanes: Sequence[Lane], target: BatchModel
) -> dict[int, Draft]:
    """A checked draft for each row; not a draft for each, or a tree, is a ValueError."""
    drafts = {lane.row: NO_DRAFT for lane in lanes}
    growing = [lane for lane in lanes if lane.text.limit]
    if drafter is None or not growing:
        return drafts
    if hasattr(drafter, "learn"):
        for lane in growing:
            if lane.text.last is not None:
                drafter.learn(lane.row, lane.text.last)
    requests = []
    for lane in growing:
        own = DraftNoise(lane.text.draft_uniforms())
        requests.append(Request(lane.row, lane.text.committed, lane.text.limit, own))
    proposed = drafter.propose(requests)
    if len(proposed) != len(requests):
        raise ValueError(
            f"the drafter returned {len(proposed)} drafts for {len(requests)} rows: return one "
            "for each request, NO_DRAFT where there is no guess"
        )
    for request, draft in zip(requests, proposed, strict=True):
        with _named(request.row):
            drafts[request.row] = checked_draft(draft, request.gamma, target)
            if draft.parents is not None:
                raise ValueError("the draft is a tree: a batch takes chains; decode texts alone")
    return drafts


@contextmanager
def _named(row: int) -> Iterator[None]:
    """Let an error say which prompt it is about."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"prompt {row}: {error}") from error
