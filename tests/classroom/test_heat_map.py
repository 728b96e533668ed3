"""A heat map says of each token what the rounds say."""

import pytest

from course_utils.classroom.heat_map import heat_map, heat_map_data
from course_utils.classroom.rounds import round_of
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.rules import BLOCK
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.models.characters import CharacterModel

TARGET, DRAFT = CharacterModel(), CharacterModel(accuracy=0.7)
decode = TARGET.alphabet.decode


def run(seed=1, **changes):
    options = {"gamma": 3, "max_new_tokens": 18, "seed": seed} | changes
    return list(generate(TARGET, [0], Sampled(DRAFT), **options))


def shown(rounds, prompt=""):
    return heat_map_data({"a": (rounds, prompt)}, decode)["texts"][0]


@pytest.mark.parametrize("seed", range(6))
def test_every_token_has_the_numbers_of_its_round(seed):
    rounds = run(seed)
    tokens = iter(shown(rounds)["tokens"])
    for r in rounds:
        for i, (token, kind) in enumerate(zip(r.emitted, r.kinds, strict=True)):
            found = next(tokens)
            assert (found["text"], found["kind"]) == (decode([token]), kind)
            assert found["round"] == r.index + 1
            assert found["own"] == float(r.p[i, token])
            if kind not in ("accepted", "correction"):
                assert "share" not in found
                continue
            guess = r.drafted[i]
            assert found["guess"] == decode([guess])
            assert (found["p"], found["q"]) == (r.p[i, guess], r.q[i, guess])
            assert found["share"] == min(1, r.p[i, guess] / r.q[i, guess])
            assert (found["u"] < found["share"]) == (kind == "accepted")
    assert next(tokens, None) is None


def test_the_sums_are_those_of_the_metrics():
    rounds = run()
    found, metrics = shown(rounds), summarise(rounds)
    assert found["per_round"] == metrics.tokens / metrics.rounds == metrics.tokens_per_round
    assert (found["accepted"], found["examined"]) == (metrics.accepted, metrics.examined)
    assert found["uniforms"]
    assert found["most"] == 4  # three guesses and the bonus


def test_a_drafter_that_was_certain_has_q_one():
    text = [1, 2, 3, 1, 2, 3, 1, 2]
    options = {"gamma": 3, "max_new_tokens": 8, "seed": 0}
    rounds = list(generate(TARGET, text, PromptLookup(), **options))
    guessed = [token for token in shown(rounds)["tokens"] if "q" in token]
    assert guessed
    assert all(token["q"] == 1 and token["share"] == token["p"] for token in guessed)


def test_where_the_uniforms_alone_do_not_decide_it_says_so(tables):
    target, draft = tables
    options = {"gamma": 3, "max_new_tokens": 60, "rule": BLOCK, "seed": 0}
    rounds = list(generate(target, [0], Sampled(draft), **options))
    found = heat_map_data({"a": (rounds, "")}, lambda tokens: "".join(map(str, tokens)))
    assert not found["texts"][0]["uniforms"]


def test_the_scene_names_its_sums():
    rounds = run()
    scene = heat_map({"code": (rounds, "p")}, decode)
    assert scene.name == "heat_map"
    assert f"code: {len([t for r in rounds for t in r.emitted]) / len(rounds):.2f}" in scene.alt


@pytest.mark.parametrize(
    ("texts", "words"), [({}, "no text"), ({"a": ([], "")}, "a: give the rounds of a run")]
)
def test_nothing_to_show_is_refused(texts, words):
    with pytest.raises(ValueError, match=words):
        heat_map(texts, decode)


def test_a_text_without_a_bonus_or_a_correction_is_a_text():
    found = shown([round_of(3, 3)])
    assert [token["kind"] for token in found["tokens"]] == ["accepted"] * 3 + ["bonus"]
