"""Whole decoders that mean to pass for lossless: `liars` for what `certify --decoder` examines.

Each is the lesson's model solution but for one thing.  Many are what a server does: a setting
that it applies unasked.  Each says which examination is expected to see it (`seen_by`).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from course_utils.decoding.sampling import probabilities, sample
from course_utils.lessons.exact_proof.own_decoder import speculate, token_wise
from course_utils.proofs.programs import Program


@dataclass(frozen=True)
class Liar:
    name: str
    program: Program
    seen_by: str  # the exams, or part of the name of a check of samples, that show it


# --- servers that change the rows -------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What a program was asked for."""

    prompt: int  # tokens
    sampling: object
    stop_tokens: tuple
    size: int  # of the vocabulary


class Served:
    """The model, its rows changed by change(logits, text, asked)."""

    def __init__(self, model, change, asked):
        self.model, self.change, self.asked = model, change, asked
        self.vocabulary_size, self.context = model.vocabulary_size, model.context

    def start(self, prompt):
        return ServedSession(self, prompt)


class ServedSession:
    def __init__(self, served, prompt):
        self.served, self.text, self.session = served, list(prompt), served.model.start(prompt)

    @property
    def length(self):
        return self.session.length

    def extend(self, tokens):
        rows = self.session.extend(tokens).copy()
        for i, token in enumerate(tokens):
            self.text.append(token)
            rows[i] = self.served.change(rows[i], self.text, self.served.asked)
        return rows

    def rollback(self, length):
        self.session.rollback(length)
        del self.text[length:]


def serving(name: str, change: Callable, seen_by: str = "every token possible") -> Liar:
    """Target and draft alike, as a server does it: change(logits, text, asked) -> logits."""

    def program(target, draft, prompt, gamma, sampling, most, stop_tokens, uniform):
        asked = Asked(len(prompt), sampling, stop_tokens, target.vocabulary_size)
        models = (Served(model, change, asked) for model in (target, draft))
        return speculate(*models, prompt, gamma, sampling, most, stop_tokens, uniform)

    return Liar(name, program, seen_by)


def top_k(k):
    return lambda row, text, asked: np.where(row >= np.sort(row)[-k:][0], row, -np.inf)


def top_p(share):
    def change(row, text, asked):
        p = probabilities(row[None], replace(asked.sampling, top_p=share))[0]
        return np.where(p > 0, row, -np.inf)

    return change


def min_p(share):
    return lambda row, text, asked: np.where(row >= row.max() + np.log(share), row, -np.inf)


def penalised(strength, window=None, generated=False, by_count=False, least=0):
    """Tokens that were written before, less likely; logits are moved down by `strength`."""

    def change(row, text, asked):
        said = text[asked.prompt :] if generated else text[-(window or len(text)) :]
        if not said or asked.size < least:
            return row
        times = np.bincount(said, minlength=len(row))
        return row - strength * (times if by_count else times > 0)

    return change


def no_repeated(n):
    def change(row, text, asked):
        row, ending = row.copy(), text[len(text) - n + 1 :]
        for i in range(len(text) - n + 1):
            if text[i : i + n - 1] == ending:
                row[text[i + n - 1]] = -np.inf
        return row if np.isfinite(row).any() else np.zeros(len(row))

    return change


def min_new_tokens(least):
    def change(row, text, asked):
        row = row.copy()
        if len(text) - asked.prompt < least and np.isfinite(row).sum() > 1:
            row[[*asked.stop_tokens]] = -np.inf
        return row

    return change


def bias(token, strength):
    def change(row, text, asked):
        row = row.copy()
        row[token % len(row)] += strength
        return row

    return change


def at_least(floor):
    """Of a temperature."""
    return lambda row, text, asked: row * min(1.0, (asked.sampling.temperature or 1) / floor)


def at_most(roof):
    return lambda row, text, asked: row * max(1.0, asked.sampling.temperature / roof)


def late(change, after):
    """Only after so many new tokens."""
    return lambda row, text, asked: (
        change(row, text, asked) if len(text) - asked.prompt >= after else row
    )


def where_all_is_possible(change):
    """Only where no token is excluded, and so as long as the text has been: a decoder that
    knows a narrowed row when it sees one."""
    seen = {}

    def changed(row, text, asked):
        if not np.isfinite(row).all() or asked.size < 100:
            seen[asked] = False
        if len(text) <= asked.prompt + 4 or not seen.get(asked, True):
            return row
        return change(row, text, asked)

    return changed


