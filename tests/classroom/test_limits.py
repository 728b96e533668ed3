"""A student's code under limits is stopped, and the state from before is restored."""

import signal
import time

import pytest

from course_utils.classroom import limits
from course_utils.classroom.exercise import Exercise
from course_utils.classroom.limits import Stopped, within_limits
from tests import hostile
from tests.kernel import Kernel, ends

ANYTHING = Exercise("anything", cases=[()], solution=lambda: 1)


@pytest.mark.parametrize("work", hostile.ENDLESS.values(), ids=list(hostile.ENDLESS))
def test_endless_work_is_stopped_and_signals_are_restored(work, short_limits):
    def state():
        return signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)

    before = state()
    with pytest.raises(Stopped):
        within_limits(work)
    assert state() == before


def test_a_shorter_limit_applies_and_only_computing_counts(monkeypatch):
    monkeypatch.setattr(limits, "LOOK", 0.01)
    assert within_limits(lambda: time.sleep(0.3), 0.1) is None
    with pytest.raises(Stopped, match=r"computed for 0\.1 seconds"):
        within_limits(hostile.loops, 0.1)


def test_endless_growth_is_stopped_early(monkeypatch):
    monkeypatch.setattr(limits, "MEMORY", 10**8)
    monkeypatch.setattr(limits, "LOOK", 0.01)
    assert "It took 0.1 GB of memory" in ANYTHING(hostile.grows).message


@pytest.mark.slow
def test_a_kernel_survives_a_loop_an_exit_and_an_interrupt():
    kernel = Kernel(
        "from course_utils.classroom import limits\n"
        "from course_utils.classroom.exercise import Exercise\n"
        "from tests import hostile\n"
        "check = Exercise('four', [()], lambda: 4)\n"
        "def endless():\n    print('begun')\n    hostile.loops()\n"
    )

    def output(code):
        kernel.messages.clear()
        kernel.run(code)
        results = [m for m in kernel.messages if m["msg_type"] == "execute_result"]
        return results[0]["content"]["data"]["text/plain"]

    try:
        loop = output("limits.COMPUTING = 0.2\ncheck(hostile.loops)")
        assert "Your code was stopped. It computed for 0.2 seconds." in loop
        assert "raised SystemExit" in output("check(lambda: exit())")
        request = kernel.send("limits.COMPUTING = 60\ncheck(endless)")
        kernel.read(lambda m: m["msg_type"] == "stream")
        kernel.manager.interrupt_kernel()
        kernel.read(lambda m: ends(m, request))
        assert "KeyboardInterrupt" in {m["content"].get("ename") for m in kernel.messages}
        assert output("1 + 1") == "2"
    finally:
        kernel.end()
