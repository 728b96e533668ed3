"""The requirements are pinned, and the toys import little."""

import ast
import json
import pydoc
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path
from shutil import unpack_archive

import pytest

import course_utils
from course_utils.classroom.notebooks import lesson_paths
from course_utils.commands import machine

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OPTIONAL = PROJECT["optional-dependencies"].values()
REQUIREMENTS = list(
    dict.fromkeys(chain(PROJECT["dependencies"], *OPTIONAL))
)  # one may be of two extras


def name(requirement):
    return re.split(r"[<>=!~ ]", requirement)[0].lower()


def test_every_requirement_is_pinned_in_the_constraints():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = dict(re.split("==| ;", line)[:2] for line in lines if not line.startswith("#"))
    for requirement in REQUIREMENTS:
        assert name(requirement).replace("_", "-") in pins
    assert pins["torch"] == "2.13.0"


def imported(path):
    """Return the distributions that a module or a lesson imports, at its top or later."""
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    nodes, owners = [*ast.walk(ast.parse(text))], packages_distributions()
    modules = {alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names}
    modules |= {n.module for n in nodes if isinstance(n, ast.ImportFrom)}
    others = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names
    return {owners[module][0].lower().replace("_", "-") for module in others - {"course_utils"}}


def test_what_a_student_installs_is_all_that_library_and_lessons_import():
    installed = {name(each).replace("_", "-") for each in PROJECT["dependencies"]}
    for path in [*(ROOT / "course_utils").rglob("*.py"), *lesson_paths()]:
        # `make course` installs the extra "test"
        more = {"papermill", "pyzmq"} if path.name == "course.py" else set()
        assert imported(path) - installed == more, path
    assert set(machine.PACKAGES) <= installed


def test_a_package_built_from_the_source_distribution_has_data_and_types_inside(tmp_path):
    """As in Colab: a plain `pip install` without a clone."""
    setup, how = [sys.executable, "setup.py", "-q"], dict(check=True, capture_output=True)
    fresh = ["egg_info", "--egg-base", str(tmp_path)]  # an old list of files would be used again
    subprocess.run([*setup, *fresh, "sdist", "--dist-dir", str(tmp_path)], cwd=ROOT, **how)
    (packed,) = tmp_path.glob("*.tar.gz")
    unpack_archive(packed, tmp_path, filter="data")
    source = tmp_path / packed.name.removesuffix(".tar.gz")
    subprocess.run([*setup, "build", "--build-base", str(tmp_path)], cwd=source, **how)
    show = "from course_utils.models.names import PAIRS; print(*PAIRS['tiny'], sep='\\n')"
    run = subprocess.run(
        [sys.executable, "-c", show], cwd=tmp_path / "lib", capture_output=True, text=True
    )
    inside = tmp_path / "lib" / "course_utils" / "data"
    assert run.stdout.split() == [str(inside / "target"), str(inside / "draft")], run.stderr
    assert (inside / "draft" / "model.safetensors").exists()
    assert (inside.parent / "py.typed").exists()


def in_a_fresh_process(script):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)


HEAVY = """
import sys
heavy = {{{}}} & set(sys.modules)
assert not heavy, heavy
"""

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
        ("import course_utils", "'torch', 'transformers', 'numpy', 'scipy'"),
        (HELP, "'torch', 'transformers', 'scipy', 'nbformat', 'jupyterhub'"),
    ],
    ids=["import course_utils", "every --help"],
)
def test_what_needs_no_heavy_library_loads_none(script, heavy):
    run = in_a_fresh_process(script + HEAVY.format(heavy))
    assert run.returncode == 0, run.stderr


def test_the_package_hands_out_its_names_and_help_shows_them():
    tree = ast.parse(Path(course_utils.__file__).read_text("utf-8"))
    typed = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    homes = {alias.name: node.module for node in typed for alias in node.names}
    for name in course_utils.__all__:  # mypy sees the same names
        assert getattr(course_utils, name) is getattr(import_module(homes[name]), name)
    page = pydoc.render_doc(course_utils, renderer=pydoc.plaintext)
    assert all(f" {name}" in page for name in ("load_pair(", "write(", "generate(", "DRAFTERS"))


PAIRS = "course_utils.writing.writing"  # for the part with the trained pair


def toy_imports():
    """Return the imports from this package for the toys of lessons 01 to 06, as lines."""
    cells = chain(
        *(json.loads(path.read_text("utf-8"))["cells"] for path in ROOT.glob("notebooks/0[1-6]_*"))
    )
    code = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    nodes = chain(*(ast.walk(ast.parse(source)) for source in code))
    ours = (n for n in nodes if getattr(n, "module", None) and n.module.startswith("course_utils."))
    return "\n".join(sorted({ast.unparse(n) for n in ours if n.module != PAIRS}))


def test_the_toy_lessons_load_neither_torch_nor_transformers_nor_matplotlib():
    imports = toy_imports()
    assert "course_utils.models.toys.characters" in imports
    heavy = HEAVY.format("'torch', 'transformers', 'matplotlib', 'scipy'")
    run = in_a_fresh_process(imports + heavy)
    assert run.returncode == 0, run.stderr
