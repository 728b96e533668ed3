"""Tables of a server's answers, counters and texts next to the course's own; markup is escaped.

A local server gets the questions of the recorded session.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from textwrap import fill

import numpy as np

from course_utils.classroom.tokens import Html, block
from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.sessions import common_prefix
from course_utils.engines.client import Engine, NoEngine, Question, engine_here
from course_utils.engines.sessions import Part, ServerRun, put
from course_utils.models.names import held_out_prompts
from course_utils.proofs import likelihood
from course_utils.proofs.ties import BUG, SAME, TIE, unexplained

Text = tuple[Sequence[int], Sequence[int]]  # a prompt, and the tokens after it
# (rows, tokens) -> deviations of both witnesses
Test = Callable[[np.ndarray, np.ndarray], tuple[float, float]]


def command(run: ServerRun) -> str:
    """Return the command that started a server, wrapped at 78 characters."""
    return fill(run.command, 78, subsequent_indent="    ", break_on_hyphens=False)


def counter_lines(page: str) -> str:
    """Return a page's lines on speculation, without the labels that are the same in each."""
    lines = [line for line in page.splitlines() if line.startswith("vllm:spec_decode")]
    short = (re.sub(r'engine="\d+",|model_name="[^"]*",?|,(?=\})', "", line) for line in lines)
    return "\n".join(line.replace("{}", "") for line in short if "_created" not in line)


def same_question(parts: Mapping[str, Part], number: int, prompt: str, longest: int = 160) -> Html:
    """Show the end of a prompt and each server's answer; escaped."""
    texts = {"the prompt ends": prompt[-100:]}
    texts |= {name: part.answers[number].text[:longest] for name, part in parts.items()}
    marked = (f"<b>{escape(who)}</b>\n{escape(text)}" for who, text in texts.items())
    plain = (f"{who}:\n{text}" for who, text in texts.items())
    return block("\n\n".join(marked), (), "\n\n".join(plain))


def verdict(
    target: LanguageModel, prompt: Sequence[int], course_text: Sequence[int],
    server_text: Sequence[int], noise: float,
) -> str:  # fmt: skip
    """Return "same", "numerical tie" or "bug" for two greedy texts.

    The server's passes cannot be repeated here: it is a tie if each of its tokens is within `noise`
    logits of the target's likeliest.
    """
    if list(course_text) == list(server_text):
        return SAME
    if common_prefix(course_text, server_text) == min(len(course_text), len(server_text)):
        return BUG  # one text stops early
    return BUG if unexplained(target, prompt, server_text, noise) else TIE


def greedy_table(
    runs: Mapping[str, ServerRun], texts: Sequence[Sequence[int]], target: LanguageModel,
    noise: float,
) -> list[dict]:  # fmt: skip
    """Return a line for each run with a greedy part: how many match `texts`, ties, bugs."""
    lines = []
    for name, run in runs.items():
        if part := run.parts.get("greedy"):
            verdicts = [
                verdict(target, question.prompt, text, answer.tokens, noise)
                for question, text, answer in zip(part.questions, texts, part.answers, strict=True)
            ]
            counts = {kind: verdicts.count(kind) for kind in (SAME, TIE, BUG)}
            lines.append({"configuration": name, "texts": len(verdicts)} | counts)
    return lines


def by_position(parts: Mapping[str, Part]) -> list[dict[str, object]]:
    """Return a line each: α by position, a dash where no draft got there, and tokens per round."""
    lines = []
    for name, part in parts.items():
        shares = ("–" if x is None else f"{x:.2f}" for x in part.counters.conditional)
        line = {"configuration": name} | {f"α{i}": x for i, x in enumerate(shares, 1)}
        lines.append(line | {"tokens per round": part.counters.mean_acceptance_length})
    return lines


def texts_of(part: Part) -> list[Text]:
    """Return the prompts of a part, each with the tokens of its answer."""
    pairs = zip(part.questions, part.answers, strict=True)
    return [(question.prompt, answer.tokens) for question, answer in pairs]


def rows_along(
    model: LanguageModel, texts: Iterable[Text], sampling: Sampling = Sampling()
) -> np.ndarray:
    """Return the model's distributions (tokens of all texts, vocabulary) along the texts.

    Args:
        sampling: the settings that the texts were drawn with, the server's defaults included.
    """
    return np.concatenate([likelihood.rows_along(model, *text, sampling) for text in texts])


def witnesses(
    runs: Mapping[str, Sequence[Text]], target: LanguageModel, test: Test,
    sampling: Sampling = Sampling(),
) -> tuple[dict[str, tuple[float, float]], dict[str, np.ndarray]]:  # fmt: skip
    """Return {name: deviations by `test`} and {name: the bands of an honest text}."""
    deviations, bands = {}, {}
    for name, texts in runs.items():
        rows = rows_along(target, texts, sampling)
        tokens = np.array([token for _, new in texts for token in new])
        deviations[name] = test(rows, tokens)
        bands[name] = likelihood.likelihood_along(rows, tokens).z_bounds()
    return deviations, bands


YOURS = "yours"
Encode = Callable[[str], Sequence[int]]
NEW = 64  # tokens per answer


def questions(encode: Encode, of_each: int, temperature: float) -> list[Question]:
    """Return questions on code and prose, `of_each` many; each has its own seed."""
    texts = [text for kind in ("code", "prose") for text in held_out_prompts(kind)[:of_each]]
    return [Question(tuple(encode(text)), NEW, temperature, i) for i, text in enumerate(texts)]


def own_run(encode: Encode, engine: Engine | None = None) -> dict[str, ServerRun]:
    """Return {"yours": the run of a local server}, in a few seconds; {} if none answers.

    An error of the server is printed, and the lesson continues with the recorded session."""
    greedy, sampled = questions(encode, 4, temperature=0.0), questions(encode, 8, temperature=1.0)
    try:
        engine = engine or engine_here()
        if engine is None:
            return {}
        version = engine.check()
        put(engine, greedy[:1])  # the first request compiles and allocates
        parts = {"greedy": put(engine, greedy), "sampled": put(engine, sampled)}
    except (NoEngine, ValueError) as error:
        print(f"Your server is left out of the tables: {error}")
        return {}
    own = ServerRun(
        configuration="your own", command="as you started it", engine=version, repaired=False,
        parts=parts,
    )  # fmt: skip
    return {YOURS: own}
