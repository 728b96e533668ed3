"""Speculate or not, and with which K?  From load tests, or from sizes alone.

    python -m course_utils plan k0_c1.json k0_c32.json k4_c1.json k4_c32.json
    python -m course_utils plan --url http://a:8000 --model NAME --prompts prompts.jsonl
        --clients 1,8,32 --kept tests.jsonl
    python -m course_utils plan --target FOLDER --draft FOLDER --machine H100 --alpha 0.8

The files are results of `vllm bench serve --save-result --max-concurrency N`, at each load one
without a draft and one for each K.  K can't be changed while a server runs: start it once per K,
and test each.  A small test of our own (--url) goes into the file of --kept: stop the server,
start it with another K, call the same again; the plan is that of all tests in it, and of two at
one address with the same K at the same load the newer one counts.  Servers that run side by side
are given by several --url.  Three K's give the cost line and the error at one that it did not see.

From sizes (config.json of the models) everything is computed, with the share of the bandwidth and
the time per layer that a published table shows; --at-best leaves both out.  Tables of others say
how wrong that is: notebooks/command_line.md.  Measure before you switch anything on.

--out writes a page for a design document (FILE.md, and its picture FILE.png), or FILE.png alone.
With --kept the same call writes it anew, of all tests, unless it was edited meanwhile.
"""

import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path

from course_utils.classroom.files import check_new, whole
from course_utils.classroom.palette import NEUTRAL, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.commands.choices import check_whole
from course_utils.commands.parser import Parser
from course_utils.engines.accelerators import ACCELERATORS, LAYER_LATENCY, SHARE, Accelerator
from course_utils.engines.architectures import read_model
from course_utils.engines.calculator import LARGEST, roofline
from course_utils.engines.client import Engine
from course_utils.engines.configurations import MODEL
from course_utils.engines.kept import Kept
from course_utils.engines.load_tests import LoadTest, load_tests, read_load_test, requests
from course_utils.engines.plans import (
    BETTER,
    TRUSTED,
    Advice,
    from_load_tests,
    from_sizes,
    schedule,
    switch_off,
)

LOADS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
DRAWN = (1, 2, 4, 8)  # the K's of a picture that was computed
DASH = "–"
# tests/engines/test_reported.py
DOUBT = (
    "Beside published tables such speedups were up to 16% too high (dense models, one request) and "
    "up to 76% elsewhere, so a small one decides nothing: measure it"
)


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    texts, asked = _asked(options) if options.url or options.kept else ([], {})
    kept = Kept(options.kept, asked)
    written = {record.get("wrote") for record in kept.records.values()}
    for file in _files(options.out):  # now, not when all is measured
        if not file.is_file() or sha256(file.read_bytes()).hexdigest() not in written:
            check_new(file)
    found = _computed(options) if options.target else _measured(options, texts, kept)
    if found is None:
        return 0
    source, advice, off = found
    page = as_page(source, advice, off)
    print(page)
    if options.out:
        shown = drawn(when_off(advice, off), advice)
        named = f"![{shown.alt}]({options.out.stem}.png)"
        contents = {".md": f"{page}\n\n{named}\n".encode(), ".png": shown.png}
        for file in _files(options.out):
            content = contents[file.suffix]
            kept.add(len(kept.records), {"wrote": sha256(content).hexdigest()})
            with whole(file) as new:
                new.write_bytes(content)
    return 0


