"""The pages about the modules: a page a package, on it a section a module, with its source.

Text in, text out; the site's own program imports the modules and reads their docstrings.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

FOLDER = "reference"  # of the pages
PACKAGE = Path(__file__).parents[1]
PARTS = ("decoding", "models", "drafters", "proofs", "measuring", "classroom", "authoring")
_MEMBERS = """   :members:
   :undoc-members:
   :member-order: bysource
"""


def pages(package: Path = PACKAGE) -> Mapping[str, str]:
    """reStructuredText by file name: the map of all packages, and a page for each of them."""
    top = package.name
    contents = "".join(f"   {part} <{top}.{part}>\n" for part in PARTS)
    said = "".join(
        f"* :doc:`{part} <{top}.{part}>`: {summary(package / part / '__init__.py')}\n"
        for part in PARTS
    )
    tree = f".. toctree::\n   :hidden:\n\n{contents}"
    found = {f"{top}.rst": f"{_section(top, '=')}\n{said}\n{tree}"}
    for part in PARTS:
        name = f"{top}.{part}"
        modules = "\n".join(_modules(package / part, name))
        found[f"{name}.rst"] = f"{_section(name, '=')}\n{modules}"
    return found


def summary(path: Path) -> str:
    """The first paragraph of a module's docstring."""
    said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split())


def place(module: str) -> str:
    """The page that tells of a module, and where on it.

    >>> place("course_utils.decoding.rules.chain")
    'reference/course_utils.decoding.rst#module-course_utils.decoding.rules.chain'
    """
    page = ".".join(module.split(".")[:2])
    anchor = f"#module-{module}" if module != page else ""
    return f"{FOLDER}/{page}.rst{anchor}"


def _modules(folder: Path, name: str) -> Iterator[str]:
    """The sections of what is public in it."""
    for path in sorted(folder.iterdir()):
        inner = f"{name}.{path.stem}"
        if path.name.startswith(("_", ".")):
            continue
        if (path / "__init__.py").exists():
            yield _section(inner, "-")
            yield from _modules(path, inner)
        elif path.suffix == ".py":
            program = ast.parse(path.read_text("utf-8"))
            if not _only_raises(program):
                yield _section(inner, "-") + _MEMBERS * (not _hands_on(program))


def _only_raises(program: ast.Module) -> bool:
    """Does it stand under an old name, only to say the new one?"""
    return any(isinstance(line, ast.Raise) for line in program.body)


def _hands_on(program: ast.Module) -> bool:
    """Does it only name what others define?"""
    assigned = [line for line in program.body if isinstance(line, ast.Assign)]
    return any(ast.unparse(line).startswith("__all__") for line in assigned)


def _section(name: str, line: str) -> str:
    title = ".".join(name.split(".")[2:]) or name
    return f"{title}\n{line * len(title)}\n\n.. automodule:: {name}\n"
