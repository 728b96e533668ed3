"""What a batch would cost on a large GPU, at best: weights from memory, products computed."""

from course_utils.classroom.memory_examples import ON_AN_H200, Example, parameters
from course_utils.decoding.batch_theory import Cost
from course_utils.decoding.roofline import pass_time, turning_point


def h200() -> tuple[Cost, Cost, float]:
    """c and v in passes of the target over one token, and the tokens at which v bends.

    Of Qwen3-4B and Qwen3-0.6B; their caches are not read, and the host takes no time.
    """
    return costs(ON_AN_H200)


def costs(machine: Example) -> tuple[Cost, Cost, float]:
    """The same of any example whose bandwidth, operations and draft are known."""
    speeds = machine.bandwidth, machine.operations

    def seconds(model, tokens: int) -> float:
        return pass_time(model.size, speeds[0], parameters(model.shape), tokens, speeds[1])

    one = seconds(machine.target, 1)
    bend = turning_point(
        machine.target.size, speeds[0], parameters(machine.target.shape), speeds[1]
    )
    return (
        lambda rows: seconds(machine.draft, rows) / one,
        lambda tokens: seconds(machine.target, tokens) / one,
        bend,
    )
