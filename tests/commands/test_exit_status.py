"""However a command ends: the exit status says it, one line says why, no traceback is shown."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from course_utils.__main__ import COMMANDS, main
from course_utils.commands import progress
from course_utils.commands.program import Parser
from tests.forks import exit_status
from tests.traces import read_trace


def said(capsys):
    """The one line on stderr, without a line end."""
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1, captured.err
    return captured.err.rstrip("\n")


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("even this fails")


def raising(error):
    raise error


def endless():
    return endless()


@pytest.mark.parametrize(
    ("failing", "line"),
    [
        (lambda: {}["gamma"], "error: KeyError: 'gamma'; --debug shows the rest"),
        (lambda: 1 / 0, "error: ZeroDivisionError: division by zero; --debug shows the rest"),
        (endless, "error: RecursionError: maximum recursion"),
        (lambda: torch.empty(10**15), "error: memory ran out (RuntimeError: "),
        (lambda: np.empty(10**15), "error: Unable to allocate"),
        (lambda: bytearray(2**62), "error: memory ran out (MemoryError: no details)"),
        (Path("a\0b").read_text, "error: embedded null byte"),
        (Path("no\nsuch\x1b[31mfile").read_text, "\\x1b[31mfile"),
        (lambda: int("x" * 3), "error: invalid literal for int() with base 10: 'xxx'"),
        (lambda: sys.exit(0), "sys.exit(0), which is no result"),
        (lambda: sys.exit("done"), "sys.exit(done), which is no result"),
        (lambda: raising(Silent()), "error: Silent: no details"),
        (lambda: torch.zeros(2) + torch.zeros(3), "error: RuntimeError: The size of tensor a (2)"),
        (lambda: os.read(os.pipe()[0], -1), "error: [Errno 22]"),
        (lambda: raising(BrokenPipeError(32, "of a plug-in")), "of a plug-in"),
    ],
)  # fmt: skip
def test_whatever_a_command_raises_is_one_line_and_status_2(capsys, monkeypatch, failing, line):
    monkeypatch.setattr(progress, "main", lambda arguments: failing())
    assert main(["progress"]) == 2
    assert line in said(capsys)
    for arguments in (["--debug", "progress"], ["progress", "--debug"]):
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert "Traceback" in error
        assert line in error.splitlines()[-1]


def test_ctrl_c_is_130(capsys, monkeypatch):
    def interrupted(arguments):
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(progress, "main", interrupted)
    assert main(["progress"]) == 130
    assert capsys.readouterr().err == "\nstopped\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_0_and_an_unknown_option_is_2(capsys, command):
    assert main([command, "--help"]) == 0
    captured = capsys.readouterr()
    assert (captured.out.startswith("usage: "), captured.err) == (True, "")
    if command != "lab":  # what it does not know goes to JupyterLab
        assert main([command, "--no-such-option"]) == 2
        assert "error: " in capsys.readouterr().err


def test_the_help_has_every_status_and_a_wrong_command_is_named(capsys):
    assert main(["--help"]) == 0
    captured = capsys.readouterr()
    assert all(f"\n    {status} " in captured.out for status in (0, 1, 2, 3, 130, 141))
    assert captured.err == ""
    for arguments, message in (
        (["fly"], "no command is called 'fly'"), ([], "name a command"), (["--debug"], "name a"),
    ):  # fmt: skip
        assert main(arguments) == 2
        captured = capsys.readouterr()
        assert "generate" in captured.out
        assert message in captured.err


def test_a_parser_complains_in_one_line(capsys):
    parser = Parser("paint", "Paint.")
    parser.add_argument("--width", type=int)
    with pytest.raises(ValueError, match=r"--width: invalid int value: 'x'; `python -m course"):
        parser.parse_args(["--width", "x"])
    assert capsys.readouterr().err == ""


def test_what_follows_two_dashes_is_not_the_option_debug(capsys):
    options = ("--max-new-tokens", "2", "--temperature", "0", "--threads", "1")
    assert main(["generate", *options, "--", "--debug"]) == 0
    assert capsys.readouterr().out.startswith("--debug")


@pytest.mark.parametrize(
    "call", ["sys.exit(0)", "import argparse; argparse.ArgumentParser().exit()"]
)
def test_a_plug_in_that_exits_does_not_decide_the_verdict(capsys, monkeypatch, tmp_path, call):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    name = f"quits_{call.count('argparse')}"
    Path(f"{name}_at_once.py").write_text(f"import sys\n{call}\n")
    Path(f"{name}_later.py").write_text(
        f"import sys\nclass Quits:\n    def __init__(self, model):\n        {call}\n"
    )
    assert main(["certify", "--drafter", f"{name}_at_once:Quits"]) == 2
    assert "exit" in said(capsys).lower()
    assert main(["certify", "--drafter", f"{name}_later:Quits"]) == 3  # nothing could be run
    assert (
        "verdict: INCONCLUSIVE: not run: exact distribution: SystemExit" in capsys.readouterr().out
    )


@pytest.mark.parametrize("text", ["raise KeyError('x')", "def f(:", "import no_such_module_at_all"])
def test_a_plug_in_that_cannot_be_imported_is_named(capsys, monkeypatch, tmp_path, text):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    name = f"broken_{len(text)}"
    Path(f"{name}.py").write_text(text)
    assert main(["certify", "--drafter", f"{name}:Mine"]) == 2
    assert f"there is no drafter {name}:Mine, because of " in said(capsys)


# --- as a program ------------------------------------------------------------------

# The whole way but for the command, which does one thing and imports nothing.
PROGRAM = """
import logging, sys, types, warnings
from course_utils import __main__
from course_utils.commands import program
def main(arguments):
    {}
    return 0
