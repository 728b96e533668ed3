/* Built by stage/build.mjs. Course: Apache-2.0. D3 modules: ISC, (c) Mike Bostock. */
function a(t,n={},...r){return E(document.createElement(t),n,r)}function E(t,n,r){for(let[e,s]of Object.entries(n))typeof s=="function"?t.addEventListener(e.replace(/^on/,""),s):s!==!1&&s!=null&&t.setAttribute(e,s===!0?"":s);return t.append(...r.flat().filter(e=>e!=null&&e!==!1)),t}function h(t,n,r={}){return a("button",{type:"button",onclick:n,...r},t)}function v(t){let n=()=>{t.dataset.ground=j(getComputedStyle(t).backgroundColor)<.4?"dark":"light"},r=()=>[0,100,400].forEach(i=>setTimeout(n,i)),e=new MutationObserver(r);for(let i of[document.documentElement,document.body])e.observe(i,{attributes:!0});let s=matchMedia("(prefers-color-scheme: dark)");return s.addEventListener("change",r),n(),r(),()=>{e.disconnect(),s.removeEventListener("change",r)}}function j(t){let[n,r,e,s=1]=(t.match(/[\d.]+/g)??["255","255","255"]).map(Number);return s===0?1:(.2126*n+.7152*r+.0722*e)/255}var x=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function y(t,n,r=""){return{render({model:e,el:s}){w("stage",x),r&&w(t,r);let i=a("section",{class:`course-scene ${t}`,tabindex:"0",role:"group","aria-label":e.get("alt")||t,"data-scene":t,"data-lm-suppress-shortcuts":"true"});s.replaceChildren(i);let g=v(i),m,p=()=>{m?.(),i.replaceChildren(),m=n({root:i,data:e.get("data"),model:e})};return e.on("change:data",p),p(),()=>{e.off("change:data",p),m?.(),g()}}}}function w(t,n){let r=`course-look-${t}`,e=document.getElementById(r);e?e.textContent=n:document.head.append(a("style",{id:r},n))}var k="abcdef",K=y("quiz",({root:t,data:n,model:r})=>{let e=n.choices.map(()=>0),s=n.choices.map(C),i=a("p",{class:"note quiet",role:"status"}),g=h("Count votes",A,{"aria-pressed":"false",class:"counting"}),m=h("Start again",q);t.append(a("h3",{},n.text),a("ol",{},s.map(o=>o.item)),a("div",{class:"row foot"},g,m,i));let p=()=>i.textContent=r.get("note")??"";r.on("change:note",p);function C(o,c){let l=a("span",{class:"bar","aria-hidden":"true"}),d=a("span",{class:"sum"}),u=a("p",{class:"why",hidden:!0,role:"status"}),b=a("button",{type:"button",class:"pick",onclick:()=>z(c)},l,a("b",{},k[c]),a("span",{},o.text),d);return{item:a("li",{},b,u),pick:b,bar:l,sum:d,why:u}}function z(o){if(t.classList.contains("voting"))return e[o]+=1,f();let{why:c,pick:l}=s[o],{right:d,why:u}=n.choices[o];c.hidden=!1,c.replaceChildren(a("b",{},d?"✓ Right. ":"✗ No. "),u),l.classList.add(d?"right":"wrong"),r.set("chosen",o),r.save_changes()}function A(){let o=t.classList.toggle("voting");g.setAttribute("aria-pressed",o),i.textContent=o?"Each click on a row is a vote. Stop counting to see the answer.":"",f()}function q(){e.fill(0),s.forEach(({why:o,pick:c})=>{o.hidden=!0,c.classList.remove("right","wrong")}),i.textContent="",f()}function f(){let o=e.reduce((c,l)=>c+l,0);s.forEach(({bar:c,sum:l,pick:d},u)=>{c.style.width=`${o?100*e[u]/o:0}%`,l.textContent=o?e[u]:"",d.setAttribute("aria-label",`${k[u]}: ${n.choices[u].text}${o?`, ${e[u]} of ${o} votes`:""}`)})}return()=>r.off("change:note",p)},`
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
`);export{K as default};
