"""The articles' lines about engines: what each claims, what happens today, what works instead.

`evidence` is what a claim rests on: a file of an engine, a thread or a lesson.
The articles' own sentences are not repeated.
"""

from pydantic.dataclasses import dataclass

from course_utils.engines.facts import STRICT, facts


@dataclass(frozen=True, config=STRICT)
class Claim:
    """One line of an article; `article` is its number in REFERENCES.md, code stands in `ticks`."""

    name: str
    article: str
    claimed: str
    happens: str
    works: str
    evidence: tuple[str, ...]


def of(article: str) -> tuple[Claim, ...]:
    """The claims of the article with that number.

    Raises:
        KeyError: none of ours; the message names those with claims about engines.
    """
    claims = facts("articles", Claim)
    found = tuple(one for one in claims if one.article == article)
    if not found:
        names = ", ".join(dict.fromkeys(one.article for one in claims))
        raise KeyError(f"no claims of article {article!r} here; there are those of {names}")
    return found
