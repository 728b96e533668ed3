"""A student's own functions, kept in my_lessons/my_decoder.py and used by later lessons.

`keep` writes a function there with all it needs, if it passes its check from the file alone;
`mine` gives it to a later lesson, or the course's where there is none that passes.  The
file is the student's to read and to change, and no version of it is ever lost.
"""

import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import FunctionType, ModuleType

from course_utils.classroom import progress
from course_utils.classroom.feedback import Feedback
from course_utils.classroom.files import alone, write_whole
from course_utils.classroom.limits import Stopped, within_limits
from course_utils.classroom.standalone import NotKept, definitions, in_order, is_import, parts_of
from course_utils.classroom.words import in_words

FILE = "my_decoder.py"
Check = Callable[[object], Feedback]

_ABOUT = '''"""My decoder: version {version}, kept on {day}.

Lessons keep what I wrote here, and later ones use it. It is mine to change; each version
before this one lies beside it (my_decoder.1.py is the first).
"""'''


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
    parts = parts_of(old) | definitions(function, path.stem)
    body = _laid_out(in_order(parts))
    where = f"{path.parent.name}/{FILE}"
    if old and body == _laid_out(in_order(parts_of(old))):
        return f"{where} has this {function.__name__} already."
    feedback = check(getattr(loaded(body, path), function.__name__))
    if feedback.status != progress.PASSED:
        raise NotKept(f"it passes here, but not from a file alone. {feedback.message}")
    version = 1 + sum(1 for _ in path.parent.glob(f"{path.stem}.*.py")) + bool(old)
    aside = f"{path.stem}.{version - 1}.py" if old else ""
    about = _ABOUT.format(version=version, day=date.today().isoformat())
    write_whole(path, f"{about}\n\n{body}", aside)
    lines = len(body.splitlines())
    before = f" The version before is {aside}." if aside else ""
    return f"Kept: {function.__name__}, in {where} (version {version}, {lines} lines).{before}"


def _laid_out(texts: list[str]) -> str:
    """Imports in one block, two blank lines around each definition."""
    imports = sorted(text for text in texts if is_import(text))
    text = "\n".join(imports)
    for part in texts[len(imports) :]:
        text += ("\n\n\n" if text else "") + part
    return text + "\n"