def _options(arguments: list[str]) -> Namespace:
    parser = Parser("plan", __doc__)
    parser.add_argument("results", nargs="*", metavar="RESULT.json", help="of vllm bench serve")
    parser.add_argument("--out", type=Path, metavar="FILE.md", help="also FILE.png")
    servers = parser.add_argument_group("servers to be tested here")
    servers.add_argument("--url", action="append", default=[], help="once for each server")
    servers.add_argument("--kept", type=Path, metavar="FILE", help="one server after the other")
    servers.add_argument("--model", default=MODEL, help="its name there (default: %(default)s)")
    servers.add_argument("--prompts", metavar="FILE", help="a JSON string a line, as in generate")
    servers.add_argument("--clients", type=_numbers, default=(1, 8, 32), help="default: 1,8,32")
    servers.add_argument("--tokens", type=int, default=128, help="of each answer (%(default)s)")
    servers.add_argument("--temperature", type=float, default=0.0, help="default: %(default)s")
    sizes = parser.add_argument_group("sizes")
    sizes.add_argument("--target", metavar="FOLDER", help="or its config.json")
    sizes.add_argument("--draft", metavar="FOLDER", help="without: drafts that cost nothing")
    sizes.add_argument("--alpha", type=float, help="the acceptance rate that you expect")
    sizes.add_argument("--machine", default="H100", help=f"one of {', '.join(ACCELERATORS)}")
    sizes.add_argument("--bandwidth", type=float, help="TB/s, of a machine that is not listed")
    sizes.add_argument("--tflops", type=float, help="in bfloat16, dense")
    sizes.add_argument("--memory", type=float, help="GB")
    sizes.add_argument("--devices", type=int, default=1, help="tensor parallelism (%(default)s)")
    sizes.add_argument("--all-reduce", type=float, default=0.0, help="microseconds per layer (0)")
    sizes.add_argument("--layer-latency", type=float, help="microseconds (as measured elsewhere)")
    sizes.add_argument("--at-best", action="store_true", help="by the data sheet alone")
    sizes.add_argument("--context", type=int, default=1024, help="tokens per request (%(default)s)")
    sizes.add_argument("--draft-context", type=int, help="those that the draft holds")
    sizes.add_argument("--cache", default="", help="its format, as --kv-cache-dtype")
    sizes.add_argument("--loads", type=_numbers, default=LOADS, help="requests, 1,2,4,...")
    options = parser.parse_args(arguments)
    served = options.url or options.kept
    if sum(map(bool, (options.results, served, options.target))) != 1:
        parser.error("give result files, or --url, or --target with --alpha")
    if options.target and options.alpha is None:
        parser.error("--alpha is missing: how many drafted tokens are accepted?")
    if served and not options.prompts:
        parser.error("--prompts is missing: acceptance depends on the texts, so give yours")
    if len(options.url) == 1 and not options.kept:
        parser.error("one server has one K: name a file with --kept, and test the next one into it")
    if options.out and options.out.suffix not in (".md", ".png"):
        parser.error("--out takes FILE.md or FILE.png")
    check_whole("tokens", options.tokens, 2)
    return options


def _numbers(given: str) -> tuple[int, ...]:
    try:
        numbers = tuple(int(one) for one in given.split(","))
    except ValueError:
        numbers = ()
    if not numbers or min(numbers) < 1:
        raise ArgumentTypeError(f"{given!r} is no list of numbers like 1,8,32")
    return numbers


def _files(out: Path | None) -> list[Path]:
    if out is None:
        return []
    return [out] if out.suffix == ".png" else [out, out.with_suffix(".png")]


Found = tuple[str, list[Advice], int | None]


def _asked(options: Namespace) -> tuple[list[str], dict[str, object]]:
    """The prompts, and all that a test depends on but the server and its load."""
    from course_utils.commands.many import read_prompts

    texts = [asked.prompt for asked in read_prompts(options.prompts) if asked.prompt]
    if not texts:
        raise ValueError(f"{options.prompts} holds no prompt")
    asked = {"model": options.model, "tokens": options.tokens, "temperature": options.temperature}
    return texts, asked | {"prompts": sha256("\0".join(texts).encode()).hexdigest()}


