"""A drafter of anybody's, in a process of its own, which may compute and nothing else.

What it needs goes there by a pipe: the text so far, what its uniforms draw, rows of its draft
model.  The target, the prompts and what counts stay on this side.  The process is forked from one
that never had them, and each `Player` has a new one: nothing is remembered.

It is lossless as each round is checked: each row of q stands before its uniform is compared, once,
and each guess that is drawn is submitted.

In it an audit hook ends the process at the first event that reaches out: a file, a module that is
not in `MODULES`, a process, a socket, memory of others.  The system's limits (of open files, of
what is written, of seconds and memory) hold beneath it.  An audit hook is no sandbox: code that
attacks the interpreter itself is not stopped.  So let it judge a class, not strangers.
"""

import gc
import json
import operator
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from importlib import import_module
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from course_utils.decoding.contracts import (
    Draft,
    Drafter,
    LanguageModel,
    Round,
    RoundNoise,
    Rows,
    Seconds,
    Session,
    Verdict,
)
from course_utils.decoding.proposal import CommittedText, DraftNoise
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, sample

MODULES = (  # what a drafter may import
    *("abc", "base64", "bisect", "collections", "collections.abc", "copy", "dataclasses", "enum"),
    *("functools", "heapq", "itertools", "math", "operator", "random", "re", "statistics"),
    *("string", "struct", "typing", "zlib", "numpy", "array_api_compat.numpy"),
    *(
        f"course_utils.{name}"
        for name in (
            *("decoding.contracts", "decoding.drawing", "decoding.loop", "decoding.outcomes"),
            *("decoding.rows", "decoding.sampling", "decoding.theory", "models.n_grams"),
            *("drafters.bandits", "drafters.cascade", "drafters.choice", "drafters.lengths"),
            *("drafters.lookup", "drafters.sampled", "drafters.stops", "drafters.suffix"),
        )
    ),
)
HEAVY = ("course_utils", "torch", "transformers")
HARMLESS = {  # events that stay inside the interpreter
    *("array.__new__", "builtins.id", "code.__new__", "compile", "exec", "sys._getframe"),
    *("object.__delattr__", "object.__getattr__", "object.__setattr__", "sys.unraisablehook"),
}
SYSTEM = ("fspath", "getpid", "read", "write")  # calls of the system that are left in `os`
SECONDS, MEMORY = 600, 4 * 10**9  # of processor; bytes of the process's addresses
PATIENCE = 120.0  # seconds by the clock until an answer
MOST, SESSIONS = 2**26, 8  # bytes of a message; sessions of a drafter
NUMBERS = {"<f4": np.float32, "<f8": np.float64}
DRAWN = 1e-6  # sums of a row differ by no more where only their float format does


class Disqualified(ValueError):
    """A drafter did what no drafter may, or failed."""


# --- the pipe: JSON, and rows as they lie in memory; nothing is unpickled ----------------------


def _send(pipe: Connection, message: dict, rows: Rows | None = None) -> None:
    if rows is not None:
        rows = np.ascontiguousarray(as_numpy(rows))
        message = message | {"rows": [rows.dtype.str, *rows.shape]}
    pipe.send_bytes(json.dumps(message).encode())
    if rows is not None:
        pipe.send_bytes(rows.tobytes())


def _receive(pipe: Connection) -> tuple[dict, np.ndarray | None]:
    message = json.loads(pipe.recv_bytes(MOST))
    if "rows" not in message:
        return message, None
    dtype, *shape = message["rows"]
    return message, np.frombuffer(pipe.recv_bytes(MOST), NUMBERS[dtype]).reshape(shape).copy()


# --- in the process ---------------------------------------------------------------------------


def play(pipe: Connection, source: str, name: str) -> None:
    """Load the drafter `name` of `source`; propose what is asked for, until nobody asks."""
    try:
        _confine(pipe)
        mine = sys.modules["mine"] = type(sys)("mine")  # where a dataclass looks for it
        exec(compile(source, "mine.py", "exec"), vars(mine))
        drafters: dict[int, _Playing] = {}
        while True:
            asked, p = _receive(pipe)
            for key in asked["gone"]:
                drafters.pop(key, None)
            key = asked["drafter"]
            if "sampling" in asked:
                model = _Model(pipe, *asked["model"]) if asked["model"] else None
                drafter = getattr(mine, name)(model, Sampling(**asked["sampling"]))
                drafters[key] = _Playing(pipe, drafter)
                _send(pipe, {"learns": hasattr(drafter, "learn")})
            elif "learn" in asked:
                drafters[key].learn(asked["learn"], p)
            else:
                drafters[key].propose(**asked["propose"])
    except EOFError:
        return
    except BaseException as error:  # it may fail in any way
        _send(pipe, {"error": f"{type(error).__name__}: {error}"})


