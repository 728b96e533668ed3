"""Quiz on a draft made of the target: int8 with several rows."""

from course_utils.classroom.question import Choice, Question

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
