"""Certify that a pair decodes without loss, or show where it does not.

Exit status: 0, lossless; 1, lossy; 3, inconclusive; 2, something in the call was wrong.
"""

import argparse
import json
from dataclasses import asdict, replace

from course_utils.commands.choices import (
    DRAFTERS,
    drafter_factory,
    pair_names,
    set_threads,
)
from course_utils.decoding.rules import RULES, TOKEN_WISE, rule_named, slug
from course_utils.models.pairs import PAIRS, VocabularyMismatch, load_pair
from course_utils.models.prompts import held_out_prompts
from course_utils.proofs.bugs import BUGS, bug
from course_utils.proofs.certificate import Certificate, certify
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.promises import Finding

STATUS = {"lossless": 0, "lossy": 1, "inconclusive": 3}
PROMPTS_OF_A_KIND = 6


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    set_threads(options.threads)
    target, draft = pair_names(options.target, options.draft, options.drafter)
    decoder = _decoder(options)
    try:
        pair = load_pair(target, draft, dtype=options.dtype, device_map=options.device_map)
    except VocabularyMismatch as error:
        certificate = _of_nothing(str(error))
    else:
        prompts = [
            pair.encode(text)
            for kind in ("code", "prose")
            for text in held_out_prompts(kind)[:PROMPTS_OF_A_KIND]
        ]
        certificate = certify(
            pair.target, pair.draft, decoder, prompts, gamma=options.gamma, seed=options.seed
        )
        same = Finding("vocabularies that differ", True, 0, 0)  # or load_pair had refused
        certificate = replace(certificate, checks=(same, *certificate.checks))
    if options.json:
        print(json.dumps(asdict(certificate), allow_nan=False))
    else:
        print(as_text(certificate))
    return STATUS[certificate.verdict]


def as_text(certificate: Certificate) -> str:
    """The certificate as one page."""
    lines = [f"{'check':<48}{'figure':>10}{'at most':>10}"]
    for check in certificate.checks:
        figures = f"{check.figure:>10.3g}{check.threshold:>10.3g}"
        lines.append(f"{check.name:<48}{figures}  {'ok' if check.passed else 'FAILED'}")
    lines += [f"not run: {reason}" for reason in certificate.not_run]
    if certificate.drift_seen is not None:
        lines.append(
            f"\nPower: in the {certificate.tokens} sampled tokens a drift of TV >= "
            f"{certificate.drift_seen:.3f} towards the draft would be seen 99 times in 100; each "
            "chi-square cries wolf once in a million."
        )
    if certificate.ties:
        lines.append(f"{certificate.ties} greedy texts differ by a numerical tie, and by no more.")
    return "\n".join(
        [*lines, f"\nverdict: {certificate.verdict.upper()} ({certificate.seconds:.0f} s)"]
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m course_utils certify", description=__doc__)
    parser.add_argument("--target", help=f"folder, hub id, or {' or '.join(PAIRS)} (default tiny)")
    parser.add_argument("--draft", help="folder or hub id of the draft model")
    parser.add_argument(
        "--drafter",
        default="model",
        help=f"{', '.join(DRAFTERS)}, or MODULE:NAME, called with (draft model, sampling)",
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--rule", default=slug(TOKEN_WISE), help=f"one of {', '.join(map(slug, RULES))}"
    )
    group.add_argument(
        "--bug",
        metavar="NAME",
        help=f"a specimen of the bug zoo: {'; '.join(b.name for b in BUGS)}",
    )
    parser.add_argument("--gamma", type=int, default=4, help="drafted tokens a round")
    parser.add_argument("--dtype", default="auto", choices=("auto", "float32", "bfloat16"))
    parser.add_argument("--device-map", help='"auto": let accelerate place the models')
    parser.add_argument("--threads", type=int, help="CPU threads (default: torch's)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    return parser


def _decoder(options: argparse.Namespace) -> Decoder:
    """What is to be certified.

    Raises:
        ValueError: no such bug, rule or drafter; a bug that needs trees.
    """
    if options.bug is None:
        return Decoder(rule_named(options.rule, RULES), drafter_factory(options.drafter))
    if bug(options.bug).decoder.draws_candidates:
        raise ValueError(f"{options.bug} drafts several candidates, which runs on tables only")
    return bug(options.bug).decoder


def _of_nothing(reason: str) -> Certificate:
    """Models without a common vocabulary cannot be decoded, so nothing can be said."""
    differ = Finding("vocabularies that differ", False, 1, 0)
    return Certificate("inconclusive", (differ,), (reason,), None, 0, 0, 0.0)
