"""Engines on the pair at temperature 1: what they wrote, in how many passes, how fast.

    python -m course_utils.lessons.engines_compared.others

records those that are here (`measuring.competitors.others`), interleaved, into
data/engines/others.json.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date

import torch

from course_utils.classroom.files import whole
from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.sampling import Sampling
from course_utils.engines.questions import Encode, sampled_questions
from course_utils.engines.sessions import Run
from course_utils.models.pairs import DATA, PAIRS, load_pair
from course_utils.proofs.surprise import surprise
from workshop.bench.competitors import others
from workshop.bench.contenders import COURSE, GENAI, LLAMA, PLAIN, Contender
from workshop.bench.ours import Ours
from workshop.bench.passages import Passage
from workshop.bench.protocol import Side, interleaved, machine

FILE = DATA / "engines" / "others.json"
GAMMA = 5
VLLM_GAMMA = 4  # of the recorded session
VLLM = {
    "–": "none",
    "drawn from q": "draft_model, mended",
    "likeliest token": "draft_model_greedy, mended",
}
SETTINGS = {
    COURSE: {"–": PLAIN[COURSE], "drawn from q": Contender(COURSE, "model", GAMMA)},
    GENAI: {"–": PLAIN[GENAI], "drawn from q": Contender(GENAI, "model", GAMMA)},
    LLAMA: {
        "–": PLAIN[LLAMA],
        "likeliest token": Contender(LLAMA, "model", GAMMA, guesses="greedy"),
        "drawn from ten": Contender(LLAMA, "model", GAMMA, guesses="probabilistic"),
    },
}


@dataclass(frozen=True)
class Wrote:
    """One engine, one way to guess, on the sampled questions."""

    engine: str
    guess: str
    texts: list[list[int]]
    passes: int | None  # of the target, where it drafts; prompts not among them
    seconds: float
    gamma: int = GAMMA  # guesses per round, where it drafts

    @property
    def speed(self) -> float:
        """Tokens per second."""
        return sum(map(len, self.texts)) / self.seconds

    @property
    def tokens_per_round(self) -> float | None:
        """None without a draft."""
        return None if self.passes is None else sum(map(len, self.texts)) / self.passes


def recorded() -> list[Wrote]:
    """What was written when `FILE` was made."""
    return [Wrote(**each) for each in json.loads(FILE.read_text("utf-8"))["wrote"]]


def of_vllm(runs: Mapping[str, Run]) -> list[Wrote]:
    """The session's answers to the same questions, with the fault of lesson 12 mended."""
    found = []
    for guess, name in VLLM.items():
        part = runs[name].parts["sampled"]
        texts = [list(answer.tokens) for answer in part.answers]
        passes = part.counters.drafts if name != "none" else None
        found.append(Wrote("vLLM", guess, texts, passes, part.seconds, VLLM_GAMMA))
    return found


def asked(sides: Mapping[str, Side], encode: Encode, count: int = 16) -> list[Wrote]:
    """The first of the sampled questions put to each engine in each of its settings, in turns."""
    questions = [Passage(q.prompt, q.max_tokens) for q in sampled_questions(encode)[:count]]
    ways = {way: (who, how) for who in sides for how, way in SETTINGS[who].items()}
    runs = interleaved({way: sides[way.who].continuing(way, 1.0) for way in ways}, questions)
    return [
        Wrote(
            *ways[way],
            [list(run.text) for run in done],
            None if way.gamma is None else sum(run.passes for run in done),
            sum(run.seconds for run in done),
        )
        for way, done in runs.items()
    ]


def table(wrote: Sequence[Wrote], target: LanguageModel, encode: Encode) -> list[dict[str, object]]:
    """A line each: how fast, also beside the same engine's plain speed, and both witnesses of
    lesson 12."""
    prompts = [question.prompt for question in sampled_questions(encode)]
    plain = plain_speeds(wrote)
    lines = []
    for w in wrote:
        found = surprise(target, zip(prompts, w.texts, strict=False), Sampling())
        lines.append(
            {
                "engine": w.engine,
                "a guess": w.guess,
                "tokens per second": round(w.speed),
                "speedup": w.speed / plain[w.engine],
                "first witness": f"{found.deviations:+.1f}",
                "second": f"{found.second_deviations:+.1f}",
            }
        )
    return lines


def plain_speeds(wrote: Sequence[Wrote]) -> dict[str, float]:
    """{engine: its tokens per second without a draft}."""
    return {w.engine: w.speed for w in wrote if w.passes is None}


def _record() -> None:
    torch.set_num_threads(1)
    pair = load_pair("tiny", dtype="float32")
    engines, absent = others(*PAIRS["tiny"], torch.get_num_threads())
    for name, why in absent.items():
        print(f"{name} is left out: {why}")
    wrote = asked({COURSE: Ours(pair.target, pair.draft), **engines}, pair.encode)
    kept = {"date": date.today().isoformat(), **machine(), "wrote": [asdict(w) for w in wrote]}
    with whole(FILE) as new:
        new.write_text(json.dumps(kept) + "\n", "utf-8")


if __name__ == "__main__":
    _record()
