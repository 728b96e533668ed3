"""Quiz on drafts that are made of the target: a wrong cache, and int8 with several rows."""

from course_utils.classroom.question import Choice, Question

WRONG_CACHE = Question(
    "wrong_cache",
    "A programmer lets the early exit write one place too far to the right in the shared cache. "
    "The target's next pass overwrites all that the exit has written. How is it noticed?",
    (
        Choice(
            "The greedy text changes.",
            "The target reads only what it has written itself. Whatever the draft guesses, a "
            "rejected guess is replaced by the target's own token.",
        ),
        Choice(
            "A chi-square test on samples finds another distribution.",
            "The guesses are still drawn from the q they are judged by. That is all the rule "
            "needs, so the distribution is the target's to the last digit.",
        ),
        Choice(
            "With all layers as the draft, not everything is accepted.",
            "With all layers and a right cache q = p, and every guess is accepted. A wrong cache "
            "gives another q. Only acceptance can show a draft's faults.",
            right=True,
        ),
        Choice(
            "The memory needed grows.",
            "It writes to other places of the same cache, which was allocated at once.",
        ),
    ),
)

INT8_ROWS = Question(
    "int8_rows",
    "Weights in int8 are a quarter of the bytes of float32. Why does an int8 product that is four "
    "times as fast for one row not verify five tokens four times as fast?",
    (
        Choice(
            "Because five rows read five times as many weights.",
            "All rows of a pass share one reading of the weights; that is why verifying is cheap "
            "at all.",
        ),
        Choice(
            "Because one row waits for the weights, and with more rows it is the calculating that "
            "takes the time, the way back from int8 included.",
            "Fewer bytes help only where bytes are what one waits for. Each further row adds "
            "calculation and no bytes.",
            right=True,
        ),
        Choice(
            "Because the rounding errors of five rows add up.",
            "Each row has its own error. It moves the acceptance a little, never the time.",
        ),
        Choice(
            "Because the rejected tokens are calculated in vain.",
            "They are in every format, at the same share.",
        ),
    ),
)
