"""A student's own functions, in my_lessons/my_decoder.py, which later lessons use.

`keep` writes a function there with everything it needs, if it passes its check from the file
alone; `my_function` returns it to a later lesson, or the course's function if none passes.  The
file is the student's to read and change, and no version of it is ever lost.
"""

import ast
import linecache
import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np

from course_utils.classroom import progress
from course_utils.classroom.exercise import names_read
from course_utils.classroom.feedback import Feedback
from course_utils.classroom.limits import Stopped, within_limits
from course_utils.classroom.words import in_words
from course_utils.files import alone, write_whole

NOTEBOOK = "__main__"  # the module of a notebook's own functions
FILE = "my_decoder.py"
ABOUT = '''"""My decoder: lessons save my functions here, and later lessons use them.

I may change it; earlier versions are next to it (my_decoder.1.py is the first).
"""
'''
Check = Callable[[object], Feedback]


class CannotKeep(ValueError):
    """Says why something cannot be written to the file."""


def keep(function: FunctionType, check: Check) -> None:
    """Save a function that passes its check; print what was saved, or why nothing was."""
    name = getattr(function, "__name__", "it")
    path = progress.HERE / FILE
    if check(function).status != progress.PASSED:
        print(f"Nothing saved yet: {name} must pass its check first.")
    elif not (progress.HERE / progress.FILE).exists():
        print(f"Nothing saved here. In your copies (`make lab`), {name} goes into {FILE}.")
    else:
        try:
            with alone(path):
                print(_save(function, check, path))
        except (CannotKeep, OSError) as error:
            print(f"Nothing saved: {getattr(error, 'strerror', None) or error}.")
        except (Exception, SystemExit, Stopped) as error:  # raised by the existing file
            print(f"Nothing saved: {FILE} raises {in_words(error)}.")


def my_function(name: str, check: Check, default: Callable, lesson: str) -> Callable:
    """Return the student's saved function of that name if it passes its check, else `default`.

    Prints which one it is; `lesson` is where a student writes it.
    """
    path = progress.HERE / FILE
    if not path.exists():
        print(f"This runs the course's {name}. Lesson {lesson} can save yours.")
        return default
    try:
        function = getattr(_load(path.read_text("utf-8"), path), name, None)
        feedback = check(function) if function else None
    except (Exception, SystemExit, Stopped) as error:
        why = f"{FILE} raises {in_words(error)}."
    else:
        if feedback and feedback.status == progress.PASSED:
            print(f"This runs your own {name}, from {path.parent.name}/{FILE}.")
            return function
        why = f"{FILE} has none. Lesson {lesson} can save yours."
        if feedback:
            why = f"yours in {FILE} no longer passes.\n  {feedback.message}"
    print(f"This runs the course's {name}: {why}")
    return default


def _save(function: FunctionType, check: Check, path: Path) -> str:
    """Write a function to the file, replacing one of that name; return a message.

    Raises:
        CannotKeep, OSError; and whatever the file raises.
    """
    where, name = f"{path.parent.name}/{FILE}", function.__name__
    old = path.read_text("utf-8") if path.exists() else ""
    new = merged(old or ABOUT, definitions(function, path.stem))
    if new == old:
        return f"{where} already has this {name}."
    feedback = check(getattr(_load(new, path), name))
    if feedback.status != progress.PASSED:
        raise CannotKeep(f"it passes here, but not from the file alone. {feedback.message}")
    if not old:
        write_whole(path, new)
        return f"Saved {name} in {where}."
    names = "\n".join(other.name for other in path.parent.iterdir())
    versions = map(int, re.findall(rf"^{path.stem}\.(\d+)\.py$", names, re.MULTILINE))
    aside = f"{path.stem}.{max(versions, default=0) + 1}.py"
    write_whole(path, new, aside)
    return f"Saved {name} in {where}. The previous version is {aside}."


def _load(text: str, path: Path) -> ModuleType:
    """Run the text as a module under limits; its errors are passed on."""
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    code = compile(text, str(path), "exec")
    sys.modules[path.stem] = module
    within_limits(lambda: exec(code, module.__dict__))
    return module


