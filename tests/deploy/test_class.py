"""Three students at a real hub: their lesson, their homes, and what may be killed under them."""

import os
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
import websocket

from deploy import limits
from tests.deploy.conftest import ENGINE
from workshop.commands.rehearse import main
from workshop.rehearsal.hub import ROOT
from workshop.rehearsal.memory import family
from workshop.rehearsal.session import is_kernel, mark, recall, until
from workshop.rehearsal.student import LESSONS, Student, errors

pytestmark = pytest.mark.slow

NOTES = f"{LESSONS}/notes.md"


def said(one, kernel, source):
    """What a cell printed; of an error its name."""
    (outputs,) = one.execute(kernel, [source])
    return "".join(output.get("text") or output.get("ename", "") for output in outputs)


@pytest.fixture
def kernels(class_of_three):
    """A kernel of each, which knows its student's name."""
    return {one.name: mark(one) for one in class_of_three}


def test_only_who_knows_the_password_gets_in(hub):
    for name, password in ((hub.students[0], "guess"), ("eve", hub.password("eve"))):
        with pytest.raises(PermissionError, match="was not let in"):
            Student(hub.address, name).log_in(password)


def test_all_run_a_lesson_at_once_and_find_it_saved(class_of_three):
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda one: one.run_lesson("01", cells=6), class_of_three))
    for one, notebook in zip(class_of_three, done, strict=True):
        assert errors(notebook) == []
        drawn = [o for cell in notebook["cells"] for o in cell.get("outputs", [])]
        assert any("application/vnd.jupyter.widget-view+json" in o.get("data", {}) for o in drawn)
        for kernel in one.kernels():
            one.stop_kernel(kernel["id"])


def test_a_server_has_its_threads_its_engine_and_no_more_memory_than_it_may(
    class_of_three, kernels
):
    one = class_of_three[0]
    kernel = kernels[one.name]
    for name, value in {**limits.THREADING, "COURSE_ENGINE": ENGINE}.items():
        assert said(one, kernel, f"import os; print(os.environ[{name!r}], end='')") == value
    too_much = f"import numpy; numpy.ones({limits.MEMORY} // 8)"
    assert said(one, kernel, too_much) == "MemoryError"
    assert recall(one, kernel) == one.name


def test_nobody_opens_anothers_server(hub, class_of_three, kernels):
    ann, bob, _ = class_of_three
    ann.save(NOTES, "ann's", "file")
    token = {"Authorization": f"token {bob.token()}"}
    direct = hub.process_of(ann.name).environ()["JUPYTERHUB_SERVICE_URL"].rstrip("/")
    for path in (f"api/contents/{NOTES}", "api/kernels", "api/sessions", "lab", "api/terminals"):
        through_the_hub = f"{ann.at}/{path}"
        past_the_hub = f"{direct}/{path}"
        assert bob.session.get(through_the_hub).status_code == 403
        for address in (through_the_hub, past_the_hub):
            assert requests.get(address, headers=token, allow_redirects=False).status_code == 403
            nobody = requests.get(address, allow_redirects=False)
            assert nobody.status_code in (302, 403)
            assert "ann's" not in nobody.text
    body = {"type": "file", "format": "text", "content": "bob's"}
    changed = requests.put(f"{ann.at}/api/contents/{NOTES}", json=body, headers=token)
    assert changed.status_code == 403
    assert requests.delete(f"{ann.at}/api/contents/{NOTES}", headers=token).status_code == 403
    with pytest.raises(websocket.WebSocketBadStatusException, match="403"):
        websocket.create_connection(
            f"{ann.at.replace('http', 'ws')}/api/kernels/{kernels[ann.name]}/channels", header=token
        )
    for path in (f"users/{ann.name}", f"users/{ann.name}/tokens", "users"):
        answer = requests.get(f"{hub.address}/hub/api/{path}", headers=token)
        assert answer.status_code in (403, 404)
    assert ann.read(NOTES)["content"] == "ann's"


REACH = """
import os
def tried(act, *given):
    try:
        act(*given)
        print("done", given)
    except (PermissionError, FileNotFoundError):
        pass
home, pid, state, course = {home!r}, {pid}, {state!r}, {course!r}
for path in (home, f"{{home}}/my_lessons", state):
    tried(os.listdir, path)
for path in (f"{{home}}/{notes}", f"/proc/{{pid}}/environ", f"{{state}}/hub.sqlite"):
    tried(open, path)
tried(open, f"{{home}}/new", "w")
tried(open, f"{{course}}/data/target/config.json", "a")
tried(open, f"{{course}}/course_utils/new.py", "w")
tried(os.kill, pid, 0)
print("over", os.getuid() == os.stat(os.path.expanduser("~")).st_uid)
"""


