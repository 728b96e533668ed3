"""The ends of commands: an exit status, a reason on one line, and no traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from course_utils.__main__ import COMMANDS, main
from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.commands import audit, progress
from course_utils.proofs.audit import Audit, Finding


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_0_and_an_unknown_option_is_2(capsys, command):
    assert main([command, "--help"]) == 0
    out, err = capsys.readouterr()
    assert (out.startswith("usage: "), err) == (True, "")
    if command not in ("lab", "present"):  # which pass unknown options on to Jupyter
        assert main([command, "--no-such-option"]) == 2


def test_the_help_lists_every_status_and_a_wrong_command_is_2(capsys):
    assert main(["--help"]) == 0
    out, err = capsys.readouterr()
    assert all(f"\n    {status} " in out for status in (0, 1, 2, 3, 130, 141))
    assert err == ""
    assert main(["fly"]) == main(["--debug"]) == 2
    assert "fly" in capsys.readouterr().err


def test_an_audit_with_findings_is_1(capsys, monkeypatch):
    monkeypatch.setattr(audit, "audit", lambda path: Audit(2, 9, [Finding(1, "why")]))
    assert main(["audit", "run.jsonl"]) == 1
    assert "round 1: why\n" in capsys.readouterr().out


# {an invalid call: what its error names}
REFUSED = {
    "generate x --gamma 1.5": "1.5",
    "generate x --gamma 0": "gamma", "generate x --temperature -1": "temperature",
    "generate x --max-new-tokens 0": "max_new_tokens", "generate x --threads 100000": "threads",
    "generate x --rule rejection": "rejection", f"generate x --seed {2**64}": "seed",
    "generate x --drafter oracle": "oracle", "generate x --drafter tree --rule block": "block",
    "generate -x": "-x", "generate": "prompt", "generate x --target nobody/nothing": "nobody",
    "generate x --target nobody/nothing --drafter none": "nobody", "generate x --chat": "chat",
    "generate x --stop=": "stop", "generate x --stop y --trace z": "trace",
    "certify --bug mosquito": "mosquito", "certify --decoder speculate": "speculate",
    "certify --decoder nowhere.py:speculate": "nowhere.py", "certify --seconds 0": "seconds",
    "certify --target nowhere": "nowhere", "course 99": "99", "audit no-such-file": "no-such-file",
    "audit .": ".",
}  # fmt: skip
ODD = [  # not ordinary words of a shell
    (["generate", ""], "prompt"),
    (["generate", "def \udcff"], "5"),  # the place of what is not UTF-8
    (["generate", "x", "--chat", "--system", "\udcff"], "UTF-8"),
    (["generate", "x = 1\n" * 800], "prompt"),
    (["generate", "x", "--target", ""], "--target"),
]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [*((call.split(), named) for call, named in REFUSED.items()), *ODD],
    ids=lambda x: ascii(" ".join(x))[:60] if isinstance(x, list) else "",
)
def test_an_invalid_call_is_refused_in_one_line_before_any_work(quickly, capsys, arguments, named):
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert named in err
    assert err.count("\n") == 1


def test_two_dashes_end_the_options(quickly, capsys):
    assert main(["generate", "--max-new-tokens", "2", "--", "--debug"]) == 0
    assert capsys.readouterr().out.startswith("--debug")


@pytest.mark.parametrize(
    ("failing", "line"),
    [
        (lambda: {}["gamma"], "error: KeyError: 'gamma' (test_ends.py, line "),
        (lambda: torch.empty(10**15), "error: out of memory"),
        (lambda: bytearray(2**62), "error: out of memory"),
        (Path("no\nsuch\x1b[31mfile").read_text, "\\x1b[31mfile"),
        (lambda: sys.exit(0), "sys.exit(0)"),
    ],
)
def test_any_error_of_a_command_is_one_line_and_status_2(capsys, monkeypatch, failing, line):
    monkeypatch.setattr(progress, "main", lambda arguments: failing())
    assert main(["progress"]) == 2
    err = capsys.readouterr().err
    assert (line in err, err.count("\n")) == (True, 1)
    for call in (["--debug", "progress"], ["progress", "--debug"]):
        assert main(call) == 2
        assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_is_130(capsys, monkeypatch):
    monkeypatch.setattr(progress, "main", lambda arguments: os.kill(os.getpid(), signal.SIGINT))
    assert main(["progress"]) == 130
    assert capsys.readouterr().err == "\nstopped\n"


# --- as a process, with a tiny command that imports nothing -------------------------------

PROGRAM = """
import logging, sys, types, warnings
from course_utils import __main__
def main(arguments):
    {}
    return 0
sys.modules["course_utils.commands.progress"] = types.SimpleNamespace(main=main)
sys.argv = ["course_utils", *sys.argv[1:], "progress"]
sys.exit(__main__.PROGRAM.start())
"""


def program(line, *options, environment=(), **streams):
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(line), *options],
        env={**os.environ, **dict(environment)}, text=True, **streams,
    )  # fmt: skip


@pytest.mark.parametrize("flush", [True, False])
def test_a_closed_pipe_ends_it_quietly_and_a_full_disk_is_one_line(flush):
    """As in `python -m course_utils ... | head -1`."""
    line = f'print("x", flush={flush})'
    reader, writer = os.pipe()
    os.close(reader)
    done = program(line, stdout=writer, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (141, "")
    os.close(writer)
    with open("/dev/full", "w") as full:
        done = program(line, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, "No space left on device" in done.stderr) == (2, True)


INTERRUPTED = """import os; from pathlib import Path; from course_utils.files import whole
    with whole(Path("record.json")) as new:
        new.touch()
        os.kill(os.getpid(), {})"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_leaves_no_part_of_a_file(tmp_path, number):
    path = [("PYTHONPATH", str(NOTEBOOKS.parent))]
    done = program(INTERRUPTED.format(int(number)), cwd=tmp_path, environment=path)
    assert (done.returncode, [*tmp_path.iterdir()]) == (130, [])


def test_a_terminal_without_unicode_and_a_library_that_warns():
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    done = program('print("人工")', environment=ascii_only, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\\u4eba\\u5de5\n", "")
    noise = 'warnings.warn("worried"); logging.getLogger("x").warning("again")'
    quiet, loud = (program(noise, *options, capture_output=True) for options in ([], ["--debug"]))
    assert quiet.stderr == ""
    assert all(word in loud.stderr for word in ("worried", "again"))


WHILE_LOADING = """
import os, signal, sys
from course_utils import __main__
class Finder:
    def find_spec(self, name, *_):
        if name == "course_utils.writing.writing":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv = ["course_utils", "generate", "x"]
sys.exit(__main__.PROGRAM.start())
"""


def test_ctrl_c_while_libraries_load_is_silent():
    """torch calls std::terminate at a KeyboardInterrupt; the system's default is silent."""
    done = subprocess.run([sys.executable, "-c", WHILE_LOADING], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")  # 130 in a shell
