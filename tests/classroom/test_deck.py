"""A deck: what it draws, and scenes that are made when they are asked for."""

import threading

from course_utils.classroom.deck import SCENE, WORDS, Deck, Line, Slide
from course_utils.classroom.scene import Scene

SLIDES = (
    Slide("a", WORDS, "What is said", 1, lines=(Line("x"), Line("y", at=1))),
    Slide("b", SCENE, "What is shown", 2, ask="Why?"),
    Slide("c", SCENE, "In reserve"),
)


class Maker:
    """Makes a scene of a key, and remembers which; "c" fails."""

    def __init__(self):
        self.made = []

    def __call__(self, key):
        self.made.append((key, threading.current_thread()))
        if key == "c":
            raise ValueError("no bench was recorded")
        return Scene("quiz", {"text": key, "choices": []}, key)


def asked(deck, keys):
    """As the browser asks; waits until it is built."""
    before = set(threading.enumerate())
    deck.wanted = keys
    for thread in set(threading.enumerate()) - before:
        thread.join(10)


def test_nothing_is_made_before_it_is_asked_for_and_nothing_twice():
    make = Maker()
    deck = Deck("A talk", SLIDES, make)
    assert make.made == []
    asked(deck, ["b"])
    asked(deck, ["b", "a", "nonsense"])
    deck.build(["b"])  # as after a page that was opened anew
    assert [key for key, _ in make.made] == ["b"]
    assert deck.built["b"].data["text"] == "b"


def test_what_could_not_be_made_is_said_once_and_the_others_are_there():
    make = Maker()
    deck = Deck("A talk", SLIDES, make)
    asked(deck, ["c"])
    asked(deck, ["c", "b"])
    assert deck.failed == {"c": "ValueError: no bench was recorded"}
    assert list(deck.built) == ["b"]