def test_nobody_reaches_anothers_files_or_processes_or_changes_the_course(
    hub, own_accounts, kernels
):
    ann, bob, _ = own_accounts
    ann.save(NOTES, "ann's", "file")
    server = hub.process_of(ann.name)
    reach = REACH.format(
        home=server.environ()["HOME"],
        pid=server.pid,
        notes=NOTES,
        state=str(hub.folder / "state"),
        course=server.environ()["PYTHONPATH"],
    )
    assert said(bob, kernels[bob.name], reach) == "over True\n"
    hers = said(ann, kernels[ann.name], reach)  # the owner does all that is not the hub's
    assert hers.count("done") == 6
    assert "sqlite" not in hers


def test_what_the_hub_keeps_is_for_its_eyes(hub, class_of_three):
    state = hub.folder / "state"
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    kept = [path for path in state.iterdir() if path.is_file()]
    assert {path.name for path in kept} >= {"cookie_secret", "hub.sqlite", "proxy.pid"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


def test_a_killed_kernel_loses_no_saved_work(hub, class_of_three):
    one = class_of_three[0]
    one.save(NOTES, "before the kernel", "file")
    mark(one)
    next(p for p in family(hub.process_of(one.name)) if is_kernel(p)).kill()
    assert one.read(NOTES)["content"] == "before the kernel"
    assert recall(one, mark(one)) == one.name


def test_a_killed_server_loses_no_saved_work(hub, class_of_three):
    one = class_of_three[0]
    one.save(NOTES, "before the server", "file")
    hub.process_of(one.name).kill()
    until(lambda: one.ask("status").status_code != 200)
    one.start_server()
    assert one.read(NOTES)["content"] == "before the server"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["asked", "killed"])
def test_a_restarted_hub_loses_neither_work_nor_a_kernels_variables(hub, class_of_three, how):
    one = class_of_three[1]
    one.save(NOTES, "before the hub", "file")
    kernel, server = mark(one), hub.process_of(one.name)
    hub.kill(how)
    hub.start()
    assert one.read(NOTES)["content"] == "before the hub"  # still logged in, too
    assert recall(one, kernel) == one.name
    assert hub.process_of(one.name).pid == server.pid


def test_an_instructor_sees_who_passed_what(hub, class_of_three):
    _, bob, _ = class_of_three
    kernel = bob.start_kernel(f"{LESSONS}/a.ipynb")
    note = "from course_utils.classroom.progress import record"
    assert said(bob, kernel, f"{note}; record('tokens_per_round', 'passed')") == ""
    homes = os.path.dirname(hub.process_of(bob.name).environ()["HOME"])
    run = subprocess.run(
        [sys.executable, "-m", "course_utils", "progress", "--homes", homes],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    rows = {line.split()[0]: line.split() for line in run.stdout.splitlines() if line}
    passed = {name: row[2].partition("/")[0] for name, row in rows.items() if name in hub.students}
    assert passed == {name: "1" if name == bob.name else "0" for name in hub.students}


def test_who_is_idle_is_stopped_and_told_later_if_the_home_takes_nothing(hub, class_of_three):
    """The hub's own culler, with the rights that it was given, but an hour passes in a second."""
    last = class_of_three[2]
    last.save(NOTES, "before the night", "file")
    home = Path(hub.process_of(last.name).environ()["HOME"])
    culler = next(p for p in hub.processes() if "jupyterhub_idle_culler" in p.cmdline())
    assert culler.cmdline()[1:] == limits.culler(sys.executable)[1:]
    command = [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=1", "--cull-every=1"]
    impatient = subprocess.Popen(command, env=culler.environ())
    try:
        until(lambda: not last.ask_hub(f"users/{last.name}").json()["servers"])
    finally:
        impatient.terminate()
        impatient.wait()
    mode = home.stat().st_mode
    home.chmod(0o500)
    answer = last.ask_hub(f"users/{last.name}/server", "POST")
    home.chmod(mode)
    assert answer.status_code == 500
    assert "Your home cannot be written to" in answer.json()["message"]
    last.start_server()
    assert last.read(NOTES)["content"] == "before the night"


def test_the_figures_of_another_class_are_not_overwritten(tmp_path):
    file = tmp_path / "class.json"
    file.write_text("{}")
    with pytest.raises(FileExistsError, match="exists and is not overwritten"):
        main(["--out", str(file)])
    assert file.read_text() == "{}"
