"""A server that runs here, asked what the recorded ones were asked."""

from course_utils.engines.client import Engine, NoEngine, engine_here
from course_utils.engines.questions import Encode, questions, sampled_questions
from course_utils.engines.sessions import Run, put

YOURS = "yours"


def own_run(encode: Encode, engine: Engine | None = None) -> dict[str, Run]:
    """{"yours": what it answered}, a few seconds; {} where no server runs, and where the one that
    does cannot be asked, which is printed: the lesson goes on with the recorded session."""
    try:
        engine = engine or engine_here()
        return {} if engine is None else {YOURS: _asked(engine, encode)}
    except (NoEngine, ValueError) as error:
        print(f"Your server was not asked: {error}")
        return {}


def _asked(engine: Engine, encode: Encode) -> Run:
    version = engine.check()
    put(engine, questions(encode)[:1])  # the first request compiles and allocates
    return Run(
        configuration="your own",
        command="as you started it",
        engine=version,
        repaired=False,
        parts={
            "greedy": put(engine, questions(encode)),
            "sampled": put(engine, sampled_questions(encode)),
        },
    )
