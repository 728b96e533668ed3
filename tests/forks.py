"""Processes that may end in any way, started at once: forked from one that has imported all."""

import multiprocessing

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        *(
            f"course_utils.commands.{name}"
            for name in ("audit", "doctor", "generate", "progress", "workbooks")
        ),
        "workshop.commands.lint",
        "workshop.commands.train",
        "transformers.models.qwen3.modeling_qwen3",
    ]
)


def exit_status(function, *arguments):
    """Of a process that calls `function`; a signal is negative."""
    process = _CONTEXT.Process(target=function, args=arguments)
    process.start()
    process.join()
    return process.exitcode


def result_of(function, *arguments):
    """What `function` returns in a process of its own; what it raises, too."""
    with _CONTEXT.Pool(1) as pool:
        return pool.apply(function, arguments)
