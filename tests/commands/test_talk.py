"""The talk: its scenes, its numbers, and its page without a kernel."""

import re

import pytest

from course_utils.__main__ import main
from course_utils.commands import talk
from course_utils.models.names import held_out_prompts


def test_the_board_is_the_round_that_lesson_03_shows(fast):
    """It is the round of that run with the latest rejection."""
    run = fast.write(held_out_prompts("code")[1], max_new_tokens=48).finish()
    last = max((r for r in run.rounds if r.kinds[-1] == "correction"), key=lambda r: r.accepted)
    assert f"{last.accepted} accepted and a correction" in talk.OUTCOME
    for i, (text, ratio, uniform, verdict) in enumerate(talk.BOARD):
        x = last.drafted[i]
        assert text == fast.decode([x])
        assert float(ratio) == pytest.approx(last.p[i, x] / last.q[i, x], rel=0.005)
        assert float(uniform) == pytest.approx(last.uniforms[i], rel=0.005)
        assert verdict == ("accepted" if i < last.accepted else "rejected")


@pytest.mark.slow
def test_the_talk_as_one_file_has_every_slide_and_makes_no_request(tmp_path, monkeypatch, fast):
    monkeypatch.setattr(talk, "loaded_pair", lambda: fast)
    file = tmp_path / "new" / "scenes.html"
    assert main(["present", "--static", str(file)]) == 0
    page = file.read_text("utf-8")
    assert len(page.encode()) <= 1_000_000
    assert 'data-course-scene="deck"' in page
    assert "http" not in re.sub(r"https?://www\.w3\.org/", "", page)
