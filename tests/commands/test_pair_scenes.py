"""The scenes of the trained pair show what its files and the recorded bench say."""

from transformers import AutoConfig

from course_utils.classroom.memory_examples import parameters
from course_utils.commands import gallery
from course_utils.commands.gallery import (
    DRAFT,
    TARGET,
    memory_exhibit,
    pair_stepper,
    recorded_example,
)
from course_utils.measuring.recorded import recorded_bench
from course_utils.pairs import PAIRS


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


def test_in_the_round_of_the_pair_a_guess_is_accepted_with_luck_and_one_rejected(fast):
    """What the talk asks at it is so whatever pair is shipped, and whatever the seed."""
    for seed in (0, 7):
        (shown,) = pair_stepper(fast, seed).data["rounds"]
        fates = [guess["fate"] for guess in shown["guesses"]]
        assert {"accepted", "rejected"} <= set(fates)
        assert any(one["fate"] == "accepted" and one["p"] < one["q"] for one in shown["guesses"])


def test_a_round_that_tells_less_is_shown_where_there_is_no_better(fast, monkeypatch):
    monkeypatch.setattr(gallery, "telling", lambda done: False)
    monkeypatch.setattr(gallery, "TRIED", 2)
    assert len(pair_stepper(fast).data["rounds"]) == 1
