"""What the small world shows: its first round, its sentence, its tree and its batch."""

import numpy as np
import pytest

from course_utils.commands.gallery import small_batch, small_tree
from course_utils.lessons import small_rounds as world
from course_utils.lessons.small_rounds import small_rounds, small_stepper


def test_a_text_is_its_words_and_back():
    text = "the cat sat on the mat and slept all day."
    assert world.decode(world.encode(text)) == text


def test_a_word_of_another_world_is_refused():
    with pytest.raises(ValueError, match="wombat: this small world knows only"):
        world.encode("the wombat sat")


def test_a_room_that_guesses_the_likeliest_word_says_what_the_target_does():
    row = world.target().distribution(world.encode(world.PROMPT))
    assert world.WORDS[int(np.argmax(row))] == "mat"


def test_the_three_rounds_show_all_that_can_happen():
    """A guess with p < q that is accepted, a rejection by the third token, a bonus, an end."""
    first, second, third = small_stepper().data["rounds"]
    assert [guess["fate"] for guess in first["guesses"]] == [
        "accepted", "accepted", "rejected", "lost",
    ]  # fmt: skip
    assert first["guesses"][0]["p"] < first["guesses"][0]["q"]
    assert first["guesses"][2]["p"] > 0  # not impossible, only less likely than it was drawn
    assert (first["kinds"][-1], second["kinds"][-1]) == ("correction", "bonus")
    assert third["emitted"][-1] == "."
    text = world.decode([x for r in small_rounds() for x in r.emitted])
    assert text == "roof and slept all day and looked at the moon."


def test_in_the_tree_a_second_child_wins_where_the_first_path_has_nothing():
    (shown,) = small_tree().data["rounds"]
    ranks = [shown["nodes"][i]["rank"] for i in shown["path"]]
    assert ranks[0] == 1
    assert shown["chain"]["tokens"] == 1 < shown["counts"]["tokens"]


def test_in_the_batch_both_extremes_are_seen_and_a_slot_is_refilled():
    data = small_batch().data
    static, continuous = (len(mode["turns"]) for mode in data["modes"])
    assert (static, continuous) == (7, 4)
    kinds = [{kind for _, kind in r["guesses"]} for row in data["rows"] for r in row["rounds"]]
    assert {"accepted"} in kinds  # all
    assert any("accepted" not in one for one in kinds)  # none
    assert len(data["story"]) == 6
    assert "idle" in data["story"][2]["said"]
    assert "at once" in data["story"][4]["said"]
