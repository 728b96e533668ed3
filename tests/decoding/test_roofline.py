"""The time of a pass: its bytes or its arithmetic, whichever takes longer."""

import pytest

from course_utils.decoding.roofline import pass_time

MODEL = {"size": 8e9, "bandwidth": 4e12, "parameters": 4e9, "operations": 1e15}


@pytest.mark.parametrize(("tokens", "seconds"), [(1, 2e-3), (5, 2e-3), (250, 2e-3), (500, 4e-3)])
def test_a_pass_lasts_as_long_as_the_longer_of_the_two(tokens, seconds):
    assert pass_time(**MODEL, tokens=tokens) == pytest.approx(seconds, rel=1e-12)


@pytest.mark.parametrize("name", MODEL)
@pytest.mark.parametrize("value", [0, -1.0, float("nan")])
def test_what_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(ValueError, match=rf"{name} is .*give a number above 0"):
        pass_time(**MODEL | {name: value}, tokens=1)


def test_a_pass_has_tokens():
    with pytest.raises(ValueError, match="tokens is 0"):
        pass_time(**MODEL, tokens=0)
