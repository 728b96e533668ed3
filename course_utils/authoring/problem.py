"""What the gate finds."""

from dataclasses import dataclass

FIX = "run `make fix`"
RUN = "run `make notebooks`"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a lesson, and what to do about it."""

    what: str
    to_do: str
    cell: int | None = None  # its index, from 0; None: the lesson as a whole

    @property
    def repairable(self) -> bool:
        """`make fix` does it."""
        return self.to_do == FIX

    def __str__(self) -> str:
        """'cells[3]: 24 lines; a slide holds 20: split it'"""
        place = "" if self.cell is None else f"cells[{self.cell}]: "
        return f"{place}{self.what}: {self.to_do}"
