"""Was a server's text drawn from the target?  Asked from outside, by two witnesses.

    python -m course_utils judge                        a server of the trained pair, `make engine`
    python -m course_utils judge --url http://127.0.0.1:8000 --model NAME --target FOLDER
        --temperature 0.6 --top-k 20 --top-p 0.95

The server is asked to continue held-out texts, as vLLM is asked (prompts and answers are token
ids), with the settings given here pinned in every request.  The target is loaded here and gives
the row at each place of the answers.  Nothing is asked of rounds, drafts or counters.

A server that computes in another number format has slightly other rows, and may keep another
token at the edge of a filter: such a token counts as impossible.  Load the target in the same
format, or ask without filters.

Exit status: 0, nothing speaks against it; 1, the text was not drawn from the target so.
"""

from argparse import Namespace

from course_utils.commands.choices import add_loading, check_whole, set_threads
from course_utils.commands.parser import Parser
from course_utils.decoding.sampling import Sampling
from course_utils.engines.client import ADDRESS, Engine, Question, ask
from course_utils.engines.configurations import MODEL
from course_utils.lessons.production_engines.tables import said_of
from course_utils.models.pairs import load_pair
from course_utils.models.prompts import held_out_prompts
from course_utils.proofs.surprise import surprise


def main(arguments: list[str]) -> int:
    """0 if nothing speaks against the server, 1 if a witness does."""
    options, sampling = _options(arguments)
    engine = Engine(options.url, options.model)
    version = engine.check()  # what can be told at once is told before a model is loaded
    set_threads(options.threads, options.target)
    pair = load_pair(
        options.target, form=options.form, dtype=options.dtype, device_map=options.device_map
    )
    prompts = [*held_out_prompts("code"), *held_out_prompts("prose")]
    questions = [
        Question(
            tuple(pair.encode(prompts[seed % len(prompts)])), options.tokens, sampling.temperature,
            seed, sampling.top_k, sampling.top_p,
        )
        for seed in range(options.texts)
    ]  # fmt: skip
    answers = ask(engine, questions)
    texts = [(q.prompt, a.tokens) for q, a in zip(questions, answers, strict=True)]
    found = surprise(pair.target, texts, sampling)
    print(f"{engine.model} at {engine.url}, {version}: {found.tokens} tokens")
    both = found.deviations, found.second_deviations
    print(said_of(f"temperature {sampling.temperature:g}", both, found.bands))
    return 0 if found.drawn else 1


def _options(arguments: list[str]) -> tuple[Namespace, Sampling]:
    parser = Parser("judge", __doc__)
    parser.add_argument("--url", help=f"of the server (default: the environment's {ADDRESS})")
    parser.add_argument(
        "--model", default=MODEL, help="the name under which it is served (default: %(default)s)"
    )
    parser.add_argument(
        "--target", default="tiny", help="a folder or a hub id (default: the trained pair's)"
    )
    parser.add_argument("--temperature", type=float, default=1.0, help="default: %(default)s")
    parser.add_argument("--top-k", type=int, default=0, help="0, the default, keeps all tokens")
    parser.add_argument("--top-p", type=float, default=1.0, help="1, the default, keeps all")
    parser.add_argument("--texts", type=int, default=16, help="default: %(default)s")
    parser.add_argument("--tokens", type=int, default=64, help="of each; default: %(default)s")
    add_loading(parser)
    options = parser.parse_args(arguments)
    check_whole("texts", options.texts, 1)
    check_whole("tokens", options.tokens, 1)
    if options.temperature == 0:
        parser.error("at temperature 0 nothing is drawn: compare the texts themselves")
    return options, Sampling(options.temperature, options.top_k, options.top_p)