def _forget() -> None:
    """Nothing is loaded that a drafter may not import: a server may have forked for others, too."""
    ring: list[object] = []
    for name in [*sys.modules]:
        of, _, last = name.rpartition(".")
        may = any(module == name or module.startswith(f"{name}.") for module in MODULES)
        if not may and name.partition(".")[0] in HEAVY:
            vars(sys.modules.get(of, sys)).pop(last, None)
            ring.append(sys.modules.pop(name))
    # subtle: torch does not outlive its modules, so they are kept, where nobody finds them
    ring.append(ring)
    gc.freeze()


def _confine(pipe: Connection) -> None:
    """From here on nothing reaches out of the process but `pipe`."""
    _forget()
    end = os._exit
    for stream in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    with suppress(ImportError):  # on Windows, where the hook is all
        import resource

        os.closerange(3, pipe.fileno())  # multiprocessing's own pipes among them
        os.closerange(pipe.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
        cores = resource.RLIMIT_CORE, 0
        written, opened = (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NOFILE, 0)
        used = (resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_AS, MEMORY)
        for limit, most in (cores, written, opened, *used):
            resource.setrlimit(limit, (most, most))

    def hook(event: str, arguments: tuple) -> None:
        if event not in HARMLESS:
            what = f"{event} {arguments[0]!r:.80}" if arguments else event
            _send(pipe, {"refused": what})
            end(1)  # an exception could be caught

    sys.addaudithook(hook)
    for module in (os, sys.modules[os.name]):  # not each call is an event: mkfifo, setpriority
        for name, thing in [*vars(module).items()]:
            if isinstance(thing, BuiltinFunctionType) and name not in SYSTEM:
                delattr(module, name)


class _Playing:
    """A drafter, and the text that it sees: the same object in all rounds."""

    def __init__(self, pipe: Connection, drafter: Drafter):
        self._pipe, self._drafter = pipe, drafter
        self._tokens: list[int] = []
        self._text, self._q = CommittedText(self._tokens), None

    def propose(self, text: list[int], gamma: int) -> None:
        if text[: len(self._tokens)] != self._tokens:
            self._tokens = []
            self._text = CommittedText(self._tokens)
        self._tokens += text[len(self._tokens) :]
        noise = DraftNoise(_Uniform(self._pipe, place) for place in range(gamma))
        draft = self._drafter.propose(self._text, gamma, noise)
        if draft.parents is not None:
            raise ValueError("it drafts a tree: drafters of yours draft chains here")
        self._q = draft.q
        _send(self._pipe, {"draft": [int(token) for token in draft.tokens]}, draft.q)

    def learn(self, done: dict, p: Rows) -> None:
        verdict, seconds = Verdict(**done.pop("verdict")), Seconds(0.0, 0.0, 0.0)
        lists = {key: tuple(done.pop(key)) for key in ("drafted", "uniforms", "emitted")}
        self._drafter.learn(
            Round(p=p, q=self._q, verdict=verdict, seconds=seconds, **done, **lists)
        )


class _Model:
    """The draft model, which computes where it is counted."""

    def __init__(self, pipe: Connection, drafter: int, vocabulary_size: int, context: int):
        self._pipe, self._drafter = pipe, drafter
        self.vocabulary_size, self.context = vocabulary_size, context

    def start(self, prompt: Sequence[int]) -> "_Session":
        number = self.call("start", [*map(int, prompt)])
        return _Session(self, number, len(prompt))

    def call(self, name: str, *arguments: Any) -> Any:
        return _called(self._pipe, name, self._drafter, *arguments)


class _Session:
    def __init__(self, model: _Model, number: int, length: int):
        self._model, self._number, self.length = model, number, length

    def extend(self, tokens: Sequence[int]) -> Rows:
        rows = self._model.call("extend", self._number, [*map(int, tokens)])
        self.length += len(rows)
        return rows

    def rollback(self, length: int) -> None:
        self._model.call("rollback", self._number, int(length))
        self.length = length


class _Uniform:
    """Says once which sums of a row of q are not above it, as `sample` asks.

    Whoever knew the number could choose a q that draws what they like, or hold the guess back.
    """

    __array_ufunc__ = None  # `sums <= uniform` is not NumPy's to answer

    def __init__(self, pipe: Connection, place: int):
        self._pipe, self._place = pipe, place

    def __ge__(self, sums: np.ndarray) -> np.ndarray:
        return np.array(_called(self._pipe, "compare", self._place, rows=sums))


def _called(pipe: Connection, name: str, *arguments: Any, rows: Rows | None = None) -> Any:
    _send(pipe, {"call": name, "with": arguments}, rows)
    answer, rows = _receive(pipe)
    return answer["is"] if rows is None else rows


# --- on this side -----------------------------------------------------------------------------


class Player:
    """A process that plays the drafter `name` of the text `source`; close it, or use `with`."""

    def __init__(self, source: str, name: str):
        method = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
        context = get_context(method)
        if method == "forkserver":
            context.set_forkserver_preload([__name__, "course_utils.__main__"])
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=play, args=(theirs, source, name), daemon=True)
        self._process.start()
        theirs.close()
        self._made, self.gone = 0, []

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.close()
        self._process.kill()
        self._process.join()

    def make(self, model: LanguageModel | None, sampling: Sampling) -> "Played":
        """The drafter of (model, sampling)."""
        self._made += 1
        return Played(self, self._made, model, sampling)

    def ask(self, drafter: int, message: dict, rows: Rows | None = None) -> None:
        gone, self.gone = self.gone, []
        try:
            _send(self._pipe, {"drafter": drafter, "gone": gone, **message}, rows)
        except OSError:  # it has ended; what it last said is still to be read
            return

    def hear(self) -> tuple[dict, Rows | None]:
        """Its next message.

        Raises:
            Disqualified: it says nothing, or nothing that can be understood; or it did what it
                may not.
        """
        try:
            if not self._pipe.poll(PATIENCE):
                raise Disqualified(f"no answer in {PATIENCE:g} seconds")
            said, rows = _receive(self._pipe)
        except (EOFError, OSError):
            raise Disqualified("its process ended: exit(), or too much time or memory") from None
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            if isinstance(error, Disqualified):
                raise
            raise Disqualified("what it sent is no answer") from None
        if not isinstance(said, dict) or {"error", "refused"} & said.keys():
            raise Disqualified(str(said.get("error") or f"it must not: {said.get('refused')}"))
        return said, rows

    def reply(self, answer: Any) -> None:
        if isinstance(answer, bool | int | list):
            _send(self._pipe, {"is": answer})
        else:
            _send(self._pipe, {}, answer)


