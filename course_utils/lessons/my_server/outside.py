"""What can be done without looking inside: ask, judge, plan, and write it down."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from course_utils.classroom import progress
from course_utils.classroom.files import free_name, write_whole
from course_utils.decoding import Sampling
from course_utils.decoding.sampling import probabilities
from course_utils.engines.asking import Server
from course_utils.engines.client import Engine, Question
from course_utils.lessons.my_server.server import as_text, encode, models, texts
from course_utils.proofs.certificate import LOSSY, SERVER, Certificate, certificate_of
from course_utils.proofs.examination import ROUNDING
from course_utils.proofs.served import checks
from course_utils.proofs.served_rows import Rows, Text
from course_utils.proofs.served_settings import looks_like

DATA = Path(__file__).parents[3] / "data"
BATCHES = DATA / "bench" / "batches-1.json"
REPORT = "bug_report.md"
GIVEN = 24  # tokens of a prompt


def asked(url: str, requests: int, tokens: int, temperature: float) -> list[Text]:
    """Answers of a server to sixteen prompts in turn."""
    server = Server(Engine(url))
    prompts = [encode(text)[:GIVEN] for text in texts()]
    found = []
    for seed in range(requests):
        prompt = prompts[seed % len(prompts)]
        answer = server.answer(Question(prompt, tokens, temperature, seed))
        found.append(Text(prompt, tuple(answer["tokens"])))
    return found


def logits(text: Text, model: int = 0) -> np.ndarray:
    """(n, vocabulary): what the target says at each place of an answer; 1: the draft."""
    session = models()[model].start(text.prompt[:-1])
    return session.extend([text.prompt[-1], *text.tokens[:-1]])


def verdict(answers: Sequence[Text], temperature: float) -> Certificate:
    """That of check-server, which also knows the draft."""
    sampling = Sampling(temperature)

    def draft_of(text: Text) -> np.ndarray:
        return probabilities(logits(text, 1), sampling)

    found = checks(answers, lambda text: Rows.of(logits(text)), sampling, ROUNDING["float32"],
                   draft_of=draft_of if temperature else None)  # fmt: skip
    return certificate_of(list(found), 0.0)


def shown(certificate: Certificate) -> list[dict]:
    """A table's lines, and last the verdict."""
    lines = [
        {"check": check.name.removeprefix(f"{SERVER}: "), "figure": float(check.figure),
         "at most": float(check.threshold), "outcome": "ok" if check.passed else "FAILED"}
        for check in certificate.checks
    ]  # fmt: skip
    return [*lines, {"check": "verdict", "figure": "", "at most": "",
                     "outcome": certificate.verdict}]  # fmt: skip


def explained(answers: Sequence[Text], temperature: float) -> str:
    """Settings that would explain the texts, as check-server names them; "" if none do."""
    given = lambda text: Rows.of(logits(text)), Sampling(temperature), ROUNDING["float32"]
    return looks_like(answers, *given).removesuffix(", which you did not ask for")


def speeds(ks: Sequence[int], temperature: float) -> dict[int, dict[int, float]]:
    """The trained pair on a CPU, `bench --batches`: {texts at a time: {K: tokens per second}}."""
    settings = json.loads(BATCHES.read_text("utf-8"))["settings"]
    found: dict[int, dict[int, float]] = {}
    for row in next(s["rows"] for s in settings if s["temperature"] == temperature):
        if row["gamma"] in ks:
            found.setdefault(row["batch"], {})[row["gamma"]] = row["tokens_per_second"]
    return found


def smallest(
    answers: Sequence[Text], temperature: float, z: Callable, step: int = 4, far: float = 5.0
) -> int | None:
    """The fewest requests, in steps, from which on the witness stays so far off."""
    sizes = range(step, len(answers) + 1, step)
    rows = [(logits(text), text.tokens) for text in answers]
    off = [abs(z(rows[:n], temperature)) >= far for n in sizes]
    last = max((i for i, seen in enumerate(off) if not seen), default=-1)
    return sizes[last + 1] if last + 1 < len(sizes) else None


def bug_report(
    answers: Sequence[Text], temperature: float, certificate: Certificate, z_of: Callable,
    cold: Sequence[Text], control: Certificate,
) -> str:  # fmt: skip
    """Markdown.

    Args:
        certificate, control: of these answers, and of those of the right round.
        z_of: the first witness, as the exercise asks for it.
        cold: answers at temperature 0.
    """
    z = z_of([(logits(text), text.tokens) for text in answers], temperature)
    n, tokens = len(answers), sum(len(text.tokens) for text in answers)
    if certificate.verdict != LOSSY:
        return (
            f"# Nothing to report: {certificate.verdict}\n\n{n} requests, {tokens} tokens, "
            f"z = {z:.1f}. Seen would have been, 99 times in 100: {', '.join(certificate.seen)}.\n"
        )
    failed = [c.name.removeprefix(f"{SERVER}: ") for c in certificate.checks if not c.passed]
    settings = explained(answers, temperature) or "none of those that are known"
    first, greedy = answers[0], verdict(cold, 0.0)
    least = smallest(answers, temperature, z_of)
    reproduce = f"the first {least} of these requests" if least else f"all {n} requests"
    lines = [
        f"# With speculation, text at temperature {temperature:g} is not the target's", "",
        f"**Asked.** {n} requests of {len(first.tokens)} tokens, every setting pinned: temperature "
        f"{temperature:g}, no top-k, top-p, min-p or penalties, seeds 0 to {n - 1}. First prompt: "
        f"`{as_text(first.prompt)!r}`.", "",
        f"**Expected.** The surprise of all tokens is the entropy of the target's rows, up to "
        f"chance. **Seen.** It is {z:.1f} standard deviations off over {tokens} tokens. Failed: "
        f"{'; '.join(failed)}.",
        "",
        f"**Smallest reproduction.** {reproduce[0].upper()}{reproduce[1:]}: |z| stays above 5.", "",
        f"**What it is not.** Greedy decoding: {greedy.verdict} at temperature 0. The models: with "
        f"the right round, {control.verdict} in answers to the same questions. Settings that would "
        f"explain these texts: {settings}. All were pinned.", "",
    ]  # fmt: skip
    return "\n".join(lines)


def keep(report: str) -> str:
    """Write it beside the lessons, and say where; an earlier one is kept under another name."""
    if not (progress.HERE / progress.FILE).exists():
        return f"Nothing is kept here. In your own copies of the lessons, {REPORT} would hold it."
    path = progress.HERE / REPORT
    write_whole(path, report, free_name(path) if path.exists() else "")
    return f"Kept: {path.parent.name}/{REPORT}"
