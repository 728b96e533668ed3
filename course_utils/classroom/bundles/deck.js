/* Built by stage/build.mjs. Course: Apache-2.0. */
function U(e){let r=new Map,n=t=>r.get(t)??r.set(t,new Set).get(t);return{get:t=>e[t],set:(t,o)=>{e[t]=o,n(`change:${t}`).forEach(s=>s())},on:(t,o)=>n(t).add(o),off:(t,o)=>o?n(t).delete(o):n(t).clear(),save_changes:()=>{},send:()=>{},alone:!0}}async function X({model:e,data:r,key:n,place:t}){let o=r.states?.[n];if(o){let d=U({...o,on_paper:e.get("on_paper")});return window.courseStage.scenes[o.scene].render({model:d,el:t})}let s=await ke(e,n),u=await e.widget_manager.get_model(s.replace("IPY_MODEL_","")),l=await e.widget_manager.create_view(u);return t.replaceChildren(l.el),l.trigger?.("displayed"),()=>l.remove()}function D(e,r){let n=e.get("wanted")??[];e.alone||n.includes(r)||(e.set("wanted",[...n,r]),e.save_changes())}function ke(e,r){return new Promise((n,t)=>{let o=()=>{let s=e.get("built")?.[r],u=e.get("failed")?.[r];!s&&!u||(e.off("change:built",o),e.off("change:failed",o),s?n(s):t(new Error(u)))};e.on("change:built",o),e.on("change:failed",o),D(e,r),o()})}var be="http://www.w3.org/2000/svg";function a(e,r={},...n){return Y(document.createElement(e),r,n)}function T(e,r={},...n){return Y(document.createElementNS(be,e),r,n)}function Y(e,r,n){for(let[t,o]of Object.entries(r))typeof o=="function"?e.addEventListener(t.replace(/^on/,""),o):o!==!1&&o!=null&&e.setAttribute(t,o===!0?"":o);return e.append(...n.flat().filter(t=>t!=null&&t!==!1)),e}function j(e,r,n={}){return a("button",{type:"button",onclick:r,...n},e)}var W=`/* A screen of 66em by 29em for a scene, with what is asked above it and the desk below. */
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
.deck .slide.kind-words .place-of-scene { max-width: 60em; width: 100%; margin: 0 auto; }
.deck .deck-words { counter-reset: line; }
.deck:not(.scrolled) .deck-words:not(:has(> :nth-child(5), table)) { font-size: 1.23em; }
.deck .deck-words p { font-size: 1.8em; line-height: 1.35; margin: 0.5em 0; text-wrap: balance; overflow-wrap: anywhere; transition: opacity 250ms; }
.deck .deck-words p.unseen { opacity: 0; }
.deck .deck-words p.numbered { padding-left: 1.5em; position: relative; }
.deck .deck-words p.numbered::before { counter-increment: line; content: counter(line); position: absolute; left: 0; font-weight: 700; color: var(--target); }
.deck .deck-words p.large { font-size: 2.4em; line-height: 1.25; font-weight: 700; }
.deck .deck-words p.note { font-size: 1.3em; color: var(--quiet); margin: 0.8em 0 0.1em; }
.deck .deck-words p.code { font-size: 2.7em; font-family: var(--jp-code-font-family, ui-monospace, monospace), monospace; }
.deck .deck-words p.formula { font-size: 2.4em; margin: 0.1em 0 0.3em; padding-left: 0.5em; border-left: 0.18em solid var(--line); font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", Georgia, serif; }
.deck .deck-words p.formula.accepted { border-color: var(--accepted); }
.deck .deck-words p.formula.correction { border-left: 0.22em double var(--correction); }
.deck .deck-words p.formula.target { border-color: var(--target); font-weight: 700; }
.deck .deck-words table { border-collapse: collapse; margin: 1em 0 0.6em; font-size: 1.7em; font-variant-numeric: tabular-nums; background: none; }
.deck .deck-words :is(th, td) { padding: 0.25em 1.4em 0.25em 0; text-align: left; border: 0; border-bottom: 1px solid var(--line); font-size: 1em; background: none; color: inherit; }
.deck .deck-words th { font-size: 0.76em; color: var(--quiet); font-weight: 600; }
.deck .deck-words p.tokens { font-size: 1.75em; line-height: 1.5; margin: 0.6em 0; }
.deck .deck-words p.tokens .given { margin-right: 0.25em; }
.deck .slide.kind-words .place-of-scene > .steps { display: none; }
.deck .slide.kind-question .place-of-scene { max-width: 52em; width: 100%; margin: 0 auto; }
.deck.whole .slide.kind-question .course-scene, .deck:fullscreen .slide.kind-question .course-scene { --stage-font: max(16px, min(1.9vw, 3.38vh)); }
/* a little larger than on its own: so it fills the screen */
.deck:is(.whole, :fullscreen):not(.scrolled) .slide.kind-scene:not([data-key="batch"], [data-key="distributions"], [data-key="verdicts"]) .course-scene { --stage-font: max(16px, min(1.5vw, 2.667vh)); }
.deck:is(.whole, :fullscreen):not(.scrolled) .race { min-height: 27.5em; align-content: space-between; }
/* the race is what a slide shows: no log */
.deck:is(.whole, :fullscreen):not(.scrolled) .live .desk { grid-template: "controls left right" auto "controls past past" auto / 17em minmax(0, 1fr) minmax(0, 1fr); }
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
`;var ve={ArrowRight:"→",ArrowLeft:"←"," ":"space"},B=e=>ve[e]??e;function V(e){let r=e.map(({keys:t,says:o})=>[a("dt",{},t.map(s=>a("kbd",{},B(s)))),a("dd",{},o)]),n=a("dialog",{class:"deck-overview deck-help","aria-label":"Keys"},a("dl",{},r.flat()));return n.addEventListener("click",()=>n.close()),n.addEventListener("keydown",t=>{t.key==="?"&&n.close(),t.key!=="Escape"&&t.stopPropagation()}),{element:n,toggle:()=>n.open?n.close():n.showModal()}}var xe={back:"M15 5 L8 12 L15 19",on:"M9 5 L16 12 L9 19",all:"M4 5h6v6H4z M14 5h6v6h-6z M4 14h6v6H4z M14 14h6v6h-6z",clock:"M12 4a8.5 8.5 0 1 0 .01 0z M12 8v5l3.5 2",ground:"M12 3.5a8.5 8.5 0 1 0 .01 0z M12 3.5v17 M15 5v14 M18 7v10",notes:"M5 4h14v16H5z M8 8h8 M8 12h8 M8 16h5",help:"M8.5 8.5a3.5 3.5 0 1 1 5.2 3c-1.2.7-1.7 1.4-1.7 3 M12 18.5v.5",full:"M4 9V4h5 M15 4h5v5 M20 15v5h-5 M9 20H4v-5",pause:"M8 5v14 M16 5v14",play:"M8 5l11 7l-11 7z"};function q(e){return T("svg",{class:"icon",viewBox:"0 0 24 24","aria-hidden":"true",width:"1.25em",height:"1.25em"},T("path",{d:xe[e],fill:"none",stroke:"currentColor","stroke-width":"2","stroke-linecap":"round","stroke-linejoin":"round"}))}var J=(e,r)=>`${e} ${r}${e===1?"":"s"}`;var Q={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},O={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function N(e,r="given"){return a("span",{class:`chip ${r}`,title:O[r]},a("bdi",{},ye(e)),Q[r]?a("i",{class:"sign","aria-label":r},Q[r]):null)}function ye(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(Z,ee).replaceAll(" ","␣")||"·"}var E=e=>e.replace(Z,ee),Z=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,ee=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var Ee={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1};function te(e,r){let n=e.map((o,s)=>a("button",{type:"button",onclick:()=>(t.close(),r(s))},a("b",{},String(s+1)),a("span",{},E(o.title)),a("small",{class:"quiet"},o.minutes?J(o.minutes,"minute"):"in reserve"))),t=a("dialog",{class:"deck-overview","aria-label":"All slides"},a("ol",{},n.map(o=>a("li",{},o))));return t.addEventListener("keydown",o=>{let s=Ee[o.key],u=n.indexOf(document.activeElement);s&&n[(u+s+n.length)%n.length].focus(),o.key==="o"&&t.close(),(s||o.key==="o")&&o.preventDefault(),o.key!=="Escape"&&o.stopPropagation()}),t.addEventListener("click",o=>o.target===t&&t.close()),{element:t,open(o){if(t.open)return t.close();n.forEach((s,u)=>u===o?s.setAttribute("aria-current","step"):s.removeAttribute("aria-current")),t.showModal(),n[o].focus()}}}function ne(e){let r=()=>{e.dataset.ground=Ae(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(s=>setTimeout(r,s)),t=new MutationObserver(n);for(let s of[document.documentElement,document.body])t.observe(s,{attributes:!0});let o=matchMedia("(prefers-color-scheme: dark)");return o.addEventListener("change",n),r(),n(),()=>{t.disconnect(),o.removeEventListener("change",n)}}function Ae(e){let[r,n,t,o=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return o===0?1:(.2126*r+.7152*n+.0722*t)/255}var oe=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function se(e,r,n=""){return{render({model:t,el:o}){re("stage",oe),n&&re(e,n);let s=a("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":t.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});o.replaceChildren(s);let u=ne(s),l,d=()=>{let{at:p,last:h}=s.steps;t.get("step")===p&&t.get("last_step")===h()||(t.set("last_step",h()),t.set("step",p),t.save_changes())},i=()=>{let p=s.steps;if(!p?.last)return;p.went=d;let h=t.get("step")??p.at;h===p.at?d():p.go(h)},f=()=>{l?.(),s.replaceChildren(),l=r({root:s,data:t.get("data"),model:t}),i()};return t.on("change:data",f),t.on("change:step",i),f(),()=>{t.off("change:data",f),t.off("change:step",i),l?.(),u()}}}}function re(e,r){let n=`course-look-${e}`,t=document.getElementById(n);t?t.textContent=r:document.head.append(a("style",{id:n},r))}var Le=`body { margin: 0; padding: 4vmin 5vmin; background: #111; color: #f4f4f4; font: 5.2vmin/1.4 system-ui, sans-serif; }
p { margin: 0 0 3vmin; } .late { color: #F26936; } [data-is=clock], [data-is=title] { font-weight: 700; }
[data-is=say] { font-size: 1.4em; } [data-is=ask] { border-left: 1vmin solid #4B8AD2; padding-left: 2vmin; } [data-is=ask]:empty { display: none; }
[data-is=next] { color: #b5b5b5; }`,ze=200;function ae(e,r){let n,t,o=()=>(clearInterval(t),n?.close());return{close:o,open(){if(o(),n=window.open("","","popup,width=760,height=560"),!n)return;let{document:s}=n;s.title="Speaker’s notes",s.head.append(a("style",{},Le));let u=["clock","title","say","ask","next"].map(d=>[d,a("p",{"data-is":d})]);s.body.append(...u.map(([,d])=>d));let l=()=>{if(n.closed)return clearInterval(t);let{late:d,...i}=e();for(let[f,p]of u)p.textContent=E(i[f].replace(/[*`]/g,""));s.body.firstChild.className=d?"late":""};n.addEventListener("keydown",d=>(r(d),l())),t=setInterval(l,ze),l()}}}function ie(e,{left:r,right:n,when:t}){let o=null,s=l=>{let[d,...i]=l.touches;o=i.length||!t()||Se(l.target,e)?null:d},u=l=>{if(!o)return;let[d]=l.changedTouches,i=d.clientX-o.clientX,f=d.clientY-o.clientY;o=null,!(Math.abs(i)<50||Math.abs(i)<2*Math.abs(f))&&(i<0?r():n())};return e.addEventListener("touchstart",s,{passive:!0}),e.addEventListener("touchend",u,{passive:!0}),()=>{e.removeEventListener("touchstart",s),e.removeEventListener("touchend",u)}}function Se(e,r){for(let n=e;n&&n!==r;n=n.parentElement){if(n.matches("input, select, textarea, [role=slider]"))return!0;let{touchAction:t,overflowX:o}=getComputedStyle(n);if(t!=="auto"&&t!=="manipulation"||/auto|scroll/.test(o)&&n.scrollWidth>n.clientWidth+1)return!0}return!1}var R=1e3;function ce(e){let r=e.map((v,m)=>e.slice(0,m+1).reduce((z,I)=>z+I,0)*60*R),n=0,t=null,o=0,s,u=a("b",{}),l=a("span",{class:"plan"}),d=j("",()=>t===null?f():p(),{class:"pause"}),i=a("div",{class:"deck-timer",role:"timer","aria-label":"Time"},u,l,d);function f(){t=performance.now(),s=setInterval(w,R/2),w()}function p(){n=h(),t=null,clearInterval(s),w()}let h=()=>n+(t===null?0:performance.now()-t);function w(){let v=h()-r[o];u.textContent=K(h()),l.textContent=v>0?`${K(v)} late`:`until ${K(r[o])}`,l.title="planned end of this slide",i.classList.toggle("late",v>0),i.dataset.running=t!==null,d.replaceChildren(q(t===null?"play":"pause")),d.setAttribute("aria-label",t===null?"Start the timer":"Pause the timer")}return w(),{element:i,begin:()=>t===null&&n===0&&f(),told:()=>({clock:`${u.textContent} · ${l.textContent}`,late:i.classList.contains("late")}),at:v=>(o=v,w()),stop:()=>clearInterval(s),toggle:()=>i.classList.toggle("unseen")}}function K(e){let r=Math.floor(e/R);return`${Math.floor(r/60)}:${String(r%60).padStart(2,"0")}`}var Ce=["ArrowRight","PageDown"," "],$e=["ArrowLeft","PageUp"],je="input, select, textarea, [role=slider]";function le(e,{count:r,say:n,show:t}){let o=()=>typeof r=="function"?r():r,s=a("p",{class:"said",role:"status",dir:"auto"}),u=a("span",{class:"place"}),l=a("button",{type:"button",class:"back",onclick:()=>i.back()},"◀ Back"),d=a("button",{type:"button",class:"next",onclick:()=>i.next()},"Next ▶"),i={at:0,last:()=>o()-1,went:()=>{},bar:a("div",{class:"steps"},l,d,u,s),go(f,p=!1){i.at=Math.max(0,Math.min(f,i.last())),s.textContent=n(i.at),u.textContent=`${i.at+1} / ${o()}`,l.setAttribute("aria-disabled",i.at===0),d.setAttribute("aria-disabled",i.at===i.last()),t(i.at,p),i.went()},next(){return i.at>=i.last()?!1:(i.go(i.at+1,!0),!0)},back(){return i.at<=0?!1:(i.go(i.at-1),!0)}};return e.steps=i,e.onkeydown=f=>{if(f.altKey||f.ctrlKey||f.metaKey||f.defaultPrevented)return;let{key:p,target:h}=f;if(h.closest(je)||p===" "&&h.closest("button, summary"))return;(Ce.includes(p)?i.next():$e.includes(p)?i.back():p==="Home"?(i.go(0),!0):p==="End"&&(i.go(i.last()),!0))&&(f.preventDefault(),f.stopPropagation())},i}function de(e,{lines:r,board:n,title:t}){let o=[],s=(p,h)=>(o.push([p,h]),p),u=r.map(({text:p,look:h,at:w,tokens:v})=>s(a("p",{class:h},v.length?v.map(([m,z])=>N(m,z)):E(p)),w)),l=Math.max(0,...o.map(([,p])=>p),...n?.at??[]),d=u.filter((p,h)=>r[h].at===0),i=u.filter((p,h)=>r[h].at>0),f=le(e,{count:l+1,say:p=>p<l?"":"All is shown.",show:p=>o.forEach(([h,w])=>h.classList.toggle("unseen",p<w))});e.append(a("div",{class:"deck-words"},d,n?qe(n,s,t):null,i)),l&&e.append(f.bar),f.go(0)}function qe({head:e,rows:r,at:n},t,o){let s=(l,d)=>d===0?N(l):l in O?N(l,l):E(l),u=(l,d,i)=>a(l,{},t(a("span",{},l==="th"?d:s(d,i)),n[i]));return a("table",{"aria-label":o},a("thead",{},a("tr",{},e.map((l,d)=>u("th",l,d)))),a("tbody",{},r.map(l=>a("tr",{},l.map((d,i)=>u("td",d,i))))))}var Ne=["PageDown","PageUp"],Ie="(max-width: 640px), (max-height: 460px)",qt=se("deck",({root:e,data:r,model:n})=>{let t=!!(r.whole||"voila"in document.body.dataset),o=matchMedia(Ie),s=r.slides.map((c,k)=>z(c,k)),u=ce(r.slides.map(({minutes:c})=>c)),l=te(r.slides,c=>(L(c),e.focus({preventScroll:!0}))),f=[{keys:["ArrowRight"," ","PageDown"],says:"go on: the next step, then the next slide",act:G},{keys:["ArrowLeft","PageUp"],says:"go back",act:H},{keys:["Home"],says:"the first slide",act:()=>L(0)},{keys:["End"],says:"the last slide",act:()=>L(s.length-1)},{keys:["o"],says:"all slides",act:()=>l.open(m)},{keys:["s"],says:"the speaker’s window: notes, next slide, clock",act:()=>h.open()},{keys:[".","b","Escape"],says:"from black back to the slide",act:()=>{},when:()=>e.classList.contains("blank")},{keys:["a","b","c","d"],says:"on a question: a vote",act:c=>s[m].vote(c),when:()=>s[m].kind==="question"},{keys:[".","b"],says:"a black screen",act:()=>e.classList.add("blank")},{keys:["f"],says:"full screen",act:me},{keys:["d"],says:"light or dark",act:pe},{keys:["t"],says:"the timer: show or hide",act:()=>u.toggle()},{keys:["?"],says:"the keys",act:()=>p.toggle()}],p=V(f),h=ae(ue,S),w=a("span",{class:"place",role:"status"}),v=a("div",{class:"deck-progress","aria-hidden":"true"},a("i")),m=Math.min(s.length-1,t?Math.max(0,(parseInt(location.hash.slice(1))||1)-1):0);e.classList.toggle("whole",t),document.documentElement.classList.toggle("course-whole",t),e.append(a("div",{class:"slides"},s.map(({element:c})=>c)),v,a("nav",{class:"deck-desk","aria-label":"Slides"},A("back","ArrowLeft"),A("on","ArrowRight"),w,A("all","o"),a("span",{class:"gap"}),u.element,A("notes","s"),A("help","?"),A("clock","t"),A("ground","d"),e.requestFullscreen?A("full","f"):null),l.element,p.element);function z(c,k){let g=a("div",{class:"place-of-scene"}),b=a("article",{class:`slide kind-${c.kind}`,"aria-label":`Slide ${k+1}: ${c.title}`,"data-key":c.key},a("header",{},a("h2",{},E(c.title)),c.ask?a("p",{class:"ask"},E(c.ask)):null),a("div",{class:"deck-body"},g)),x,y=()=>x??=c.kind==="words"?de(g,c)??!0:I(c,g),M=()=>g.querySelector(".course-scene"),_=()=>g.steps??M()?.steps,$=he=>M()?.vote?.(he);return{kind:c.kind,element:b,fill:y,steps:_,vote:$,end:async()=>(await x)?.call?.()}}async function I(c,k){let g=a("p",{class:"deck-waiting quiet",role:"status"});g.textContent=c.loads?`Loading ${c.loads}. This takes a few seconds, once.`:"Drawing …";let b=a("div");k.append(g,b);try{let x=await X({model:n,data:r,key:c.key,place:b});g.remove();let y=b.querySelector("h3");return y?.textContent===c.title&&(y.hidden=!0),x}catch(x){g.textContent=`This scene could not be made. ${E(x.message)}. Restart \`make present\`, or go on without it.`}}function L(c,k){m=Math.max(0,Math.min(c,s.length-1)),s.forEach(({element:g},b)=>g.classList.toggle("current",b===m)),s[m].fill();for(let g of m?[m,m+1]:[0,1,2,3])r.slides[g]&&r.slides[g].kind!=="words"&&D(n,r.slides[g].key);k==="last"&&s[m].steps()?.go?.(1/0),w.textContent=`${m+1} / ${s.length}`,v.firstChild.style.transform=`scaleX(${(m+1)/s.length})`,u.at(m),o.matches?s[m].element.scrollIntoView():t&&history.replaceState(history.state,"",`#${m+1}`)}function G(){u.begin(),!s[m].steps()?.next()&&m<s.length-1&&L(m+1)}function H(){s[m].steps()?.back()||m>0&&L(m-1,"last")}function ue(){let{title:c,ask:k,say:g}=r.slides[m],b=r.slides[m+1]?.title??"the end";return{...u.told(),title:`${m+1}. ${c}`,say:g,ask:k,next:`Next: ${b}`}}function pe(){e.dataset.theme=e.dataset.ground==="dark"?"light":"dark",document.documentElement.dataset.courseTheme=e.dataset.theme}function me(){document.fullscreenElement?document.exitFullscreen():e.requestFullscreen().catch(()=>{})}let F=()=>e.querySelector("dialog[open]");function A(c,k){let{says:g,act:b}=f.find(({keys:y,when:M})=>y.includes(k)&&!M),x=`${g[0].toUpperCase()}${g.slice(1)} (${B(k)})`;return j(q(c),y=>{b(),y.detail&&!F()&&e.focus({preventScroll:!0})},{"aria-label":x,title:x,class:`tool ${c}`})}let fe=c=>c.closest?.("input, select, textarea, [role=slider], [contenteditable]");function S(c){let{key:k,target:g}=c,b=c.currentTarget===document,x=!b||e.contains(g);if(c.altKey||c.ctrlKey||c.metaKey||c.defaultPrevented||F())return;let y=f.find(({keys:_,when:$})=>_.includes(k)&&(!$||$()));if(o.matches||!y||!(x||t||document.fullscreenElement===e))return;let M=Ne.includes(k);b&&M!==(c.eventPhase===Event.CAPTURING_PHASE)||!M&&(fe(g)||k===" "&&g.closest?.("button, summary, a"))||(c.preventDefault(),c.stopPropagation(),e.classList.remove("blank"),y.act(k))}document.addEventListener("keydown",S),document.addEventListener("keydown",S,!0);let ge=ie(e,{left:G,right:H,when:()=>!o.matches&&!F()}),C=new IntersectionObserver(c=>c.filter(k=>k.isIntersecting).forEach(({target:k})=>{C.unobserve(k),s.find(({element:g})=>g===k).fill()}),{rootMargin:"300px"}),P=()=>{e.classList.toggle("scrolled",o.matches),document.documentElement.classList.toggle("course-scrolled",o.matches),s.forEach(({element:c})=>o.matches?C.observe(c):C.unobserve(c))};return o.addEventListener("change",P),P(),L(m),t&&setTimeout(()=>e.focus({preventScroll:!0})),()=>{document.removeEventListener("keydown",S),document.removeEventListener("keydown",S,!0),o.removeEventListener("change",P),C.disconnect(),ge(),u.stop(),h.close(),s.forEach(({end:c})=>c()),document.documentElement.classList.remove("course-whole","course-scrolled")}},W);export{qt as default};
