"""A student's code under limits: it is stopped, and everything is as it was before."""

import gc
import signal
import threading
import time
from contextlib import suppress

import pytest
import torch

from course_utils.classroom import limits
from course_utils.classroom.exercise import Exercise
from course_utils.classroom.limits import Stopped, within_limits
from tests import hostile
from tests.kernel import Kernel, ends

ANYTHING = Exercise("anything", cases=[()], solution=None)  # is right


def state():
    return signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)


@pytest.mark.parametrize("work", [*hostile.ENDLESS.values(), lambda: 1 / 0, lambda: 5])
def test_nothing_of_the_limits_stays(work, short_limits):
    before = state()
    with suppress(Stopped, ZeroDivisionError):
        within_limits(work)
    assert state() == before
    time.sleep(0.1)  # no late alarm either


def test_a_stop_inside_no_grad_leaves_the_gradients_on(short_limits):
    def work():
        torch.set_grad_enabled(False)
        while True:
            pass

    with suppress(Stopped):
        within_limits(work)
    assert torch.is_grad_enabled()


def test_the_alarms_of_others_go_on():
    def theirs(*_):
        rung.append(1)

    rung, before = [], signal.signal(signal.SIGALRM, theirs)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        assert within_limits(lambda: 5) == 5
        while not rung:
            time.sleep(0.01)
        assert signal.getsignal(signal.SIGALRM) is theirs
    finally:
        signal.signal(signal.SIGALRM, before)


def test_time_that_others_take_is_not_counted(monkeypatch):
    monkeypatch.setattr(limits, "COMPUTING", 0.3)
    monkeypatch.setattr(limits, "LOOK", 0.01)
    looked = []
    exceeded = limits._exceeded
    monkeypatch.setattr(limits, "_exceeded", lambda *now: looked.append(1) or exceeded(*now))
    assert within_limits(lambda: time.sleep(0.6)) is None
    assert looked


def test_work_may_be_given_less_time_and_not_more(monkeypatch):
    monkeypatch.setattr(limits, "COMPUTING", 0.02)
    monkeypatch.setattr(limits, "LOOK", 0.01)
    with pytest.raises(Stopped, match=r"computed for 0\.005 seconds"):
        within_limits(hostile.ENDLESS["loops"], 0.005)
    with pytest.raises(Stopped, match=r"computed for 0\.02 seconds"):
        within_limits(hostile.ENDLESS["loops"], 60)


def test_nobody_waits_for_minutes_because_a_loop_does_not_end_beside_busy_neighbours():
    share = 1 / 4  # of a core that four processes want
    assert limits.COMPUTING / share <= 90


def test_what_grows_for_ever_is_stopped_before_it_takes_the_machine(monkeypatch):
    monkeypatch.setattr(limits, "MEMORY", 10**8)
    monkeypatch.setattr(limits, "LOOK", 0.01)
    with pytest.raises(Stopped, match=r"0\.1 GB of memory"):
        within_limits(hostile.grows)


def test_what_an_attempt_took_is_given_back_and_not_allowed_to_the_next_besides(monkeypatch):
    def grows():
        taken.append(0)
        rows = []
        while True:
            rows.append(b"x" * 10**6)
            taken[-1] += 10**6

    monkeypatch.setattr(limits, "MEMORY", 10**8)
    monkeypatch.setattr(limits, "LOOK", 0.01)
    gc.collect()
    gc.disable()  # or it might give back, by chance, what a cycle holds
    before, taken = limits._memory(), []
    try:
        for _ in range(5):
            assert "GB of memory" in ANYTHING(grows).message
    finally:
        gc.enable()
    assert max(taken) < 3 * 10**8
    assert limits._memory() - before < 2 * 10**8


def test_a_check_in_a_check_has_limits_of_its_own(short_limits):
    inner = []

    def outer():
        inner.append(ANYTHING(hostile.loops))
        hostile.loops()

    assert "was stopped" in ANYTHING(outer).message
    assert "was stopped" in inner[0].message


def test_in_a_thread_there_are_no_limits_and_the_check_answers():
    said = []
    thread = threading.Thread(target=lambda: said.append(ANYTHING(lambda: 4)))
    thread.start()
    thread.join()
    assert said[0].status == "passed"


@pytest.fixture(scope="module")
def kernel():
    kernel = Kernel(
        "from course_utils.classroom import limits\n"
        "from course_utils.lessons.start_here.checks import check_token_kinds\n"
        "from tests import hostile\n"
    )
    yield kernel
    kernel.end()


def said(kernel, code):
    """What a cell shows, or the name of the error that ended it."""
    kernel.messages.clear()
    kernel.run(code)
    for message in kernel.messages:
        if message["msg_type"] == "error":
            return message["content"]["ename"]
        if message["msg_type"] == "execute_result":
            return message["content"]["data"]["text/plain"]
    return ""


def test_in_a_kernel_an_endless_loop_is_stopped_and_the_next_cell_runs(kernel):
    shown = said(kernel, "limits.COMPUTING = 0.2\ncheck_token_kinds(hostile.loops)")
    assert "Your code was stopped. It computed for 0.2 seconds." in shown
    assert said(kernel, "limits.COMPUTING = 60.0\n1 + 1") == "2"


def test_in_a_kernel_an_interrupt_stops_the_cell(kernel):
    code = "def endless(*_):\n    print('begun')\n    hostile.loops()\ncheck_token_kinds(endless)"
    kernel.messages.clear()
    request = kernel.send(code)
    kernel.read(lambda m: m["msg_type"] == "stream")
    kernel.manager.interrupt_kernel()
    kernel.read(lambda m: ends(m, request))
    assert "KeyboardInterrupt" in {m["content"].get("ename") for m in kernel.messages}
    assert said(kernel, "1 + 1") == "2"


@pytest.mark.parametrize("name", ["exit", "quit"])
def test_in_a_kernel_exit_ends_the_answer_and_not_the_kernel(kernel, name):
    shown = said(kernel, f"check_token_kinds(lambda *_: {name}())")
    assert "your code asks Python to exit." in shown
    time.sleep(0.5)  # the kernel would end a moment later
    assert said(kernel, "1 + 1") == "2"
    assert kernel.manager.is_alive()
