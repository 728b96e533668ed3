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


def test_the_lesson_reads_the_table_as_it_is():
    """Every loss ends above the control, TV first, and the draft's own text teaches less."""
    table = record.recorded()
    control, *taught = record.rows(table)
    on_corpus = {row["loss"]: row["α, the corpus"] for row in taught}
    assert min(on_corpus.values()) > control["α, the corpus"]
    assert control["α, the corpus"] < table["before"]["alpha"] + 0.005
    assert max(on_corpus, key=on_corpus.get) == "TV"
    assert on_corpus["TV"] > table["before"]["alpha"] + 0.01
    own = {row["loss"]: row["α, its own text"] for row in taught if row["α, its own text"]}
    assert all(own[name] < on_corpus[name] for name in own)
