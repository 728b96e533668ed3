"""A student's own functions, kept in my_lessons/my_decoder.py and used by later lessons.

`keep` writes a function there with all it needs, if it passes its check from the file alone;
`mine` gives it to a later lesson, or the course's where there is none that passes.  The
file is the student's to read and to change, and no version of it is ever lost.
`definitions` makes text of a function that stands alone: with all that it reads, callees first.
"""

import ast
import linecache
import re
import symtable
import sys
from collections.abc import Callable, Iterator
from datetime import date
from importlib import import_module
from itertools import takewhile
from math import isfinite
from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np

from course_utils.classroom import progress
from course_utils.classroom.feedback import Feedback
from course_utils.classroom.limits import Stopped, within_limits
from course_utils.classroom.words import in_words
from course_utils.files import alone, write_whole

NOTEBOOK = "__main__"  # where a notebook's own functions live


class NotKept(ValueError):
    """Why something cannot be written to a file."""


def definitions(function: FunctionType, file: str = "", home: str = NOTEBOOK) -> dict[str, str]:
    """{name: what defines it, as text} of a function of `home` and all that it reads.

    Modules and what is imported become imports, plain values assignments.  What comes from
    the module `file`, for which the text is meant, stands there already.

    Raises:
        NotKept: it reads something that no file can hold, or no source of it is known.
    """
    found: dict[str, str] = {}
    kept: dict[str, object] = {}

    def define(name: str, value: object, reader: str) -> None:
        while isinstance(wrapped := getattr(value, "__wrapped__", None), FunctionType):
            value = wrapped  # what was decorated: its source has the decorators
        own = getattr(value, "__name__", name)
        if name in found:
            return
        if not isinstance(value, FunctionType | type) or value.__module__ not in (home, file):
            found[name] = _import(name, value) or _assignment(name, value, reader)
            return
        if kept.setdefault(own, value) is not value:
            raise NotKept(f"{reader} reads an earlier {own}: give the two different names")
        if value.__module__ == home and own not in found:
            source = found[own] = _source(value)  # now, or a recursion would not end
            reads = (value if isinstance(value, FunctionType) else _a_method(value)).__globals__
            for other in names_read(source):
                if other in reads:
                    define(other, reads[other], own)
        if name != own:
            found[name] = f"{name} = {own}"

    define(function.__name__, function, "")
    return found


def in_order(defined: dict[str, str]) -> list[str]:
    """The texts, each behind those that it reads, else as they come; imports first."""
    placed: dict[str, str] = {}

    def place(name: str) -> None:
        if name in placed or name not in waiting:
            return
        text = waiting.pop(name)
        for other in names_read(text):
            place(other)
        placed[name] = text

    waiting = dict(sorted(defined.items(), key=lambda entry: not is_import(entry[1])))
    for name in list(waiting):
        place(name)
    return list(placed.values())


def parts_of(text: str) -> dict[str, str]:
    """A module's definitions by name, with the comments before them; all other text of it under
    names that no definition has.  Only the docstring that `keep` writes is left out.

    Raises:
        SyntaxError: it is no Python.
    """
    lines, end, parts = text.splitlines(), 0, {}
    for number, node in enumerate(ast.parse(text).body):
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
        before = "\n".join(lines[end : first - 1]).strip("\n")
        own = "\n".join(lines[max(end, first - 1) : node.end_lineno])
        end = max(end, node.end_lineno)
        imports = isinstance(node, ast.Import | ast.ImportFrom)
        if (imports or _is_about(node)) and before:
            parts[f"(before {number})"] = before
        if imports and "#" not in own:
            parts |= _each_import(node)
        elif imports:
            parts[min(_each_import(node))] = own
        elif not _is_about(node):
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            name = getattr(node, "name", getattr(target, "id", f"({number})"))
            if name in parts:  # an earlier definition of that name
                parts[f"(before {number})"] = parts.pop(name)
            parts[name] = f"{before}\n{own}".strip("\n")
    if rest := "\n".join(lines[end:]).strip("\n"):
        parts["(end)"] = rest
    return parts


