"""Your own drafter, rule, model or decoder, by its place: MODULE:NAME or FILE.py:NAME."""

import os
import sys
from contextlib import suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

HERE, LIBRARY = Path(__file__).parent, Path(os.__file__).parent


def is_plugin(name: str) -> bool:
    """Return whether `name` looks like MODULE:NAME or FILE.py:NAME."""
    where, _, attribute = name.rpartition(":")
    return bool(where) and attribute.isidentifier()


def load_plugin(kind: str, name: str, *arguments: str) -> Any:
    """Import the object at MODULE:NAME or FILE.py:NAME; the current folder is searched first.

    Raises:
        ValueError: it does not exist, or cannot be called with these arguments.
    """
    where, _, attribute = name.rpartition(":")
    file = Path(where) if where.endswith(".py") else None
    folder = str(file.resolve().parent if file else Path.cwd())
    sys.path.insert(0, folder)
    try:
        plugin = getattr(_load_file(file) if file else import_module(where), attribute)
    except (Exception, SystemExit) as error:  # someone's module may fail in any way
        because = f"{type(error).__name__}: {error}{line_of_plugin(error)}"
        raise ValueError(f"there is no {kind} {name}, because of {because}") from error
    finally:
        with suppress(ValueError):  # the plug-in may have changed the path, too
            sys.path.remove(folder)
    try:
        if arguments:
            signature(plugin).bind(*arguments)
    except (TypeError, ValueError) as error:
        call = f"({', '.join(arguments)})"
        raise ValueError(f"{name} is no {kind}: it cannot be called with {call}") from error
    return plugin


def _load_file(file: Path) -> ModuleType:
    """Import by path: the stem may be no identifier (`mine.1`), or a library's name (`json`)."""
    spec = spec_from_file_location(f"file {file.resolve()}", file)
    if spec is None or spec.loader is None or not file.exists():
        raise FileNotFoundError(f"no file {file}")
    module = sys.modules[spec.name] = module_from_spec(spec)  # dataclasses look it up there
    spec.loader.exec_module(module)
    return module


def line_of_plugin(error: BaseException) -> str:
    """Return " (mine.py, line 4, in propose)", the innermost line that is neither the course's nor
    a library's; "" if there is none."""
    for frame in reversed(extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        ours = {HERE, LIBRARY} & {*file.parents} or "site-packages" in file.parts
        if file.is_file() and not ours:
            return f" ({file.name}, line {frame.lineno}, in {frame.name})"
    return ""
