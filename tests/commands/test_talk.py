"""The talk: its slides, numbers, scenes, page and static page."""

import json
import re

import pytest

from course_utils.__main__ import main
from course_utils.classroom.deck import QUESTION, SCENE, WORDS
from course_utils.classroom.round_json import round_json
from course_utils.commands import gallery, talk
from course_utils.models.names import held_out_prompts


def test_every_scene_has_its_slide_and_every_slide_its_scene():
    slides = talk.slides()
    assert {s.key for s in slides if s.kind == SCENE} == set(gallery.BY_NAME)
    assert {s.key for s in slides if s.kind == QUESTION} == set(talk.QUESTIONS)
    assert slides[0].kind == WORDS  # nothing has to be built before the talk starts
    minutes = [slide.minutes for slide in slides]
    assert sum(minutes) == 50
    assert minutes == sorted(minutes, key=lambda m: m == 0)  # the reserve comes last
    of_the_pair = {s.key for s in slides if s.kind == SCENE and s.loads}
    assert of_the_pair == {e.name for e in gallery.EXHIBITS if e.of_the_pair}


def test_the_numbers_on_the_slides_follow_from_the_formulas():
    rate, arithmetic = re.findall(r"(\d+) tokens per second.* ([\d,]+)\.", talk.SPEED)[0]
    assert int(rate) == round(4.8e12 / (2 * 4_022_468_096))
    assert arithmetic == f"{round(989.5e12 / (2 * 4_022_468_096), -3):,.0f}"
    slow, hard, *_ = (line.text for line in talk.LOSSES)
    assert f"{(1 - 0.8**5) / 0.2 / 5:.2f} times" in slow
    assert f"{(1 - 0.3**5) / 0.7 / 1.4:.2f} times" in hard
    kinds = [kind for _, kind in talk.opening_tokens()]
    assert kinds[-5:] == ["accepted", "accepted", "rejected", "lost", "correction"]


def test_the_board_is_the_round_that_lesson_03_shows(fast):
    """It is the round of that run with the latest rejection."""
    run = fast.write(held_out_prompts("code")[1], max_new_tokens=48).finish()
    last = max((r for r in run.rounds if r.kinds[-1] == "correction"), key=lambda r: r.accepted)
    for stored, guess in zip(talk.BOARD, round_json(last, fast.decode)["guesses"], strict=True):
        text, *numbers, fate = stored
        assert (text, fate) == (guess["text"], guess["fate"])
        assert numbers == pytest.approx([guess[name] for name in "qpu"], rel=0.001)


def test_the_deck_builds_its_questions_without_a_model_and_records_no_answer(monkeypatch):
    monkeypatch.setattr(gallery, "load_once", lambda name: pytest.fail("a model was loaded"))
    deck = talk.deck()
    deck.build([*talk.QUESTIONS, "round", "distributions"])
    assert deck.failed == {}
    assert set(deck.built) == {*talk.QUESTIONS, "round", "distributions"}
    assert not hasattr(deck.built["same_text"], "chosen")


@pytest.mark.slow
def test_the_talk_as_one_file_has_every_slide_and_makes_no_request(
    tmp_path, monkeypatch, fast, capsys
):
    monkeypatch.setattr(gallery, "load_once", lambda: fast)
    file = tmp_path / "new" / "scenes.html"
    assert main(["present", "--static", str(file)]) == 0
    assert "scenes.html: 0." in capsys.readouterr().out
    page = file.read_text("utf-8")
    assert file.stat().st_size <= 1_000_000
    assert 'data-course-scene="deck"' in page
    assert "http" not in re.sub(r"https?://www\.w3\.org/", "", page)
    stored = talk.deck_states(fast)
    assert set(stored["data"]["states"]) == set(gallery.BY_NAME) | set(talk.QUESTIONS)


def test_the_recorded_race_has_one_text_and_names_its_processor():
    record = json.loads(gallery.RACE.read_text("utf-8"))
    data = gallery.recorded_race().data
    assert all(record[name] in data["source"] for name in ("processor", "command", "date"))
    assert data["punch"].startswith("Same text. ")
