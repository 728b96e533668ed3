"""Drafters side by side on several kinds of text, in passes rather than seconds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass

from course_utils.decoding.contracts import Drafter, LanguageModel, Rows, Session
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.outcomes import round_cost
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.choice import Expert, Hedged, ModelJudge, certain_guesses
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled

# Beginnings of four kinds of work; the last three are made up for this elective.
_FUNCTION = (
    "def total(values, start=0):\n    result = start\n    for value in values:\n"
    "        result += value\n    return result\n"
)
_LIST = "".join(
    f'    "{name}": Entry("{name}", size={size}, colour="grey"),\n'
    for size, name in enumerate(("alpha", "beta", "gamma", "delta", "epsilon"))
)


def prompts(code: str, prose: str) -> dict[str, str]:
    """A text for each kind, given a held-out beginning of code and one of prose."""
    return {
        "code": code,
        "prose": prose,
        "a list": f"ENTRIES = {{\n{_LIST}",
        "an edit": f"{_FUNCTION}\n\n# the same, for the product\n{_FUNCTION}\n\n{_FUNCTION[:60]}",
    }


class Counted:
    """A model whose passes are counted."""

    def __init__(self, model: LanguageModel):
        self.model, self.passes = model, 0
        self.vocabulary_size, self.context = model.vocabulary_size, model.context

    def start(self, prompt: Sequence[int]) -> "_CountedSession":
        return _CountedSession(self, self.model.start(prompt))


class _CountedSession:
    def __init__(self, counted: Counted, session: Session):
        self._counted, self._session = counted, session

    @property
    def length(self) -> int:
        return self._session.length

    def extend(self, tokens: Sequence[int]) -> Rows:
        self._counted.passes += 1
        return self._session.extend(tokens)

    def rollback(self, length: int) -> None:
        self._session.rollback(length)


Make = Callable[[LanguageModel, Sampling, float], Drafter]  # of a draft, the settings and c


def hedged(model: LanguageModel, sampling: Sampling, c: float) -> Hedged:
    """Hedge over lookup and the model; the model's judge costs a pass wherever lookup guessed."""
    lookup = PromptLookup(shortest=2)
    return Hedged(
        [
            Expert("lookup", lookup, certain_guesses(lookup), round_cost(0)),
            Expert("model", Sampled(model, sampling), ModelJudge(model, sampling), round_cost(c)),
        ]
    )


DRAFTERS: Mapping[str, Make] = {
    "lookup": lambda model, sampling, c: PromptLookup(shortest=2),
    "model": lambda model, sampling, c: Sampled(model, sampling),
    "Hedge": hedged,
}


@dataclass(frozen=True)
class Worked:
    """What a drafter did on texts of one kind, in counts that no clock changes."""

    tokens: int
    target_passes: int
    draft_passes: int

    def speedup(self, c: float) -> float:
        """Tokens per pass of the target, a pass of the draft costing c of one."""
        return self.tokens / (self.target_passes + c * self.draft_passes)


def work(
    pair: tuple[LanguageModel, LanguageModel],
    encoded: Sequence[int],
    make: Make,
    sampling: Sampling,
    tokens: int,
    c: float,
    seed: int,
) -> Worked:
    """Continue a text with a drafter."""
    target, draft = pair[0], Counted(pair[1])
    rounds = generate(
        target, encoded, make(draft, sampling, c), gamma=4, sampling=sampling,
        max_new_tokens=tokens, seed=seed,
    )  # fmt: skip
    done = summarise(rounds)
    return Worked(done.tokens, done.target_forwards, draft.passes)


def compared(
    pair: tuple[LanguageModel, LanguageModel],
    encoded: Mapping[str, Sequence[int]],
    makes: Mapping[str, Make],
    sampling: Sampling,
    tokens: int,
    c: float,
    seed: int,
) -> dict[str, dict[str, Worked]]:
    """For each drafter and each kind of text what was done."""
    return {
        name: {
            kind: work(pair, ids, make, sampling, tokens, c, seed) for kind, ids in encoded.items()
        }
        for name, make in makes.items()
    }


MIXED = "all four"


def together(runs: Sequence[Mapping[str, Mapping[str, Worked]]]) -> dict[str, dict[str, Worked]]:
    """What was done in all of several runs of `compared`."""
    return {
        name: {kind: _added([run[name][kind] for run in runs]) for kind in by_kind}
        for name, by_kind in runs[0].items()
    }


def speedups(found: Mapping[str, Mapping[str, Worked]], c: float) -> dict[str, dict[str, float]]:
    """The same in speedups, and over all kinds together."""
    return {
        name: {kind: done.speedup(c) for kind, done in by_kind.items()}
        | {MIXED: _added(by_kind.values()).speedup(c)}
        for name, by_kind in found.items()
    }


def _added(works: Iterable[Worked]) -> Worked:
    return Worked(*map(sum, zip(*map(astuple, works), strict=True)))
