/* Built by stage/build.mjs. Course: Apache-2.0. */
function n(e,o={},...i){return U(document.createElement(e),o,i)}function U(e,o,i){for(let[r,a]of Object.entries(o))typeof a=="function"?e.addEventListener(r.replace(/^on/,""),a):a!==!1&&a!=null&&e.setAttribute(r,a===!0?"":a);return e.append(...i.flat().filter(r=>r!=null&&r!==!1)),e}function J(e,o,i={}){return n("button",{type:"button",onclick:o,...i},e)}function j({label:e,options:o,value:i,on:r}){let a=o.map(c=>Array.isArray(c)?c:[c,c]),s=c=>p.forEach((u,t)=>u.setAttribute("aria-pressed",a[t][0]===c)),p=a.map(([c,u])=>J(u,()=>(s(c),r(c))));return s(i??a[0][0]),{element:n("div",{class:"tabs",role:"group","aria-label":e},p),set:s}}var N={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},k={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function $(e,o="given"){return n("span",{class:`chip ${o}`,title:k[o]},n("bdi",{},R(e)),N[o]?n("i",{class:"sign","aria-label":o},N[o]):null)}function R(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(q,L).replaceAll(" ","␣")||"·"}var S=e=>`…${e.replace(/^ /,"")}`;var _=e=>e.replace(q,L),q=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,L=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var W=.5,F=48,z=[6,60],A=e=>`${Math.round(z[0]+z[1]*e)}%`;function I(e,o){let i=e.prompt.length>F?S(e.prompt.slice(-F).replace(/^[^\n]*\n(?=.)/s,"")):e.prompt,r=e.tokens.map((t,l)=>n("span",{class:"tok","data-at":l},n("bdi",{},_(t.text)))),a=n("div",{class:"words",role:"group","aria-label":e.name,dir:"ltr"},n("span",{class:"prompt"},_(i)),r),s=-1,p=!1,c=(t,l)=>{!p||!e.tokens[t]||(r[s]&&(r[s].tabIndex=-1),s=t,r[t].tabIndex=0,l&&r[t].focus(),o(e.tokens[t],r[t]))},u=t=>t.target.closest?.(".tok")?.dataset.at;return a.addEventListener("pointerover",t=>u(t)!=null&&c(+u(t))),a.addEventListener("click",t=>u(t)!=null&&c(+u(t),!0)),a.addEventListener("focusin",t=>u(t)!=null&&+u(t)!==s&&c(+u(t))),a.addEventListener("keydown",t=>{if(!p||u(t)==null)return;let l={ArrowRight:s+1,ArrowLeft:s-1,ArrowDown:s+10,ArrowUp:s-10}[t.key];l===void 0||t.altKey||t.ctrlKey||t.metaKey||(t.preventDefault(),c(Math.max(0,Math.min(l,r.length-1)),!0))}),{element:a,paint(t){p=t,a.classList.toggle("painted",t),t||(s=-1),t?a.removeAttribute("tabindex"):a.tabIndex=0,r.forEach((l,m)=>{let{kind:b,share:w}=e.tokens[m];l.className=t?`tok ${b}${b==="accepted"&&w<W?" low":""}`:"tok",t&&b==="accepted"&&l.style.setProperty("--share",A(w)),t?l.tabIndex=m===Math.max(s,0)?0:-1:l.removeAttribute("tabindex")})}}}var g=(e,o=2)=>e.toFixed(o),M=(e,o=0)=>`${(100*e).toFixed(o)} %`;var E=(e,o)=>`${e} ${o}${e===1?"":"s"}`;function K(e){let o=()=>{e.dataset.ground=H(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},i=()=>[0,100,400].forEach(s=>setTimeout(o,s)),r=new MutationObserver(i);for(let s of[document.documentElement,document.body])r.observe(s,{attributes:!0});let a=matchMedia("(prefers-color-scheme: dark)");return a.addEventListener("change",i),o(),i(),()=>{r.disconnect(),a.removeEventListener("change",i)}}function H(e){let[o,i,r,a=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return a===0?1:(.2126*o+.7152*i+.0722*r)/255}var B=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function O(e,o,i=""){return{render({model:r,el:a}){D("stage",B),i&&D(e,i);let s=n("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":r.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});a.replaceChildren(s);let p=K(s),c,u=()=>{c?.(),s.replaceChildren(),c=o({root:s,data:r.get("data"),model:r})};return r.on("change:data",u),u(),()=>{r.off("change:data",u),c?.(),p()}}}}function D(e,o){let i=`course-look-${e}`,r=document.getElementById(i);r?r.textContent=o:document.head.append(n("style",{id:i},o))}var Y=["ArrowRight","PageDown"," "],V=["ArrowLeft","PageUp"],Q="input, select, textarea, [role=slider]";function P(e,{count:o,say:i,show:r}){let a=()=>typeof o=="function"?o():o,s=n("p",{class:"said",role:"status",dir:"auto"}),p=n("span",{class:"place"}),c=n("button",{type:"button",class:"back",onclick:()=>t.back()},"◀ Back"),u=n("button",{type:"button",class:"next",onclick:()=>t.next()},"Next ▶"),t={at:0,bar:n("div",{class:"steps"},c,u,p,s),go(l,m=!1){t.at=Math.max(0,Math.min(l,a()-1)),s.textContent=i(t.at),p.textContent=`${t.at+1} / ${a()}`,c.setAttribute("aria-disabled",t.at===0),u.setAttribute("aria-disabled",t.at===a()-1),r(t.at,m)},next(){return t.at>=a()-1?!1:(t.go(t.at+1,!0),!0)},back(){return t.at<=0?!1:(t.go(t.at-1),!0)}};return e.steps=t,e.onkeydown=l=>{if(l.altKey||l.ctrlKey||l.metaKey||l.defaultPrevented)return;let{key:m,target:b}=l;if(b.closest(Q)||m===" "&&b.closest("button, summary"))return;(Y.includes(m)?t.next():V.includes(m)?t.back():m==="Home"?(t.go(0),!0):m==="End"&&(t.go(a()-1),!0))&&(l.preventDefault(),l.stopPropagation())},t}var T=`.heat_map .steps .said { min-height: 2.9em; display: flex; align-items: center; }
.heat_map .texts { display: grid; grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); gap: 0 1.4em; margin-top: 0.3em; }
.heat_map .column { display: grid; grid-row: span 3; grid-template-rows: subgrid; min-width: 0; }
.heat_map .words {
  font-family: var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace; font-size: 0.92em;
  line-height: 1.42; white-space: pre-wrap; overflow-wrap: anywhere; height: 18.4em; overflow-y: auto;
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
.heat_map .head h3 { margin: 0; }
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
  .heat_map .words { height: 17em; }
  .heat_map .detail { min-height: 6.1em; }
  .heat_map .key { min-height: 0; }
}
`;var je=O("heat_map",({root:e,data:o,model:i})=>{let{texts:r}=o,a=r.length+1,s=n("p",{class:"detail",role:"status"}),p=r.map(d=>I(d,(f,x)=>{e.querySelector(".tok.now")?.classList.remove("now"),x.classList.add("now"),s.replaceChildren(...ee(f,d))})),c=r.map(te),u=r.map((d,f)=>n("div",{class:"column"},n("div",{class:"head"},n("h3",{},d.name),c[f].short),p[f].element,c[f].long)),t=j({label:"text",options:r.map(({name:d},f)=>[f,d]),value:0,on:C}),l=n("p",{class:"key"}),m=P(e,{count:a+1,say:b,show:w});e.style.setProperty("--columns",r.length),e.append(m.bar,t.element,n("div",{class:"texts"},u),l,s),m.go(i.get("on_paper")?a:0);function b(d){if(d===0)return"One draft model guessed for all of these texts. Which one was the easiest to guess?";if(d<a){let{name:v}=r[d-1];return d>1?`Now ${v}, in the same colours. More corrections, or fewer?`:`First ${v}. The greener the ground, the more probable it was that the guess is accepted: min(1, p/q).`}if(r.length===1)return`${r[0].name}: ${g(r[0].per_round)} tokens per round.`;let f=[...r].sort((v,y)=>y.per_round-v.per_round),[x,h]=[f[0],f.at(-1)];return`The same two models, and it is the text that decides: ${g(h.per_round)} tokens per round (${h.name}), ${g(x.per_round)} (${x.name}).`}function w(d,f){p.forEach((x,h)=>x.paint(d>h)),e.classList.toggle("summed",d===a),d<a&&C(Math.max(0,d-1)),G(d),d===0?s.textContent="":(!s.textContent||f)&&(s.textContent="Point at a token or tap it, or use Tab and the arrows: p, q and u of its guess.")}function C(d){t.set(d),u.forEach((f,x)=>f.classList.toggle("chosen",d===x))}function G(d){let f=["correction","bonus","target"].filter(h=>r.slice(0,d).some(({tokens:v})=>v.some(y=>y.kind===h))),x=[0,.25,.5,.75,1].map(h=>n("i",{style:`--share:${A(h)}`}));l.replaceChildren(...d===0?[]:[n("span",{},"accepted with probability 0",n("span",{class:"scale","aria-hidden":"true"},x),"1"),n("span",{},n("span",{class:"tok low"},"below one half")),...f.map(h=>n("span",{},n("span",{class:`tok ${h}`},h),` ${k[h]}`.replace(`${h}, `,"")))])}},T);function ee({text:e,kind:o,round:i,own:r,guess:a,p:s,q:p,u:c,share:u},{uniforms:t}){let l=[$(e,o),` round ${i}: `];if(o==="bonus")return[...l,"all guesses of the round were accepted; the target adds this one, drawn with probability ",n("b",{},g(r,3)),"."];if(o==="target")return[...l,"nothing had been guessed; the target said it, with probability ",n("b",{},g(r,3)),"."];let m=n("b",{},`p = ${g(s,3)}, q = ${g(p,3)}, min(1, p/q) = ${g(u,3)}`),b=t?o==="accepted"?`; u = ${g(c,3)} is below it: accepted.`:`; u = ${g(c,3)} is not below it: rejected.`:"";return o==="accepted"?[...l,m,b||": accepted."]:[...l,"in place of the guess ",$(a,"rejected")," ",m,b||": rejected."]}function te({name:e,most:o,per_round:i,rounds:r,accepted:a,examined:s,alpha:p,tokens:c}){let u=s?`${a} of ${s} examined guesses accepted (${M(a/s)})`:"no guess examined";return{short:n("span",{class:"sum"},n("b",{},g(i))," tokens per round"),long:n("div",{class:"sum"},n("span",{class:"rail",role:"img","aria-label":`${e}: ${g(i)} tokens per round`},n("i",{style:`width:${(100*i/o).toFixed(1)}%`})),n("small",{},`${E(c.length,"token")}, ${E(r,"round")}; ${u}`,p==null?"":`; α = ${g(p)}`))}}export{je as default};
