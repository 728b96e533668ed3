"""The handout: one sheet, its figures computed."""

import re
from html import unescape

from course_utils.__main__ import main
from course_utils.commands import handout
from course_utils.commands.talk import PROOF, RULE, board, little_round, qr_code, slides


def words(markup: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def test_the_sheet_has_all_that_it_should_and_asks_nobody_for_anything(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(handout, "find_chromium", lambda: None)
    assert main(["handout", "--folder", str(tmp_path / "new")]) == 0
    assert "print it: A4, both sides" in capsys.readouterr().out
    markup = (tmp_path / "new" / "handout.html").read_text("utf-8")
    questions = handout.questions(slides())
    assert len(questions) >= 8
    for said in (*RULE, *(part for pair in PROOF for part in pair), *questions):
        assert said in words(markup)
    assert not re.search(r"\$|http|<script", markup)


def test_the_address_stands_on_it_with_its_code():
    address = "https://example.org/course?a&b"
    markup = handout.handout(address)
    assert address in words(markup)
    assert f'<img src="{qr_code(address)}"' in markup


def test_the_board_stands_on_it_without_its_verdicts():
    markup = handout.board_to_fill(board())
    for row in board():
        assert f"<td>{row['p/q']}</td><td>{row['u']}</td><td class='blank'></td>" in markup
    assert not re.search("rejected|correction", markup)


def test_a_round_has_its_numbers_and_its_outcome():
    markup, r = handout.one_round(little_round()), little_round()
    for guess in r.guesses:
        assert f"<td>{guess.p / guess.q:.2f}</td>" in markup
    assert words(markup).endswith("the cat sat on the roof and slept (3 tokens from one pass)")
    with_bonus = handout.one_round(little_round(number=2))
    assert '<td class="bonus">' in with_bonus
    assert "(5 tokens from one pass)" in words(with_bonus)


def test_the_speedup_is_a_worked_number():
    worked = "3.36 tokens per round, for the time of 1.4 passes: 2.40 times as fast"
    assert worked in words(handout.speedup_line())
