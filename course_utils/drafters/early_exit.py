"""The target's own first layers as the draft, on the target's own key-value cache.

The draft runs the first layers on the last token and on its guesses.  It writes their keys and
values where the target's next pass will write the same ones again, so nothing is prefilled or
cached twice.  REFERENCES.md: zhang2023, elhoushi2024.

Left out: reusing the hidden states of the guesses in the verification.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, RoundNoise
from course_utils.decoding.proposal import sampling_of
from course_utils.decoding.sampling import Sampling, Stop, draft_from, never
from course_utils.decoding.sessions import catch_up, common_prefix
from course_utils.decoding.whole_numbers import whole_number
from course_utils.models.qwen3.shared_layers import SharedSession, SharedTarget

EXIT_SHARE = 8  # by default, one eighth of the layers


class EarlyExit:
    """Draft with the first layers of a shared target: `generate(shared, prompt, drafter)`.

    If no session of `shared` is decoding the text (another model is, or none), the drafter
    opens a session for it: the guesses are the same, but cost a prefill.

    Args:
        layers: 1 to the target's number of layers, by default one eighth; the others are skipped.
        sampling: None uses the settings of the run.
        stop: the stop rule; it cannot withdraw a guess already drawn.

    Raises:
        ValueError: the target is not shared, or has fewer layers.
    """

    def __init__(
        self, shared: SharedTarget, layers: int | None = None, sampling: Sampling | None = None,
        stop: Stop = never,
    ):  # fmt: skip
        if not isinstance(shared, SharedTarget):
            raise ValueError(
                f"an early exit needs a SharedTarget, not a {type(shared).__name__}: create shared "
                "= SharedTarget(target), and pass it to the drafter, and to generate as the target"
            )
        layers = max(1, shared.layers // EXIT_SHARE) if layers is None else layers
        self.shared, self.layers = shared, whole_number("layers", layers, 1, shared.layers)
        self.sampling, self.stop = sampling, stop
        self._own: SharedSession | None = None  # used if there is none

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        gamma = min(gamma, self.shared.context - len(tokens) + 1)
        if gamma < 1:
            return NO_DRAFT
        session = self.shared.find(tokens[:-1])
        if session is None or session.length < len(tokens) - 1:
            session = self._own_session(tokens[:-1])
        uniforms, sampling = noise.uniforms("draft", gamma), sampling_of(tokens, self.sampling)
        view = session.first(self.layers)
        return draft_from(view, tokens[-1:], uniforms, sampling, self.stop)

    def _own_session(self, text: Sequence[int]) -> SharedSession:
        if self._own is None:
            self._own = self.shared.start([])
        catch_up(self._own, text, common_prefix(self._own.tokens, text))
        return self._own
