"""A student's own functions, in my_lessons/my_decoder.py, which later lessons use.

`keep` writes a function there with everything it needs, if it passes its check from the file
alone; `my_function` returns it to a later lesson, or the course's function if none passes.  The
file is the student's to read and change, and no version of it is ever lost.
"""

import ast
import re
import sys
from collections.abc import Callable
from inspect import getsource, unwrap
from itertools import count
from pathlib import Path
from textwrap import dedent
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
        except (Exception, SystemExit, Stopped) as error:  # of the disk, or of the student's file
            print(f"Nothing saved in {FILE}: {in_words(error)}.")


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
    """Write a function to the file, in place of an earlier one of that name; return a message.

    Raises:
        OSError; and whatever the file raises.
    """
    where, name = f"{path.parent.name}/{FILE}", function.__name__
    old = path.read_text("utf-8") if path.exists() else ""
    first, last = f"# saved: {name}\n", f"# end of {name}\n"
    block = f"{first}{source_of(function, path.stem)}\n{last}"
    before = re.search(f"^{first}.*?^{last}", old, re.MULTILINE | re.DOTALL)
    new = old.replace(before[0], block) if before else f"{old or ABOUT}\n\n{block}"
    if new == old:
        return f"{where} already has this {name}."
    feedback = check(getattr(_load(new, path), name))
    if feedback.status != progress.PASSED:
        return f"Nothing saved: it passes here, but not from the file alone. {feedback.message}"
    names = (f"{path.stem}.{number}.py" for number in count(1))
    aside = next(name for name in names if not path.with_name(name).exists()) if old else ""
    write_whole(path, new, aside)
    return f"Saved {name} in {where}." + f" The previous version is {aside}." * bool(aside)


def _load(text: str, path: Path) -> ModuleType:
    """Run the text as a module under limits; its errors are passed on."""
    module = ModuleType(path.stem)
    within_limits(lambda: exec(compile(text, str(path), "exec"), module.__dict__))
    return module


def source_of(function: FunctionType, file: str = "") -> str:
    """Return the source of a notebook's function, after that of everything it reads.

    Modules and imported names become imports, plain values assignments.  Names from the module
    `file` and values that a file cannot hold are left out; its check then misses the latter.
    """
    texts: dict[str, str] = {}

    def define(name: str, value: object) -> None:
        own = unwrap(value) if callable(value) else None  # its source includes the decorators
        if name in texts:
            return
        texts[name] = ""  # now, or a recursion would not end
        if not isinstance(own, FunctionType) or own.__module__ not in (NOTEBOOK, file):
            text = _statement(name, value)
        else:
            text = dedent(getsource(own)) if own.__module__ == NOTEBOOK else ""
            for other in sorted(names_read(compile(text, name, "exec")) & own.__globals__.keys()):
                if not other.startswith("__"):
                    define(other, own.__globals__[other])
            text += f"\n{name} = {own.__name__}" * (name != own.__name__)
        del texts[name]
        texts[name] = text.strip()  # after what it reads

    define(function.__name__, function)
    return "\n\n\n".join(filter(None, texts.values()))


def _statement(name: str, value: object) -> str:
    """Return the import or the assignment that gives `name` its value; "" if there is none."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__}" + f" as {name}" * (name != value.__name__)
    module, own = getattr(value, "__module__", None), getattr(value, "__name__", None)
    if own and module != NOTEBOOK and getattr(sys.modules.get(module), own, None) is value:
        return f"from {module} import {own}" + f" as {name}" * (name != own)
    value = value.item() if isinstance(value, np.generic) else value
    try:
        return f"{name} = {value!r}" if ast.literal_eval(repr(value)) == value else ""
    except (ValueError, SyntaxError, TypeError, RecursionError):
        return ""
