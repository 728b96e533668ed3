"""What the small world shows: its first round, its sentence, its tree and its batch."""

from course_utils.lessons import small_rounds as world
from course_utils.lessons.small_rounds import small_rounds, small_stepper


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
