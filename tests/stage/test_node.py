"""What is said where there is no node."""

import pytest

from tests.stage import node


def test_where_there_is_no_node_it_is_said(monkeypatch):
    monkeypatch.setattr(node.shutil, "which", lambda name: None)
    monkeypatch.delenv("NODE_REQUIRED", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no node here"):
        node.need_node()
    monkeypatch.setenv("NODE_REQUIRED", "1")
    with pytest.raises(FileNotFoundError, match="NODE_REQUIRED is set"):
        node.need_node()
