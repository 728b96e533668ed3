"""Wrong answers that write the target's text all the same."""

from course_utils.lessons.choosing_a_drafter.checks import check_who_guesses


def only_a_whole_copy(lookup, model, tokens, gamma, noise):
    draft = lookup.propose(tokens, gamma, noise)
    return draft if len(draft.tokens) == gamma else model.propose(tokens, gamma, noise)


def one_guess_of_the_model(lookup, model, tokens, gamma, noise):
    draft = lookup.propose(tokens, gamma, noise)
    return draft if draft.tokens else model.propose(tokens, 1, noise)


def after_the_last_token(lookup, model, tokens, gamma, noise):
    draft = lookup.propose(tokens, gamma, noise)
    return draft if draft.tokens else model.propose(tokens[-1:], gamma, noise)


WRONG_ANSWERS = [
    (check_who_guesses, only_a_whole_copy, "For a copy of 1, gamma = 2, the draft is the"),
    (check_who_guesses, one_guess_of_the_model, "as they came"),
    (check_who_guesses, after_the_last_token, "as they came"),
]
