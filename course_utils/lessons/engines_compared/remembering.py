"""Suffix drafts as arctic-inference makes them for vLLM: from this text, and from all before it.

Follows `csrc/suffix_decoding/suffix_tree.cc` of arctic-inference 0.3 (REFERENCES.md:
oliaro2024), by searching where that keeps a tree.  The course's `SuffixLookup` follows the
paper and differs: it takes the longest ending, counts only the places behind which
something stands, and of equally frequent tokens takes the latest.
"""

from collections.abc import Iterator, Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, RoundNoise

DEPTH = 24  # tokens of an ending and its continuation: vLLM's suffix_decoding_max_tree_depth
LEAST = 0.1  # vLLM's suffix_decoding_min_token_prob

Texts = Sequence[Sequence[int]]
Place = tuple[Sequence[int], int]  # a text, and where in it the ending has ended


class Remembering:
    """Drafts for one text of a server that has written others.

    Args:
        prompt: tokens that were given: they are looked up for this text alone.
        seen: what was written before, in its order; prompts are not remembered.
    """

    def __init__(self, prompt: int, seen: Texts = ()):
        self.prompt, self.seen = prompt, seen

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        tokens = list(tokens)
        own, hoped = best_draft([tokens], tokens[-DEPTH:], gamma)
        other, more = best_draft([*self.seen, tokens[self.prompt :]], tokens[-DEPTH:], gamma)
        guess = other if more > hoped else own
        return Draft(tuple(guess), None) if guess else NO_DRAFT


def best_draft(texts: Texts, ending: Sequence[int], gamma: int) -> tuple[list[int], float]:
    """Of all lengths of the ending that occur the draft that expects most; of equals the longest.

    Returns: the guesses, and the expected number of accepted ones by the counts.
    """
    best: tuple[list[int], float] = ([], 0.0)
    for n, places in _matches(texts, ending):
        draft = _continued(places, n, min(gamma, n))
        if draft[1] >= best[1]:
            best = draft
    return best


def _matches(texts: Texts, ending: Sequence[int]) -> Iterator[tuple[int, list[Place]]]:
    """n = 1, 2, ... and where the last n tokens of the ending stand, its own end among them."""
    places = [(text, at) for text in texts for at in range(1, len(text) + 1)]
    for n in range(1, len(ending)):
        places = [(text, at) for text, at in places if at >= n and text[at - n] == ending[-n]]
        if not places:
            return
        yield n, places


def _continued(places: list[Place], n: int, limit: int) -> tuple[list[int], float]:
    guess, probability, expected = [], 1.0, 0.0
    while len(guess) < min(limit, DEPTH - n):
        counts: dict[int, int] = {}
        token, most = None, 0
        for text, at in places:
            if at < len(text):
                counts[text[at]] = counts.get(text[at], 0) + 1
                if counts[text[at]] > most:
                    token, most = text[at], counts[text[at]]
        if token is None or (probability := probability * most / len(places)) < LEAST:
            break
        guess.append(token)
        expected += probability
        places = [(text, at + 1) for text, at in places if at < len(text) and text[at] == token]
    return guess, expected
