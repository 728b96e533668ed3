"""A league of drafters whose scores are counted, not timed: the same on every machine.

    python -m course_utils league add mine.py:Parrot   scored, or refused; the board is printed
    python -m course_utils league add suffix           a drafter of the course, by its name
    python -m course_utils league page                 writes the board, build/league.html
    python -m course_utils league serve-page           the same over HTTP, read anew each time

A score is what the season's texts cost without a draft over what they cost with it, in passes of
the target over one token; a pass of another model counts by the weights that it reads, a pass over
k tokens 1 + (k - 1)/32 of one over one token.  --season says which texts, anew for each name.

A drafter of yours runs in a process of its own, sees its text, its uniforms and its draft model,
and can reach nothing else (course_utils/measuring/player.py).  It is lossless because each round
is checked: a row of q stands before its uniform is compared, and each guess that is drawn is
submitted.  It is refused if not, if it tries anything else, or if it knows the season's texts or
uniforms: in a season that is drawn at random it would be slower.

With --homes FOLDER the page shows a class: each home's my_lessons/league.json is read, as data.  A
student can write anything there: "claimed" stands beside it, until the same source has been scored
by who shows the page.

Exit status: 0; 1, the drafter was refused, or a home could not be read; 2.
"""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, fields
from functools import partial
from hashlib import sha256
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import isfinite
from pathlib import Path
from secrets import token_hex
from string import Template

from tqdm.auto import tqdm

from course_utils.classroom.files import write_whole
from course_utils.classroom.notebooks import MY_LESSONS, NOTEBOOKS
from course_utils.classroom.table import text_table
from course_utils.commands.choices import decoding_target, guessing_model, set_threads
from course_utils.commands.parser import Parser
from course_utils.commands.progress import file_of, homes, shown, why
from course_utils.decoding.contracts import Drafter, LanguageModel
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.named import DRAFTERS, INT8
from course_utils.measuring.league import TEMPERATURES, Counted, Play, Task, counted, season
from course_utils.measuring.player import Disqualified, Player
from course_utils.models.forms import PACKED
from course_utils.models.pairs import PAIRS, Pair, load_pair

FILE = "league.json"
COURSES = NOTEBOOKS.parent / "data" / "league" / FILE  # the entries of the course
BUILT = NOTEBOOKS.parent / "build" / "league.html"
LARGEST = 16_384  # bytes of a source: what it knows beforehand must fit
KNOWN = 1.5  # times the score on texts of its own; honest ones differ by a tenth
BY_TESTS, BY_ROUND = "by the course's tests", "each guess checked"
MOST = 20  # entries of a home that are shown


@dataclass(frozen=True)
class Entry:
    """A line of the board."""

    drafter: str
    season: str
    digest: str  # of its source and name
    score: float
    greedy: float  # of the texts at temperature 0 alone
    sampled: float
    passes: float  # of the target, for 100 tokens
    drafting: float  # cost of other models, in passes of the target, for 100 tokens
    size: int  # bytes of its source; 0: the course's
    certificate: str


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    if options.what == "add":
        return _add(options)
    if options.what == "serve-page":
        return _serve(options)
    found, told = lines(options.board, options.homes, options.season)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(options.out, page(found, options.season))
    print(options.out)
    for line in told:
        print(line, file=sys.stderr)
    return 1 if told else 0


def _parser() -> Parser:
    parser = Parser("league", __doc__)
    parser.add_argument("what", choices=("add", "page", "serve-page"))
    parser.add_argument("drafter", nargs="?", help=f"FILE.py:NAME, or one of {', '.join(DRAFTERS)}")
    parser.add_argument("--season", default="1", help="its name, which draws the texts (default 1)")
    parser.add_argument("--board", type=Path, default=MY_LESSONS / FILE, metavar="FILE.json")
    parser.add_argument("--homes", type=Path, metavar="DIR", help="a class: the students' homes")
    parser.add_argument("--out", type=Path, default=BUILT, help="of the page: build/league.html")
    parser.add_argument("--port", type=int, default=8010, help="of serve-page (default 8010)")
    return parser


