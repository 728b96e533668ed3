"""The league: what is counted, and drafters that would rather not be."""

import json
from contextlib import nullcontext
from functools import partial

import pytest

from course_utils.__main__ import main
from course_utils.commands import league as command
from course_utils.decoding import emitted_tokens, generate
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.measuring import league, player
from course_utils.measuring.league import PER_TOKEN, Counted, Metered, Task, counted, season
from course_utils.measuring.player import Disqualified
from course_utils.models.tables import TableModel
from course_utils.proofs.synthetic import shifted_pair

HONEST = """
from dataclasses import dataclass
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled

class Mine(Sampled):
    def propose(self, tokens, gamma, noise):
        {first}
        return super().propose(tokens, gamma, noise)
"""


def models(size=48):
    """A pair whose weights are 4 bytes and 1 byte."""
    target, draft = shifted_pair(size, 0)
    target.weight_bytes, draft.weight_bytes = 4, 1
    return target, draft


def score(source, tasks=4, name="Mine"):
    target, draft = models()
    play = partial(command.played, source, name)
    each = (
        counted(target, draft, play, TOKEN_WISE, Task((1, 2, 3), Sampling(), seed), ())
        for seed in range(tasks)
    )
    return sum(each, Counted())


def test_a_pass_costs_what_it_reads_and_a_little_for_each_token():
    model = Metered(TableModel([0.5, 0.5]), 0.25)
    session = model.start([0, 1, 0])
    session.extend([1])
    session.rollback(2)
    session.extend([0, 1])
    assert model.passes == 3
    assert model.cost == 0.25 * (3 + 3 * PER_TOKEN)
    assert Metered(TableModel([1.0])).start([]).length == 0


def test_a_process_plays_what_the_course_plays_and_twice_the_same():
    target, draft = models()
    ours = [
        counted(
            target, draft, lambda m, s: nullcontext(Sampled(m, s)), TOKEN_WISE,
            Task((1, 2, 3), Sampling(), seed), (),
        )
        for seed in range(4)
    ]  # fmt: skip
    theirs = [score(HONEST.format(first="pass")) for _ in range(2)]
    assert theirs[0] == theirs[1] == sum(ours, Counted())
    assert theirs[0].drafting > 0


def test_one_that_learns_is_told():
    source = (
        HONEST.format(first="gamma = min(gamma, self.most)")
        + """
    most = 1
    def learn(self, done):
        assert len(done.p) == len(done.drafted) + 1 and done.q is not None
        self.most = 2 + len(done.drafted) * (done.accepted == len(done.drafted))
"""
    )
    one, more = score(HONEST.format(first="gamma = 1")), score(source)
    assert more.passes < one.passes


REACHING = {
    "reads the season's texts": ("open('data/prompts.json').read()", "open 'data/prompts.json'"),
    "reads them through the course": (
        "from course_utils.models.prompts import held_out_prompts", "import 'course_utils",
    ),
    "runs the target": ("from course_utils.models.pairs import load_pair", "import 'course_utils"),
    "takes torch": ("import torch", "import 'torch'"),
    "maps the weights": (
        "import numpy; numpy.memmap('data/target/model.safetensors', mode='r')", "open 'data",
    ),
    "writes to the board": ("open('data/league/league.json', 'r+')", "open 'data"),
    "remembers in a file": ("print(tokens[0], file=open('/tmp/seen', 'a'))", "open '/tmp/seen'"),
    "catches the refusal": (
        "try:\n            open('data/x')\n        except BaseException: pass", "open 'data",
    ),
    "asks a server": ("import sys; sys.modules['socket'].socket()", "socket.__new__|'socket'"),
    "starts a program": ("import os; os.system('true')", "'system'"),
    "leaves a mark that is no event": ("import os; os.mkfifo('/tmp/seen')", "'mkfifo'"),
    "leaves one at its parent": (
        "import os, sys; sys.modules['posix'].setpriority(0, os.getppid(), 1)", "'setpriority'",
    ),
    "has four tokens read as one": (
        "self.model.call('start', [[1, 2, 3, 4]])", "what it asked of its model",
    ),
    "looks for the target in memory": ("import sys; sys.modules['gc'].get_objects()", "gc|'gc'"),
    "takes its hook off": ("import sys; sys.addaudithook(print)", "sys.addaudithook"),
    "reaches for C": ("import sys; sys.modules['ctypes'].string_at(0)", "ctypes"),
    "ends the program": ("import os; os._exit(0)", "'_exit'"),
    "forges an answer": (
        r"""import os
        for pipe in range(3, 99):
            try: os.write(pipe, b"\0\0\0\1x")
            except OSError: pass""", "no answer",
    ),
}  # fmt: skip


