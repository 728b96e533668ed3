"""What the tests need: node, npm's modules where a scene imports one, and a browser."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from tests.browser import conftest as browser
from tests.stage import node

NPM = """#!/bin/sh
echo "$3" >> installed
mkdir -p "$3/node_modules/d3-one"
echo 'export const one = 1;' > "$3/node_modules/d3-one/index.mjs"
echo '{"type": "module", "exports": "./index.mjs"}' > "$3/node_modules/d3-one/package.json"
sleep 0.5
touch "$3/node_modules/.package-lock.json"
"""
SCENE = 'import { one } from "d3-one";\nexport const next = (x) => x + one;'


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course whose only scene imports a package that is not there, and an npm that brings it."""
    found = node.need_node()
    (tmp_path / "stage").mkdir()
    (tmp_path / "stage/scene.mjs").write_text(SCENE)
    (tmp_path / "npm").write_text(NPM)
    (tmp_path / "npm").chmod(0o755)
    which = {"node": found, "npm": str(tmp_path / "npm")}
    monkeypatch.setattr(node, "COURSE", tmp_path)
    monkeypatch.setattr(node.shutil, "which", which.get)
    return tmp_path


def test_a_scene_whose_package_is_not_there_is_skipped(course, monkeypatch):
    monkeypatch.delenv("NODE_REQUIRED", raising=False)
    with pytest.raises(pytest.skip.Exception, match="npm ci --prefix stage"):
        node.called("scene.mjs", "next", [[1]])


def test_a_package_that_is_not_there_is_installed(course, monkeypatch):
    monkeypatch.setenv("NODE_REQUIRED", "1")
    assert node.called("scene.mjs", "next", [[1]]) == [2]


def test_of_two_workers_one_installs_and_the_other_waits(course, monkeypatch):
    monkeypatch.setenv("NODE_REQUIRED", "1")
    with ThreadPoolExecutor(2) as pool:
        assert len(set(pool.map(lambda _: node.need_modules(), range(2)))) == 1
    assert (course / "installed").read_text().split() == ["stage"]


def test_where_there_is_no_node_it_is_said(course, monkeypatch):
    monkeypatch.setattr(node.shutil, "which", lambda name: None)
    monkeypatch.delenv("NODE_REQUIRED", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no node here"):
        node.called("scene.mjs", "next", [[1]])
    monkeypatch.setenv("NODE_REQUIRED", "1")
    with pytest.raises(FileNotFoundError, match="NODE_REQUIRED is set"):
        node.called("scene.mjs", "next", [[1]])


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
