"""The paper of the handout: its frame, its tables and its style, with places to fill."""

from string import Template

FRAME = Template("""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>$title: the handout</title>
<style>$style</style>
<main class="side">
<header><h1>$title</h1>
<p>A small model guesses, a large one checks all guesses in one pass.
<b>What does that do to the text, and to the time?</b></p></header>
<section><h2>One round</h2>$round</section>
<section><h2>The rule</h2><ol>$rule</ol></section>
<section><h2>Why the output is p, whatever q is</h2>
<table class="proof">$proof</table><p>$because</p></section>
<section><h2>What it saves</h2><p>$speedup</p></section>
<section class="letters"><p>p: the target's probability. q: the draft's. u: a uniform, drawn from
0 to 1. (x)₊: x, or 0 if x is negative. norm: made to sum to 1. α: the probability to accept a
guess. γ: guesses per round. c: the time of one drafted token over that of one target
token.</p></section>
</main>
<main class="side">
<section><h2>Yours: a round of two Qwen3 models</h2>$board</section>
<section class="grow"><h2>The questions of the talk</h2><ol class="asked">$questions</ol></section>
<footer><b>Go on:</b> <code>make lab</code>, lesson 00 tonight: fifteen minutes. In lesson 03 you
write the rule, in lesson 04 a program proves it or finds its bug.</footer>
</main>
</html>
""")

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

BOARD = Template("""<table class="board">
<tr><th>token</th><th>p/q</th><th>u</th><th>accepted?</th></tr>$rows</table>
<p>What comes next? <span class="line"></span> How many tokens? <span class="line"></span></p>""")

STYLE = """
@page { size: A4; margin: 14mm 15mm; }
* { box-sizing: border-box; }
body { margin: 0; color: #202124;
  font: 11pt/1.4 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; }
.side { max-width: 180mm; height: 267mm; margin: 0 auto; display: flex; flex-direction: column;
  justify-content: space-between; gap: 5mm; break-after: page; break-inside: avoid; }
.side:last-child { break-after: auto; }
header { border-bottom: 1.2pt solid #202124; }
h1 { margin: 0; font-size: 23pt; line-height: 1.2; }
h2 { margin: 0 0 1.6mm; font-size: 13pt; color: #0065A2; }
p, ol { margin: 0 0 1.6mm; }
ol { padding-left: 6mm; }
li { margin-bottom: 1.2mm; }
small { font-size: 9.4pt; }
.letters { color: #55585c; font-size: 9.6pt; border-top: 0.6pt solid #c3c5c8; padding-top: 1.6mm; }
table { border-collapse: separate; border-spacing: 1.4mm 1.1mm; width: 100%;
  font-variant-numeric: tabular-nums; }
td, th { padding: 0.7mm 1.6mm; text-align: center; }
.round { table-layout: fixed; }
.round th { text-align: right; font-weight: 400; width: 44mm; }
.proof td { text-align: left; padding-left: 0; }
.proof td:first-child { width: 44mm; color: #55585c; }
.draft { border: 1.2pt dashed #CE8400; }
.draft, .given, code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
.pass { border: 1.2pt solid #0065A2; background: #0065A218; }
.acc { border: 1.2pt solid #379768; font-weight: 700; }
.rej { border: 1.2pt solid #C74800; font-weight: 700; }
.not { color: #616265; font-size: 9.4pt; }
.correction { border: 2.6pt double #BA82AB; font-weight: 700; line-height: 1.15; }
.bonus { border: 1.8pt dotted #009AEE; font-weight: 700; line-height: 1.15; }
.given { text-align: left; }
.board th { color: #55585c; font-weight: 400; }
.board :is(td, th) { padding: 1.1mm; }
.blank { border: 0.6pt solid #9a9da1; width: 46mm; }
.line { display: inline-block; width: 40mm; border-bottom: 0.6pt solid #9a9da1; }
.grow { flex: 1; display: flex; flex-direction: column; }
.asked { flex: 1; display: grid; grid-template-columns: 1fr 1fr; gap: 3mm 12mm; }
.asked li { border-bottom: 0.6pt solid #c3c5c8; margin: 0; }
footer { border-top: 0.6pt solid #202124; padding-top: 1.6mm; }
"""
