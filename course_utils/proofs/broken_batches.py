"""Batched decoders with one thing wrong, each found in production.

What is wrong with a batch, its slots and its rows is a session: an edited `Separately`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from course_utils.decoding.batch import BatchModel, Request, generate_batch
from course_utils.decoding.contracts import Draft, LanguageModel, Round, Rows, Session
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.noise import Noise
from course_utils.decoding.rows import namespace
from course_utils.drafters.batch_drafters import BatchSampled, Each
from course_utils.drafters.lookup import PromptLookup
from course_utils.models.toys.separately import Separately, SeparateSession
from course_utils.proofs.batch_invariance import PAD, BatchDecoder
from course_utils.proofs.bugs import KeptSession, WithSession, bug

LOOKS = "text, like rows", "text", "text and accepted", "the same, sampled"
LIKE_ROWS, UNLIKE_ROWS, ACCEPTANCES, SAMPLED = LOOKS


@dataclass(frozen=True)
class BatchBug:
    """A specimen of the zoo of batches."""

    name: str
    source: str  # where it was seen
    fault: str
    symptom: str
    decoder: BatchDecoder
    seen_by: str  # the first of `LOOKS` that sees it; "like rows" are a batch of one prompt


def concatenated(rows: Sequence[Rows]) -> Rows:
    return namespace(rows[0]).concat(list(rows))


class HandedOutInOrder(SeparateSession):
    """Computes slot by slot, and hands the rows out in the order in which it was asked."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        rows = super().extend(tokens)
        flat, end, result = concatenated([rows[slot] for slot in sorted(rows)]), 0, {}
        for slot, new in tokens.items():
            end += len(new)
            result[slot] = flat[end - len(new) : end]
        return result


