"""Batched decoders with one thing wrong, each found in production.

Of the parts of the course's own one is replaced.  What is wrong with a batch, its slots and
its rows is a session that runs the right one of any BatchModel and lies about it, so each
can be pointed at a table and at a Qwen3.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from course_utils.decoding.batch import (
    BatchModel,
    BatchSession,
    Request,
    SlotSession,
    generate_batch,
)
from course_utils.decoding.contracts import Draft, Round, Rows, Rule
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.noise import Noise
from course_utils.decoding.rows import namespace
from course_utils.drafters.batch_drafters import BatchSampled, Each
from course_utils.drafters.lookup import PromptLookup
from course_utils.proofs.bugs import Misled, bug
from course_utils.proofs.rows_alone import PAD, BatchDecoder


class Passing:
    """A session that does what it is told by the one inside; the others change a part."""

    def __init__(self, inner: BatchSession):
        self.inner, self.slots = inner, inner.slots
        self.texts: dict[int, MisledSlot] = {}

    def start(self, slot: int, prompt: Sequence[int]) -> SlotSession:
        self.texts[slot] = MisledSlot(self.inner.start(slot, prompt), prompt)
        return self.texts[slot]

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        for slot, new in tokens.items():
            self.texts[slot].said += new
        return self.inner.extend(tokens)


class MisledSlot:
    """A slot: what it says it holds, and what the session inside holds."""

    def __init__(self, inner: SlotSession, prompt: Sequence[int]):
        self.inner = inner
        self.said, self.held = list(prompt), list(prompt)
        self.forgotten: list[int] = []

    @property
    def length(self) -> int:
        return len(self.said)

    def rollback(self, length: int) -> None:
        self.forgotten = self.said[length:]
        del self.said[length:]

    def mend(self) -> list[int]:
        """Roll the session inside back to where it is right, and return what it lacks."""
        right = common_prefix(self.said, self.held)
        self.inner.rollback(right)
        del self.held[right:]
        return self.said[right:]


class NeverShorter(Passing):
    """The session inside never forgets, whatever its slots say."""


class HandedOutInOrder(Passing):
    """Reads slot by slot, and hands the rows out in the order in which it was asked."""

    def start(self, slot: int, prompt: Sequence[int]) -> SlotSession:
        return self.inner.start(slot, prompt)

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        rows = self.inner.extend(tokens)
        flat, start, given = joined([rows[slot] for slot in sorted(rows)]), 0, {}
        for slot, new in tokens.items():
            given[slot] = flat[start : start + len(new)]
            start += len(new)
        return given


class SplitEvenly(HandedOutInOrder):
    """Takes row i's out of all rows at i times the widest, as if all were so wide."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        rows = self.inner.extend(tokens)
        flat, width = joined([rows[slot] for slot in tokens]), max(map(len, tokens.values()))
        ends = {slot: min(i * width + len(tokens[slot]), len(flat)) for i, slot in enumerate(rows)}
        return {slot: flat[end - len(tokens[slot]) : end] for slot, end in ends.items()}


