"""Addressed randomness: reproducible, with a separate stream for every address."""

import pytest

from course_utils.decoding.noise import PURPOSES, Noise


def test_every_address_has_its_own_stream():
    """Streams share no number, whatever their address."""
    streams = [
        Noise(seed, row).round(index).uniforms(purpose, 8)
        for seed in range(3)
        for row in range(3)
        for index in range(3)
        for purpose in PURPOSES
    ]
    assert len({number for stream in streams for number in stream}) == 8 * len(streams)
    assert Noise(0, 0).round(0).uniforms(PURPOSES[0], 20)[:8] == streams[0]


def test_an_invalid_address_is_refused():
    with pytest.raises(ValueError, match="coffee"):
        Noise(0).round(0).uniforms("coffee", 1)
    for bad in (-1, 2**64, 1.5, 1.0, None, "7", True):
        with pytest.raises(ValueError, match="seed is"):
            Noise(bad)
