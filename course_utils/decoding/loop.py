"""The one decoding loop of the course.

Draft, verify all guesses in one forward pass of the target, let the rule
decide, commit, roll back.  Autoregressive decoding is the same loop without a
drafter.  Nothing here knows which model, drafter or rule is plugged in.
"""

import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import cast

import array_api_compat
from array_api_compat import is_numpy_array, is_torch_array

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import (
    NO_DRAFT,
    Draft,
    Drafter,
    LanguageModel,
    NoiseSource,
    Round,
    Rows,
    Rule,
    Seconds,
    Session,
    SlotSession,
    TreeSession,
    Verdict,
)
from course_utils.decoding.noise import Noise
from course_utils.decoding.proposal import CommittedText, check_model, notify, proposal
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import Sampling, probabilities


def generate(
    target: LanguageModel, prompt: Sequence[int], drafter: Drafter | None = None, *,
    gamma: int = 4, sampling: Sampling = Sampling(), rule: Rule = TOKEN_WISE,
    max_new_tokens: int = 128, stop_tokens: Sequence[int] = (),
    seed: int = 0, noise: Callable[[int], NoiseSource] = Noise, rows: bool = False,
) -> Iterator[Round]:  # fmt: skip
    """Yield a `Round` after each verification; the last one has a `stop_reason`.

    Emits at most `max_new_tokens` tokens and ends after the first of `stop_tokens`, which
    is emitted.  The number of drafted tokens depends on the room left, never on a guess, so
    the text has the target's distribution up to its last token.  All randomness is `noise(seed)`.

    Args:
        sampling: the target's settings; a drafter without its own settings uses them too.
        rows: yield whole rows of p and q, 5.5 MB per round at Qwen3's vocabulary and gamma 4,
            and not only p and q at the drafted and emitted tokens.

    Raises:
        ValueError: not a model or not a drafter, an empty or too long prompt, an unknown token,
            gamma or max_new_tokens below 1, a draft that `proposal` refuses, or non-finite p.
    """
    check_model(target, "target")
    text = Run(
        target, prompt, gamma=gamma, sampling=sampling, rule=rule,
        max_new_tokens=max_new_tokens, stop_tokens=stop_tokens, noise=noise(seed), rows=rows,
    )  # fmt: skip
    session = target.start(text.tokens[:-1])  # the last token is read later: its row is needed
    while not text.ended:
        clock = [now()]
        draft = text.draft(drafter)
        clock.append(now())
        logits = forward(session, [text.tokens[-1], *draft.tokens], draft.parents)
        clock.append(now())
        yield text.commit(session, draft, logits, clock)


class Run:
    """One text being decoded: the steps before and after the target's pass.

    Arguments and errors are those of `generate`; `noise` is the source for this text.
    """

    def __init__(
        self, target: LanguageModel, prompt: Sequence[int], *, gamma: int, sampling: Sampling,
        rule: Rule, max_new_tokens: int, stop_tokens: Sequence[int], noise: NoiseSource,
        rows: bool,
    ):  # fmt: skip
        self.tokens = _checked_prompt(target, prompt, gamma, max_new_tokens)
        self.committed = CommittedText(self.tokens, sampling)
        self.end = min(len(self.tokens) + max_new_tokens, target.context)
        self.last: Round | None = None  # with all its rows
        self._target, self._gamma, self._sampling, self._rule = target, gamma, sampling, rule
        self._stop_tokens, self._noise, self._rows = stop_tokens, noise, rows

    @property
    def ended(self) -> bool:
        return self.last is not None and self.last.stop_reason is not None

    @property
    def index(self) -> int:
        """The number of the next round."""
        return 0 if self.last is None else self.last.index + 1

    @property
    def limit(self) -> int:
        """The number of guesses that fit: the target adds one token."""
        return min(self._gamma, self.end - len(self.tokens) - 1)

    def draft(self, drafter: Drafter | None) -> Draft:
        """Return the draft of the next round."""
        if not drafter or not self.limit:
            return NO_DRAFT
        notify(drafter, self.last)
        noise = self._noise.round(self.index)
        return proposal(drafter, self.committed, self.limit, noise, self._target)

    def draft_uniforms(self) -> Sequence[float]:
        """Return the uniforms for the next round's guesses, for drafting outside this class."""
        return self._noise.round(self.index).uniforms("draft", self.limit)

    def commit(
        self, session: SlotSession, draft: Draft, logits: Rows, clock: Sequence[float]
    ) -> Round:
        """Judge the draft, commit, and roll `session` back to the accepted tokens.

        Args:
            logits: after the last committed token and after each guess; `session` has
                processed all of these tokens.
            clock: the start of drafting, the start of verification, and its end.
        """
        length, cached = len(self.tokens), session.length - len(draft.tokens) - 1
        p = probabilities(logits, self._sampling)
        q = None if draft.q is None else _in_library_of(p, draft.q)
        uniforms = self._noise.round(self.index).uniforms("verify", len(draft.tokens) + 1)
        verdict = self._rule.judge(p, q, draft.tokens, uniforms, draft.parents)
        tokens = [*(draft.tokens[place] for place in verdict.places), verdict.token]
        ends = [i for i, token in enumerate(tokens, start=1) if token in self._stop_tokens]
        emitted = tuple(tokens[: ends[0]] if ends else tokens)  # nothing behind a stop token
        self.tokens.extend(emitted)
        rollback_rejected(session, length, draft, verdict, len(emitted) - 1)
        reason = None
        if ends:
            reason = "stop_token"
        elif len(self.tokens) >= self.end:
            reason = "context" if self.end == self._target.context else "length"
        times = [*clock, now()]
        seconds = Seconds(*(late - early for early, late in pairwise(times)))
        self.last = Round(
            self.index, length, draft.tokens, p, q, uniforms, verdict, emitted,
            cached, session.length, seconds, reason, draft.parents,
        )  # fmt: skip
        return self.last if self._rows else self.last.compact()


