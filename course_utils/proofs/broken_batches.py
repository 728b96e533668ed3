"""Batched decoders with one thing wrong, each found in production.

Of the parts of the course's own one is replaced; what its batch, its slots and its rows do
wrong is in `misled_sessions`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from course_utils.decoding.batch import BatchModel, Request, generate_batch
from course_utils.decoding.contracts import Draft, Round, Rule
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.batched import BatchSampled, Each
from course_utils.drafters.lookup import PromptLookup
from course_utils.proofs import misled_sessions as misled
from course_utils.proofs.batches import BatchDecoder
from course_utils.proofs.bugs import no_bonus


@dataclass(frozen=True)
class BatchBug:
    """A specimen: what it is called, where it was seen, what is wrong, and what one notices.

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

    def drafter(model: BatchModel, sampling: Sampling) -> BatchSampled:
        return BatchSampled(misled.Misled(model, session), sampling)

    return BatchDecoder(drafter=drafter)


def _reading(session: type) -> BatchDecoder:
    """A decoder whose target reads in such a session."""
    return BatchDecoder(target=lambda model: misled.Misled(model, session))


class ZeroesRead:
    """A row without a guess is given what its buffer holds: zeros."""

    def __init__(self, model: BatchModel, sampling: Sampling):
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
    return Rule("no bonus", no_bonus, False, rule.source)


BATCH_BUGS = (
    BatchBug(
        "padding kept", "vLLM issue 26191, pull request 26498",
        "rejected tokens that pad a row of the draft's pass stay in its cache",
        "text right; fewer accepted in long drafts",
        _drafting(misled.PaddingKept), silent=True, unlike=True,
    ),
    BatchBug(
        "lengths with rejected tokens", "vllm-ascend pull request 14883",
        "the target's row lengths count the rejected tokens",
        "attention reads stale slots: another text",
        _reading(misled.NeverShorter),
    ),
    BatchBug(
        "rows in the order of a dict", "vLLM pull request 14645",
        "rows come back in the order of slots and are handed out in that of a dict",
        "tokens leak between texts, once a slot was given away",
        _reading(misled.HandedOutInOrder), unlike=True,
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
        BatchDecoder(drafter=ZeroesRead, alone=lambda model, sampling: PromptLookup()),
        silent=True,
    ),
    BatchBug(
        "placeholders read as tokens", "vLLM pull request 45237",
        "rejected places are marked -1 and read by the draft model",
        "an index error, or the embedding of another token",
        _drafting(misled.PlaceholdersRead), silent=True, unlike=True,
    ),
    BatchBug(
        "split at even offsets", "halo-box/llama.cpp pull request 6",
        "the draft's rows are taken out as if every text had read as many tokens",
        "text right; fewer accepted",
        _drafting(misled.SplitEvenly), silent=True, unlike=True,
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
        _reading(misled.PadsMasked),
    ),
    BatchBug(
        "stop token in the prompt", "eBay/spec_dec at 96e1d12",
        "the stop test looks at the prompt",
        "a chat prompt ends after a round",
        BatchDecoder(generate=ends_at_the_prompt),
    ),
)  # fmt: skip
