"""A text that a decoder wrote, kept with all it takes to look at every round again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import catch_up
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling
from course_utils.proofs.decoders import Decoder


@dataclass(frozen=True)
class Written:
    """The rounds of one run, and the run's arguments."""

    decoder: Decoder
    target: LanguageModel
    draft: LanguageModel | None
    prompt: tuple[int, ...]
    sampling: Sampling
    gamma: int
    end: int  # tokens of prompt and text at most
    seed: int
    stop_tokens: tuple[int, ...]
    rounds: tuple[Round, ...]

    @property
    def tokens(self) -> list[int]:
        """The new ones."""
        return emitted_tokens(self.rounds)

    def texts(self) -> Iterator[tuple[list[int], Round]]:
        """(text before the round, round)"""
        text = list(self.prompt)
        for r in self.rounds:
            yield text, r
            text = [*text, *r.emitted]

    def limit(self, r: Round) -> int:
        """How many tokens could be drafted in the round."""
        return min(self.gamma, self.end - r.context - 1)


def write(
    decoder: Decoder,
    target: LanguageModel,
    draft: LanguageModel | None,
    prompt: Sequence[int],
    sampling: Sampling,
    length: int,
    *,
    gamma: int = 4,
    seed: int = 0,
    stop_tokens: Sequence[int] = (),
) -> Written:
    """Let the decoder write `length` tokens, or fewer if a stop token or the context ends it."""
    rounds = decoder.run(
        target, draft, prompt, sampling,
        gamma=gamma, max_new_tokens=length, seed=seed, stop_tokens=stop_tokens,
    )  # fmt: skip
    return Written(
        decoder, target, draft, tuple(prompt), sampling, gamma,
        min(len(prompt) + length, target.context), seed, tuple(stop_tokens), tuple(rounds),
    )  # fmt: skip


def rows_again(written: Written) -> Iterator[np.ndarray]:
    """Of each round the logits (drafted + 1, vocabulary) that the run's own calls give again."""
    model = written.decoder.target(written.target)
    session = model.start(written.prompt[:-1])
    for text, r in written.texts():
        logits = catch_up(session, [*text, *r.drafted], len(text) - 1, r.parents)
        yield as_numpy(logits[-len(r.drafted) - 1 :])
        committed = [*text, *r.emitted]
        catch_up(session, committed[: r.cache_after], r.cache_after)


def rows_alone(written: Written) -> Iterator[np.ndarray]:
    """The same rows from passes over a single token, as decoding without a draft makes them.

    The target itself is asked, in a session that sees no other call: no pass over several
    tokens, no rollback.  So there is a row for each token of the text, of a round
    (emitted, vocabulary); every third round is scored to its end, (drafted + 1,
    vocabulary), in a second session that is rolled back.
    """
    session, branch = (written.target.start(written.prompt[:-1]) for _ in range(2))
    for text, r in written.texts():
        if r.parents is not None:
            yield _at_each_node(written.target, text, r)
            continue
        kept = [*text, *r.emitted[:-1]]
        rows = [as_numpy(session.extend([token])) for token in kept[session.length :]]
        if r.index % 3 == 0 and len(rows) <= len(r.drafted):
            catch_up(branch, kept, branch.length)
            rows += [as_numpy(branch.extend([token])) for token in r.drafted[len(rows) - 1 :]]
            branch.rollback(len(kept))
        yield np.concatenate(rows)


def _at_each_node(target: LanguageModel, text: list[int], r: Round) -> np.ndarray:
    """After the text and after each candidate of a tree."""
    before = [text]
    for token, parent in zip(r.drafted, r.parents, strict=True):
        before.append([*before[parent + 1], token])
    return np.concatenate([as_numpy(target.start(seen[:-1]).extend(seen[-1:])) for seen in before])
