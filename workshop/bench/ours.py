"""The course's decoder as a contender, with timed passes and recorded rounds."""

from collections.abc import Mapping
from types import MappingProxyType

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel, Seconds
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.registry import DRAFT, ON_THE_TARGET, TARGET
from course_utils.measuring.pass_clock import TimedModel
from workshop.bench.contenders import Contender
from workshop.bench.passages import Passage
from workshop.bench.runs import Continue, Run


class Ours:
    """A pair in the course's loop, in one dtype.

    Args:
        made: models that are not of the pair, by their names in `NamedDrafter.guesses_with`.

    Attributes:
        models: all models that guess, by the same names; None if the drafter needs no model.
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
        """Write exactly the passage's number of tokens."""
        sampling = Sampling(temperature)

        named = contender.drafter
        model = self.models[named.guesses_with]
        shares = named.guesses_with in ON_THE_TARGET

        def go_on(number: int, passage: Passage) -> Run:
            target = TimedModel(getattr(model, "shared", model) if shares else self.target)
            # if only the target itself, or a text, makes the guesses, this clock stays at 0
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
            # passes of a draft on the target cannot be separated: all its drafting is timed
            drafting = sum(r.seconds.draft for r in rounds) if shares else draft.seconds
            parts = Seconds(drafting, target.seconds, seconds - drafting - target.seconds)
            return Run(passage, emitted_tokens(rounds), rounds, parts)

        return go_on
