"""What is installed, what it contains, and what an import loads or leaves behind."""

import ast
import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from shutil import unpack_archive

import pytest
from packaging.requirements import Requirement

from course_utils.classroom.notebooks import NOTEBOOKS, lesson_paths

ROOT = NOTEBOOKS.parent


def code(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def run(*command, cwd=ROOT, **changes):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **changes}
    done = subprocess.run(
        [sys.executable, *command], cwd=cwd, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_a_student_installs_is_all_that_library_and_lessons_import():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = [Requirement(line).name for line in project["dependencies"]]
    installed = {name.lower().replace("_", "-") for name in needed}
    owners = packages_distributions()
    for path in [*(ROOT / "course_utils").rglob("*.py"), *lesson_paths()]:
        text = "\n".join(code(path)) if path.suffix == ".ipynb" else path.read_text("utf-8")
        nodes = [*ast.walk(ast.parse(text))]
        names = {alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names}
        names |= {n.module for n in nodes if isinstance(n, ast.ImportFrom)}
        others = {name.partition(".")[0] for name in names} - sys.stdlib_module_names
        packages = {owners[name][0].lower().replace("_", "-") for name in others - {"course_utils"}}
        # `make course` installs the extra "test"
        more = {"papermill", "pyzmq"} if path.name == "course.py" else set()
        assert packages - installed == more, path


def test_a_package_built_from_the_source_distribution_has_data_and_quizzes_inside(tmp_path):
    """As in Colab: a plain `pip install` without a clone."""
    fresh = ["egg_info", "--egg-base", str(tmp_path)]  # an old list of files would be used again
    run("setup.py", "-q", *fresh, "sdist", "--dist-dir", str(tmp_path))
    (packed,) = tmp_path.glob("*.tar.gz")
    unpack_archive(packed, tmp_path, filter="data")
    source = tmp_path / packed.name.removesuffix(".tar.gz")
    run("setup.py", "-q", "build", "--build-base", str(tmp_path), cwd=source)
    show = "from course_utils.models.names import PAIRS; print(*PAIRS['tiny'], sep='\\n')"
    built = tmp_path / "lib" / "course_utils"
    folders = run("-c", show, cwd=tmp_path / "lib", PYTHONPATH="").split()
    assert folders == [str(built / "data" / "target"), str(built / "data" / "draft")]
    assert (built / "data" / "draft" / "model.safetensors").exists()
    assert (built / "py.typed").exists()
    pages = {page.parent.name for page in (ROOT / "course_utils/lessons").glob("*/quiz.md")}
    assert {page.parent.name for page in (built / "lessons").glob("*/quiz.md")} == pages


def toy_imports():
    """Return the imports from this package for the toys of lessons 01 to 06, as lines."""
    lessons = lesson_paths(["01", "02", "03", "04", "05", "06"])
    sources = chain(*map(code, lessons))
    nodes = chain(*(ast.walk(ast.parse(source)) for source in sources))
    ours = (n for n in nodes if getattr(n, "module", None) and n.module.startswith("course_utils."))
    pair = "course_utils.writing.writing"  # for the part with the trained pair
    return "\n".join(sorted({ast.unparse(n) for n in ours if n.module != pair}))


HELP = """
from course_utils import __main__ as course
from workshop import __main__ as authors
for program in (course, authors):
    for command in ([], *([name] for name in program.COMMANDS)):
        assert program.main([*command, "--help"]) == 0
"""


@pytest.mark.parametrize(
    ("script", "heavy"),
    [
        ("import course_utils", {"torch", "transformers", "numpy", "scipy"}),
        (HELP, {"torch", "transformers", "scipy", "nbformat", "jupyterhub"}),
        (toy_imports(), {"torch", "transformers", "matplotlib", "scipy"}),
    ],
    ids=["import course_utils", "every --help", "lessons 01 to 06"],
)
def test_what_needs_no_heavy_library_loads_none(script, heavy):
    loaded = run("-c", f"{script}\nimport sys\nprint()\nprint(*sys.modules)").splitlines()[-1]
    assert not heavy & {*loaded.split()}
