"""Three students at a real hub: their lesson, their homes, and kills of hub and servers."""

import os
import signal
import stat
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
import websocket

from workshop.rehearsal.student import LESSONS, Student

pytestmark = pytest.mark.slow

NOTES = f"{LESSONS}/notes.md"


def printed(one, kernel, source):
    """Return a cell's output, or the name of its error."""
    (outputs,) = one.execute(kernel, [source])
    return "".join(output.get("text") or output.get("ename", "") for output in outputs)


def kernel_of(one):
    """Start a kernel with the student's name, which is in no file."""
    kernel = one.start_kernel(f"{LESSONS}/mark.ipynb")
    one.execute(kernel, [f"known = {one.name!r}"])
    return kernel


def until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_only_who_knows_the_password_gets_in(hub):
    for name, password in ((hub.students[0], "guess"), ("eve", hub.password("eve"))):
        with pytest.raises(PermissionError, match="refused the login"):
            Student(hub.address, name).log_in(password)


def test_all_run_a_lesson_at_once_and_find_it_saved(class_of_three):
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda one: one.run_lesson("01", cells=6), class_of_three)) == [[]] * 3
    for one in class_of_three:
        one.stop_kernels()


def test_nobody_opens_anothers_server(hub, class_of_three):
    ann, bob, _ = class_of_three
    ann.save(NOTES, "ann's", "file")
    direct = hub.server_of(ann.name).environ()["JUPYTERHUB_SERVICE_URL"].rstrip("/")
    for path in (f"api/contents/{NOTES}", "api/kernels", "api/sessions", "lab", "api/terminals"):
        for address in (f"{ann.at}/{path}", f"{direct}/{path}"):
            assert bob.session.get(address, allow_redirects=False).status_code == 403
            nobody = requests.get(address, allow_redirects=False)
            assert nobody.status_code in (302, 403)
            assert "ann's" not in nobody.text
    assert bob.session.delete(f"{ann.at}/api/contents/{NOTES}").status_code == 403
    with pytest.raises(websocket.WebSocketBadStatusException, match="403"):
        websocket.create_connection(
            f"{ann.at.replace('http', 'ws')}/api/kernels/{kernel_of(ann)}/channels",
            header=dict(bob.session.headers),
        )
    for path in (f"users/{ann.name}", f"users/{ann.name}/tokens", "users"):
        assert bob.ask_hub(path).status_code in (403, 404)
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


def test_nobody_reaches_anothers_files_or_processes_or_changes_the_course(hub, class_of_three):
    if os.getuid() != 0:
        pytest.skip("not as root: all homes belong to one account, nothing keeps them apart")
    ann, bob, _ = class_of_three
    ann.save(NOTES, "ann's", "file")
    server = hub.server_of(ann.name)
    reach = REACH.format(
        home=server.environ()["HOME"],
        pid=server.pid,
        notes=NOTES,
        state=str(hub.folder / "state"),
        course=server.environ()["PYTHONPATH"],
    )
    assert printed(bob, kernel_of(bob), reach) == "over True\n"
    hers = printed(ann, kernel_of(ann), reach)  # the owner does all that is not the hub's
    assert hers.count("done") == 6
    assert "sqlite" not in hers


def test_only_the_hub_reads_its_files(hub):
    state = hub.folder / "state"
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    files = {path.name: stat.S_IMODE(path.stat().st_mode) for path in state.iterdir()}
    assert files.keys() >= {"cookie_secret", "hub.sqlite", "proxy.pid"}
    assert set(files.values()) == {0o600}


def test_a_killed_server_or_hub_loses_no_saved_work(hub, class_of_three):
    one, other = class_of_three[:2]
    for each in (one, other):
        each.save(NOTES, "before", "file")
    kernel, server = kernel_of(other), hub.server_of(other.name)
    hub.server_of(one.name).kill()
    until(lambda: one.ask("status").status_code != 200)
    one.start_server()
    assert one.read(NOTES)["content"] == "before"
    hub.kill(signal.SIGKILL)
    hub.start()
    assert other.read(NOTES)["content"] == "before"  # still logged in, too
    assert printed(other, kernel, "print(known, end='')") == other.name
    assert hub.server_of(other.name).pid == server.pid
