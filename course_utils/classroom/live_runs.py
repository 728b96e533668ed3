"""The runs of one click on Start, in turns: they do not take each other's cores.

The next round is of the run that has used less time so far, as its own rounds add up.  So both are
seen at the same age, as if each had the machine to itself.

What there is to see is computed after each round, for JSON.  Rounds are added up and let go: with
a large vocabulary the rows of one take megabytes.  `live` shows this while it decodes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from course_utils.classroom.words import in_words, message_of
from course_utils.decoding.contracts import Drafter, LanguageModel, Round
from course_utils.decoding.detokenizer import Decode, stream_text
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import Metrics, summarise
from course_utils.decoding.sampling import Sampling

ENDS = {
    "length": "the length asked for is reached",
    "stop_token": "the target ended the text",
    "context": "the target's context is full",
}

IN_TURNS = "in turns, each by its own clock"


@dataclass(frozen=True)
class LiveView:
    """A run so far."""

    prompt: str
    said: tuple[tuple[str, str], ...] = ()  # (text, kind), as it becomes readable
    metrics: Metrics | None = None  # None before the first round


@dataclass(frozen=True)
class Setting:
    """What a run is to be."""

    drafter: str
    gamma: int
    temperature: float
    max_new_tokens: int
    seed: int


@dataclass(frozen=True)
class Side:
    """One of the runs that are seen: how far it is and how it ended."""

    run: int  # counts the clicks on Start; 0: none yet
    setting: Setting | None
    view: LiveView
    ending: str = ""  # a sentence; "" while it runs or waits
    failure: str = ""  # why a newer run is not seen here

    def json(self) -> dict[str, Any]:
        """What the scene draws; "numbers" is None before the first round."""
        setting = asdict(self.setting) if self.setting else {"drafter": ""}
        numbers = numbers_of(self.view.metrics)
        return {
            "run": self.run,
            **setting,
            "prompt": self.view.prompt,
            "said": self.view.said,
            "numbers": numbers,
            "ending": self.ending,
            "failure": self.failure,
        }


def follow(
    rounds: Iterable[Round], decode: Decode, prompt: str = "", before: Sequence[int] = ()
) -> Iterator[LiveView]:
    """What there is to see after each round; `before` are the tokens of `prompt`."""
    said: list[tuple[str, str]] = []
    metrics = None
    for r, texts in stream_text(rounds, decode, before=before):
        this = summarise([r])
        metrics = added(metrics, this) if metrics else this
        said += [(text, kind) for text, kind in zip(texts, r.kinds, strict=True) if text]
        yield LiveView(prompt, tuple(said), metrics)


def added(a: Metrics, b: Metrics) -> Metrics:
    """The metrics of two stretches of a run, b after a, as those of one."""
    counts = ("tokens", "rounds", "drafted", "accepted", "examined", "corrections", "bonuses")
    times = ("draft_seconds", "verify_seconds", "host_seconds")
    sums = {name: getattr(a, name) + getattr(b, name) for name in (*counts, *times)}
    judged = [m for m in (a, b) if m.examined]
    overlap = None
    if judged and all(m.overlap is not None for m in judged):
        overlap = sum(m.overlap * m.examined for m in judged) / sums["examined"]
    return replace(b, **sums, overlap=overlap)


def numbers_of(m: Metrics | None) -> dict[str, float] | None:
    """What stands over a run and in the log; rates are divided where they are shown."""
    if m is None:
        return None
    return {
        "tokens": m.tokens, "calls": m.target_forwards, "accepted": m.accepted,
        "examined": m.examined, "seconds": m.seconds,
    }  # fmt: skip


def message(m: Metrics | None) -> str:
    """A run in a sentence."""
    if m is None:
        return "Nothing decoded yet."
    calls = f"{m.target_forwards} target call{'s' * (m.target_forwards != 1)}"
    tokens = f"{m.tokens} token{'s' * (m.tokens != 1)}"
    return f"{tokens} from {calls}: {m.tokens_per_round:.2f} tokens per call."


def outcome(m: Metrics) -> str:
    """Why a run came to its end, if it did."""
    return f"Ended: {ENDS[m.stop_reason]}." if m.stop_reason else "Stopped before its end."


def compared(sides: Sequence[Side]) -> str:
    """What two runs from one click have shown; "" if there are not two whole ones."""
    whole = [side for side in sides if side.view.metrics and side.view.metrics.stop_reason]
    if len(whole) != 2 or whole[0].run != whole[1].run:
        return ""
    texts = ["".join(text for text, _ in side.view.said) for side in whole]
    heat = whole[0].setting.temperature
    if texts[0] == texts[1]:
        told = "Both texts are the same."
    elif heat > 0:
        told = f"Two texts from one distribution: at temperature {heat:g} they may differ."
    else:
        told = "The texts differ at temperature 0: look for a numerical tie."
    slow, fast = sorted(whole, key=lambda side: _speed(side.view.metrics))
    if _speed(slow.view.metrics) == 0:
        return told
    times = _speed(fast.view.metrics) / _speed(slow.view.metrics)
    who = f"{fast.setting.drafter}: {times:.2f} times the tokens per second of"
    return f"{told} {who} {slow.setting.drafter}, {IN_TURNS}."


def doing(sides: Sequence[Side]) -> str:
    """What goes on while runs are under way."""
    running = [side for side in sides if not (side.ending or side.failure)]
    if not all(side.view.metrics for side in running):
        return "Reading the prompt …"
    if len(running) < 2:
        return "Decoding …"
    return f"Decoding {IN_TURNS}: {min(map(_seconds, running)):.1f} s each …"


def ended(sides: Sequence[Side]) -> str:
    """What has come of the runs, when nothing is under way."""
    failures = dict.fromkeys(side.failure for side in sides if side.failure)
    seen = [side for side in sides if side.view.metrics]
    if not seen:
        told = ["Nothing decoded yet. Press Start."]
    elif len(seen) == 1:
        told = [f"{message(seen[0].view.metrics)} {seen[0].ending}"]
    else:
        told = [compared(seen) or " ".join(f"{s.setting.drafter}: {s.ending}" for s in seen)]
    return " ".join([*told, *failures])


def _speed(m: Metrics) -> float:
    return m.tokens / m.seconds if m.seconds else 0.0


def _seconds(side: Side) -> float:
    return side.view.metrics.seconds if side.view.metrics else 0.0


MakeDrafter = Callable[[], Drafter | None]
Sides = tuple[Side, ...]


@dataclass(frozen=True)
class Runs:
    """What every run of a live decoder is made of."""

    target: LanguageModel
    drafters: Mapping[str, MakeDrafter]
    encode: Callable[[str], Sequence[int]]
    decode: Decode
    stop_tokens: tuple[int, ...] = ()
    # its filters; the temperature is the setting's
    sampling: Sampling = field(default_factory=Sampling)

    def sides(self, waiting: Sides, before: Sides) -> Iterator[Sides]:
        """All runs after each round of each; one that fails at once leaves the one before.

        Raises:
            What `encode` raises: then none of them has begun.
        """
        tokens = self.encode(waiting[0].view.prompt)
        shown = list(waiting)
        under_way = {i: self._views(side, tokens) for i, side in enumerate(waiting)}
        while under_way:
            i = min(under_way, key=lambda i: _seconds(shown[i]))
            try:
                view = next(under_way[i], None)
            except BaseException as error:  # whatever a model or a drafter raises is told
                shown[i] = failed(shown[i], _at(before, i), error)
                del under_way[i]
            else:
                if view is None:
                    shown[i] = replace(shown[i], ending=outcome(shown[i].view.metrics))
                    del under_way[i]
                else:
                    shown[i] = replace(shown[i], view=view)
            yield tuple(shown)  # outside `try`: whoever stops closes this generator here

    def _views(self, side: Side, tokens: Sequence[int]) -> Iterator[LiveView]:
        setting = side.setting
        sampling = replace(self.sampling, temperature=setting.temperature)
        rounds = generate(
            self.target, tokens, self.drafters[setting.drafter](), sampling=sampling,
            gamma=setting.gamma, max_new_tokens=setting.max_new_tokens, seed=setting.seed,
            stop_tokens=self.stop_tokens,
        )  # fmt: skip
        yield from follow(rounds, self.decode, side.view.prompt, tokens)


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
