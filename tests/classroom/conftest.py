import pytest

from course_utils.classroom import progress


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The folder of the open lesson, with a record."""
    (folder := tmp_path / "my_lessons").mkdir()
    monkeypatch.setattr(progress, "HERE", folder)
    progress.begin(folder)
    return folder
