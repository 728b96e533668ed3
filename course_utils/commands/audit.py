"""Replay a recorded run: does every decision follow from the recorded p, q and uniforms?

What it cannot see: p and q themselves. Rows of p or q that were changed without
changing a decision, a row forged together with the token that it gives, a model
that computed wrong rows, a guess that was withheld and counts of a cache all pass. Whether the rows
are the models' own is for `certify`, which has the models.

Exit status: 0, all agree; 1, something does not; 2, the file cannot be read.
"""

from pathlib import Path

from course_utils.commands.program import Parser
from course_utils.proofs.audit import audit


def main(arguments: list[str]) -> int:
    parser = Parser("audit", __doc__)
    parser.add_argument("trace", metavar="FILE.jsonl", type=Path, help="from generate --trace")
    report = audit(parser.parse_args(arguments).trace)
    for finding in report.findings:
        print(f"round {finding.round}: {finding.reason}")
    verdict = f"{len(report.findings)} found wrong" if report.findings else "all agree"
    print(f"{report.rounds} rounds, {report.decisions} decisions replayed: {verdict}")
    return 1 if report.findings else 0