class SplitEvenly(SeparateSession):
    """Takes row i's rows out at i times the widest, as if all were so wide."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        rows = super().extend(tokens)
        flat, width = concatenated(list(rows.values())), max(map(len, tokens.values()))
        ends = {slot: min(i * width + len(tokens[slot]), len(flat)) for i, slot in enumerate(rows)}
        return {slot: flat[end - len(tokens[slot]) : end] for slot, end in ends.items()}


class PaddedText:
    """A slot that also reads padding, which stays in the cache until a rejection."""

    def __init__(self, session: Session, prompt: Sequence[int]):
        self.session, self.tokens, self.cached = session, list(prompt), list(prompt)
        self.rejected: list[int] = []

    @property
    def length(self) -> int:
        return len(self.tokens)

    def rollback(self, length: int) -> None:
        self.rejected = self.tokens[length:]
        del self.tokens[length:]

    def extend(self, tokens: Sequence[int], padding: Sequence[int] = ()) -> Rows:
        missing: list[int] = []
        if self.rejected:
            right = common_prefix(self.tokens, self.cached)
            self.session.rollback(right)
            missing, self.cached = self.tokens[right:], self.cached[:right]
        read, self.rejected = [*missing, *tokens, *padding], []
        self.tokens += tokens
        self.cached += read
        return self.session.extend(read)[len(missing) :]


class PaddingKept(SeparateSession):
    """Pads every text to the widest, with what was rejected; later passes read the padding."""

    def start(self, slot: int, prompt: Sequence[int]) -> Any:
        self._sessions[slot] = PaddedText(self._model.start(prompt), prompt)
        return self._sessions[slot]

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        width = max(map(len, tokens.values()))
        return {slot: self.read(self._sessions[slot], new, width) for slot, new in tokens.items()}

    def read(self, text: Any, new: Sequence[int], width: int) -> Rows:
        padding = [*text.rejected, *[PAD] * width][: width - len(new)]
        return text.extend(new, padding)[: len(new)]


class PlaceholdersRead(PaddingKept):
    """Pads with -1, and takes the rows at the end."""

    def read(self, text: Any, new: Sequence[int], width: int) -> Rows:
        return text.extend(new, [-1] * (width - len(new)))[width - len(new) :]


class PadsMasked:
    """A model to whose later tokens those that equal the pad id are invisible."""

    def __init__(self, model: LanguageModel):
        self.model, self.vocabulary_size, self.context = model, model.vocabulary_size, model.context

    def start(self, prompt: Sequence[int]) -> "PadsMaskedSession":
        return PadsMaskedSession(self.model.start([x for x in prompt if x != PAD]), prompt)


class PadsMaskedSession(PaddedText):
    def extend(self, tokens: Sequence[int], padding: Sequence[int] = ()) -> Rows:
        rows = []
        for token in tokens:
            rows.append(self.session.extend([token]))
            self.tokens.append(token)
            self.rollback(len(self.tokens))
        return concatenated(rows)

    def rollback(self, length: int) -> None:
        del self.tokens[length:]
        self.session.rollback(sum(token != PAD for token in self.tokens))


class Altered(Separately):
    """A batch of the same model whose sessions are of another kind."""

    def __init__(self, model: LanguageModel, session: type[SeparateSession]):
        super().__init__(model)
        self._session = session

    def start_batch(self, slots: int) -> SeparateSession:
        return self._session(self.model, slots)


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
    for row, r in run:
        if row not in ended:
            yield row, r
        elif r.index == 0:
            yield row, replace(r, stop_reason="stop_token")


_other_seeds = count(1 << 32)


def _draft(session: type[SeparateSession]) -> BatchDecoder:
    return BatchDecoder(drafter=lambda batch: BatchSampled(Altered(batch.model, session)))


def _target(wrapped: Callable[[Any], LanguageModel]) -> BatchDecoder:
    return BatchDecoder(target=lambda batch: Separately(wrapped(batch.model)))


BATCH_BUGS = (
    BatchBug("padding kept", "vLLM issue 26191, pull request 26498",
             "rejected tokens that pad a row of the draft's pass stay in its cache",
             "text right; fewer accepted in long drafts", _draft(PaddingKept), ACCEPTANCES),
    BatchBug("lengths with rejected tokens", "vllm-ascend pull request 14883",
             "the target's row lengths count the rejected tokens",
             "attention reads stale slots: another text",
             _target(lambda model: WithSession(model, KeptSession)), LIKE_ROWS),
    BatchBug("rows in the order of a dict", "vLLM pull request 14645",
             "rows come back in the order of slots and are handed out in that of a dict",
             "tokens leak between texts, once a slot was given away",
             BatchDecoder(target=lambda batch: Altered(batch.model, HandedOutInOrder)),
             UNLIKE_ROWS),
    BatchBug("seed ignored", "vLLM issues 6034 and 6038, pull request 6743",
             "a row's seed does not reach the sampler", "sampled text cannot be reproduced",
             BatchDecoder(noise=lambda seed, row: Noise(next(_other_seeds), row)), SAMPLED),
    BatchBug("one stream for all rows", "TensorRT-LLM issue 19487",
             "every row draws from the same random numbers",
             "the same prompt gives the same sample in every row",
             BatchDecoder(noise=lambda seed, row: Noise(seed)), SAMPLED),
    BatchBug("zeros read as a draft", "vLLM pull request 52762",
             "a row without a guess submits its empty buffer: token 0",
             "token 0 is accepted though nobody guessed it",
             BatchDecoder(drafter=ZeroesRead, alone=lambda model: PromptLookup()), ACCEPTANCES),
    BatchBug("placeholders read as tokens", "vLLM pull request 45237",
             "rejected places are marked -1 and read by the draft model",
             "an index error, or the embedding of another token",
             _draft(PlaceholdersRead), ACCEPTANCES),
    BatchBug("split at even offsets", "halo-box/llama.cpp pull request 6",
             "the draft's rows are taken out as if every text had read as many tokens",
             "text right; fewer accepted", _draft(SplitEvenly), ACCEPTANCES),
    BatchBug("no bonus in the batch", "eBay/spec_dec at 96e1d12",
             "the row after a fully accepted draft is thrown away",
             "text right; a token fewer a round",
             BatchDecoder(rule=lambda rule: bug("no bonus").decoder.rule), ACCEPTANCES),
    BatchBug("mask made of pad ids", "eBay/spec_dec at 96e1d12",
             "what equals the pad id is masked, in the text too",
             "holes in the text: another text", _target(PadsMasked), LIKE_ROWS),
    BatchBug("stop token in the prompt", "eBay/spec_dec at 96e1d12",
             "the stop test looks at the prompt", "a chat prompt ends after a round",
             BatchDecoder(generate=ends_at_the_prompt), LIKE_ROWS),
)  # fmt: skip
