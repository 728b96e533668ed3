"""What the calculator scene says: nothing too early, nothing that the numbers do not."""

from dataclasses import replace

import pytest

from course_utils.classroom.scene import as_json
from course_utils.lessons.production_engines.calculator_view import KS, LIMITS, Setting
from tests.stage.node import called
from tests.stage.test_calculator import MODULE, WORDS, chosen

TABLE, CHART = "parts/calculator/table.mjs", "parts/calculator/chart.mjs"
HIDDEN = {"marks": [False] * len(KS), "asked": False, "served": False, "price": None}
SHOWN = {"marks": [True] * len(KS), "asked": True, "served": True, "price": 2.0}
FULL = Setting("L4", "Qwen3-8B", context=32768)  # does not fit


def seen(setting: Setting) -> tuple[dict, dict]:
    """(the scene's setting, its view)."""
    given = chosen(setting)
    return as_json(given[0]), called(MODULE, "calculatorView", [given])[0]


@pytest.fixture(scope="module")
def first():
    return seen(Setting())


def test_the_table_keeps_every_result_until_it_is_asked_for(first):
    _, view = first
    (rows,) = called(TABLE, "cells", [[view, list(KS), HIDDEN]])
    assert [row["off"] for row in rows] == ["", "?", "?", "?"]
    assert {row[name] for row in rows for name in ("rows", "speed")} == {"?"}
    assert {row["price"] for row in rows} == {None}
    assert not any(row["best"] for row in rows)


def test_the_table_shows_the_views_numbers(first):
    _, view = first
    (rows,) = called(TABLE, "cells", [[view, list(KS), SHOWN]])
    assert [row["off"] for row in rows] == ["", *map(str, view["off"][1:])]
    assert [row["rows"] for row in rows] == [str(one) for one in view["within"]]
    for row, speed in zip(rows, view["served"], strict=True):
        assert float(row["speed"].replace("\u202f", "")) == pytest.approx(speed, rel=0.005)
        assert float(row["price"]) == pytest.approx(2.0 / 3600 / speed * 1e6, rel=0.005)
    assert [row["best"] for row in rows] == [s == max(view["served"]) for s in view["served"]]


def test_what_does_not_fit_has_no_number_and_its_price_is_none():
    setting, view = seen(FULL)
    (rows,) = called(TABLE, "cells", [[view, list(KS), SHOWN]])
    assert [row["off"] for row in rows] == ["", "none fits", "none fits", "none fits"]
    assert {row["price"] for row in rows} == {"no tokens"}
    for name, case in (
        ("ask", [setting, view, list(KS), 4]), ("answer", [view, list(KS), 4, None]),
        ("answerAll", [view, list(KS)]), ("answerLimit", [setting, view, list(KS), [], []]),
    ):  # fmt: skip
        assert "do not fit" in called(WORDS, name, [case])[0]


def test_the_question_does_not_say_the_answer(first):
    setting, view = first
    (asked,) = called(WORDS, "ask", [[setting, view, list(KS), 4]])
    assert str(view["off"][KS.index(4)]) not in asked
    told, unguessed = called(WORDS, "answer", [[view, list(KS), 4, 27], [view, list(KS), 4, None]])
    assert f"from {view['off'][2]} requests" in told
    assert "You said 27." in told
    assert "You said" not in unguessed
    for other in (1, 3):
        assert str(view["off"][other]) not in told


def test_what_it_says_of_a_limit_is_so_at_that_limit_and_at_those_it_names():
    every = [seen(replace(Setting(), limit=limit)) for limit in LIMITS]
    bests = called(WORDS, "bestOf", [[view] for _, view in every])
    given = [[setting, view, list(KS), list(LIMITS), bests] for setting, view in every]
    assert {0, 1} < set(bests)  # plain decoding and drafts win here, elsewhere
    turn = min(limit for limit, best in zip(LIMITS, bests, strict=True) if best == 0)
    for limit, best, text in zip(LIMITS, bests, called(WORDS, "answerLimit", given), strict=True):
        assert text.startswith("Without a draft" if best == 0 else f"K = {KS[best]} serves most")
        assert (f"From {turn} ms on plain decoding wins." in text) == (limit < turn)
        last = LIMITS[LIMITS.index(turn) - 1]
        assert (f"At {last} ms K = 2 would win." in text) == (limit >= turn)


def test_a_limit_that_nobody_keeps():
    setting, view = seen(replace(Setting("L4", "Qwen3-8B"), limit=1))
    (text,) = called(WORDS, "answerLimit", [[setting, view, list(KS), [1], [-1]]])
    assert text == "Nothing keeps 1 ms, not even for one request."


def test_a_price_is_a_number_or_none():
    texts = ["2", " 2.5 ", "2,5", ".5", "3.", "", "two", "-1", "1e9", "1,000.5", "Infinity", "."]
    found = called(WORDS, "priceOf", [[text] for text in texts])
    assert found == [2, 2.5, 2.5, 0.5, 3, *[None] * 7]


def test_numbers_are_read_with_three_digits():
    values = [0.01234, 1.5, 99.99, 123.4, 1234, 50257.3, 1e6]
    assert called(WORDS, "number", [[value] for value in values]) == [
        "0.0123", "1.5", "100", "123", "1\u202f230", "50\u202f300", "1\u202f000\u202f000",
    ]  # fmt: skip


def test_every_batch_up_to_eight_can_be_guessed_and_then_one_within_a_tenth():
    (offered,) = called(CHART, "guesses", [[512]])
    assert offered == sorted(set(offered))
    assert offered[:8] == list(range(1, 9))
    assert offered[-1] == 512
    places = called(CHART, "nearest", [[offered, rows] for rows in range(1, 513)])
    found = [offered[place] for place in places]
    assert found == pytest.approx(list(range(1, 513)), rel=0.1)
