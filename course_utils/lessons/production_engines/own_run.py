"""A server that runs here, asked what the recorded ones were asked."""

from collections.abc import Callable, Sequence

from course_utils.engines.client import Engine, NoEngine, Question, engine_here
from course_utils.engines.sessions import ServerRun, put
from course_utils.models.names import held_out_prompts

YOURS = "yours"
Encode = Callable[[str], Sequence[int]]
NEW = 64  # tokens behind each


def questions(encode: Encode) -> list[Question]:
    """Eight prompts, code and prose, greedy."""
    texts = [*held_out_prompts("code")[:4], *held_out_prompts("prose")[:4]]
    return [Question(tuple(encode(text)), NEW, temperature=0.0) for text in texts]


def sampled_questions(encode: Encode) -> list[Question]:
    """Sixteen prompts at temperature 1, each with a seed of its own."""
    texts = [*held_out_prompts("code")[:8], *held_out_prompts("prose")[:8]]
    return [Question(tuple(encode(text)), NEW, 1.0, seed) for seed, text in enumerate(texts)]


def own_run(encode: Encode, engine: Engine | None = None) -> dict[str, ServerRun]:
    """{"yours": what it answered}, a few seconds; {} where no server runs, and where the one that
    does cannot be asked, which is printed: the lesson goes on with the recorded session."""
    try:
        engine = engine or engine_here()
        return {} if engine is None else {YOURS: _asked(engine, encode)}
    except (NoEngine, ValueError) as error:
        print(f"Your server was not asked: {error}")
        return {}


def _asked(engine: Engine, encode: Encode) -> ServerRun:
    version = engine.check()
    put(engine, questions(encode)[:1])  # the first request compiles and allocates
    return ServerRun(
        configuration="your own",
        command="as you started it",
        engine=version,
        repaired=False,
        parts={
            "greedy": put(engine, questions(encode)),
            "sampled": put(engine, sampled_questions(encode)),
        },
    )
