"""Exams of any vocabulary, gamma and length, restricted until every path can be walked.

At each place of a text only the likeliest tokens are possible: one nearly everywhere, a few
or all of them at the places an exam is about.  Where one token is possible for target and
draft alike nothing is decided and no path branches, so a text may be long, gamma large, and
the vocabulary a real model's.

A model is asked once for the row of each text, so a text has one row, to the last bit,
whichever passes a decoder makes: what is left of rounding is float64's.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Session
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling
from course_utils.models.toys.tables import SequenceSession
from course_utils.proofs.decoders import Exam
from course_utils.proofs.exact_walk import in_words

MAX_NEW_TOKENS = 32  # to read, beyond which a session is started anew: that needs no rows
QWENS_OWN = Sampling(0.6, top_k=20, top_p=0.95)  # what Qwen3's generation config asks for
PLAIN, COOLER = Sampling(), Sampling(0.7)
SETTINGS = (  # of servers
    COOLER, Sampling(0.05), Sampling(0.85), Sampling(1.5), Sampling(2.0),
    Sampling(top_k=5), Sampling(top_k=20), Sampling(top_k=50),
    Sampling(top_p=0.5), Sampling(top_p=0.9), Sampling(top_p=0.95),
    Sampling(min_p=0.05), Sampling(0.8, min_p=0.1), QWENS_OWN,
)  # fmt: skip
WIDE = 64  # tokens: more than the filters that servers apply unasked let pass
EVERY = 2048  # tokens at a place, at most


class Reader:
    """A model that is asked for one row after another; its session goes on where texts agree."""

    def __init__(self, model: LanguageModel):
        self.model, self._text = model, tuple[int, ...]()
        self._session: Session | None = None

    def row(self, text: Sequence[int]) -> np.ndarray:
        """Logits (vocabulary,) of what follows the text, float64."""
        length = min(common_prefix(self._text, text), len(text) - 1)
        if self._session is None or len(text) - length > MAX_NEW_TOKENS:
            self._session, length = self.model.start(list(text[:-1])), len(text) - 1
        elif length < len(self._text):
            self._session.rollback(length)
        self._text = tuple(text)
        return as_numpy(self._session.extend(list(text[length:])))[-1].astype(np.float64)


class RestrictedModel:
    """What a model says, of its likeliest tokens only.

    Where `widths` has the length of the text, of so many, and of those that are `always`
    possible, too; elsewhere what `leader` says, or of one.
    """

    def __init__(
        self, reader: Reader, widths: Mapping[int, int], always: Sequence[int] = (),
        leader: "RestrictedModel | None" = None,
    ):  # fmt: skip
        self.vocabulary_size = reader.model.vocabulary_size
        self.context = reader.model.context
        self._reader, self._widths, self._always, self._leader = reader, widths, always, leader
        self._support: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # tokens and p, by a text

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Distribution (vocabulary,) of the token that follows `tokens`."""
        if self._leader is not None and len(tokens) not in self._widths:
            return self._leader.distribution(tokens)
        key = hash(tuple(tokens))
        if key not in self._support:
            self._support[key] = self._likeliest(tokens)
        possible, p = self._support[key]
        row = np.zeros(self.vocabulary_size)
        row[possible] = p
        return row

    def _likeliest(self, tokens: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        logits, width = self._reader.row(tokens), self._widths.get(len(tokens), 0)
        possible = np.argsort(-logits, kind="stable")[:width] if width else [logits.argmax()]
        possible = np.union1d(possible, self._always if width else ()).astype(np.int64)
        p = np.exp(logits[possible] - logits.max())
        return possible, p / p.sum()


Models = tuple[Reader, Reader]  # of target and draft


def restricted_exam(
    models: Models, prompt: Sequence[int], length: int, at: Mapping[int, tuple[int, int]],
    sampling: Sampling = PLAIN, gamma: int = 4, always: Sequence[int] = (),
    stop_tokens: Sequence[int] = (),
) -> Exam:  # fmt: skip
    """An exam of a text of `length` tokens; `at` has the places, from 0, where something is
    decided, and how many tokens are possible there for the target and for the draft."""
    p, q = ({len(prompt) + place: wide[i] for place, wide in at.items()} for i in (0, 1))
    target = RestrictedModel(models[0], p, always)
    draft = RestrictedModel(models[1], q, always, leader=target)
    return Exam(target, draft, sampling, gamma, length, tuple(prompt), tuple(stop_tokens),
                decided=tuple(at))  # fmt: skip


def short_exams(
    models: Models, prompts: Sequence[Sequence[int]], gamma: int, width: int, stop_token: int,
    asked: Sequence[Sampling] = (),
) -> dict[str, Iterable[Exam]]:  # fmt: skip
    """Exams of a few tokens after each prompt, by what they are about.

    Args:
        width: tokens that are possible for the draft where many are.
        stop_token: is possible as a guess, a correction and a bonus; it ends the text where
            it is asked to, also if the prompt has it, and else does not.
        asked: settings that are examined beside `SETTINGS`.
    """
    first, last = prompts[0], prompts[-1]
    every = min(EVERY, models[0].model.vocabulary_size)
    of_gamma = partial(restricted_exam, models, gamma=gamma)
    rows = [of_gamma(first, 2, {0: wide}) for wide in ((WIDE, 2), (3, width))]
    return {
        **{in_words(s): [replace(each, sampling=s) for each in rows] for s in asked},
        # after a text that begins to repeat itself, and where guesses stand before the place
        "many tokens possible": [
            of_gamma([*first, *first[: len(first) // 2]], 1, {0: (every, 1)}),
            of_gamma(last, 4, {3: (WIDE, 2)}),
        ],
        "settings of servers": [replace(each, sampling=s) for each in rows for s in SETTINGS],
        "texts that end": [
            of_gamma(prompt, 5, {0: (2, 2), 2: (2, 1), 4: (2, 1)}, always=(stop_token,),
                     stop_tokens=stops)
            for prompt in (first, [*first, stop_token, *first[:3]])
            for stops in ((stop_token,), ())
        ],
        f"each place of a round, γ = {gamma}": each_place(models, prompts, gamma),
    }  # fmt: skip


def each_place(models: Models, prompts: Sequence[Sequence[int]], gamma: int) -> list[Exam]:
    """Each place of a round, and of the next one's beginning: a few tokens possible there, at
    two more, and a guess that may be certain to be wrong.  Prompts and temperatures take turns."""
    length, exams = gamma + 3, []
    for place in range(0, gamma + 2, 1 + gamma // 16):
        at = {(place + far) % length: w for far, w in ((5, (1, 1)), (2, (2, 3)), (0, (4, 2)))}
        prompt, sampling = prompts[place % len(prompts)], (PLAIN, COOLER)[place % 2]
        exams.append(restricted_exam(models, prompt, length, at, sampling, gamma))
    return exams


def each_round(
    models: Models, prompt: Sequence[int], gamma: int, rounds: int, rng: np.random.Generator
) -> Iterable[Exam]:
    """Each round of a text, at one of its places: what is done in one round of many."""
    for first in range(0, rounds * (gamma + 1), gamma + 1):
        place = first + int(rng.integers(gamma + 1))
        yield restricted_exam(models, prompt, place + 2, {place: (4, 2)}, gamma=gamma)


def late(
    models: Models, texts: Iterable[tuple[Sequence[int], int, tuple[int, int]]], gamma: int
) -> Iterable[Exam]:
    """The ends of long texts: of each its prompt, its length, and how many tokens are possible
    at its last place but one, as in `restricted_exam`."""
    for prompt, length, wide in texts:
        yield restricted_exam(models, prompt, length, {length - 2: wide}, gamma=gamma)


def after(models: Models, prompt: Sequence[int], gamma: int, width: int) -> Iterable[Exam]:
    """What follows a long prompt: many guesses possible, then many tokens."""
    guesses = restricted_exam(models, prompt, 3, {0: (3, width), 2: (1, 1)}, gamma=gamma)
    yield from (guesses, replace(guesses, sampling=QWENS_OWN))
    yield restricted_exam(models, prompt, 5, {1: (WIDE, 1), 4: (2, 3)}, gamma=gamma)
