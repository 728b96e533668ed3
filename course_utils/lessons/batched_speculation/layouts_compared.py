"""Three layouts of one batch: the same rows, and what each copied or left empty."""

from collections.abc import Iterable, Sequence

from course_utils.decoding.batch import generate_batch
from course_utils.decoding.contracts import Round
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.models.batched import Batched
from course_utils.models.forms import AnyQwen3
from course_utils.models.layouts import LAYOUTS

Rounds = dict[int, list[tuple[tuple[int, ...], int]]]


def plain_rounds(run: Iterable[tuple[int, Round]]) -> Rounds:
    """Of each row (the tokens emitted, how many guesses accepted), round by round."""
    rounds: Rounds = {}
    for row, done in run:
        rounds.setdefault(row, []).append((done.emitted, done.accepted))
    return rounds


def compared(
    models: tuple[AnyQwen3, AnyQwen3], prompts: Sequence[Sequence[int]],
    alone: Rounds, sampling: Sampling, context: int, **settings: object,
) -> list[dict[str, object]]:  # fmt: skip
    """A row for each layout; `alone` is what each prompt says and accepts by itself."""
    draft, found = Batched(models[1], context), []
    for name, layout in LAYOUTS.items():
        target = layout(models[0], context)
        run = generate_batch(
            target, prompts, BatchSampled(draft, sampling), slots=len(prompts), sampling=sampling,
            **settings,
        )  # fmt: skip
        rounds = plain_rounds(run)
        passes = getattr(target, "passes", 0)
        found.append(
            {
                "layout": name,
                "rows as alone": sum(rounds[row] == alone[row] for row in alone),
                "of": len(alone),
                "MB copied per pass": target.copied / passes / 1e6 if passes else 0.0,
                "columns with text": (
                    f"{target.tokens / target.columns:.0%}" if name == "padded" else "all"
                ),
            }
        )
    return found
