"""Test over its API whether a server's text has the model's distribution.

    python -m course_utils check-server                  the trained pair's server, here
    python -m course_utils check-server --url http://127.0.0.1:8000 --model NAME --target FOLDER
        --temperature 0.6 --top-k 20 --top-p 0.95 --answers answers.jsonl

The verdict is no defect found, LOSSY or inconclusive.  The server (vLLM, llama.cpp's, any that
takes and returns token ids) continues held-out texts, each twice, with every setting in the
request.  --target is the source of the model's rows: a copy loaded here, or `server`, the
log-probabilities that the server returns, for a model too large for this machine.  Those show
that text and rows agree, not that the weights are right; llama.cpp's come from the passes that
wrote the answer, so they do not even show that the rows belong to this text.

It cannot detect faults smaller than stated; faults with longer prompts or texts than here; one bad
request in fifty; requests that share random numbers; an unrequested penalty; withheld stop tokens;
a swap of two equally likely tokens; weights rounded so slightly that the rows barely change; and
whether the server speculates at all.

The environment variable COURSE_ENGINE_KEY is sent as the key.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

from course_utils.commands.certify import STATUS, as_text
from course_utils.commands.choices import (
    add_loading,
    add_settings,
    sampling_of,
    set_threads,
)
from course_utils.commands.program import Parser
from course_utils.decoding.clock import now
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.whole_numbers import whole_number
from course_utils.engines.answer_log import AnswerLog, Record
from course_utils.engines.client import ADDRESS, MODEL, Engine, NoEngine, Question
from course_utils.engines.server import LLAMA, Server
from course_utils.models.names import PAIRS, held_out_prompts
from course_utils.proofs.certificate import SERVER, Check, certificate_of
from course_utils.proofs.server_check import server_checks
from course_utils.proofs.server_rows import LOGIT_ROUNDING, ServedText, TargetRows

LIKELIEST = 20  # tokens of a row: the most that vLLM returns by default
LONGEST_PROMPT = 600  # tokens; every eighth prompt has this length
REQUESTS_PER_PROMPT = 2
TIMEOUT = 600.0  # seconds


def main(arguments: list[str]) -> int:
    """0 no defect found, 1 lossy, 3 inconclusive."""
    options = _options(arguments)
    sampling, start = sampling_of(options), now()
    server = Server(Engine(options.url, options.model, TIMEOUT))  # fail before loading a model
    print(server, file=sys.stderr, flush=True)
    certificate = certificate_of(list(_findings(server, options, sampling)), now() - start)
    print(as_text(certificate))
    return STATUS[certificate.verdict]


def _findings(server: Server, options: Namespace, sampling: Sampling) -> Iterator[Check | str]:
    if options.target == SERVER:
        answers = _answers(server, options, sampling, server.encode, LIKELIEST)
        rows = {_text(answer): answer["rows"] for answer in answers}
        rounding = LOGIT_ROUNDING[options.served_in or "bfloat16"]
        return server_checks(map(_text, answers), lambda text: TargetRows.from_server(
            rows[text], LIKELIEST), sampling, rounding)  # fmt: skip
    from course_utils.writing.writing import load_pair

    set_threads(options.threads, options.target)
    pair = load_pair(
        options.target, form=options.form, dtype=options.dtype, device_map=options.device_map
    )
    target, size = pair.target, pair.target.vocabulary_size
    answers = _answers(server, options, sampling, pair.encode)
    if unknown := [token for answer in answers for token in answer["tokens"] if token >= size]:
        raise ValueError(
            f"{server.engine.url} wrote token {unknown[0]}, but the tokens of {options.target} are "
            f"0 to {size - 1}: name the model that the server runs as --target"
        )
    number_format = str(getattr(target, "dtype", "float32")).removeprefix("torch.")
    rounding = LOGIT_ROUNDING[options.served_in or number_format]
    return server_checks(
        map(_text, answers), lambda text: TargetRows.along(target, text), sampling, rounding,
        pair.stop_tokens if server.kind == LLAMA else (),
    )  # fmt: skip


def _text(answer: Record) -> ServedText:
    return ServedText(tuple(answer["prompt"]), tuple(answer["tokens"]))


def _answers(
    server: Server, options: Namespace, sampling: Sampling,
    encode: Callable[[str], Sequence[int]], likeliest: int = 0,
) -> list[Record]:  # fmt: skip
    """Request every answer that the file of answers does not have yet."""
    pairs = zip(held_out_prompts("code"), held_out_prompts("prose"), strict=True)
    texts = [text for pair in pairs for text in pair]
    texts[7::8] = ["\n".join(texts[i:] + texts[:i]) for i in range(7, len(texts), 8)]
    count = options.requests // REQUESTS_PER_PROMPT
    prompts = [tuple(encode(text))[:LONGEST_PROMPT] for text in texts[:count]]
    settings = {"url": server.engine.url, "model": server.engine.model, "likeliest": likeliest}
    settings |= asdict(sampling) | {"requests": options.requests, "tokens": options.tokens}
    log = AnswerLog(options.answers, settings)

    def ask(number: int) -> Record:
        prompt = prompts[number % len(prompts)]
        question = Question(prompt, options.tokens, seed=number, **asdict(sampling))
        answer = server.answer(question, likeliest)
        if (written := len(answer["tokens"])) != options.tokens and not answer["ended"]:
            raise ValueError(
                f"{server.engine.url} wrote {written} tokens instead of {options.tokens}: it was "
                "stopped, or reached the end of its context; try fewer --tokens"
            )
        return {"prompt": prompt} | answer

    with tqdm(total=options.requests, initial=len(log.answers), disable=None) as bar:
        try:
            return log.complete(ask, options.requests, options.together, bar.update)
        except (KeyboardInterrupt, NoEngine):
            if log.path:
                print(
                    f"{len(log.answers)} of {options.requests} answers are in {log.path}: the same "
                    "command continues from there", file=sys.stderr,
                )  # fmt: skip
            raise


def _options(arguments: list[str]) -> Namespace:
    parser = Parser("check-server", __doc__, work="course_utils.writing.writing")
    parser.add_argument("--url", help=f"the server's address (default: ${ADDRESS})")
    parser.add_argument("--model", default=MODEL, help="its name there (default: %(default)s)")
    parser.add_argument("--target", default="tiny", help=f"a folder, a hub id, "
                        f"{' or '.join(PAIRS)}; or `{SERVER}` (default: %(default)s)")  # fmt: skip
    add_settings(parser, "(default)")
    parser.add_argument("--requests", type=int, default=64, help="default: %(default)s")
    parser.add_argument("--tokens", type=int, default=64, help="per answer; default: %(default)s")
    parser.add_argument("--together", type=int, default=1, help="requests open at a time")
    parser.add_argument("--served-in", choices=LOGIT_ROUNDING,
                        help="the server's number format, for the allowed rounding (default: "
                        f"that of the copy; with --target {SERVER} bfloat16)")  # fmt: skip
    parser.add_argument("--answers", type=Path, metavar="FILE",
                        help="store the answers there, and continue from stored ones")  # fmt: skip
    add_loading(parser)
    options = parser.parse_args(arguments)
    for name, least in (("requests", REQUESTS_PER_PROMPT), ("tokens", 1), ("together", 1)):
        whole_number(name, getattr(options, name), least)
    return options
