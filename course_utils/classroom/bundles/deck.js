/* Built by stage/build.mjs. Course: Apache-2.0. */
function O(e){let r=new Map,o=t=>r.get(t)??r.set(t,new Set).get(t);return{get:t=>e[t],set:(t,n)=>{e[t]=n,o(`change:${t}`).forEach(s=>s())},on:(t,n)=>o(t).add(n),off:(t,n)=>n?o(t).delete(n):o(t).clear(),save_changes:()=>{},send:()=>{},alone:!0}}async function B({model:e,data:r,key:o,place:t}){let n=r.states?.[o];if(n){let m=O({...n,on_paper:e.get("on_paper")});return window.courseStage.scenes[n.scene].render({model:m,el:t})}let s=await de(e,o),p=await e.widget_manager.get_model(s.replace("IPY_MODEL_","")),d=await e.widget_manager.create_view(p);return t.replaceChildren(d.el),d.trigger?.("displayed"),()=>d.remove()}function F(e,r){let o=e.get("wanted")??[];e.alone||o.includes(r)||(e.set("wanted",[...o,r]),e.save_changes())}function de(e,r){return new Promise((o,t)=>{let n=()=>{let s=e.get("built")?.[r],p=e.get("failed")?.[r];!s&&!p||(e.off("change:built",n),e.off("change:failed",n),s?o(s):t(new Error(p)))};e.on("change:built",n),e.on("change:failed",n),F(e,r),n()})}var ue="http://www.w3.org/2000/svg";function i(e,r={},...o){return G(document.createElement(e),r,o)}function I(e,r={},...o){return G(document.createElementNS(ue,e),r,o)}function G(e,r,o){for(let[t,n]of Object.entries(r))typeof n=="function"?e.addEventListener(t.replace(/^on/,""),n):n!==!1&&n!=null&&e.setAttribute(t,n===!0?"":n);return e.append(...o.flat().filter(t=>t!=null&&t!==!1)),e}function C(e,r,o={}){return i("button",{type:"button",onclick:r,...o},e)}var K=`/* A screen of 66em by 29em for a scene, with what is asked above it and the desk below. */
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
.deck .slide.kind-words .place-of-scene > .steps { display: none; }
.deck .slide.kind-question .place-of-scene { max-width: 52em; width: 100%; margin: 0 auto; padding-bottom: 2em; }
.deck.whole .slide.kind-question .course-scene, .deck:fullscreen .slide.kind-question .course-scene { --stage-font: max(16px, min(1.8vw, 3.2vh)); }

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
`;var me={back:"M15 5 L8 12 L15 19",on:"M9 5 L16 12 L9 19",all:"M4 5h6v6H4z M14 5h6v6h-6z M4 14h6v6H4z M14 14h6v6h-6z",clock:"M12 4a8.5 8.5 0 1 0 .01 0z M12 8v5l3.5 2",ground:"M12 3.5a8.5 8.5 0 1 0 .01 0z M12 3.5v17 M15 5v14 M18 7v10",full:"M4 9V4h5 M15 4h5v5 M20 15v5h-5 M9 20H4v-5",pause:"M8 5v14 M16 5v14",play:"M8 5l11 7l-11 7z"};function $(e){return I("svg",{class:"icon",viewBox:"0 0 24 24","aria-hidden":"true",width:"1.25em",height:"1.25em"},I("path",{d:me[e],fill:"none",stroke:"currentColor","stroke-width":"2","stroke-linecap":"round","stroke-linejoin":"round"}))}var H=(e,r)=>`${e} ${r}${e===1?"":"s"}`;var R={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},N={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function j(e,r="given"){return i("span",{class:`chip ${r}`,title:N[r]},i("bdi",{},fe(e)),R[r]?i("i",{class:"sign","aria-label":r},R[r]):null)}function fe(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(X,U).replaceAll(" ","␣")||"·"}var x=e=>e.replace(X,U),X=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,U=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var ge={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1};function Y(e,r){let o=e.map((n,s)=>i("button",{type:"button",onclick:()=>(t.close(),r(s))},i("b",{},String(s+1)),i("span",{},x(n.title)),i("small",{class:"quiet"},n.minutes?H(n.minutes,"minute"):"in reserve"))),t=i("dialog",{class:"deck-overview","aria-label":"All slides"},i("ol",{},o.map(n=>i("li",{},n))));return t.addEventListener("keydown",n=>{let s=ge[n.key],p=o.indexOf(document.activeElement);s&&o[(p+s+o.length)%o.length].focus(),n.key==="o"&&t.close(),(s||n.key==="o")&&n.preventDefault(),n.key!=="Escape"&&n.stopPropagation()}),t.addEventListener("click",n=>n.target===t&&t.close()),{element:t,open(n){if(t.open)return t.close();o.forEach((s,p)=>p===n?s.setAttribute("aria-current","step"):s.removeAttribute("aria-current")),t.showModal(),o[n].focus()}}}function V(e){let r=()=>{e.dataset.ground=he(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},o=()=>[0,100,400].forEach(s=>setTimeout(r,s)),t=new MutationObserver(o);for(let s of[document.documentElement,document.body])t.observe(s,{attributes:!0});let n=matchMedia("(prefers-color-scheme: dark)");return n.addEventListener("change",o),r(),o(),()=>{t.disconnect(),n.removeEventListener("change",o)}}function he(e){let[r,o,t,n=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return n===0?1:(.2126*r+.7152*o+.0722*t)/255}var W=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function Q(e,r,o=""){return{render({model:t,el:n}){J("stage",W),o&&J(e,o);let s=i("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":t.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});n.replaceChildren(s);let p=V(s),d,m=()=>{let{at:u,last:f}=s.steps;t.get("step")===u&&t.get("last_step")===f()||(t.set("last_step",f()),t.set("step",u),t.save_changes())},c=()=>{let u=s.steps;if(!u?.last)return;u.went=m;let f=t.get("step")??u.at;f===u.at?m():u.go(f)},l=()=>{d?.(),s.replaceChildren(),d=r({root:s,data:t.get("data"),model:t}),c()};return t.on("change:data",l),t.on("change:step",c),l(),()=>{t.off("change:data",l),t.off("change:step",c),d?.(),p()}}}}function J(e,r){let o=`course-look-${e}`,t=document.getElementById(o);t?t.textContent=r:document.head.append(i("style",{id:o},r))}function Z(e,{left:r,right:o,when:t}){let n=null,s=d=>{let[m,...c]=d.touches;n=c.length||!t()||be(d.target,e)?null:m},p=d=>{if(!n)return;let[m]=d.changedTouches,c=m.clientX-n.clientX,l=m.clientY-n.clientY;n=null,!(Math.abs(c)<50||Math.abs(c)<2*Math.abs(l))&&(c<0?r():o())};return e.addEventListener("touchstart",s,{passive:!0}),e.addEventListener("touchend",p,{passive:!0}),()=>{e.removeEventListener("touchstart",s),e.removeEventListener("touchend",p)}}function be(e,r){for(let o=e;o&&o!==r;o=o.parentElement){if(o.matches("input, select, textarea, [role=slider]"))return!0;let{touchAction:t,overflowX:n}=getComputedStyle(o);if(t!=="auto"&&t!=="manipulation"||/auto|scroll/.test(n)&&o.scrollWidth>o.clientWidth+1)return!0}return!1}var _=1e3;function ee(e){let r=e.map((b,y)=>e.slice(0,y+1).reduce((A,L)=>A+L,0)*60*_),o=0,t=null,n=0,s,p=i("b",{}),d=i("span",{class:"plan"}),m=C("",()=>t===null?l():u(),{class:"pause"}),c=i("div",{class:"deck-timer",role:"timer","aria-label":"Time"},p,d,m);function l(){t=performance.now(),s=setInterval(k,_/2),k()}function u(){o=f(),t=null,clearInterval(s),k()}let f=()=>o+(t===null?0:performance.now()-t);function k(){let b=f()-r[n];p.textContent=P(f()),d.textContent=b>0?`${P(b)} late`:`until ${P(r[n])}`,d.title="planned end of this slide",c.classList.toggle("late",b>0),c.dataset.running=t!==null,m.replaceChildren($(t===null?"play":"pause")),m.setAttribute("aria-label",t===null?"Start the timer":"Pause the timer")}return k(),{element:c,begin:()=>t===null&&o===0&&l(),at:b=>(n=b,k()),stop:()=>clearInterval(s),toggle:()=>c.classList.toggle("unseen")}}function P(e){let r=Math.floor(e/_);return`${Math.floor(r/60)}:${String(r%60).padStart(2,"0")}`}var ve=["ArrowRight","PageDown"," "],we=["ArrowLeft","PageUp"],xe="input, select, textarea, [role=slider]";function te(e,{count:r,say:o,show:t}){let n=()=>typeof r=="function"?r():r,s=i("p",{class:"said",role:"status",dir:"auto"}),p=i("span",{class:"place"}),d=i("button",{type:"button",class:"back",onclick:()=>c.back()},"◀ Back"),m=i("button",{type:"button",class:"next",onclick:()=>c.next()},"Next ▶"),c={at:0,last:()=>n()-1,went:()=>{},bar:i("div",{class:"steps"},d,m,p,s),go(l,u=!1){c.at=Math.max(0,Math.min(l,c.last())),s.textContent=o(c.at),p.textContent=`${c.at+1} / ${n()}`,d.setAttribute("aria-disabled",c.at===0),m.setAttribute("aria-disabled",c.at===c.last()),t(c.at,u),c.went()},next(){return c.at>=c.last()?!1:(c.go(c.at+1,!0),!0)},back(){return c.at<=0?!1:(c.go(c.at-1),!0)}};return e.steps=c,e.onkeydown=l=>{if(l.altKey||l.ctrlKey||l.metaKey||l.defaultPrevented)return;let{key:u,target:f}=l;if(f.closest(xe)||u===" "&&f.closest("button, summary"))return;(ve.includes(u)?c.next():we.includes(u)?c.back():u==="Home"?(c.go(0),!0):u==="End"&&(c.go(c.last()),!0))&&(l.preventDefault(),l.stopPropagation())},c}function ne(e,{lines:r,board:o,title:t}){let n=[],s=(u,f)=>(n.push([u,f]),u),p=r.map(({text:u,look:f,at:k,tokens:b})=>s(i("p",{class:f},b.length?b.map(([y,A])=>j(y,A)):x(u)),k)),d=Math.max(0,...n.map(([,u])=>u),...o?.at??[]),m=p.filter((u,f)=>r[f].at===0),c=p.filter((u,f)=>r[f].at>0),l=te(e,{count:d+1,say:u=>u<d?"":"All is shown.",show:u=>n.forEach(([f,k])=>f.classList.toggle("unseen",u<k))});e.append(i("div",{class:"deck-words"},m,o?ye(o,s,t):null,c)),d&&e.append(l.bar),l.go(0)}function ye({head:e,rows:r,at:o},t,n){let s=(d,m)=>m===0?j(d):d in N?j(d,d):x(d),p=(d,m,c)=>i(d,{},t(i("span",{},d==="th"?m:s(m,c)),o[c]));return i("table",{"aria-label":n},i("thead",{},i("tr",{},e.map((d,m)=>p("th",d,m)))),i("tbody",{},r.map(d=>i("tr",{},d.map((m,c)=>p("td",m,c))))))}var Ee=["a","b","c","d"],Ae=["b",".","Escape"],Me=["PageDown","PageUp"],Le="(max-width: 640px), (max-height: 460px)",kt=Q("deck",({root:e,data:r,model:o})=>{let t=!!(r.whole||"voila"in document.body.dataset),n=matchMedia(Le),s=r.slides.map((a,h)=>u(a,h)),p=ee(r.slides.map(({minutes:a})=>a)),d=Y(r.slides,a=>(k(a),e.focus({preventScroll:!0}))),m=i("span",{class:"place",role:"status"}),c=i("div",{class:"deck-progress","aria-hidden":"true"},i("i")),l=Math.min(s.length-1,t?Math.max(0,(parseInt(location.hash.slice(1))||1)-1):0);e.classList.toggle("whole",t),document.documentElement.classList.toggle("course-whole",t),e.append(i("div",{class:"slides"},s.map(({element:a})=>a)),c,i("nav",{class:"deck-desk","aria-label":"Slides"},M("back","Go back",y),M("on","Go on",b),m,M("all","All slides (o)",()=>d.open(l)),i("span",{class:"gap"}),p.element,M("clock","Timer: show or hide (t)",p.toggle),M("ground","Light or dark (d)",A),e.requestFullscreen?M("full","Full screen (f)",L):null),d.element);function u(a,h){let g=i("div",{class:"place-of-scene"}),v=i("article",{class:`slide kind-${a.kind}`,"aria-label":`Slide ${h+1}: ${a.title}`,"data-key":a.key},i("header",{},i("h2",{},x(a.title)),a.ask?i("p",{class:"ask"},x(a.ask)):null),i("div",{class:"deck-body"},g)),w,E=()=>w??=a.kind==="words"?ne(g,a)??!0:f(a,g),T=()=>g.querySelector(".course-scene"),ae=()=>g.steps??T()?.steps,ce=le=>T()?.vote?.(le);return{kind:a.kind,element:v,fill:E,steps:ae,vote:ce,end:async()=>(await w)?.call?.()}}async function f(a,h){let g=i("p",{class:"deck-waiting quiet",role:"status"});g.textContent=a.loads?`Loading ${a.loads}. This takes a few seconds, once.`:"Drawing …";let v=i("div");h.append(g,v);try{let w=await B({model:o,data:r,key:a.key,place:v});g.remove();let E=v.querySelector("h3");return E?.textContent===a.title&&(E.hidden=!0),w}catch(w){g.textContent=`This scene could not be made. ${x(w.message)}. Restart \`make present\`, or go on without it.`}}function k(a,h){l=Math.max(0,Math.min(a,s.length-1)),s.forEach(({element:g},v)=>g.classList.toggle("current",v===l)),s[l].fill();for(let g of l?[l,l+1]:[0,1,2])r.slides[g]&&r.slides[g].kind!=="words"&&F(o,r.slides[g].key);h==="last"&&s[l].steps()?.go?.(1/0),m.textContent=`${l+1} / ${s.length}`,c.firstChild.style.transform=`scaleX(${(l+1)/s.length})`,p.at(l),n.matches?s[l].element.scrollIntoView():t&&history.replaceState(history.state,"",`#${l+1}`)}function b(){p.begin(),!s[l].steps()?.next()&&l<s.length-1&&k(l+1)}function y(){s[l].steps()?.back()||l>0&&k(l-1,"last")}function A(){e.dataset.theme=e.dataset.ground==="dark"?"light":"dark",document.documentElement.dataset.courseTheme=e.dataset.theme}function L(){document.fullscreenElement?document.exitFullscreen():e.requestFullscreen()}function D(){e.classList.add("blank")}function M(a,h,g){return C($(a),v=>{g(),v.detail&&!d.element.open&&e.focus({preventScroll:!0})},{"aria-label":h,title:h,class:`tool ${a}`})}let re={ArrowRight:b,PageDown:b," ":b,ArrowLeft:y,PageUp:y,Home:()=>k(0),End:()=>k(s.length-1),o:()=>d.open(l),f:L,d:A,t:p.toggle,b:D,".":D};function oe(a){return e.classList.contains("blank")&&Ae.includes(a)?()=>{}:s[l].kind==="question"&&Ee.includes(a)?()=>s[l].vote(a):re[a]}let se=a=>a.closest?.("input, select, textarea, [role=slider], [contenteditable]");function S(a){let{key:h,target:g}=a,v=e.contains(g);if(a.altKey||a.ctrlKey||a.metaKey||a.defaultPrevented||d.element.open)return;let w=oe(h);if(n.matches||!w||!(v||t||document.fullscreenElement===e))return;let E=Me.includes(h);E===(a.eventPhase===Event.CAPTURING_PHASE)&&(!E&&(se(g)||h===" "&&g.closest?.("button, summary, a"))||(a.preventDefault(),a.stopPropagation(),e.classList.remove("blank"),w()))}document.addEventListener("keydown",S),document.addEventListener("keydown",S,!0);let ie=Z(e,{left:b,right:y,when:()=>!n.matches&&!d.element.open}),z=new IntersectionObserver(a=>a.filter(h=>h.isIntersecting).forEach(({target:h})=>{z.unobserve(h),s.find(({element:g})=>g===h).fill()}),{rootMargin:"300px"}),q=()=>{e.classList.toggle("scrolled",n.matches),document.documentElement.classList.toggle("course-scrolled",n.matches),s.forEach(({element:a})=>n.matches?z.observe(a):z.unobserve(a))};return n.addEventListener("change",q),q(),k(l),t&&setTimeout(()=>e.focus({preventScroll:!0})),()=>{document.removeEventListener("keydown",S),document.removeEventListener("keydown",S,!0),n.removeEventListener("change",q),z.disconnect(),ie(),p.stop(),s.forEach(({end:a})=>a()),document.documentElement.classList.remove("course-whole","course-scrolled")}},K);export{kt as default};