class Padded(Passing):
    """Every text reads as many tokens as the one that reads most; a rejection sets it right."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        width, owed, fed = max(map(len, tokens.values())), {}, {}
        for slot, new in tokens.items():
            text = self.texts[slot]
            owed[slot] = text.mend() if text.forgotten else []
            padding = self.padding(text, width - len(new))
            fed[slot] = [*owed[slot], *new, *padding]
            text.said += new
            text.held += fed[slot]
            text.forgotten = []
        rows = self.inner.extend(fed)
        return {
            slot: self.own(rows[slot][len(owed[slot]) :], len(new)) for slot, new in tokens.items()
        }

    def padding(self, text: MisledSlot, many: int) -> list[int]:
        raise NotImplementedError

    def own(self, rows: Rows, count: int) -> Rows:
        raise NotImplementedError


class PaddingKept(Padded):
    """Pads with what was rejected, and what pads is read by the passes that follow."""

    def padding(self, text: MisledSlot, many: int) -> list[int]:
        return [*text.forgotten, *([PAD] * many)][:many]

    def own(self, rows: Rows, count: int) -> Rows:
        return rows[:count]


class PlaceholdersRead(Padded):
    """Pads with -1, and takes the rows at the end."""

    def padding(self, text: MisledSlot, many: int) -> list[int]:
        return [-1] * many

    def own(self, rows: Rows, count: int) -> Rows:
        return rows[len(rows) - count :]


class PadsMasked(Passing):
    """What equals the pad id is read, and seen by nothing that follows."""

    def start(self, slot: int, prompt: Sequence[int]) -> SlotSession:
        inner = self.inner.start(slot, [x for x in prompt if x != PAD])
        self.texts[slot] = UnpaddedSlot(inner, prompt)
        return self.texts[slot]

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        return {slot: joined([self._read(slot, x) for x in new]) for slot, new in tokens.items()}

    def _read(self, slot: int, token: int) -> Rows:
        text = self.texts[slot]
        rows = self.inner.extend({slot: [token]})[slot]
        text.said.append(token)
        text.inner.rollback(text.seen())
        return rows


class UnpaddedSlot(MisledSlot):
    """A slot whose session inside holds no pad ids."""

    def seen(self) -> int:
        return sum(token != PAD for token in self.said)

    def rollback(self, length: int) -> None:
        del self.said[length:]
        self.inner.rollback(self.seen())


def joined(rows: Sequence[Rows]) -> Rows:
    """All rows, one list behind the other: (sum of lengths, vocabulary)."""
    return namespace(rows[0]).concat(list(rows))


@dataclass(frozen=True)
class BatchBug:
    """A specimen: what it is called, where it was seen, what is wrong, and what one notices.

    Attributes:
        silent: the greedy text is right; only the accepted counts tell.
        unlike: rows like one another hide it, at temperature 0.
        drawn: only sampled text shows it.
    """

    name: str
    source: str
    fault: str
    symptom: str
    decoder: BatchDecoder
    silent: bool = False
    unlike: bool = False
    drawn: bool = False


def _drafting(session: type) -> BatchDecoder:
    """A decoder whose draft model reads in such a session."""

    return BatchDecoder(drafter=lambda model: BatchSampled(Misled(model, session)))


def _reading(session: type) -> BatchDecoder:
    """A decoder whose target reads in such a session."""
    return BatchDecoder(target=lambda model: Misled(model, session))


class ZeroesRead:
    """A row without a guess is given what its buffer holds: zeros."""

    def __init__(self, model: BatchModel):
        self._drafter = Each(PromptLookup)

    def propose(self, requests: Sequence[Request]) -> list[Draft]:
        drafts = zip(requests, self._drafter.propose(requests), strict=True)
        return [d if d.tokens else Draft((0,) * asked.gamma, None) for asked, d in drafts]


def ends_at_the_prompt(
    target: BatchModel, prompts: Sequence[Sequence[int]], *more: Any,
    stop_tokens: Sequence[int] = (), **settings: Any,
) -> Iterator[tuple[int, Round]]:  # fmt: skip
    """`generate_batch`, but the stop test looks at the whole row, the prompt included."""
    ended = {row for row, prompt in enumerate(prompts) if {*prompt} & {*stop_tokens}}
    run = generate_batch(target, prompts, *more, stop_tokens=stop_tokens, **settings)
    for row, done in run:
        if row not in ended:
            yield row, done
        elif done.index == 0:
            yield row, replace(done, stop_reason="stop_token")


_AT_ALL = count(1 << 32)


def _not_seeded(seed: int, row: int) -> Noise:
    return Noise(next(_AT_ALL), row)


def _without_bonus(rule: Rule) -> Rule:
    return bug("no bonus").decoder.rule


BATCH_BUGS = (
    BatchBug(
        "padding kept", "vLLM issue 26191, pull request 26498",
        "rejected tokens that pad a row of the draft's pass stay in its cache",
        "text right; fewer accepted in long drafts",
        _drafting(PaddingKept), silent=True, unlike=True,
    ),
    BatchBug(
        "lengths with rejected tokens", "vllm-ascend pull request 14883",
        "the target's row lengths count the rejected tokens",
        "attention reads stale slots: another text",
        _reading(NeverShorter),
    ),
    BatchBug(
        "rows in the order of a dict", "vLLM pull request 14645",
        "rows come back in the order of slots and are handed out in that of a dict",
        "tokens leak between texts, once a slot was given away",
        _reading(HandedOutInOrder), unlike=True,
    ),
    BatchBug(
        "seed ignored", "vLLM issues 6034 and 6038, pull request 6743",
        "a row's seed does not reach the sampler",
        "sampled text cannot be reproduced",
        BatchDecoder(noise=_not_seeded), drawn=True,
    ),
    BatchBug(
        "one stream for all rows", "TensorRT-LLM issue 19487",
        "every row draws from the same random numbers",
        "the same prompt gives the same sample in every row",
        BatchDecoder(noise=lambda seed, row: Noise(seed)), drawn=True,
    ),
    BatchBug(
        "zeros read as a draft", "vLLM pull request 52762",
        "a row without a guess submits its empty buffer: token 0",
        "token 0 is accepted though nobody guessed it",
        BatchDecoder(drafter=ZeroesRead, alone=lambda model: PromptLookup()),
        silent=True,
    ),
    BatchBug(
        "placeholders read as tokens", "vLLM pull request 45237",
        "rejected places are marked -1 and read by the draft model",
        "an index error, or the embedding of another token",
        _drafting(PlaceholdersRead), silent=True, unlike=True,
    ),
    BatchBug(
        "split at even offsets", "halo-box/llama.cpp pull request 6",
        "the draft's rows are taken out as if every text had read as many tokens",
        "text right; fewer accepted",
        _drafting(SplitEvenly), silent=True, unlike=True,
    ),
    BatchBug(
        "no bonus in the batch", "eBay/spec_dec at 96e1d12",
        "the row after a fully accepted draft is thrown away",
        "text right; a token fewer a round",
        BatchDecoder(rule=_without_bonus), silent=True,
    ),
    BatchBug(
        "mask made of pad ids", "eBay/spec_dec at 96e1d12",
        "what equals the pad id is masked, in the text too",
        "holes in the text: another text",
        _reading(PadsMasked),
    ),
    BatchBug(
        "stop token in the prompt", "eBay/spec_dec at 96e1d12",
        "the stop test looks at the prompt",
        "a chat prompt ends after a round",
        BatchDecoder(generate=ends_at_the_prompt),
    ),
)  # fmt: skip
