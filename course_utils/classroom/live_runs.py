"""The runs of one click on Start, one after the other: they do not take each other's cores."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course_utils.classroom.live_view import LiveView, Setting, Side, follow, outcome
from course_utils.classroom.tokens import Decode
from course_utils.classroom.words import in_words, message_of
from course_utils.decoding.contracts import Drafter, LanguageModel
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import Sampling

MakeDrafter = Callable[[Sampling], Drafter | None]
Sides = tuple[Side, ...]


@dataclass(frozen=True)
class Runs:
    """What every run of a live decoder is made of."""

    target: LanguageModel
    drafters: Mapping[str, MakeDrafter]
    encode: Callable[[str], Sequence[int]]
    decode: Decode
    stop_tokens: tuple[int, ...] = ()
    sampling: Sampling = Sampling()  # its filters; the temperature is the setting's

    def sides(self, waiting: Sides, before: Sides) -> Iterator[Sides]:
        """All runs after each round of each; one that fails at once leaves the one before.

        Raises:
            What `encode` raises: then none of them has begun.
        """
        tokens = self.encode(waiting[0].view.prompt)
        shown = list(waiting)
        for i, side in enumerate(waiting):
            views = self._views(side, tokens)
            while True:
                try:
                    view = next(views, None)
                except BaseException as error:  # whatever a model or a drafter raises is told
                    shown[i] = failed(shown[i], _at(before, i), error)
                    break
                if view is None:
                    shown[i] = replace(shown[i], ending=outcome(shown[i].view.metrics))
                    break
                shown[i] = replace(shown[i], view=view)
                yield tuple(shown)  # outside `try`: whoever stops closes this generator here
            yield tuple(shown)

    def _views(self, side: Side, tokens: Sequence[int]) -> Iterator[LiveView]:
        setting = side.setting
        sampling = replace(self.sampling, temperature=setting.temperature)
        rounds = generate(
            self.target, tokens, self.drafters[setting.drafter](sampling), sampling=sampling,
            gamma=setting.gamma, max_new_tokens=setting.max_new_tokens, seed=setting.seed,
            stop_tokens=self.stop_tokens,
        )  # fmt: skip
        yield from follow(rounds, self.decode, side.view.prompt)


def failed(side: Side, before: Side, error: BaseException) -> Side:
    """A run that an error ended; after no round, the run before it with the reason."""
    if side.view.metrics is None:
        return replace(before, failure=not_started(error))
    return replace(side, ending=f"An error ended the run: {why(error)}")


def stopped(sides: Sides, before: Sides) -> Sides:
    """Runs that were stopped; those that had not begun leave what was there."""
    ended = [
        side
        if side.ending or side.failure
        else replace(side, ending=outcome(side.view.metrics))
        if side.view.metrics
        else _at(before, i)
        for i, side in enumerate(sides)
    ]
    return tuple(ended)


def settings_of(clicked: Mapping[str, Any]) -> list[Setting]:
    """The runs that a click on Start asks for.

    Raises:
        ValueError, KeyError, TypeError: it does not say what it should.
    """
    names = [str(name) for name in clicked["drafters"] if name is not None]
    if not 1 <= len(names) <= 2:
        raise ValueError(f"{len(names)} runs were asked for; one or two can be seen")
    return [
        Setting(
            drafter=name,
            gamma=int(clicked["gamma"]),
            temperature=float(clicked["temperature"]),
            max_new_tokens=int(clicked["max_new_tokens"]),
            seed=int(clicked["seed"]),
        )
        for name in names
    ]


def not_started(error: BaseException) -> str:
    """The sentence for a run that failed before its first round."""
    return f"The new run did not start: {why(error)}"


def why(error: BaseException) -> str:
    """What went wrong: a ValueError of this package is a sentence, others need their name."""
    return (isinstance(error, ValueError) and message_of(error)) or in_words(error)


def _at(sides: Sides, i: int) -> Side:
    """The side as it is, without an older failure; an empty one where there is none."""
    return replace(sides[i], failure="") if i < len(sides) else Side(0, None, LiveView(""))
