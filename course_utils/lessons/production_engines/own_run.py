"""Run the recorded session's questions on a local server."""

from collections.abc import Callable, Sequence

from course_utils.engines.client import Engine, NoEngine, Question, engine_here
from course_utils.engines.sessions import ServerRun, put
from course_utils.models.names import held_out_prompts

YOURS = "yours"
Encode = Callable[[str], Sequence[int]]
NEW = 64  # tokens per answer


def questions(encode: Encode) -> list[Question]:
    """Return eight greedy questions on code and prose."""
    texts = [*held_out_prompts("code")[:4], *held_out_prompts("prose")[:4]]
    return [Question(tuple(encode(text)), NEW, temperature=0.0) for text in texts]


def sampled_questions(encode: Encode) -> list[Question]:
    """Return sixteen questions at temperature 1, each with its own seed."""
    texts = [*held_out_prompts("code")[:8], *held_out_prompts("prose")[:8]]
    return [Question(tuple(encode(text)), NEW, 1.0, seed) for seed, text in enumerate(texts)]


def own_run(encode: Encode, engine: Engine | None = None) -> dict[str, ServerRun]:
    """Return {"yours": the run of a local server}, in a few seconds; {} if none answers.

    An error of the server is printed, and the lesson continues with the recorded session."""
    try:
        engine = engine or engine_here()
        return {} if engine is None else {YOURS: _query(engine, encode)}
    except (NoEngine, ValueError) as error:
        print(f"Your server is left out of the tables: {error}")
        return {}


def _query(engine: Engine, encode: Encode) -> ServerRun:
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
