"""Guesses drawn one after the other from the rows of one session."""

from collections.abc import Callable, Generator, Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, Rows, Session, Uniforms
from course_utils.decoding.rows import namespace
from course_utils.decoding.sampling import Sampling, probabilities, sample

# (rows of q so far, guesses drawn so far) -> draw no more.  Asked before each pass of the
# draft model, and again before the draw, when there is one row more than there are guesses.
Stop = Callable[[Sequence[Rows], Sequence[int]], bool]


def never(rows: Sequence[Rows], guesses: Sequence[int]) -> bool:
    """Draft as many as fit."""
    return False


def at_most(guesses: int) -> Stop:
    """Draft no more than so many."""
    return lambda rows, drawn: len(drawn) >= guesses


def drawing(
    missing: Sequence[int], uniforms: Uniforms, sampling: Sampling, stop: Stop = never
) -> Generator[Sequence[int], Rows, Draft]:
    """A guess for each uniform, each from the row after the one before, unless `stop` ends it.

    Yields the tokens that the draft model is to read next, is sent their logits, and returns
    the draft: who runs it decides which session reads, and which other texts beside it.

    Args:
        missing: the last tokens of the text, those that were not read yet.
    """
    rows, guesses = [], []
    for uniform in uniforms:
        if stop(rows, guesses):
            break
        logits = yield missing
        rows.append(probabilities(logits[-1:], sampling)[0])
        if stop(rows, guesses):
            break
        guesses.append(sample(rows[-1], uniform))
        missing = guesses[-1:]
    if not guesses:
        return NO_DRAFT
    return Draft(tuple(guesses), namespace(rows[0]).stack(rows[: len(guesses)]))


def drawn(
    session: Session,
    missing: Sequence[int],
    uniforms: Uniforms,
    sampling: Sampling,
    stop: Stop = never,
) -> Draft:
    """What `drawing` draws when `session` reads.

    Args:
        session: has processed the text but for `missing`, its last tokens; afterwards it
            has processed at most all of it and all guesses but the last.
    """
    steps = drawing(missing, uniforms, sampling, stop)
    try:
        feed = next(steps)
        while True:
            feed = steps.send(session.extend(feed))
    except StopIteration as end:
        return end.value