def merged(old: str, new: dict[str, str]) -> str:
    """Return a module's text with these definitions added or replaced; all other text stays.

    Raises:
        SyntaxError: `old` is not Python.
    """
    lines, new = old.split("\n"), dict(new)
    nodes, end_of_head = ast.parse(old).body, 0
    for node in nodes:
        if not isinstance(node, ast.Expr | ast.Import | ast.ImportFrom):
            break
        end_of_head = node.end_lineno
    for node in reversed(
        nodes
    ):  # from the end, so that line numbers stay valid; of two definitions the later
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        name = getattr(node, "name", getattr(target, "id", None))
        if name in new and not _is_import(new[name]):
            lines[_first_line(node) - 1 : node.end_lineno] = new.pop(name).splitlines()
    lines[end_of_head:end_of_head] = sorted({*filter(_is_import, new.values())} - {*lines})
    rest = [text for text in new.values() if not _is_import(text)]
    return "\n\n\n".join(["\n".join(lines).rstrip(), *rest]) + "\n"


def definitions(function: FunctionType, file: str = "") -> dict[str, str]:
    """Return {name: text} of a notebook's function and everything it reads, callees first.

    Modules and imported names become imports, plain values assignments.  Names from the module
    `file` are left out.

    Raises:
        CannotKeep: it reads a value that a file cannot hold, or its source is not known.
    """
    texts: dict[str, str] = {}
    values: dict[str, object] = {}

    def define(name: str, value: object, reader: str) -> None:
        while isinstance(wrapped := getattr(value, "__wrapped__", None), FunctionType):
            value = wrapped  # its source includes the decorators
        own = getattr(value, "__name__", name)
        if name in texts:
            return
        if not isinstance(value, FunctionType | type) or value.__module__ not in (NOTEBOOK, file):
            texts[name] = _import(name, value) or _assignment(name, value, reader)
            return
        if values.setdefault(own, value) is not value:
            raise CannotKeep(f"{reader} reads an earlier {own}: give the two different names")
        if value.__module__ == NOTEBOOK and own not in texts:
            texts[own] = source = _source(value)  # before the loop, or a recursion would not end
            reads = _code_of(value).__globals__
            for other in sorted(names_read(compile(source, own, "exec"))):
                if other in reads and not other.startswith("__"):  # a class reads `__name__`
                    define(other, reads[other], own)
            texts[own] = texts.pop(own)  # after what it reads
        if name != own:
            texts[name] = f"{name} = {own}"

    define(function.__name__, function, "")
    return texts


def _source(value: FunctionType | type) -> str:
    if code := getattr(_code_of(value), "__code__", None):
        lines = linecache.getlines(code.co_filename)
        for node in ast.parse("".join(lines)).body:
            first = _first_line(node)
            here = first <= code.co_firstlineno <= node.end_lineno
            if here and getattr(node, "name", None) == value.__name__:
                return "".join(lines[first - 1 : node.end_lineno]).rstrip()
    how = "define it in a cell of its own; a class needs a method"
    raise CannotKeep(f"the source of {value.__name__} is not known: {how}")


def _code_of(value: FunctionType | type) -> FunctionType | None:
    """Return the function itself, or a method of a class."""
    methods = [value] if isinstance(value, FunctionType) else vars(value).values()
    return next((each for each in methods if isinstance(each, FunctionType)), None)


def _first_line(node: ast.stmt) -> int:
    return min(each.lineno for each in [node, *getattr(node, "decorator_list", [])])


def _is_import(text: str) -> bool:
    return text.startswith(("import ", "from "))


def _import(name: str, value: object) -> str:
    """Return the line that imports `value`, or ""."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__}" + f" as {name}" * (name != value.__name__)
    module, own = getattr(value, "__module__", None), getattr(value, "__name__", None)
    try:
        importable = own and getattr(import_module(module), own) is value
    except (ImportError, AttributeError, TypeError):
        importable = False
    return f"from {module} import {own}" + f" as {name}" * (name != own) if importable else ""


def _assignment(name: str, value: object, reader: str) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    try:
        if ast.literal_eval(repr(value)) == value:
            return f"{name} = {value!r}"
    except (ValueError, SyntaxError, TypeError, RecursionError):
        pass
    raise CannotKeep(
        f"{reader} reads `{name}`, a {type(value).__name__}, which a file cannot hold: "
        "create it inside the function, or pass it as an argument"
    )
