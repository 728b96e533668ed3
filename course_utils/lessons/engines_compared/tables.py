"""Engines beside each other and beside the course's loop: habits, prices, what to try first."""

from collections.abc import Mapping, Sequence
from html import escape

from course_utils.classroom.table import markup_table
from course_utils.classroom.tokens import Html
from course_utils.decoding.contracts import Round
from course_utils.decoding.metrics import emitted_tokens
from course_utils.engines.decisions import Decision, Losing
from course_utils.engines.facts import facts
from course_utils.engines.sessions import Part, Run
from course_utils.lessons.engines_compared.as_served import steps


def losing_table() -> Html:
    """One line an engine: what it does with a draft, what that costs, and what to do instead."""
    head = ["engine", "a guess", "what is dear", "where", "instead", "discussed"]
    lines = [
        [one.engine, one.rule, one.price, f"{'; '.join(one.where)} ({one.read})",
         one.instead, one.discussed]
        for one in facts("losing", Losing)
    ]  # fmt: skip
    return _in_words(head, lines, "\n".join(f"{line[0]}: {line[1]}; {line[4]}" for line in lines))


def decisions_table(decisions: Sequence[Decision] = ()) -> Html:
    """One line a situation: what to try first, why, and what that rests on."""
    head = ["situation", "first choice", "why", "evidence", "lesson"]
    lines = [
        [
            one.situation, one.choice, one.why,
            " ".join(f"{e.says} [{e.source.rpartition('#')[2]}]" for e in one.evidence),
            (one.lesson or "–")[:2],
        ]
        for one in decisions or facts("decisions", Decision)
    ]  # fmt: skip
    return _in_words(head, lines, "\n".join(f"{line[0]}: {line[1]}" for line in lines))


def _in_words(head: list[str], lines: list[list[str]], plain: str) -> Html:
    marked = [[escape(cell) for cell in line] for line in lines]
    return Html(markup_table(head, marked, left=range(len(head))), plain)


def loads(runs: Mapping[str, Run]) -> dict[str, dict[int, Part]]:
    """{configuration: {requests open at a time: part}} of the runs that were put under load."""
    found = {
        name: {part.together: part for key, part in run.parts.items() if key.startswith("load")}
        for name, run in runs.items()
    }
    return {name: parts for name, parts in found.items() if parts}


def equal_rounds(part: Part, served: Sequence[Sequence[Round]]) -> int:
    """Of how many texts each round drafted and accepted as many as the server's."""
    return sum(a.steps == steps(rounds) for a, rounds in zip(part.answers, served, strict=True))


def emitted_texts(rounds: Sequence[Sequence[Round]]) -> list[list[int]]:
    """The new tokens of each text."""
    return [emitted_tokens(text) for text in rounds]
