"""Replay a recorded run: does every decision follow from the recorded p, q and uniforms?

What it cannot see: p and q themselves. Rows of p or q that were changed without
changing a decision, a row forged together with the token that it gives, a model
that computed wrong rows, a guess that was withheld and counts of a cache all pass. Whether the rows
are the models' own is for `certify`, which has the models.

Exit status: 0, all agree; 1, something does not; 2, the file cannot be read.
"""

import json
from dataclasses import asdict
from pathlib import Path

from course_utils.commands.program import Parser
from course_utils.proofs.audit import Audit, audit


def main(arguments: list[str]) -> int:
    parser = Parser("audit", __doc__)
    parser.add_argument("trace", metavar="FILE.jsonl", type=Path, help="from generate --trace")
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    options = parser.parse_args(arguments)
    done = audit(options.trace)
    if options.json:
        report = {"verdict": "faulty" if done.findings else "agrees", **asdict(done)}
        print(json.dumps(report, allow_nan=False))
    else:
        print(as_text(done))
    return 1 if done.findings else 0


def as_text(done: Audit) -> str:
    """The verdict, after one line for each finding.

    >>> as_text(Audit(rounds=2, decisions=9, findings=[]))
    '2 rounds, 9 decisions replayed: all agree'
    """
    lines = [f"round {finding.round}: {finding.reason}" for finding in done.findings]
    verdict = f"{len(lines)} found wrong" if lines else "all agree"
    return "\n".join(
        [*lines, f"{done.rounds} rounds, {done.decisions} decisions replayed: {verdict}"]
    )
