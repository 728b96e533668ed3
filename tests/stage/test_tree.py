"""Where the nodes of a drawn tree stand."""

import pytest

from course_utils.decoding.trees import children, levels, widths
from tests.every_tree import FAMILY
from tests.stage.node import called

PLACES = "parts/tree/places.mjs"
WIDE = (*widths((4, 3)), *(4 + i // 2 for i in range(16)))  # 32 nodes
SHAPES = [(-1,), (-1, 0, 1), (-1,) * 32, FAMILY, WIDE]


@pytest.mark.parametrize("parents", SHAPES)
def test_children_are_those_of_python(parents):
    nodes = [{"parent": parent} for parent in parents]
    (found,) = called(PLACES, "children", [[nodes]])
    assert found == [list(some) for some in children(parents)]
    (order,) = called(PLACES, "depthFirst", [[nodes]])
    assert sorted(order) == list(range(len(parents)))
    assert all(
        parent < 0 or order.index(parent) < order.index(i) for i, parent in enumerate(parents)
    )


@pytest.mark.parametrize("width", [18, 35, 45, 60])
@pytest.mark.parametrize("parents", SHAPES, ids=len)
def test_no_two_nodes_overlap_and_none_is_outside(parents, width):
    depth = {-1: -1}
    for i, parent in enumerate(parents):
        depth[i] = depth[parent] + 1
    nodes = [{"parent": parent, "depth": depth[i]} for i, parent in enumerate(parents)]
    (found,) = called(PLACES, "places", [[nodes, width, 17.7]])
    boxes = found["boxes"]
    for i, a in enumerate(boxes):
        assert 0 <= a["x"] < a["x"] + a["w"] <= width
        assert 0 <= a["y"] < a["y"] + a["h"] <= found["height"] + 1e-9
        for b in boxes[:i]:
            apart = a["x"] >= b["x"] + b["w"] or b["x"] >= a["x"] + a["w"]
            assert apart or b["y"] + b["h"] <= a["y"] + 1e-9 or a["y"] + a["h"] <= b["y"] + 1e-9
        assert a["w"] > 4
    most = max(list(depth.values())[1:].count(level) for level in range(levels(parents)))
    if width > 30:
        assert found["height"] <= max(17.7, 1.36 * most) + 1e-9  # a widest level that fits, fits
