"""The losses' table that ships is of the models that ship, and says what the lesson reads in it."""

from course_utils.lessons.better_drafts import distilled, record
from course_utils.training import sealed
from course_utils.training.losses import LOSSES


def test_the_table_is_of_the_pair_and_the_plain_draft_that_ship():
    settings = record.recorded()["settings"]
    for name, folder in {"target": distilled.TARGET, "plain": distilled.PLAIN}.items():
        assert settings[name] == sealed.digest(folder / "model.safetensors"), name


def test_every_loss_was_tried_on_the_corpus_beside_the_control():
    first = record.rows(record.recorded())
    assert [row["loss"] for row in first] == [record.CONTROL, *LOSSES]
    assert all(row["α, the corpus"] for row in first)


def test_the_targets_rows_are_worth_something():
    """The best loss ends above the control, which learned as long from the text alone."""
    table = record.recorded()
    control, *taught = (row["α, the corpus"] for row in record.rows(table))
    assert max(taught) > max(control, table["before"]["alpha"])
