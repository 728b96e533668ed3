"""Three students at a real hub: their lesson, their homes, and kills of hub and servers."""

import os
import signal
import stat
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from workshop.rehearsal.student import LESSONS, Student

pytestmark = pytest.mark.slow

NOTES = f"{LESSONS}/notes.md"


def test_only_who_knows_the_password_gets_in(hub):
    for name, password in ((hub.students[0], "guess"), ("eve", hub.password("eve"))):
        with pytest.raises(PermissionError, match="refused the login"):
            Student(hub.address, name).log_in(password)


def test_all_run_a_lesson_at_once_and_find_it_saved(class_of_three):
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda one: one.run_lesson("01", cells=6), class_of_three)) == [[]] * 3


def test_nobody_opens_anothers_server_or_home(hub, class_of_three):
    ann, bob, _ = class_of_three
    ann.save(NOTES, "ann's", "file")
    for path in (f"api/contents/{NOTES}", "api/kernels", "lab"):
        assert bob.session.get(f"{ann.at}/{path}", allow_redirects=False).status_code == 403
    if os.getuid() == 0:  # each has an account
        read = f"open({hub.server_of(ann.name).environ()['HOME'] + '/' + NOTES!r}).read()"
        mine, hers = (one.start_kernel(f"{LESSONS}/mark.ipynb") for one in (bob, ann))
        assert bob.execute(mine, [read])[0][0]["ename"] == "PermissionError"
        assert ann.execute(hers, [read])[0][0]["data"]["text/plain"] == repr("ann's")


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
    kernel, server = other.start_kernel(f"{LESSONS}/mark.ipynb"), hub.server_of(other.name)
    other.execute(kernel, ["known = 7"])
    hub.server_of(one.name).kill()
    while one.ask("status").status_code == 200:
        time.sleep(0.1)
    one.start_server()
    assert one.read(NOTES)["content"] == "before"
    hub.kill(signal.SIGKILL)
    hub.start()
    assert other.read(NOTES)["content"] == "before"  # still logged in, too
    assert other.execute(kernel, ["print(known)"])[0][0]["text"] == "7\n"
    assert hub.server_of(other.name).pid == server.pid
