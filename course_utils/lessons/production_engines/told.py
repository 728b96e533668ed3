"""What a server, a page or a table says, for a slide: short, and escaped where it is markup."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from textwrap import fill

from course_utils.classroom.table import markup_table
from course_utils.classroom.tokens import Html, block
from course_utils.engines.decisions import Decision, Losing
from course_utils.engines.facts import facts
from course_utils.engines.sessions import Part, Run

WIDTH = 78  # characters


def command(run: Run) -> str:
    """The command that started a server, in lines that a slide holds."""
    return fill(run.command, WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def counter_lines(page: str) -> str:
    """The lines of a page that count speculation, without what is the same in each."""
    kept = [line for line in page.splitlines() if line.startswith("vllm:spec_decode")]
    short = (re.sub(r'engine="\d+",|model_name="[^"]*",?|,(?=\})', "", line) for line in kept)
    return "\n".join(line.replace("{}", "") for line in short if "_created" not in line)


def read_aloud(texts: Mapping[str, str], longest: int = 160) -> Html:
    """{who: text} one under the other, escaped."""
    short = {who: text[:longest] for who, text in texts.items()}
    marked = (f"<b>{escape(who)}</b>\n{escape(text)}" for who, text in short.items())
    plain = (f"{who}:\n{text}" for who, text in short.items())
    return block("\n\n".join(marked), (), "\n\n".join(plain))


def same_question(parts: Mapping[str, Part], number: int, prompt: str) -> Html:
    """The end of a prompt, and what each server answered."""
    answers = {name: part.answers[number].text for name, part in parts.items()}
    return read_aloud({"the prompt ends": prompt[-100:]} | answers)


def losing_table() -> Html:
    """One line an engine: what it does with a draft, what that costs, and what to do instead."""
    head = ["engine", "a guess", "what is dear", "where", "instead", "discussed"]
    lines = [
        [one.engine, one.rule, one.price, f"{'; '.join(one.where)} ({one.read})",
         one.instead, one.discussed]
        for one in facts("losing", Losing)
    ]  # fmt: skip
    return Html(
        markup_table(head, [[escape(cell) for cell in line] for line in lines], left=range(6)),
        "\n".join(f"{line[0]}: {line[1]}; {line[4]}" for line in lines),
    )


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
    return Html(
        markup_table(head, [[escape(cell) for cell in line] for line in lines], left=range(5)),
        "\n".join(f"{line[0]}: {line[1]}" for line in lines),
    )
