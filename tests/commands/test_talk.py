"""The talk: its slides, its figures, and the states of its static page."""

import json
import re
from itertools import takewhile

import numpy as np
import pytest

from course_utils.classroom.deck import QUESTION, SCENE, WORDS
from course_utils.classroom.notebooks import NOTEBOOKS, read_lesson
from course_utils.classroom.scene import Scene
from course_utils.commands import gallery, talk
from course_utils.decoding.rules import residual
from course_utils.lessons.small_rounds import small_rounds
from course_utils.models.toys import small_world as world

LESSON = NOTEBOOKS / "03_acceptance_rule.ipynb"


def test_every_scene_has_its_slide_and_every_slide_its_scene():
    slides = talk.slides()
    assert {s.key for s in slides if s.kind == SCENE} == set(gallery.by_name())
    assert {s.key for s in slides if s.kind == QUESTION} == set(talk.quiz_questions())
    assert slides[0].kind == WORDS  # nothing has to be made before the talk begins


def test_what_is_kept_in_reserve_comes_last_and_every_scene_has_a_question_to_ask():
    slides = talk.slides()
    minutes = [slide.minutes for slide in slides]
    assert minutes == sorted(minutes, key=lambda m: m == 0)
    assert all(s.ask.endswith(("?", ".")) for s in slides if s.kind == SCENE)
    assert all(s.say for s in slides)


def test_nothing_gives_the_first_vote_away():
    """Neither a slide before it, nor the list of all slides, nor what a reader sees first of the
    site."""
    shown = list(takewhile(lambda slide: slide.kind != QUESTION, talk.slides()))
    said = [line.text for slide in shown for line in slide.lines]
    said += [slide.title for slide in talk.slides()]
    said += re.findall('class="lead">.*', (NOTEBOOKS.parent / "site/index.md").read_text("utf-8"))
    assert len(said) >= 26
    for text in said:
        assert not re.search(
            r"\b(same|stays|own text|one text|output is p|text does not|lossless)\b", text
        ), text


def test_the_first_slide_has_the_speed_that_its_bandwidth_allows():
    (rate,) = re.findall(r"(\d+) tokens per second", talk.slides()[0].lines[0].text)
    assert int(rate) == round(4.8e12 / (2 * 4_022_468_096))


def test_the_last_planned_slide_has_the_address_if_there_is_one():
    address = "https://example.org/course"
    last = [s for s in talk.slides(address) if s.minutes][-1]
    assert last.lines[0].text == address
    assert address not in [line.text for s in talk.slides() for line in s.lines]


def test_what_loses_is_the_formula():
    slow, hard, *_ = (line.text for line in talk.losses())
    assert f"{(1 - 0.8**5) / 0.2 / 5:.2f} times" in slow
    assert f"{(1 - 0.3**5) / 0.7 / 1.4:.2f} times" in hard


def test_a_slide_that_needs_the_pair_says_what_it_loads():
    loads = {s.key: s.loads for s in talk.slides() if s.kind == SCENE}
    assert {key for key, words in loads.items() if words} == {
        key for key, exhibit in gallery.by_name().items() if exhibit.of_the_pair
    }


@pytest.fixture(scope="module")
def stored(fast):
    return talk.deck_states(fast)


def test_the_static_page_has_the_state_of_every_slide(stored):
    assert set(stored["data"]["states"]) == set(gallery.by_name()) | set(talk.quiz_questions())
    assert len(json.dumps(stored)) < 600_000  # with the script of all scenes below a megabyte


def test_the_deck_makes_its_questions_without_a_model_and_records_nobodys_answer(monkeypatch):
    def load(name):
        raise AssertionError("a model was loaded")

    monkeypatch.setattr(gallery, "loaded", load)
    deck = talk.deck()
    deck.build([*talk.quiz_questions(), "round", "distributions"])
    assert deck.failed == {}
    assert set(deck.built) == {*talk.quiz_questions(), "round", "distributions"}
    assert not hasattr(deck.built["same_text"], "chosen")
    assert all(isinstance(scene, Scene) for scene in deck.built.values())


def test_the_proof_of_the_talk_is_true_line_by_line():
    rng = np.random.default_rng(0)
    for _ in range(200):
        p, q = rng.dirichlet(np.full(7, 0.5), 2)
        both, alpha = np.minimum(p, q), np.minimum(p, q).sum()
        excess = (p - q).clip(min=0)
        assert np.allclose(q * np.minimum(1, p / q), both, atol=1e-12)
        assert np.isclose(excess.sum(), 1 - alpha, atol=1e-12)  # BECAUSE
        assert np.allclose((1 - alpha) * residual(p, q), excess, atol=1e-12)
        assert np.allclose(both + excess, p, atol=1e-12)


def test_the_round_of_the_opening_is_the_first_of_the_small_world():
    shown, (first, *_) = talk.little_round(), small_rounds()
    assert shown.before == world.PROMPT
    assert [guess.text for guess in shown.guesses] == [world.words([x]) for x in first.drafted]
    assert [kind for _, kind in shown.tokens[-5:]] == [
        "accepted", "accepted", "rejected", "lost", "correction",
    ]  # fmt: skip


def test_the_boards_verdicts_follow_from_its_figures():
    rows = talk.board()
    accepted = [float(row["u"]) < float(row["p/q"]) for row in rows]
    assert [row["verdict"] == "accepted" for row in rows] == accepted
    assert all(
        float(row["p"]) / float(row["q"]) == pytest.approx(float(row["p/q"]), rel=0.01)
        for row in rows
    )
    assert talk.outcome(rows).startswith(f"{sum(accepted)} accepted and a correction")


def test_the_board_is_the_round_that_lesson_03_shows(fast):
    stored = talk.board()
    for row, guess in zip(stored, talk.round_to_decide(fast), strict=True):
        assert (row["token"], row["verdict"]) == (guess.text, guess.fate)
        for said, value in ((row["q"], guess.q), (row["p"], guess.p), (row["u"], guess.uniform)):
            assert float(said) == pytest.approx(value, rel=0.01)
    (cell,) = [c for c in read_lesson(LESSON).cells if "rounds.line_by_line(" in c.source]
    lines = cell.outputs[0].data["text/plain"].splitlines()[1:]
    assert [line.split()[-5:-1] for line in lines] == [
        [row[name] for name in ("q", "p", "p/q", "u")] for row in stored
    ]


def test_the_worked_speedup_is_the_formula():
    found = talk.worked_speedup(0.8, 4, 0.1)
    assert found["speedup"] == pytest.approx((1 - 0.8**5) / (1 - 0.8) / 1.4)
