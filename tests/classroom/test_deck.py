"""A deck: its data, and scenes that are built on request."""

import threading

from course_utils.classroom.deck import Deck, Line, Slide, deck_data
from course_utils.classroom.scene import Scene

BUILT = []  # the keys of the scenes, in order


def scene(pair=None):
    BUILT.append(pair)
    return Scene("quiz", {"text": f"with {pair}", "choices": []}, "")


def broken():
    raise ValueError("no bench was recorded")


SLIDES = (
    Slide("a", "Words", 1, lines=(Line("x"), Line("y", at=1))),
    Slide("b", "A scene", 2, ask="Why?", make=scene),
    Slide("c", "A scene of a pair", make=scene, loads="a pair"),
    Slide("d", "In reserve", make=broken),
)


def request(deck, keys):
    """Request scenes as the browser does, and wait until they are built."""
    before = set(threading.enumerate())
    deck.wanted = keys
    for thread in set(threading.enumerate()) - before:
        thread.join(10)


def test_a_scene_is_built_when_first_requested_and_only_once():
    BUILT.clear()
    deck = Deck("A talk", SLIDES, lambda: "its pair")
    assert BUILT == []
    request(deck, ["b"])
    request(deck, ["b", "a", "nonsense", "c"])
    deck.build(["b"])  # as after reloading the page
    assert BUILT == [None, "its pair"]
    assert deck.built["b"].data["text"] == "with None"
    kinds = [slide["kind"] for slide in deck_data("A talk", SLIDES)["slides"]]
    assert kinds == ["words", "scene", "scene", "scene"]


def test_a_failure_is_reported_and_the_other_scenes_are_built():
    deck = Deck("A talk", SLIDES, lambda: None)
    request(deck, ["d"])
    request(deck, ["d", "b"])
    assert deck.failed == {"d": "ValueError: no bench was recorded"}
    assert list(deck.built) == ["b"]
