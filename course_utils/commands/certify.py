"""Look for a defect in how a pair decodes: no defect found, lossy, or inconclusive.

Each check says what it would have seen.  Exit status: 0, no defect found; 1, lossy;
3, inconclusive; 2, something in the call was wrong.
"""

import argparse
import json
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import asdict
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from course_utils.classroom.table import text_table
from course_utils.commands.choices import (
    add_pair,
    add_rule,
    add_settings,
    check_gamma,
    check_seed,
    check_whole,
    pair_names,
    sampling_of,
    set_threads,
)
from course_utils.commands.program import Parser
from course_utils.decoding.clock import now
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.named import DRAFTERS
from course_utils.models.names import held_out_prompts
from course_utils.proofs.bugs import BUGS, SHAPE, TREE_BUGS, bug
from course_utils.proofs.certificate import (
    INCONCLUSIVE,
    LOSSY,
    NO_DEFECT,
    OVER,
    Certificate,
    Check,
    certificate_of,
)
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.exact_walk import FLOAT32
from course_utils.proofs.examination import every_check
from course_utils.proofs.programs import Program
from course_utils.writing import (
    decoding_target,
    guessing_model,
    load_plugin,
    named_drafter,
    rule_for,
)

STATUS = {NO_DEFECT: 0, LOSSY: 1, INCONCLUSIVE: 3}
MAX_SECONDS = 1800  # of a whole examination
PROMPTS_OF_A_KIND = 4
GAMMA = 4
SPECIMENS = (*BUGS, *TREE_BUGS)


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    named = DRAFTERS.get(options.drafter)
    nodes = named.nodes if named else None
    if options.bug is not None:
        nodes = len(SHAPE) if options.bug in {specimen.name for specimen in TREE_BUGS} else None
    if options.gamma is None:
        options.gamma = nodes or GAMMA
    check_gamma(options.gamma)  # now, not after a minute
    check_seed(options.seed)
    check_whole("seconds", options.seconds, 1)
    given = any(getattr(options, name) is not None for name in vars(Sampling()))
    options.settings = (sampling_of(options),) if given else ()
    start = now()
    with closing(in_child_process(_findings, options, seconds=options.seconds)) as findings:
        certificate = certificate_of(list(findings), now() - start)
    if options.json:
        report = asdict(certificate) | {"seen": certificate.power, "examined": certificate.examined}
        print(json.dumps(report, allow_nan=False, default=float))
    else:
        print(as_text(certificate))
    return STATUS[certificate.verdict]


