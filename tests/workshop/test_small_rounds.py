"""The small world of the scenes."""

from course_utils.lessons.small_rounds import small_stepper


def test_the_three_rounds_show_every_kind_of_event():
    """An accepted guess with p < q, a rejection of the third token, a bonus and an end."""
    first, second, third = small_stepper().data["rounds"]
    fates = [guess["fate"] for guess in first["guesses"]]
    assert fates == ["accepted", "accepted", "rejected", "lost"]
    assert first["guesses"][0]["p"] < first["guesses"][0]["q"]
    assert (first["kinds"][-1], second["kinds"][-1]) == ("correction", "bonus")
    assert third["emitted"][-1] == "."
