"""The scene *tree* shows exactly the numbers by which recursive rejection judged."""

import json

import numpy as np
import pytest
import torch

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.rules import MULTI_PATH_MATCH, RECURSIVE_REJECTION, residual, without
from course_utils.decoding.sampling import GREEDY, Sampling, sample
from course_utils.decoding.trees import ancestors, children, depths
from course_utils.lessons.trees_and_heads.tree_view import (
    MOST_NODES,
    replay,
    scene_data,
    tree_data,
    tree_scene,
)
from course_utils.models.toys.tables import TableModel
from tests.every_tree import FAMILY

WORDS = ["a", "b ", "\n", "<b>", "\u202e", "\x00"]


def decode(tokens):
    return "".join(WORDS[x] for x in tokens)


class Shaped:
    """A drafter of one tree shape, drawn from a model; `certain`: its likeliest tokens."""

    def __init__(self, model, parents=FAMILY, certain=False):
        self.model, self.parents, self.certain = model, parents, certain

    def propose(self, tokens, gamma, noise):
        parents = self.parents[:gamma]
        uniforms, guesses, rows = noise.uniforms("draft", len(parents)), [], []
        for place, parent in enumerate(parents):
            path = []
            while parent >= 0:
                path, parent = [guesses[parent], *path], parents[parent]
            row = self.model.distribution([*tokens, *path])
            siblings = [i for i in range(place) if parents[i] == parents[place]]
            for i in siblings:
                row = without(row, guesses[i])
            rows.append(row)
            guesses.append(int(row.argmax()) if self.certain else sample(row, uniforms[place]))
        return Draft(tuple(guesses), None if self.certain else np.stack(rows), parents)


def run(
    seed=0, *, certain=False, sampling=Sampling(), drafter=None, rule=RECURSIVE_REJECTION, **kw
):
    target, draft = (TableModel.random(6, 1, seed=1000 * i + seed) for i in (1, 2))
    drafter = drafter or Shaped(draft, certain=certain)
    kw = {"gamma": 9, "max_new_tokens": 24, "rows": True, **kw}
    return list(generate(target, [0], drafter, rule=rule, sampling=sampling, seed=seed, **kw))


@pytest.mark.parametrize("sampling", [Sampling(), Sampling(0.6, top_k=3), GREEDY], ids=str)
@pytest.mark.parametrize("certain", [False, True])
def test_each_node_is_judged_by_what_its_siblings_left_and_the_verdict_follows(certain, sampling):
    later_children = 0
    for r in [r for seed in range(10) for r in run(seed, certain=certain, sampling=sampling)]:
        replayed = replay(r)
        assert sample(replayed.left, r.uniforms[-1]) == r.verdict.token
        if not r.parents:
            continue
        assert replayed.path == r.verdict.path
        by_node = {one.node: one for one in replayed.judgements}
        for parent, siblings in enumerate(children(r.parents), -1):
            left = r.p[parent + 1]
            for i in [i for i in siblings if i in by_node]:
                x, one = r.drafted[i], by_node[i]
                q = np.eye(6)[x] if certain else r.q[i]
                assert np.array_equal(one.left, left)
                assert one.ratio == float(left[x] if certain else left[x] / q[x])
                assert one.accepted == (r.uniforms[i] < one.ratio)
                if one.accepted:
                    later_children += i != siblings[0]
                else:
                    left = without(left, x) if certain else residual(left, q)
    assert later_children  # else the test would not cover them


def test_the_data_match_the_round():
    for r in [r for r in run(5) if r.drafted]:
        data = tree_data(r, decode)
        nodes, parents = data["nodes"], r.parents
        assert [node["parent"] for node in nodes] == list(parents)
        assert [node["text"] for node in nodes] == [WORDS[x] for x in r.drafted]
        assert [node["position"] for node in nodes] == [r.context + d for d in depths(parents)]
        assert [node["slot"] for node in nodes] == [r.context + i for i in range(len(nodes))]
        mask = np.zeros((len(nodes), len(nodes)), bool)
        for i, node in enumerate(nodes):
            mask[i, node["path"]] = True
            assert node["p"] == pytest.approx(r.p[parents[i] + 1, r.drafted[i]], rel=1e-5)
            assert node["q"] == pytest.approx(r.q[i, r.drafted[i]], rel=1e-5)
        assert np.array_equal(mask, ancestors(parents))
        counts = data["counts"]
        fates = [node["fate"] for node in nodes]
        assert fates.count("accepted") == counts["accepted"] == r.accepted
        assert fates.count("rejected") == counts["rejected"]
        assert counts["judged"] == len(data["judged"])
        assert counts["drafted"] == len(nodes)
        assert counts["tokens"] == len(r.emitted) == len(data["kinds"])
        cache = data["cache"]
        assert cache["after"] == r.context + len(cache["kept"]) == r.cache_after
        assert cache["during"] == cache["before"] + 1 + len(nodes)
        assert data["last"]["kind"] in (r.kinds[-1], None)
        for one in data["judged"]:
            assert one["top"][one["marked"]][0] == nodes[one["node"]]["text"]


def test_the_first_path_gives_what_its_chain_would_have_given():
    results = set()
    for seed in range(20):
        for r in run(seed):
            if not r.parents or r.stop_reason:
                continue
            first = [i for i in (0, 2, 6) if i < len(r.parents)]  # of FAMILY
            chain = RECURSIVE_REJECTION.judge(
                r.p[[0, *(i + 1 for i in first)]], r.q[list(first)],
                [r.drafted[i] for i in first], [*(r.uniforms[i] for i in first), r.uniforms[-1]],
            )  # fmt: skip
            data = tree_data(r, decode)["chain"]
            assert data["nodes"] == len(first)
            assert data["tokens"] == chain.accepted + 1
            assert data["whole"] == (chain.accepted == len(first))
            results.add((chain.accepted, data["whole"]))
    assert len(results) >= 3


def test_the_scene_is_json_and_opens_with_a_round_that_accepts_a_second_child():
    scene = tree_scene(run(0), decode, "a ")
    data = json.loads(json.dumps(scene.data, allow_nan=False))
    chosen = data["rounds"][data["chosen"]]
    assert any(chosen["nodes"][i]["rank"] for i in chosen["path"])
    assert f"a tree of {len(chosen['nodes'])} drafted tokens on 3 levels" in scene.alt


def test_rows_may_be_torch_tensors():
    r = run(0)[0]
    other = type(r)(**{**vars(r), "p": torch.tensor(r.p), "q": torch.tensor(r.q)})
    assert tree_data(other, decode) == tree_data(r, decode)


def test_another_rule_no_draft_and_too_many_nodes_are_refused():
    wrong = [r for seed in range(9) for r in run(seed, rule=MULTI_PATH_MATCH)]
    with pytest.raises(ValueError, match="not judged by recursive rejection"):
        scene_data(wrong, decode)
    target = TableModel.random(6, 1, seed=1)
    with pytest.raises(ValueError, match="no round drafted anything"):
        tree_scene(list(generate(target, [0], max_new_tokens=3)), decode)
    many = Shaped(target, parents=(-1, *range(MOST_NODES)))
    with pytest.raises(ValueError, match="readable up to 64"):
        tree_scene(run(drafter=many, gamma=99, max_new_tokens=99), decode)
