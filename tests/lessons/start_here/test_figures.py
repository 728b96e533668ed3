"""The picture at the head of the lesson is a file, so it shows without Python."""

from io import BytesIO

import numpy as np
from PIL import Image

from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.lessons.start_here.figures import two_ways

HEAD = NOTEBOOKS.parent / "data" / "pictures" / "two_ways.png"


def test_the_stored_picture_is_what_the_figure_draws():
    figure, file = (
        np.asarray(Image.open(png).convert("L"), dtype=float)
        for png in (BytesIO(two_ways().png), HEAD)
    )
    assert figure.shape == file.shape, f"write two_ways().png to {HEAD}"
    # 3 of 255 on average: another version of a font moves letters by less than a pixel
    assert abs(figure - file).mean() < 3, f"write two_ways().png to {HEAD}"
