"""Who is measured: the engines' ways to continue a text and the course's, every setting of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from course_utils.decoding.contracts import Rule
from course_utils.decoding.rules import BLOCK, rule_named
from course_utils.drafters.named import DRAFTERS, NamedDrafter

TRANSFORMERS, COURSE = "transformers", "course"
GENAI = "ONNX Runtime GenAI"
ENGINES = (TRANSFORMERS, GENAI)
_SHORT = {TRANSFORMERS: "hf", GENAI: "genai"}  # in a table


@dataclass(frozen=True)
class Contender:
    """One way to continue a text; what a kind does not have is None."""

    who: str  # COURSE or one of ENGINES
    kind: str  # who guesses: "plain" nobody; the course's others are the names in DRAFTERS
    gamma: int | None = None  # tokens drafted per round; where there is a schedule, at first
    longest: int | None = None  # n-gram that a lookup tries to match
    schedule: str | None = None  # how transformers moves gamma: "constant", "heuristic"
    threshold: float | None = None  # transformers stops drafting at a guess less sure than this
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
        return " ".join([*words, *filter(None, (self.schedule, self.verified_by))])


PLAIN = {who: Contender(who, "plain") for who in (*ENGINES, COURSE)}
TARGET_AS_DRAFT = Contender(COURSE, "target_as_draft", 4)  # recorded because it loses

GAMMAS = tuple(range(1, 9))
COPIED = (1, 2, 3, 4, 6, 8, 12, 16)  # gamma where no model guesses: such a draft is cheap
LONGEST = (1, 2, 3)
# of the course, by default
TRIED = ("model", "quantised", "eagle", "lookup", "suffix", "auto")
# "heuristic_transient" differs from "heuristic" only in the gamma that the next text begins
# with, and here every text begins with the setting's own
SCHEDULES = ("constant", "heuristic")
THRESHOLDS = (0.0, 0.4, 0.6)  # 0.4 is transformers' default


def settings(
    drafters: Iterable[str] = TRIED,
    gammas: Sequence[int] = GAMMAS,
    copied: Sequence[int] = COPIED,
    longest: Sequence[int] = LONGEST,
    thresholds: Sequence[float] = THRESHOLDS,
) -> list[Contender]:
    """Return all that are tried: everybody's lookups on one grid, and everybody's draft model
    with the same gammas; transformers' with every schedule and threshold, ours with block
    verification besides.

    Args:
        drafters: the course's, by name; the draft model is always among them.
    """
    tried = [
        *PLAIN.values(),
        *(Contender(who, "lookup", g, n) for who in ENGINES for g, n in product(copied, longest)),
        *(
            Contender(TRANSFORMERS, "model", g, schedule=schedule, threshold=threshold)
            for g, schedule, threshold in product(gammas, SCHEDULES, thresholds)
        ),
        *(Contender(GENAI, "model", g) for g in gammas),
    ]
    for name in dict.fromkeys(("model", *drafters)):
        drafter = DRAFTERS[name]
        lengths = gammas if drafter.guesses_with else copied
        lengths = (drafter.nodes,) if drafter.nodes else lengths  # a tree is tried whole
        matched = longest if drafter.copies else (None,)
        # block verification where several guesses are drawn from rows q, one after the other:
        # elsewhere it is the same rule, or none
        drawn = drafter.guesses_with and not drafter.nodes
        for gamma, n in product(lengths, matched):
            rules = (None, BLOCK.name) if drawn and gamma > 1 else (None,)
            tried += [Contender(COURSE, name, gamma, n, verified_by=rule) for rule in rules]
    return tried
