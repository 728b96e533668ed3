"""The decoding loop for several texts, with one pass of the target for all of them.

Each text is a `Run` of the loop, with its own settings, random numbers and end.  Only the
two forward passes are shared, and in them no text sees another.  So row i equals what prompt i
gives alone, if its logits do not depend on how many rows share the pass.  With `Separately` they
do not.  With `Batched`, rounding makes them depend: some texts in float32 and most in bfloat16
differ from those decoded alone, though all are drawn from the same target.

A finished text leaves its slot, and the next prompt takes it at once (continuous
batching).  A slot is a place in a model's batch.  A row is one of the texts, numbered like the
prompts; its random numbers do not depend on its slot.
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
from course_utils.decoding.proposal import check_model, check_sizes, checked_draft, notify
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.whole_numbers import whole_number


class BatchSession(Protocol):
    """Several texts being processed by one model."""

    slots: int

    def start(self, slot: int, prompt: Sequence[int]) -> SlotSession:
        """Clear the slot and process `prompt`, which may be empty."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        """Run one pass in which each slot of `tokens` reads its own, at least one.  Return each
        slot's logits, (its tokens, vocabulary), as `Session.extend` does."""


class BatchModel(LanguageModel, Protocol):
    """A LanguageModel that can process several texts in one pass."""

    def start_batch(self, slots: int) -> BatchSession:
        """Return a new session with `slots` empty slots."""


@dataclass(frozen=True)
class Request:
    """One row that needs a draft."""

    row: int
    tokens: Sequence[int]  # the row's text; the same object in all its rounds
    gamma: int  # the largest number of guesses
    noise: RoundNoise  # one uniform per guess


class BatchDrafter(Protocol):
    """A drafter for several rows at once; for each row it must do what a `Drafter` does.

    A drafter that adapts also has `learn(row: int, done: Round)`.
    """

    def propose(self, requests: Sequence[Request]) -> Sequence[Draft]:
        """Return a draft for each request, in the same order.

        A row that was requested before and is missing now has ended and will not return.
        """


@dataclass(frozen=True)
class Lane:
    """An active row: its number, its text, and its slot of the target's session."""

    row: int
    text: Run
    session: SlotSession


def generate_batch(
    target: BatchModel, prompts: Sequence[Sequence[int]], drafter: BatchDrafter | None = None, *,
    slots: int = 8, gamma: int = 4, sampling: Sampling = Sampling(), rule: Rule = TOKEN_WISE,
    max_new_tokens: int = 128, stop_tokens: Sequence[int] = (),
    seed: int = 0, noise: Callable[[int, int], NoiseSource] = Noise, rows: bool = False,
) -> Iterator[tuple[int, Round]]:  # fmt: skip
    """Yield (prompt number, `Round`) as each row advances.

    Row i's random numbers are `noise(seed, i)`: its rounds are those of `generate` with
    `noise=lambda seed: Noise(seed, i)`.  The seconds of a round are the row's share: the time
    of the shared drafting and of the shared target pass, divided by the number of rows.
    At most `slots` rows are active at once.

    Raises:
        ValueError: as `generate`, with the number of the prompt; `slots` below 1; a target
            or a drafter for single texts; or a draft that is a tree.
    """
    check_batch_model(target, "target")
    whole_number("slots", slots, 1)
    waiting: deque[tuple[int, Run]] = deque()
    for row, prompt in enumerate(prompts):
        with _with_prompt_number(row):
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
            if slot not in lanes and waiting:  # each prompt is read in a separate pass
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
            with _with_prompt_number(lane.row):
                done = lane.text.commit(lane.session, drafts[lane.row], logits[slot], clock)
            if lane.text.ended:
                del lanes[slot]
            yield lane.row, done


def check_batch_model(model: object, role: str) -> None:
    """Raise a ValueError if `model` is not a BatchModel."""
    if not hasattr(model, "start_batch"):
        check_model(model, role)
        raise ValueError(
            f"the {role} is a {type(model).__name__}, which processes one text at a time: use "
            "Batched(model) for a Qwen3, or Separately(model) for any other model"
        )
    check_sizes(model, role)


def _drafts(
    drafter: BatchDrafter | None, lanes: Sequence[Lane], target: BatchModel
) -> dict[int, Draft]:
    """Return a checked draft for each row; raise a ValueError for a tree or a missing draft."""
    drafts = {lane.row: NO_DRAFT for lane in lanes}
    growing = [lane for lane in lanes if lane.text.limit]
    if drafter is None or not growing:
        return drafts
    requests = []
    for lane in growing:
        notify(drafter, lane.text.last, lane.row)
        own = DraftNoise(lane.text.draft_uniforms())
        requests.append(Request(lane.row, lane.text.committed, lane.text.limit, own))
    proposed = drafter.propose(requests)
    if len(proposed) != len(requests):
        raise ValueError(
            f"the drafter returned {len(proposed)} drafts for {len(requests)} rows: return one "
            "per request, NO_DRAFT where there is no guess"
        )
    for request, draft in zip(requests, proposed, strict=True):
        with _with_prompt_number(request.row):
            drafts[request.row] = checked_draft(draft, request.gamma, target)
            if draft.parents is not None:
                raise ValueError("the draft is a tree: a batch takes only chains; use generate")
    return drafts


@contextmanager
def _with_prompt_number(row: int) -> Iterator[None]:
    """Add the number of the prompt to an error's message."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"prompt {row}: {error}") from error
