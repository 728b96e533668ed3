"""Write the talk's handout: one sheet of paper, A4, with every figure computed.

build/handout.html prints on both sides of the sheet: what to keep, and what to fill in.
Where a Chromium is installed, build/handout.pdf is the same, ready for the printer.
"""

from html import escape
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

from course_utils.classroom.deck import QUESTION, SCENE, Slide
from course_utils.classroom.files import write_whole
from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.commands.parser import Parser
from course_utils.commands.talk import (
    BECAUSE,
    PROOF,
    RULE,
    TITLE,
    LittleRound,
    board,
    little_round,
    qr_code,
    quiz_questions,
    slides,
    worked_speedup,
)
from workshop.browser import QUIET, find_chromium

BUILD = NOTEBOOKS.parent / "build"
FRAME = NOTEBOOKS.parent / "share" / "handout.html"  # both sides, with places to fill
SIGNS = {"accepted": "✓", "rejected": "✗", "not examined": "not examined"}
SEEN = {"\n": "⏎", " ": "␣", "\t": "⇥"}
ROUND = Template("""<table class="round">
<tr><th>the text so far</th><td class="given" colspan="$places">$before</td></tr>
<tr><th>1. the draft guesses</th>$draft<td class="none"></td></tr>
<tr><th>2. one pass of the target</th>
<td class="pass" colspan="$places">p for every guess, and for the place after them</td></tr>
<tr><th>3. p/q</th>$ratios<td class="none"></td></tr>
<tr><th>a uniform u, below p/q?</th>$uniforms<td class="none"></td></tr>
<tr><th></th>$fates<td class="$kind">$last<br><small>$kind</small></td></tr>
<tr><th>4. the text now</th><td class="given" colspan="$places">$text
<small>($tokens tokens from one pass)</small></td></tr>
</table>""")

HOME = Template('<img src="$code" alt="QR code"><p><b>$address</b></p>')
BOARD = Template("""<table class="board">
<tr><th>token</th><th>p/q</th><th>u</th><th>accepted?</th></tr>$rows</table>
<p>What comes next? <span class="line"></span> How many tokens? <span class="line"></span></p>""")


def main(arguments: list[str]) -> int:
    """0 when it is written; says where."""
    parser = Parser("handout", __doc__)
    parser.add_argument("--folder", type=Path, default=BUILD, help="default: build")
    parser.add_argument("--address", metavar="URL", help="of the course, with its QR code")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    page = options.folder / "handout.html"
    write_whole(page, handout(options.address))
    print(page)
    if find_chromium():
        print(printed(page, page.with_suffix(".pdf")))
    else:
        print("no Chromium here: open the page in a browser and print it: A4, both sides")
    return 0


def printed(page: Path, pdf: Path) -> Path:
    """The page as Chromium prints it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, TemporaryDirectory() as home:
        browser = playwright.chromium.launch_persistent_context(
            home, executable_path=find_chromium(), args=QUIET
        )
        view = browser.new_page()
        view.goto(page.resolve().as_uri())
        view.pdf(path=pdf, format="A4", print_background=True, prefer_css_page_size=True)
        browser.close()
    return pdf


def handout(address: str | None = None) -> str:
    """The sheet as one page of HTML, everything in it."""
    parts = {
        "title": TITLE,
        "round": one_round(little_round()),
        "rule": "".join(f"<li>{escape(line)}</li>" for line in RULE),
        "proof": "".join(
            f"<tr><td>{escape(name)}</td><td>{escape(formula)}</td></tr>" for name, formula in PROOF
        ),
        "because": escape(BECAUSE),
        "board": board_to_fill(board()),
        "speedup": speedup_line(),
        "questions": "".join(f"<li>{escape(text)}</li>" for text in questions(slides())),
        "home": HOME.substitute(code=qr_code(address), address=escape(address)) if address else "",
    }
    return Template(FRAME.read_text("utf-8")).substitute(parts)


def one_round(r: LittleRound) -> str:
    """A round as a scheme: guesses, one pass, uniforms against p/q, what is written."""
    heads = [f"<td class='draft'>{_seen(guess.text)}</td>" for guess in r.guesses]
    bounds = [f"<td>{guess.p / guess.q:.2f}</td>" for guess in r.guesses]
    uniforms = [_examined(guess.fate, f"{guess.uniform:.2f}") for guess in r.guesses]
    fates = [f"<td class='{guess.fate[:3]}'>{SIGNS[guess.fate]}</td>" for guess in r.guesses]
    text = " ".join(t for t, kind in r.tokens if kind in ("given", "accepted", r.last_kind))
    return ROUND.substitute(
        before=escape(r.before), draft="".join(heads), places=len(r.guesses) + 1,
        ratios="".join(bounds), uniforms="".join(uniforms), fates="".join(fates),
        last=escape(r.last), kind=r.last_kind, text=escape(text),
        tokens=sum(guess.fate == "accepted" for guess in r.guesses) + 1,
    )  # fmt: skip


def board_to_fill(rows: list[dict[str, str]]) -> str:
    """Token, p/q and u of the round that the room decides; the verdicts are left blank."""
    cells = "".join(
        f"<tr><td class='draft'>{_seen(row['token'])}</td><td>{row['p/q']}</td>"
        f"<td>{row['u']}</td><td class='blank'></td></tr>"
        for row in rows
    )
    return BOARD.substitute(rows=cells)


def speedup_line() -> str:
    """The formula, and one point of it with its numbers."""
    found = worked_speedup()
    return (
        "speedup = (1 + α + … + α<sup>γ</sup>) / (γ c + 1). "
        f"At α = {found['alpha']:g}, γ = {found['gamma']:g}, c = {found['c']:g}: "
        f"{found['tokens']:.2f} tokens per round, for the time of {found['cost']:.1f} passes: "
        f"<b>{found['speedup']:.2f} times as fast</b>. Where verification is free, "
        "a gain exists only if α &gt; c."
    )


def questions(talk: tuple[Slide, ...]) -> list[str]:
    """What the talk asks, in its order: its quiz questions, and those of its scenes.

    What is kept in reserve is left out, and what is decided step by step.
    """
    asked = []
    for slide in talk:
        if slide.kind == QUESTION:
            asked.append(quiz_questions()[slide.key].text)
        elif slide.kind == SCENE and slide.minutes and slide.ask.endswith("?"):
            asked.append(slide.ask)
    return asked


def _examined(fate: str, uniform: str) -> str:
    return "<td>–</td>" if fate == "not examined" else f"<td>{uniform}</td>"


def _seen(token: str) -> str:
    return escape("".join(SEEN.get(letter, letter) for letter in token))
