"""Which load a server can carry while nobody waits too long for a token.

Requests arrive at a steady rate and each wants so many tokens.  The server works on the fewest
rows that keep up; a row's time per token grows with them, and goodput counts the requests per
second that are answered within the limit.  A server that is asked for more takes no more rows
than the limit allows: the others wait outside, and goodput stays where it is.

Left out: the time to the first token, for which whoever waits outside pays; and chance, for
requests that come at random wait earlier than steady ones.
"""

from dataclasses import dataclass

from course_utils.decoding.theory import expected_tokens
from course_utils.engines.calculator import Costs, seconds_per_token, tokens_per_second


@dataclass(frozen=True)
class Capacity:
    """The most that is served within the limit; nothing, if one row alone is too slow."""

    rows: int
    tokens_per_second: float


def capacity(costs: Costs, alpha: float, k: int, limit: float) -> Capacity:
    """Over all batches whose time per token is at most `limit` seconds.

    Raises:
        ValueError: a limit that is not above 0.
    """
    if not limit > 0:
        raise ValueError(f"limit is {limit}; give the seconds that a token may take")
    tokens, most = expected_tokens(alpha, k), Capacity(0, 0.0)
    for rows in range(1, costs.most_rows + 1):
        if seconds_per_token(costs, rows, k, tokens) <= limit:
            speed = tokens_per_second(costs, rows, k, tokens)
            most = max(most, Capacity(rows, speed), key=lambda found: found.tokens_per_second)
    return most
