"""Two ways to write the same text as a race: bets, the race at real speed, how time was spent.

The scene computes what a run has written, called and spent at each moment
(`stage/formulas/race.mjs`).  Times are the recorded seconds of the rounds, in ms.  They do not
include reading the prompt, which the target does before the first round.
"""

import json
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np

from course_utils.classroom.rounds import run_json
from course_utils.classroom.scene import Scene
from course_utils.decoding.contracts import Round
from course_utils.models.names import DATA
from course_utils.writing.text import Decode

RACE = DATA / "race.json"  # written by `python -m workshop.bench.race`

BETS = ("less than 1: slower", "1 to 1.5 times", "1.5 to 2.5 times", "2.5 to 4 times", "4 or more")
LIMITS = (1, 1.5, 2.5, 4)  # between the bets
EVEN = 1.05  # a smaller ratio counts as no difference


def race(plain: Sequence[Round], speculative: Sequence[Round], decode: Decode) -> Scene:
    """Return the scene of both runs on one clock; decode both greedily, so that the texts agree.

    Args:
        plain, speculative: the finished rounds, with their recorded seconds.
        decode: tokens to text.

    Raises:
        ValueError: a run without rounds or without recorded time.
    """
    runs = run_of("plain decoding", plain, decode), run_of("speculation", speculative, decode)
    data = race_data(*runs)
    return Scene("race", data, f"A race. {data['question']}")


def recorded_race() -> Scene:
    """Return the recorded race: SmolLM2 answers a question with and without its draft."""
    record = json.loads(RACE.read_text("utf-8"))
    many = "s" * (record["threads"] > 1)
    source = (
        f"{record['model']}, γ = {record['gamma']}, greedy, median of {record['runs']} runs; "
        f"{record['threads']} thread{many} of an {record['processor']}, {record['date']}: "
        f"{record['command']}"
    )
    data = record["data"] | {"asked": record["question"], "source": source}
    return Scene("race", data, f"A race. {data['question']}")


def run_of(name: str, rounds: Sequence[Round], decode: Decode) -> dict[str, Any]:
    """Return a run: {name, tokens, turns: [{times: ms of drafting, target pass and host, written:
    [(text, kind)], drafted: [(text, fate)]}]}.

    Raises:
        ValueError: no rounds, or rounds without recorded seconds.
    """
    if not sum(s for r in rounds for s in vars(r.seconds).values()) > 0:
        raise ValueError(f"{name} has no recorded time: pass list(generate(...)) of a run")
    data, turns = run_json(rounds, decode), []
    texts = iter(data["pieces"])
    for r, one in zip(rounds, data["rounds"], strict=True):
        times = [1e3 * r.seconds.draft, 1e3 * r.seconds.verify, 1e3 * r.seconds.host]
        written = [(next(texts), kind) for kind in one["kinds"]]
        drafted = [(guess["text"], guess["fate"]) for guess in one["guesses"]]
        turns.append({"times": times, "written": written, "drafted": drafted})
    return {"name": name, "tokens": len(data["pieces"]), "turns": turns}


def race_data(plain: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the data of the scene for two runs of `run_of`, with the sentences of its steps."""
    runs = plain, other
    names, tokens = [run["name"] for run in runs], [run["tokens"] for run in runs]
    times = [np.array([turn["times"] for turn in run["turns"]]) for run in runs]  # (rounds, 3)
    ends = [part.sum(1).cumsum() for part in times]  # ms at which each round ends
    calls, whole = list(map(len, times)), [float(end[-1]) for end in ends]
    texts = ["".join(w for turn in run["turns"] for w, _ in turn["written"]) for run in runs]

    def clock(ms: float, more: int = 0) -> str:  # one unit for the whole race
        if max(whole) >= 10_000:
            return f"{ms / 1000:.{1 + more}f} s"
        return f"{ms:.{more + (0 if max(whole) >= 50 else 1 if max(whole) >= 5 else 2)}f} ms"

    ahead, behind = (0, 1) if whole[0] <= whole[1] else (1, 0)
    ended = bisect_right(ends[behind], whole[ahead])
    written = sum(len(turn["written"]) for turn in runs[behind]["turns"][:ended])
    finish = f"{names[ahead].capitalize()} is done at {clock(whole[ahead])}"
    if ended == calls[behind]:
        finish += f", and so is {names[behind]}"
    else:
        finish += f"; {names[behind]} has {written} of {tokens[behind]} tokens"
    share = whole[1] / tokens[1] / (whole[0] / tokens[0])  # of the time per token
    fast = f"{1 / share:.2f} times as fast"
    if 1 / share < EVEN:
        fast = "No faster" if share < EVEN else f"Slower: {fast}"
    was, now = (clock(float(part[:, 1].mean()), 1) for part in times)
    takes = f"{now} in both" if now == was else f"{now} instead of {was.split()[0]}"
    most = 1 + max(len(turn["drafted"]) for turn in other["turns"])
    return {
        "runs": list(runs),
        "question": f"{names[1].capitalize()} calls the target {calls[1]} times, {names[0]} "
        f"{calls[0]} times. How many times as fast is {names[1]}?",
        "bets": list(BETS),
        "right": bisect_right(LIMITS, round(1 / share, 2)),  # as the sentences print it
        "punch": f"{'Same text' if texts[0] == texts[1] else 'Two texts'}. {calls[1]} calls "
        f"instead of {calls[0]}. {fast}.",
        "finish": finish,
        "result": f"{clock(whole[0])} for {names[0]} against {clock(whole[1])} for {names[1]}",
        # why the time per token did not fall as far as the calls did
        "where": f"{100 * calls[1] / tokens[1] / (calls[0] / tokens[0]):.0f} % of the calls, "
        f"{100 * share:.0f} % of the time: drafting took "
        f"{100 * times[1][:, 0].sum() / whole[1]:.0f} % of it, and a pass over {most} tokens takes "
        f"{takes}.",
    }
