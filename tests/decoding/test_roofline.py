"""The time of a pass: its bytes or its arithmetic, whichever takes longer."""

import pytest

from course_utils.decoding.roofline import arithmetic_time, memory_time, pass_time, turning_point

MODEL = {"size": 8e9, "bandwidth": 4e12, "parameters": 4e9, "operations": 1e15}


@pytest.mark.parametrize(("tokens", "seconds"), [(1, 2e-3), (5, 2e-3), (250, 2e-3), (500, 4e-3)])
def test_a_pass_lasts_as_long_as_the_longer_of_the_two(tokens, seconds):
    assert pass_time(**MODEL, tokens=tokens) == pytest.approx(seconds, rel=1e-12)


def test_at_the_turning_point_both_take_as_long():
    k = turning_point(**MODEL)
    assert k == pytest.approx(250)
    weights = memory_time(MODEL["size"], MODEL["bandwidth"])
    arithmetic = arithmetic_time(MODEL["parameters"], k, MODEL["operations"])
    assert arithmetic == pytest.approx(weights, rel=1e-12)


def test_with_two_bytes_a_weight_the_model_does_not_matter():
    small = MODEL | {"size": 2e6, "parameters": 1e6}
    assert turning_point(**small) == pytest.approx(turning_point(**MODEL), rel=1e-12)


@pytest.mark.parametrize("name", MODEL)
@pytest.mark.parametrize("value", [0, -1.0, float("nan")])
def test_what_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(ValueError, match=rf"{name} is .*give a number above 0"):
        turning_point(**MODEL | {name: value})


def test_a_pass_has_tokens():
    with pytest.raises(ValueError, match="tokens is 0"):
        pass_time(**MODEL, tokens=0)