def in_child_process(
    work: Callable, *given: Any, seconds: float
) -> Generator[Check | str, None, None]:
    """Yield what `work(*given)` yields, in a child process; what it raises is raised here.

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
            finding = receiver.recv()
            if finding is None:
                return
            if isinstance(finding, BaseException):
                raise finding
            yield finding
        yield OVER.format(seconds)
    except EOFError:
        child.join()
        yield f"your code: the process ended with status {child.exitcode} in the middle"
    finally:
        child.kill()
        child.join()


def _send(sender: Connection, work: Callable, given: tuple) -> None:
    try:
        for finding in work(*given):
            sender.send(finding)
        sender.send(None)
    except KeyboardInterrupt:  # ours, too
        return
    except BaseException as error:
        try:
            sender.send(error)
        except Exception:  # an exception of others may not be pickled
            sender.send(RuntimeError(f"{type(error).__name__}: {error}"))


def _findings(options: argparse.Namespace) -> Iterator[Check | str]:
    """Load what was asked for, and put it to every check.

    Raises:
        ValueError: there is no such bug, rule, drafter, file or model.
    """
    from course_utils.pairs import load_pair

    set_threads(options.threads, options.target or "tiny")
    names = pair_names(options.target, options.draft, options.drafter)
    decoder = _decoder(options)
    pair = load_pair(*names, dtype=options.dtype, device_map=options.device_map, form=options.form)
    prompts = [
        pair.encode(text)
        for kind in ("code", "prose")
        for text in held_out_prompts(kind)[:PROMPTS_OF_A_KIND]
    ]
    settings = options.gamma, options.seed, pair.stop_tokens, options.settings
    if options.decoder:
        yield from every_check(pair.target, pair.draft, decoder, prompts, *settings)
        return
    guessing = guessing_model(named_drafter(options.drafter), pair)
    target = decoding_target(pair, guessing)
    yield from every_check(target, guessing, decoder, prompts, *settings)


def _decoder(options: argparse.Namespace) -> Decoder | Program:
    if options.decoder:
        if not all(options.decoder.partition(":")):
            raise ValueError(
                f"decoder is {options.decoder!r}; give MODULE:NAME or FILE:NAME, as "
                "my_lessons/my_decoder.py:speculate"
            )
        return load_plugin("decoder", options.decoder, "(target, draft, prompt, ...)")
    if options.bug is not None:
        return bug(options.bug, SPECIMENS).decoder
    named = named_drafter(options.drafter)
    return Decoder(rule_for(named, options.rule), named.make)


def as_text(certificate: Certificate) -> str:
    """The certificate as one page, the verdict last."""
    lines = [("check", "figure", "at most", "")]
    for check in certificate.checks:
        outcome = "FAILED  "
        if check.passed:
            outcome = "ok  " + ("" if check.detail or not check.sees else f"sees {check.sees}")
        figures = f"{check.figure:.3g}", f"{check.threshold:.3g}"
        lines.append((check.name, *figures, outcome + check.detail))
    rows = [text_table(lines, left=(0, 3))]
    rows += [f"not run: {reason}" for reason in certificate.not_run]
    verdict = f"verdict: {_verdict(certificate)} ({certificate.seconds:.0f} s)"
    examined = certificate.examined and f"examined: {certificate.examined}"
    return "\n".join([*rows, "", *filter(None, [examined, verdict])])


def _verdict(certificate: Certificate) -> str:
    if certificate.verdict == NO_DEFECT:
        beyond = f" beyond {FLOAT32}" * any(FLOAT32 in c.detail for c in certificate.checks)
        seen = ", ".join(certificate.power)
        power = f"; 99 times in 100 it would have seen {seen}" if seen else ""
        return f"{NO_DEFECT}{beyond}{power}"
    failed = [check for check in certificate.checks if not check.passed]
    reasons = [f"{check.name}, {check.detail}".removesuffix(", ") for check in failed]
    reasons += [f"not run: {reason}" for reason in certificate.not_run]
    more = f" and {len(reasons) - 1} more" * (len(reasons) > 1)
    return f"{certificate.verdict.upper()}: {reasons[0]}{more}"


def _parser() -> argparse.ArgumentParser:
    parser = Parser("certify", __doc__, work="course_utils.pairs")
    add_pair(parser)
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--decoder",
        metavar="FILE:NAME",
        help="a whole decoder of yours, speculate(target, draft, prompt, gamma, sampling, "
        "max_new_tokens, stop_tokens, uniform): my_lessons/my_decoder.py:speculate",
    )
    add_rule(group)
    specimens = f"a specimen of the bug zoo: {'; '.join(b.name for b in SPECIMENS)}"
    group.add_argument("--bug", metavar="NAME", help=specimens)
    gamma = "drafted tokens per round (default: 4; of a tree all nodes)"
    parser.add_argument("--gamma", type=int, help=gamma)
    add_settings(parser, "(examined beside the course's own settings)")
    seed = "of the texts, and of the places that are drawn (default 0)"
    parser.add_argument("--seed", type=int, default=0, help=seed)
    parser.add_argument(
        "--seconds",
        type=int,
        default=MAX_SECONDS,
        help="after so many the examination is ended; the verdict rests on what was examined "
        "(default %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    return parser