def _measured(options: Namespace, texts: Sequence[str], kept: Kept) -> Found | None:
    if options.results:
        tests = [read_load_test(file) for file in options.results]
        return f"{len(tests)} load tests of vllm bench serve", from_load_tests(tests), None
    counts = [n + requests(n, len(texts)) for n in options.clients]
    engines = [Engine(url, options.model, timeout=600.0) for url in options.url]
    for engine in engines:
        engine.check()  # all, before the first is measured
    for engine in engines:
        _say(f"{engine.url}: {sum(counts)} requests of {options.tokens} tokens")
        for test in load_tests(engine, texts, options.clients, options.tokens, options.temperature):
            _say(f"K = {test.k}, {test.clients} clients: {test.speed:.0f} tokens per second")
            kept.add(len(kept.records), {"test": asdict(test)})
    tests = [LoadTest(**r["test"]) for r in kept.records.values() if "test" in r]
    loads = sorted({test.clients for test in tests})
    lacking = [n for n in loads if not {0} < {test.k for test in tests if test.clients == n}]
    if options.kept and lacking:
        _say(
            f"kept in {options.kept}; with {_requests(lacking[0])} a K above 0, or 0, is "
            "missing: start the server with another K, and call this again"
        )
        return None
    newest = {(test.name, test.k): test for test in tests}  # of one address
    source = f"{options.model}, {options.tokens} tokens of {len(texts)} prompts, tested here"
    return source, from_load_tests(list(newest.values())), None


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def _computed(options: Namespace) -> Found:
    target = read_model(options.target, options.cache)
    draft = read_model(options.draft, options.cache) if options.draft else None
    machine, latency = _machine(options), options.layer_latency
    if latency is None:
        latency = 0.0 if options.at_best else LAYER_LATENCY * 1e6
    reached = machine if options.at_best else replace(machine, bandwidth=SHARE * machine.bandwidth)
    costs = roofline(
        reached, target, draft, context=options.context, draft_context=options.draft_context,
        devices=options.devices, layer_latency=latency / 1e6, all_reduce=options.all_reduce / 1e6,
    )  # fmt: skip
    more = " or more" if costs.most_rows == LARGEST else ""
    source = (
        f"computed: {target.name} with {draft.name if draft else 'free drafts'}, "
        f"{options.devices} x {machine.name}, α = {options.alpha:g}, {options.context} tokens of "
        f"context, {reached.bandwidth / machine.bandwidth:.0%} of the bandwidth, {latency:g} µs "
        f"per layer; not measured. The memory has room for {costs.most_rows} requests{more}. "
        f"{DOUBT}"
    )
    off = switch_off(costs, options.alpha)
    return source, from_sizes(costs, options.alpha, options.loads), off


def _machine(options: Namespace) -> Accelerator:
    named = [one for name, one in ACCELERATORS.items() if options.machine.lower() in name.lower()]
    own = options.bandwidth, options.tflops, options.memory
    if None not in own:
        sizes = options.bandwidth * 1e12, options.tflops * 1e12, options.memory * 1e9
        return Accelerator(options.machine, *sizes, "given")
    if len(named) != 1:
        raise ValueError(
            f"--machine {options.machine} is not one of {', '.join(ACCELERATORS)}; of another one "
            "give --bandwidth, --tflops and --memory"
        )
    return named[0]


# --- the page -------------------------------------------------------------------------


