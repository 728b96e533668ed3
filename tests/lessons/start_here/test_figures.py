"""The picture at the head of the lesson, and the rounds of the word pair."""

from io import BytesIO

import numpy as np
from PIL import Image

from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.lessons.start_here.figures import greedy_rounds, two_ways, word_rounds
from course_utils.models.toys.word_pair import encode

HEAD = NOTEBOOKS.parent / "data" / "pictures" / "two_ways.png"


def test_the_stored_picture_is_what_the_figure_draws():
    figure, file = (
        np.asarray(Image.open(png).convert("L"), dtype=float)
        for png in (BytesIO(two_ways().png), HEAD)
    )
    assert figure.shape == file.shape, f"write two_ways().png to {HEAD}"
    # 3 of 255 on average: another version of a font moves letters by less than a pixel
    assert abs(figure - file).mean() < 3, f"write two_ways().png to {HEAD}"


def test_the_rounds_of_the_word_pair_have_every_kind_of_event():
    """An accepted guess with p < q, a rejected and an unexamined guess, a bonus, a stop token."""
    first, second, third = word_rounds()
    assert 0 < first.accepted < len(first.drafted) - 1
    assert first.p[0, first.drafted[0]] < first.q[0, first.drafted[0]]
    assert (first.kinds[-1], second.kinds[-1]) == ("correction", "bonus")
    assert list(third.emitted[-1:]) == encode(".")
    greedy = greedy_rounds().data["rounds"]
    assert [one["kinds"][-1] for one in greedy] == ["bonus", "correction", "correction"]
