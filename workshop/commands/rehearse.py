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
from datetime import date
from pathlib import Path

from course_utils.commands.program import Parser
from course_utils.decoding.clock import now
from course_utils.files import check_new, write_whole


def main(arguments: list[str]) -> int:
    parser = Parser("rehearse", __doc__, "workshop")
    parser.add_argument("--students", type=int, default=20, metavar="N")
    parser.add_argument("--lesson", default="01", help="the lesson that all run at once")
    parser.add_argument("--out", type=Path, help="also write the figures to this file")
    options = parser.parse_args(arguments)
    if options.out:
        check_new(options.out)
    report = rehearse(options.students, options.lesson)
    text = json.dumps(report, indent=1) + "\n"
    print(text, end="")
    if options.out:
        write_whole(options.out, text)
    return 1 if report["failures"] else 0


def rehearse(number: int, lesson: str) -> dict:
    """Return the seconds of each step, and the failures by student."""
    from workshop.rehearsal.hub import opened
    from workshop.rehearsal.student import LESSONS, Student

    report = {"date": date.today().isoformat(), "students": number, "seconds": {}, "failures": []}
    notes = f"{LESSONS}/notes.md"

    def for_each(step: str, act: Callable[[Student], object]) -> None:
        """Run a step for all students at once; a failure does not stop the others."""

        def one(student: Student) -> None:
            try:
                if wrong := act(student):
                    raise RuntimeError(wrong)
            except Exception as error:
                report["failures"].append(f"{student.name}, {step}: {error!r}"[:300])

        begin = now()
        with ThreadPoolExecutor(number) as pool:
            list(pool.map(one, students))
        report["seconds"][step] = round(now() - begin, 1)

    with opened(number) as hub:
        students = [Student(hub.address, name) for name in hub.students]
        for_each("log in", lambda one: one.log_in(hub.password(one.name)) and None)
        for_each("start servers", Student.start_server)
        for_each(f"lesson {lesson}, all at once", lambda one: one.run_lesson(lesson))
        for_each("save", lambda one: one.save(notes, one.name, "file"))
        hub.kill(signal.SIGKILL)
        hub.start()
        for_each(
            "after the hub was killed",
            lambda one: "" if one.read(notes)["content"] == one.name else "saved work was lost",
        )
        if report["failures"]:
            sys.stderr.write(hub.last_words(2000))
    return report
