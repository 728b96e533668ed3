"""Is this server's text the model's?  No defect found, LOSSY or inconclusive, from outside.

    python -m course_utils check-server                  the trained pair's server, here
    python -m course_utils check-server --url http://127.0.0.1:8000 --model NAME --target FOLDER
        --temperature 0.6 --top-k 20 --top-p 0.95 --kept answers.jsonl

The server (vLLM, llama.cpp's, any that returns token ids) is asked to continue held-out texts,
each twice, with every setting pinned in the request.  What its model says at each place of the
answers comes from --target:

    FOLDER    a copy that is loaded here, in the server's number format: all that follows is tested
    server    the server itself, of a model too large for this machine: vLLM's prompt_logprobs, or
              else what came with the answers.  So text and rows are shown to agree: not that the
              weights are right, and of rows that came with the answers not even that they are of
              this text

Two witnesses of surprise, tokens beyond a rank, tokens that the settings exclude, answers that are
repeated; at temperature 0 tokens that are not the likeliest, but for ties.

Not seen: faults smaller than what is stated; longer prompts and texts than are asked here; one
request in fifty; requests that share their random numbers, but for equal prompts; two tokens of
equal probability exchanged; weights rounded so little that the rows hardly move.

The environment's COURSE_ENGINE_KEY is shown to the server.  Exit status: 0, no defect found; 1,
lossy; 3, inconclusive; 2, something in the call was wrong.
"""

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tqdm.auto import tqdm

from course_utils.commands.certify import STATUS, as_text
from course_utils.commands.choices import add_loading, check_whole, set_threads
from course_utils.commands.parser import Parser
from course_utils.decoding.clock import now
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.engines.asking import LLAMA, VLLM, Server
from course_utils.engines.client import ADDRESS, MODEL, Engine, NoEngine, Question
from course_utils.engines.counters import Counters
from course_utils.engines.kept import Kept, Record, ask_all
from course_utils.models.loading.prompts import held_out_prompts
from course_utils.models.names import PAIRS
from course_utils.models.penalties import Penalties
from course_utils.proofs.certificate import SERVER, Check, certificate_of
from course_utils.proofs.passes import ROUNDING, number_format
from course_utils.proofs.served import RowsOf, checks
from course_utils.proofs.served_rows import Rows, Text

if TYPE_CHECKING:
    from course_utils.pairs import Pair

LIKELIEST = 20  # tokens of a row, as many as vLLM tells unless it is started otherwise
FILE = "generation_config.json"
LONG = 600  # tokens of every eighth prompt
EACH = 2  # requests of a prompt
PROVES = {
    VLLM: "rows: the server's own, of a pass that speculates nothing; that its weights are the "
    "model's is not shown",
    LLAMA: "rows: those that came with the answers; that they are the model's, or of this text, "
    "is not shown",
}


def main(arguments: list[str]) -> int:
    """0 no defect found, 1 lossy, 3 inconclusive."""
    options, sampling = _options(arguments)
    start = now()
    server = Server(Engine(options.url, options.model, timeout=600.0))  # told before models load
    source = _by_itself if options.target == SERVER else _by_a_copy
    before = _counters(server)
    _say(str(server))
    plain = vars(Sampling()) | vars(Penalties())
    pinned = plain | vars(sampling)
    advised = _advised(options.target, server)
    for where, values in ("its own default", server.defaults), (f"it may apply {FILE}", advised):
        for name, value in values.items():
            if value not in (plain[name], pinned[name]):
                _say(f"{where}: {name} {value:g}; the request pins {pinned[name]:g}")
    found, words = source(server, options, sampling)
    certificate = certificate_of(found, now() - start)
    counted = _speculation(before, _counters(server), words)
    if options.json:
        report = asdict(certificate) | {"seen": certificate.seen, "server": str(server)}
        report |= {"proves": words.get("proves", "")}
        print(json.dumps(report | {"speculation": counted}, allow_nan=False, default=float))
    else:
        print("\n".join(filter(None, [words.get("proves"), counted, as_text(certificate)])))
    return STATUS[certificate.verdict]


def _advised(target: str, server: Server) -> dict[str, float]:
    """What vLLM applies where a request is silent: as the server's own folder has it, or else the
    copy's."""
    from course_utils.models.loading.folder import read_sampling

    place = server.folder or ("" if target == SERVER else PAIRS.get(target, (target,))[0])
    if not place:
        return {}
    return vars(read_sampling(place)) | vars(read_sampling(place, Penalties))


Found = tuple[list[Check | str], dict[str, str]]


# --- the two sources --------------------------------------------------------------------------


