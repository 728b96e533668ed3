"""What two tokenizers have in common, and how one spells the tokens of the other.

Two byte-level tokenizers (REFERENCES.md: timor2025, token-level intersection) write a token
as a string of bytes.  Where they hold the same string they speak of the same token, whatever
its number.  Every other token of the target is spelt in several tokens of the draft.

Left out: tokenizers that are not byte-level (SentencePiece), and guesses that several tokens
of the draft make up together.
"""

from tokenizers.pre_tokenizers import ByteLevel
from transformers import PreTrainedTokenizerBase

from course_utils.models.translated import Translation, VocabularyMismatch

ALPHABET = frozenset(ByteLevel.alphabet())  # a character for each of the 256 bytes
SPACE = "Ġ"  # the one that stands for a space


def translation_between(
    target: PreTrainedTokenizerBase,
    draft: PreTrainedTokenizerBase,
    vocabulary_size: int | None = None,
) -> Translation:
    """How the tokenizer `draft` spells the tokens of the tokenizer `target`.

    Special tokens are shared if both have the same, and the two end tokens always.  A special
    token that the draft has not, or a number without a meaning, is read as the draft's end token.

    Args:
        vocabulary_size: of the target model, which may have more numbers than its tokenizer has
            tokens; None: the tokenizer's.

    Raises:
        VocabularyMismatch: a tokenizer that is not byte-level, or no token in common.
    """
    strings, own = _ordinary(target, "target"), _ordinary(draft, "draft")
    if missing := ALPHABET - own.keys():
        raise VocabularyMismatch(
            f"the draft's tokenizer has no token for {len(missing)} of the 256 bytes, so it cannot "
            "spell every token of the target: take a draft with a byte-level tokenizer"
        )
    size = max([vocabulary_size or 0, *(i + 1 for i in target.get_vocab().values())])
    filler = draft.eos_token_id if draft.eos_token_id is not None else own[SPACE]
    spellings, shared = [(filler,)] * size, [-1] * size
    for string, token in strings.items():
        if string in own:
            shared[token] = own[string]
            spellings[token] = (own[string],)
        else:
            pieces = draft.backend_tokenizer.model.tokenize(string)
            spellings[token] = tuple(piece.id for piece in pieces)
    for token, same in _special_pairs(target, draft).items():
        shared[token], spellings[token] = same, (same,)
    return Translation(tuple(spellings), tuple(shared))


def _ordinary(tokenizer: PreTrainedTokenizerBase, whose: str) -> dict[str, int]:
    """{string of bytes: number} of all tokens but those that were added as whole texts."""
    added = tokenizer.get_added_vocab()
    strings = {s: i for s, i in tokenizer.get_vocab().items() if s not in added}
    backend = getattr(tokenizer, "backend_tokenizer", None)
    foreign = next((s for s in strings if not ALPHABET.issuperset(s)), None)
    if backend is None or foreign is not None:
        said = "is no fast one" if backend is None else f"writes {foreign!r}, not bytes"
        raise VocabularyMismatch(
            f"the {whose}'s tokenizer {said}: only byte-level tokenizers, as of GPT-2, Qwen or "
            "Llama 3, can be translated"
        )
    return strings


def _special_pairs(
    target: PreTrainedTokenizerBase, draft: PreTrainedTokenizerBase
) -> dict[int, int]:
    """{target token: draft token} of the added tokens that both have, and of the end tokens."""
    theirs = draft.get_added_vocab()
    pairs = {i: theirs[s] for s, i in target.get_added_vocab().items() if s in theirs}
    ends = target.eos_token_id, draft.eos_token_id
    if None not in ends and ends[0] not in pairs and ends[1] not in pairs.values():
        pairs[ends[0]] = ends[1]
    return pairs