class Played:
    """A drafter that proposes what the one in the process does."""

    def __init__(self, player: Player, key: int, model: LanguageModel | None, sampling: Sampling):
        self._player, self._key, self._model = player, key, model
        self._sessions: list[Session] = []
        known = model and [key, model.vocabulary_size, model.context]
        said, _ = self._answer({"model": known, "sampling": asdict(sampling)}, "learns")
        if said["learns"] is True:
            self.learn = self._learn

    def __del__(self) -> None:
        self._player.gone.append(self._key)

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        self._uniforms, self._drawn = noise.uniforms("draft", gamma), []
        said, q = self._answer({"propose": {"text": [*tokens], "gamma": gamma}}, "draft")
        guesses, rows = said["draft"], [] if q is None else q
        if not len(rows) == len(self._drawn) == (0 if q is None else len(guesses)):
            raise Disqualified("not every guess that was drawn is submitted, with its row of q")
        for row, sums, guess, u in zip(rows, self._drawn, guesses, self._uniforms, strict=False):
            cumulative = row.astype(sums.dtype).cumsum()
            same = len(sums) == len(cumulative)
            if not (same and abs(cumulative / cumulative[-1] - sums).max() <= DRAWN):
                raise Disqualified("a row of q is not the one that its guess was drawn from")
            if sample(row, u) != guess:
                raise Disqualified("a guess is not what its uniform draws from its row of q")
        return Draft(tuple(guesses), q)

    def _learn(self, done: Round) -> None:
        fields = {f: getattr(done, f) for f in ("index", "context", "drafted", "emitted")}
        fields |= {f: getattr(done, f) for f in ("cache_before", "cache_after", "stop_reason")}
        verdict = {"accepted": done.verdict.accepted, "token": done.verdict.token}
        told = {**fields, "uniforms": [*done.uniforms], "verdict": verdict}
        self._player.ask(self._key, {"learn": told}, done.p)

    def _answer(self, message: dict, wanted: str) -> tuple[dict, Rows | None]:
        """What it says at last; until then it asks for rows."""
        self._player.ask(self._key, message)
        while True:
            said, rows = self._player.hear()
            if wanted in said:
                return said, rows
            try:
                answer = self._called(said["call"], said["with"], rows)
            except Exception as error:  # it asked for what there is not
                raise Disqualified(f"what it asked of its model: {error}") from None
            self._player.reply(answer)

    def _called(self, name: str, given: list, rows: Rows | None) -> Any:
        if name == "compare":
            if given != [len(self._drawn)] or rows.ndim != 1:
                raise ValueError("a uniform is compared once, in its turn, with the sums of a row")
            uniform = rows.dtype.type(self._uniforms[len(self._drawn)])
            self._drawn.append(rows)
            return (rows <= uniform).tolist()
        _, *given = given
        if name == "start":
            if len(self._sessions) == SESSIONS:
                raise ValueError(f"more than {SESSIONS} sessions")
            self._sessions.append(self._model.start([*map(operator.index, given[0])]))
            return len(self._sessions) - 1
        session = self._sessions[given[0]]
        if name == "rollback":
            session.rollback(given[1])
            return True
        return session.extend([*map(operator.index, given[1])])


for module in MODULES:  # here, and so in the process that players are forked from
    import_module(module)