def _by_a_copy(server: Server, options: Namespace, sampling: Sampling) -> Found:
    from course_utils.pairs import load_pair

    set_threads(options.threads, options.target)
    pair = load_pair(
        options.target, options.draft, form=options.form, dtype=options.dtype,
        device_map=options.device_map,
    )  # fmt: skip
    records = _asked(server, options, sampling, lambda text: tuple(pair.encode(text)))
    rounding = ROUNDING[options.served_in or number_format(pair.target)]
    known = pair.target.vocabulary_size
    if unknown := [t for record in records for t in record["tokens"] if t >= known]:
        raise ValueError(
            f"{server.engine.url} wrote token {unknown[0]}, and {options.target} knows 0 to "
            f"{known - 1}: is that the model that is served?"
        )

    def rows_of(text: Text) -> Rows:
        return Rows.of(_logits(pair.target, text, text.ended))

    def draft_of(text: Text) -> np.ndarray:
        return as_numpy(probabilities(_logits(pair.draft, text), sampling))

    draft = draft_of if pair.draft and sampling.temperature else None
    return _judged(server, options, records, rows_of, sampling, rounding, pair, draft)


def _logits(model, text: Text, ended: bool = False) -> np.ndarray:
    """(n, vocabulary), and one row more of a text that ended."""
    new = [*text.tokens] if ended else [*text.tokens[:-1]]
    return as_numpy(model.start(text.prompt[:-1]).extend([text.prompt[-1], *new]))


def _by_itself(server: Server, options: Namespace, sampling: Sampling) -> Found:
    records = _asked(server, options, sampling, server.encode, likeliest=options.likeliest)
    by_text = {_text(record): record["rows"] for record in records}

    def rows_of(text: Text) -> Rows:
        rows = by_text[text]
        wide = max(map(len, rows))
        filled = np.array([row + [[-1, -np.inf]] * (wide - len(row)) for row in rows])
        return Rows(filled[..., 0].astype(int), filled[..., 1], options.likeliest)

    rounding = ROUNDING[options.served_in or "bfloat16"]
    found, words = _judged(server, options, records, rows_of, sampling, rounding)
    if sampling.temperature not in (0, 1) and not 0 < sampling.top_k <= options.likeliest:
        words["proves"] += (
            f"; without a top-k of at most {options.likeliest} only tokens among the likeliest "
            f"{options.likeliest} are judged"
        )
    return found, words


def _judged(
    server: Server, options: Namespace, records: Sequence[Record], rows_of: RowsOf,
    sampling: Sampling, rounding, pair: "Pair | None" = None, draft=None,
) -> Found:  # fmt: skip
    texts = [_text(record) for record in records if record["tokens"]]
    if not texts:
        return [f"{SERVER}: the answers hold no tokens"], {}
    settings = dict(stops=pair.stop_tokens if pair else (), ends=server.kind == LLAMA)
    found = list(checks(texts, rows_of, sampling, rounding, draft_of=draft, **settings))
    words = {"proves": "" if pair else PROVES.get(server.kind, PROVES[LLAMA])}
    drafted, accepted = (sum(r.get(n, 0) for r in records) for n in ("drafted", "accepted"))
    words |= {"drafted": f"{accepted} of {drafted} drafted tokens accepted"} if drafted else {}
    return found, words


# --- the asking -------------------------------------------------------------------------------


