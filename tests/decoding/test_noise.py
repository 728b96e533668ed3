"""Addressed randomness: reproducible, with a separate stream for every address."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from course_utils.decoding.noise import PURPOSES, DraftNoise, Noise


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


def test_what_is_no_address_is_refused():
    with pytest.raises(ValueError, match="coffee"):
        Noise(0).round(0).uniforms("coffee", 1)
    for bad in (-1, 2**64, 1.5, 1.0, None, "7", True):
        with pytest.raises(ValueError, match="seed is"):
            Noise(bad)
        with pytest.raises(ValueError, match="row is"):
            Noise(0, bad)
    same = Noise(np.int64(7), np.int8(1)), Noise(7, 1)
    assert same[0].round(1).uniforms("draft", 3) == same[1].round(1).uniforms("draft", 3)


def test_two_threads_draw_what_one_does():
    """They change places as often as Python can, thousands of times."""
    addresses = [(seed, index) for index in range(5000) for seed in (1, 2)]
    expected = {a: Noise(a[0]).round(a[1]).uniforms("verify", 4) for a in addresses}
    wrong = []

    def draw(seed):
        for index in range(5000):
            if Noise(seed).round(index).uniforms("verify", 4) != expected[seed, index]:
                wrong.append((seed, index))

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(draw, (1, 2)))
    finally:
        sys.setswitchinterval(usual)
    assert not wrong


def test_a_guess_has_its_number_however_many_are_drawn():
    noise = DraftNoise([0.1, 0.2, 0.3])
    assert [noise.uniforms("draft", count) for count in range(4)] == [
        [], [0.1], [0.1, 0.2], [0.1, 0.2, 0.3],
    ]  # fmt: skip
