"""Ways back in the real loop: the plain text, and the passes and bytes that were predicted."""

import numpy as np
import pytest

from course_utils.lessons.what_cannot_be_cropped import checks, runs
from course_utils.lessons.what_cannot_be_cropped.layer import EveryState, Gated, inversion_errors


@pytest.mark.parametrize(("session", "copies"), [(EveryState, False), (checks.CopyAndReplay, True)])
def test_a_way_back_writes_the_plain_text_in_the_predicted_passes(session, copies):
    done = runs.passes(lambda: Gated(runs.VOCABULARY, session=session), 0.8, 4, 200)
    predicted = checks.bill(checks.SMALL, 0.8, 4)[2] if copies else 1
    assert done["equal"]
    assert done["passes per round"] == pytest.approx(predicted, abs=0.2 * copies)


def test_a_stale_slot_shows_only_where_a_round_has_no_draft():
    assert runs.stale(0.0) is None
    assert runs.stale(0.3) is not None


def test_a_hybrid_writes_the_text_of_transformers_and_has_the_bytes_of_the_bill():
    small, (states, token, _) = runs.hybrid(checks.SMALL), checks.bill(checks.SMALL, 0.8, 4)
    assert small["equal to transformers"]
    assert small["rejected"]
    assert (small["bytes of the states"], small["bytes of a token"]) == (states, 2 * token)


@pytest.mark.parametrize("gate", [0.5, 0.05])
def test_inversion_is_off_by_rounding_over_the_gates(gate):
    predicted = np.finfo(np.float32).eps / gate ** np.arange(1.0, 9)
    off = inversion_errors(gate, 8) / predicted
    assert (off < 2).all()
    assert (off > 0.05).all()