def _asked(
    server: Server, options: Namespace, sampling: Sampling,
    encode: Callable[[str], tuple[int, ...]], likeliest: int = 0,
) -> list[Record]:  # fmt: skip
    """Every answer, kept as it comes; first what it will take."""
    prompts = _prompts(encode, options.requests // EACH)
    body = asdict(sampling) | {"requests": options.requests, "tokens": options.tokens}
    body |= {"url": server.engine.url, "model": server.engine.model, "likeliest": likeliest}
    kept = Kept(options.kept, body)

    def asking(number: int) -> Record:
        prompt = prompts[number % len(prompts)]
        question = Question(prompt, options.tokens, sampling.temperature, number, sampling.top_k,
                            sampling.top_p, sampling.min_p)  # fmt: skip
        told = server.answer(question, 0 if server.kind == VLLM else likeliest)
        if likeliest and server.kind == VLLM:
            told["rows"] = server.rows(prompt, told["tokens"], likeliest)
        if len(told["tokens"]) != options.tokens and not told["ended"]:
            raise ValueError(
                f"{server.engine.url} wrote {len(told['tokens'])} tokens where {options.tokens} "
                "were asked for: it was stopped, or reached the end of its context"
            )
        return {"prompt": list(prompt)} | told

    numbers = range(options.requests)
    read = sum(len(prompts[n % len(prompts)]) for n in numbers)
    twice = bool(likeliest) and server.kind == VLLM
    _say(_plan(options, read, twice, len(kept.records)))
    left = [n for n in numbers if n not in kept.records]
    with tqdm(total=len(left), unit="request", disable=None) as bar:
        try:
            ask_all(asking, left[:1], kept, 1, bar.update)  # a server's first may take longer
            begun = now()
            if timed := left[1:2]:
                ask_all(asking, timed, kept, 1, bar.update)
                minutes = (now() - begun) * (len(left) - 2) / options.together / 60
                _say(f"one takes {now() - begun:.2f} s: the others about {minutes:.1f} minutes")
            return ask_all(asking, numbers, kept, options.together, bar.update)
        except (KeyboardInterrupt, NoEngine):
            if kept.path:
                _say(f"{len(kept.records)} of {len(numbers)} answers are in {kept.path}: the same "
                     "command goes on from there")  # fmt: skip
            raise


def _plan(options: Namespace, read: int, twice: bool, kept: int) -> str:
    new = options.requests * options.tokens
    many = options.requests * (1 + twice)
    words = f"{many} requests: {read * (1 + twice) + new * twice} tokens to read, {new} to write"
    if options.price_per_million is not None:
        cost = (read * (1 + twice) + new * (1 + twice)) * options.price_per_million / 1e6
        words += f", {cost:.2f} at {options.price_per_million:g} per million"
    return words + (f"; {kept} answers are kept already" if kept else "")


def _prompts(encode: Callable[[str], tuple[int, ...]], many: int) -> list:
    """Held-out texts; every eighth is made of several."""
    texts = [
        t for both in zip(*map(held_out_prompts, ("code", "prose")), strict=True) for t in both
    ]
    joined = "\n".join(texts)
    prompts, many = [], min(many, 10_000)
    for i in range(many):
        text, turn = texts[i % len(texts)], i // len(texts)
        if i % 8 == 7:
            text = joined[i : i + 6 * LONG]
        text = text[turn:]  # another beginning each time round
        prompts.append(encode(text)[-LONG:])
    return prompts


def _text(record: Record) -> Text:
    return Text(tuple(record["prompt"]), tuple(record["tokens"]), record["ended"])


def _counters(server: Server) -> Counters | None:
    with suppress(NoEngine, ValueError):
        return Counters.of(server.engine.metrics(), server.engine.model)
    return None


def _speculation(before: Counters | None, after: Counters | None, words: dict[str, str]) -> str:
    """What it counted meanwhile, of everybody's requests."""
    with suppress(ValueError):
        if before and after and (between := after - before).drafts:
            return (f"speculation: {between.mean_acceptance_length:.2f} tokens per round, "
                    f"{between.acceptance_rate:.0%} of the guesses accepted")  # fmt: skip
    if "drafted" in words:
        return f"speculation: {words['drafted']}"
    return "speculation: the server counts none, so its text may be that of plain decoding"


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def _options(arguments: list[str]) -> tuple[Namespace, Sampling]:
    parser = Parser("check-server", __doc__, work="course_utils.pairs")
    parser.add_argument("--url", help=f"of the server (default: the environment's {ADDRESS})")
    parser.add_argument(
        "--model", default=MODEL, help="the name under which it is served (default: %(default)s)"
    )
    parser.add_argument(
        "--target", default="tiny",
        help=f"a folder, a hub id, {' or '.join(PAIRS)}; or `{SERVER}` (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--draft", help="of a copy: its draft, towards which drift is looked for")
    parser.add_argument("--temperature", type=float, default=1.0, help="default: %(default)s")
    parser.add_argument("--top-k", type=int, default=0, help="0, the default, keeps all tokens")
    parser.add_argument("--top-p", type=float, default=1.0, help="1, the default, keeps all")
    parser.add_argument("--min-p", type=float, default=0.0, help="0, the default, keeps all")
    parser.add_argument("--requests", type=int, default=64, help="default: %(default)s")
    parser.add_argument("--tokens", type=int, default=64, help="of each; default: %(default)s")
    parser.add_argument("--together", type=int, default=1, help="requests open at a time")
    parser.add_argument(
        "--likeliest", type=int, default=LIKELIEST,
        help=f"with --target {SERVER}: tokens of a row (vLLM: --max-logprobs; default %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--served-in", choices=ROUNDING,
        help="the server's number format, by which its rows may differ at the edge of a filter "
        f"(default: that of the copy; with --target {SERVER} bfloat16)",
    )  # fmt: skip
    parser.add_argument(
        "--kept", type=Path, metavar="FILE", help="keep each answer; go on from what is kept"
    )
    parser.add_argument("--price-per-million", type=float, metavar="X", help="tokens, for the cost")
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    add_loading(parser)
    options = parser.parse_args(arguments)
    for name in ("requests", "tokens", "together", "likeliest"):
        check_whole(name, getattr(options, name), 1)
    check_whole("requests", options.requests, EACH)
    options.requests -= options.requests % EACH
    sampling = Sampling(options.temperature, options.top_k, options.top_p, options.min_p)
    return options, sampling