@pytest.mark.parametrize("cheat", REACHING)
def test_who_reaches_out_is_refused(cheat):
    code, said = REACHING[cheat]
    with pytest.raises(Disqualified, match=said.replace(".", r"\.")):
        score(HONEST.format(first=code), 1)


LOSSY = """
from course_utils.decoding.contracts import Draft, NO_DRAFT
from course_utils.drafters.sampled import Sampled

class Mine(Sampled):
    def propose(self, tokens, gamma, noise):
        draft = super().propose(tokens, gamma, noise)
        {does}
"""


KNOWS = """
import numpy as np
from course_utils.decoding.contracts import Draft

class Mine:
    def __init__(self, model, sampling):
        self.size = model.vocabulary_size

    def propose(self, tokens, gamma, noise):
        [u] = noise.uniforms("draft", 1)
        {learns}
        row = np.zeros(self.size)
        row[6:9] = u - 0.001, 0.002, 0.999 - u  # whatever u is, 7 is drawn, and hardly ever
        return Draft((7,), np.clip(row, 0, 1)[None])
"""
UNTRUE = {
    "FlatQ, of the project's page": (
        LOSSY.format(does="return Draft(draft.tokens, 0 * draft.q + 1 / draft.q.shape[1])"),
        "not the one that its guess was drawn from",
    ),
    "holds a guess back": (
        LOSSY.format(does="return draft if draft.q[0, draft.tokens[0]] > 0.3 else NO_DRAFT"),
        "not every guess that was drawn",
    ),
    "takes its guesses for certain": (
        LOSSY.format(does="return Draft(draft.tokens, None)"), "not every guess that was drawn",
    ),
    "has a q for its uniform": (KNOWS.format(learns=""), "TypeError"),
    "asks for its uniform": (
        KNOWS.format(learns="u = float((np.linspace(0, 1, 1001) <= u).mean())"),
        "not the one that its guess was drawn from",
    ),
    "asks again": (
        KNOWS.format(learns="[np.array([x]) <= u for x in (0.5, 0.25)]"), "once, in its turn",
    ),
}  # fmt: skip


@pytest.mark.parametrize("cheat", UNTRUE)
def test_a_guess_that_is_not_drawn_from_its_q_is_refused_in_the_round(cheat):
    source, said = UNTRUE[cheat]
    with pytest.raises(Disqualified, match=said):
        score(source, 1)


@pytest.mark.parametrize(
    "patch",
    [
        "import course_utils.measuring.player as p; p._called = lambda *a: p._called",
        "import sys; vars(sys.modules['course_utils.measuring.player'])['_send'] = print",
    ],
)
def test_who_patches_the_counter_patches_their_own(monkeypatch, patch):
    monkeypatch.setattr(player, "PATIENCE", 2.0)
    with pytest.raises(Disqualified):
        score(HONEST.format(first=patch), 1)
    assert score(HONEST.format(first="pass"), 1).drafting > 0


def test_who_sleeps_gains_nothing():
    sleepy = HONEST.format(first="import time; time.sleep(0.001)")
    assert score(sleepy, 1) == score(HONEST.format(first="pass"), 1)


def test_nothing_is_remembered_from_one_text_to_the_next():
    source = HONEST.format(
        first="import math; gamma = min(gamma, getattr(math, 'seen', 1)); math.seen = 8"
    )
    one_each = [counted_alone(source, seed) for seed in range(3)]
    assert score(source, 3) == sum(one_each, Counted())


def counted_alone(source, seed):
    target, draft = models()
    task = Task((1, 2, 3), Sampling(), seed)
    return counted(target, draft, partial(command.played, source, "Mine"), TOKEN_WISE, task, ())


# --- seasons, the board and its page ---------------------------------------------------------


@pytest.fixture
def small(monkeypatch, fast, tmp_path):
    """A league so small that its scores mean nothing."""
    monkeypatch.setattr(league, "TOKENS", 8)
    monkeypatch.setattr(command, "season", lambda name, pair, texts=4: season(name, pair, texts))
    monkeypatch.setattr(command, "load_pair", lambda *_, **__: fast)
    return ["--board", str(tmp_path / "mine" / "league.json")]


