"""Test whether a pair decodes losslessly: no defect found, lossy, or inconclusive.

Each check states the smallest fault that it detects.  Exit status: 0, no defect found;
1, lossy; 3, inconclusive; 2, something in the call was wrong.
"""

import argparse

from course_utils.classroom.table import text_table
from course_utils.commands.choices import (
    add_pair,
    add_rule,
    add_settings,
    check_seed,
    check_whole,
    pair_names,
    sampling_of,
    set_threads,
)
from course_utils.commands.program import Parser
from course_utils.decoding.sampling import Sampling
from course_utils.models.names import held_out_prompts
from course_utils.proofs.bugs import BUGS, SHAPE, TREE_BUGS, bug
from course_utils.proofs.certificate import INCONCLUSIVE, LOSSY, NO_DEFECT, Certificate
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.exact_walk import FLOAT32
from course_utils.proofs.examination import certify
from course_utils.proofs.programs import Program
from course_utils.writing import (
    decoding_target,
    guessing_model,
    load_plugin,
    named_drafter,
    rule_for,
    usual_drafter,
)

STATUS = {NO_DEFECT: 0, LOSSY: 1, INCONCLUSIVE: 3}
MAX_SECONDS = 1800  # for the whole examination
PROMPTS_PER_KIND = 4
GAMMA = 4
SPECIMENS = (*BUGS, *TREE_BUGS)


def main(arguments: list[str]) -> int:
    """0 no defect found, 1 lossy, 3 inconclusive."""
    options = _parser().parse_args(arguments)
    from course_utils.pairs import load_pair

    if options.gamma is not None:
        check_whole("gamma", options.gamma, 1)  # before a minute of loading
    check_seed(options.seed)
    check_whole("seconds", options.seconds, 1)
    set_threads(options.threads, options.target or "tiny")
    names = pair_names(options.target, options.draft, options.drafter)
    options.drafter = options.drafter or usual_drafter(names[1])
    decoder, usual_gamma = _decoder(options)
    pair = load_pair(*names, dtype=options.dtype, device_map=options.device_map, form=options.form)
    target, draft = pair.target, pair.draft
    if not options.decoder:
        draft = guessing_model(named_drafter(options.drafter), pair)
        target = decoding_target(pair, draft)
    texts = [x for kind in ("code", "prose") for x in held_out_prompts(kind)[:PROMPTS_PER_KIND]]
    filtered_settings = any(getattr(options, name) is not None for name in vars(Sampling()))
    certificate = certify(
        target, draft, decoder, [pair.encode(text) for text in texts],
        options.gamma or usual_gamma, options.seed, pair.stop_tokens,
        [sampling_of(options)] if filtered_settings else [], seconds=options.seconds,
    )  # fmt: skip
    print(as_text(certificate))
    return STATUS[certificate.verdict]


def _decoder(options: argparse.Namespace) -> tuple[Decoder | Program, int]:
    """Return the decoder to examine and the default γ, for a tree the number of its nodes.

    Raises:
        ValueError: there is no such bug, rule, drafter or file.
    """
    if options.decoder:
        if not all(options.decoder.partition(":")):
            raise ValueError(
                f"decoder is {options.decoder!r}; give MODULE:NAME or FILE:NAME, such as "
                "my_lessons/my_decoder.py:speculate"
            )
        return load_plugin("decoder", options.decoder, "(target, draft, prompt, ...)"), GAMMA
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
    parser = Parser("certify", __doc__, work="course_utils.pairs")
    add_pair(parser)
    group = parser.add_mutually_exclusive_group()
    signature = "target, draft, prompt, gamma, sampling, max_new_tokens, stop_tokens, uniform"
    group.add_argument(
        "--decoder",
        metavar="FILE:NAME",
        help=f"your own decoder, speculate({signature}): my_lessons/my_decoder.py:speculate",
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
