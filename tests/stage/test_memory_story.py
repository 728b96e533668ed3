"""What the scene on memory says, of every example and at every step."""

from course_utils.classroom.memory_examples import ON_AN_H200, QWEN3_06B, timed
from course_utils.classroom.memory_scene import memory_data
from course_utils.decoding import roofline
from tests.stage.node import called

STORY = "parts/memory/story.mjs"
TIMED = timed("here", QWEN3_06B, 2, {1: 0.010, 2: 0.011, 5: 0.0125})
DATA = memory_data((ON_AN_H200, TIMED), {}, 5)
COMPUTED, MEASURED = DATA["examples"]


def sentences(example, measured=DATA["measured"]):
    steps = called(STORY, "stepsOf", [[example, measured]])[0]
    given = {"tokens": 5, "measured": measured, "where": "here"}
    found = called(STORY, "sentence", [[step, example, given] for step in steps])
    return dict(zip(steps, found, strict=True))


def test_a_computed_example_is_told_with_the_numbers_of_its_shape():
    said = sentences(COMPUTED)
    assert "4.02 billion numbers, 8.04 GB in memory" in said["ask"]
    assert "1.68 ms at 4.8 TB a second" in said["one"]
    assert "1.68 ms, where 5 passes take 8.38 ms" in said["five"]
    assert "up to 5 tokens in 2.67 ms" in said["guess"]  # 4 of 0.248, and 1.68
    assert "k = 206" in said["knee"]
    assert said["dots"].startswith("Measured, here: a pass over 5 tokens took 1.25 times")


def test_a_question_does_not_hold_its_answer():
    said = sentences(COMPUTED)
    for question in ("ask", "limit"):
        assert not any(word in said[question] for word in ("1.68", "206", "ms"))
    assert "8.38" not in said["one"]


def test_a_timed_example_is_told_by_its_clock_and_has_no_turning_point():
    said = sentences(MEASURED)
    assert "knee" not in said
    assert "limit" not in said
    assert "10.0 ms by the clock" in said["one"]
    assert "12.5 ms. 5 passes take 50.0 ms" in said["five"]


def test_without_a_measurement_there_are_no_dots():
    assert "dots" not in sentences(COMPUTED, [])


def test_the_time_of_a_pass_is_pythons_and_where_it_was_timed_the_clocks():
    times = called(STORY, "passOf", [[COMPUTED, k] for k in (1, 5, 206, 207, 1000)])
    sizes = (ON_AN_H200.target.size, ON_AN_H200.bandwidth, COMPUTED["target"]["parameters"])
    for k, seconds in zip((1, 5, 206, 207, 1000), times, strict=True):
        assert seconds == roofline.pass_time(*sizes, k, ON_AN_H200.operations)
    assert called(STORY, "passOf", [[MEASURED, 5]]) == [0.0125]


def test_sizes_are_read_out_in_their_unit():
    sizes = {8_044_936_192: "8.04 GB", 4.8e12: "4.8 TB", 41_985_024: "42.0 MB", 28.2e9: "28.2 GB"}
    assert called(STORY, "bytes", [[size] for size in sizes]) == list(sizes.values())
