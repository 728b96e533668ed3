"""A standard library small enough to learn from in seconds."""

import pytest

from course_utils.training import corpus
from workshop.training import dependencies


@pytest.fixture
def small_library(tmp_path, monkeypatch):
    """A "standard library" of a few modules, one of them held out."""
    root = tmp_path / "lib"
    root.mkdir()
    text = "def f(x):\n    return x + 1\n\n\nclass A:\n    value = f(1)\n" * 60
    for name in ("os.py", "textwrap.py"):
        (root / name).write_text(f"# {name}\n{text}")
    (root / "broken.py").write_bytes(b"\xff\xfe\xff")
    monkeypatch.setattr(corpus, "standard_library", lambda: root)
    monkeypatch.setattr(dependencies, "LEARNED", ())
    return tmp_path / "pair"
