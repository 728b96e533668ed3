"""The small world of the scenes: its rounds show every kind of event."""

from course_utils.lessons.small_rounds import greedy_stepper, small_stepper


def test_the_three_sampled_rounds_have_every_kind_of_event():
    """An accepted guess with p < q, a rejected and an unexamined guess, a bonus, a stop token."""
    first, second, third = small_stepper().data["rounds"]
    fates = [guess["fate"] for guess in first["guesses"]]
    assert fates == ["accepted", "accepted", "rejected", "lost"]
    assert first["guesses"][0]["p"] < first["guesses"][0]["q"]
    assert (first["kinds"][-1], second["kinds"][-1]) == ("correction", "bonus")
    assert third["emitted"][-1] == "."


def test_the_greedy_rounds_show_no_probability():
    data = greedy_stepper().data
    assert data["greedy"]
    assert [one["kinds"][-1] for one in data["rounds"]] == ["bonus", "correction", "correction"]
    fates = [guess["fate"] for guess in data["rounds"][1]["guesses"]]
    assert fates == ["accepted", "rejected", "lost"]
