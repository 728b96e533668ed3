"""The arena's sentences, said in the browser of exams that are held here."""

import pytest

from course_utils.lessons.exact_proof.arena import AGREEMENTS, GAMMAS, recorded
from tests.stage.node import called

MODULE = "formulas/verdict.mjs"
# (the decoder and its setting, its status, what is said of the distance, what of the log)
SAID = [
    (("block",), "lossless", "Lossless: every", "more than the token-wise rule"),
    (("block", 1), "lossless", "Lossless: every", "as the token-wise rule does"),
    (("greedy match",), "lossless", "Lossless: every", "less than the token-wise rule"),
    (
        ("resample from p",),
        "lossy",
        "6 % of the probability is at the wrong texts (TV 0.06)",
        "A log would show nothing",
    ),
    (("p and q swapped",), "lossy", "Not lossless: ", "A log would show acceptance 0."),
    (("one uniform for all", 1), "unseen", "Draft more than one token", "A log would show nothing"),
    (("argmax residual", 2, 1.0), "unseen", "Let the draft know less", "A log would show nothing"),
]


@pytest.mark.parametrize(("setting", "status", "distance", "log"), SAID)
def test_verdicts_in_words(setting, status, distance, log):
    name, gamma, agreement = (*setting, *(2, 0.5)[len(setting) - 1 :])
    g, a = GAMMAS.index(gamma), AGREEMENTS.index(agreement)
    found = recorded()["found"][name]
    drift, acceptance, tokens, _ = found["cells"][g][a]
    exact = [drift, found["lossless"]]
    shown = [acceptance, tokens, *recorded()["right"][g][a]]
    assert called(MODULE, "status", [exact]) == [status]
    assert distance in called(MODULE, "distance", [[*exact, agreement]])[0]
    assert log in called(MODULE, "log", [[*shown, *exact]])[0]