def forward(session: Session, tokens: Sequence[int], parents: Sequence[int] | None) -> Rows:
    """Return the logits of `tokens`, the last of which may be a tree."""
    return session.extend(tokens) if parents is None else in_trees(session).extend(tokens, parents)


def in_trees(session: SlotSession) -> TreeSession:
    """Return `session`; raise a ValueError if it cannot hold trees."""
    if not hasattr(session, "keep"):
        raise ValueError(
            f"a {type(session).__name__} cannot hold trees of guesses: use a model of the course "
            "(Qwen3, tables), or a drafter of chains (Sampled)"
        )
    return cast(TreeSession, session)


def rollback_rejected(
    session: SlotSession, length: int, draft: Draft, verdict: Verdict, committed: int
) -> None:
    """Reduce `session` to `length` tokens and the first `committed` accepted guesses; before, it
    holds `length` tokens and the whole draft."""
    path = verdict.places[:committed]
    if draft.parents is not None and any(at != place for at, place in enumerate(path)):
        in_trees(session).keep(length, path)
    elif session.length > length + len(path):  # the path is already the first nodes
        session.rollback(length + len(path))


def catch_up(session: Session, tokens: Sequence[int], agreed: int) -> Rows:
    """Make `session` hold exactly `tokens`; it may already have the first `agreed` of them.

    Rolls back the rest, reads the missing tokens and returns their logits (None if none was
    missing).
    """
    if session.length > agreed:
        session.rollback(agreed)
    missing = tokens[session.length :]
    return session.extend(missing) if missing else None


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """Return the length of the common prefix: [1, 2, 3], [1, 2, 9, 9] -> 2"""
    return next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


def _in_library_of(p: Rows, q: Rows) -> Rows:
    """Return q in p's array library: a counted draft (NumPy) may serve a target in torch."""
    if is_numpy_array(p) and is_torch_array(q):  # NumPy has no bfloat16 and reads no GPU
        q = q.cpu() if q.dtype.itemsize > 2 else q.cpu().float()
    return namespace(p).asarray(q, device=array_api_compat.device(p))


def _checked_prompt(
    target: LanguageModel, prompt: Sequence[int], gamma: int, max_new_tokens: int
) -> list[int]:
    try:
        tokens = [operator.index(token) for token in prompt]
    except TypeError:
        raise ValueError(f"the prompt is {prompt!r:.60}: pass token ids, not text") from None
    if not tokens:
        raise ValueError("the prompt is empty: pass at least one token")
    for token in tokens:
        if not 0 <= token < target.vocabulary_size:
            raise ValueError(
                f"the prompt has token {token}, but the target's tokens are 0 to "
                f"{target.vocabulary_size - 1}: was it encoded with another tokenizer?"
            )
    if len(tokens) >= target.context:
        raise ValueError(
            f"the prompt has {len(tokens)} tokens, but the context is {target.context}, including "
            "at least one new token: shorten the prompt, or load the model with a longer context"
        )
    for name, value in (("gamma", gamma), ("max_new_tokens", max_new_tokens)):
        if not hasattr(value, "__index__") or value < 1:
            raise ValueError(f"{name} is {value!r}; give a whole number, at least 1")
    return tokens
