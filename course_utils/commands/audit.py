"""Replay a recorded run: does every decision follow from the recorded p, q and uniforms?

It takes p and q as recorded. So it misses rows changed without changing a decision, a row
forged together with its token, a model that computed wrong rows, a withheld guess and wrong
counts of a cache. Use `certify`, which has the models, to check the rows themselves.
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
