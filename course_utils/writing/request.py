"""What is to be written, and how: the arguments of `Pair.write` and of the command `generate`."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from course_utils.decoding.contracts import Drafter, Rule
from course_utils.decoding.rules import rule_named, slug
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.registry import NamedDrafter, named_drafter
from course_utils.plugins import is_plugin, load_plugin
from course_utils.writing.text import StopStrings

if TYPE_CHECKING:
    from course_utils.models.load import Messages

AUTO, ADAPTIVE = "auto", "adaptive"  # for gamma


@dataclass(frozen=True)
class Choice:
    """A drafter, and the most guesses per round; 0 and None if no draft is fast enough."""

    drafter: Drafter | None
    gamma: int
    seconds: float | None = None  # of the measurement
    predicted_speedup: float | None = None  # over decoding without a draft


@dataclass(frozen=True)
class Request:
    """A text to continue or a chat to answer, and the settings.

    Everything that needs no model is checked when it is created.

    Args:
        text: what to continue; in a chat the user's message, or the conversation so far.
        chat: encode `text` by the target's chat template, as `encode_chat` does with `system`
            and `thinking`; omitted settings are those that the model's makers recommend
            (`chat_sampling`).
        drafter: a name from `DRAFTERS`, "MODULE:NAME" or "FILE.py:NAME" for your own class,
            which is called with (draft model), or a drafter; None: the draft model, or
            prompt lookup if the pair has none.
        rule: the name of the verification rule, your own `Rule`, or "FILE.py:NAME" for it;
            None: the default for the drafter.
        gamma: the most guesses per round; "auto" measures for about a second which number is
            fastest here, "adaptive" chooses before each round.  Tree drafters ignore it.
        temperature: 0 is greedy.  Without a chat the defaults are temperature 1, top_k 0,
            top_p 1 and min_p 0, which filter nothing.
        stop: stop strings; the text ends before the first of them.
        trace: a new file to record the rounds in, for the command `audit`.

    Raises:
        ValueError: a wrong text, name or number.
        OSError: the trace cannot be written.
    """

    text: "Messages"
    _: KW_ONLY
    chat: bool = False
    system: str | None = None
    thinking: bool | None = None
    drafter: str | Drafter | NamedDrafter | None = None
    rule: str | Rule | None = None
    gamma: int | str = 4
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    max_new_tokens: int = 128
    stop: str | Sequence[str] = ()
    seed: int = 0
    trace: str | Path | None = None

    def __post_init__(self) -> None:
        StopStrings(self.stop_strings)
        texts = {"prompt": self.text, "system message": self.system}
        for name, text in [*texts.items(), *(("stop string", text) for text in self.stop_strings)]:
            _check_encodable(name, text)
        self.sampling(Sampling())
        if isinstance(self.gamma, str) and self.gamma not in (AUTO, ADAPTIVE):
            raise ValueError(
                f"gamma is {self.gamma!r}; give a whole number, {AUTO!r} or {ADAPTIVE!r}"
            )
        if self.trace is not None:
            from course_utils.files import check_new

            check_new(self.trace)
            if self.stop_strings:
                raise ValueError("a trace cannot record stop strings: leave out trace or stop")
        if self.chat:
            return
        if self.system is not None or self.thinking is not None:
            raise ValueError(
                "system and thinking are for chats only: add chat=True (--chat), or drop them"
            )
        if not isinstance(self.text, str):
            raise ValueError(
                "messages are for chats only: add chat=True, or give a text to continue"
            )

    @property
    def stop_strings(self) -> tuple[str, ...]:
        return (self.stop,) if isinstance(self.stop, str) else tuple(self.stop)

    def sampling(self, usual: Sampling) -> Sampling:
        """Return `usual` with the settings that are given here."""
        given = {name: getattr(self, name) for name in vars(usual)}
        return replace(usual, **{name: x for name, x in given.items() if x is not None})

    def drafting(self, draft: object) -> tuple[NamedDrafter, Rule]:
        """Return the drafter and its rule, for a pair with this draft model or None.

        Raises:
            ValueError: there is no such drafter or rule, or they do not fit together.
        """
        drafter = named_drafter(self.drafter or usual_drafter(draft))
        return drafter, rule_for(drafter, self.rule)

    def resolved(self, draft: object) -> "Request":
        """Return the request with these two objects in place of their names."""
        drafter, rule = self.drafting(draft)
        return replace(self, drafter=drafter, rule=rule)


def _check_encodable(name: str, text: object) -> None:
    """Raise a ValueError if `text` has half a character, from an argument that is not UTF-8."""
    try:
        str(text).encode()
    except UnicodeEncodeError as error:
        place = error.start + 1
        raise ValueError(
            f"the {name} is not UTF-8 from character {place} on: give UTF-8"
        ) from error


def usual_drafter(draft: object) -> str:
    """Return the name of the default drafter for this draft model or None."""
    return "model" if draft is not None else "lookup"


def rule_for(drafter: NamedDrafter, rule: str | Rule | None = None) -> Rule:
    """Return a rule, by its name or your own `Rule` as MODULE:NAME or FILE.py:NAME, by default the
    one for the drafter's chains or trees.

    Raises:
        ValueError: there is no such rule, or it judges chains and the drafter drafts trees.
    """
    if rule is None:
        return drafter.rule
    chosen = rule
    if isinstance(rule, str):
        chosen = load_plugin("rule", rule) if is_plugin(rule) else rule_named(rule)
    if not isinstance(chosen, Rule):
        raise ValueError(
            f"{rule} is no rule: give a Rule(name, verify, lossless, source) of decoding.contracts"
        )
    if drafter.rule.trees and not chosen.trees:
        from course_utils.decoding.rules import TREE_RULES

        raise ValueError(
            f"the rule {slug(chosen)} judges chains, but the drafter drafts trees: leave the rule "
            f"out, or choose {' or '.join(map(slug, TREE_RULES))}"
        )
    return chosen
