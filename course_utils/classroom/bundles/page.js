/* Built by stage/build.mjs. Course: Apache-2.0. D3 modules: ISC, (c) Mike Bostock. */
(()=>{function a(t,o={},...r){return $(document.createElement(t),o,r)}function $(t,o,r){for(let[e,n]of Object.entries(o))typeof n=="function"?t.addEventListener(e.replace(/^on/,""),n):n!==!1&&n!=null&&t.setAttribute(e,n===!0?"":n);return t.append(...r.flat().filter(e=>e!=null&&e!==!1)),t}function b(t,o,r={}){return a("button",{type:"button",onclick:o,...r},t)}function w(t){let o=()=>{t.dataset.ground=L(getComputedStyle(t).backgroundColor)<.4?"dark":"light"},r=()=>[0,100,400].forEach(s=>setTimeout(o,s)),e=new MutationObserver(r);for(let s of[document.documentElement,document.body])e.observe(s,{attributes:!0});let n=matchMedia("(prefers-color-scheme: dark)");return n.addEventListener("change",r),o(),r(),()=>{e.disconnect(),n.removeEventListener("change",r)}}function L(t){let[o,r,e,n=1]=(t.match(/[\d.]+/g)??["255","255","255"]).map(Number);return n===0?1:(.2126*o+.7152*r+.0722*e)/255}var y=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function A(t,o,r=""){return{render({model:e,el:n}){k("stage",y),r&&k(t,r);let s=a("section",{class:`course-scene ${t}`,tabindex:"0",role:"group","aria-label":e.get("alt")||t,"data-scene":t,"data-lm-suppress-shortcuts":"true"});n.replaceChildren(s);let d=w(s),p,m=()=>{p?.(),s.replaceChildren(),p=o({root:s,data:e.get("data"),model:e})};return e.on("change:data",m),m(),()=>{e.off("change:data",m),p?.(),d()}}}}function k(t,o){let r=`course-look-${t}`,e=document.getElementById(r);e?e.textContent=o:document.head.append(a("style",{id:r},o))}var g=t=>t.replace(B,F),B=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,F=t=>t==="�"?t:`‹${t.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var C="abcdef",E=A("quiz",({root:t,data:o,model:r})=>{let e=o.choices.map(()=>0),n=o.choices.map(q),s=a("p",{class:"note quiet",role:"status"}),d=b("Count votes",j,{"aria-pressed":"false",class:"counting"}),p=b("Start again",N);t.append(a("h3",{},g(o.text)),a("ol",{},n.map(c=>c.item)),a("div",{class:"row foot"},d,p,s));let m=()=>s.textContent=r.get("note")??"";r.on("change:note",m);function q(c,i){let l=a("span",{class:"bar","aria-hidden":"true"}),f=a("span",{class:"sum"}),u=a("p",{class:"why",hidden:!0,role:"status"}),x=a("button",{type:"button",class:"pick",onclick:()=>z(i)},l,a("b",{},C[i]),a("span",{},g(c.text)),f);return{item:a("li",{},x,u),pick:x,bar:l,sum:f,why:u}}function z(c){if(t.classList.contains("voting"))return e[c]+=1,h();let{why:i,pick:l}=n[c],{right:f,why:u}=o.choices[c];i.hidden=!1,i.replaceChildren(a("b",{},f?"✓ Right. ":"✗ No. "),g(u)),l.classList.add(f?"right":"wrong"),r.set("chosen",c),r.save_changes()}function j(){let c=t.classList.toggle("voting");d.setAttribute("aria-pressed",c),s.textContent=c?"Each click on a row is a vote. Stop counting to see the answer.":"",h()}function N(){e.fill(0),n.forEach(({why:c,pick:i})=>{c.hidden=!0,i.classList.remove("right","wrong")}),s.textContent="",h()}function h(){let c=e.reduce((i,l)=>i+l,0);n.forEach(({bar:i,sum:l,pick:f},u)=>{i.style.width=`${c?100*e[u]/c:0}%`,l.textContent=c?e[u]:"",f.setAttribute("aria-label",`${C[u]}: ${g(o.choices[u].text)}${c?`, ${e[u]} of ${c} votes`:""}`)})}return()=>r.off("change:note",m)},`
.quiz ol { list-style: none; margin: 0.4em 0; padding: 0; display: grid; gap: 0.4em; }
.quiz li { margin: 0; }
.quiz .pick { position: relative; display: flex; gap: 0.8em; width: 100%; text-align: left; overflow: hidden; padding: 0.45em 0.8em; }
.quiz .pick > * { position: relative; }
.quiz .pick .bar { position: absolute; inset: 0 auto 0 0; width: 0; background: color-mix(in srgb, var(--target) 30%, var(--ground)); transition: width 200ms; }
.quiz .pick .sum { margin-left: auto; font-weight: 700; font-variant-numeric: tabular-nums; }
.quiz .pick.right { border: 2px solid var(--accepted); }
.quiz .pick.wrong { border: 2px dashed var(--rejected); }
.quiz .why { margin: 0.2em 0 0.4em; padding-left: 2.2em; }
.quiz .foot { min-height: 2.4em; }
`);function v(t){let o=new Map,r=e=>o.get(e)??o.set(e,new Set).get(e);return{get:e=>t[e],set:(e,n)=>{t[e]=n,r(`change:${e}`).forEach(s=>s())},on:(e,n)=>r(e).add(n),off:(e,n)=>n?r(e).delete(n):r(e).clear(),save_changes:()=>{},send:()=>{},alone:!0}}function S(t){let o=(e,n=JSON.parse(e.querySelector("script").textContent))=>{let s=document.createElement("div");e.replaceChildren(s);let d=v(n),p=t[e.dataset.courseScene].render({model:d,el:s});return e.mounted=!0,{model:d,end:p}};window.courseStage={scenes:t,mount:o,host:v};let r=()=>{let e=new IntersectionObserver(n=>n.filter(s=>s.isIntersecting).forEach(({target:s})=>{e.unobserve(s),o(s)}),{rootMargin:"400px"});document.querySelectorAll("[data-course-scene]").forEach(n=>e.observe(n))};document.readyState==="loading"?document.addEventListener("DOMContentLoaded",r):r()}S({quiz:E});})();
