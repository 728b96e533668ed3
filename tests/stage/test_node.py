"""What is said where there is no node or no browser."""

from types import SimpleNamespace

import pytest

from tests.browser import conftest as browser
from tests.stage import node


def test_where_there_is_no_node_it_is_said(monkeypatch):
    monkeypatch.setattr(node.shutil, "which", lambda name: None)
    monkeypatch.delenv("NODE_REQUIRED", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no node here"):
        node.need_node()
    monkeypatch.setenv("NODE_REQUIRED", "1")
    with pytest.raises(FileNotFoundError, match="NODE_REQUIRED is set"):
        node.need_node()


def test_without_a_browser_its_tests_are_skipped_but_where_it_is_required(monkeypatch):
    marks = []
    item = SimpleNamespace(nodeid="tests/browser/test_lab.py::test", add_marker=marks.append)
    monkeypatch.setattr(browser, "find_chromium", lambda: None)
    monkeypatch.setenv("BROWSER_REQUIRED", "1")
    browser.pytest_collection_modifyitems([item])
    assert marks == []
    monkeypatch.delenv("BROWSER_REQUIRED")
    browser.pytest_collection_modifyitems([item])
    assert "no Chromium here" in marks[0].kwargs["reason"]
