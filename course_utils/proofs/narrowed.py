"""Exams of any vocabulary, gamma and length, narrowed until every path can be walked.

At each place of a text only the likeliest tokens are possible: one nearly everywhere, a few
or all of them at the places an exam is about.  Where one token is possible for target and
draft alike nothing is decided and no path branches, so a text may be long, gamma large, and
the vocabulary a real model's.

A model is asked once for the row of each text, so a text has one row, to the last bit,
whichever passes a decoder makes: what is left of rounding is float64's.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Session
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling
from course_utils.proofs.decoders import Exam
from course_utils.proofs.examination import BY_SHARE, COOLER, PLAIN, QWENS_OWN, affordable

FAR = 32  # tokens to read, beyond which a session is started anew: that needs no rows


class Reader:
    """A model that is asked for one row after another; its session goes on where texts agree."""

    def __init__(self, model: LanguageModel):
        self.model, self._read = model, ()
        self._session: Session | None = None

    def row(self, text: Sequence[int]) -> np.ndarray:
        """Logits (vocabulary,) of what follows the text, float64."""
        kept = min(common_prefix(self._read, text), len(text) - 1)
        if self._session is None or len(text) - kept > FAR:
            self._session, kept = self.model.start(list(text[:-1])), len(text) - 1
        elif kept < len(self._read):
            self._session.rollback(kept)
        self._read = text
        return as_numpy(self._session.extend(list(text[kept:])))[-1].astype(np.float64)


class Narrowed:
    """What a model says, of its likeliest tokens only.

    Where `widths` has the length of the text, of so many, and of those that are `always`
    possible, too; elsewhere what `leader` says, or of one.
    """

    def __init__(
        self, reader: Reader, widths: Mapping[int, int], always: Sequence[int] = (),
        leader: "Narrowed | None" = None,
    ):  # fmt: skip
        self.vocabulary_size = reader.model.vocabulary_size
        self.context = reader.model.context
        self._reader, self._widths, self._always, self._leader = reader, widths, always, leader
        self._possible: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # by a text's key
        self._started: tuple[list[int], list[int]] = [], []  # the latest prompt, and its keys

    def start(self, prompt: Sequence[int]) -> "NarrowedSession":
        return NarrowedSession(self, prompt)

    def keys(self, prompt: Sequence[int]) -> list[int]:
        """Of the prompt up to each token; those of the latest one are gone on from, for it is
        mostly the same and may be long."""
        text, (before, keys) = list(prompt), self._started
        both = min(len(before), len(text))
        known = both if before[:both] == text[:both] else 0
        self._started = text, keys[:known] + further(keys[:known], text[known:])
        return list(self._started[1])

    def row(self, tokens: Sequence[int], length: int, key: int) -> np.ndarray:
        """Logits (vocabulary,) of what follows so many of the tokens, float64; `key` stands for
        them."""
        if self._leader is not None and length not in self._widths:
            return self._leader.row(tokens, length, key)
        if key not in self._possible:
            self._possible[key] = self._likeliest(tokens[:length])
        tokens, logits = self._possible[key]
        row = np.full(self.vocabulary_size, -np.inf)
        row[tokens] = logits
        return row

    def _likeliest(self, text: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        row, width = self._reader.row(text), self._widths.get(len(text))
        likeliest = np.argsort(-row, kind="stable")[:width] if width else [row.argmax()]
        tokens = np.union1d(likeliest, self._always if width else ()).astype(np.int64)
        return tokens, row[tokens]


class NarrowedSession:
    """A session of such a model."""

    def __init__(self, model: Narrowed, prompt: Sequence[int]):
        self._model, self._tokens, self._keys = model, list(prompt), model.keys(prompt)

    @property
    def length(self) -> int:
        return len(self._tokens)

    def extend(self, tokens: Sequence[int]) -> np.ndarray:
        self._keys += further(self._keys, tokens)
        self._tokens += tokens
        ends = range(self.length + 1 - len(tokens), self.length + 1)
        return np.stack([self._model.row(self._tokens, end, self._keys[end - 1]) for end in ends])

    def rollback(self, length: int) -> None:
        del self._tokens[length:], self._keys[length:]


def further(keys: Sequence[int], tokens: Sequence[int]) -> list[int]:
    """The keys of tokens that come behind those of `keys`: each of the one before and the token."""
    key, found = keys[-1] if keys else 0, []
    for token in tokens:
        key = hash((key, token))
        found.append(key)
    return found


Models = tuple[Reader, Reader]  # of target and draft
SETTINGS = (
    COOLER, Sampling(0.05), Sampling(2.0), Sampling(top_k=20), Sampling(top_p=0.9), BY_SHARE,
    QWENS_OWN,
)  # fmt: skip
PAGES = (64, 128, 256, 512, 1024)  # tokens after which a cache may begin a new block
EVERY = 4096  # tokens at a place, at most
WIDE = 64  # more than the filters that servers apply unasked let pass


def narrowed(
    models: Models, prompt: Sequence[int], length: int, at: Mapping[int, tuple[int, int]],
    sampling: Sampling = PLAIN, gamma: int = 4, always: Sequence[int] = (),
    stop_tokens: Sequence[int] = (),
) -> Exam:  # fmt: skip
    """An exam of a text of `length` tokens; `at` has the places, from 0, where something is
    decided, and how many tokens are possible there for the target and for the draft."""
    before = len(prompt)
    p, q = ({before + place: wide[i] for place, wide in at.items()} for i in (0, 1))
    target = Narrowed(models[0], p, always)
    draft = Narrowed(models[1], q, always, leader=target)
    return Exam(target, draft, sampling, gamma, length, tuple(prompt), tuple(stop_tokens),
                decided=tuple(at))  # fmt: skip


def wide_rows(models: Models, prompts: Sequence[Sequence[int]], gamma: int) -> Iterator[Exam]:
    """Every token possible: first after a text that begins to repeat itself, then after some
    guesses, where what the text has itself is no longer the prompt's."""
    size = models[0].model.vocabulary_size
    every = min(size, int(EVERY * affordable(size)))
    prompt = prompts[0]
    yield narrowed(models, [*prompt, *prompt[: len(prompt) // 2]], 1, {0: (every, 1)}, gamma=gamma)
    yield narrowed(models, prompts[-1], 4, {3: (every, 1)}, gamma=gamma)


def settings(
    models: Models, prompts: Sequence[Sequence[int]], gamma: int, samplings: Sequence[Sampling]
) -> Iterator[Exam]:
    """Temperatures and filters, with many tokens possible for the target or for the draft."""
    for wide in (WIDE, 2), (3, WIDE):
        exam = narrowed(models, prompts[0], 2, {0: wide}, gamma=gamma)
        yield from (replace(exam, sampling=sampling) for sampling in samplings)
    every = dict.fromkeys(range(3), (EVERY, EVERY))
    yield narrowed(models, prompts[-1], 3, every, Sampling(top_k=2), gamma=2)


def places(
    models: Models, prompts: Sequence[Sequence[int]], gamma: int, samplings: Sequence[Sampling]
) -> Iterator[Exam]:
    """Each place of a round, and of the next one's beginning: a few tokens possible there, at
    two more, and a guess that may be certain to be wrong.  The settings take turns."""
    length = gamma + 3
    for place in range(0, gamma + 2, 1 + gamma // 16):
        at = {(place + far) % length: w for far, w in ((5, (1, 1)), (2, (2, 3)), (0, (4, 2)))}
        prompt, sampling = prompts[place % len(prompts)], samplings[place % len(samplings)]
        yield narrowed(models, prompt, length, at, sampling, gamma)


def endings(
    models: Models, prompts: Sequence[Sequence[int]], gamma: int, stop_token: int
) -> Iterator[Exam]:
    """The stop token is possible as a guess, a correction and a bonus; it ends the text where
    it is asked to, also if the prompt has it, and else does not."""
    at = {0: (2, 2), 2: (2, 1), 4: (2, 1)}
    for prompt in prompts[0], [*prompts[0], stop_token, *prompts[0][:3]]:
        for stops in (stop_token,), ():
            yield narrowed(models, prompt, 5, at, gamma=gamma, always=(stop_token,),
                           stop_tokens=stops)  # fmt: skip


def round_by_round(models: Models, prompt: Sequence[int], gamma: int, seed: int) -> Iterator[Exam]:
    """Each round of a text once, at one of its places: what is done in one round of 56 is done
    there."""
    rng = np.random.default_rng(seed)
    for first in range(0, 56 * (gamma + 1), gamma + 1):
        place = first + int(rng.integers(gamma + 1))
        yield narrowed(models, prompt, place + 2, {place: (4, 2)}, gamma=gamma)


def pages(models: Models, context: Sequence[int], gamma: int, seed: int) -> Iterator[Exam]:
    """The round in which a text reaches a page of `PAGES` tokens: the first or the second."""
    rng = np.random.default_rng(seed)
    for page in PAGES:
        missing = int(rng.integers(1, 2 * gamma + 3))
        place = (missing - 1) // (gamma + 1) * (gamma + 1) + int(rng.integers(gamma))
        prompt = context[: page - missing]
        yield narrowed(models, prompt, place + 2, {place: (4, 2)}, gamma=gamma)


def late(
    models: Models, texts: Iterable[tuple[Sequence[int], int, tuple[int, int]]], gamma: int
) -> Iterator[Exam]:
    """The ends of long texts: of each its prompt, its length, and how many tokens are possible
    at its last place but one, as in `narrowed`."""
    for prompt, length, wide in texts:
        yield narrowed(models, prompt, length, {length - 2: wide}, gamma=gamma)


def after(models: Models, prompt: Sequence[int], gamma: int) -> Iterator[Exam]:
    """What follows a long prompt."""
    exam = narrowed(models, prompt, 5, {0: (2, 3), 1: (1, 1), 4: (WIDE, 1)}, gamma=gamma)
    yield from (exam, replace(exam, sampling=QWENS_OWN))
