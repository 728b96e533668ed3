"""The site: what `make site` reads, where it puts it, and the program that writes the pages.

The start page, `site/index.md`, has a name in double braces where a figure stands: each comes
from what is computed, recorded or stored; what was measured or computed is typed nowhere.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import numpy as np
from nbformat import NotebookNode

from course_utils.classroom.notebooks import (
    NOTEBOOKS,
    beneath,
    is_elective,
    lesson_paths,
    read_lesson,
)
from course_utils.classroom.parts import ELECTIVE, mark
from course_utils.classroom.scene import scene_div
from course_utils.commands.gallery import BY_NAME as EXHIBITED
from course_utils.decoding.rules.chain import residual
from course_utils.decoding.theory import expected_tokens, speedup
from course_utils.lessons.small_rounds import small_stepper
from workshop.site.pages import (
    FOLDER,
    as_read,
    gallery,
    linked,
    reference,
    run_button,
    run_commands,
    thumbnails,
)

ROOT = NOTEBOOKS.parent
SITE = ROOT / "site"
PAGES = (
    "README.md",
    "GLOSSARY.md",
    "REFERENCES.md",
    "CONTRIBUTING.md",
    "data/README.md",
    "stage/README.md",
    "deploy/README.md",
)
_TALK = '<a href="{}">The same as a talk</a>, one scene a screen, for a projector.'
FILES = (
    "LICENSE",
    "data/PYTHON-LICENSE.txt",
    ".github/workflows/site.yml",
    "data/pictures/*",
    "data/bench/*",
)


def build(
    out: Path,
    bench: Mapping[str, object],
    repository: str | None = None,
    address: str | None = None,
    talk: str | None = None,
    folder: Path = NOTEBOOKS,
) -> None:
    """Write the site to `out`.

    Args:
        out: a folder that is new, empty, or an earlier site, which is replaced.
        bench: the recorded results, for the start page.
        repository: its address, for the commands of the buttons.
        address: where the site will lie; without it no page has a picture to share.
        talk: the talk as one file, which the caller writes to `out`; the scenes' page links it.
        folder: of the lessons.

    Raises:
        ValueError: `out` holds something else.
        RuntimeError: a page has a fault, or a link of it leads nowhere; with what Sphinx said.
        FileNotFoundError: no lessons, or Sphinx is not installed.
    """
    _emptied(out)
    with TemporaryDirectory() as work:
        pages = Path(work) / "pages"
        lessons = {path: read_lesson(path) for path in lesson_paths(folder=folder)}
        collect(pages, lessons, _said(lessons, bench, repository, talk))
        options = ["-W", "--keep-going", "-q", "-j", "auto", "-d", str(Path(work) / "doctrees")]
        options += ["-D", f"html_baseurl={address.rstrip('/')}/"] if address else []
        command = [sys.executable, "-m", "sphinx", *options, "-c", str(SITE), str(pages), str(out)]
        found = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        ran = subprocess.run(
            command, env=os.environ | {"PYTHONPATH": found}, capture_output=True, text=True
        )
    if "No module named sphinx" in ran.stderr:
        raise FileNotFoundError(
            'Sphinx is not installed: pip install -c constraints.txt -e ".[site]"'
        )
    if ran.returncode:
        raise RuntimeError(f"the site was not built:\n{(ran.stderr or ran.stdout)[-4000:]}")


def collect(pages: Path, lessons: Mapping[Path, NotebookNode], said: Mapping[str, str]) -> None:
    """Write what Sphinx reads, laid out as in the repository, so that links stay as they are.

    Args:
        said: what stands for the names in braces on the site's own pages.
    """
    moved = {"notebooks/present.ipynb": "scenes.md"}
    moved["data/bench/"] = (
        max((ROOT / "data/bench").glob("run-*.json")).relative_to(ROOT).as_posix()
    )
    for path, lesson in lessons.items():
        notebook = as_read(lesson, said["run"])
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = linked(cell.source, moved)
        _put(pages / "notebooks" / beneath(path), nbformat.writes(notebook))
    for path in [*(ROOT / page for page in PAGES), *NOTEBOOKS.glob("*.md")]:
        _put(pages / path.relative_to(ROOT), linked(path.read_text("utf-8"), moved))
    for path in SITE.glob("*.md"):
        _put(pages / path.name, filled(path.read_text("utf-8"), said))
    for name, picture in thumbnails(lessons.values()).items():
        (pages / "pictures").mkdir(exist_ok=True)
        (pages / "pictures" / f"{name}.png").write_bytes(picture)
    for page, text in reference().items():
        _put(pages / FOLDER / page, text)
    for path in (path for pattern in FILES for path in ROOT.glob(pattern)):
        _copied(path, pages / path.relative_to(ROOT))


def _said(
    lessons: Mapping[Path, NotebookNode],
    bench: Mapping[str, object],
    repository: str | None,
    talk: str | None,
) -> dict[str, str]:
    stored = list(lessons.values())
    readme = (ROOT / "README.md").read_text("utf-8")
    called = lesson_names(readme)

    def contents(paths: Iterable[Path]) -> str:
        pages = (f"notebooks/{beneath(path).with_suffix('').as_posix()}" for path in paths)
        return "\n".join(f"{called.get(page, page)} <{page}>" for page in pages)

    return figures(stored, bench) | {
        "race": scene_div(EXHIBITED["race"].make().stored),
        "round": scene_div(small_stepper(details=False).stored),
        "memory": scene_div(EXHIBITED["memory"].make().stored),
        "distributions": scene_div(EXHIBITED["distributions"].make().stored),
        "scenes": gallery(lessons),
        "talk": _TALK.format(talk) if talk else "",
        "run": run_button(run_commands(repository)),
        "lessons": lessons_list(readme),
        "contents": contents(path for path in lessons if not is_elective(path)),
        "electives": contents(path for path in lessons if is_elective(path)),
    }


def _emptied(out: Path) -> None:
    if out.exists() and any(out.iterdir()):
        if not (out / ".buildinfo").exists():
            raise ValueError(f"{out} is not empty, and no site: choose another folder")
        shutil.rmtree(out)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copied(path: Path, there: Path) -> None:
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, there)


P, Q = np.array([0.5, 0.4, 0.1]), np.array([0.3, 0.2, 0.5])  # of the cheat sheet
WORDS = ("mat", "sofa", "moon")
ALPHA, GAMMA, C = 0.8, 4, 0.1
TOKENS = 6  # of the longest pass that is drawn
_CALLS = re.compile(r"cut into (\d+) calls of the target, speculative decoding into (\d+)")
_LESSON = re.compile(
    r"^\| \[([^\]]+)\]\((notebooks/[\w/]+)\.ipynb\) \| ([^|]+) \| ([^|]+) \| (\d+) / (\d+) \|",
    re.MULTILINE,
)
_NAME = re.compile(r"\{\{ *([\w.-]+) *\}\}")


def filled(page: str, figures: Mapping[str, str]) -> str:
    """The page with its figures.

    Raises:
        ValueError: it names one that there is not.

    >>> filled("{{ calls }} calls", {"calls": "22"})
    '22 calls'
    """
    missing = {name for name in _NAME.findall(page) if name not in figures}
    if missing:
        raise ValueError(f"the start page names {', '.join(sorted(missing))}, which nothing gives")
    return _NAME.sub(lambda name: figures[name[1]], page)


def figures(lessons: Sequence[NotebookNode], bench: Mapping[str, object]) -> dict[str, str]:
    """What the page may name.

    Args:
        lessons: in order; the first tells what its run saved.
        bench: `recorded_bench()`.

    Raises:
        ValueError: the first lesson does not store how many calls its two runs made.
    """
    tokens, calls = _calls(lessons[0])
    v = bench["costs"]["T=0 float32"]["v"]
    best = {
        (row["temperature"], row["text"]): row["speculation_ours"]
        for row in bench["compared"]
        if row["dtype"] == "float32"
    }
    machine = bench["machine"]
    return {
        "count": str(sum(mark(lesson) != ELECTIVE for lesson in lessons)),
        "tokens": tokens,
        "calls": calls,
        "k": str(TOKENS),
        "v_k": f"{v[TOKENS - 1]:.2f}",
        "passes": pass_bars(v[:TOKENS]),
        "p": f"({', '.join(map(str, P.tolist()))})",
        "q": f"({', '.join(map(str, Q.tolist()))})",
        "parts": parts(),
        "speed_code_loop": f"{best[0.0, 'looping']:.1f}",
        "speed_code": f"{best[0.0, 'not looping']:.1f}",
        "speed_warm": f"{best[1.0, 'not looping']:.1f}",
        "alpha": f"{100 * ALPHA:.0f} %",
        "gamma": str(GAMMA),
        "c": f"{100 * C:.0f} %",
        "expected": f"{expected_tokens(ALPHA, GAMMA):.1f}",
        "speed_free": f"{speedup(ALPHA, GAMMA, C):.1f}",
        "speed_equal": f"{speedup(ALPHA, GAMMA, 1):.1f}",
        "machine": f"{machine['processor']}, threads: {machine['threads']}, {bench['date']}",
        "bench": bench["command"],
    }


def pass_bars(v: Sequence[float]) -> str:
    """How long one pass takes over 1, 2, ... tokens, in passes over one."""
    most = len(v)
    rows = "".join(
        f"<span>{k} token{'s' * (k > 1)}</span><div>"
        f'<span class="bar" style="--part:{value / most:.4f}"></span>'
        f'<span class="if" style="--part:{k / most:.4f}"></span><b>{value:.2f}</b></div>'
        for k, value in enumerate(v, 1)
    )
    alt = f"One pass over {most} tokens takes {v[-1]:.2f} times as long as over one."
    return f'<div class="passes" role="img" aria-label="{alt}">{rows}</div>'


def parts() -> str:
    """p as what is accepted and what the correction adds, token by token."""
    accepted = np.minimum(P, Q)
    corrected = (1 - accepted.sum()) * residual(P, Q)
    rows = "".join(
        f"<span>{escape(word)}</span><div>"
        f'<span class="accepted" style="--part:{a:.4f}">{a:.1f}</span>'
        + (f'<span class="corrected" style="--part:{c:.4f}">{c:.1f}</span>' if c > 0 else "")
        + f"<b>= {a + c:.1f}</b></div>"
        for word, a, c in zip(WORDS, accepted, corrected, strict=True)
    )
    alt = "; ".join(
        f"{word}: {a:.1f} accepted and {c:.1f} by the correction make {p:.1f}"
        for word, a, c, p in zip(WORDS, accepted, corrected, P, strict=True)
    )
    return f'<div class="parts" role="img" aria-label="{alt}">{rows}</div>'


def lessons_list(readme: str) -> str:
    """HTML of the README's table of lessons.

    >>> print(lessons_list("| [00 a](notebooks/00_a.ipynb) | core path | run | 2 / 3 | any |"))
    <ol class="lessons">
    <li><b><a href="notebooks/00_a.html">00 a</a></b> <span>run</span> <small>2 + 3 min</small></li>
    </ol>
    """
    rows = []
    for name, page, path, what, read, build in _LESSON.findall(readme):
        deep = "" if path == "core path" else f"{path}, "
        rows.append(
            f'<li><b><a href="{page}.html">{name}</a></b> <span>{_code(what)}</span> '
            f"<small>{deep}{read} + {build} min</small></li>"
        )
    return "\n".join(['<ol class="lessons">', *rows, "</ol>"])


def lesson_names(readme: str) -> dict[str, str]:
    """What the README calls each lesson, by its page."""
    return {page: name for name, page, *_ in _LESSON.findall(readme)}


def _code(words: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(words))


def _calls(lesson: NotebookNode) -> tuple[str, str]:
    for cell in lesson.cells:
        for output in cell.get("outputs", []):
            words = str(output.get("metadata", {}).get("image/png", {}).get("alt", ""))
            if found := _CALLS.search(words):
                return found.groups()
    raise ValueError("the first lesson stores no picture of its calls: run `make notebooks`")
