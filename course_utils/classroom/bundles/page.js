/* Built by stage/build.mjs. Course: Apache-2.0. D3 modules: ISC, (c) Mike Bostock. */
(()=>{function S(e){let o=new Map,r=n=>o.get(n)??o.set(n,new Set).get(n);return{get:n=>e[n],set:(n,t)=>{e[n]=t,r(`change:${n}`).forEach(s=>s())},on:(n,t)=>r(n).add(t),off:(n,t)=>t?r(n).delete(t):r(n).clear(),save_changes:()=>{},send:()=>{},alone:!0}}async function G({model:e,data:o,key:r,place:n}){let t=o.states?.[r];if(t){let m=S({...t,on_paper:e.get("on_paper")});return window.courseStage.scenes[t.scene].render({model:m,el:n})}let s=await le(e,r),u=await e.widget_manager.get_model(s.replace("IPY_MODEL_","")),a=await e.widget_manager.create_view(u);return n.replaceChildren(a.el),a.trigger?.("displayed"),()=>a.remove()}function _(e,o){let r=e.get("wanted")??[];e.alone||r.includes(o)||(e.set("wanted",[...r,o]),e.save_changes())}function le(e,o){return new Promise((r,n)=>{let t=()=>{let s=e.get("built")?.[o],u=e.get("failed")?.[o];!s&&!u||(e.off("change:built",t),e.off("change:failed",t),s?r(s):n(new Error(u)))};e.on("change:built",t),e.on("change:failed",t),_(e,o),t()})}var de="http://www.w3.org/2000/svg";function i(e,o={},...r){return K(document.createElement(e),o,r)}function D(e,o={},...r){return K(document.createElementNS(de,e),o,r)}function K(e,o,r){for(let[n,t]of Object.entries(o))typeof t=="function"?e.addEventListener(n.replace(/^on/,""),t):t!==!1&&t!=null&&e.setAttribute(n,t===!0?"":t);return e.append(...r.flat().filter(n=>n!=null&&n!==!1)),e}function R({label:e,min:o,max:r,step:n=1,value:t,format:s=String,on:u}){let a=i("input",{type:"range",min:o,max:r,step:n,"aria-label":e}),m=i("output"),c=()=>{m.textContent=s(a.valueAsNumber),a.setAttribute("aria-valuetext",m.textContent)};a.addEventListener("input",()=>{c(),u(a.valueAsNumber)});let l={element:i("label",{class:"slider"},i("span",{},e),a,m),get value(){return a.valueAsNumber},set(f){a.value=f,c()},range(f,h){Object.assign(a,{min:f,max:h}),c()}};return l.set(t),l}function M(e,o,r={}){return i("button",{type:"button",onclick:o,...r},e)}var H=`/* A screen of 66em by 29em for a scene, with what is asked above it and the desk below. */
.deck {
  --em: 1em; padding: 0.5em 1.2em 0.3em; max-width: none; display: flex; flex-direction: column; min-height: 37.5em;
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
.deck .slides { flex: 1; min-height: 0; position: relative; }
.deck .slide { display: none; height: 100%; flex-direction: column; }
.deck .slide.current { display: flex; }
.deck .slide > header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1.4em; padding: 0.2em 0 0.5em; }
.deck .slide h2 { margin: 0; font-size: 1.55em; line-height: 1.3; font-weight: 700; color: inherit; border: 0; padding: 0; }
.deck .slide .ask { margin: 0; font-size: 1.15em; line-height: 1.35; padding-left: 0.7em; border-left: 0.28em solid var(--target); }
.deck .slide .body { flex: 1; min-height: 0; overflow: auto; overflow-x: hidden; padding: 3px; margin: -3px; }
.deck .slide .course-scene { max-width: none; padding: 0; border: 0; border-radius: 0; }
.deck .place-of-scene { outline: none; }
.deck .waiting { font-size: 1.3em; margin: 4em 0; text-align: center; }
.deck .unseen { visibility: hidden; }

.deck .slide.words .body, .deck .slide.question .body { display: grid; align-content: center; }
.deck .slide.words h2 { font-size: 2.1em; }
.deck .slide.words .place-of-scene { max-width: 60em; width: 100%; margin: 0 auto; padding-bottom: 3em; }
.deck .words { counter-reset: line; }
.deck div.words p { font-size: 1.8em; line-height: 1.35; margin: 0.5em 0; transition: opacity 250ms; }
.deck div.words p.unseen { opacity: 0; }
.deck div.words p.numbered { padding-left: 1.5em; position: relative; }
.deck div.words p.numbered::before { counter-increment: line; content: counter(line); position: absolute; left: 0; font-weight: 700; color: var(--target); }
.deck div.words p.large { font-size: 2.4em; line-height: 1.25; font-weight: 700; margin-top: 0.8em; }
.deck div.words p.note { font-size: 1.3em; color: var(--quiet); margin: 1em 0 0.1em; }
.deck div.words p.code { font-size: 2.2em; font-family: var(--jp-code-font-family, ui-monospace, monospace), monospace; }
.deck div.words p.formula { font-size: 2.1em; margin: 0.1em 0 0.3em; padding-left: 0.5em; border-left: 0.18em solid var(--line); font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", Georgia, serif; }
.deck div.words p.formula.accepted { border-color: var(--accepted); }
.deck div.words p.formula.correction { border-left: 0.22em double var(--correction); }
.deck div.words p.formula.target { border-color: var(--target); font-weight: 700; }
.deck div.words p.tokens { font-size: 1.75em; line-height: 1.9; margin: 0 0 1em; }
.deck div.words p.tokens .given { margin-right: 0.25em; }
.deck .slide.words table { border-collapse: collapse; margin: 1em 0 0.6em; font-size: 1.7em; font-variant-numeric: tabular-nums; background: none; }
.deck .slide.words :is(th, td) { padding: 0.25em 1.4em 0.25em 0; text-align: left; border: 0; border-bottom: 1px solid var(--line); font-size: 1em; background: none; color: inherit; }
.deck .slide.words th { font-size: 0.76em; color: var(--quiet); font-weight: 600; }
.deck div.words p.tokens { font-size: 1.45em; line-height: 1.9; margin: 0 0 1em; }
.deck div.words p.tokens .given { margin-right: 0.25em; }
.deck .slide.words .steps { display: none; }
.deck .slide.question .place-of-scene { max-width: 52em; width: 100%; margin: 0 auto; padding-bottom: 2em; }
.deck.whole .slide.question .course-scene, .deck:fullscreen .slide.question .course-scene { --stage-font: max(16px, min(1.8vw, 3.2vh)); }

.deck .progress { height: 3px; margin: 0.3em -1.2em 0; background: var(--faint); }
.deck .progress i { display: block; height: 100%; background: var(--target); transform: scaleX(0); transform-origin: left; transition: transform 200ms; }
.deck .desk { display: flex; align-items: center; gap: 0.5em; padding-top: 0.3em; }
.deck .desk .gap { flex: 1; }
.deck .desk .place { font-variant-numeric: tabular-nums; min-width: 4em; text-align: center; }
.deck .desk .icon { display: block; margin: 0 auto; }
.deck .desk button { min-width: 2.4em; min-height: 2em; padding: 0.05em 0.5em; background: none; border-color: transparent; line-height: 1.2; }
.deck .desk button:hover { background: var(--faint); }
.deck .desk .tool.on, .deck .desk .tool.back { border-color: var(--line); }
.deck .timer { display: flex; align-items: center; gap: 0.6em; font-variant-numeric: tabular-nums; }
.deck .timer .plan { color: var(--quiet); }
.deck .timer.late .plan { color: var(--rejected); font-weight: 600; }

.deck .overview { width: 60em; max-width: 94%; max-height: 90%; padding: 1em 1.2em; border: 1px solid var(--line); border-radius: 0.6em; background: var(--ground); color: var(--ink); font: inherit; }
.deck .overview::backdrop { background: rgb(0 0 0 / 55%); }
.deck .overview ol { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(17em, 1fr)); gap: 0.5em; }
.deck .overview li { margin: 0; }
.deck .overview button { width: 100%; height: 100%; display: grid; grid-template-columns: 1.8em 1fr; gap: 0 0.3em; text-align: left; padding: 0.4em 0.7em; }
.deck .overview small { grid-column: 2; }
.deck .overview [aria-current] { border-color: var(--target); border-width: 2px; }
.deck.blank::after { content: ""; position: absolute; inset: 0; background: #000; z-index: 30; }

html.course-whole:not(.course-scrolled), html.course-whole:not(.course-scrolled) body { overflow: hidden; height: 100%; margin: 0; padding: 0; }

/* a phone: a page to scroll */
.deck.scrolled { position: static; overflow: visible; min-height: 0; padding: 0 0.7em 3em; }
.deck.scrolled .slide { display: block; height: auto; padding: 1em 0 1.6em; border-bottom: 1px solid var(--line); }
.deck.scrolled .slide .body { overflow: visible; }
.deck.scrolled .slide .place-of-scene { padding-bottom: 0; min-height: 6em; }
.deck.scrolled div.words :is(p, table) { font-size: 1.1em; }
.deck.scrolled div.words :is(p.large, p.formula, p.code) { font-size: 1.2em; }
.deck.scrolled div.words :is(p.note, p.tokens, th) { font-size: 1em; }
.deck.scrolled .slide.words .steps { display: flex; margin-top: 0.6em; }
.deck.scrolled .slide h2 { font-size: 1.35em; }
.deck.scrolled :is(.desk, .progress) { display: none; }

@media print {
  .deck.whole { position: static; overflow: visible; }
  .deck .slide { display: block; height: auto; break-inside: avoid; }
  .deck :is(.desk, .progress) { display: none; }
  .deck .unseen { visibility: visible; opacity: 1; }
}
`;var me={back:"M15 5 L8 12 L15 19",on:"M9 5 L16 12 L9 19",all:"M4 5h6v6H4z M14 5h6v6h-6z M4 14h6v6H4z M14 14h6v6h-6z",clock:"M12 4a8.5 8.5 0 1 0 .01 0z M12 8v5l3.5 2",ground:"M12 3.5a8.5 8.5 0 1 0 .01 0z M12 3.5v17 M15 5v14 M18 7v10",full:"M4 9V4h5 M15 4h5v5 M20 15v5h-5 M9 20H4v-5",pause:"M8 5v14 M16 5v14",play:"M8 5l11 7l-11 7z"};function I(e){return D("svg",{class:"icon",viewBox:"0 0 24 24","aria-hidden":"true",width:"1.25em",height:"1.25em"},D("path",{d:me[e],fill:"none",stroke:"currentColor","stroke-width":"2","stroke-linecap":"round","stroke-linejoin":"round"}))}var U=(e,o)=>`${e} ${o}${e===1?"":"s"}`;var pe={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1};function X(e,o){let r=e.map((t,s)=>i("button",{type:"button",onclick:()=>(n.close(),o(s))},i("b",{},String(s+1)),i("span",{},t.title),i("small",{class:"quiet"},t.minutes?U(t.minutes,"minute"):"in reserve"))),n=i("dialog",{class:"overview","aria-label":"All slides"},i("ol",{},r.map(t=>i("li",{},t))));return n.addEventListener("keydown",t=>{let s=pe[t.key],u=r.indexOf(document.activeElement);s&&r[(u+s+r.length)%r.length].focus(),t.key==="o"&&n.close(),(s||t.key==="o")&&t.preventDefault(),t.key!=="Escape"&&t.stopPropagation()}),n.addEventListener("click",t=>t.target===n&&n.close()),{element:n,open(t){if(n.open)return n.close();r.forEach((s,u)=>u===t?s.setAttribute("aria-current","step"):s.removeAttribute("aria-current")),n.showModal(),r[t].focus()}}}function Y(e){let o=()=>{e.dataset.ground=fe(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},r=()=>[0,100,400].forEach(s=>setTimeout(o,s)),n=new MutationObserver(r);for(let s of[document.documentElement,document.body])n.observe(s,{attributes:!0});let t=matchMedia("(prefers-color-scheme: dark)");return t.addEventListener("change",r),o(),r(),()=>{n.disconnect(),t.removeEventListener("change",r)}}function fe(e){let[o,r,n,t=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return t===0?1:(.2126*o+.7152*r+.0722*n)/255}var V=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
  --draft: #F2A63B; --target: #4C9BE0; --accepted: #45B880; --rejected: #FF7A3D;
  --correction: #D9A3CB; --bonus: #8FE3FF; --neutral: #A6A8AD;
}
.course-scene *, .course-scene *::before, .course-scene *::after { box-sizing: border-box; }
.course-scene:focus-visible, .course-scene :focus-visible {
  outline: 3px solid var(--target); outline-offset: 2px;
}
.course-scene p { margin: 0.3em 0; font-size: 1em; line-height: 1.45; color: inherit; }
.course-scene h3 { margin: 0 0 0.3em; font-size: 1.1em; line-height: 1.3; color: inherit; }
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
.course-scene .chip .sign { font-style: normal; font-weight: 700; margin-left: 0.25em; font-family: system-ui, sans-serif; }
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
`;function C(e,o,r=""){return{render({model:n,el:t}){W("stage",V),r&&W(e,r);let s=i("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":n.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});t.replaceChildren(s);let u=Y(s),a,m=()=>{a?.(),s.replaceChildren(),a=o({root:s,data:n.get("data"),model:n})};return n.on("change:data",m),m(),()=>{n.off("change:data",m),a?.(),u()}}}}function W(e,o){let r=`course-look-${e}`,n=document.getElementById(r);n?n.textContent=o:document.head.append(i("style",{id:r},o))}function J(e,{left:o,right:r,when:n}){let t=null,s=a=>{let[m,...c]=a.touches;t=c.length||!n()||he(a.target,e)?null:m},u=a=>{if(!t)return;let[m]=a.changedTouches,c=m.clientX-t.clientX,l=m.clientY-t.clientY;t=null,!(Math.abs(c)<50||Math.abs(c)<2*Math.abs(l))&&(c<0?o():r())};return e.addEventListener("touchstart",s,{passive:!0}),e.addEventListener("touchend",u,{passive:!0}),()=>{e.removeEventListener("touchstart",s),e.removeEventListener("touchend",u)}}function he(e,o){for(let r=e;r&&r!==o;r=r.parentElement){if(r.matches("input, select, textarea, [role=slider]"))return!0;let{touchAction:n,overflowX:t}=getComputedStyle(r);if(n!=="auto"&&n!=="manipulation"||/auto|scroll/.test(t)&&r.scrollWidth>r.clientWidth+1)return!0}return!1}var O=1e3;function Q(e){let o=e.map((w,p)=>e.slice(0,p+1).reduce((k,y)=>k+y,0)*60*O),r=0,n=null,t=0,s,u=i("b",{}),a=i("span",{class:"plan"}),m=M("",()=>n===null?l():f(),{class:"pause"}),c=i("div",{class:"timer",role:"timer","aria-label":"Time"},u,a,m);function l(){n=performance.now(),s=setInterval(v,O/2),v()}function f(){r=h(),n=null,clearInterval(s),v()}let h=()=>r+(n===null?0:performance.now()-n);function v(){let w=h()-o[t];u.textContent=T(h()),a.textContent=w>0?`${T(w)} late`:`until ${T(o[t])}`,a.title="planned end of this slide",c.classList.toggle("late",w>0),c.dataset.running=n!==null,m.replaceChildren(I(n===null?"play":"pause")),m.setAttribute("aria-label",n===null?"Start the timer":"Pause the timer")}return v(),{element:c,begin:()=>n===null&&r===0&&l(),at:w=>(t=w,v()),stop:()=>clearInterval(s),toggle:()=>c.classList.toggle("unseen")}}function T(e){let o=Math.floor(e/O);return`${Math.floor(o/60)}:${String(o%60).padStart(2,"0")}`}var be=["ArrowRight","PageDown"," "],ve=["ArrowLeft","PageUp"],we="input, select, textarea, [role=slider]";function N(e,{count:o,say:r,show:n}){let t=()=>typeof o=="function"?o():o,s=i("p",{class:"said",role:"status",dir:"auto"}),u=i("span",{class:"place"}),a=i("button",{type:"button",class:"back",onclick:()=>c.back()},"◀ Back"),m=i("button",{type:"button",class:"next",onclick:()=>c.next()},"Next ▶"),c={at:0,bar:i("div",{class:"steps"},a,m,u,s),go(l,f=!1){c.at=Math.max(0,Math.min(l,t()-1)),s.textContent=r(c.at),u.textContent=`${c.at+1} / ${t()}`,a.setAttribute("aria-disabled",c.at===0),m.setAttribute("aria-disabled",c.at===t()-1),n(c.at,f)},next(){return c.at>=t()-1?!1:(c.go(c.at+1,!0),!0)},back(){return c.at<=0?!1:(c.go(c.at-1),!0)}};return e.steps=c,e.onkeydown=l=>{if(l.altKey||l.ctrlKey||l.metaKey||l.defaultPrevented)return;let{key:f,target:h}=l;if(h.closest(we)||f===" "&&h.closest("button, summary"))return;(be.includes(f)?c.next():ve.includes(f)?c.back():f==="Home"?(c.go(0),!0):f==="End"&&(c.go(t()-1),!0))&&(l.preventDefault(),l.stopPropagation())},c}var Z={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},B={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function P(e,o="given"){return i("span",{class:`chip ${o}`,title:B[o]},i("bdi",{},ke(e)),Z[o]?i("i",{class:"sign","aria-label":o},Z[o]):null)}function ke(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(ee,te).replaceAll(" ","␣")||"·"}var L=e=>e.replace(ee,te),ee=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,te=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;function ne(e,{lines:o,board:r,title:n}){let t=[],s=(f,h)=>(t.push([f,h]),f),u=o.map(({text:f,look:h,at:v,tokens:w})=>s(i("p",{class:h},w.length?w.map(([p,k])=>P(p,k)):L(f)),v)),a=Math.max(0,...t.map(([,f])=>f),...r?.at??[]),m=u.filter((f,h)=>o[h].at===0),c=u.filter((f,h)=>o[h].at>0),l=N(e,{count:a+1,say:f=>f<a?"":"All is shown.",show:f=>t.forEach(([h,v])=>h.classList.toggle("unseen",f<v))});e.append(i("div",{class:"words"},m,r?xe(r,s,n):null,c)),a&&e.append(l.bar),l.go(0)}function xe({head:e,rows:o,at:r},n,t){let s=(a,m)=>m===0?P(a):a in B?P(a,a):L(a),u=(a,m,c)=>i(a,{},n(i("span",{},a==="th"?m:s(m,c)),r[c]));return i("table",{"aria-label":t},i("thead",{},i("tr",{},e.map((a,m)=>u("th",a,m)))),i("tbody",{},o.map(a=>i("tr",{},a.map((m,c)=>u("td",m,c))))))}var ye=["PageDown","PageUp"],Ee="(max-width: 640px), (max-height: 460px)",oe=C("deck",({root:e,data:o,model:r})=>{let n=!!(o.whole||"voila"in document.body.dataset),t=matchMedia(Ee),s=o.slides.map((d,b)=>f(d,b)),u=Q(o.slides.map(({minutes:d})=>d)),a=X(o.slides,d=>v(d)),m=i("span",{class:"place",role:"status"}),c=i("div",{class:"progress","aria-hidden":"true"},i("i")),l=Math.min(s.length-1,n?Math.max(0,(parseInt(location.hash.slice(1))||1)-1):0);e.classList.toggle("whole",n),document.documentElement.classList.toggle("course-whole",n),e.append(i("div",{class:"slides"},s.map(({element:d})=>d)),c,i("nav",{class:"desk","aria-label":"Slides"},x("back","Go back",p),x("on","Go on",w),m,x("all","All slides (o)",()=>a.open(l)),i("span",{class:"gap"}),u.element,x("clock","Timer: show or hide (t)",u.toggle),x("ground","Light or dark (d)",k),e.requestFullscreen?x("full","Full screen (f)",y):null),a.element);function f(d,b){let g=i("div",{class:"place-of-scene"}),A=i("article",{class:`slide ${d.kind}`,"aria-label":`Slide ${b+1}: ${d.title}`,"data-key":d.key},i("header",{},i("h2",{},d.title),d.ask?i("p",{class:"ask"},d.ask):null),i("div",{class:"body"},g)),z;return{element:A,fill:()=>z??=d.kind==="words"?ne(g,d)??!0:h(d,g),steps:()=>g.steps??g.querySelector(".course-scene")?.steps,end:async()=>(await z)?.call?.()}}async function h(d,b){let g=i("p",{class:"waiting quiet",role:"status"});g.textContent=d.loads?`Loading ${d.loads}. This takes a few seconds, once.`:"Drawing …",b.append(g);let A=i("div");try{let z=await G({model:r,data:o,key:d.key,place:A});return b.replaceChildren(A),z}catch(z){g.textContent=`This scene could not be made. ${z.message}. Restart \`make present\`, or go on without it.`}}function v(d,b){l=Math.max(0,Math.min(d,s.length-1)),s.forEach(({element:g},A)=>g.classList.toggle("current",A===l)),s[l].fill();for(let g of l?[l,l+1]:[0,1,2])o.slides[g]&&o.slides[g].kind!=="words"&&_(r,o.slides[g].key);b==="last"&&s[l].steps()?.go?.(1/0),m.textContent=`${l+1} / ${s.length}`,c.firstChild.style.transform=`scaleX(${(l+1)/s.length})`,u.at(l),t.matches?s[l].element.scrollIntoView():n&&history.replaceState(history.state,"",`#${l+1}`)}function w(){u.begin(),!s[l].steps()?.next()&&l<s.length-1&&v(l+1)}function p(){s[l].steps()?.back()||l>0&&v(l-1,"last")}function k(){e.dataset.theme=e.dataset.ground==="dark"?"light":"dark",document.documentElement.dataset.courseTheme=e.dataset.theme}function y(){document.fullscreenElement?document.exitFullscreen():e.requestFullscreen()}function x(d,b,g){return M(I(d),A=>{g(),A.detail&&!a.element.open&&e.focus({preventScroll:!0})},{"aria-label":b,title:b,class:`tool ${d}`})}let E={ArrowRight:w,PageDown:w," ":w,ArrowLeft:p,PageUp:p,Home:()=>v(0),End:()=>v(s.length-1),o:()=>a.open(l),f:y,d:k,t:u.toggle,b:()=>e.classList.toggle("blank"),".":()=>e.classList.toggle("blank")},$=d=>d.closest?.("input, select, textarea, [role=slider], [contenteditable]");function q(d){let{key:b,target:g}=d,A=e.contains(g);if(d.altKey||d.ctrlKey||d.metaKey||d.defaultPrevented||a.element.open||t.matches||!E[b]||!(A||n||document.fullscreenElement===e))return;let z=ye.includes(b);z===(d.eventPhase===Event.CAPTURING_PHASE)&&(!z&&($(g)||b===" "&&g.closest?.("button, summary, a"))||(d.preventDefault(),d.stopPropagation(),e.classList.remove("blank"),E[b]()))}document.addEventListener("keydown",q),document.addEventListener("keydown",q,!0);let ce=J(e,{left:w,right:p,when:()=>!t.matches&&!a.element.open}),j=new IntersectionObserver(d=>d.filter(b=>b.isIntersecting).forEach(({target:b})=>{j.unobserve(b),s.find(({element:g})=>g===b).fill()}),{rootMargin:"300px"}),F=()=>{e.classList.toggle("scrolled",t.matches),document.documentElement.classList.toggle("course-scrolled",t.matches),s.forEach(({element:d})=>t.matches?j.observe(d):j.unobserve(d))};return t.addEventListener("change",F),F(),v(l),n&&setTimeout(()=>e.focus({preventScroll:!0})),()=>{document.removeEventListener("keydown",q),document.removeEventListener("keydown",q,!0),t.removeEventListener("change",F),j.disconnect(),ce(),u.stop(),s.forEach(({end:d})=>d()),document.documentElement.classList.remove("course-whole","course-scrolled")}},H);var re=C("placeholder",({root:e,data:o})=>{let r=i("div",{style:"height:20em;border:1px dashed var(--line);display:grid;place-items:center;font-size:2em"}),n=N(e,{count:3,say:t=>`${o.name}: sentence ${t+1}`,show:t=>r.textContent=`${o.name} ${t+1}`});e.append(r,R({label:"a slider",min:0,max:10,value:3,on:()=>{}}).element,n.bar),r.style.height="10em",n.go(0)});var se="abcdef",ie=C("quiz",({root:e,data:o,model:r})=>{let n=o.choices.map(()=>0),t=o.choices.map(c),s=i("p",{class:"note quiet",role:"status"}),u=M("Count votes",f,{"aria-pressed":"false",class:"counting"}),a=M("Start again",v);e.append(i("h3",{},L(o.text)),i("ol",{},t.map(p=>p.item)),i("div",{class:"row foot"},u,a,s));let m=()=>s.textContent=r.get("note")??"";r.on("change:note",m),e.steps={next:h,back:()=>!1};function c(p,k){let y=i("span",{class:"bar","aria-hidden":"true"}),x=i("span",{class:"sum"}),E=i("p",{class:"why",hidden:!0,role:"status"}),$=i("button",{type:"button",class:"pick",onclick:()=>l(k)},y,i("b",{},se[k]),i("span",{},L(p.text)),x);return{item:i("li",{},$,E),pick:$,bar:y,sum:x,why:E}}function l(p){if(e.classList.contains("voting"))return n[p]+=1,w();let{why:k,pick:y}=t[p],{right:x,why:E}=o.choices[p];k.hidden=!1,k.replaceChildren(i("b",{},x?"✓ Right. ":"✗ No. "),L(E)),y.classList.add(x?"right":"wrong"),r.set("chosen",p),r.save_changes()}function f(){let p=e.classList.toggle("voting");u.setAttribute("aria-pressed",p),s.textContent=p?"Each click on a row is a vote. Stop counting to see the answer.":"",w()}function h(){return t.some(({pick:p})=>p.classList.contains("right"))?!1:(e.classList.contains("voting")&&f(),l(o.choices.findIndex(({right:p})=>p)),!0)}function v(){n.fill(0),t.forEach(({why:p,pick:k})=>{p.hidden=!0,k.classList.remove("right","wrong")}),s.textContent="",w()}function w(){let p=n.reduce((k,y)=>k+y,0);t.forEach(({bar:k,sum:y,pick:x},E)=>{k.style.width=`${p?100*n[E]/p:0}%`,y.textContent=p?n[E]:"",x.setAttribute("aria-label",`${se[E]}: ${L(o.choices[E].text)}${p?`, ${n[E]} of ${p} votes`:""}`)})}return()=>r.off("change:note",m)},`
.quiz ol { list-style: none; margin: 0.4em 0; padding: 0; display: grid; gap: 0.4em; }
.quiz li { margin: 0; }
.quiz .pick { position: relative; display: flex; gap: 0.8em; width: 100%; text-align: left; overflow: hidden; padding: 0.45em 0.8em; }
.quiz .pick > * { position: relative; }
.quiz .pick .bar { position: absolute; inset: 0 auto 0 0; width: 0; background: color-mix(in srgb, var(--target) 30%, var(--ground)); transition: width 200ms; }
.quiz .pick .sum { margin-left: auto; font-weight: 700; font-variant-numeric: tabular-nums; }
.quiz .pick.right { border: 2px solid var(--accepted); background: color-mix(in srgb, var(--accepted) 18%, var(--ground)); }
.quiz .pick.wrong { border: 2px dashed var(--rejected); }
.quiz .why { margin: 0.2em 0 0.4em; padding-left: 2.2em; }
.quiz .foot { min-height: 2.4em; }
`);function ae(e){let o=(n,t=JSON.parse(n.querySelector("script").textContent))=>{let s=document.createElement("div");n.replaceChildren(s);let u=S(t),a=e[n.dataset.courseScene].render({model:u,el:s});return n.mounted=!0,{model:u,end:a}};window.courseStage={scenes:e,mount:o,host:S};let r=()=>{let n=new IntersectionObserver(t=>t.filter(s=>s.isIntersecting).forEach(({target:s})=>{n.unobserve(s),o(s)}),{rootMargin:"400px"});document.querySelectorAll("[data-course-scene]").forEach(t=>n.observe(t))};document.readyState==="loading"?document.addEventListener("DOMContentLoaded",r):r()}ae({deck:oe,placeholder:re,quiz:ie});})();
