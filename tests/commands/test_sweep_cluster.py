"""The same sweep on a Dask cluster of this machine: two workers, each a process, on loopback."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest

from course_utils.commands import sweep_workers
from course_utils.commands.sweep_workers import Task, on_dask
from tests.commands.sweeps import (
    finished,
    paths,
    ran,
    started,
    sweep,
    table,
    until,
    write_grid,
    write_lesson,
)  # fmt: skip

distributed = pytest.importorskip("distributed")
WHO = {"square": "square", "worker": "os.getppid()", "threads": "os.environ['OMP_NUM_THREADS']",
       "waits": "os.environ['OMP_WAIT_POLICY']"}  # fmt: skip


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as started:
        yield started


@pytest.fixture
def folder(tmp_path):
    write_lesson(tmp_path)
    return tmp_path


def test_two_workers_run_a_grid_and_a_failure_stops_nothing(cluster, folder, capsys):
    (folder / "broken").touch()
    write_grid(folder, WHO, x=[21, 22, 13])  # the first two are only done if they run at once
    assert sweep(folder, "--cluster", cluster.scheduler_address) == 1
    assert "failed at x=13" in capsys.readouterr().err
    rows = table(folder)
    assert [r["square"] for r in rows] == ["441", "484", ""]
    assert {(r["threads"], r["waits"]) for r in rows if r["square"]} == {("1", "PASSIVE")}
    workers = {int(r["worker"]) for r in rows if r["worker"]}
    assert len(workers) == 2
    assert os.getpid() not in workers
    (folder / "broken").unlink()
    before = paths(folder)
    assert sweep(folder, "--cluster", cluster.scheduler_address, "--threads", "3") == 0
    assert before.items() <= paths(folder).items()
    assert ran(folder) == [13, 13, 21, 22]
    assert table(folder)[2]["threads"] == "3"


def test_kill_9_half_way_on_a_cluster_loses_no_finished_point(cluster, folder, capsys):
    write_grid(folder, x=[5, 1, 6])
    command = started(folder, "--cluster", cluster.scheduler_address)
    until(lambda: len(finished(folder)) == 2, command)
    os.kill(command.pid, signal.SIGKILL)
    command.communicate()
    before = paths(folder)
    (folder / "go").touch()  # the worker ends what it has begun
    assert sweep(folder, "--cluster", cluster.scheduler_address) == 0
    assert "2 of 3 points finished, 1 to run" in capsys.readouterr().err
    assert before.items() <= paths(folder).items()
    assert ran(folder) == [1, 1, 5, 6]


@contextmanager
def dask(what, *options):
    command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard", *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_scheduler_that_dies_is_one_line_and_its_points_are_missing(folder):
    write_grid(folder, x=[5, 1, 6])
    file = folder / "scheduler"
    where = ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
    with dask("scheduler", *where) as scheduler:
        until(lambda: file.exists() and file.read_text().endswith("}"), scheduler)
        address = json.loads(file.read_text())["address"]
        with dask("worker", address, "--nthreads", "1", "--no-nanny"):
            command = started(folder, "--cluster", address)
            until(lambda: 1 in ran(folder) and len(finished(folder)) == 1, command)
            scheduler.kill()
            _, err = command.communicate()
            (folder / "go").touch()  # for the kernel of the point that waits
    assert command.returncode == 2
    said = [line for line in err.splitlines() if line.strip() and "%|" not in line]
    assert said == [
        "lesson: 0 of 3 points finished, 3 to run",
        f"1 of 3 points are finished, in {folder / 'out'}",
        f"error: the scheduler at {address} went away: start it again; the same call then goes "
        "on with what is missing",
    ]
    assert [r["state"] for r in table(folder)] == ["finished", "missing", "missing"]


class Deadly:
    """A task that kills its worker."""

    point = "deadly"

    @property
    def code(self):
        os._exit(9)


def test_a_point_whose_workers_are_killed_fails_and_the_others_do_not(cluster, monkeypatch):
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    others = [Task(point, "", "", {}, None, 1, "other code") for point in "ab"]
    done = on_dask([*others, Deadly()], cluster.scheduler_address)
    failures = {d.point: d.failure.brief for d in done}
    assert failures == {
        **dict.fromkeys("ab", "this worker has another version of the course"),
        "deadly": "no worker finished it: KilledWorker",
    }


def test_a_scheduler_without_workers_is_not_waited_for(folder, capsys, monkeypatch):
    monkeypatch.setattr(sweep_workers, "PATIENCE", 1)
    write_grid(folder, x=2)
    options = dict(host="127.0.0.1", dashboard_address="127.0.0.1:0", n_workers=0)
    with distributed.LocalCluster(**options) as empty:
        address = empty.scheduler_address
        assert sweep(folder, "--cluster", address) == 2
    err = capsys.readouterr().err
    assert f"the scheduler at {address} has no worker: start some" in err
    assert ran(folder) == []


def test_where_no_scheduler_answers_it_is_said(folder, capsys, monkeypatch):
    monkeypatch.setattr(sweep_workers, "PATIENCE", 1)
    write_grid(folder, x=2)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        def answer():
            connection, _ = other.accept()
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.close()

        threading.Thread(target=answer, daemon=True).start()
        addresses = [f"tcp://127.0.0.1:{port}", "tcp://127.0.0.1:1", "tcp://", "tcp://a b:1"]
        for address in addresses:
            assert sweep(folder, "--cluster", address) == 2
            assert f"no Dask scheduler answers at {address}" in capsys.readouterr().err
    assert ran(folder) == []


def test_workers_of_another_version_run_nothing(cluster, folder, capsys, monkeypatch):
    monkeypatch.setattr(sweep_workers, "PACKAGE", folder)  # here; the workers have their own
    write_grid(folder, x=2)
    assert sweep(folder, "--cluster", cluster.scheduler_address) == 2
    assert "has another version of the course: update it there" in capsys.readouterr().err
    assert ran(folder) == []


def test_without_dask_it_is_said_how_to_get_it(folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    write_grid(folder, x=2)
    assert sweep(folder, "--cluster", "tcp://127.0.0.1:8786") == 2
    assert "--cluster needs Dask: install it with `pip install" in capsys.readouterr().err
