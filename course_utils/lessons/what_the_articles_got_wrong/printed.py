"""Parts of article 003's programs restated, each with the line that is judged, to be run on tables.

p(text) and q(text) are the rows after a text, as in `specimens`; nothing is drawn.
"""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from course_utils.lessons.what_the_articles_got_wrong.specimens import Row


def accepted_guesses(p: Row, q: Row, text: Sequence[int], gamma: int) -> Iterator[int]:
    """Likeliest guesses, as long as p >= q."""
    text = list(text)
    for _ in range(gamma):
        guess = int(q(text).argmax())
        if p(text)[guess] < q(text)[guess]:
            return
        text.append(guess)
        yield guess


def first_loop(p: Row, q: Row, prompt: Sequence[int], gamma: int, length: int) -> Tensor:
    """Prompt and new tokens, (1, n), of a batch of one.

    Raises:
        IndexError: a guess was accepted; each is a number per row, (1,).
    """
    text = torch.tensor([list(prompt)])
    while text.shape[1] < len(prompt) + length:
        accepted = [
            torch.tensor([guess]) for guess in accepted_guesses(p, q, text[0].tolist(), gamma)
        ]
        new = torch.cat(accepted, dim=1) if accepted else torch.empty(1, 0, dtype=torch.long)
        text = torch.cat([text, new[:, : len(accepted) + 1]], dim=1)
        if len(accepted) < len(text):  # the length of (1, n) is 1
            break
    return text


def second_loop(p: Row, q: Row, prompt: Sequence[int], gamma: int, length: int) -> list[int]:
    """New tokens: with the likeliest as a bonus after a whole draft, with no correction."""
    text = list(prompt)
    while len(text) < len(prompt) + length:
        accepted = list(accepted_guesses(p, q, text, gamma))
        text += accepted
        if len(accepted) == gamma:
            text.append(int(p(text).argmax()))
        if not accepted:
            break
    return text[len(prompt) :]


def drafted_on_a_cache(input_tokens: Sequence[int]) -> Sequence[int]:
    """The first line of its drafting.

    Raises:
        NameError: always.
    """
    return input_tensor  # noqa: F821


class ChosenByLength:
    """Its adaptive draft, of three: it notes rates, and chooses."""

    def __init__(self):
        self.rates = [0.0, 0.0, 0.0]

    def note(self, draft: int, rate: float) -> None:
        self.rates[draft] = 0.9 * self.rates[draft] + 0.1 * rate

    def choose(self, length: int) -> int:
        """Of a text of `length` tokens: 0 is the smallest draft."""
        return 0 if length < 100 else 1 if length < 500 else 2
