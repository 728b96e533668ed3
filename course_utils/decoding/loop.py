"""The one decoding loop of the course.

Draft, verify all guesses in one forward pass of the target, let the rule
decide, commit, roll back.  Autoregressive decoding is the same loop without a
drafter.  Nothing here knows which model, drafter or rule is plugged in.
"""

import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

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
    SlotSession,
)
from course_utils.decoding.noise import Noise
from course_utils.decoding.proposal import CommittedText, check_model, notify, proposal
from course_utils.decoding.rows import checked_rows, namespace
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import NothingAllowed, Sampling, probabilities_where_open
from course_utils.decoding.sessions import forward, rollback_rejected
from course_utils.decoding.whole_numbers import whole_number


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
            gamma or max_new_tokens below 1, a draft that `proposal` refuses, a verdict that
            `Rule.judge` refuses, logits that are not finite or allow no token, or a model whose
            session breaks its contract (see `models.contract`).
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
        self.tokens = _checked_prompt(target, prompt)
        for name, number in (("gamma", gamma), ("max_new_tokens", max_new_tokens)):
            whole_number(name, number, 1)
        self.committed = CommittedText(self.tokens, sampling)
        self.end = min(len(self.tokens) + max_new_tokens, target.context)
        self.last: Round | None = None  # with all its rows
        self._target, self._gamma, self._sampling, self._rule = target, gamma, sampling, rule
        self._stop_tokens = frozenset(_token_ids("stop_tokens is", stop_tokens))
        self._noise, self._rows = noise, rows

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
        length, count = len(self.tokens), len(draft.tokens) + 1
        checked_rows(logits, count, session, self._target.vocabulary_size)
        p, closed = probabilities_where_open(logits, self._sampling)
        q = None if draft.q is None else _in_library_of(p, draft.q)
        uniforms = self._noise.round(self.index).uniforms("verify", count)
        verdict = self._rule.judge(p, q, draft.tokens, uniforms, draft.parents)
        tokens = [*(draft.tokens[place] for place in verdict.places), verdict.token]
        ends = [i for i, token in enumerate(tokens, start=1) if token in self._stop_tokens]
        emitted = tuple(tokens[: ends[0]] if ends else tokens)  # nothing behind a stop token
        if {0, *(place + 1 for place in verdict.places[: len(emitted) - 1])} & {*closed}:
            raise NothingAllowed
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
            length - 1, session.length, seconds, reason, draft.parents,
        )  # fmt: skip
        return self.last if self._rows else self.last.compact()


def _in_library_of(p: Rows, q: Rows) -> Rows:
    """Return q in p's array library: a counted draft (NumPy) may serve a target in torch."""
    if is_numpy_array(p) and is_torch_array(q):  # NumPy has no bfloat16 and reads no GPU
        q = q.cpu() if q.dtype.itemsize > 2 else q.cpu().float()
    return namespace(p).asarray(q, device=array_api_compat.device(p))


def _token_ids(described: str, tokens: Sequence[int]) -> list[int]:
    try:
        return [operator.index(token) for token in tokens]
    except TypeError:
        raise ValueError(f"{described} {tokens!r:.60}: pass a list of token ids") from None


def _checked_prompt(target: LanguageModel, prompt: Sequence[int]) -> list[int]:
    tokens = _token_ids("the prompt is", prompt)
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
    return tokens
