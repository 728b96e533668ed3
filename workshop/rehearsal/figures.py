"""The stored figures of a rehearsal, as the guide shows them; a test compares the two."""

from course_utils.commands.course import MAX_MEMORY
from workshop.rehearsal.memory import MACHINE, RESERVE, students_held


def memory_table(report: dict) -> str:
    """Megabytes of a server, a kernel and a student, and how many such students 24 GB hold."""
    lines = [
        "| open | server | kernel | a student | shared by all | the hub | in 24 GB |",
        "|---|---|---|---|---|---|---|",
    ]
    measured = report["memory_mb"]
    for what, m in [*measured.items(), ("any, if it took 1.5 GB", heaviest(measured))]:
        figures = [m[key] for key in ("server", "kernel", "student", "shared_by_all", "hub")]
        cells = [f"{figure:.0f} MB" for figure in figures]
        opened = "nothing" if what == "idle" else what
        lines.append(f"| {opened} | {' | '.join(cells)} | **{m['students_in_24_gb']}** |")
    return "\n".join(lines)


def heaviest(measured: dict[str, dict[str, float]]) -> dict[str, float]:
    """Students who all run a lesson that takes the most a lesson may."""
    *_, last = measured.values()
    student = last["server"] + MAX_MEMORY / 1e6
    shared, hub = last["shared_by_all"] * 1e6, last["hub"] * 1e6
    fit = students_held(MACHINE, RESERVE + hub, shared, student * 1e6)
    return last | {"kernel": MAX_MEMORY / 1e6, "student": student, "students_in_24_gb": fit}


def time_table(report: dict) -> str:
    """Seconds of each step, and how many students it failed for."""
    lines = ["| step | seconds | failures |", "|---|---|---|"]
    lines += [
        f"| {name} | {step['seconds']:.0f} | {step['failures']} |"
        for name, step in report["steps"].items()
    ]
    return "\n".join(lines)
