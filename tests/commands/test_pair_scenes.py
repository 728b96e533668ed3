"""The scenes of the trained pair show what its files and the recorded bench say."""

from transformers import AutoConfig

from course_utils.classroom.memory_examples import parameters
from course_utils.commands import gallery
from course_utils.commands.gallery import (
    DRAFT,
    TARGET,
    memory_exhibit,
    pair_batch,
    pair_heat_map,
    pair_stepper,
    pair_tree,
    recorded_example,
)
from course_utils.measuring.recorded import recorded_bench
from course_utils.models.pairs import PAIRS


def test_the_shapes_are_those_of_the_trained_pair():
    for shape, folder in zip((TARGET, DRAFT), PAIRS["tiny"], strict=True):
        config = AutoConfig.from_pretrained(folder)
        assert vars(shape) == {name: getattr(config, name) for name in vars(shape)}
        assert parameters(shape) == parameters(config)


def test_the_recorded_pair_is_what_the_bench_recorded():
    costs = recorded_bench()["costs"]["T=0 float32"]
    example = recorded_example()
    assert [example.seconds[k] for k in range(1, 10)] == costs["verify"]
    assert example.draft_seconds == costs["draft"][4]
    measured = memory_exhibit().data["measured"]
    assert [v for _, v in measured] == costs["v"]


def test_the_three_rounds_of_the_pair_show_all_that_can_happen(fast):
    """What the talk asks at them is so whatever pair is shipped, and whatever the seed."""
    for seed in (0, 7):
        first, *later = pair_stepper(fast, seed).data["rounds"]
        fates = [guess["fate"] for guess in first["guesses"]]
        assert fates[0] == "accepted"
        assert "rejected" in fates
        assert any(shown["kinds"][-1] == "bonus" for shown in later)
        guesses = [guess for shown in (first, *later) for guess in shown["guesses"]]
        assert any(one["fate"] == "accepted" and one["p"] < one["q"] for one in guesses)


def test_rounds_that_tell_less_are_shown_where_there_are_no_better(fast, monkeypatch):
    monkeypatch.setattr(gallery, "telling", lambda rounds: False)
    monkeypatch.setattr(gallery, "TRIED", 2)
    assert len(pair_stepper(fast).data["rounds"]) == 3


def test_the_three_texts_of_the_pair(fast):
    texts = pair_heat_map(fast, seed=0).data["texts"]
    assert [text["name"] for text in texts] == ["code", "prose", "numbers"]
    assert all(len(text["tokens"]) > 60 for text in texts)
    code, prose, numbers = (text["per_round"] for text in texts)
    assert prose < code < numbers  # what the scene's last sentence says


def test_in_the_tree_of_the_pair_a_second_child_wins(fast):
    data = pair_tree(fast).data
    chosen = data["rounds"][data["chosen"]]
    assert any(chosen["nodes"][i]["rank"] for i in chosen["path"])
    assert chosen["counts"]["tokens"] > chosen["chain"]["tokens"]


def test_in_the_batch_of_the_pair_there_is_much_to_see(fast):
    """Whatever pair is shipped: both extremes, a row that ends early, another in its slot."""
    data = pair_batch(fast).data
    static, continuous = (len(mode["turns"]) for mode in data["modes"])
    assert continuous < static
    words = " ".join(data["modes"][1]["said"])
    for told in ("accepted all", "a bonus", "accepted none", " the slot", "idle"):
        assert told in words
    assert "idle." in " ".join(data["modes"][0]["said"][1:-1])
    assert len(str(data)) < 40_000
