"""`generate --reuse FILE`: the text of an earlier run, from its trace, as the draft."""

from pathlib import Path

import torch

from course_utils.decoding.contracts import Rule
from course_utils.decoding.rules import BLOCK, rule_named
from course_utils.drafters.rollout import Rollout
from course_utils.proofs.audit import audit_lines
from course_utils.proofs.trace_reader import lines_of, read_line


def old_text(path: str, seed: int) -> Rollout:
    """The text that a run wrote to its trace, with the rows that its tokens follow.

    Raises:
        OSError: the file cannot be read.
        ValueError: an audit finds something wrong with the trace, the run's rule was lossy or its
            drafts trees, or its seed was not below this one.
    """
    for finding in audit_lines(lines_of(Path(path))).findings:
        raise ValueError(f"an audit of {path} finds in round {finding.round}: {finding.reason}")
    lines = [read_line(line) for line in lines_of(Path(path))]
    old = Rollout.of(line.round for line in lines)
    setting = lines[0].setting
    if not rule_named(setting.rule).lossless:
        raise ValueError(
            f"the text in {path} was written by a lossy rule, {setting.rule}: its tokens are no "
            "draws from the target's rows"
        )
    if seed <= setting.seed:  # it may hold tokens of a text before it, which had a lower one
        raise ValueError(
            f"the text in {path} was drawn with seed {setting.seed}: the numbers that drew a token "
            "cannot judge it; give a higher --seed"
        )
    if lines[0].library == "torch":
        return Rollout(old.prompt, old.tokens, torch.from_numpy(old.q))
    return old


def check_reuse(old: Rollout, prompt: int, vocabulary: int, rule: Rule) -> None:
    """Does the old text fit this run?

    Args:
        prompt: tokens of the new text's prompt.

    Raises:
        ValueError: it does not, and what to do.
    """
    if old.prompt != prompt:
        raise ValueError(
            f"the old text follows a prompt of {old.prompt} tokens, this one has {prompt}: give "
            "the prompt of the trace"
        )
    if old.q.shape[-1] != vocabulary:
        raise ValueError(
            f"the old text is of a model with {old.q.shape[-1]} tokens, this one knows "
            f"{vocabulary}: an old text is judged by the model that it was trained into"
        )
    if rule is BLOCK:
        raise ValueError(
            "block verification looks at all guesses, so what it leaves of an old text is no draw "
            "from its rows any more: leave --rule out"
        )
