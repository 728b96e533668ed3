/* Built by stage/build.mjs. Course: Apache-2.0. */
function a(e,o={},...r){return N(document.createElement(e),o,r)}function N(e,o,r){for(let[t,c]of Object.entries(o))typeof c=="function"?e.addEventListener(t.replace(/^on/,""),c):c!==!1&&c!=null&&e.setAttribute(t,c===!0?"":c);return e.append(...r.flat().filter(t=>t!=null&&t!==!1)),e}function v(e,o,r={}){return a("button",{type:"button",onclick:o,...r},e)}function k(e){let o=()=>{e.dataset.ground=L(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},r=()=>[0,100,400].forEach(n=>setTimeout(o,n)),t=new MutationObserver(r);for(let n of[document.documentElement,document.body])t.observe(n,{attributes:!0});let c=matchMedia("(prefers-color-scheme: dark)");return c.addEventListener("change",r),o(),r(),()=>{t.disconnect(),c.removeEventListener("change",r)}}function L(e){let[o,r,t,c=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return c===0?1:(.2126*o+.7152*r+.0722*t)/255}var A=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function C(e,o,r=""){return{render({model:t,el:c}){z("stage",A),r&&z(e,r);let n=a("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":t.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});c.replaceChildren(n);let m=k(n),u,l=()=>{let{at:i,last:p}=n.steps;t.get("step")===i&&t.get("last_step")===p()||(t.set("last_step",p()),t.set("step",i),t.save_changes())},f=()=>{let i=n.steps;if(!i?.last)return;i.went=l;let p=t.get("step")??i.at;p===i.at?l():i.go(p)},d=()=>{u?.(),n.replaceChildren(),u=o({root:n,data:t.get("data"),model:t}),f()};return t.on("change:data",d),t.on("change:step",f),d(),()=>{t.off("change:data",d),t.off("change:step",f),u?.(),m()}}}}function z(e,o){let r=`course-look-${e}`,t=document.getElementById(r);t?t.textContent=o:document.head.append(a("style",{id:r},o))}var b=e=>e.replace(B,F),B=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,F=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;function E(e,{kind:o="",on:r}){let t=e.map((n,m)=>{let{words:u,name:l=u,lead:f}=typeof n=="string"?{words:n}:n,d=a("span",{class:"bar","aria-hidden":"true"}),i=a("b",{class:"sum"}),p=()=>h.getAttribute("aria-disabled")==="true"||r(m),h=a("button",{type:"button",class:`vote ${o}`,onclick:p},d,f,a("span",{},u),i);return{button:h,bar:d,sum:i,name:l}});function c(n,{open:m=!0,note:u=()=>""}={}){let l=n.reduce((f,d)=>f+d,0);t.forEach(({button:f,bar:d,sum:i,name:p},h)=>{d.style.setProperty("--share",l?n[h]/l:0),i.textContent=l?n[h]:"",f.setAttribute("aria-disabled",!m),f.setAttribute("aria-label",`${p}${l?`, ${n[h]} of ${l} votes`:""}${u(h)}`)})}return c(e.map(()=>0)),{buttons:t.map(({button:n})=>n),show:c}}var x="abcdef",ee=C("quiz",({root:e,data:o,model:r})=>{let t=o.choices.map(()=>0),c=({text:s},g)=>({words:b(s),name:`${x[g]}: ${b(s)}`,lead:a("b",{},x[g])}),n=E(o.choices.map(c),{kind:"pick",on:i}),m=n.buttons.map(s=>({pick:s,why:a("p",{class:"why",hidden:!0,role:"status"})})),u=a("p",{class:"note quiet",role:"status"}),l=v("Count votes",p,{"aria-pressed":"false",class:"counting"}),f=v("Start again",j,{class:"again"});e.append(a("h3",{},b(o.text)),a("ol",{},m.map(({pick:s,why:g})=>a("li",{},s,g))),a("div",{class:"row foot"},l,f,u));let d=()=>u.textContent=r.get("note")??"";r.on("change:note",d),e.steps={next:q,back:()=>!1},e.vote=h;function i(s){if(e.classList.contains("voting"))return t[s]+=1,n.show(t);let{why:g,pick:S}=m[s],{right:y,why:$}=o.choices[s];g.hidden=!1,g.replaceChildren(a("b",{},y?"✓ Right. ":"✗ No. "),b($)),S.classList.add(y?"right":"wrong"),r.set("chosen",s),r.save_changes()}function p(){let s=e.classList.toggle("voting");l.setAttribute("aria-pressed",s),u.textContent=s?"Each click on a row is a vote. Stop counting to see the answer.":"",n.show(t)}function h(s){let g=x.indexOf(s);g>=m.length||(!w()&&!e.classList.contains("voting")&&p(),i(g))}function q(){return w()?!1:(e.classList.contains("voting")&&p(),i(o.choices.findIndex(({right:s})=>s)),!0)}function w(){return m.some(({pick:s})=>s.classList.contains("right"))}function j(){t.fill(0),m.forEach(({why:s,pick:g})=>{s.hidden=!0,g.classList.remove("right","wrong")}),u.textContent="",n.show(t)}return()=>r.off("change:note",d)},`
.quiz h3 { font-size: 1.12em; text-wrap: balance; }
.quiz ol { list-style: none; margin: 0.4em 0; padding: 0; display: grid; gap: 0.4em; }
.quiz li { margin: 0; }
.quiz .pick { gap: 0.8em; width: 100%; padding: 0.35em 0.6em; align-items: baseline; font-size: 1.08em; }
.quiz .pick b:first-of-type { flex: none; width: 1.55em; line-height: 1.4; text-align: center; border-radius: 1em; background: var(--ink); color: var(--ground); }
.quiz:not(.voting, :has(.right, .wrong)) .again { visibility: hidden; }
.quiz .pick.right { border: 2px solid var(--accepted); background: color-mix(in srgb, var(--accepted) 18%, var(--ground)); }
.quiz .pick.wrong { border: 2px dashed var(--rejected); }
.quiz .why { margin: 0.2em 0 0.4em; padding-left: 3.4em; }
.quiz .foot { min-height: 2.4em; }
`);export{ee as default};
