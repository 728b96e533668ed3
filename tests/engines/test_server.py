"""A server that is started and stopped: another program stands in vLLM's place."""

import os
import socket
import subprocess
import sys
import time

import psutil
import pytest

from course_utils.engines import server
from course_utils.engines.client import KEY, NoEngine
from course_utils.engines.configurations import CONFIGURATIONS, MODEL
from course_utils.engines.environment import python
from course_utils.engines.server import as_typed, check_port, command, serving, settings

PLAIN = CONFIGURATIONS["none"]
STAND_IN = f"""#!{sys.executable} -IS
import json, os, signal, subprocess, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

HERE = os.path.dirname(os.path.abspath(__file__))
MANNERS = open(os.path.join(HERE, "manners")).read().split()
PAGES = {{"/v1/models": {{"data": [{{"id": {MODEL!r}}}]}}, "/version": {{"version": "0.0"}}}}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps(PAGES[self.path]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_): ...


if "stubborn" in MANNERS:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
worker = subprocess.Popen([sys.executable, "-ISc", "import time; time.sleep(600)"])
with open(os.path.join(HERE, "begun"), "w") as file:
    file.write(f"{{os.getpid()}} {{worker.pid}}")
os.replace(os.path.join(HERE, "begun"), os.path.join(HERE, "processes"))  # whole, or not there
if "dies" in MANNERS:
    os.write(2, b"x" * 5000 + b"RuntimeError: no such \\xff kernel\\n")
    sys.exit(1)
server = HTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Handler)
if "silent" in MANNERS:
    signal.pause()
server.serve_forever()
"""


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def vllm(tmp_path, monkeypatch):
    """`vllm("stubborn")` -> an environment whose server has such manners."""
    monkeypatch.setattr(server, "PROBE", 0.5)
    monkeypatch.setattr(server, "GRACE", 10)

    def make(manners="", name=".engine"):
        folder = tmp_path / name
        python(folder).parent.mkdir(parents=True)
        python(folder).write_text(STAND_IN)
        python(folder).chmod(0o755)
        (python(folder).parent / "manners").write_text(manners)
        return folder

    yield make
    for pid in running(tmp_path / ".engine"):  # of a test that failed
        psutil.Process(pid).kill()


def running(folder):
    """Of the server and its worker, those that have not ended."""
    return [
        pid
        for pid in started(folder)
        if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    ]


def started(folder):
    """The server's process and its worker's, once the server has written them down."""
    said = python(folder).parent / "processes"
    return [int(pid) for pid in said.read_text().split()] if said.exists() else []


def all_gone(folder):
    """A killed process ends a moment later."""
    for _ in range(3000):
        if not running(folder):
            return bool(started(folder))
        time.sleep(0.01)
    return False


def test_it_serves_while_the_block_runs(vllm, port):
    folder = vllm()
    with serving(PLAIN, port, folder) as engine:
        assert engine.check() == "0.0"
        assert len(running(folder)) == 2
        here = started(folder)
        with pytest.raises(OSError, match="cannot be had"), serving(PLAIN, port, folder):
            pass
        assert started(folder) == here
    assert all_gone(folder)
    with pytest.raises(NoEngine):
        engine.check()
    with serving(PLAIN, port, folder):  # the port is free again
        pass


def test_one_that_does_not_want_to_end_is_ended(vllm, port, monkeypatch):
    monkeypatch.setattr(server, "GRACE", 0.2)
    folder = vllm("stubborn")
    with serving(PLAIN, port, folder):
        pass
    assert all_gone(folder)


def test_a_second_ctrl_c_leaves_nothing_behind(vllm, port, monkeypatch):
    folder = vllm("stubborn")
    wait, interrupts = subprocess.Popen.wait, [KeyboardInterrupt]

    def interrupted(process, *patience):
        if interrupts:
            raise interrupts.pop()
        return wait(process, *patience)

    with pytest.raises(KeyboardInterrupt), serving(PLAIN, port, folder):  # noqa: PT012
        monkeypatch.setattr(subprocess.Popen, "wait", interrupted)
        raise KeyboardInterrupt
    assert interrupts == []
    assert all_gone(folder)


