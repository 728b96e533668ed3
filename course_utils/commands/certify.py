"""Look for a defect in how a pair decodes: no defect found, lossy, or inconclusive.

Each check says what it would have seen.  Exit status: 0, no defect found; 1, lossy;
3, inconclusive; 2, something in the call was wrong.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict
from inspect import signature
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from course_utils.classroom.table import text_table
from course_utils.commands.choices import (
    add_loading,
    add_rule,
    add_settings,
    asked_settings,
    check_gamma,
    check_seed,
    check_whole,
    pair_names,
    set_threads,
)
from course_utils.commands.program import Parser
from course_utils.decoding.clock import now
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.named import DRAFTERS
from course_utils.models.loading.prompts import held_out_prompts
from course_utils.models.names import PAIRS
from course_utils.proofs.bugs import BUGS, SHAPE, TREE_BUGS, bug
from course_utils.proofs.certificate import (
    INCONCLUSIVE,
    LOSSY,
    NO_DEFECT,
    OVER,
    Certificate,
    certificate_of,
    run_checks,
    timed,
)
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.program_certificate import FLOAT32, program_checks
from course_utils.proofs.programs import Program
from course_utils.proofs.table_checks import Check
from course_utils.writing import (
    decoding_target,
    guessing_model,
    load_plugin,
    named_drafter,
    rule_for,
)


def apart(work: Callable, *given: Any, seconds: float) -> Iterator[Check | str]:
    """What `work(*given)` yields, by a child process; what it raises is raised here.

    A child that ends before its work, or does not end in time, is a reason to give no verdict.
    Where a process is started anew (not on Linux), `work` and `given` are pickled, and what it
    yields is everywhere.
    """
    context = get_context("fork" if sys.platform == "linux" else None)
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_send, args=(sender, work, given))
    end = now() + seconds
    child.start()
    sender.close()  # subtle: with our copy open the pipe would never say that the child is gone
    try:
        while receiver.poll(max(0.0, end - now())):
            found = receiver.recv()
            if found is None:
                return
            if isinstance(found, BaseException):
                raise found
            yield found
        yield OVER.format(seconds)
    except EOFError:
        child.join()
        yield f"your code: the process ended with status {child.exitcode} in the middle"
    finally:
        child.kill()
        child.join()


def _send(sender: Connection, work: Callable, given: tuple) -> None:
    try:
        for found in work(*given):
            sender.send(found)
        sender.send(None)
    except KeyboardInterrupt:  # ours, too
        return
    except BaseException as error:
        try:
            sender.send(error)
        except Exception:  # an exception of others may not be pickled
            sender.send(RuntimeError(f"{type(error).__name__}: {error}"))


def _reported(findings: Iterator[Check | str]) -> Iterator[Check | str]:
    """The same, with a line on stderr now and then; a terminal has the bars of the examinations."""
    start = said = now()
    for count, found in enumerate(findings, 1):
        if now() - said > SILENT and not sys.stderr.isatty():
            said, name = now(), getattr(found, "name", found)
            print(f"{said - start:.0f} s, {count} checks made, last {name}", file=sys.stderr)
        yield found


STATUS = {NO_DEFECT: 0, LOSSY: 1, INCONCLUSIVE: 3}
SECONDS = 1800  # of a whole examination
SILENT = 5  # seconds at most without a line, where there is no terminal
PROMPTS_OF_A_KIND = 4
GAMMA = 4
SPECIMENS = (*BUGS, *TREE_BUGS)


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    named = DRAFTERS.get(options.drafter)
    nodes = named.nodes if named and options.bug is None else _nodes(options.bug)
    if options.gamma is None:
        options.gamma = nodes or GAMMA
    check_gamma(options.gamma)  # now, not after a minute
    check_seed(options.seed)
    check_whole("seconds", options.seconds, 1)
    given = any(getattr(options, name) is not None for name in vars(Sampling()))
    options.asked = (asked_settings(options, Sampling()),) if given else ()
    start = now()
    if options.decoder or ":" in options.drafter:  # yours, which may do anything
        findings = apart(_findings, options, seconds=options.seconds)
    else:
        findings = timed(_findings(options), options.seconds)
    with closing(findings):
        certificate = certificate_of(list(_reported(findings)), now() - start)
    if options.json:
        report = asdict(certificate) | {"seen": certificate.seen, "examined": certificate.examined}
        print(json.dumps(report, allow_nan=False, default=float))
    else:
        print(as_text(certificate))
    return STATUS[certificate.verdict]


def _findings(options: argparse.Namespace) -> Iterator[Check | str]:
    """Load what was asked for, and put it to every check.

    Raises:
        ValueError: there is no such thing.
    """
    from course_utils.pairs import VocabularyMismatch, load_pair

    set_threads(options.threads, options.target or "tiny")
    target, draft = pair_names(options.target, options.draft, options.drafter)
    program = options.decoder and program_of(options.decoder)
    decoder = None if program else _decoder(options)
    try:
        pair = load_pair(
            target, draft, dtype=options.dtype, device_map=options.device_map,
            form=options.form,
        )  # fmt: skip
    except VocabularyMismatch as error:  # what has no common vocabulary cannot be decoded
        yield str(error)
        return
    prompts = [
        pair.encode(text)
        for kind in ("code", "prose")
        for text in held_out_prompts(kind)[:PROMPTS_OF_A_KIND]
    ]
    settings = options.gamma, options.seed, pair.stop_tokens, options.asked
    if program:
        yield from program_checks(pair.target, pair.draft, program, prompts, *settings)
        return
    guessing = guessing_model(named_drafter(options.drafter), pair)
    target = decoding_target(pair, guessing)
    yield from run_checks(target, guessing, decoder, prompts, *settings)


def program_of(name: str) -> Program:
    """A decoder of yours, MODULE:NAME or FILE.py:NAME: see `proofs.programs`.

    Raises:
        ValueError: no such file, module or name; or the file fails.
    """
    if not all(name.partition(":")):
        raise ValueError(
            f"decoder is {name!r}; give MODULE:NAME or FILE:NAME, as "
            "my_lessons/my_decoder.py:speculate"
        )
    return load_plugin("decoder", name, "(target, draft, prompt, ...)")


def as_text(certificate: Certificate) -> str:
    """The certificate as one page, the verdict last."""
    lines = [("check", "figure", "at most", "")]
    for check in certificate.checks:
        figures = f"{check.figure:.3g}", f"{check.threshold:.3g}"
        lines.append((check.name, *figures, _outcome(check)))
    rows = [text_table(lines, left=(0, 3))]
    rows += [f"not run: {reason}" for reason in certificate.not_run]
    verdict = f"verdict: {_verdict(certificate)} ({certificate.seconds:.0f} s)"
    examined = certificate.examined and f"examined: {certificate.examined}"
    return "\n".join([*rows, "", *filter(None, [examined, verdict])])


def _outcome(check: Check) -> str:
    """ok, and what it would have seen; or what was found."""
    if check.passed:
        return "ok  " + (check.detail or (f"sees {check.sees}" if check.sees else ""))
    return ("FAILED  " if check.decisive else "UNCLEAR  ") + check.detail


def _verdict(certificate: Certificate) -> str:
    if certificate.verdict == NO_DEFECT:
        said = "no defect found"
        if any(FLOAT32 in check.detail for check in certificate.checks):
            said += f" beyond {FLOAT32}"
        return f"{said}; 99 times in 100 it would have seen {', '.join(certificate.seen)}"
    failed = [
        f"{check.name}, {check.detail}".removesuffix(", ")
        for check in certificate.checks
        if not check.passed
    ]
    reasons = [*failed, *(f"not run: {reason}" for reason in certificate.not_run)]
    return f"{certificate.verdict.upper()}: {reasons[0]}" + f" and {len(reasons) - 1} more" * (
        len(reasons) > 1
    )


def _parser() -> argparse.ArgumentParser:
    parser = Parser("certify", __doc__, work="course_utils.pairs")
    parser.add_argument("--target", help=f"folder, hub id, or {' or '.join(PAIRS)} (default tiny)")
    parser.add_argument("--draft", help="folder or hub id of the draft model")
    parser.add_argument(
        "--drafter",
        default="model",
        help=f"{', '.join(DRAFTERS)}, or MODULE:NAME, called with (draft model)",
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--decoder",
        metavar="FILE:NAME",
        help="a whole decoder of yours, speculate(target, draft, prompt, gamma, sampling, "
        "max_new_tokens, stop_tokens, uniform): my_lessons/my_decoder.py:speculate",
    )
    add_rule(group)
    group.add_argument(
        "--bug",
        metavar="NAME",
        help=f"a specimen of the bug zoo: {'; '.join(b.name for b in SPECIMENS)}",
    )
    parser.add_argument(
        "--gamma", type=int, help="drafted tokens per round (default: 4; of a tree all nodes)"
    )
    add_loading(parser)
    add_settings(parser, "(examined beside the course's own settings)")
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        help="of the texts, and of the settings and places that are drawn (default 0)",
    )
    parser.add_argument(
        "--seconds",
        type=int,
        default=SECONDS,
        help=f"after so many no further check is begun, and code of yours is ended; the verdict "
        f"rests on what was examined (default {SECONDS})",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    return parser


def _decoder(options: argparse.Namespace) -> Decoder:
    """What is to be certified.

    Raises:
        ValueError: no such bug, rule or drafter; one that cannot be made of a model;
            a rule of chains for a drafter of trees.
    """
    if options.bug is None:
        named = named_drafter(options.drafter)
        _check_call(options.drafter, named.make)
        return Decoder(rule_for(named, options.rule), named.make)
    return bug(options.bug, SPECIMENS).decoder


def _nodes(name: str | None) -> int | None:
    """Of the trees that a specimen drafts; None: it drafts chains."""
    return len(SHAPE) if name in {b.name for b in TREE_BUGS} else None


def _check_call(name: str, make: object) -> None:
    """Noticed now, not after a minute."""
    try:
        signature(make).bind(None)
    except TypeError as error:
        raise ValueError(f"{name} must be callable as {name}(draft model): {error}") from None
    except ValueError:  # a callable of C, which has no signature to ask
        return