def test_a_season_draws_its_texts(fast):
    one, two, other = (season(name, fast) for name in ("1", "1", "2"))
    assert one == two
    assert len({task.prompt for task in (*one, *other)}) > 1.9 * len(one)
    assert {task.sampling.temperature for task in one} == {0.0, 1.0}


def test_the_board_has_whom_it_scored_and_refuses_whom_it_must(small, tmp_path, capsys):
    mine = tmp_path / "mine.py"
    mine.write_text(HONEST.format(first="gamma = min(gamma, 2)"))
    for name in ("none", "model", f"{mine}:Mine", f"{mine}:Mine"):
        assert main(["league", "add", name, *small]) == 0
    board = command.entries((tmp_path / "mine" / "league.json").read_bytes())
    assert [e.drafter for e in board] == ["none", "model", "mine.py:Mine"]
    assert board[0].score == board[0].greedy == 1
    assert "mine.py:Mine" in capsys.readouterr().out
    for name in ("medusa", "quantised", "mine.py", f"{tmp_path / 'no.py'}:Mine"):
        assert main(["league", "add", name, *small]) == 2
    mine.write_text("#" * command.LARGEST + "\n")
    assert main(["league", "add", f"{mine}:Mine", *small]) == 1


def test_who_wrote_the_seasons_answers_down_is_refused(small, fast, tmp_path, capsys, monkeypatch):
    """Those of greedy texts: a sampled one depends on what is guessed."""
    monkeypatch.setattr(league, "TOKENS", 32)
    told = {}
    for task in season("1", fast, 4):
        how = dict(sampling=task.sampling, seed=task.seed, max_new_tokens=32)
        new = emitted_tokens(generate(fast.target, task.prompt, **how))
        told |= {task.prompt: new} if not task.sampling.temperature else {}
    mine = tmp_path / "mine.py"
    mine.write_text(f"""
from course_utils.decoding.contracts import NO_DRAFT, Draft
TOLD = {told!r}
class Mine:
    def __init__(self, model, sampling): pass
    def propose(self, tokens, gamma, noise):
        for prompt, new in TOLD.items():
            if tuple(tokens[: len(prompt)]) == prompt:
                rest = new[len(tokens) - len(prompt):][:gamma]
                return Draft(tuple(rest), None) if rest else NO_DRAFT
        return NO_DRAFT
""")
    assert main(["league", "add", f"{mine}:Mine", *small]) == 1
    assert "it knows the season" in capsys.readouterr().out


LINE = {
    "drafter": "mine.py:X", "season": "1", "digest": "d", "score": 9.5, "greedy": 1.0,
    "sampled": 1.0, "passes": 1.0, "drafting": 0.5, "size": 3, "certificate": "no defect found",
}  # fmt: skip


def test_homes_are_read_and_never_trusted(tmp_path, capsys):
    homes, own = tmp_path / "homes", tmp_path / "board.json"
    script = "<script>alert(1)</script>"
    held = {
        "ann": json.dumps([LINE]), "bob": json.dumps([LINE | {"digest": "known", "score": 99.0}]),
        script.replace("/", ""): json.dumps([LINE | {"drafter": script}]),
        "cat": json.dumps([LINE | {"score": "9"}, LINE | {"score": 1e999}, [], 7]),
        "dan": "[" * 10**5, "eve": "{}",
    }  # fmt: skip
    for name, text in held.items():
        (homes / name / "my_lessons").mkdir(parents=True)
        (homes / name / "my_lessons" / command.FILE).write_text(text)
    (homes / "fay" / "my_lessons").mkdir(parents=True)
    (homes / "fay" / "my_lessons" / command.FILE).symlink_to(own)
    own.write_text(json.dumps([LINE | {"digest": "known", "score": 1.25}]))
    out = tmp_path / "page.html"
    how = ["--homes", str(homes), "--board", str(own), "--out", str(out)]
    assert main(["league", "page", *how]) == 1
    assert "not read: fay" in capsys.readouterr().err
    found, _ = command.lines(own, homes, "1")
    status = {whose: (e.score, status) for whose, e, status in found if status}
    assert status["ann"] == (9.5, "claimed")
    assert status["bob"] == (1.25, "confirmed")  # 99 was what Bob wrote
    assert not {"cat", "dan", "eve", "fay"} & status.keys()
    assert "<script>" not in out.read_text()
    assert "&lt;script&gt;" in out.read_text()
