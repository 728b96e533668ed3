/* Built by stage/build.mjs. Course: Apache-2.0. */
function G(e){let o=new Map,r=t=>o.get(t)??o.set(t,new Set).get(t);return{get:t=>e[t],set:(t,n)=>{e[t]=n,r(`change:${t}`).forEach(s=>s())},on:(t,n)=>r(t).add(n),off:(t,n)=>n?r(t).delete(n):r(t).clear(),save_changes:()=>{},send:()=>{},alone:!0}}async function H({model:e,data:o,key:r,place:t}){let n=o.states?.[r];if(n){let u=G({...n,on_paper:e.get("on_paper")});return window.courseStage.scenes[n.scene].render({model:u,el:t})}let s=await he(e,r),p=await e.widget_manager.get_model(s.replace("IPY_MODEL_","")),d=await e.widget_manager.create_view(p);return t.replaceChildren(d.el),d.trigger?.("displayed"),()=>d.remove()}function N(e,o){let r=e.get("wanted")??[];e.alone||r.includes(o)||(e.set("wanted",[...r,o]),e.save_changes())}function he(e,o){return new Promise((r,t)=>{let n=()=>{let s=e.get("built")?.[o],p=e.get("failed")?.[o];!s&&!p||(e.off("change:built",n),e.off("change:failed",n),s?r(s):t(new Error(p)))};e.on("change:built",n),e.on("change:failed",n),N(e,o),n()})}var ke="http://www.w3.org/2000/svg";function i(e,o={},...r){return R(document.createElement(e),o,r)}function P(e,o={},...r){return R(document.createElementNS(ke,e),o,r)}function R(e,o,r){for(let[t,n]of Object.entries(o))typeof n=="function"?e.addEventListener(t.replace(/^on/,""),n):n!==!1&&n!=null&&e.setAttribute(t,n===!0?"":n);return e.append(...r.flat().filter(t=>t!=null&&t!==!1)),e}function $(e,o,r={}){return i("button",{type:"button",onclick:o,...r},e)}var U=`/* A screen of 66em by 29em for a scene, with what is asked above it and the desk below. */
.deck {
  padding: 0.5em 1.2em 0.3em; max-width: none; display: flex; flex-direction: column; min-height: 37.5em;
}
.deck.whole, .deck:fullscreen {
  --stage-font: max(16px, min(1.45vw, 2.578vh));
  position: fixed; inset: 0; z-index: 20; width: auto; height: auto; min-height: 0; border: 0; border-radius: 0; overflow: hidden;
}
.deck:focus { outline: none; }
.deck[data-theme="light"] {
  --jp-ui-font-color1: #202124; --jp-layout-color0: #fff; --color-foreground-primary: #202124; --color-background-primary: #fff;
}
.deck[data-theme="dark"] {
  --jp-ui-font-color1: #f4f4f4; --jp-layout-color0: #111; --color-foreground-primary: #f4f4f4; --color-background-primary: #111;
}
.deck .slides { flex: 1; min-height: 0; display: flex; flex-direction: column; }
.deck .slide { display: none; flex: 1; min-height: 0; flex-direction: column; }
.deck .slide.current { display: flex; }
.deck .slide > header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1.4em; padding: 0.2em 0 0.5em; }
.deck .slide > header > h2 { margin: 0; font-size: 1.55em; line-height: 1.3; font-weight: 700; color: inherit; border: 0; padding: 0; }
.deck .slide > header > .ask { margin: 0; font-size: 1.15em; line-height: 1.35; padding-left: 0.7em; border-left: 0.28em solid var(--target); }
.deck .slide > .deck-body { flex: 1; min-height: 0; overflow: auto; overflow-x: hidden; padding: 3px; margin: -3px; }
.deck .slide .course-scene { max-width: none; padding: 0; border: 0; border-radius: 0; }
.deck .place-of-scene { outline: none; }
.deck .deck-waiting { font-size: 1.3em; margin: 4em 0; text-align: center; }
.deck .deck-words .unseen, .deck .deck-timer.unseen { visibility: hidden; }

.deck .slide.kind-words > .deck-body, .deck .slide.kind-question > .deck-body { display: grid; align-content: center; }
.deck .slide.kind-words > header > h2 { font-size: 2.1em; }
.deck .slide.kind-words .place-of-scene { max-width: 60em; width: 100%; margin: 0 auto; padding-bottom: 1em; }
.deck .deck-words { counter-reset: line; }
.deck .deck-words p { font-size: 1.8em; line-height: 1.35; margin: 0.5em 0; text-wrap: balance; transition: opacity 250ms; }
.deck .deck-words p.unseen { opacity: 0; }
.deck .deck-words p.numbered { padding-left: 1.5em; position: relative; }
.deck .deck-words p.numbered::before { counter-increment: line; content: counter(line); position: absolute; left: 0; font-weight: 700; color: var(--target); }
.deck .deck-words p.large { font-size: 2.4em; line-height: 1.25; font-weight: 700; }
.deck .deck-words p.note { font-size: 1.3em; color: var(--quiet); margin: 0.8em 0 0.1em; }
.deck .deck-words p.code { font-size: 2.2em; font-family: var(--jp-code-font-family, ui-monospace, monospace), monospace; }
.deck .deck-words p.formula { font-size: 2.1em; margin: 0.1em 0 0.3em; padding-left: 0.5em; border-left: 0.18em solid var(--line); font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", Georgia, serif; }
.deck .deck-words p.formula.accepted { border-color: var(--accepted); }
.deck .deck-words p.formula.correction { border-left: 0.22em double var(--correction); }
.deck .deck-words p.formula.target { border-color: var(--target); font-weight: 700; }
.deck .deck-words table { border-collapse: collapse; margin: 1em 0 0.6em; font-size: 1.7em; font-variant-numeric: tabular-nums; background: none; }
.deck .deck-words :is(th, td) { padding: 0.25em 1.4em 0.25em 0; text-align: left; border: 0; border-bottom: 1px solid var(--line); font-size: 1em; background: none; color: inherit; }
.deck .deck-words th { font-size: 0.76em; color: var(--quiet); font-weight: 600; }
.deck .deck-words p.tokens { font-size: 1.75em; line-height: 1.5; margin: 0.6em 0; }
.deck .deck-words p.tokens .given { margin-right: 0.25em; }
.deck .deck-words img { display: inline-block; height: 5em; vertical-align: middle; margin: 0 0.8em 0 0; }
.deck .slide.kind-words .place-of-scene > .steps { display: none; }
.deck .slide.kind-question .place-of-scene { max-width: 52em; width: 100%; margin: 0 auto; padding-bottom: 2em; }
.deck.whole .slide.kind-question .course-scene, .deck:fullscreen .slide.kind-question .course-scene { --stage-font: max(16px, min(1.8vw, 3.2vh)); }
/* a little larger than on its own: so it fills the screen */
.deck:is(.whole, :fullscreen):not(.scrolled) .slide.kind-scene:not([data-key="batch"], [data-key="distributions"]) .course-scene { --stage-font: max(16px, min(1.5vw, 2.667vh)); }
.deck:is(.whole, :fullscreen):not(.scrolled) .race { min-height: 27.5em; align-content: space-between; }
/* the race is what a slide shows: no log */
.deck:is(.whole, :fullscreen):not(.scrolled) .live .desk { grid-template: "controls left right" auto "controls past past" auto / 17em minmax(0, 1fr) minmax(0, 1fr); }
.deck:is(.whole, :fullscreen):not(.scrolled) .live[data-alone] .desk { grid-template: "left right" auto "controls past" auto / minmax(0, 1fr) minmax(0, 1fr); }
.deck:is(.whole, :fullscreen):not(.scrolled) .live .stream { height: 14.5em; font-size: 1.1em; }
.deck:is(.whole, :fullscreen):not(.scrolled) .live .past :is(.runlog, button) { display: none; }
.deck:is(.whole, :fullscreen):not(.scrolled) .live .legend { display: flex; gap: 0.8em; }

.deck .deck-progress { height: 3px; margin: 0.3em -1.2em 0; background: var(--faint); }
.deck .deck-progress i { display: block; height: 100%; background: var(--target); transform: scaleX(0); transform-origin: left; transition: transform 200ms; }
.deck .deck-desk { display: flex; align-items: center; gap: 0.5em; padding-top: 0.3em; }
.deck .deck-desk .gap { flex: 1; }
.deck .deck-desk .place { font-variant-numeric: tabular-nums; min-width: 4em; text-align: center; }
.deck .deck-desk .icon { display: block; margin: 0 auto; }
.deck .deck-desk button { min-width: 2.4em; min-height: 2em; padding: 0.05em 0.5em; background: none; border-color: transparent; line-height: 1.2; }
.deck .deck-desk button:hover { background: var(--faint); }
.deck .deck-desk .tool.on, .deck .deck-desk .tool.back { border-color: var(--line); }
.deck .deck-timer { display: flex; align-items: center; gap: 0.6em; font-variant-numeric: tabular-nums; }
.deck .deck-timer .plan { color: var(--quiet); }
.deck .deck-timer.late .plan { color: var(--rejected); font-weight: 600; }

.deck .deck-overview { width: 60em; max-width: 94%; max-height: 90%; padding: 1em 1.2em; border: 1px solid var(--line); border-radius: 0.6em; background: var(--ground); color: var(--ink); font: inherit; }
.deck .deck-overview::backdrop { background: rgb(0 0 0 / 55%); }
.deck .deck-overview ol { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(17em, 1fr)); gap: 0.5em; }
.deck .deck-overview li { margin: 0; }
.deck .deck-overview button { width: 100%; height: 100%; display: grid; grid-template-columns: 1.8em 1fr; gap: 0 0.3em; text-align: left; padding: 0.4em 0.7em; }
.deck .deck-overview small { grid-column: 2; }
.deck .deck-overview [aria-current] { border-color: var(--target); border-width: 2px; }
.deck .deck-help { width: 40em; }
.deck .deck-help dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: 0.5em 1.2em; font-size: 1.15em; }
.deck .deck-help :is(dt, dd) { margin: 0; padding: 0; font-weight: 400; }
.deck .deck-help kbd { margin-right: 0.3em; padding: 0.1em 0.5em; border: 1px solid var(--line); border-radius: 0.3em; background: var(--faint); font: inherit; color: inherit; }
.deck.blank::after { content: ""; position: absolute; inset: 0; background: #000; z-index: 30; }

html.course-whole:not(.course-scrolled), html.course-whole:not(.course-scrolled) body { overflow: hidden; height: 100%; margin: 0; padding: 0; }

/* a phone: a page to scroll */
.deck.scrolled { position: static; overflow: visible; min-height: 0; padding: 0 0.7em 3em; }
.deck.scrolled .slides { display: block; }
.deck.scrolled .slide { display: block; height: auto; padding: 1em 0 1.6em; border-bottom: 1px solid var(--line); }
.deck.scrolled .slide > .deck-body { overflow: visible; display: block; }
.deck.scrolled .slide .place-of-scene { padding-bottom: 0; min-height: 6em; }
.deck.scrolled .deck-words :is(p, table) { font-size: 1.1em; }
.deck.scrolled .deck-words :is(p.large, p.formula, p.code) { font-size: 1.2em; }
.deck.scrolled .deck-words table { width: 100%; font-size: 1em; }
.deck.scrolled .deck-words :is(th, td) { padding-right: 0.6em; }
.deck.scrolled .deck-words td .chip { white-space: pre-wrap; }
.deck.scrolled .deck-words :is(p.note, p.tokens, th) { font-size: 1em; }
.deck.scrolled .slide.kind-words .place-of-scene > .steps { display: flex; margin-top: 0.6em; }
.deck.scrolled .slide > header > h2 { font-size: 1.35em; }
.deck.scrolled :is(.deck-desk, .deck-progress) { display: none; }

@media print {
  .deck.whole { position: static; overflow: visible; }
  .deck .slide { display: block; height: auto; break-inside: avoid; }
  .deck :is(.deck-desk, .deck-progress) { display: none; }
  .deck .deck-words .unseen { visibility: visible; opacity: 1; }
}
`;var ve=[["→ space PageDown","on: the next step, then the next slide"],["← PageUp","back"],["Home End","first and last slide"],["o","all slides"],["s","the speaker’s window: notes, next slide, clock"],["a b c d","on a question: votes"],[". b","black, and back again"],["f","full screen"],["d","light or dark"],["t","timer: show or hide"],["?","this list"]];function X(){let e=ve.map(([r,t])=>[i("dt",{},r.split(" ").map(n=>i("kbd",{},n))),i("dd",{},t)]),o=i("dialog",{class:"deck-overview deck-help","aria-label":"Keys"},i("dl",{},e.flat()));return o.addEventListener("click",()=>o.close()),o.addEventListener("keydown",r=>{r.key==="?"&&o.close(),r.key!=="Escape"&&r.stopPropagation()}),{element:o,toggle:()=>o.open?o.close():o.showModal()}}var we={back:"M15 5 L8 12 L15 19",on:"M9 5 L16 12 L9 19",all:"M4 5h6v6H4z M14 5h6v6h-6z M4 14h6v6H4z M14 14h6v6h-6z",clock:"M12 4a8.5 8.5 0 1 0 .01 0z M12 8v5l3.5 2",ground:"M12 3.5a8.5 8.5 0 1 0 .01 0z M12 3.5v17 M15 5v14 M18 7v10",notes:"M5 4h14v16H5z M8 8h8 M8 12h8 M8 16h5",help:"M8.5 8.5a3.5 3.5 0 1 1 5.2 3c-1.2.7-1.7 1.4-1.7 3 M12 18.5v.5",full:"M4 9V4h5 M15 4h5v5 M20 15v5h-5 M9 20H4v-5",pause:"M8 5v14 M16 5v14",play:"M8 5l11 7l-11 7z"};function j(e){return P("svg",{class:"icon",viewBox:"0 0 24 24","aria-hidden":"true",width:"1.25em",height:"1.25em"},P("path",{d:we[e],fill:"none",stroke:"currentColor","stroke-width":"2","stroke-linecap":"round","stroke-linejoin":"round"}))}var Y=(e,o)=>`${e} ${o}${e===1?"":"s"}`;var V={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},_={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function q(e,o="given"){return i("span",{class:`chip ${o}`,title:_[o]},i("bdi",{},xe(e)),V[o]?i("i",{class:"sign","aria-label":o},V[o]):null)}function xe(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(W,J).replaceAll(" ","␣")||"·"}var x=e=>e.replace(W,J),W=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,J=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var ye={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1};function Q(e,o){let r=e.map((n,s)=>i("button",{type:"button",onclick:()=>(t.close(),o(s))},i("b",{},String(s+1)),i("span",{},x(n.title)),i("small",{class:"quiet"},n.minutes?Y(n.minutes,"minute"):"in reserve"))),t=i("dialog",{class:"deck-overview","aria-label":"All slides"},i("ol",{},r.map(n=>i("li",{},n))));return t.addEventListener("keydown",n=>{let s=ye[n.key],p=r.indexOf(document.activeElement);s&&r[(p+s+r.length)%r.length].focus(),n.key==="o"&&t.close(),(s||n.key==="o")&&n.preventDefault(),n.key!=="Escape"&&n.stopPropagation()}),t.addEventListener("click",n=>n.target===t&&t.close()),{element:t,open(n){if(t.open)return t.close();r.forEach((s,p)=>p===n?s.setAttribute("aria-current","step"):s.removeAttribute("aria-current")),t.showModal(),r[n].focus()}}}function Z(e){let o=()=>{e.dataset.ground=Ee(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},r=()=>[0,100,400].forEach(s=>setTimeout(o,s)),t=new MutationObserver(r);for(let s of[document.documentElement,document.body])t.observe(s,{attributes:!0});let n=matchMedia("(prefers-color-scheme: dark)");return n.addEventListener("change",r),o(),r(),()=>{t.disconnect(),n.removeEventListener("change",r)}}function Ee(e){let[o,r,t,n=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return n===0?1:(.2126*o+.7152*r+.0722*t)/255}var ee=`/* One look for all scenes, on the variables of whatever page they stand in. */
.course-scene {
  --ink: var(--jp-ui-font-color1, var(--color-foreground-primary, #202124));
  --ground: var(--jp-layout-color0, var(--color-background-primary, #fff));
  --quiet: color-mix(in srgb, var(--ink) 72%, var(--ground));
  --line: color-mix(in srgb, var(--ink) 26%, var(--ground));
  --faint: color-mix(in srgb, var(--ink) 8%, var(--ground));
  /* the palette's roles (course_utils/classroom/palette.py); a test holds them equal */
  --draft: #CE8400; --target: #0065A2; --accepted: #379768; --rejected: #C74800;
  --correction: #BA82AB; --bonus: #009AEE; --neutral: #616265;
  box-sizing: border-box;
  container-type: inline-size;
  position: relative;
  max-width: 72em;
  padding: 0.7em 1em 0.9em;
  border: 1px solid var(--line);
  border-radius: 0.5em;
  background: var(--ground);
  color: var(--ink);
  font-family: var(--jp-ui-font-family, system-ui), "Noto Sans CJK SC", "PingFang SC",
    "Microsoft YaHei", sans-serif;
  font-size: var(--stage-font, max(16px, calc(1.1 * var(--jp-content-font-size1, 14px))));
  line-height: 1.45;
  text-align: left;
}
.course-scene[data-ground="dark"] {
  --draft: #F5AA3D; --target: #4B8AD2; --accepted: #4ABA80; --rejected: #F26936;
  --correction: #D09BD1; --bonus: #8FE3FF; --neutral: #A0A5A7;
}
.course-scene *, .course-scene *::before, .course-scene *::after { box-sizing: border-box; }
/* in a row of widgets it takes the room that they leave; by itself it would have no width */
.widget-hbox > :has(> .course-scene) { flex: 1; min-width: 0; }
.course-scene:focus-visible, .course-scene :focus-visible {
  outline: 3px solid var(--target); outline-offset: 2px;
}
.course-scene p { margin: 0.3em 0; font-size: 1em; line-height: 1.45; color: inherit; }
.course-scene h3 { margin: 0 0 0.3em; padding: 0; font-size: 1.1em; line-height: 1.3; color: inherit; }
.course-scene .quiet { color: var(--quiet); }
.course-scene small { font-size: 0.92em; } /* the smallest text there is */
.course-scene .row { display: flex; flex-wrap: wrap; gap: 0.5em 1em; align-items: center; }
.course-scene .columns { display: flex; flex-wrap: wrap; gap: 0.8em 1.6em; }
.course-scene .columns > * { flex: 1 1 20em; min-width: 0; }

.course-scene button, .course-scene select, .course-scene input[type="text"], .course-scene textarea {
  font: inherit; color: var(--ink); background: var(--faint);
  border: 1px solid color-mix(in srgb, var(--ink) 55%, var(--ground)); border-radius: 0.4em;
  padding: 0.25em 0.75em; min-height: 2.2em; cursor: pointer; max-width: 100%;
}
.course-scene input[type="text"], .course-scene textarea { cursor: text; }
.course-scene button:hover { background: color-mix(in srgb, var(--ink) 16%, var(--ground)); }
.course-scene button[aria-disabled="true"], .course-scene button:disabled { opacity: 0.62; cursor: default; }
.course-scene button[aria-pressed="true"] { background: var(--ink); color: var(--ground); }
.course-scene button.next { font-weight: 600; }
.course-scene .vote { position: relative; isolation: isolate; overflow: hidden; display: flex; gap: 0.5em; text-align: left; }
.course-scene .vote > .bar { position: absolute; inset: 0; z-index: -1; transform: scaleX(var(--share, 0)); transform-origin: left; background: color-mix(in srgb, var(--target) 32%, var(--ground)); transition: transform 200ms; }
.course-scene .vote > .sum { margin-left: auto; font-weight: 700; font-variant-numeric: tabular-nums; }

.course-scene .steps { display: flex; flex-wrap: wrap; gap: 0.4em 0.7em; align-items: center; }
.course-scene .steps .place { color: var(--quiet); font-variant-numeric: tabular-nums; min-width: 3.2em; }
.course-scene .steps .said { flex: 1 1 18em; margin: 0; min-height: 1.45em; font-weight: 600; }

.course-scene .slider { display: grid; grid-template-columns: minmax(7em, 12em) minmax(6em, 1fr) 4.2em; gap: 0.6em; align-items: center; }
.course-scene .slider input { width: 100%; min-height: 1.6em; accent-color: var(--target); cursor: pointer; }
.course-scene .slider output { font-variant-numeric: tabular-nums; }
.course-scene .choice { display: flex; flex-wrap: wrap; gap: 0.6em; align-items: center; }
.course-scene .tabs { display: flex; flex-wrap: wrap; gap: 0.3em; }

.course-scene .chip {
  display: inline-block; padding: 0 0.3em; margin: 0.1em 0.06em; border-radius: 0.3em; border: 2px solid transparent;
  font-family: var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace;
  white-space: pre; unicode-bidi: isolate; line-height: 1.35;
}
.course-scene .chip .sign { display: inline-block; font-style: normal; font-weight: 700; margin-left: 0.25em; font-family: system-ui, sans-serif; }
.course-scene .chip.given { padding: 0; margin: 0; border-width: 0; }
.course-scene .chip.draft { border: 2px dashed var(--draft); background: color-mix(in srgb, var(--draft) 16%, var(--ground)); }
.course-scene .chip.accepted { border-color: var(--accepted); background: color-mix(in srgb, var(--accepted) 22%, var(--ground)); }
.course-scene .chip.rejected { border-color: var(--rejected); background: color-mix(in srgb, var(--rejected) 16%, var(--ground)); text-decoration: line-through; }
.course-scene .chip.correction { border: 3px double var(--correction); background: color-mix(in srgb, var(--correction) 24%, var(--ground)); font-weight: 600; }
.course-scene .chip.bonus { border-color: var(--bonus); background: color-mix(in srgb, var(--bonus) 24%, var(--ground)); font-weight: 600; border-style: dotted; border-width: 3px; }
.course-scene .chip.target { border-color: var(--target); background: color-mix(in srgb, var(--target) 16%, var(--ground)); font-style: italic; }
.course-scene .chip.lost { border: 2px dotted var(--neutral); color: var(--quiet); text-decoration: line-through; }
.course-scene .legend { display: flex; flex-wrap: wrap; gap: 0.2em 1.2em; font-size: 0.92em; color: var(--quiet); }
.course-scene .legend .chip { color: var(--ink); }

.course-scene svg { display: block; max-width: 100%; overflow: visible; }
.course-scene svg text { fill: currentColor; font-family: inherit; font-size: 0.92em; }
.course-scene .axis { font: inherit; }
.course-scene .axis text { font-size: 0.92em; }
.course-scene .axis path, .course-scene .axis line { stroke: var(--line); }
.course-scene .axis.x path { stroke: var(--ink); }
.course-scene .axis.y path { display: none; }
.course-scene .label { fill: var(--quiet); }

@container (max-width: 34em) {
  .course-scene .slider { grid-template-columns: 1fr 4.2em; gap: 0 0.6em; }
  .course-scene .slider span { grid-column: 1 / -1; }
  .course-scene .columns > * { flex-basis: 100%; }
}
@media (prefers-reduced-motion: reduce) {
  .course-scene *, .course-scene *::before, .course-scene *::after { transition: none !important; animation: none !important; }
}
@media print {
  .course-scene { break-inside: avoid; }
  .course-scene .steps button, .course-scene .slider input { display: none; }
}
`;function ne(e,o,r=""){return{render({model:t,el:n}){te("stage",ee),r&&te(e,r);let s=i("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":t.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});n.replaceChildren(s);let p=Z(s),d,u=()=>{let{at:m,last:l}=s.steps;t.get("step")===m&&t.get("last_step")===l()||(t.set("last_step",l()),t.set("step",m),t.save_changes())},a=()=>{let m=s.steps;if(!m?.last)return;m.went=u;let l=t.get("step")??m.at;l===m.at?u():m.go(l)},f=()=>{d?.(),s.replaceChildren(),d=o({root:s,data:t.get("data"),model:t}),a()};return t.on("change:data",f),t.on("change:step",a),f(),()=>{t.off("change:data",f),t.off("change:step",a),d?.(),p()}}}}function te(e,o){let r=`course-look-${e}`,t=document.getElementById(r);t?t.textContent=o:document.head.append(i("style",{id:r},o))}var Me=`body { margin: 0; padding: 4vmin 5vmin; background: #111; color: #f4f4f4; font: 5.2vmin/1.4 system-ui, sans-serif; }
p { margin: 0 0 3vmin; } .late { color: #F26936; } [data-is=clock], [data-is=title] { font-weight: 700; }
[data-is=say] { font-size: 1.4em; } [data-is=ask] { border-left: 1vmin solid #4B8AD2; padding-left: 2vmin; } [data-is=ask]:empty { display: none; }
[data-is=next] { color: #b5b5b5; }`,Le=200;function oe(e,o){let r,t,n=()=>(clearInterval(t),r?.close());return{close:n,open(){if(n(),r=window.open("","","popup,width=760,height=560"),!r)return;let{document:s}=r;s.title="Speaker’s notes",s.head.append(i("style",{},Me));let p=["clock","title","say","ask","next"].map(u=>[u,i("p",{"data-is":u})]);s.body.append(...p.map(([,u])=>u));let d=()=>{if(r.closed)return clearInterval(t);let{late:u,...a}=e();for(let[f,m]of p)m.textContent=x(a[f].replace(/[*`]/g,""));s.body.firstChild.className=u?"late":""};r.addEventListener("keydown",u=>(o(u),d())),t=setInterval(d,Le),d()}}}function re(e,{left:o,right:r,when:t}){let n=null,s=d=>{let[u,...a]=d.touches;n=a.length||!t()||Se(d.target,e)?null:u},p=d=>{if(!n)return;let[u]=d.changedTouches,a=u.clientX-n.clientX,f=u.clientY-n.clientY;n=null,!(Math.abs(a)<50||Math.abs(a)<2*Math.abs(f))&&(a<0?o():r())};return e.addEventListener("touchstart",s,{passive:!0}),e.addEventListener("touchend",p,{passive:!0}),()=>{e.removeEventListener("touchstart",s),e.removeEventListener("touchend",p)}}function Se(e,o){for(let r=e;r&&r!==o;r=r.parentElement){if(r.matches("input, select, textarea, [role=slider]"))return!0;let{touchAction:t,overflowX:n}=getComputedStyle(r);if(t!=="auto"&&t!=="manipulation"||/auto|scroll/.test(n)&&r.scrollWidth>r.clientWidth+1)return!0}return!1}var T=1e3;function se(e){let o=e.map((v,w)=>e.slice(0,w+1).reduce((y,E)=>y+E,0)*60*T),r=0,t=null,n=0,s,p=i("b",{}),d=i("span",{class:"plan"}),u=$("",()=>t===null?f():m(),{class:"pause"}),a=i("div",{class:"deck-timer",role:"timer","aria-label":"Time"},p,d,u);function f(){t=performance.now(),s=setInterval(b,T/2),b()}function m(){r=l(),t=null,clearInterval(s),b()}let l=()=>r+(t===null?0:performance.now()-t);function b(){let v=l()-o[n];p.textContent=D(l()),d.textContent=v>0?`${D(v)} late`:`until ${D(o[n])}`,d.title="planned end of this slide",a.classList.toggle("late",v>0),a.dataset.running=t!==null,u.replaceChildren(j(t===null?"play":"pause")),u.setAttribute("aria-label",t===null?"Start the timer":"Pause the timer")}return b(),{element:a,begin:()=>t===null&&r===0&&f(),told:()=>({clock:`${p.textContent} · ${d.textContent}`,late:a.classList.contains("late")}),at:v=>(n=v,b()),stop:()=>clearInterval(s),toggle:()=>a.classList.toggle("unseen")}}function D(e){let o=Math.floor(e/T);return`${Math.floor(o/60)}:${String(o%60).padStart(2,"0")}`}var ze=["ArrowRight","PageDown"," "],Ce=["ArrowLeft","PageUp"],$e="input, select, textarea, [role=slider]";function ie(e,{count:o,say:r,show:t}){let n=()=>typeof o=="function"?o():o,s=i("p",{class:"said",role:"status",dir:"auto"}),p=i("span",{class:"place"}),d=i("button",{type:"button",class:"back",onclick:()=>a.back()},"◀ Back"),u=i("button",{type:"button",class:"next",onclick:()=>a.next()},"Next ▶"),a={at:0,last:()=>n()-1,went:()=>{},bar:i("div",{class:"steps"},d,u,p,s),go(f,m=!1){a.at=Math.max(0,Math.min(f,a.last())),s.textContent=r(a.at),p.textContent=`${a.at+1} / ${n()}`,d.setAttribute("aria-disabled",a.at===0),u.setAttribute("aria-disabled",a.at===a.last()),t(a.at,m),a.went()},next(){return a.at>=a.last()?!1:(a.go(a.at+1,!0),!0)},back(){return a.at<=0?!1:(a.go(a.at-1),!0)}};return e.steps=a,e.onkeydown=f=>{if(f.altKey||f.ctrlKey||f.metaKey||f.defaultPrevented)return;let{key:m,target:l}=f;if(l.closest($e)||m===" "&&l.closest("button, summary"))return;(ze.includes(m)?a.next():Ce.includes(m)?a.back():m==="Home"?(a.go(0),!0):m==="End"&&(a.go(a.last()),!0))&&(f.preventDefault(),f.stopPropagation())},a}function ae(e,{lines:o,board:r,title:t}){let n=[],s=(m,l)=>(n.push([m,l]),m),p=o.map(({text:m,look:l,at:b,tokens:v,picture:w})=>s(i("p",{class:l},w?i("img",{src:w,alt:"QR code"}):"",v.length?v.map(([y,E])=>q(y,E)):x(m)),b)),d=Math.max(0,...n.map(([,m])=>m),...r?.at??[]),u=p.filter((m,l)=>o[l].at===0),a=p.filter((m,l)=>o[l].at>0),f=ie(e,{count:d+1,say:m=>m<d?"":"All is shown.",show:m=>n.forEach(([l,b])=>l.classList.toggle("unseen",m<b))});e.append(i("div",{class:"deck-words"},u,r?je(r,s,t):null,a)),d&&e.append(f.bar),f.go(0)}function je({head:e,rows:o,at:r},t,n){let s=(d,u)=>u===0?q(d):d in _?q(d,d):x(d),p=(d,u,a)=>i(d,{},t(i("span",{},d==="th"?u:s(u,a)),r[a]));return i("table",{"aria-label":n},i("thead",{},i("tr",{},e.map((d,u)=>p("th",d,u)))),i("tbody",{},o.map(d=>i("tr",{},d.map((u,a)=>p("td",u,a))))))}var qe=["a","b","c","d"],Ie=["b",".","Escape"],Fe=["PageDown","PageUp"],Ne="(max-width: 640px), (max-height: 460px)",It=ne("deck",({root:e,data:o,model:r})=>{let t=!!(o.whole||"voila"in document.body.dataset),n=matchMedia(Ne),s=o.slides.map((c,h)=>b(c,h)),p=se(o.slides.map(({minutes:c})=>c)),d=Q(o.slides,c=>(w(c),e.focus({preventScroll:!0}))),u=X(),a=oe(ce,S),f=i("span",{class:"place",role:"status"}),m=i("div",{class:"deck-progress","aria-hidden":"true"},i("i")),l=Math.min(s.length-1,t?Math.max(0,(parseInt(location.hash.slice(1))||1)-1):0);e.classList.toggle("whole",t),document.documentElement.classList.toggle("course-whole",t),e.append(i("div",{class:"slides"},s.map(({element:c})=>c)),m,i("nav",{class:"deck-desk","aria-label":"Slides"},A("back","Go back",E),A("on","Go on",y),f,A("all","All slides (o)",()=>d.open(l)),i("span",{class:"gap"}),p.element,A("notes","Speaker’s notes (s)",a.open),A("help","Keys (?)",u.toggle),A("clock","Timer: show or hide (t)",p.toggle),A("ground","Light or dark (d)",K),e.requestFullscreen?A("full","Full screen (f)",O):null),d.element,u.element);function b(c,h){let g=i("div",{class:"place-of-scene"}),k=i("article",{class:`slide kind-${c.kind}`,"aria-label":`Slide ${h+1}: ${c.title}`,"data-key":c.key},i("header",{},i("h2",{},x(c.title)),c.ask?i("p",{class:"ask"},x(c.ask)):null),i("div",{class:"deck-body"},g)),M,L=()=>M??=c.kind==="words"?ae(g,c)??!0:v(c,g),z=()=>g.querySelector(".course-scene"),me=()=>g.steps??z()?.steps,fe=ge=>z()?.vote?.(ge);return{kind:c.kind,element:k,fill:L,steps:me,vote:fe,end:async()=>(await M)?.call?.()}}async function v(c,h){let g=i("p",{class:"deck-waiting quiet",role:"status"});g.textContent=c.loads?`Loading ${c.loads}. This takes a few seconds, once.`:"Drawing …";let k=i("div");h.append(g,k);try{let M=await H({model:r,data:o,key:c.key,place:k});g.remove();let L=k.querySelector("h3");return L?.textContent===c.title&&(L.hidden=!0),M}catch(M){g.textContent=`This scene could not be made. ${x(M.message)}. Restart \`make present\`, or go on without it.`}}function w(c,h){l=Math.max(0,Math.min(c,s.length-1)),s.forEach(({element:g},k)=>g.classList.toggle("current",k===l)),s[l].fill();for(let g of l?[l,l+1]:[0,1,2])o.slides[g]&&o.slides[g].kind!=="words"&&N(r,o.slides[g].key);h==="last"&&s[l].steps()?.go?.(1/0),f.textContent=`${l+1} / ${s.length}`,m.firstChild.style.transform=`scaleX(${(l+1)/s.length})`,p.at(l),n.matches?s[l].element.scrollIntoView():t&&history.replaceState(history.state,"",`#${l+1}`)}function y(){p.begin(),!s[l].steps()?.next()&&l<s.length-1&&w(l+1)}function E(){s[l].steps()?.back()||l>0&&w(l-1,"last")}function ce(){let{title:c,ask:h,say:g}=o.slides[l],k=o.slides[l+1]?.title??"the end";return{...p.told(),title:`${l+1}. ${c}`,say:g,ask:h,next:`Next: ${k}`}}function K(){e.dataset.theme=e.dataset.ground==="dark"?"light":"dark",document.documentElement.dataset.courseTheme=e.dataset.theme}function O(){document.fullscreenElement?document.exitFullscreen():e.requestFullscreen().catch(()=>{})}function B(){e.classList.add("blank")}let I=()=>e.querySelector("dialog[open]");function A(c,h,g){return $(j(c),k=>{g(),k.detail&&!I()&&e.focus({preventScroll:!0})},{"aria-label":h,title:h,class:`tool ${c}`})}let le={ArrowRight:y,PageDown:y," ":y,ArrowLeft:E,PageUp:E,Home:()=>w(0),End:()=>w(s.length-1),o:()=>d.open(l),f:O,d:K,t:p.toggle,b:B,".":B,s:a.open,"?":u.toggle};function de(c){return e.classList.contains("blank")&&Ie.includes(c)?()=>{}:s[l].kind==="question"&&qe.includes(c)?()=>s[l].vote(c):le[c]}let ue=c=>c.closest?.("input, select, textarea, [role=slider], [contenteditable]");function S(c){let{key:h,target:g}=c,k=c.currentTarget===document,M=!k||e.contains(g);if(c.altKey||c.ctrlKey||c.metaKey||c.defaultPrevented||I())return;let L=de(h);if(n.matches||!L||!(M||t||document.fullscreenElement===e))return;let z=Fe.includes(h);k&&z!==(c.eventPhase===Event.CAPTURING_PHASE)||!z&&(ue(g)||h===" "&&g.closest?.("button, summary, a"))||(c.preventDefault(),c.stopPropagation(),e.classList.remove("blank"),L())}document.addEventListener("keydown",S),document.addEventListener("keydown",S,!0);let pe=re(e,{left:y,right:E,when:()=>!n.matches&&!I()}),C=new IntersectionObserver(c=>c.filter(h=>h.isIntersecting).forEach(({target:h})=>{C.unobserve(h),s.find(({element:g})=>g===h).fill()}),{rootMargin:"300px"}),F=()=>{e.classList.toggle("scrolled",n.matches),document.documentElement.classList.toggle("course-scrolled",n.matches),s.forEach(({element:c})=>n.matches?C.observe(c):C.unobserve(c))};return n.addEventListener("change",F),F(),w(l),t&&setTimeout(()=>e.focus({preventScroll:!0})),()=>{document.removeEventListener("keydown",S),document.removeEventListener("keydown",S,!0),n.removeEventListener("change",F),C.disconnect(),pe(),p.stop(),a.close(),s.forEach(({end:c})=>c()),document.documentElement.classList.remove("course-whole","course-scrolled")}},U);export{It as default};
