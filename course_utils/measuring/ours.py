"""The course's decoder as a contender: its passes timed, its rounds kept."""

from time import perf_counter

from course_utils.decoding.contracts import LanguageModel, Seconds
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import Sampling
from course_utils.measuring.clocked import Clocked
from course_utils.measuring.contenders import Contender
from course_utils.measuring.passages import Passage
from course_utils.measuring.protocol import Continue, Told


class Ours:
    """A pair under the course's loop, in one dtype."""

    def __init__(self, target: LanguageModel, draft: LanguageModel):
        self.target, self.draft = target, draft

    def continuing(self, contender: Contender, temperature: float) -> Continue:
        """Exactly as many tokens as the passage asks for."""
        sampling = Sampling(temperature)

        def go_on(number: int, passage: Passage) -> Told:
            target = Clocked(self.target)
            # without a model to guess with, the clock of the draft stands still
            draft = Clocked(contender.drafter.model(self.target, self.draft) or self.draft)
            options = {"longest": contender.longest} if contender.longest else {}
            begin = perf_counter()
            rounds = list(
                generate(
                    target, passage.prompt, contender.drafter.make(draft, sampling, **options),
                    gamma=contender.gamma or 1, sampling=sampling,
                    max_new_tokens=passage.new_tokens, seed=number,
                )
            )  # fmt: skip
            seconds = perf_counter() - begin - target.prompt_seconds - draft.prompt_seconds
            host = seconds - draft.seconds - target.seconds
            parts = Seconds(draft.seconds, target.seconds, host)
            return Told(emitted_tokens(rounds), rounds, parts)

        return go_on
