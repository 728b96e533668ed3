"""A second tokenizer and a draft that speaks it, both learned live; and what the two share."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from transformers import PreTrainedTokenizerBase

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.theory import overlap
from course_utils.models.n_grams import NGram
from course_utils.models.translated import Translated, Translation
from workshop.training.text import train_tokenizer

TOKENS = 1024  # of the second tokenizer
ORDER, DISCOUNT = 3, 0.75  # of the counted draft


def counted_draft(texts: Sequence[str], tokenizer: PreTrainedTokenizerBase) -> NGram:
    """A draft that counts `texts` in the tokens of `tokenizer`."""
    return NGram(tokenizer(list(texts))["input_ids"], ORDER, len(tokenizer), DISCOUNT)


def second_tokenizer(texts: Sequence[str]) -> PreTrainedTokenizerBase:
    """A byte-level BPE of `TOKENS` tokens, learned from `texts`."""
    return train_tokenizer(texts, TOKENS)


def as_they_are(vocabulary_size: int, held: Collection[int] | None = None) -> Translation:
    """Of a draft with the target's own tokens, which may propose those in `held`; None: all."""
    tokens = range(vocabulary_size)
    shared = (token if held is None or token in held else -1 for token in tokens)
    return Translation(tuple((token,) for token in tokens), tuple(shared))


@dataclass(frozen=True)
class Intersection:
    """What a target and a draft with another tokenizer share; all shares in [0, 1]."""

    of_target_entries: float  # of the target's vocabulary that the draft has
    of_draft_entries: float
    of_text: float  # of the text's tokens that the draft has
    of_p: float  # mean mass of the target's rows on the intersection
    of_q: float  # mean mass of the draft's rows on it, before they are renormalised
    spelling: float  # draft tokens to read one target token of the text
    alpha: float  # mean of sum min(p, q'), q' renormalised
    alpha_unnormalised: float  # mean of sum min(p, q) over the intersection


def intersection(
    target: LanguageModel,
    draft: LanguageModel,
    translation: Translation,
    texts: Sequence[Sequence[int]],
    sampling: Sampling = Sampling(),
) -> Intersection:
    """Measured on `texts`, in target tokens, two or more in each: after every token but the last.

    Exact but for the choice of texts: acceptance is computed from the rows, nothing is drawn.
    """
    held, same = map(list, translation.pairs)
    p = np.concatenate([_rows(target, text, sampling) for text in texts])
    whole = np.concatenate([_draft_rows(draft, translation, text, sampling) for text in texts])
    restricted = np.concatenate(
        [_rows(Translated(draft, translation), text, sampling) for text in texts]
    )
    tokens = [token for text in texts for token in text]
    return Intersection(
        of_target_entries=len(held) / len(translation.shared),
        of_draft_entries=len(held) / draft.vocabulary_size,
        of_text=float(np.mean(np.isin(tokens, held))),
        of_p=float(p[:, held].sum(-1).mean()),
        of_q=float(whole[:, same].sum(-1).mean()),
        spelling=len(translation.spell(tokens)) / len(tokens),
        alpha=float(overlap(p, restricted).mean()),
        alpha_unnormalised=float(overlap(p[:, held], whole[:, same]).mean()),
    )


def _rows(model: LanguageModel, text: Sequence[int], sampling: Sampling) -> np.ndarray:
    """Distributions after every token of `text` but the last."""
    logits = model.start([]).extend(list(text[:-1]))
    return as_numpy(probabilities(logits, sampling)).astype(float)


def _draft_rows(
    draft: LanguageModel, translation: Translation, text: Sequence[int], sampling: Sampling
) -> np.ndarray:
    """The same over the draft's own vocabulary, at the ends of the target's tokens."""
    rows = _rows(draft, [*translation.spell(text[:-1]), 0], sampling)
    ends = np.cumsum([len(translation.spellings[token]) for token in text[:-1]])
    return rows[ends - 1]
