"""The contenders: each setting of the engines and of the course for continuing a text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from course_utils.decoding.contracts import Rule
from course_utils.decoding.rules import BLOCK, rule_named
from course_utils.drafters.registry import DRAFTERS, NamedDrafter

TRANSFORMERS, COURSE = "transformers", "course"
GENAI = "ONNX Runtime GenAI"
ENGINES = (TRANSFORMERS, GENAI)
_SHORT = {TRANSFORMERS: "hf", GENAI: "genai"}  # in a table


@dataclass(frozen=True)
class Contender:
    """One way to continue a text; fields that do not apply are None."""

    who: str  # COURSE or one of ENGINES
    kind: str  # the drafter: "plain" for none; the course's others are the names in DRAFTERS
    gamma: int | None = None  # tokens drafted per round; with a schedule, the first value
    longest: int | None = None  # the longest n-gram of a lookup
    schedule: str | None = None  # how transformers adapts gamma: "constant", "heuristic"
    threshold: float | None = None  # transformers stops drafting at a less likely guess
    verified_by: str | None = None  # name of the course's rule, if not its drafter's default

    @property
    def family(self) -> tuple[str, str]:
        """The family: its contenders differ only in their settings."""
        return self.who, self.kind

    @property
    def drafter(self) -> NamedDrafter:
        """The course's drafter of this kind."""
        return DRAFTERS["none" if self.kind == "plain" else self.kind]

    @property
    def rule(self) -> Rule:
        """The course's rule for it."""
        return self.drafter.rule if self.verified_by is None else rule_named(self.verified_by)

    @property
    def name(self) -> str:
        """The name for a table."""
        if self.who == COURSE:
            words = ["autoregressive" if self.kind == "plain" else self.kind]
        else:
            kinds = {"plain": "generate", "model": "assisted"} if self.who == TRANSFORMERS else {}
            words = [_SHORT[self.who], kinds.get(self.kind, self.kind)]
        settings = {"g": self.gamma, "n": self.longest, "p": self.threshold}
        words += [f"{letter}={value:g}" for letter, value in settings.items() if value is not None]
        return " ".join([*words, *filter(None, (self.schedule, self.verified_by))])


PLAIN = {who: Contender(who, "plain") for who in (*ENGINES, COURSE)}

GAMMAS = tuple(range(1, 9))
COPIED = (1, 2, 3, 4, 6, 8, 12, 16)  # gamma for drafts without a model, which are cheap
LONGEST = (1, 2, 3)
# of the course, by default
TRIED = ("model", "quantised", "eagle", "lookup", "suffix", "auto")
# "heuristic_transient" differs from "heuristic" only in the first gamma of the next text, and
# here every text starts with the setting's gamma
SCHEDULES = ("constant", "heuristic")
THRESHOLDS = (0.0, 0.4, 0.6)  # 0.4 is transformers' default


def settings(
    drafters: Iterable[str] = TRIED,
    gammas: Sequence[int] = GAMMAS,
    copied: Sequence[int] = COPIED,
    longest: Sequence[int] = LONGEST,
    thresholds: Sequence[float] = THRESHOLDS,
) -> list[Contender]:
    """Return all contenders: all lookups on one grid, and all draft models with the same gammas;
    transformers' with every schedule and threshold, the course's also with block verification.

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
        lengths = (drafter.nodes,) if drafter.nodes else lengths  # only complete trees
        matched = longest if name == "lookup" else (None,)
        # block verification only for chains of several sampled guesses: elsewhere it equals the
        # token-wise rule or does not apply
        drawn = drafter.guesses_with and not drafter.nodes
        for gamma, n in product(lengths, matched):
            rules = (None, BLOCK.name) if drawn and gamma > 1 else (None,)
            tried += [Contender(COURSE, name, gamma, n, verified_by=rule) for rule in rules]
    return tried