# --- one drafter -----------------------------------------------------------------------------


def _add(options: Namespace) -> int:
    if not options.drafter:
        raise ValueError("which drafter? Give FILE.py:NAME, or a name of the course's")
    set_threads(None, "tiny")
    pair = load_pair("tiny", dtype="float32", form=PACKED)  # one arithmetic for all
    try:
        entry = entry_of(options.drafter, options.season, pair)
    except Disqualified as error:
        print(f"REFUSED: {options.drafter}: {error}")
        return 1
    held = entries(options.board.read_bytes()) if options.board.exists() else []
    kept = [e for e in held if (e.drafter, e.season) != (entry.drafter, entry.season)]
    options.board.parent.mkdir(parents=True, exist_ok=True)
    write_whole(options.board, json.dumps([asdict(e) for e in [*kept, entry]], indent=1) + "\n")
    found, _ = lines(options.board, None, options.season)
    print(text_table(rows(found), left=(1, 2)))
    return 0


def entry_of(name: str, of_season: str, pair: Pair) -> Entry:
    """Score a drafter.

    Raises:
        Disqualified: it is not lossless, or cheats.
        ValueError: there is none of that name, or it cannot be counted.
    """
    if name in DRAFTERS:
        named, source, known = DRAFTERS[name], "", name
        if named.guesses_with == INT8:
            raise ValueError(
                f"{name} reads narrower weights than the target: quantise both or none"
            )
        model, rule = guessing_model(name, pair, PAIRS["tiny"][1]), named.rule
        target = decoding_target(pair, model)
        play: Play = lambda model, sampling: nullcontext(named.make(model, sampling))  # noqa: E731
    else:
        file, _, known = name.rpartition(":")
        if not (file and known.isidentifier()):
            raise ValueError(f"{name!r} is neither FILE.py:NAME nor one of {', '.join(DRAFTERS)}")
        source = Path(file).read_text("utf-8")
        if len(source.encode()) > LARGEST:
            raise Disqualified(f"its file has more than {LARGEST} bytes")
        model, rule, target = pair.draft, TOKEN_WISE, pair.target
        play = partial(played, source, known)
    digest = sha256(f"{known}\n{source}".encode()).hexdigest()[:16]
    count = partial(counted, target, model, play, rule, stop_tokens=pair.stop_tokens)
    tasks = season(of_season, pair)
    each = [count(task) for task in tqdm(tasks, unit="text", leave=False)]
    scores = by_temperature(tasks, each)
    if source:  # it may know the season's texts and uniforms, but of no season that nobody knew
        others = season(token_hex(), pair, max(4, len(tasks) // 2))
        own = by_temperature(others, [count(task) for task in others])
        for there, here in zip(scores, own, strict=True):
            if there > KNOWN * here:
                raise Disqualified(f"it knows the season: {there:.2f} there, {here:.2f} on others")
    total = sum(each, Counted())
    per_100 = 100 / total.tokens
    figures = total.score, *scores, per_100 * total.passes, per_100 * total.drafting
    figures = [round(figure, 3) for figure in figures]
    certificate = BY_ROUND if source else BY_TESTS
    size = len(source.encode())
    return Entry(Path(name).name, of_season, digest, *figures, size, certificate)


def by_temperature(tasks: Sequence[Task], each: Sequence[Counted]) -> list[float]:
    """The scores of the texts at each of TEMPERATURES."""
    both = list(zip(tasks, each, strict=True))
    of = [[c for task, c in both if task.sampling.temperature == at] for at in TEMPERATURES]
    return [sum(some, Counted()).score for some in of]


@contextmanager
def played(source: str, name: str, model: LanguageModel, sampling: Sampling) -> Iterator[Drafter]:
    """A drafter for one text, in a process that has seen no other."""
    with Player(source, name) as player:
        yield player.make(model, sampling)


# --- the board -------------------------------------------------------------------------------


def entries(data: bytes) -> list[Entry]:
    """What a board's file says, as far as it says entries: anybody may have written it."""
    try:
        return [e for one in json.loads(data) if (e := _entry(one)) is not None]
    except (ValueError, TypeError, RecursionError):
        return []


def _entry(one: object) -> Entry | None:
    kinds = {field.name: field.type for field in fields(Entry)}
    if not isinstance(one, dict) or one.keys() != kinds.keys():
        return None
    if not all(type(one[name]) is kind for name, kind in kinds.items()):
        return None
    if not all(isfinite(x) for x in one.values() if not isinstance(x, str)):
        return None
    return Entry(**one)


Line = tuple[str, Entry, str]  # whose, what, and who has scored it
HEADS = ("", "", "drafter", "score", "greedy", "sampled", "passes", "drafting", "bytes", "")


def lines(board: Path, of_homes: Path | None, of_season: str) -> tuple[list[Line], list[str]]:
    """The board, the best first, and what could not be read.

    The course's entries, those of this board, and of each home what it claims: where this board
    has the same source, its own score stands there.
    """
    own = entries(board.read_bytes()) if board.exists() else []
    known = {(e.digest, e.season): e for e in own}
    courses, told = entries(COURSES.read_bytes()), []
    found = [("the course", e, "") for e in courses]
    if of_homes is None:
        found += [("", e, "") for e in own if e not in courses]
    for home in homes(of_homes) if of_homes else ():
        try:
            held = entries(file_of(home, FILE) or b"[]")
        except (OSError, ValueError) as error:
            told.append(f"not read: {shown(home.name)}: {why(error)}")
            continue
        for entry in held[:MOST]:
            ours = known.get((entry.digest, entry.season))
            seen = (ours or entry, "confirmed" if ours else "claimed")
            found.append((home.name, *seen))
    found = [line for line in found if line[1].season == of_season]
    return sorted(found, key=lambda line: -line[1].score), told


def rows(found: Sequence[Line]) -> list[tuple[str, ...]]:
    """HEADS, and a row for each."""
    table = [HEADS]
    for place, (whose, e, status) in enumerate(found, start=1):
        figures = f"{e.score:.2f}", f"{e.greedy:.2f}", f"{e.sampled:.2f}"
        figures += f"{e.passes:.1f}", f"{e.drafting:.1f}", str(e.size or "–")
        table.append((str(place), shown(whose), shown(e.drafter), *figures, status))
    return table


def page(found: Sequence[Line], of_season: str) -> str:
    """The board as HTML; nothing on it is taken as it was written."""
    first, *rest = rows(found)
    cells = ["".join(f"<td>{escape(cell)}" for cell in row) for row in rest]
    heads = "".join(f"<th>{escape(head)}" for head in first)
    season = escape(shown(of_season))
    return PAGE.substitute(season=season, heads=heads, rows="\n<tr>".join(["", *cells]))


PAGE = Template("""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>League of drafters, season $season</title>
<style>
body { font: 18px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid #ccc }
th:nth-child(-n+3), td:nth-child(-n+3), td:last-child { text-align: left }
td:nth-child(4) { font-weight: bold }
@media (max-width: 60rem) { th, td { padding: .3rem .25rem; font-size: .85rem } }
@media (max-width: 30rem) { :is(th, td):nth-child(n+5):nth-child(-n+9) { display: none } }
</style>
<h1>League of drafters, season $season</h1>
<table><tr>$heads$rows
</table>
<p><b>score</b>: what the season's texts cost without a draft, over what they cost with this one;
greedy and sampled: of those at temperature 0, and at 1. <b>passes</b> of the target for 100 tokens;
<b>drafting</b>: what other models' passes cost for 100 tokens, in passes of the target, by the
weights that they read. Counted, not timed. <b>claimed</b>: nobody but its author has scored it.</p>
""")


def _serve(options: Namespace) -> int:
    class Board(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found, _ = lines(options.board, options.homes, options.season)
            text = page(found, options.season).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header(
                "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"
            )
            self.end_headers()
            self.wfile.write(text)

    with ThreadingHTTPServer(("127.0.0.1", options.port), Board) as server:
        print(f"http://127.0.0.1:{server.server_port}/  (Ctrl-C ends it)", flush=True)
        server.serve_forever()
    return 0
