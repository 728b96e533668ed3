"""Random calls with hostile values: each ends with a status that is documented, and in words.

HOSTILE_CALLS=5000 makes more of them; HOSTILE_SEED=1 makes others.
"""

import json
import os
import random
import sys
from dataclasses import replace

import pytest
import torch

from course_utils import __main__
from course_utils.commands import program
from course_utils.drafters.named import DRAFTERS
from course_utils.models.pairs import DATA
from course_utils.training import corpus
from tests.forks import exit_status
from workshop import __main__ as authors
from workshop.commands import train
from workshop.training import dependencies, evaluate
from workshop.training.pretrain import Recipe

CALLS = int(os.environ.get("HOSTILE_CALLS", "40"))
SEED = int(os.environ.get("HOSTILE_SEED", "0"))
NUMBERS = [
    "0", "1", "2", "3", "-1", "-0", "1.5", "0.5", "nan", "inf", "-inf", "1e309", "1e-320", "1e-38",
    "1_0", "0x10", "٣", " 2 ", "1e3", str(2**31), str(2**63), str(2**64), str(-(2**64)), "9" * 400,
    "9" * 5000, "100000",
]  # fmt: skip
TEXTS = [
    "", " ", "\n", "\t", "x", "def f(x):", "人工智能", "😀", "\udcff\udcfe", "\ud800", "\x1b[31m",
    "\x7f", "{}", "%s%n", "--", "-", "-x", "None", "~", "..", "/", "a" * 3000, "\u202e", "\r\n" * 9,
    "<|endoftext|>", "*", "\N{COMBINING ACUTE ACCENT}" * 50,
]  # fmt: skip
# Not those that begin a training of days: that is what was asked for.
TOKENS = [number for number in NUMBERS if number not in ("100000", str(2**31))]
OTHERS = ("doctor", "workbooks", "progress", "lint")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files, folders and models of all kinds, good and bad."""
    root = tmp_path_factory.mktemp("hostile")
    for name in ("empty", "library", "damaged", "bare", "odd", "locked"):
        (root / name).mkdir()
    for name in ("os.py", "textwrap.py"):
        (root / "library" / name).write_text("def f(x):\n    return x + 1\n" * 400)
    for path in (DATA / "draft").iterdir():
        (root / "damaged" / path.name).write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        if "token" not in path.name:
            (root / "bare" / path.name).symlink_to(path)
        (root / "odd" / path.name).symlink_to(path)
    config = json.loads((DATA / "draft" / "config.json").read_text())
    (root / "odd" / "config.json").unlink()
    (root / "odd" / "config.json").write_text(json.dumps({**config, "num_hidden_layers": "many"}))
    (root / "text").write_text("hello\n")
    (root / "binary").write_bytes(bytes(range(256)) * 64)
    (root / "nothing").touch()
    (root / "deep").write_text("[" * 10**5)
    (root / "dangling").symlink_to(root / "nowhere")
    os.mkfifo(root / "pipe")
    assert (
        called(["generate", "x", "--trace", str(root / "trace"), "--max-new-tokens", "9"], root)[0]
        == 0
    )
    lines = (root / "trace").read_bytes()
    (root / "cut").write_bytes(lines[: len(lines) // 2])
    return root


def call(rng, folder):
    """One call: mostly of known options, mostly with hostile values."""
    paths = [str(path) for path in folder.iterdir()] + ["/dev/null", "/dev/full", "/dev/zero"]
    paths += ["/", "/proc/self/mem", "/nowhere/x", str(folder / "text" / "x"), "x" * 300]
    pairs = [str(DATA / "target"), str(DATA / "draft"), "tiny", "qwen3", "nobody/nothing"]

    def some(*kinds):
        return rng.choice(rng.choice(kinds))

    def fresh():
        return str(folder / f"new{rng.randrange(10**9)}")

    command = rng.choice(["generate"] * 7 + ["audit"] * 2 + ["train"] * 2 + ["other"])
    if command == "generate":
        options = {
            "--target": lambda: some(pairs, paths, TEXTS),
            "--draft": lambda: some(pairs, paths, TEXTS),
            "--drafter": lambda: some(list(DRAFTERS), TEXTS),
            "--gamma": lambda: some(["auto"], NUMBERS, TEXTS),
            "--form": lambda: some(["onnx", "readable"], TEXTS),
            "--rule": lambda: some(["block", "typical", "redraft", "greedy-match"], TEXTS),
            "--temperature": lambda: some(NUMBERS, TEXTS),
            "--top-k": lambda: some(NUMBERS, TEXTS),
            "--top-p": lambda: some(NUMBERS, TEXTS),
            "--min-p": lambda: some(NUMBERS, TEXTS),
            "--chat": None,
            "--system": lambda: some(TEXTS),
            "--max-new-tokens": lambda: some(["8"], NUMBERS, TEXTS),
            "--dtype": lambda: some(["float32", "bfloat16", "float16", "auto"], TEXTS),
            "--device-map": lambda: some(["auto", "cpu", "cuda", "meta", "garbage", "{}"], TEXTS),
            "--threads": lambda: some(NUMBERS, TEXTS),
            "--seed": lambda: some(NUMBERS, TEXTS),
            "--trace": lambda: some(paths, TEXTS, [fresh()]),
            "--json": None,
        }
        given = ["--max-new-tokens", "8", rng.choice(TEXTS + ["x"] * 9)]
    elif command == "audit":
        options = {"--json": None}
        given = [some(paths, [str(folder / "trace")], TEXTS)]
    elif command == "train":
        options = {
            "--stage": lambda: some(["tokenizer", "target", "draft", "evaluate"], TEXTS),
            "--target-tokens": lambda: some(["256"], TOKENS, TEXTS),
            "--draft-tokens": lambda: some(["256"], TOKENS, TEXTS),
            "--start": lambda: some(paths, TEXTS),
            "--windows": lambda: some(NUMBERS, TEXTS),
            "--threads": lambda: some(NUMBERS, TEXTS),
            "--device": lambda: some(["cpu", "cuda", "meta", "cpu:9", "xla", "mkldnn"], TEXTS),
            "--seed": lambda: some(NUMBERS, TEXTS),
            "--checkpoint-seconds": lambda: some(NUMBERS, TEXTS),
        }
        out = rng.choice([fresh(), fresh(), some(paths, TEXTS)])
        given = ["--windows", "1", "--out", out]
    else:
        command = rng.choice([*OTHERS, "--help", rng.choice(TEXTS)])
        options = {"--folder": lambda: some(paths, TEXTS, [fresh()]), "--json": None}
        given = [some(NUMBERS, TEXTS)] if rng.random() < 0.3 else []
    options |= {rng.choice(TEXTS + NUMBERS): None, "--debug=": None} if rng.random() < 0.1 else {}
    for option in rng.sample(list(options), min(len(options), rng.choice((0, 1, 1, 2, 3)))):
        given += [option] if options[option] is None else [option, options[option]()]
    return [command, *given]


def child(arguments, folder):
    """The command as a program, in a process of its own."""
    files = [os.open(folder / name, os.O_CREAT | os.O_TRUNC | os.O_WRONLY) for name in ("1", "2")]
    for number, file in enumerate(files, start=1):
        os.dup2(file, number)
    os.chdir(folder / "empty")
    torch.set_num_threads(1)
    corpus.standard_library = lambda: folder / "library"
    dependencies.LEARNED = ()
    train.TARGET = Recipe(1, 64, 96, 512, batch_tokens=256, length=32, long_length=256)
    evaluate.held_out_prompts = lambda kind: ["def f"]
    train.DRAFT = replace(train.TARGET, tokens=256)
    sys.stdout, sys.stderr = (open(n, "w", errors="strict") for n in (1, 2))  # noqa: SIM115
    sys.argv = ["course_utils", *arguments]
    sys.exit(program.start(authors.PROGRAM if arguments[:1] == ["train"] else __main__.PROGRAM))


def called(arguments, folder):
    """(exit status, stdout, stderr)"""
    status = exit_status(child, arguments, folder)
    return status, *((folder / name).read_text("utf-8", "surrogateescape") for name in "12")


def complaint(arguments, status, out, error):
    """What is wrong with how a call ended, or None."""
    if status not in (0, 1, 2, 3):
        return "an undocumented status"
    if "Traceback" in error:
        return "a traceback"
    if status == 2:
        lines = [line for line in error.splitlines() if "it/s" not in line]
        if not (lines and lines[-1].startswith("error: ")):
            return "no error is named"
        if len(lines) > 1:
            return "more than one line"
    if status < 2 and "error: " in error:
        return "an error without a status"
    if status < 2 and "--json" in arguments and not {"--", "--help"} & {*arguments}:
        json.loads(out)
    return None


def test_hostile_calls_end_in_words(folder):
    rng, found = random.Random(SEED), []
    for _ in range(CALLS):
        arguments = call(rng, folder)
        ended = called(arguments, folder)
        what = complaint(arguments, *ended)
        if what:
            found.append((what, arguments, ended[0], ended[2][-2000:]))
            print(f"\n{what}: {[a[:60] for a in arguments]}: {ended[0]}\n{ended[2][-1500:]}")
    assert not found
