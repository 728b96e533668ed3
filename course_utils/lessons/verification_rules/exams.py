"""What a rule does to pairs of small models: every path of the decoding loop, with its weight."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from course_utils.decoding import rules
from course_utils.decoding.contracts import Rows, Rule
from course_utils.drafters.candidates import Candidates
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, Exam, acceptance_shown, exam, tokens_per_round

Gains = dict[int, tuple[list[float], list[float]]]


def fraction(x: float) -> str:
    """0.1111 -> "1/9"."""
    return str(Fraction(x).limit_denominator(1000))


def accepted(e: Exam, rule: Rule) -> float:
    """Accepted tokens per round in expectation."""
    return sum(weight * r.accepted for weight, r in e.first_rounds(Decoder(rule)))


def accepted_whole(e: Exam, rule: Rule, draft: tuple[int, ...]) -> float:
    """Of the rounds that draft it, the share in which all of it is accepted."""
    drawn = [(w, r) for w, r in e.first_rounds(Decoder(rule)) if r.drafted == draft]
    return sum(w for w, r in drawn if r.accepted == len(draft)) / sum(w for w, _ in drawn)


def formula_beside_loop(
    e: Exam, p: Rows, q: Rows, drafts: Mapping[str, tuple[int, ...]], whole: Callable
) -> list[dict]:
    """A line a draft: how often token-wise and block accept all of it, `whole(p, q, draft)`.

    p (gamma + 1, V) and q (gamma, V) are the rows of every position of the exam.
    """
    lines = []
    for name, draft in drafts.items():
        places = range(len(draft))
        line = {"draft": name, "q(draft)": fraction(q[places, draft].prod())}
        line["p(draft)"] = fraction(p[places, draft].prod())
        for rule, chance in zip((rules.TOKEN_WISE, rules.BLOCK), whole(p, q, draft), strict=True):
            line[f"{rule.name}: formula"] = fraction(chance)
            line[f"{rule.name}: loop"] = fraction(accepted_whole(e, rule, draft))
        lines.append(line)
    return lines


def gains(sizes: Mapping[int, int], pairs: int, seed: int) -> Gains:
    """What block verification gains on random pairs, `sizes[gamma]` words each.

    The drafts go from one that knows nothing of the target to one that knows nearly all.

    Returns: {gamma: (accepted / examined by token-wise, gain in tokens as a share)}.
    """
    found = {}
    for gamma, size in sizes.items():
        both = []
        for s, agreement in enumerate(np.linspace(0, 0.9, pairs)):
            e = exam(size, agreement, seed + 2 * s, gamma=gamma)
            runs = e.first_rounds(Decoder(rules.TOKEN_WISE))
            after = tokens_per_round(e.first_rounds(Decoder(rules.BLOCK)))
            both.append((acceptance_shown(runs), after / tokens_per_round(runs) - 1))
        rates, gained = zip(*both, strict=True)
        found[gamma] = list(rates), list(gained)
    return found


def offering(draw: Callable) -> Decoder:
    """Several candidates for one position, drawn by `draw`, and the rule that fits."""
    return Decoder(rules.RECURSIVE_REJECTION, lambda model: Candidates(model, draw))


def accepted_among(p: Rows, q: Rows, ways: Mapping[str, Callable], counts: Sequence[int]) -> list:
    """A line for each number of candidates: the chance that one is accepted, by way of drawing."""
    lines = []
    for count in counts:
        e = Exam(TableModel(p), TableModel(q), gamma=count)
        line: dict[str, object] = {"candidates": count}
        for name, draw in ways.items():
            rounds = e.first_rounds(offering(draw))
            line[name] = round(sum(weight * r.accepted for weight, r in rounds), 4)
        lines.append(line)
    return lines


def first_word(p: Rows, q: Rows, rule: Rule) -> np.ndarray:
    """Mass of each word as the first of a round with one guess: accepted, corrected; (2, V)."""
    mass = np.zeros((2, len(p)))
    for weight, r in Exam(TableModel(p), TableModel(q), gamma=1).first_rounds(Decoder(rule)):
        mass[1 - r.accepted, r.emitted[0]] += weight
    return mass
