"""Do the rounds of a trace follow one another, from the first to the last?"""

from collections.abc import Iterator, Sequence

from course_utils.decoding.contracts import Round
from course_utils.proofs.recorded import Recorded
from course_utils.proofs.trace import Setting


def beside_one_another(
    entries: Sequence[Recorded | None], usual: Setting
) -> Iterator[tuple[int, str]]:
    """(place, what is wrong there) of each round beside those around it; None is no round."""
    before = None
    for place, entry in enumerate(entries):
        if entry:
            for reason in _in_its_place(place, entry, before, usual):
                yield place, reason
        before = entry.round if entry else None


def at_the_end(line: str, last: Recorded | None, usual: Setting) -> Iterator[str]:
    """Is this where the run ended?  `line` is the last, and says `last`."""
    if last and not _stop_reason(last.round, usual):
        yield "the file ends here, the run did not: no stop_reason; was the file cut?"
    elif last and not line.endswith("\n"):
        yield "the line has no end; was the file cut?"


def _in_its_place(
    place: int, entry: Recorded, before: Round | None, usual: Setting
) -> Iterator[str]:
    """What is wrong with a round beside those around it; `before` may be unreadable."""
    r = entry.round
    if entry.setting != usual:
        yield f"the setting differs from the other rounds': {_difference(entry.setting, usual)}"
    if place == 0:
        expected = (0, usual.prompt_tokens, usual.prompt_tokens - 1)
    elif before:
        expected = (before.index + 1, before.context + len(before.emitted), before.cache_after)
        if _stop_reason(before, usual):
            yield "the run had ended in the round before"
    else:
        expected = (r.index, r.context, r.cache_before)
    found = (r.index, r.context, r.cache_before)
    for name, is_, was in zip(("round", "context", "cache_before"), found, expected, strict=True):
        if is_ != was:
            yield f"{name} is {is_}; {'the first' if place == 0 else 'after the last it'} is {was}"
    room = max(0, min(usual.gamma, usual.end - r.context - 1))
    if len(r.drafted) > room:
        yield f"{len(r.drafted)} tokens were drafted where {room} fit"
    reason = _stop_reason(r, usual)
    if r.stop_reason != reason:
        yield f"stop_reason is {r.stop_reason!r}; after these tokens it must be {reason!r}"


def _difference(setting: Setting, usual: Setting) -> str:
    pairs = ((name, value, vars(usual)[name]) for name, value in vars(setting).items())
    return ", ".join(f"{name} is {a!r}, not {b!r}" for name, a, b in pairs if a != b)


def _stop_reason(r: Round, setting: Setting) -> str | None:
    if r.emitted and r.emitted[-1] in setting.stop_tokens:
        return "stop_token"
    if r.context + len(r.emitted) < setting.end:
        return None
    return "context" if setting.end == setting.target_context else "length"
