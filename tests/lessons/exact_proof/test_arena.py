"""The rule arena: what it finds is the exam's, and what it shows is what it found."""

import json
from dataclasses import replace
from itertools import product
from math import isclose

import pytest

from course_utils.decoding.rules import RULES
from course_utils.lessons.exact_proof.arena import (
    _LINES,
    AGREEMENTS,
    FINEST,
    PARTS,
    START,
    arena,
    code_of,
    findings,
    parts_of,
    recorded,
)
from course_utils.lessons.exact_proof.exam import (
    CONTESTANTS,
    GAMMAS,
    LENGTH,
    MENU,
    SLOW_BUT_RIGHT,
    UNSEEN,
    examine,
)
from course_utils.proofs.bugs import BUGS, bug
from course_utils.proofs.decoders import CORRECT, acceptance_shown, exam, tokens_per_round

SETTINGS = list(product(GAMMAS, (0.0, 0.5, 1.0)))
SOME = {"a": "token-wise", "b": "q rounded"}


# --- the exam


@pytest.mark.parametrize("name", ["token-wise", "typical", "no bonus", "fixed set, soft q"])
@pytest.mark.parametrize("gamma", GAMMAS)
def test_its_figures_are_those_of_the_lessons_exam(name, gamma):
    outcome, decoder = examine(name, gamma), CONTESTANTS[name].decoder
    lesson = exam(gamma=gamma, length=LENGTH, seed=0)
    rounds = lesson.first_rounds(decoder)
    assert isclose(outcome.drift, lesson.distance(decoder), abs_tol=1e-15)
    assert isclose(outcome.acceptance, acceptance_shown(rounds))
    assert isclose(outcome.tokens, tokens_per_round(rounds))
    right = lesson.first_rounds(CORRECT)
    assert isclose(outcome.right_acceptance, acceptance_shown(right))
    assert isclose(outcome.right_tokens, tokens_per_round(right))


def test_all_rules_and_all_bugs_that_can_be_seen_take_part():
    bugs = {b.name for b in BUGS}
    assert set(CONTESTANTS) == {r.name for r in RULES} | {"candidates"} | bugs - set(UNSEEN)
    assert list(MENU.values()) == list(CONTESTANTS)
    for name in UNSEEN:
        for gamma, agreement in SETTINGS:
            e = exam(gamma=gamma, agreement=agreement, length=LENGTH)
            assert e.distance(bug(name).decoder) < 1e-12
            shown = tokens_per_round(e.first_rounds(bug(name).decoder))
            assert isclose(shown, tokens_per_round(e.first_rounds(CORRECT)))
    for name in SLOW_BUT_RIGHT:
        assert examine(name).tokens < examine(name).right_tokens - 0.1


@pytest.mark.parametrize("setting", [("nobody",), ("block", 3), ("block", 2, 1.5)])
def test_an_exam_that_cannot_be_held_is_refused(setting):
    with pytest.raises(ValueError, match=r"choose token-wise|gamma 1 or 2"):
        examine(*setting)


# --- the recorded findings


@pytest.mark.slow
def test_the_recorded_findings_are_those_of_exams_held_now():
    def close(a, b):
        if isinstance(a, dict):
            return a.keys() == b.keys() and all(close(a[key], b[key]) for key in a)
        if isinstance(a, list):
            return len(a) == len(b) and all(map(close, a, b))
        if isinstance(a, int | float) and not isinstance(a, bool):
            # the rounding of a sum differs between processors, and so may a last digit
            return abs(a - b) <= (1 if isinstance(a, int) else 2e-9)
        return a == b

    fresh = json.loads(json.dumps(findings(CONTESTANTS, examine, GAMMAS)))
    assert list(recorded()["found"]) == list(CONTESTANTS)
    assert close(recorded(), fresh), (
        "data/exams.json is old: python -m course_utils.lessons.exact_proof.arena"
    )
    for name, one in recorded()["found"].items():
        for gamma, row in zip(GAMMAS, one["cells"], strict=True):
            for share, cell in zip(AGREEMENTS, row, strict=True):
                assert isclose(cell[0], examine(name, gamma, share).drift, abs_tol=1e-13)


