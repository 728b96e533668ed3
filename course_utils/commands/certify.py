"""Test whether a pair decodes losslessly: no defect found, lossy, or inconclusive.

Each check states the smallest fault that it detects.
"""

import argparse
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.table import text_table
from course_utils.commands.choices import (
    add_pair,
    add_rule,
    add_settings,
    pair_names,
    sampling_of,
    set_threads,
)
from course_utils.commands.program import Parser
from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.noise import Noise
from course_utils.decoding.proposal import check_model
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.whole_numbers import whole_number
from course_utils.drafters.registry import named_drafter
from course_utils.models.names import held_out_prompts
from course_utils.plugins import is_plugin, load_plugin
from course_utils.proofs.bugs import BUGS, SHAPE, TREE_BUGS, bug
from course_utils.proofs.certificate import INCONCLUSIVE, LOSSY, NO_DEFECT, Certificate
from course_utils.proofs.decoders import Decoder, Subject
from course_utils.proofs.exact_walk import FLOAT32
from course_utils.proofs.examination import certify
from course_utils.proofs.programs import Program
from course_utils.writing.request import rule_for, usual_drafter

if TYPE_CHECKING:
    from course_utils.writing.writing import Pair

STATUS = {NO_DEFECT: 0, LOSSY: 1, INCONCLUSIVE: 3}
MAX_SECONDS = 1800  # for the whole examination
PROMPTS_PER_KIND = 4
GAMMA = 4
SPECIMENS = (*BUGS, *TREE_BUGS)
SIGNATURE = (
    "target", "draft", "prompt", "gamma", "sampling", "max_new_tokens", "stop_tokens", "uniform",
)  # fmt: skip


def main(arguments: list[str]) -> int:
    """0 no defect found, 1 lossy, 3 inconclusive."""
    options = _parser().parse_args(arguments)
    from course_utils.writing.writing import decoding_target, guessing_model, load_pair

    if options.gamma is not None:
        whole_number("gamma", options.gamma, 1)  # before a minute of loading
    Noise(options.seed)  # refuses what is no seed
    whole_number("seconds", options.seconds, 1)
    set_threads(options.threads, options.target or "tiny")
    names = pair_names(options.target, options.draft, options.drafter)
    options.drafter = options.drafter or usual_drafter(names[1])
    decoder, usual_gamma = _decoder(options)
    if is_plugin(names[0]):
        if not (options.decoder or named_drafter(options.drafter).of_the_pair):
            raise ValueError(
                f"{options.drafter} needs the tokenizer of a pair: take lookup or model"
            )
        pair, prompts = _own_models(*names, options.seed)
    else:
        pair = load_pair(
            *names, dtype=options.dtype, device_map=options.device_map, form=options.form
        )
        texts = [x for kind in ("code", "prose") for x in held_out_prompts(kind)[:PROMPTS_PER_KIND]]
        prompts = [pair.encode(text) for text in texts]
    target, draft = pair.target, pair.draft
    if not options.decoder:
        draft = guessing_model(named_drafter(options.drafter), pair)
        target = decoding_target(pair, draft)
    filtered_settings = any(getattr(options, name) is not None for name in vars(Sampling()))
    settings = [sampling_of(options)] if filtered_settings else []
    certificate = certify(
        target, draft, decoder, prompts, options.gamma or usual_gamma, options.seed,
        pair.stop_tokens, settings, seconds=options.seconds,
    )  # fmt: skip
    print(as_text(certificate))
    return STATUS[certificate.verdict]


