"""Serve the trained pair with vLLM, in an environment of its own; or record what it does.

    python -m course_utils engine                  the server, with the draft model, at port 8000
    python -m course_utils engine --with ngram --k 2     drafts of 2 tokens, not 4
    python -m course_utils engine --record FILE    every configuration in turn, into a session
    python -m course_utils engine --check FILE     what it says to the articles' commands

Neither FILE is overwritten.

The first call makes the environment .engine (4 GB and some minutes; more with a CUDA card).
The server listens on this machine only and asks for no key.
"""

import os
import shlex
import shutil
import signal
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from tqdm.auto import tqdm

from course_utils.classroom.files import check_new
from course_utils.commands.choices import check_whole
from course_utils.commands.parser import Parser
from course_utils.engines import environment, server
from course_utils.engines.configurations import CONFIGURATIONS, GAMMA, Configuration
from course_utils.engines.probed import probed, read_checks, write_record
from course_utils.engines.questions import load, questions, sampled_questions
from course_utils.engines.repair import repair, repaired
from course_utils.engines.sessions import Part, Run, Session, put, write_session
from course_utils.models.cores import cores_given
from course_utils.models.pairs import PAIRS
from course_utils.models.processor import processor_name

PORT = 8000
TOGETHER = (1, 4, 16)  # requests open at a time, under load
LOADED = ("none", "ngram", "draft_model", "suffix")  # configurations that are put under it


def main(arguments: list[str]) -> int:
    """Replaces this process by the server; 0 when a session was recorded."""
    options = _options(arguments)
    server.check_port(options.port)  # what can be told at once is told before minutes of work
    for file in filter(None, (options.record, options.check)):
        file.parent.mkdir(parents=True, exist_ok=True)
        check_new(file)
    packages = shlex.split(options.package or "")
    environment.create(packages or environment.package_here(bool(shutil.which("nvidia-smi"))))
    if options.check:
        checks = read_checks()
        write_record(probed(environment.python(), checks), options.check)
        print(f"what vLLM says to {len(checks)} commands is in {options.check}")
        return 0
    if options.record:
        with _signals_interrupt():
            write_session(record(options.port), options.record)
        print(f"recorded in {options.record}: {options.record.stat().st_size / 1e6:.2f} MB")
        return 0
    if options.repair:
        repair()
    elif _mended():
        repair(back=True)
    return _serve(CONFIGURATIONS[options.configuration].drafting(options.k), options.port)


def _options(arguments: list[str]) -> Namespace:
    parser = Parser("engine", __doc__)
    parser.add_argument(
        "--with",
        dest="configuration",
        choices=CONFIGURATIONS,
        default="draft_model",
        help="how it speculates (%(choices)s; default: %(default)s)",
        metavar="NAME",
    )
    parser.add_argument("--k", type=int, default=GAMMA, help="tokens in a draft (%(default)s)")
    parser.add_argument("--port", type=_port, default=PORT, help="default: %(default)s")
    parser.add_argument(
        "--package",
        metavar="WORDS",
        help="what pip is to install as vLLM; by default the official wheel for this machine",
    )
    parser.add_argument(
        "--repair",
        action="store_true",
        help="mend the environment's copy: on a CPU vLLM 0.32 verifies sampled requests at a "
        "temperature that was never written (lesson 12 shows it)",
    )
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--record", type=Path, metavar="FILE", help="record a session and stop")
    kept.add_argument("--check", type=Path, metavar="FILE", help="try the commands and stop")
    options = parser.parse_args(arguments)
    check_whole("k", options.k, 1)
    if options.record and options.repair:
        parser.error(
            "--record records vLLM as released, and mended after that: leave --repair away"
        )
    return options


def _port(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 6 and 0 < int(word) < 2**16):
        raise ArgumentTypeError(f"{word[:20]!r} is no port; one is a number from 1 to 65535")
    return int(word)


def _mended() -> bool:
    """By an earlier call; where there is nothing to mend, nothing was."""
    try:
        return repaired()
    except ValueError:
        return False


@contextmanager
def _signals_interrupt() -> Iterator[None]:
    """A closed terminal or a `kill` stops the server, too, as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = {sign: signal.getsignal(sign) for sign in (signal.SIGTERM, signal.SIGHUP)}
    for sign, usual in before.items():
        if usual is signal.SIG_DFL:  # not under nohup
            signal.signal(sign, interrupt)
    try:
        yield
    finally:
        for sign, usual in before.items():
            signal.signal(sign, usual)


def _serve(configuration: Configuration, port: int) -> int:
    server.check_port(port)
    print(f"{server.as_typed(configuration, port)}\n\nat http://{server.HOST}:{port} in about half "
          "a minute; Ctrl-C stops it", flush=True)  # fmt: skip
    os.chdir(server.ROOT)
    program = server.command(configuration, port)
    os.execve(program[0], program, server.settings())


def record(port: int) -> Session:
    """Every configuration as released; then those that speculate again, mended, at temperature 1.

    Raises:
        NoEngine: a server did not start, or went away; nothing is kept then.
        ValueError: this vLLM cannot be mended: it is another version, or not a CPU's.
    """
    encode = _encoder()
    repair(back=True)
    runs: dict[str, Run] = {}
    bar = tqdm(CONFIGURATIONS.values(), unit="server")
    for configuration in bar:
        bar.set_description(configuration.name)
        runs[configuration.name] = _run(configuration, port, _parts(configuration, encode))
    repair()
    try:
        bar = tqdm([c for c in CONFIGURATIONS.values() if c.speculative], unit="server")
        for configuration in bar:
            bar.set_description(f"{configuration.name}, mended")
            parts = {"sampled": (sampled_questions(encode), 1)}
            runs[f"{configuration.name}, mended"] = _run(configuration, port, parts)
    finally:
        repair(back=True)
    return Session(
        date=datetime.now(UTC).date().isoformat(),
        package=(environment.FOLDER / "packages").read_text(),
        hardware=f"{processor_name()}, {cores_given()} cores, float32",
        made_by="python -m course_utils engine --record FILE",
        runs=runs,
    )


Asked = dict[str, tuple[list, int]]  # by part: questions, and how many are open at a time


def _parts(configuration: Configuration, encode: Callable[[str], Sequence[int]]) -> Asked:
    parts: Asked = {
        "greedy": (questions(encode), 1),
        "sampled": (sampled_questions(encode), 1),
    }
    if configuration.name in LOADED:
        parts |= {f"load {together}": (load(encode), together) for together in TOGETHER}
    return parts


def _run(configuration: Configuration, port: int, parts: Asked) -> Run:
    with server.serving(configuration, port) as engine:
        version = engine.check()
        put(engine, parts[next(iter(parts))][0][:1])  # the first request compiles and allocates
        kept: dict[str, Part] = {
            name: put(engine, asked, together) for name, (asked, together) in parts.items()
        }
    return Run(
        configuration=configuration.name,
        command=server.as_typed(configuration, port),
        engine=version,
        repaired=repaired(),
        parts=kept,
    )


def _encoder() -> Callable[[str], Sequence[int]]:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(PAIRS["tiny"][0])
    return lambda text: tokenizer(text)["input_ids"]
