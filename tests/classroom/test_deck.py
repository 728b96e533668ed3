"""A deck: its data, and scenes that are built on request."""

import threading

from course_utils.classroom.deck import SCENE, WORDS, Deck, Line, Slide
from course_utils.classroom.scene import Scene

SLIDES = (
    Slide("a", WORDS, "Words", 1, lines=(Line("x"), Line("y", at=1))),
    Slide("b", SCENE, "A scene", 2, ask="Why?"),
    Slide("c", SCENE, "In reserve"),
)


class Maker:
    """Makes the scene of a key and records the call; "c" fails."""

    def __init__(self):
        self.made = []

    def __call__(self, key):
        self.made.append((key, threading.current_thread()))
        if key == "c":
            raise ValueError("no bench was recorded")
        return Scene("quiz", {"text": key, "choices": []}, key)


def request(deck, keys):
    """Request scenes as the browser does, and wait until they are built."""
    before = set(threading.enumerate())
    deck.wanted = keys
    for thread in set(threading.enumerate()) - before:
        thread.join(10)


def test_scenes_are_built_on_request_and_only_once():
    make = Maker()
    deck = Deck("A talk", SLIDES, make)
    assert make.made == []
    request(deck, ["b"])
    request(deck, ["b", "a", "nonsense"])
    deck.build(["b"])  # as after reloading the page
    assert [key for key, _ in make.made] == ["b"]
    assert deck.built["b"].data["text"] == "b"


def test_a_failure_is_reported_once_and_the_others_are_built():
    make = Maker()
    deck = Deck("A talk", SLIDES, make)
    request(deck, ["c"])
    request(deck, ["c", "b"])
    assert deck.failed == {"c": "ValueError: no bench was recorded"}
    assert list(deck.built) == ["b"]
