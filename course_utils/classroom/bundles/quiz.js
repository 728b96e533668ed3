/* Built by stage/build.mjs. Course: Apache-2.0. D3 modules: ISC, (c) Mike Bostock. */
function a(e,o={},...r){return j(document.createElement(e),o,r)}function j(e,o,r){for(let[t,s]of Object.entries(o))typeof s=="function"?e.addEventListener(t.replace(/^on/,""),s):s!==!1&&s!=null&&e.setAttribute(t,s===!0?"":s);return e.append(...r.flat().filter(t=>t!=null&&t!==!1)),e}function h(e,o,r={}){return a("button",{type:"button",onclick:o,...r},e)}function y(e){let o=()=>{e.dataset.ground=N(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},r=()=>[0,100,400].forEach(c=>setTimeout(o,c)),t=new MutationObserver(r);for(let c of[document.documentElement,document.body])t.observe(c,{attributes:!0});let s=matchMedia("(prefers-color-scheme: dark)");return s.addEventListener("change",r),o(),r(),()=>{t.disconnect(),s.removeEventListener("change",r)}}function N(e){let[o,r,t,s=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return s===0?1:(.2126*o+.7152*r+.0722*t)/255}var k=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function C(e,o,r=""){return{render({model:t,el:s}){A("stage",k),r&&A(e,r);let c=a("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":t.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});s.replaceChildren(c);let g=y(c),f,p=()=>{f?.(),c.replaceChildren(),f=o({root:c,data:t.get("data"),model:t})};return t.on("change:data",p),p(),()=>{t.off("change:data",p),f?.(),g()}}}}function A(e,o){let r=`course-look-${e}`,t=document.getElementById(r);t?t.textContent=o:document.head.append(a("style",{id:r},o))}var m=e=>e.replace($,I),$=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,I=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var z="abcdef",Y=C("quiz",({root:e,data:o,model:r})=>{let t=o.choices.map(()=>0),s=o.choices.map(E),c=a("p",{class:"note quiet",role:"status"}),g=h("Count votes",x,{"aria-pressed":"false",class:"counting"}),f=h("Start again",S);e.append(a("h3",{},m(o.text)),a("ol",{},s.map(n=>n.item)),a("div",{class:"row foot"},g,f,c));let p=()=>c.textContent=r.get("note")??"";r.on("change:note",p),e.steps={next:q,back:()=>!1};function E(n,i){let l=a("span",{class:"bar","aria-hidden":"true"}),d=a("span",{class:"sum"}),u=a("p",{class:"why",hidden:!0,role:"status"}),w=a("button",{type:"button",class:"pick",onclick:()=>v(i)},l,a("b",{},z[i]),a("span",{},m(n.text)),d);return{item:a("li",{},w,u),pick:w,bar:l,sum:d,why:u}}function v(n){if(e.classList.contains("voting"))return t[n]+=1,b();let{why:i,pick:l}=s[n],{right:d,why:u}=o.choices[n];i.hidden=!1,i.replaceChildren(a("b",{},d?"✓ Right. ":"✗ No. "),m(u)),l.classList.add(d?"right":"wrong"),r.set("chosen",n),r.save_changes()}function x(){let n=e.classList.toggle("voting");g.setAttribute("aria-pressed",n),c.textContent=n?"Each click on a row is a vote. Stop counting to see the answer.":"",b()}function q(){return s.some(({pick:n})=>n.classList.contains("right"))?!1:(e.classList.contains("voting")&&x(),v(o.choices.findIndex(({right:n})=>n)),!0)}function S(){t.fill(0),s.forEach(({why:n,pick:i})=>{n.hidden=!0,i.classList.remove("right","wrong")}),c.textContent="",b()}function b(){let n=t.reduce((i,l)=>i+l,0);s.forEach(({bar:i,sum:l,pick:d},u)=>{i.style.width=`${n?100*t[u]/n:0}%`,l.textContent=n?t[u]:"",d.setAttribute("aria-label",`${z[u]}: ${m(o.choices[u].text)}${n?`, ${t[u]} of ${n} votes`:""}`)})}return()=>r.off("change:note",p)},`
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
`);export{Y as default};
