"""The course's decoder as a contender: its passes timed, its rounds kept."""

from collections.abc import Mapping
from types import MappingProxyType

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel, Seconds
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.named import DRAFT, ON_THE_TARGET, TARGET
from course_utils.measuring.pass_clock import TimedModel
from workshop.bench.contenders import Contender
from workshop.bench.passages import Passage
from workshop.bench.runs import Continue, Written


class Ours:
    """A pair under the course's loop, in one dtype.

    Args:
        made: models that are neither of the pair's, by what `NamedDrafter.guesses_with` calls
            them.

    Attributes:
        models: all that guess, by the same names; None guesses for those that need no model.
    """

    def __init__(
        self,
        target: LanguageModel,
        draft: LanguageModel,
        made: Mapping[str, LanguageModel] = MappingProxyType({}),
    ):
        self.target, self.draft = target, draft
        self.models = {None: None, DRAFT: draft, TARGET: target, **made}

    def continuing(self, contender: Contender, temperature: float) -> Continue:
        """Exactly as many tokens as the passage asks for."""
        sampling = Sampling(temperature)

        named = contender.drafter
        model = self.models[named.guesses_with]
        shares = named.guesses_with in ON_THE_TARGET

        def go_on(number: int, passage: Passage) -> Written:
            target = TimedModel(getattr(model, "shared", model) if shares else self.target)
            # where nobody guesses but the target itself, or a text, this clock stands still
            draft = TimedModel(self.draft if shares else model or self.draft)
            options = {"longest": contender.longest} if contender.longest else {}
            begin = now()
            guessing = model if shares else draft
            rounds = list(
                generate(
                    target, passage.prompt, named.make(guessing, **options),
                    gamma=contender.gamma or 1, sampling=sampling, rule=contender.rule,
                    max_new_tokens=passage.new_tokens, seed=number,
                )
            )  # fmt: skip
            seconds = now() - begin - target.prompt_seconds - draft.prompt_seconds
            # on the target no pass of a draft can be told apart: its drafting is timed whole
            drafting = sum(r.seconds.draft for r in rounds) if shares else draft.seconds
            parts = Seconds(drafting, target.seconds, seconds - drafting - target.seconds)
            return Written(emitted_tokens(rounds), rounds, parts, draft.passes)

        return go_on