def as_page(source: str, advice: Sequence[Advice], off: int | None) -> str:
    """Markdown: a table, what to set, from when on not, and what a better draft is worth.

    Args:
        off: the load from which on no draft pays, where it was searched for.
    """
    keys = {"requests": 0, "K": 0, "tokens per round": 2, "ms per token": 2}
    keys |= {"tokens per second": 0, "speedup": 2, f"with α + {BETTER:g}": 2}
    rows = [
        (a.clients, a.k, a.tokens, a.seconds * 1e3, a.speed, a.speedup, a.better) for a in advice
    ]
    lines = ["# Which K, and from when on none", "", f"Source: {source}.", ""]
    fitted = [a for a in advice if a.line]
    heads = [*keys, *(("round in plain passes", "hold-out error") if fitted else ())]
    lines += ["| " + " | ".join(heads) + " |", "|" + "---:|" * len(heads)]
    for a, row in zip(advice, rows, strict=True):
        cells = [_said(value, digits) for value, digits in zip(row, keys.values(), strict=True)]
        if fitted:
            cells += [f"{a.line.a:.2f} + {a.line.c:.2f} K" if a.line else DASH]
            cells += [DASH if a.missed is None else f"{a.missed:.1%}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *(f"* {said}" for said in _sentences(advice, off))])


def _said(value: float | None, digits: int) -> str:
    return DASH if value is None else f"{value:,.{digits}f}"


def _requests(n: int) -> str:
    return f"{n} request{'s' if n > 1 else ''}"


def _sentences(advice: Sequence[Advice], off: int | None) -> list[str]:
    said = [when_off(advice, off)]
    said.append(
        'vLLM\'s key for it: `"num_speculative_tokens_per_batch_size": '
        f"{schedule(advice)}`. Test it against a fixed K: it has a price of its own."
    )
    for a in advice:
        if a.missed and a.missed > TRUSTED:
            said.append(
                f"With {_requests(a.clients)} no straight line holds (it misses by "
                f"{a.missed:.0%}): what is between the tested K's stays open."
            )
        if a.line_k is not None and a.line_k not in a.speedups:
            said.append(
                f"With {_requests(a.clients)} the line expects more of K = {a.line_k}: test it."
            )
    if any(a.line and a.missed is None for a in advice):
        said.append("Two K's give a line and no error of it: test a third one.")
    gains = [(a.better / a.speedup - 1, a.clients) for a in advice if a.better]
    if gains:
        gain, clients = max(gains, key=lambda pair: (round(pair[0], 4), -pair[1]))
        said.append(
            f"A draft whose α is higher by {BETTER:g} would gain at most another {gain:.0%}, with "
            f"{_requests(clients)}."
        )
    return said


def when_off(advice: Sequence[Advice], off: int | None) -> str:
    last = max((a.clients for a in advice if a.k), default=None)
    if last is None:
        return "Drafts lose at every load here: leave them off."
    lost = ", ".join(str(a.clients) for a in advice if not a.k and a.clients < last)
    but = f", but lose with {lost}" if lost else ""
    if off:
        return f"Switch drafts off from {_requests(off)} on; they pay below{but}."
    after = next((a.clients for a in advice if a.clients > last), None)
    if after is None:
        return f"Drafts pay up to {_requests(last)}, the largest load here{but}."
    return f"Drafts pay with {_requests(last)}{but}; they lose with {after}: switch off between."


def drawn(message: str, advice: Sequence[Advice]) -> Picture:
    """Speedup over the load, a line for each K; and the tokens per second that are advised."""
    figure, (left, right) = panels(2)
    loads = [a.clients for a in advice]
    ks = sorted({k for a in advice for k in a.speedups if k} if advice[0].line else DRAWN)
    ks = [k for k in ks if any(k in a.speedups for a in advice)][:6]
    for k, look in zip(ks, series(len(ks)), strict=True):
        known = [(a.clients, a.speedups[k]) for a in advice if k in a.speedups]
        left.plot(*zip(*known, strict=True), label=f"K = {k}", **look.line())
    left.axhline(1, color=NEUTRAL, linewidth=1)
    right.plot(loads, [a.plain for a in advice], color=NEUTRAL, label="no draft")
    right.plot(loads, [a.speed for a in advice], label="as advised", **series(1)[0].line())
    for axes, what in ((left, "speedup"), (right, "tokens per second")):
        axes.set_xscale("log", base=2)
        axes.set_xticks(loads, labels=[str(n) for n in loads], minor=False)
        axes.set_xlabel("requests at a time")
        axes.set_ylabel(what)
    right.set_yscale("log", base=2)
    right.yaxis.set_major_formatter("{x:,.0f}")
    entitle(figure, message)
    legend_below(figure, 5)
    alt = "; ".join(f"{_requests(a.clients)}: K = {a.k}, {a.speedup:.2f}x" for a in advice)
    return picture(figure, f"{message} {alt}")
