"""A server's words, counters and texts for a slide, beside the course's own; escaped where it is
markup."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import fill

import numpy as np

from course_utils.classroom.table import markup_table
from course_utils.classroom.tokens import Html, block
from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.metrics import acceptance_counts, emitted_tokens, summarise
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.theory import expected_tokens, overlap
from course_utils.engines.decisions import Decision, Losing
from course_utils.engines.facts import facts
from course_utils.engines.sessions import Part, Run
from course_utils.lessons.production_engines.as_served import steps
from course_utils.proofs.surprise import honest_texts, surprise_along
from course_utils.proofs.ties import BUG, SAME, TIE, unexplained

WIDTH = 78  # characters
Text = tuple[Sequence[int], Sequence[int]]  # a prompt, and the tokens behind it
# (rows, tokens) -> deviations of both witnesses
Test = Callable[[np.ndarray, np.ndarray], tuple[float, float]]


# --- what is said ---------------------------------------------------------------------


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


# --- beside the course's own ----------------------------------------------------------


def verdict(
    target: LanguageModel, prompt: Sequence[int], ours: Sequence[int], theirs: Sequence[int],
    noise: float,
) -> str:  # fmt: skip
    """ "same", "numerical tie" or "bug", of two greedy texts.

    Theirs was made elsewhere, so that its passes cannot be repeated: it is a tie if each of its
    tokens is within `noise` logits of the target's likeliest.
    """
    if list(ours) == list(theirs):
        return SAME
    if common_prefix(ours, theirs) == min(len(ours), len(theirs)):
        return BUG  # one text ends where the other goes on
    return BUG if unexplained(target, prompt, theirs, noise) else TIE


def greedy_table(
    runs: Mapping[str, Run], ours: Sequence[Sequence[int]], target: LanguageModel, noise: float
) -> list[dict]:
    """A line for each run with a greedy part: how many texts are the same, ties, bugs."""
    lines = []
    for name, run in runs.items():
        if "greedy" in run.parts:
            part = run.parts["greedy"]
            found = [
                verdict(target, question.prompt, text, answer.tokens, noise)
                for question, text, answer in zip(part.questions, ours, part.answers, strict=True)
            ]
            counted = {kind: found.count(kind) for kind in (SAME, TIE, BUG)}
            lines.append({"configuration": name, "texts": len(found)} | counted)
    return lines


def definitions(part: Part, ours: Sequence[Round], alike: Sequence[Round], gamma: int) -> list:
    """The same four numbers thrice: the page's, ours, and ours with the engine's conventions.

    Raises:
        NoCounters: the server decoded without speculation.
    """
    page = part.counters
    lines = [
        {
            "number": "accepted / drafted",
            "page": page.acceptance_rate,
            "ours": summarise(ours).accepted_per_drafted,
            "ours, its way": summarise(alike).accepted_per_drafted,
        },
        {
            "number": "1 + accepted / drafts",
            "page": page.mean_acceptance_length,
            "ours": _mean_length(ours),
            "ours, its way": _mean_length(alike),
        },
    ]
    for i, (count, alpha) in enumerate(zip(page.per_position, page.conditional, strict=True)):
        mine, theirs = (acceptance_counts(rounds, gamma) for rounds in (ours, alike))
        lines += [
            {
                "number": f"position {i + 1}: A{i + 1} / D",
                "page": count / page.drafts,
                "ours": mine[i][0] / mine[0][1],
                "ours, its way": theirs[i][0] / theirs[0][1],
            },
            {
                "number": f"position {i + 1}: α",
                "page": alpha,
                "ours": _share(mine[i]),
                "ours, its way": _share(theirs[i]),
            },
        ]
    return lines


def by_position(part: Part) -> dict[str, str]:
    """α of each position from the counters, a dash where none was reached."""
    shares = part.counters.conditional
    return {f"α{i}": "–" if share is None else f"{share:.2f}" for i, share in enumerate(shares, 1)}


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


def _mean_length(rounds: Sequence[Round]) -> float:
    drafts = [r for r in rounds if r.drafted]
    return 1 + sum(r.accepted for r in drafts) / len(drafts)


def _share(counted: tuple[int, int]) -> float | None:
    return counted[0] / counted[1] if counted[1] else None


# --- along a text that a server wrote -------------------------------------------------


def texts_of(part: Part) -> list[Text]:
    """What was asked, and what was answered."""
    pairs = zip(part.questions, part.answers, strict=True)
    return [(question.prompt, answer.tokens) for question, answer in pairs]


def rows_along(
    model: LanguageModel, texts: Iterable[Text], sampling: Sampling = Sampling()
) -> np.ndarray:
    """(tokens of all texts, vocabulary): the model's distribution at each of them.

    Args:
        sampling: the settings that the texts were drawn with, a server's own defaults among them.
    """
    rows = [
        probabilities(model.start(prompt[:-1]).extend([prompt[-1], *new[:-1]]), sampling)
        for prompt, new in texts
    ]
    return np.concatenate([as_numpy(r) for r in rows])


def tokens_of(texts: Iterable[Text]) -> np.ndarray:
    """The tokens of all texts, one after the other."""
    return np.array([token for _, new in texts for token in new])


@dataclass(frozen=True)
class Possible:
    """How often a first guess can be accepted, on average over the places of some texts."""

    sampled: float  # Σ min(p, q): a draft that draws
    greedy: float  # p(argmax q): a draft that takes its likeliest token


def possible(p: np.ndarray, q: np.ndarray) -> Possible:
    """Of the target's and the draft's rows at the same places."""
    likeliest = p[np.arange(len(q)), q.argmax(-1)]
    return Possible(float(overlap(p, q).mean()), float(likeliest.mean()))


def by_rule(p: np.ndarray, q: np.ndarray, gamma: int, kept: int = 10) -> list[dict[str, object]]:
    """A row for each way to guess and accept: how often, and tokens per round of `gamma` guesses.

    Args:
        kept: of q in the second way, its likeliest tokens.
    """
    least = np.sort(q, axis=-1)[:, -kept, None]
    cut = np.where(q >= least, q, 0.0)
    both, ten = possible(p, q), possible(p, cut / cut.sum(-1, keepdims=True))
    ways = {
        "drawn from q, min(1, p/q)": both.sampled,
        f"drawn from its {kept} likeliest, the same": ten.sampled,
        "its likeliest, if the target draws it": both.greedy,
    }
    return [
        {"a guess is": way, "α": alpha, "tokens per round": expected_tokens(alpha, gamma)}
        for way, alpha in ways.items()
    ]


def judged(
    runs: Mapping[str, Sequence[Text]],
    target: LanguageModel,
    test: Test,
    sampling: Sampling = Sampling(),
) -> tuple[dict[str, tuple[float, float]], dict[str, np.ndarray]]:
    """{name: deviations by a test of (rows, tokens)}, {name: the bands of a text that passes}."""
    found, bands = {}, {}
    for name, texts in runs.items():
        rows, tokens = rows_along(target, texts, sampling), tokens_of(texts)
        found[name] = test(rows, tokens)
        bands[name] = surprise_along(rows, tokens).bands
    return found, bands


def alarms(
    settings: Mapping[str, np.ndarray],
    lengths: Sequence[int] = (60, 240, 960),
    texts: int = 20_000,
) -> list[dict]:
    """How often an honest text lies beyond 4 deviations, and how often it is called wrong.

    Args:
        settings: {name: rows along texts that were drawn with them}.
        lengths: tokens of a text, each drawn from its row of a stretch of so many rows; lengths
            for which there are too few rows are passed over.
        texts: about how many are drawn of each length.
    """
    table = []
    for name, rows in settings.items():
        for length in (n for n in lengths if n <= len(rows)):
            many = len(rows) // length
            stretches = rows[: many * length].reshape(many, length, -1)
            tried = [honest_texts(part, texts // many, i) for i, part in enumerate(stretches)]
            beyond = np.concatenate([abs(off) > 4 for off, _ in tried], axis=1)
            wrong = sum(int((~passed).sum()) for _, passed in tried)
            shares = (1000 * x.mean() for x in (*beyond, beyond.any(0)))
            share = dict(zip(("first", "second", "either"), shares, strict=True))
            line = {"drawn with": name, "tokens": length} | share
            table.append(line | {"called wrong": wrong})
    return table
