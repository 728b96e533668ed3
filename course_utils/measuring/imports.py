"""How long the toy lessons take to import: a toy must not wait for torch."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from statistics import median

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
TOYS = "0[1-6]_*.ipynb"  # the lessons that begin with toys
# What they need for their part with the trained pair only.
NO_TOYS = ("course_utils.models.pairs",)
_TIMED = """
import numpy, time
start = time.perf_counter()
{imports}
print(time.perf_counter() - start)
"""


def toy_imports(folder: Path = NOTEBOOKS) -> str:
    """What the toy lessons import from this package for their toys, as lines of Python.

    Raises:
        FileNotFoundError: no such lessons in `folder`.
    """
    paths = sorted(folder.glob(TOYS))
    if not paths:
        raise FileNotFoundError(f"no toy lessons in {folder}: run this from a clone")
    lines = []
    for path in paths:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                nodes = ast.walk(ast.parse("".join(cell["source"])))
                lines += [ast.unparse(node) for node in nodes if _for_toys(node)]
    return "\n".join(dict.fromkeys(lines))


def import_seconds(repeats: int = 3) -> float:
    """Seconds of all `toy_imports` in a process that has NumPy already; a median.

    Each time in a fresh process; the files are in the disk cache after the first.
    """
    script = _TIMED.format(imports=toy_imports())
    runs = [
        subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True)
        for _ in range(repeats)
    ]
    return median(float(run.stdout) for run in runs)


def _for_toys(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    elif isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        return False
    return all(n.startswith("course_utils.") and not n.startswith(NO_TOYS) for n in names)
