"""Addressed randomness: reproducible, and a stream of its own for every address."""

import numpy as np
import pytest

from course_utils.decoding.noise import PURPOSES, Noise


def test_every_address_has_its_own_stream():
    streams = {
        tuple(Noise(seed, row).round(index).uniforms(purpose, 8))
        for seed in range(3)
        for row in range(3)
        for index in range(3)
        for purpose in PURPOSES
    }
    assert len(streams) == 3 * 3 * 3 * len(PURPOSES)
    again = Noise(1, 2).round(0).uniforms("verify", 20)
    assert tuple(again[:8]) in streams  # the same address, and more of its numbers


def test_streams_of_one_round_are_uncorrelated():
    # |r| of 20,000 independent pairs exceeds 5 / sqrt(20,000) once in 1.7 million runs
    draft, verify = (
        np.concatenate([Noise(0).round(i).uniforms(purpose, 4) for i in range(5000)])
        for purpose in ("draft", "verify")
    )
    assert abs(np.corrcoef(draft, verify)[0, 1]) < 5 / np.sqrt(len(draft))
    assert abs(np.corrcoef(draft[:-4], draft[4:])[0, 1]) < 5 / np.sqrt(len(draft))


def test_what_is_no_address_is_refused():
    with pytest.raises(ValueError, match="coffee"):
        Noise(0).round(0).uniforms("coffee", 1)
    with pytest.raises(ValueError, match="seed is -1"):
        Noise(-1)
