"""The stored figures of a rehearsal, as the guide shows them; a test compares the two."""


def memory_table(report: dict) -> str:
    """Megabytes of a server, a kernel and a student, and how many such students 24 GB hold."""
    lines = [
        "| open | server | kernel | a student | shared by all | the hub | in 24 GB |",
        "|---|---|---|---|---|---|---|",
    ]
    for what, m in report["memory_mb"].items():
        figures = [m[key] for key in ("server", "kernel", "student", "shared_by_all", "hub")]
        cells = [f"{figure:.0f} MB" for figure in figures]
        opened = "nothing" if what == "idle" else what
        lines.append(f"| {opened} | {' | '.join(cells)} | **{m['students_in_24_gb']}** |")
    return "\n".join(lines)


def time_table(report: dict) -> str:
    """Seconds of each step, and how many students it failed for."""
    lines = ["| step | seconds | failures |", "|---|---|---|"]
    lines += [
        f"| {name} | {step['seconds']:.0f} | {step['failures']} |"
        for name, step in report["steps"].items()
    ]
    return "\n".join(lines)
