"""Functions of a notebook as text that stands alone: with all that they read, callees first."""

import ast
import linecache
import symtable
from collections.abc import Iterator
from importlib import import_module
from math import isfinite
from types import FunctionType, ModuleType

import numpy as np

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
    """A module's definitions by name, with the comments before them; other statements under
    names that no definition has.

    Raises:
        SyntaxError: it is no Python.
    """
    lines, end, parts = text.splitlines(), 0, {}
    for number, node in enumerate(ast.parse(text).body):
        chunk = "\n".join(lines[end : node.end_lineno]).strip("\n")
        end = node.end_lineno
        if isinstance(node, ast.Import | ast.ImportFrom):
            parts |= _each_import(node)
        elif not (number == 0 and isinstance(node, ast.Expr)):  # the docstring is ours
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            name = getattr(node, "name", getattr(target, "id", f"({number})"))
            parts[name] = chunk
    return parts


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
