"""A server that runs here, asked what the recorded ones were asked."""

from course_utils.engines.client import Engine, engine_here
from course_utils.engines.questions import Encode, questions, sampled_questions
from course_utils.engines.sessions import Run, put

YOURS = "yours"


def own_run(encode: Encode, engine: Engine | None = None) -> dict[str, Run]:
    """{"yours": what it answered}; {} where no server runs.  A few seconds.

    Raises:
        NoEngine: it went away meanwhile.
        ValueError: one answers, but serves other models or wants a key.
    """
    engine = engine or engine_here()
    if engine is None:
        return {}
    version = engine.check()
    put(engine, questions(encode)[:1])  # the first request compiles and allocates
    parts = {
        "greedy": put(engine, questions(encode)),
        "sampled": put(engine, sampled_questions(encode)),
    }
    return {
        YOURS: Run(
            configuration="your own",
            command="as you started it",
            engine=version,
            repaired=False,
            parts=parts,
        )
    }
