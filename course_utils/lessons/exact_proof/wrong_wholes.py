"""Known mistakes in the whole of one's own decoder: {what is said: the decoder with it}."""

from collections.abc import Callable, Iterator, Sequence

from course_utils.lessons.exact_proof import wrong_parts
from course_utils.lessons.exact_proof.own_decoder import commit, draft_tokens, token_wise, verify
from course_utils.lessons.exact_proof.prompt_read import (
    BACKWARDS,
    DEDUPLICATED,
    FIRST_DROPPED,
    FIRST_ONLY,
    LAST_ONLY,
    PADDED,
    SORTED,
    WINDOW,
)


def _speculates(
    ends: Callable = lambda new, stops: new[: stops[0] + 1] if stops else None,
    room: Callable = lambda gamma, left: min(gamma, left - 1),
    goes_on: Callable = lambda left, gamma: left > 0,
    read_at_start: Callable = lambda text: text[:-1],
    again: bool = False,
    models: Callable = lambda target, draft: (target, draft),
    rule_of: Callable = lambda rule: rule,
    grows: Callable = lambda new: new,
    prompt_counts: bool = False,
    yields: Callable = lambda new, text: new,
    reads: Callable = lambda prompt: prompt,
    sees: Callable = lambda text, session: text,
    verify: Callable = verify,
) -> Callable[..., Iterator]:
    """`speculate` with one thing replaced."""

    def program(
        target, draft, prompt: Sequence[int], gamma, sampling, most, stop_tokens, uniform,
        rule=token_wise,
    ):  # fmt: skip
        prompt = reads(list(prompt))
        text, end = [*prompt], most if prompt_counts else len(prompt) + most
        both = [model.start(read_at_start(text)) for model in models(target, draft)]
        while goes_on(end - len(text), gamma):
            if again:
                both = [model.start(sees(text, None)[:-1]) for model in models(target, draft)]
            n = room(gamma, end - len(text))
            seen = [sees(text, session) for session in both]
            guesses, q = draft_tokens(both[1], seen[1], n, sampling, uniform)
            decided = verify(both[0], seen[0], guesses, q, sampling, uniform, rule_of(rule))
            new = commit(text, guesses, *decided, both)
            stops = [i for i, x in enumerate(new) if x in stop_tokens]
            if (last := ends(new, stops)) is not None:
                yield last
                return
            yield yields(new, text[len(prompt) :])
            text += grows(new)

    return program


def _loses_the_end(*given, **rule):
    for new in _speculates()(*given, **rule):
        if new[-1] in given[6]:
            return
        yield new


def _one_by_one(*given, **rule):
    for new in _speculates()(*given, **rule):
        yield from new


def _all_at_once(*given, **rule):
    return list(_speculates()(*given, **rule))


def _cuts_the_end(*given, **rule):
    left = given[5]
    for new in _speculates(room=lambda gamma, left: gamma)(*given, **rule):
        yield new[:left]
        left -= len(new)


def _padded(text, session):
    """Only the text's last token is new to a session, whatever it has read."""
    return [0] * session.length + text[-1:]


SPECULATE = {
    "Your target begins empty and reads the whole prompt in the first round, so a row comes back "
    "for each of its tokens, and you take the first ones. The guesses are judged by the *last* "
    "len(guesses) + 1 rows.": _speculates(
        read_at_start=lambda text: [],
        verify=wrong_parts.first_rows,
    ),
    "Your sessions begin empty, and a round feeds them the text's last token and the guesses: the "
    "rest of the prompt was never read. Start them with the prompt but for its last "
    "token.": _speculates(read_at_start=lambda text: [], sees=_padded),
    "You never look at `prompt`: each text begins with the same token. Start both sessions with "
    "the prompt but for its last token.": _speculates(reads=lambda prompt: [0]),
    LAST_ONLY: _speculates(reads=lambda prompt: prompt[-1:]),
    FIRST_ONLY: _speculates(reads=lambda prompt: prompt[:2]),
    FIRST_DROPPED: _speculates(reads=lambda prompt: prompt[1:]),
    BACKWARDS: _speculates(reads=lambda prompt: prompt[::-1]),
    SORTED: _speculates(reads=sorted),
    DEDUPLICATED: _speculates(reads=lambda prompt: [*dict.fromkeys(prompt)]),
    PADDED: _speculates(reads=lambda prompt: [0, *prompt]),
    WINDOW: _speculates(again=True, sees=lambda text, session: text[-6:]),
    "You decide by another rule than the one that is given. Hand `rule` on to `verify`.": (
        _speculates(rule_of=lambda rule: token_wise)
    ),
    "You never look at `stop_tokens`: the text goes on behind one.": _speculates(
        ends=lambda new, stops: None
    ),
    "You look for a stop token at the end of a round only. One can be among the accepted guesses, "
    "and what comes after it was never said.": _speculates(
        ends=lambda new, stops: new if stops and stops[-1] == len(new) - 1 else None
    ),
    "You end with the right round, but keep what stands behind the stop token in it.": _speculates(
        ends=lambda new, stops: new if stops else None
    ),
    "You drop the stop token itself. It is the last token of the text.": _speculates(
        ends=lambda new, stops: new[: stops[0]] if stops else None
    ),
    "The last round adds too many tokens. A round with n guesses can add n + 1, so draft at most "
    "one less than there is room for.": _speculates(room=lambda gamma, left: gamma),
    "Off by one at the end: with n guesses a round can add n + 1 tokens, so the room for guesses "
    "is one less than the room for tokens.": _speculates(room=lambda gamma, left: min(gamma, left)),
    "You end as soon as a whole draft no longer fits. Draft less, down to nothing, until all "
    "tokens are written.": _speculates(goes_on=lambda left, gamma: left > gamma),
    "Both sessions are started with the whole prompt, so there is nothing left to read, and no row "
    "comes back for the first guess. Leave the prompt's last token out.": _speculates(
        read_at_start=lambda text: text
    ),
    "You start both sessions again in every round, and so read the whole text again. Start them "
    "once, before the loop.": _speculates(again=True),
    "Target and draft are exchanged: the text has the draft's distribution.": _speculates(
        models=lambda target, draft: (draft, target)
    ),
    "You draft γ = 2 whatever `gamma` says.": _speculates(room=lambda _, left: min(2, left - 1)),
    "Only the last token of a round gets into your text; what the next round reads lacks the "
    "accepted guesses.": _speculates(grows=lambda new: new[-1:]),
    "Your text never grows, so each round begins at the prompt again. Add what you yield to "
    "it.": _speculates(grows=lambda new: []),
    "You count the prompt's tokens, too. `max_new_tokens` is the number of *new* ones.": (
        _speculates(prompt_counts=True)
    ),
    "You yield the text so far. Yield the new tokens of each round only.": _speculates(
        yields=lambda new, text: [*text, *new]
    ),
    "You draft with the target. The second session is one of `draft`.": _speculates(
        models=lambda target, draft: (target, target)
    ),
    "In a generator `return new` hands over nothing. Yield the last tokens, too, and then "
    "return.": _loses_the_end,
    "You yield the tokens one by one. Yield those of a round together, as a list.": _one_by_one,
    "You return all rounds at the end, as `return list(...)` does. Yield each when it is "
    "there.": _all_at_once,
    "You always draft `gamma` tokens and cut off what is too much. The text is right, but guesses "
    "were made for which there is no room.": _cuts_the_end,
}  # fmt: skip