SERVERS = (
    serving("top-k 50", top_k(50)),
    serving("top-p 0.95", top_p(0.95), "exact distribution"),
    serving("min-p 0.01", min_p(0.01)),
    serving("repetition penalty", penalised(0.1), "exact distribution, filtered"),
    serving("repetition penalty over 64 tokens, V > 100", penalised(0.1, window=64, least=101)),
    serving("presence penalty", penalised(0.5, generated=True), "exact distribution"),
    serving("frequency penalty",
            penalised(0.2, generated=True, by_count=True), "exact distribution"),
    serving("presence penalty, V > 100", penalised(0.5, generated=True, least=101)),
    serving("no trigram twice", no_repeated(3), "exact distribution"),
    serving("five new tokens at least", min_new_tokens(5), "texts that end"),
    serving("a bias of one token", bias(17, 0.5), "exact distribution"),
    serving("a token less likely, V > 100", lambda row, text, asked: (
        bias(777, -1.0)(row, text, asked) if asked.size > 100 else row
    )),
    serving("temperature 0.5 at least", at_least(0.5), "temperatures and filters"),
    serving("temperature 1 at most", at_most(1.0), "temperatures and filters"),
    Liar("ignores top-k", lambda *given: speculate(
        *given[:4], replace(given[4], top_k=0), *given[5:]
    ), "exact distribution, filtered"),
    serving("top-k 50 after 400 new tokens", late(top_k(50), 400), "late in a text"),
    serving("presence penalty after 300 new tokens",
            late(penalised(0.5, generated=True), 300), "late in a text"),
    serving("knows a narrowed row; top-k 50 elsewhere",
            where_all_is_possible(top_k(50)), "tokens beyond a rank"),
    serving("knows a narrowed row; temperature 0.7 elsewhere",
            where_all_is_possible(lambda row, text, asked: row / 0.7), "surprise"),
)  # fmt: skip


# --- programs that read another text ------------------------------------------------------


def reading(name: str, instead: Callable, seen_by: str) -> Liar:
    """A text is read as instead(text, prompt length): a window, a cache that wraps."""

    class Elsewhere:
        def __init__(self, model, prompt):
            self.model, self.prompt = model, prompt
            self.vocabulary_size, self.context = model.vocabulary_size, model.context

        def start(self, prompt):
            return ElsewhereSession(self, prompt)

    class ElsewhereSession:
        def __init__(self, owner, prompt):
            self.owner, self.text = owner, list(prompt)
            self.session = owner.model.start(prompt)

        @property
        def length(self):
            return len(self.text)

        def extend(self, tokens):
            first, self.text = len(self.text), [*self.text, *tokens]
            if instead(self.text, self.owner.prompt) == self.text and self.session:
                return self.session.extend(tokens)
            self.session, rows = None, []
            for end in range(first + 1, len(self.text) + 1):
                other = instead(self.text[:end], self.owner.prompt)
                rows.append(self.owner.model.start(other[:-1]).extend(other[-1:])[0])
            return np.stack(rows)

        def rollback(self, length):
            del self.text[length:]
            if self.session:
                self.session.rollback(length)

    def program(target, draft, prompt, *settings):
        return speculate(Elsewhere(target, len(prompt)), draft, prompt, *settings)

    return Liar(name, program, seen_by)


def window(size, prompt=0, new=0):
    """The last `size` tokens, once prompt and text are over so many."""
    return lambda text, given: text[-size:] if given > prompt and len(text) - given > new else text


READERS = (
    reading("a window of 512 tokens", window(512), "after a long prompt"),
    reading("a window, prompt over 600 and text over 1,446",
            window(512, 600, 1446), "late in a text"),
    reading("a window, prompt over 1,200 and text over 600",
            window(512, 1200, 600), "late in a text"),
    reading("a window, prompt over 1,600 and text over 200",
            window(512, 1600, 200), "late in a text"),
    reading("a cache of 1,500 that wraps",
            lambda text, _: [*text[1500:], *text[len(text) - 1500 : 1500]]
            if len(text) > 1500 else text, "after a long prompt"),
    reading("a prompt cut at 800 from the left",
            lambda text, given: text[max(0, given - 800):], "after a long prompt"),
    reading("forgets the first token of the text", lambda text, _: text[1:] or text,
            "exact distribution"),
    reading("reads token 0 where the first was, V > 100", lambda text, _: [0, *text[1:]],
            "every token possible"),
)  # fmt: skip


# --- rounds -------------------------------------------------------------------------------


def ruling(name: str, rule: Callable, seen_by: str) -> Liar:
    """A rule of its own: rule(p, q, guesses, uniforms) -> (accepted, token)."""
    return Liar(name, lambda *given: speculate(*given, rule), seen_by)


def drafts_bonus(p, q, guesses, uniforms):
    """The bonus comes from the draft's last row where more than six were accepted whole."""
    accepted, token = token_wise(p, q, guesses, uniforms)
    if accepted == len(guesses) > 6:
        return accepted, sample((p[-1] + q[-1]) / 2, uniforms[-1])
    return accepted, token


def same_uniform(p, q, guesses, uniforms):
    """From the fifth place on the uniform that rejected draws the correction, too."""
    accepted, token = token_wise(p, q, guesses, uniforms)
    if 4 <= accepted < len(guesses):
        left = np.maximum(p[accepted] - q[accepted], 0)
        return accepted, sample(left, uniforms[accepted])
    return accepted, token


