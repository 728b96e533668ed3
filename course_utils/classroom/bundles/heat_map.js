/* Built by stage/build.mjs. Course: Apache-2.0. */
function a(t,o={},...n){return G(document.createElement(t),o,n)}function G(t,o,n){for(let[r,s]of Object.entries(o))typeof s=="function"?t.addEventListener(r.replace(/^on/,""),s):s!==!1&&s!=null&&t.setAttribute(r,s===!0?"":s);return t.append(...n.flat().filter(r=>r!=null&&r!==!1)),t}function U(t,o,n={}){return a("button",{type:"button",onclick:o,...n},t)}function A({label:t,options:o,value:n,on:r}){let s=o.map(l=>Array.isArray(l)?l:[l,l]),i=l=>m.forEach((p,e)=>p.setAttribute("aria-pressed",s[e][0]===l)),m=s.map(([l,p])=>U(p,()=>(i(l),r(l))));return i(n??s[0][0]),{element:a("div",{class:"tabs",role:"group","aria-label":t},m),set:i}}var E={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},w={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function y(t,o="given"){return a("span",{class:`chip ${o}`,title:w[o]},a("bdi",{},J(t)),E[o]?a("i",{class:"sign","aria-label":o},E[o]):null)}function J(t){return t.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(j,N).replaceAll(" ","␣")||"·"}var C=t=>`…${t.replace(/^ /,"")}`;var k=t=>t.replace(j,N),j=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,N=t=>t==="�"?t:`‹${t.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var R=.5,S=48,q=[6,60],_=t=>`${Math.round(q[0]+q[1]*t)}%`;function L(t,o){let n=t.prompt.length>S?C(t.prompt.slice(-S).replace(/^[^\n]*\n(?=.)/s,"")):t.prompt,r=t.tokens.map((e,c)=>a("span",{class:"tok","data-at":c},a("bdi",{},k(e.text)))),s=a("div",{class:"words",role:"group","aria-label":t.name,dir:"ltr"},a("span",{class:"prompt"},k(n)),r),i=-1,m=!1,l=(e,c)=>{!m||!t.tokens[e]||(r[i]&&(r[i].tabIndex=-1),i=e,r[e].tabIndex=0,c&&r[e].focus(),o(t.tokens[e],r[e]))},p=e=>e.target.closest?.(".tok")?.dataset.at;return s.addEventListener("pointerover",e=>p(e)!=null&&l(+p(e))),s.addEventListener("click",e=>p(e)!=null&&l(+p(e),!0)),s.addEventListener("focusin",e=>p(e)!=null&&+p(e)!==i&&l(+p(e))),s.addEventListener("keydown",e=>{if(!m||p(e)==null)return;let c={ArrowRight:i+1,ArrowLeft:i-1,ArrowDown:i+10,ArrowUp:i-10}[e.key];c===void 0||e.altKey||e.ctrlKey||e.metaKey||(e.preventDefault(),l(Math.max(0,Math.min(c,r.length-1)),!0))}),{element:s,paint(e){m=e,s.classList.toggle("painted",e),e||(i=-1),e?s.removeAttribute("tabindex"):s.tabIndex=0,r.forEach((c,u)=>{let{kind:f,share:v}=t.tokens[u];c.className=e?`tok ${f}${f==="accepted"&&v<R?" low":""}`:"tok",e&&f==="accepted"&&c.style.setProperty("--share",_(v)),e?c.tabIndex=u===Math.max(i,0)?0:-1:c.removeAttribute("tabindex")})}}}var x=(t,o=2)=>t.toFixed(o),F=(t,o=0)=>`${(100*t).toFixed(o)} %`;var $=(t,o)=>`${t} ${o}${t===1?"":"s"}`;function z(t){let o=()=>{t.dataset.ground=W(getComputedStyle(t).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(i=>setTimeout(o,i)),r=new MutationObserver(n);for(let i of[document.documentElement,document.body])r.observe(i,{attributes:!0});let s=matchMedia("(prefers-color-scheme: dark)");return s.addEventListener("change",n),o(),n(),()=>{r.disconnect(),s.removeEventListener("change",n)}}function W(t){let[o,n,r,s=1]=(t.match(/[\d.]+/g)??["255","255","255"]).map(Number);return s===0?1:(.2126*o+.7152*n+.0722*r)/255}var I=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function K(t,o,n=""){return{render({model:r,el:s}){M("stage",I),n&&M(t,n);let i=a("section",{class:`course-scene ${t}`,tabindex:"0",role:"group","aria-label":r.get("alt")||t,"data-scene":t,"data-lm-suppress-shortcuts":"true"});s.replaceChildren(i);let m=z(i),l,p=()=>{let{at:u,last:f}=i.steps;r.get("step")===u&&r.get("last_step")===f()||(r.set("last_step",f()),r.set("step",u),r.save_changes())},e=()=>{let u=i.steps;if(!u?.last)return;u.went=p;let f=r.get("step")??u.at;f===u.at?p():u.go(f)},c=()=>{l?.(),i.replaceChildren(),l=o({root:i,data:r.get("data"),model:r}),e()};return r.on("change:data",c),r.on("change:step",e),c(),()=>{r.off("change:data",c),r.off("change:step",e),l?.(),m()}}}}function M(t,o){let n=`course-look-${t}`,r=document.getElementById(n);r?r.textContent=o:document.head.append(a("style",{id:n},o))}var X=["ArrowRight","PageDown"," "],Y=["ArrowLeft","PageUp"],V="input, select, textarea, [role=slider]";function B(t,{count:o,say:n,show:r}){let s=()=>typeof o=="function"?o():o,i=a("p",{class:"said",role:"status",dir:"auto"}),m=a("span",{class:"place"}),l=a("button",{type:"button",class:"back",onclick:()=>e.back()},"◀ Back"),p=a("button",{type:"button",class:"next",onclick:()=>e.next()},"Next ▶"),e={at:0,last:()=>s()-1,went:()=>{},bar:a("div",{class:"steps"},l,p,m,i),go(c,u=!1){e.at=Math.max(0,Math.min(c,e.last())),i.textContent=n(e.at),m.textContent=`${e.at+1} / ${s()}`,l.setAttribute("aria-disabled",e.at===0),p.setAttribute("aria-disabled",e.at===e.last()),r(e.at,u),e.went()},next(){return e.at>=e.last()?!1:(e.go(e.at+1,!0),!0)},back(){return e.at<=0?!1:(e.go(e.at-1),!0)}};return t.steps=e,t.onkeydown=c=>{if(c.altKey||c.ctrlKey||c.metaKey||c.defaultPrevented)return;let{key:u,target:f}=c;if(f.closest(V)||u===" "&&f.closest("button, summary"))return;(X.includes(u)?e.next():Y.includes(u)?e.back():u==="Home"?(e.go(0),!0):u==="End"&&(e.go(e.last()),!0))&&(c.preventDefault(),c.stopPropagation())},e}var D=`.heat_map .steps .said { min-height: 2.9em; display: flex; align-items: center; }
.heat_map .texts { display: grid; grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); gap: 0 1.4em; margin-top: 0.3em; }
.heat_map .column { display: grid; grid-row: span 3; grid-template-rows: subgrid; min-width: 0; }
.heat_map .words {
  font-family: var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace; font-size: 0.92em;
  line-height: 1.42; white-space: pre-wrap; overflow-wrap: anywhere; height: calc(19.26em + 2px); /* 13 lines */ overflow-y: auto;
  border: 1px solid var(--line); border-radius: 0.4em; padding: 0.4em 0.6em;
}
.heat_map .prompt { color: var(--quiet); }
.heat_map .tok { border-radius: 0.2em; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.heat_map .painted .tok { cursor: pointer; padding: 0.08em 0; box-shadow: inset 1px 0 0 var(--ground); }
.heat_map .tok.accepted { background: color-mix(in srgb, var(--accepted) var(--share), var(--ground)); }
.heat_map .tok.low { text-decoration: underline dotted 2px var(--accepted); text-underline-offset: 0.22em; }
.heat_map .tok.correction { background: color-mix(in srgb, var(--correction) 38%, var(--ground)); border-bottom: 3px double var(--correction); font-weight: 600; }
.heat_map .tok.bonus { background: color-mix(in srgb, var(--bonus) 30%, var(--ground)); border-bottom: 3px dotted var(--bonus); font-weight: 600; }
.heat_map .tok.target { background: color-mix(in srgb, var(--target) 24%, var(--ground)); font-style: italic; }
.heat_map .tok.now { outline: 2px solid var(--ink); }
.heat_map .key { display: flex; flex-wrap: wrap; gap: 0.1em 1em; align-items: center; min-height: 1.6em; margin: 0; font-size: 0.92em; color: var(--quiet); }
.heat_map .key .tok { color: var(--ink); padding: 0 0.3em; }
.heat_map .scale { display: inline-flex; vertical-align: middle; margin: 0 0.4em; }
.heat_map .scale i { width: 1.3em; height: 1.1em; background: color-mix(in srgb, var(--accepted) var(--share), var(--ground)); }
.heat_map .detail { min-height: 2.2em; margin: 0.3em 0 0; padding: 0.3em 0.7em; border-left: 4px solid var(--line); }
.heat_map .detail:empty { border-color: transparent; }
.heat_map .detail b { font-variant-numeric: tabular-nums; }
.heat_map .sum { visibility: hidden; }
.heat_map.summed .sum { visibility: visible; }
.heat_map .head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 0.6em; min-height: 2em; }
.heat_map .head h3 { margin: 0; line-height: 1.62; }
.heat_map .sum b { font-size: 1.35em; line-height: 1.2; font-variant-numeric: tabular-nums; }
.heat_map .sum small { display: block; color: var(--quiet); line-height: 1.3; min-height: 2.6em; }
.heat_map .rail { display: block; height: 0.5em; margin: 0.3em 0 0.2em; background: var(--faint); }
.heat_map .rail i { display: block; height: 100%; background: var(--accepted); }
.heat_map .tabs { display: none; margin-top: 0.4em; }
@container (max-width: 34em) {
  .heat_map .tabs { display: flex; }
  .heat_map .texts { grid-template-columns: 1fr; }
  .heat_map .column:not(.chosen) { display: none; }
  .heat_map.summed .column:not(.chosen) { display: grid; }
  .heat_map.summed .column:not(.chosen) .words { display: none; }
  .heat_map .words { height: calc(17.84em + 2px); }
  .heat_map .detail { min-height: 6.1em; }
  .heat_map .key { min-height: 0; }
}
`;var Ce=K("heat_map",({root:t,data:o})=>{let{texts:n}=o,r=n.length+1,s=a("p",{class:"detail",role:"status"}),i=n.map(d=>L(d,(g,h)=>{t.querySelector(".tok.now")?.classList.remove("now"),h.classList.add("now"),s.replaceChildren(...Z(g,d))})),m=n.map(ee),l=n.map((d,g)=>a("div",{class:"column"},a("div",{class:"head"},a("h3",{},d.name),m[g].short),i[g].element,m[g].long)),p=A({label:"text",options:n.map(({name:d},g)=>[g,d]),value:0,on:v}),e=a("p",{class:"key"}),c=B(t,{count:r+1,say:u,show:f});t.style.setProperty("--columns",n.length),t.append(c.bar,p.element,a("div",{class:"texts"},l),e,s),c.go(0);function u(d){if(d===0)return"One draft model guessed for all of these texts. Which one was the easiest to guess?";if(d<r){let{name:h}=n[d-1];return d>1?`Now ${h}, in the same colours. More corrections, or fewer?`:`First ${h}. The greener the ground, the more probable it was that the guess is accepted: min(1, p/q).`}return n.length===1?`${n[0].name}: ${x(n[0].per_round)} tokens per round.`:`The same two models; the text decides. Tokens per round: ${[...n].sort((h,b)=>h.per_round-b.per_round).map(({name:h,per_round:b})=>`${h} ${x(b)}`).join(", ")}.`}function f(d,g){i.forEach((h,b)=>h.paint(d>b)),t.classList.toggle("summed",d===r),d<r&&v(Math.max(0,d-1)),O(d),d===0?s.textContent="":(!s.textContent||g)&&(s.textContent="Point at a token or tap it, or use Tab and the arrows: p, q and u of its guess.")}function v(d){p.set(d),l.forEach((g,h)=>g.classList.toggle("chosen",d===h))}function O(d){let g=["correction","bonus","target"].filter(b=>n.slice(0,d).some(({tokens:T})=>T.some(P=>P.kind===b))),h=[0,.25,.5,.75,1].map(b=>a("i",{style:`--share:${_(b)}`}));e.replaceChildren(...d===0?[]:[a("span",{},"accepted with probability 0",a("span",{class:"scale","aria-hidden":"true"},h),"1"),a("span",{},a("span",{class:"tok low"},"below one half")),...g.map(b=>a("span",{},a("span",{class:`tok ${b}`},b),` ${w[b]}`.replace(`${b}, `,"")))])}},D);function Z({text:t,kind:o,round:n,own:r,guess:s,p:i,q:m,u:l,share:p},{uniforms:e}){let c=[y(t,o),` round ${n}: `];if(o==="bonus")return[...c,"all guesses of the round were accepted; the target adds this one, drawn with probability ",a("b",{},x(r,3)),"."];if(o==="target")return[...c,"nothing had been guessed; the target said it, with probability ",a("b",{},x(r,3)),"."];let u=a("b",{},`p = ${x(i,3)}, q = ${x(m,3)}, min(1, p/q) = ${x(p,3)}`),f=e?o==="accepted"?`; u = ${x(l,3)} is below it: accepted.`:`; u = ${x(l,3)} is not below it: rejected.`:"";return o==="accepted"?[...c,u,f||": accepted."]:[...c,"in place of the guess ",y(s,"rejected")," ",u,f||": rejected."]}function ee({name:t,most:o,per_round:n,rounds:r,accepted:s,examined:i,tokens:m}){let l=i?`${s} of ${i} examined guesses accepted (${F(s/i)})`:"no guess examined";return{short:a("span",{class:"sum"},a("b",{},x(n))," tokens per round"),long:a("div",{class:"sum"},a("span",{class:"rail",role:"img","aria-label":`${t}: ${x(n)} tokens per round`},a("i",{style:`width:${(100*n/o).toFixed(1)}%`})),a("small",{},`${$(m.length,"token")}, ${$(r,"round")}; ${l}`))}}export{Ce as default};
