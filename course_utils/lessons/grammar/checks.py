"""Checks of this elective: an automaton, a round under a grammar, and the gain from a mask."""

from collections.abc import Callable

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.trial import rule_of
from course_utils.decoding.contracts import Rule
from course_utils.decoding.rules import token_wise
from course_utils.lessons.grammar.zoo import MATCHER, grammar_exam, masked_draft, number_list
from course_utils.models.logits_processor import BEGIN, END, Matcher
from course_utils.proofs.decoders import CORRECT, Decoder, distribution_of
from course_utils.proofs.enumeration import distribution_distance, outcomes
from course_utils.refused import returned
from course_utils.theory.speedup import expected_tokens

LISTS = ("[]", "[7]", "[0,10]", "[12,345,6]")
NO_LISTS = ("[1,]", "[,1]", "[1,,2]", "[01]", "[1 ]", "[-1]", "[1]]", "]", "[[1]]", "[¹]", "[12")


def _outcome(attempt: Callable, text: str) -> object:
    state = BEGIN
    if attempt(BEGIN, "[") in (None, ...):
        return None
    for at, character in enumerate(text):
        state = attempt(state, character)
        if state is None:
            return at, False
    return len(text), state == END


check_number_list = Exercise(
    "number_list",
    cases=[(text,) for text in (*LISTS, *NO_LISTS)],
    solution=number_list,
    mistakes={
        "You allow `[1,]`, which is not JSON. After a comma only a digit may follow; after `[` "
        "also `]`.": 'state == "first" and character → state in ("first", "next") and character',
        "You allow `[01]`, which is not JSON: a number may not have a leading zero. Give zero its "
        "own state.": '"zero" if character == "0" else "number" → "number"',
        "You allow only one digit. After a digit another may "
        "follow.": '    if state == "number" and digit:\n        return "number"\n → ',
        "You reject `[]`. The empty list is a list, "
        "too.": '    if state == "first" and character == "]":\n        return "end"\n → ',
        "`character.isdigit()` is also true for ¹ and other scripts. "
        "JSON has ten digits.": 'character in "0123456789" → character.isdigit()',
        'Nothing may follow the last `]`: in "end" return None for every '
        "character.": '    return None\n →     return "end" if state == "end" else None\n',
    },
    call=_outcome,
    parts=("allowed characters", "complete list"),
    insight="It rejects the first character that no list can have there. A mask needs no more.",
)  # fmt: skip


def masked_round(p, q, guesses, uniforms, at):
    """p (n + 1, vocabulary), unmasked; q, n guesses, n + 1 uniforms, a matcher
    -> (number of accepted guesses, the token after them, the next matcher)"""
    ahead, rows = at, []
    for i, row in enumerate(p):
        masked = row * ahead.allowed()
        rows.append(masked / masked.sum() if masked.any() else row)
        if i < len(guesses):
            ahead = ahead.after(guesses[i])
    verdict = token_wise(np.stack(rows), q, guesses, uniforms)
    for token in [*guesses[: verdict.accepted], verdict.token]:
        at = at.after(token)
    return verdict.accepted, verdict.token, at


def as_rule(one_round: Callable, at: Matcher) -> Rule:
    """Wrap a round as a rule of the course's loop, for one text: it stores the text's matcher."""

    def verify(p, q, drafted, uniforms):
        nonlocal at
        accepted, token, at = returned(one_round(p, q, list(drafted), list(uniforms), at))
        return accepted, token

    return rule_of(verify)


TEXTS = grammar_exam()
DRAFTERS = {"a free draft": CORRECT.drafter, "a masked draft": masked_draft}


def _distance(attempt: Callable, draft: str) -> object:
    """Return the distance of this round's texts from the masked target's, over every path."""
    at = MATCHER.after(TEXTS.prompt[0])

    def run(noise):  # a new rule for each text, because it stores the text's matcher
        decoder = Decoder(as_rule(attempt, at), DRAFTERS[draft], target=lambda truth: truth.model)
        return list(TEXTS.rounds(decoder, noise=lambda _: noise))

    return round(distribution_distance(distribution_of(outcomes(run)), TEXTS.truth()), 9)


