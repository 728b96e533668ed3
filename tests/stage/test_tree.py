"""The story of a round's tree: nothing is said too early; where its nodes stand."""

from copy import deepcopy

import pytest

from course_utils.classroom.scene import as_json
from course_utils.decoding.trees import children, levels, widths
from course_utils.lessons.trees_and_heads.tree_view import tree_data
from tests.every_tree import FAMILY
from tests.lessons.trees_and_heads.test_tree_view import decode, run
from tests.stage.node import called

PLAN, PLACES = "parts/tree/plan.mjs", "parts/tree/places.mjs"
WIDE = (*widths((4, 3)), *(4 + i // 2 for i in range(16)))  # 32 nodes
SHAPES = [(-1,), (-1, 0, 1), (-1,) * 32, FAMILY, WIDE]


@pytest.fixture(scope="module")
def shown():
    rounds = [r for seed in range(4) for r in run(seed) if r.drafted]
    rounds += [r for r in run(1, certain=True) if r.drafted]
    return as_json({"rounds": [tree_data(r, decode) for r in rounds]})["rounds"]


def steps_of(data):
    (steps,) = called(PLAN, "plan", [[data]])
    return steps


def test_a_step_for_each_level_and_each_verdict(shown):
    for one in shown[:5]:
        kinds = [step["kind"] for step in steps_of(one)]
        verdicts = ["verdict"] * one["counts"]["judged"]
        drafted = ["level"] * one["levels"]
        assert kinds == [*drafted, "pass", *verdicts, "last", "count", "cache"]


def test_no_sentence_says_what_is_not_yet_shown(shown):
    """The same sentences of a round that goes on otherwise."""
    cases, others = [], []
    for one in shown[:8]:
        for step in steps_of(one):
            other = deepcopy(one)
            seen = step.get("turn", -1) + 1 if step["kind"] != "last" else len(one["judged"])
            if step["kind"] in ("count", "cache"):
                continue
            for turn in other["judged"][seen:]:
                turn |= {"accepted": not turn["accepted"], "u": 0.123, "rest": 0.456}
            other |= {"counts": {}, "chain": {}, "cache": {}, "emitted": [], "path": []}
            if step["kind"] != "last":
                other["last"] = {}
            for node in other["nodes"]:
                node["fate"] = "?"
            cases.append([one, step])
            others.append([other, step])
    assert called(PLAN, "sentence", cases) == called(PLAN, "sentence", others)
    known = called(PLAN, "known", [[step, one] for one, step in cases])
    for (one, _), (other, _), now in zip(cases, others, known, strict=True):
        fates = [
            called(PLAN, "fate", [[node, i, now, data] for i, node in enumerate(data["nodes"])])
            for data in (one, other)
        ] if now["turns"] == 1 else [0, 0]  # fmt: skip
        assert fates[0] == fates[1]


def test_the_sentences_are_true(shown):
    for one in shown[:8]:
        steps = steps_of(one)
        said = called(PLAN, "sentence", [[one, step] for step in steps])
        for step, words in zip(steps, said, strict=True):
            if step["kind"] == "verdict":
                accepted = one["judged"][step["turn"]]["accepted"]
                assert ("accepted." if accepted else "rejected.") in words
                assert ("<" if accepted else "≥") in words
            assert "undefined" not in words
            assert "NaN" not in words
        unused = one["counts"]["drafted"] - one["counts"]["accepted"]
        assert f"{unused} not used" in said[-2]
        forgotten = one["counts"]["drafted"] - len(one["cache"]["kept"])
        assert f"{forgotten} slot{'s' * (forgotten != 1)} forgotten" in said[-1]


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