def test_one_that_dies_is_shown_with_its_last_words(vllm, port):
    folder = vllm("dies")
    with (
        pytest.raises(NoEngine, match=r"vLLM ended\. Its last words") as raised,
        serving(PLAIN, port, folder),
    ):
        raise AssertionError("it never ran")
    assert "RuntimeError: no such \N{REPLACEMENT CHARACTER} kernel" in str(raised.value)
    assert len(str(raised.value)) < 3100
    assert all_gone(folder)  # its worker, too


def test_one_that_never_answers_is_given_up(vllm, port, monkeypatch):
    monkeypatch.setattr(server, "PATIENCE", 0.1)
    folder, begun = vllm("silent"), time.monotonic()
    processes = python(folder).parent / "processes"
    # the clock stands until the engine runs, however long a busy machine takes to start it
    monkeypatch.setattr(
        server, "monotonic", lambda: time.monotonic() if processes.exists() else begun
    )
    with (
        pytest.raises(NoEngine, match=r"did not answer within 0\.1 seconds"),
        serving(PLAIN, port, folder),
    ):
        raise AssertionError("it never answered")
    assert all_gone(folder)


def test_another_server_that_answers_is_not_taken_for_ours(vllm, port, monkeypatch):
    """It took the port between the look and the start, and ours ended."""
    ours = vllm("dies")
    monkeypatch.setattr(server, "check_port", lambda _: None)
    with serving(PLAIN, port, vllm(name="other")) as others:
        monkeypatch.setattr(server.Engine, "check", answered_when_dead(ours))
        with pytest.raises(NoEngine, match="vLLM ended"), serving(PLAIN, port, ours):
            raise AssertionError(f"{others} is not ours")


def answered_when_dead(folder):
    check = server.Engine.check

    def wait_and_check(engine):
        while not started(folder) or started(folder)[0] in running(folder):
            time.sleep(0.01)
        return check(engine)

    return wait_and_check


def test_without_an_environment_it_says_how_to_make_one(tmp_path, port):
    with (
        pytest.raises(FileNotFoundError, match=r"no \.engine: `make engine` makes it"),
        serving(PLAIN, port, tmp_path / ".engine"),
    ):
        raise AssertionError("there is nothing to run")


@pytest.mark.parametrize(("number", "other"), [(1, 8001), (8000, 8001), (65535, 8001)])
def test_a_port_that_cannot_be_had_is_told_with_another_one(monkeypatch, number, other):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(OSError, match=rf"port {number} .*\(Permission denied\).*PORT={other}$"):
        check_port(number)


def test_what_it_inherits(monkeypatch, tmp_path):
    for name in ("OMP_NUM_THREADS", "VLLM_API_KEY", "PYTHONPATH", "HF_HUB_OFFLINE"):
        monkeypatch.setenv(name, "7")
    monkeypatch.setenv("HOME", "/home/somebody")
    variables = settings(tmp_path)
    assert variables["HF_HUB_OFFLINE"] == "1"
    assert variables["HOME"] == "/home/somebody"
    assert not {"OMP_NUM_THREADS", "VLLM_API_KEY", "PYTHONPATH"} & variables.keys()
    assert KEY not in server.SETTINGS
    assert "LD_PRELOAD" not in variables or variables["LD_PRELOAD"] == os.environ["LD_PRELOAD"]
    library = tmp_path / "lib" / "python3.11" / "libiomp5.so"
    library.parent.mkdir(parents=True)
    library.write_text("")
    monkeypatch.setenv("LD_PRELOAD", "/mine.so")
    assert settings(tmp_path)["LD_PRELOAD"] == f"{library}:/mine.so"


@pytest.mark.parametrize("configuration", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_every_configuration_listens_on_this_machine_only(configuration, tmp_path):
    words = command(configuration, 8123, tmp_path)
    assert words[words.index("--host") + 1] == "127.0.0.1"
    assert words[words.index("--port") + 1] == "8123"
    typed = as_typed(configuration, 8123)
    assert str(server.ROOT) not in typed
    assert typed.startswith("vllm serve data/target ")
    assert "--api-key" not in words
    assert "--trust-remote-code" not in words