def _own_models(target: str, draft: str | None, seed: int) -> tuple["Pair", list[list[int]]]:
    """Return a pair of your own models, which has no tokenizer, and prompts of random tokens."""
    from course_utils.writing.writing import Pair

    pair = Pair(_own_model(target), None if draft is None else _own_model(draft), None, ())
    vocabulary_size, length = pair.target.vocabulary_size, min(32, pair.target.context // 4)
    rng = np.random.default_rng(seed)
    prompts = rng.integers(vocabulary_size, size=(2 * PROMPTS_PER_KIND, length))
    return pair, prompts.tolist()


def _own_model(name: str) -> LanguageModel:
    """Return your own LanguageModel: the object MODULE:NAME or FILE.py:NAME, or what it returns."""
    model = load_plugin("model", name)
    if callable(model) and (isinstance(model, type) or not hasattr(model, "start")):
        model = model()
    check_model(model, name)
    return model


def _decoder(options: argparse.Namespace) -> tuple[Subject, int]:
    """Return the decoder to examine and the default γ, for a tree the number of its nodes.

    Raises:
        ValueError: there is no such bug, rule, drafter or file.
    """
    if options.decoder:
        if not is_plugin(options.decoder):
            raise ValueError(
                f"decoder is {options.decoder!r}; give MODULE:NAME or FILE:NAME, such as "
                "my_lessons/my_decoder.py:speculate"
            )
        return Program(load_plugin("decoder", options.decoder, *SIGNATURE)), GAMMA
    if options.bug is not None:
        specimen = bug(options.bug, SPECIMENS)
        return specimen.decoder, len(SHAPE) if specimen in TREE_BUGS else GAMMA
    choice = named_drafter(options.drafter)
    return Decoder(rule_for(choice, options.rule), choice.make), choice.nodes or GAMMA


def as_text(certificate: Certificate) -> str:
    """Return the certificate as one page, the verdict last."""
    lines = [("check", "figure", "at most", "")]
    for check in certificate.checks:
        outcome = "ok  " if check.passed else "FAILED  "
        sees = f"sees {check.sees}" if check.passed and check.sees else ""
        figures = f"{check.figure:.3g}", f"{check.threshold:.3g}"
        lines.append((check.name, *figures, outcome + (check.detail or sees)))
    rows = [text_table(lines, left=(0, 3))]
    rows += [f"not run: {reason}" for reason in certificate.not_run]
    verdict = f"verdict: {_verdict(certificate)} ({certificate.seconds:.0f} s)"
    examined = certificate.examined and f"examined: {certificate.examined}"
    return "\n".join([*rows, "", *filter(None, [examined, verdict])])


def _verdict(certificate: Certificate) -> str:
    if certificate.verdict == NO_DEFECT:
        beyond = f" beyond {FLOAT32}" * any(FLOAT32 in c.detail for c in certificate.checks)
        power = ", ".join(certificate.power)
        return f"{NO_DEFECT}{beyond}" + (power and f"; 99 times in 100 it would have seen {power}")
    failed = [check for check in certificate.checks if not check.passed]
    reasons = [f"{check.name}, {check.detail}".removesuffix(", ") for check in failed]
    reasons += [f"not run: {reason}" for reason in certificate.not_run]
    more = f" and {len(reasons) - 1} more" * (len(reasons) > 1)
    passed = "no check failed, but " * (certificate.verdict == INCONCLUSIVE)
    return f"{certificate.verdict.upper()}: {passed}{reasons[0]}{more}"


def _parser() -> Parser:
    parser = Parser("certify", __doc__, work="course_utils.writing.writing")
    add_pair(parser)
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--decoder",
        metavar="FILE:NAME",
        help=f"your own decoder, speculate({', '.join(SIGNATURE)}): "
        "my_lessons/my_decoder.py:speculate",
    )
    add_rule(group)
    specimens = f"a specimen of the bug zoo: {'; '.join(b.name for b in SPECIMENS)}"
    group.add_argument("--bug", metavar="NAME", help=specimens)
    gamma = "drafted tokens per round (default: 4; for a tree all its nodes)"
    parser.add_argument("--gamma", type=int, help=gamma)
    add_settings(parser, "(examined in addition to the course's settings)")
    seed = "seed of the texts and of the random places (default 0)"
    parser.add_argument("--seed", type=int, default=0, help=seed)
    seconds = "start no further check after this time (default: %(default)s)"
    parser.add_argument("--seconds", type=int, default=MAX_SECONDS, help=seconds)
    return parser