sys.modules["course_utils.commands.progress"] = types.SimpleNamespace(main=main)
sys.argv = ["course_utils", "progress", *sys.argv[1:]]
sys.exit(program.start(__main__.PROGRAM))
"""
AT_ONCE, LATER = 'print("人工", flush=True)', 'print("人工")'


def program(line, *options, environment=(), **streams):
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(line), *options],
        env={**os.environ, **dict(environment)}, text=True, **streams,
    )  # fmt: skip


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("line", [AT_ONCE, LATER])
def test_a_closed_pipe_ends_it_quietly(line, unbuffered):
    """As in `python -m course_utils ... | head -1`."""
    reader, writer = os.pipe()
    os.close(reader)
    environment = {"PYTHONUNBUFFERED": unbuffered}
    done = program(line, environment=environment, stdout=writer, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (141, "")
    assert program(line, environment=environment, stdout=writer, stderr=writer).returncode == 141
    os.close(writer)


@pytest.mark.parametrize("line", [AT_ONCE, LATER])
def test_a_full_disk_is_one_line(line):
    with open("/dev/full", "w") as full:
        done = program(line, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, "error: [Errno 28] No space left on device\n")


def test_streams_that_are_closed_are_done_without():
    for line, status in ((AT_ONCE, 0), ("raise ValueError", 2), ('print("x", file=sys.stderr)', 0)):
        script = PROGRAM.format(line)
        done = subprocess.run(
            f"exec '{sys.executable}' -c \"$SCRIPT\" >&- 2>&-",
            shell=True, env={**os.environ, "SCRIPT": script}, capture_output=True, text=True,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (status, "", "")


def test_what_the_terminal_cannot_show_is_replaced():
    done = program(LATER, environment={"PYTHONIOENCODING": "ascii"}, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\\u4eba\\u5de5\n", "")


@pytest.mark.parametrize(
    "line",
    [
        "sys.stdout = sys.stderr = None",
        "sys.stdout.close(); sys.stderr.close()",
        "class Rude(Exception): __str__ = lambda self: sys.exit(0)\n    raise Rude",
        "import atexit; atexit.register(print, flush=True); sys.stdout.close()",
    ],
)
def test_a_plug_in_that_breaks_the_streams_does_not_pass_for_an_answer(line):
    done = program(line, capture_output=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_gone_is_named_before_torch_looks_for_its_own(tmp_path):
    """MKL ends the program there and then, and says that a file of its own is missing."""
    command = f"cd '{tmp_path}' && rmdir '{tmp_path}' && '{sys.executable}' -m course_utils doctor"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    line = "error: the folder you are in was deleted: go to another one\n"
    assert (done.returncode, done.stderr) == (2, line)


def test_what_libraries_warn_of_is_for_debugging_only():
    noise = 'warnings.warn("worried"); logging.getLogger("x").warning("again"); 1 / 0'
    quiet, loud = (program(noise, *options, capture_output=True) for options in ([], ["--debug"]))
    assert quiet.returncode == loud.returncode == 2
    assert quiet.stderr == "error: ZeroDivisionError: division by zero; --debug shows the rest\n"
    assert loud.stderr.endswith(quiet.stderr)
    assert all(word in loud.stderr for word in ("worried", "again", "Traceback"))


WHILE_LOADING = """
import os, signal, sys
from course_utils import __main__
from course_utils.commands import program
class Finder:
    def find_spec(self, name, *_):
        if name == "course_utils.pairs":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv = ["course_utils", "generate", "x"]
sys.exit(program.start(__main__.PROGRAM))
"""


def test_ctrl_c_while_libraries_load_is_not_left_to_them():
    """torch calls std::terminate at a KeyboardInterrupt; the system's own way is silent."""
    done = subprocess.run([sys.executable, "-c", WHILE_LOADING], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")  # 130 in a shell


def traced(path, most):
    """`generate --trace` in a process that may write files of `most` bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    torch.set_num_threads(1)
    sys.stderr = open(path.with_suffix(".said"), "w")  # noqa: SIM115
    sys.exit(
        main(["generate", "x", "--max-new-tokens", "24", "--gamma", "4", "--trace", str(path)])
    )


@pytest.mark.slow
def test_a_trace_keeps_the_rounds_it_has_when_the_disk_is_full(tmp_path):
    path = tmp_path / "run.jsonl"
    assert exit_status(traced, path, 600_000) == 2
    said = path.with_suffix(".said").read_text()
    assert said.startswith(f"error: {path} cannot be written to any more: File too large")
    rounds, _ = read_trace(path)
    assert len(rounds) > 2
    assert rounds[-1].stop_reason is None
