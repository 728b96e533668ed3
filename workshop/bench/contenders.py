"""Who is measured: the engines' ways to continue a text and the course's, every setting of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from course_utils.decoding.contracts import Rule
from course_utils.decoding.rules import BLOCK, rule_named
from course_utils.drafters.named import DRAFTERS, NamedDrafter

TRANSFORMERS, COURSE = "transformers", "course"
GENAI, LLAMA = "ONNX Runtime GenAI", "llama.cpp"
ENGINES = (TRANSFORMERS, GENAI, LLAMA)
_SHORT = {TRANSFORMERS: "hf", GENAI: "genai", LLAMA: "llama.cpp"}  # in a table


@dataclass(frozen=True)
class Contender:
    """One way to continue a text; what a kind does not have is None."""

    who: str  # COURSE or one of ENGINES
    kind: str  # who guesses: "plain" nobody; the course's others are the names in DRAFTERS
    gamma: int | None = None  # tokens drafted per round; where there is a schedule, at first
    longest: int | None = None  # n-gram that a lookup tries to match
    schedule: str | None = None  # how transformers moves gamma: "constant", "heuristic"
    threshold: float | None = None  # transformers stops drafting at a guess less sure than this
    guesses: str | None = None  # how llama.cpp's draft guesses: "greedy", "probabilistic"
    verified_by: str | None = None  # name of the course's rule, where it is not its drafter's own

    @property
    def family(self) -> tuple[str, str]:
        """Contenders of one family differ in their settings only."""
        return self.who, self.kind

    @property
    def drafter(self) -> NamedDrafter:
        """That of the course."""
        return DRAFTERS["none" if self.kind == "plain" else self.kind]

    @property
    def rule(self) -> Rule:
        """That of the course."""
        return self.drafter.rule if self.verified_by is None else rule_named(self.verified_by)

    @property
    def name(self) -> str:
        """For a table; nothing reads it back."""
        if self.who == COURSE:
            words = ["autoregressive" if self.kind == "plain" else self.kind]
        else:
            kinds = {"plain": "generate", "model": "assisted"} if self.who == TRANSFORMERS else {}
            words = [_SHORT[self.who], kinds.get(self.kind, self.kind)]
        settings = {"g": self.gamma, "n": self.longest, "p": self.threshold}
        words += [f"{letter}={value:g}" for letter, value in settings.items() if value is not None]
        return " ".join([*words, *filter(None, (self.schedule, self.guesses, self.verified_by))])


PLAIN = {who: Contender(who, "plain") for who in (*ENGINES, COURSE)}
TARGET_AS_DRAFT = Contender(COURSE, "target_as_draft", 4)  # recorded because it loses

GAMMAS = tuple(range(1, 9))
COPIED = (1, 2, 3, 4, 6, 8, 12, 16)  # gamma where no model guesses: such a draft is cheap
LONGEST = (1, 2, 3)
# of the course, if nothing else is asked for
TRIED = ("model", "quantised", "eagle", "lookup", "suffix", "auto")
# "heuristic_transient" differs from "heuristic" only in the gamma that the next text begins
# with, and here every text begins with the setting's own
SCHEDULES = ("constant", "heuristic")
THRESHOLDS = (0.0, 0.4, 0.6)  # 0.4 is transformers' default
GUESSES = ("greedy", "probabilistic")  # the first is llama.cpp's default


def settings(
    gammas: Sequence[int] = GAMMAS,
    copied: Sequence[int] = COPIED,
    longest: Sequence[int] = LONGEST,
    schedules: Sequence[str] = SCHEDULES,
    thresholds: Sequence[float] = THRESHOLDS,
    drafters: Sequence[str] = TRIED,
) -> list[Contender]:
    """All that are tried: everybody's lookups on one grid, and everybody's draft model with the
    same gammas, transformers' with every schedule and threshold, ours with block verification
    besides; of llama.cpp every second length, for each is a server of its own.

    Args:
        drafters: the course's, by name; the draft model is always among them.
    """
    tried = dict.fromkeys(("model", *drafters))
    return [
        *PLAIN.values(),
        *(Contender(TRANSFORMERS, "lookup", g, n) for g, n in product(copied, longest)),
        *(
            Contender(TRANSFORMERS, "model", g, schedule=schedule, threshold=threshold)
            for g, schedule, threshold in product(gammas, schedules, thresholds)
        ),
        *(Contender(GENAI, "lookup", g, n) for g, n in product(copied, longest)),
        *(Contender(GENAI, "model", g) for g in gammas),
        # a server for each of these, so every second length
        *(Contender(LLAMA, "lookup", g, n) for g, n in product(copied[1::2], longest)),
        *(Contender(LLAMA, "model", g, guesses=how) for g, how in product(gammas[::2], GUESSES)),
        *ours(tried, gammas, copied, longest),
    ]


def ours(
    names: Iterable[str], gammas: Sequence[int], copied: Sequence[int], longest: Sequence[int]
) -> list[Contender]:
    """Every setting of these drafters of the course."""
    named = {name: DRAFTERS[name] for name in names}
    return [
        Contender(COURSE, name, g, n, verified_by=rule)
        for name, drafter in named.items()
        for g in _tried_of(drafter, gammas, copied)
        for n in (longest if drafter.copies else (None,))
        for rule in _rules_of(drafter, g)
    ]


def _rules_of(drafter: NamedDrafter, gamma: int) -> Sequence[str | None]:
    """The drafter's own, and block verification where several guesses are drawn from rows q, one
    after the other: elsewhere it is the same rule, or none."""
    drawn_in_turn = drafter.guesses_with and not drafter.nodes
    return (None, BLOCK.name) if drawn_in_turn and gamma > 1 else (None,)


def _tried_of(drafter: NamedDrafter, gammas: Sequence[int], copied: Sequence[int]) -> Sequence[int]:
    """A tree is tried whole."""
    if drafter.nodes:
        return (drafter.nodes,)
    return gammas if drafter.guesses_with else copied


def with_drafters(tried: Sequence[Contender], names: Iterable[str]) -> list[Contender]:
    """The same settings, but of the course only these drafters beside its draft model."""
    lookups = [c for c in tried if c.family == (TRANSFORMERS, "lookup")]
    gammas, copied, longest = (
        sorted(found)
        for found in (
            {c.gamma for c in tried if c.family == (COURSE, "model")},
            {c.gamma for c in lookups},
            {c.longest for c in lookups},
        )
    )
    kept = [c for c in tried if c.who != COURSE or c.kind in ("plain", "model")]
    others = [name for name in dict.fromkeys(names) if name != "model"]
    return [*kept, *ours(others, gammas, copied, longest)]
