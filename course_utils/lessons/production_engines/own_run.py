"""Run the recorded session's questions on a local server."""

from collections.abc import Callable, Sequence

from course_utils.engines.client import Engine, NoEngine, Question, engine_here
from course_utils.engines.sessions import ServerRun, put
from course_utils.models.names import held_out_prompts

YOURS = "yours"
Encode = Callable[[str], Sequence[int]]
NEW = 64  # tokens per answer


def questions(encode: Encode, of_each: int, temperature: float) -> list[Question]:
    """Return questions on code and prose, `of_each` many; each has its own seed."""
    texts = [text for kind in ("code", "prose") for text in held_out_prompts(kind)[:of_each]]
    return [Question(tuple(encode(text)), NEW, temperature, i) for i, text in enumerate(texts)]


def own_run(encode: Encode, engine: Engine | None = None) -> dict[str, ServerRun]:
    """Return {"yours": the run of a local server}, in a few seconds; {} if none answers.

    An error of the server is printed, and the lesson continues with the recorded session."""
    greedy, sampled = questions(encode, 4, temperature=0.0), questions(encode, 8, temperature=1.0)
    try:
        engine = engine or engine_here()
        if engine is None:
            return {}
        version = engine.check()
        put(engine, greedy[:1])  # the first request compiles and allocates
        parts = {"greedy": put(engine, greedy), "sampled": put(engine, sampled)}
    except (NoEngine, ValueError) as error:
        print(f"Your server is left out of the tables: {error}")
        return {}
    own = ServerRun(
        configuration="your own", command="as you started it", engine=version, repaired=False,
        parts=parts,
    )  # fmt: skip
    return {YOURS: own}