ROW = "masked / masked.sum() if masked.any() else row"
LOOKS_AHEAD = "            ahead = ahead.after(guesses[i])\n"
check_masked_round = Exercise(
    "masked_round",
    cases=[(draft,) for draft in DRAFTERS],
    solution=masked_round,
    mistakes={
        "You mask every row with what may follow the text. Each guess advances the grammar: use "
        "`ahead = ahead.after(guess)`.": f"        if i < len(guesses):\n{LOOKS_AHEAD} → ",
        "You mask q as well. The guesses were drawn from the original q: "
        "pass that to the "
        "rule.": "ahead, rows = at, [] → ahead, rows, q = at, [], q.copy(); "
        f"{LOOKS_AHEAD} →             q[i] *= ahead.allowed()\n"
        "            q[i] /= q[i].sum() if q[i].any() else 1\n"
        f"{LOOKS_AHEAD}",
        "The bonus comes from an unmasked row. Mask all n + 1 rows, "
        "including the last.": f"{ROW} → "
        f"{ROW.replace(' if masked.any()', ' if i < len(guesses) and masked.any()')}",
        "You advance the grammar along rejected guesses. Advance `at` along the accepted guesses "
        "and the token after them "
        "only.": "[*guesses[: verdict.accepted], verdict.token] → [*guesses, verdict.token]",
        "You do not advance `at` along the token after the accepted guesses. It is emitted "
        "too.": "[*guesses[: verdict.accepted], verdict.token] → guesses[: verdict.accepted]",
        "You mask p but do not renormalise it. Divide each row by its sum, or p/q and the residual "
        "are wrong.": f"{ROW} → masked if masked.any() else row",
    },
    call=_distance,
    describe_case=lambda draft: f"{draft}, the distance of the texts from the masked target's:",
    insight="The text has the masked target's distribution, whatever the draft guesses.",
)  # fmt: skip


def free_or_masked(p, q, allowed, gamma):
    """p, q, allowed (n, vocabulary): unmasked rows along texts, and the masks
    -> tokens per round with (the free draft, the masked draft)"""
    target, draft = p * allowed, q * allowed
    target = target / target.sum(-1, keepdims=True)
    draft = draft / draft.sum(-1, keepdims=True)
    free, masked = (np.minimum(target, guess).sum(-1).mean() for guess in (q, draft))
    return expected_tokens(free, gamma), expected_tokens(masked, gamma)


def _rows(seed: int, n: int, size: int, gamma: int) -> tuple:
    rng = np.random.default_rng(seed)
    p, q = (rng.dirichlet(np.full(size, 0.4), n) for _ in range(2))
    allowed = rng.random((n, size)) < 0.4
    allowed[np.arange(n), p.argmax(-1)] = True
    return p, (p + q) / 2, allowed, gamma


check_free_or_masked = Exercise(
    "free_or_masked",
    cases=[_rows(1, 1, 4, 1), _rows(2, 6, 8, 4), _rows(3, 5, 12, 2)],
    solution=free_or_masked,
    must_not_mutate=True,
    mistakes={
        "You use the unmasked p. The target is masked in both cases: compare with the masked "
        "p.": "target, draft = p * allowed, q * allowed → target, draft = p, q * allowed",
        "The masked rows do not sum to 1: divide each by its sum.": (
            "draft / draft.sum(-1, keepdims=True) → draft; "
            "target / target.sum(-1, keepdims=True) → target"
        ),
        "You return α. Tokens per round are 1 + α + ... + α^γ: `expected_tokens(α, "
        "γ)`.": "expected_tokens(free, gamma), expected_tokens(masked, gamma) → free, masked",
        "You return the masked draft first. "
        "Return the free one first.": "for guess in (q, draft) → for guess in (draft, q)",
    },
    describe_case=lambda p, q, allowed, gamma: f"{len(p)} rows of {p.shape[1]} tokens, γ = {gamma}",
    insight="The free draft loses the probability it gives to tokens the grammar forbids.",
)  # fmt: skip