def _is_about(node: ast.stmt) -> bool:
    """Is it the docstring that `keep` wrote, and nothing but that?"""
    text = getattr(getattr(node, "value", None), "value", None)
    template = "version {version}, kept on {day}"
    general = re.sub(r"version \d+, kept on [\d-]+", template, str(text))
    return general == _ABOUT


def is_import(text: str) -> bool:
    """Is a definition's text an import?"""
    return text.startswith(("import ", "from "))


def _each_import(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    start = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
    return {
        alias.asname or alias.name: f"{start}import {alias.name}{_as(alias.name, alias.asname)}"
        for alias in node.names
    }


def _source(value: FunctionType | type) -> str:
    name = value.__name__
    if isinstance(value, FunctionType) and value.__closure__:
        raise NotKept(f"{name} was made inside another function: define it in a cell of its own")
    method = value if isinstance(value, FunctionType) else _a_method(value)
    lines = linecache.getlines(method.__code__.co_filename) if method else []
    for node in reversed(ast.parse("".join(lines)).body):  # of two with a name the later one
        if getattr(node, "name", None) == name:
            first = min(each.lineno for each in [node, *node.decorator_list])
            if isinstance(value, FunctionType) and value.__code__.co_firstlineno != first:
                raise NotKept(f"{name} reads an earlier {name}: give the two different names")
            return "".join(lines[first - 1 : node.end_lineno]).rstrip()
    how = "write it as a `def` in a cell of its own"
    if isinstance(value, type):
        how = "give the class a method of its own, or use a dictionary"
    raise NotKept(f"the source of {name} is not known: {how}")


def _a_method(kind: type) -> FunctionType | None:
    return next((x for x in vars(kind).values() if isinstance(x, FunctionType)), None)


def names_read(source: str) -> list[str]:
    """Names that a definition takes from outside, in the order of the alphabet."""
    table = symtable.symtable(source, "cell", "exec")
    defined = {node.name for node in ast.parse(source).body if hasattr(node, "name")}
    return sorted({*_outer(table)} - defined)


def _outer(table: symtable.SymbolTable) -> Iterator[str]:
    for symbol in table.get_symbols():
        used = symbol.is_referenced() or symbol.is_declared_global()
        if used and (symbol.is_global() or table.get_type() == "module"):
            yield symbol.get_name()
    for child in table.get_children():
        yield from _outer(child)


def _import(name: str, value: object) -> str:
    """The line that imports `value`; "" if it cannot be imported."""
    if isinstance(value, ModuleType):
        package, _, last = value.__name__.rpartition(".")
        if name == value.__name__:
            return f"import {name}"
        return (
            f"from {package} import {last}" + _as(last, name)
            if package
            else (f"import {value.__name__}{_as(value.__name__, name)}")
        )
    module, own = getattr(value, "__module__", None), getattr(value, "__name__", None)
    try:
        importable = own and getattr(import_module(module), own) is value
    except (ImportError, AttributeError, TypeError):
        importable = False
    return f"from {module} import {own}{_as(own, name)}" if importable else ""


def _as(own: str, name: str | None) -> str:
    return "" if name in (own, None) else f" as {name}"


def _assignment(name: str, value: object, reader: str) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not isfinite(value):
        return f'{name} = float("{value}")'
    try:
        if ast.literal_eval(repr(value)) == value:
            return f"{name} = {value!r}"
    except (ValueError, SyntaxError, TypeError, RecursionError):
        pass
    raise NotKept(
        f"{reader} reads `{name}`, a {type(value).__name__}, which a file cannot hold: "
        "make it inside the function, or an argument"
    )


FILE = "my_decoder.py"
Check = Callable[[object], Feedback]

_ABOUT = """My decoder: version {version}, kept on {day}.

Lessons keep what I wrote here, and later ones use it. It is mine to change; each version
before this one lies beside it (my_decoder.1.py is the first).
"""


def keep(function: FunctionType, check: Check) -> None:
    """Keep a function that passes its check; prints what was done, or why nothing was."""
    print(_kept(function, check))


def mine(name: str, check: Check, otherwise: Callable, lesson: str) -> Callable:
    """The student's function of that name, if one is kept and passes; else `otherwise`.

    Prints whose it is; `lesson` is where it can be written.
    """
    path = progress.HERE / FILE
    if not path.exists():
        print(f"The course's {name} runs here. Yours will, once lesson {lesson} has kept it.")
        return otherwise
    try:
        function = getattr(loaded(path.read_text("utf-8"), path), name, None)
        feedback = check(function) if function else None
    except (Exception, SystemExit, Stopped) as error:
        print(f"The course's {name} runs here: {FILE} raises {in_words(error)}.")
        return otherwise
    if feedback is None:
        print(f"The course's {name} runs here: {FILE} has none. Lesson {lesson} keeps yours.")
    elif feedback.status != progress.PASSED:
        print(f"The course's {name} runs here: yours in {FILE} no longer passes.")
        print(f"  {feedback.message}")
    else:
        print(f"Your own {name} runs here, from {path.parent.name}/{FILE}.")
        return function
    return otherwise


def loaded(text: str, path: Path) -> ModuleType:
    """The module of that text, run under limits.  Whatever it raises comes through."""
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    code = compile(text, str(path), "exec")
    sys.modules[path.stem] = module
    within_limits(lambda: exec(code, module.__dict__))
    return module


def _kept(function: FunctionType, check: Check) -> str:
    path = progress.HERE / FILE
    name = getattr(function, "__name__", "it")
    if check(function).status != progress.PASSED:
        return f"Nothing is kept yet: {name} has to pass its check first."
    if not (progress.HERE / progress.FILE).exists():
        return f"Nothing is kept here. In your own copies of the lessons, {FILE} would have {name}."
    try:
        with alone(path):
            return _merged(function, check, path)
    except (NotKept, OSError) as error:
        return f"Nothing was kept: {getattr(error, 'strerror', None) or error}."
    except (Exception, SystemExit, Stopped) as error:  # of what stands in the file already
        return f"Nothing was kept: {FILE} raises {in_words(error)}."


def _merged(function: FunctionType, check: Check, path: Path) -> str:
    """Put a function into the file, in place of one of that name.

    Raises:
        NotKept, OSError; and whatever the file raises.
    """
    old = path.read_text("utf-8") if path.exists() else ""
    parts = parts_of(old)
    for name, text in definitions(function, path.stem).items():
        parts[name] = _remarks(parts.get(name, "")) + text
    body = _laid_out(in_order(parts))
    where = f"{path.parent.name}/{FILE}"
    if old and body == _laid_out(in_order(parts_of(old))):
        return f"{where} has this {function.__name__} already."
    feedback = check(getattr(loaded(body, path), function.__name__))
    if feedback.status != progress.PASSED:
        raise NotKept(f"it passes here, but not from a file alone. {feedback.message}")
    version = 1 + max(_numbers(path), default=0) + bool(old)
    aside = f"{path.stem}.{version - 1}.py" if old else ""
    about = _ABOUT.format(version=version, day=date.today().isoformat())
    write_whole(path, f'"""{about}"""\n\n\n{body}', aside)
    lines = len(body.splitlines())
    before = f" The version before is {aside}." if aside else ""
    return f"Kept: {function.__name__}, in {where} (version {version}, {lines} lines).{before}"


def _remarks(definition: str) -> str:
    """The comments above a definition, which stay when another takes its place."""
    lines = definition.splitlines(keepends=True)
    return "".join(takewhile(lambda line: line.strip()[:1] in ("", "#"), lines))


def _numbers(path: Path) -> list[int]:
    """The numbers of a file's earlier versions: my_decoder.2.py -> 2."""
    beside = (other.name for other in path.parent.iterdir())
    names = (re.fullmatch(rf"{path.stem}\.(\d+)\.py", name) for name in beside)
    return [int(name[1]) for name in names if name]


def _laid_out(texts: list[str]) -> str:
    """Imports in one block, two blank lines around each definition."""
    imports = sorted(text for text in texts if is_import(text))
    text = "\n".join(imports)
    for part in texts[len(imports) :]:
        text += ("\n\n\n" if text else "") + part
    return text + "\n"
