"""The picture at the head of the lesson, a file that every reader sees without Python."""

from io import BytesIO

import numpy as np
from PIL import Image

from course_utils.classroom.notebooks import NOTEBOOKS, read_lesson
from course_utils.lessons.start_here.figures import BEFORE, PASSES, two_ways
from course_utils.lessons.start_here.why_figures import DRAFT, RIGHT, WANTED

HEAD = NOTEBOOKS.parent / "data" / "pictures" / "two_ways.png"
NEAR = 3  # of 255, on average: another version of a font moves letters by less than a pixel


def grey(png):
    return np.asarray(Image.open(png).convert("L"), dtype=float)


def test_the_picture_at_the_head_is_what_the_figure_draws():
    made, stored = grey(BytesIO(two_ways().png)), grey(HEAD)
    assert made.shape == stored.shape, f"write two_ways().png to {HEAD}"
    assert abs(made - stored).mean() < NEAR, f"write two_ways().png to {HEAD}"


def test_its_words_stand_in_the_lesson():
    opening = read_lesson(NOTEBOOKS / "00_start_here.ipynb").cells[0].source
    assert f"![{two_ways().alt}](../data/pictures/{HEAD.name})" in opening


def test_the_two_pictures_tell_one_story():
    assert BEFORE == "The cat sat on"
    assert (*DRAFT[:RIGHT], WANTED[RIGHT]) == PASSES[0]
    assert DRAFT[RIGHT] != WANTED[RIGHT]