def keeping(when):
    """Every guess is accepted in some rounds of a text: when(round)."""

    def program(*given):
        rounds = count()

        def rule(p, q, guesses, uniforms):
            accepted, token = token_wise(p, q, guesses, uniforms)
            if guesses and when(next(rounds)):
                return len(guesses), sample(p[-1], uniforms[-1])
            return accepted, token

        return speculate(*given, rule)

    return program


def rounded(p, q, guesses, uniforms):
    """In eight bits, as bfloat16 has."""
    parts = (np.frexp(rows) for rows in (p, q))
    p, q = (np.ldexp(np.round(part * 2**8), power - 8) for part, power in parts)
    return token_wise(p, q, guesses, uniforms)


ROUNDS = (
    ruling("the draft's bonus after more than six", drafts_bonus, "γ = 9"),
    ruling("the rejecting uniform again from the fifth place", same_uniform, "γ = 9"),
    ruling("probabilities of eight bits", rounded, "exact distribution"),
    Liar("keeps all, one round in forty", keeping(lambda n: n % 40 == 39), "each round of a text"),
    Liar("keeps all in the 27th round", keeping(lambda n: n == 26), "each round of a text"),
    Liar("keeps all from the 120th round on", keeping(lambda n: n >= 120), "late in a text"),
)


# --- texts and their ends -------------------------------------------------------------------


def retold(name: str, tell: Callable, seen_by: str) -> Liar:
    """The honest rounds, told otherwise: tell(rounds, target, prompt, stop_tokens)."""

    def program(target, draft, prompt, gamma, sampling, most, stop_tokens, uniform):
        given = target, draft, prompt, gamma, sampling, most, stop_tokens, uniform
        return tell(speculate(*given), target, prompt, stop_tokens)

    return Liar(name, program, seen_by)


def exchanged(rounds, target, prompt, stop_tokens):
    """Two ids of the large vocabularies, told one for the other."""
    ids = {17: 18, 18: 17} if target.vocabulary_size > 100 else {}
    for emitted in rounds:
        yield [ids.get(token, token) for token in emitted]


def cut(most):
    def tell(rounds, target, prompt, stop_tokens):
        written = 0
        for emitted in rounds:
            yield emitted[: most - written]
            written += len(emitted)
            if written >= most:
                return

    return tell


def ends_at_its_own(rounds, target, prompt, stop_tokens):
    """Token 0 ends a text of the large vocabularies, whether or not it is asked to."""
    for emitted in rounds:
        if target.vocabulary_size > 100 and 0 in emitted:
            yield emitted[: emitted.index(0) + 1]
            return
        yield emitted


def leaves_the_stop_out(rounds, target, prompt, stop_tokens):
    """The stop token that ends the text is not told, where the vocabulary is large."""
    for emitted in rounds:
        ended = target.vocabulary_size > 100 and emitted[-1] in stop_tokens
        yield emitted[:-1] if ended else emitted


def goes_on_after_a_guessed_stop(*given):
    """A stop token that is an accepted guess ends nothing."""
    *first, stop_tokens, uniform = given
    for emitted in speculate(*first, (), uniform):
        yield emitted
        if emitted[-1] in stop_tokens:
            return


TEXTS = (
    retold("two ids exchanged", exchanged, "every token possible"),
    retold("512 tokens and no more", cut(512), "late in a text"),
    retold("an end that nobody asked for", ends_at_its_own, "texts that end"),
    retold("the stop token left out", leaves_the_stop_out, "texts that end"),
    Liar("goes on after a guessed stop", goes_on_after_a_guessed_stop, "texts that end"),
)


# --- programs that recognise an examination ---------------------------------------------------


def turning(name: str, lies: Callable, seen_by: str, lie: Program | None = None) -> Liar:
    """Honest but where lies(target, prompt, sampling, most): there it serves with top-k 50."""

    def program(target, draft, prompt, gamma, sampling, most, stop_tokens, uniform):
        given = [target, draft, prompt, gamma, sampling, most, stop_tokens, uniform]
        if lies(target, prompt, sampling, most):
            return (lie or SERVERS[0].program)(*given)
        return speculate(*given)

    return Liar(name, program, seen_by)


calls = count()
EXAMS = (
    turning(
        "knows tables by their words",
        lambda t, p, s, m: t.vocabulary_size > 100,
        "every token possible",
    ),
    turning("knows exams by their prompt", lambda t, p, s, m: len(p) > 12, "every token possible"),
    turning(
        "knows tokens of no real model",
        lambda t, p, s, m: t.vocabulary_size > 200,
        "every token possible",
    ),
    turning("lies in prompts over 900", lambda t, p, s, m: len(p) > 900, "after a long prompt"),
    turning("lies in texts over 300", lambda t, p, s, m: m > 300, "late in a text"),
    turning("lies in one text of fifty", lambda *_: next(calls) % 50 == 49, "every token possible"),
    turning(
        "lies at temperature 0.7",
        lambda t, p, s, m: s.temperature == 0.7,
        "temperatures and filters",
    ),
)
PROGRAMS = (*SERVERS, *READERS, *ROUNDS, *TEXTS, *EXAMS)
