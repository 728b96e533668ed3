"""What to try first, situation by situation, and which engines lose with a draft.

A first choice is where measuring begins.  Each line names its evidence, reported by others but
for what a lesson of the course computes.
"""

from pydantic.dataclasses import dataclass

from course_utils.engines.facts import STRICT


@dataclass(frozen=True, config=STRICT)
class Evidence:
    """What a source says, in a sentence; `checked` if that was read there for this table."""

    source: str
    says: str
    checked: bool = True


@dataclass(frozen=True, config=STRICT)
class Decision:
    """One line of data/engines/decisions.toml."""

    situation: str
    choice: str
    why: str
    evidence: tuple[Evidence, ...]
    settings: dict | None = None  # None: nothing to set, or nothing that vLLM has a key for
    lesson: str | None = None  # the notebook in which the course computes it


@dataclass(frozen=True, config=STRICT)
class Losing:
    """What one engine does with a draft where tokens are drawn: data/engines/losing.toml."""

    engine: str
    read: str  # which sources
    rule: str  # how a guess is drawn, and when it is accepted
    price: str  # what makes a round dear
    where: tuple[str, ...]  # files of it
    discussed: str  # where
    instead: str  # what a user does
