"""A class of so many: they log in, run lessons at once, are killed, and come back.

What each step took, what failed, and what it held, as one object for a JSON file.
"""

import os
import platform
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date
from importlib.metadata import version

import psutil

from deploy import limits
from workshop.rehearsal.hub import Hub
from workshop.rehearsal.memory import MACHINE, RESERVE, Held, Most, family, held, students_held
from workshop.rehearsal.student import LESSONS, Student, errors

PACKAGES = ("jupyterhub", "jupyterhub-idle-culler", "jupyterlab", "jupyter_server", "torch")


class Session:
    """One rehearsal; `report` grows with each step."""

    def __init__(self, hub: Hub, students: list[Student]):
        self.hub, self.students = hub, students
        self.report: dict = {"made_with": made_with(len(students)), "steps": {}, "failures": []}

    def log_in(self) -> None:
        with self.step("log in"):
            self.each(lambda one: one.log_in(self.hub.password(one.name)))
        with self.step("start servers"):
            self.each(Student.start_server)
        self.weigh("idle")

    def run(self, lesson: str, students: list[Student]) -> None:
        """These students run a lesson at once, each in the only kernel that they have."""
        for one in students:
            for kernel in one.kernels():
                one.stop_kernel(kernel["id"])
        name = f"lesson {lesson}, {len(students)} at once"
        servers = self.hub.servers()
        theirs = [servers[one.name] for one in students]
        with self.step(name), Most(lambda: [p for s in theirs for p in family(s)[1:]]) as most:
            seconds = self.each(lambda one: self.lesson(one, lesson), students)
        self.report["steps"][name] |= spread([s for s in seconds if s is not None])
        kernel = most.held.own / len(students)
        self.weigh(f"lesson {lesson}", kernel)

    def lesson(self, one: Student, lesson: str) -> float:
        begun = time.perf_counter()
        found = errors(one.run_lesson(lesson))
        if found:
            raise RuntimeError(f"lesson {lesson}: {found[0]}")
        return time.perf_counter() - begun

    def kill(self) -> None:
        """A kernel, a server and the hub are killed (-9); what was saved is there afterwards."""
        one, *_ = self.students
        work = {student.name: f"work of {student.name}" for student in self.students}
        self.each(lambda s: s.save(f"{LESSONS}/notes.md", work[s.name], "file"))
        with self.step("a kernel each, at once"):
            marks = dict(self.each_named(mark))
        with self.step("a kernel killed (-9)"):
            kernel = next(p for p in family(self.hub.process_of(one.name)) if is_kernel(p))
            kernel.kill()
            self.saved(work)
        with self.step("a server killed (-9)"):
            self.hub.process_of(one.name).kill()
            until(lambda: not self.answers(one))
            one.start_server()
            self.saved(work)
        for how in (signal.SIGTERM, signal.SIGKILL):
            with self.step(f"the hub ended ({how.name}) and started again"):
                self.hub.kill(how)
                self.hub.start()
                self.each(Student.start_server)  # still logged in
                self.saved(work)
                self.still_known(marks, but=one)

    def still_known(self, marks: dict[str, str], but: Student) -> None:
        """The kernels of all others went on through it."""
        others = [one for one in self.students if one is not but]
        for name, known in self.each_named(lambda one: recall(one, marks[one.name]), others):
            if known != name:
                self.report["failures"].append(f"{name}: the kernel's variables are gone")

    def saved(self, work: dict[str, str]) -> None:
        for name, notes in self.each_named(lambda one: one.read(f"{LESSONS}/notes.md")):
            if not notes or notes["content"] != work[name]:
                self.report["failures"].append(f"{name}: saved work was lost")

    def answers(self, one: Student) -> bool:
        return one.ask("status").status_code == 200

    def weigh(self, what: str, kernel: float = 0.0) -> None:
        """What servers, hub and a student hold, and how many such students 24 GB hold.

        Args:
            kernel: bytes of its own that a kernel held at most.
        """
        each = [family(server) for server in self.hub.servers().values()]
        theirs = sum(map(held, each), Held())
        servers = sum((held(processes[:1]) for processes in each), Held())
        of_students = {process.pid for processes in each for process in processes}
        hub = held(p for p in self.hub.processes() if p.pid not in of_students)
        student = servers.own / len(self.students) + kernel
        fit = students_held(MACHINE, RESERVE + hub.counted_once, theirs.shared, student)
        self.report.setdefault("memory_mb", {})[what] = {
            "server": megabytes(servers.own / len(self.students)),
            "kernel": megabytes(kernel),
            "student": megabytes(student),
            "shared_by_all": megabytes(theirs.shared),
            "hub": megabytes(hub.counted_once),
            "all_now": megabytes(theirs.counted_once + hub.counted_once),
            "students_in_24_gb": fit,
        }

    def each(self, act: Callable, students: list[Student] | None = None) -> list:
        return [done for _, done in self.each_named(act, students)]

    def each_named(self, act: Callable, students: list[Student] | None = None) -> list:
        """All at once; who failed is noted and hinders nobody."""

        def one(student: Student) -> tuple[str, object]:
            try:
                return student.name, act(student)
            except Exception as error:
                self.report["failures"].append(f"{student.name}: {in_short(error)}")
                return student.name, None

        with ThreadPoolExecutor(len(self.students)) as pool:
            return list(pool.map(one, students or self.students))

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """One of the rehearsal; what nobody foresaw in it is a failure, too."""
        begun, failed = time.perf_counter(), len(self.report["failures"])
        try:
            yield
        except Exception as error:
            self.report["failures"].append(f"{name}: {in_short(error)}")
        self.report["steps"][name] = {
            "seconds": round(time.perf_counter() - begun, 1),
            "failures": len(self.report["failures"]) - failed,
        }


def in_short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]


def mark(one: Student) -> str:
    """A kernel that knows something that no file has."""
    kernel = one.start_kernel(f"{LESSONS}/mark.ipynb")
    one.execute(kernel, [f"known = {one.name!r}"])
    return kernel


def recall(one: Student, kernel: str) -> str:
    (outputs,) = one.execute(kernel, ["print(known, end='')"])
    return "".join(output.get("text", "") for output in outputs)


def until(true: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds} s")
        time.sleep(0.1)


def is_kernel(process: psutil.Process) -> bool:
    return "ipykernel_launcher" in process.cmdline()


def megabytes(memory: float) -> float:
    return round(memory / 1e6, 1)


def spread(seconds: list[float]) -> dict[str, float]:
    """Of the students who ended: the median and the slowest."""
    if not seconds:
        return {}
    return {"median_s": round(statistics.median(seconds), 1), "slowest_s": round(max(seconds), 1)}


def made_with(students: int) -> dict:
    memory = psutil.virtual_memory()
    return {
        "date": date.today().isoformat(),
        "students": students,
        "own_accounts": os.getuid() == 0,
        "cores": len(os.sched_getaffinity(0)),
        "load_before": round(os.getloadavg()[0], 1),  # of others, at the start
        "memory_gb": round(memory.total / 1e9, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "threads_a_student": limits.THREADS,
        **{name: version(name) for name in PACKAGES},
    }
