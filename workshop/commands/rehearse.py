"""Rehearse a class on a real hub of this machine: all log in, run a lesson, and the hub is killed.

It listens only on this machine.  As root it creates an account per student and removes it
afterwards; as another user all homes belong to one account.

Exit status: 0, no failures; 1, something failed for a student.
"""

import json
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from course_utils.commands.program import Parser
from course_utils.decoding.clock import now


def main(arguments: list[str]) -> int:
    parser = Parser("rehearse", __doc__, "workshop")
    parser.add_argument("--students", type=int, default=20, metavar="N")
    parser.add_argument("--lesson", default="01", help="the lesson that all run at once")
    options = parser.parse_args(arguments)
    from workshop.rehearsal.hub import opened
    from workshop.rehearsal.student import LESSONS, Student

    seconds, failures, notes = {}, [], f"{LESSONS}/notes.md"

    def for_each(step: str, act: Callable[[Student], object]) -> None:
        """Run a step for all students at once; a failure does not stop the others."""

        def one(student: Student) -> None:
            try:
                if wrong := act(student):
                    raise RuntimeError(wrong)
            except Exception as error:
                failures.append(f"{student.name}, {step}: {error!r}"[:300])

        begin = now()
        with ThreadPoolExecutor(options.students) as pool:
            list(pool.map(one, students))
        seconds[step] = round(now() - begin, 1)

    with opened(options.students) as hub:
        students = [Student(hub.address, name) for name in hub.students]
        for_each("log in", lambda one: one.log_in(hub.password(one.name)) and None)
        for_each("start servers", Student.start_server)
        lesson = options.lesson
        for_each(f"lesson {lesson}, all at once", lambda one: one.run_lesson(lesson))
        for_each("save", lambda one: one.save(notes, one.name, "file"))
        hub.kill(signal.SIGKILL)
        hub.start()
        lost = "saved work was lost"
        for_each("after a kill", lambda one: one.read(notes)["content"] != one.name and lost)
        if failures:
            sys.stderr.write(hub.last_words(2000))
    print(json.dumps({"seconds": seconds, "failures": failures}, indent=1))
    return 1 if failures else 0