def test_the_lossless_are_lossless_at_every_setting_and_the_others_are_found_out():
    for name, one in recorded()["found"].items():
        drifts = {}
        for gamma, row in zip(GAMMAS, one["cells"], strict=True):
            for share, (drift, acceptance, tokens, errors) in zip(AGREEMENTS, row, strict=True):
                drifts[gamma, share] = drift
                assert 0 <= acceptance <= 1 <= tokens <= 3
                assert len(errors) in (0, 27)
                assert abs(sum(errors)) <= 27
                assert isclose(sum(map(abs, errors)) / 2 / FINEST, drift, abs_tol=14 / FINEST)
        unseen = {at for at, drift in drifts.items() if drift < 1e-12}
        if CONTESTANTS[name].lossless:
            assert len(unseen) == len(drifts)
        else:  # what the scene advises then
            assert all(gamma == 1 or share == 1 for gamma, share in unseen)


def test_exams_over_other_texts_are_refused():
    def other(name, gamma, agreement):
        outcome = examine("block", gamma, agreement)
        return replace(outcome, name=name, truth=outcome.truth[::-1]) if name == "b" else outcome

    with pytest.raises(ValueError, match="b is examined on other texts"):
        findings(["block", "b"], other, GAMMAS)


# --- the parts and the code


def test_every_decoder_is_in_one_part_and_a_heading_gives_nothing_away():
    names = [name for part in PARTS for name in part.decoders]
    assert sorted(names) == sorted(CONTESTANTS)
    for part in PARTS[:4]:
        assert {CONTESTANTS[name].lossless for name in part.decoders} == {True, False}
    assert not any(w in f"{p.name} {p.about}" for p in PARTS for w in ("wrong", "right", "bug"))


def test_a_decoder_of_ones_own_comes_last():
    (draft, others) = parts_of(["mine", "q rounded", "yours"])
    assert (draft.decoders, others.decoders) == (("q rounded",), ("mine", "yours"))
    assert code_of("mine") == []


def test_every_decoder_shows_its_lines():
    for shown in map(code_of, CONTESTANTS):
        assert 1 <= len(shown) <= 3
        assert not any("#" in line for line in shown)


def test_the_lines_are_those_that_run(monkeypatch):
    assert code_of("resample from p") == ["row = p[i]"]
    assert code_of("greedy match")[0] == "y = sample(p[i], uniforms[i])"
    monkeypatch.setitem(_LINES, "block", [(exam, "no such line", 1)])
    with pytest.raises(LookupError, match="exam has no line that begins with 'no such line'"):
        code_of("block")


# --- the scene


def test_the_scene_holds_every_decoder_at_every_setting():
    scene = arena(MENU, examine)
    assert scene.scene == "verdicts"
    assert scene.data["start"] == START
    assert list(scene.data["found"]) == list(CONTESTANTS)
    for name, one in scene.data["found"].items():
        assert one["lossless"] == CONTESTANTS[name].lossless
        assert one["cells"] == recorded()["found"][name]["cells"]
    assert len(json.dumps(scene.data)) < 70_000
    assert "Not lossless" not in scene.alt  # nothing is given away before the vote


def test_recorded_and_asked_are_the_same():
    def asked(*setting):
        return examine(*setting)

    drawn, called = (arena(SOME, how, "q rounded", [2]).data for how in (examine, asked))
    assert drawn["gammas"] == [2]
    assert drawn["at"] == [0, 2]
    assert [part["decoders"] for part in drawn["parts"]] == [["q rounded"], ["token-wise"]]
    for one in (drawn, called):  # the rounding of a sum is nobody's business
        one["truth"] = [round(p, 12) for p in one["truth"]]
        for found in one["found"].values():
            for cell in found["cells"][0]:
                cell[0] = round(cell[0], 12)
    assert drawn == called


def test_a_start_that_is_not_on_the_menu_is_refused():
    with pytest.raises(ValueError, match="not on the menu"):
        arena(start="mosquito")
