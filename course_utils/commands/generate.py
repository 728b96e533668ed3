"""Continue a prompt, and say what it cost."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TextIO

from course_utils.classroom.palette import MEANINGS
from course_utils.classroom.tokens import ansi
from course_utils.commands.choices import (
    add_chat,
    add_loading,
    add_rule,
    add_tree,
    asked_encoder,
    asked_rule,
    asked_settings,
    chat_settings,
    check_chat,
    check_gamma,
    check_prompt,
    check_seed,
    check_tree,
    check_verifies,
    check_whole,
    decoding_target,
    guessing_model,
    named_drafter,
    pair_names,
    set_threads,
)
from course_utils.commands.parser import Parser
from course_utils.decoding.clock import now
from course_utils.decoding.contracts import Drafter, LanguageModel, Round, Rule
from course_utils.decoding.detokenizer import StopStrings, stream_text
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import Metrics, emitted_tokens, summarise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.lengths import AdaptiveLength, Estimated
from course_utils.drafters.named import DRAFTERS, ON_THE_TARGET
from course_utils.files import check_new
from course_utils.measuring.costs import (
    LARGEST,
    best_prediction,
    measured_cost,
    predictions_for,
)
from course_utils.models.names import PAIRS
from course_utils.models.penalties import Penalties, penalised
from course_utils.proofs.trace import RunSettings, record_rounds

if TYPE_CHECKING:
    from course_utils.pairs import Pair

Streamed = Iterator[tuple[Round, list[str]]]  # a round, and the text of each of its tokens


def stream(rounds: Streamed, prompt: str) -> Streamed:
    """The same rounds, each passed on once its text is on stdout, after the prompt."""
    print(prompt, end="", flush=True)
    for r, texts in rounds:
        for text, kind in zip(texts, r.kinds, strict=True):
            print(_coloured(text, kind, sys.stdout), end="", flush=True)
        yield r, texts
    print()


def _coloured(text: str, kind: str, stream: TextIO) -> str:
    """In its colour where `stream` is a terminal, and NO_COLOR (no-color.org) is not set."""
    return ansi(text, kind) if stream.isatty() and not os.environ.get("NO_COLOR") else text


def print_summary(
    report: Mapping[str, object], rule: Rule, rounds: Sequence[Round], chat: str = ""
) -> None:
    """To stderr: which colour says what, the speed, why it stopped, how a chat was sampled, and
    the acceptance."""
    metrics: Metrics = summarise(rounds)
    used = [kind for kind in MEANINGS if any(kind in r.kinds for r in rounds)]
    legend = " · ".join(_coloured(MEANINGS[kind], kind, sys.stderr) for kind in used)
    lossy = "" if rule.lossless else ", a LOSSY rule: the text is not the target's"
    settings = f"{chat}\n" if chat else ""
    print(
        f"\n{legend}\n"
        f"{metrics.tokens} tokens from {metrics.target_forwards} target calls, "
        f"{report['tokens_per_second']:.0f} tokens/s, {report['dtype']}, "
        f"{report['threads']} threads, {rule.name}{lossy}, stopped by {metrics.stop_reason}\n"
        f"{settings}"
        f"{_chosen(report)}"
        f"{_acceptance(metrics)}",
        file=sys.stderr,
    )


def _chosen(report: Mapping[str, object]) -> str:
    """Which gamma was taken, and what for; nothing if it was given."""
    if report["choosing_seconds"] is None:
        return ""
    speedup = report["predicted_speedup"]
    if speedup is None:
        return f"gamma adapts, at most {report['gamma']}\n"
    promised = f"predicted {speedup:.2f}x decoding without a draft"
    if not report["gamma"]:
        promised = "no draft pays here, by prediction (as --drafter none)"
    return f"gamma {report['gamma']}, chosen in {report['choosing_seconds']:.1f} s: {promised}\n"


def _acceptance(m: Metrics) -> str:
    """The four numbers called "acceptance", and the estimator of alpha."""
    if not m.drafted:
        return "nothing was drafted"
    overlap = "" if m.overlap is None else f" · sum min(p, q) {m.overlap:.2f}"
    return (
        f"accepted {m.accepted}: {m.accepted_per_drafted:.2f} of drafted · "
        f"{m.accepted_per_examined:.2f} of examined{overlap} · "
        f"{m.accepted_per_emitted:.2f} of emitted · {m.tokens_per_round:.2f} tokens per round"
    )


AUTO, ADAPTIVE = "auto", "adaptive"  # for gamma


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    from course_utils.models.loading.folder import Advice
    from course_utils.pairs import load_pair

    _check(options)
    rule = asked_rule(options.rule, options.drafter)
    set_threads(options.threads, options.target or "tiny")
    target, draft = pair_names(options.target, options.draft, options.drafter)
    pair = load_pair(
        target, draft, dtype=options.dtype, device_map=options.device_map,
        form=options.form,
    )  # fmt: skip
    encode = asked_encoder(options, pair)
    advice = pair.advice if options.chat else Advice()
    sampling = asked_settings(options, advice.sampling)
    penalties = asked_settings(options, advice.penalties)
    if advice.not_followed:
        print(
            f"the target's makers also advise {', '.join(advice.not_followed)}: not followed",
            file=sys.stderr,
        )
    check_verifies(options.drafter, pair.target)
    model = guessing_model(options.drafter, pair, draft)
    prompt = encode(options.prompt)
    target = decoding_target(pair, model)
    if penalties != Penalties():
        target = penalised(target, penalties, len(prompt))
        if model is not None and options.named.guesses_with not in ON_THE_TARGET:
            model = penalised(model, penalties, len(prompt))
    choice = _choice(options, pair, target, model, sampling, prompt)
    rounds = _rounds(options, pair, target, choice, sampling, rule, prompt)
    start = now()
    shown = pair.decode(prompt) if options.chat else options.prompt
    done, text = [], ""
    for r, texts in rounds if options.json else stream(rounds, shown):
        done.append(r)
        text += "".join(texts)
    settings = asdict(sampling) | asdict(penalties)
    report = _report(pair, text, len(prompt), rule, settings, choice, done, now() - start)
    if options.json:
        print(json.dumps(report, allow_nan=False))
    else:
        said = chat_settings(pair, sampling, penalties) if options.chat else ""
        print_summary(report, rule, done, said)
    return 0


def _check(options: argparse.Namespace) -> None:
    """What can be known to be wrong before a model is loaded.

    Raises:
        ValueError: the prompt or a number.
        OSError: the trace cannot be written.
    """
    options.named = named_drafter(options.drafter)
    check_chat(options)
    check_prompt(options.prompt)
    if options.gamma not in (AUTO, ADAPTIVE):
        check_gamma(options.gamma)
    check_tree(options.drafter, options.tree, options.gamma == ADAPTIVE)
    check_whole("max_new_tokens", options.max_new_tokens, 1)
    check_seed(options.seed)
    StopStrings(options.stop)
    if options.stop and options.trace:
        raise ValueError("a trace holds no text, so no stop string: leave --stop or --trace out")
    if options.trace is not None:
        check_new(options.trace)


def _parser() -> Parser:
    parser = Parser("generate", __doc__, work="course_utils.pairs")
    parser.add_argument(
        "prompt",
        metavar="PROMPT",
        nargs="?",
        help="the text to continue, taken as it is, or with --chat what a user says; put -- before "
        "one that begins with a -",
    )
    parser.add_argument("--target", help=f"folder, hub id, or {' or '.join(PAIRS)} (default tiny)")
    parser.add_argument("--draft", help="folder or hub id of the draft model")
    parser.add_argument(
        "--drafter",
        default="model",
        help=f"{', '.join(DRAFTERS)}, or MODULE:NAME, called with (draft model)",
    )
    parser.add_argument(
        "--gamma",
        type=_gamma,
        default=AUTO,
        help='drafted tokens per round; "auto" (default) measures for about a second which pays '
        "most on this machine now (0: none does), and says which it took: give that number to get "
        'a text again; "adaptive" chooses before each round, from what became of those before: the '
        "distribution is the same, the sampled text need not be; of a tree the number of its "
        "nodes, by default all",
    )
    add_tree(parser)
    add_loading(parser)
    add_rule(parser)
    add_chat(parser)
    parser.add_argument("--max-new-tokens", type=int, default=128)
    parser.add_argument(
        "--stop",
        metavar="TEXT",
        action="append",
        default=[],
        help="the text ends before this, wherever tokens or rounds cut it; can be given again",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--trace", metavar="FILE.jsonl", help="write a line per round; never overwrites"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    return parser


def _gamma(text: str) -> int | str:
    try:
        return text if text in (AUTO, ADAPTIVE) else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a whole number nor {AUTO} nor {ADAPTIVE}"
        ) from None


@dataclass(frozen=True)
class Choice:
    """A drafter and a gamma, and where that was not given, what choosing took and promises."""

    drafter: Drafter | None
    gamma: int  # at most
    seconds: float | None = None
    predicted_speedup: float | None = None  # over decoding without a draft


def _choice(
    options: argparse.Namespace,
    pair: "Pair",
    target: LanguageModel,
    model: LanguageModel | None,
    sampling: Sampling,
    prompt: Sequence[int],
) -> Choice:
    """The gamma asked for, or the best by prediction, or one that adapts."""
    named = options.named
    drafter = named.make(model, **({"shape": options.tree} if options.tree else {}))
    if drafter is None:
        return Choice(None, 1)  # which nobody uses
    if options.gamma not in (AUTO, ADAPTIVE):
        return Choice(drafter, options.gamma)
    if named.nodes:
        return Choice(drafter, len(options.tree or ()) or named.nodes)
    start = now()
    of_the_target = named.guesses_with in ON_THE_TARGET
    timed = None if of_the_target else model  # else its passes are the target's
    if options.gamma == ADAPTIVE:
        policy = Estimated(measured_cost(target, timed), largest=LARGEST)
        drafter = AdaptiveLength(drafter, policy)
        return Choice(drafter, LARGEST, now() - start)
    predictions = predictions_for(
        target, timed, named.make(model), prompt, sampling, seed=options.seed,
    )  # fmt: skip
    best = best_prediction(predictions)
    used = drafter if best.gamma else None
    return Choice(used, best.gamma, now() - start, best.speedup)


def _rounds(
    options: argparse.Namespace,
    pair: "Pair",
    target: LanguageModel,
    choice: Choice,
    sampling: Sampling,
    rule: Rule,
    prompt: Sequence[int],
) -> Streamed:
    rounds = generate(
        target, prompt, choice.drafter, gamma=choice.gamma or 1, sampling=sampling, rule=rule,
        max_new_tokens=options.max_new_tokens, stop_tokens=pair.stop_tokens, seed=options.seed,
        rows=options.trace is not None,
    )  # fmt: skip
    if options.trace is not None:
        settings = RunSettings(
            options.seed, rule.name, sampling, options.drafter, choice.gamma, len(prompt),
            options.max_new_tokens, pair.stop_tokens, pair.target.context,
        )  # fmt: skip
        rounds = record_rounds(options.trace, rounds, settings)
    return stream_text(rounds, pair.decode, before=prompt, stop_strings=options.stop)


def _report(
    pair: "Pair",
    text: str,
    prompt_tokens: int,
    rule: Rule,
    settings: Mapping[str, float],
    choice: Choice,
    rounds: list[Round],
    seconds: float,
) -> dict[str, object]:
    import torch

    tokens, metrics = emitted_tokens(rounds), summarise(rounds)
    return {
        "text": text,
        "prompt_tokens": prompt_tokens,
        "tokens": tokens,
        "seconds": seconds,
        "tokens_per_second": len(tokens) / seconds,
        **{name: getattr(metrics, name) for name in _COUNTS},
        "gamma": choice.gamma,
        "choosing_seconds": choice.seconds,
        "predicted_speedup": choice.predicted_speedup,
        "sampling": settings,
        "rule": rule.name,
        "lossless": rule.lossless,
        "dtype": str(pair.target.dtype).removeprefix("torch."),
        "threads": torch.get_num_threads(),
        "stop_reason": metrics.stop_reason,
    }


_COUNTS = (
    "rounds",
    "target_forwards",
    "drafted",
    "accepted",
    "examined",
    "accepted_per_drafted",
    "accepted_per_examined",
    "tokens_per_round",
    "accepted_per_emitted",
    "overlap",
)
