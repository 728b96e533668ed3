"""Generated texts in which every token shows how probable it was that its guess was accepted.

`heat_map_data` is pure; `heat_map` makes the scene of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.stepper import by_uniforms, guesses
from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round
from course_utils.decoding.metrics import summarise

Run = tuple[Sequence[Round], str]  # its rounds, and the prompt as text


def heat_map_data(texts: Mapping[str, Run], decode: Decode) -> dict[str, Any]:
    """What the scene draws, for JSON.

    Raises:
        ValueError: no text, or one without rounds or with a drafted tree.
    """
    if not texts:
        raise ValueError('no text: give some, {"code": (list(generate(...)), prompt), ...}')
    return {"texts": [_text(name, *run, decode) for name, run in texts.items()]}


def heat_map(texts: Mapping[str, Run], decode: Decode) -> Scene:
    """The texts side by side, coloured when asked for, each with its sums.

    Args:
        texts: by name, the rounds of a run and the prompt that it continues.
        decode: from tokens to text.

    Raises:
        ValueError: as `heat_map_data`.
    """
    data = heat_map_data(texts, decode)
    sums = "; ".join(f"{one['name']}: {one['per_round']:.2f}" for one in data["texts"])
    return Scene("heat_map", data, f"Texts as a heat map of acceptance. Tokens per round: {sums}.")


def _text(name: str, rounds: Sequence[Round], prompt: str, decode: Decode) -> dict[str, Any]:
    rounds = list(rounds)
    if not rounds or any(r.parents for r in rounds):
        raise ValueError(f"{name}: give the rounds of a run, list(generate(...)), without a tree")
    metrics = summarise(rounds)
    texts = iter(pieces([token for r in rounds for token in r.emitted], decode))
    return {
        "name": name,
        "prompt": prompt,
        "tokens": [token for r in rounds for token in _tokens(r, texts, decode)],
        "uniforms": by_uniforms(rounds),
        "most": max(len(r.drafted) for r in rounds) + 1,  # tokens that a round can bring
        "per_round": metrics.tokens / metrics.rounds,
        "rounds": metrics.rounds,
        "accepted": metrics.accepted,
        "examined": metrics.examined,
    }


def _tokens(r: Round, texts: Any, decode: Decode) -> list[dict[str, Any]]:
    """The round's emitted tokens; a correction names the guess that it replaces."""
    drafted, found = guesses(r, decode), []
    for i, (token, kind) in enumerate(zip(r.emitted, r.kinds, strict=True)):
        one = {"text": next(texts), "kind": kind, "round": r.index + 1, "own": float(r.p[i, token])}
        if kind in ("accepted", "correction"):
            guess = drafted[i]
            share = min(1.0, guess.p / guess.q)  # q > 0: the guess was drawn from it
            one |= {"guess": guess.text, "p": guess.p, "q": guess.q, "u": guess.uniform}
            one["share"] = share
        found.append(one)
    return found
