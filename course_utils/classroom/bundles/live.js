/* Built by stage/build.mjs. Course: Apache-2.0. */
function n(t,e={},...a){return me(document.createElement(t),e,a)}function me(t,e,a){for(let[o,r]of Object.entries(e))typeof r=="function"?t.addEventListener(o.replace(/^on/,""),r):r!==!1&&r!=null&&t.setAttribute(o,r===!0?"":r);return t.append(...a.flat().filter(o=>o!=null&&o!==!1)),t}function R({label:t,min:e,max:a,step:o=1,value:r,format:c=String,on:d}){let s=n("input",{type:"range",min:e,max:a,step:o,"aria-label":t}),l=n("output"),p=()=>{l.textContent=c(s.valueAsNumber),s.setAttribute("aria-valuetext",l.textContent)};s.addEventListener("input",()=>{p(),d(s.valueAsNumber)});let y={element:n("label",{class:"slider"},n("span",{},t),s,l),get value(){return s.valueAsNumber},set(w){s.value=w,p()},range(w,k){Object.assign(s,{min:w,max:k}),p()}};return y.set(r),y}function j(t,e,a={}){return n("button",{type:"button",onclick:e,...a},t)}function U({label:t,options:e,value:a,on:o}){let r=e.map(l=>Array.isArray(l)?l:[l,l]),c=n("select",{"aria-label":t,onchange:()=>o(r[c.selectedIndex][0])},r.map(([,l])=>n("option",{},l))),d=l=>c.selectedIndex=r.findIndex(([p])=>p===l);return d(a??r[0][0]),{element:n("label",{class:"choice"},n("span",{},t),c),set:d,get value(){return r[c.selectedIndex]?.[0]}}}function V({label:t,options:e,value:a,on:o}){let r=e.map(s=>Array.isArray(s)?s:[s,s]),c=s=>d.forEach((l,p)=>l.setAttribute("aria-pressed",r[p][0]===s)),d=r.map(([s,l])=>j(l,()=>(c(s),o(s))));return c(a??r[0][0]),{element:n("div",{class:"tabs",role:"group","aria-label":t},d),set:c}}var W=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;var N=(t,e=2)=>t.toFixed(e);var L=(t,e)=>`${t} ${e}${t===1?"":"s"}`;var fe=["run","drafter","γ","T","tokens","calls","per call","α","per second"];function D(t){if(!t)return{tokens:"–",calls:"–",perCall:"–",alpha:"–",speed:"–"};let{tokens:e,calls:a,accepted:o,examined:r,seconds:c}=t;return{tokens:`${e}`,calls:`${a}`,perCall:N(e/a),alpha:r?N(o/r):"–",speed:c?N(e/c,0):"–"}}function X(){let t=n("tbody"),e=n("p",{class:"quiet"},"Every run will be noted here."),a=n("table",{},n("thead",{},n("tr",{},fe.map(r=>n("th",{scope:"col"},r)))),t);return{element:n("div",{class:"runlog",tabindex:"0",role:"region","aria-label":"all runs so far"},e,a),show(r){let c=({numbers:s})=>s.seconds?s.tokens/s.seconds:0,d=Math.max(...r.map(c),1e-9);e.hidden=r.length>0,a.hidden=r.length===0,t.replaceChildren(...r.toReversed().map(s=>ge(s,D(s.numbers),c(s)/d)))}}}function ge({run:t,drafter:e,gamma:a,temperature:o,numbers:r,ending:c},d,s){let l=n("i",{class:"bar","aria-hidden":"true"});l.style.width=`${100*s}%`;let p=r.examined>0,y=[t,e,p?a:"–",o,d.tokens,d.calls,d.perCall,d.alpha];return n("tr",{title:c},y.map(w=>n("td",{},`${w}`)),n("td",{class:"speed"},l,n("b",{},d.speed)))}function Y(t){let e=()=>{t.dataset.ground=he(getComputedStyle(t).backgroundColor)<.4?"dark":"light"},a=()=>[0,100,400].forEach(c=>setTimeout(e,c)),o=new MutationObserver(a);for(let c of[document.documentElement,document.body])o.observe(c,{attributes:!0});let r=matchMedia("(prefers-color-scheme: dark)");return r.addEventListener("change",a),e(),a(),()=>{o.disconnect(),r.removeEventListener("change",a)}}function he(t){let[e,a,o,r=1]=(t.match(/[\d.]+/g)??["255","255","255"]).map(Number);return r===0?1:(.2126*e+.7152*a+.0722*o)/255}var Q=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function ee(t,e,a=""){return{render({model:o,el:r}){Z("stage",Q),a&&Z(t,a);let c=n("section",{class:`course-scene ${t}`,tabindex:"0",role:"group","aria-label":o.get("alt")||t,"data-scene":t,"data-lm-suppress-shortcuts":"true"});r.replaceChildren(c);let d=Y(c),s,l=()=>{s?.(),c.replaceChildren(),s=e({root:c,data:o.get("data"),model:o})};return o.on("change:data",l),l(),()=>{o.off("change:data",l),s?.(),d()}}}}function Z(t,e){let a=`course-look-${t}`,o=document.getElementById(a);o?o.textContent=e:document.head.append(n("style",{id:a},e))}var O={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};var te=t=>`…${t.replace(/^ /,"")}`;var T=t=>t.replace(be,xe),be=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,xe=t=>t==="�"?t:`‹${t.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var re=600;function ne(t){let e=n("pre",{class:"stream",tabindex:"0",role:"region","aria-label":t}),a,o=0;return{element:e,show({key:r,prompt:c,said:d}){if(r!==a||d.length<o){[a,o]=[r,0];let l=c.length>re?te(c.slice(-re)):c;e.replaceChildren(n("span",{class:"given"},T(l)))}if(d.length===o)return;let s=e.scrollHeight-e.scrollTop-e.clientHeight<40;e.append(...d.slice(o).map(we)),o=d.length,s&&(e.scrollTop=e.scrollHeight)}}}var we=([t,e])=>n("span",{class:`token ${e}`,title:O[e]},T(t));var oe=`.live .head { margin-bottom: 0.4em; }
.live .head h3 { margin: 0; }
.live > .steps { margin-bottom: 0.5em; }
.live .desk { display: grid; gap: 0.5em 1.2em; grid-template: "controls left right" auto "controls past past" 1fr / 19em minmax(0, 1fr) minmax(0, 1fr); }
.live .controls { grid-area: controls; display: grid; gap: 0.3em; align-content: start; }
.live .left { grid-area: left; }
.live .right { grid-area: right; }
.live .left:has(+ .right[hidden]) { grid-column: left / right; }
.live .past { grid-area: past; }
.live .side { min-width: 0; }
.live [hidden] { display: none; }
.live textarea { width: 100%; resize: none; font: 0.95em/1.4 var(--jp-code-font-family, ui-monospace, monospace); padding: 0.4em 0.6em; }
.live .controls .slider { grid-template-columns: max-content minmax(3em, 1fr) 2.2em; gap: 0.5em; }
.live .controls .slider input { min-height: 2.2em; }
.live .warning { margin: 0; padding: 0.2em 0.6em; border-left: 0.3em solid var(--rejected); background: var(--faint); }
.live .choice span { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
.live .choice, .live .choice select { width: 100%; }
.live .caption { margin: 0.1em 0; min-height: 1.45em; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.live dl { display: flex; gap: 0 0.9em; margin: 0 0 0.3em; justify-content: space-between; align-items: flex-start; }
.live dl div { display: grid; }
.live dl dd { grid-row: 1; }
.live dt { white-space: nowrap; color: var(--quiet); font-size: 0.92em; font-weight: 400; line-height: 1.2; margin: 0; }
.live dd { margin: 0; font-size: 1.25em; font-weight: 700; line-height: 1.15; font-variant-numeric: tabular-nums; }
.live .stream {
  height: 8.6em; overflow: auto; margin: 0; padding: 0.4em 0.6em; border: 1px solid var(--line); border-radius: 0.4em; background: none; color: inherit;
  white-space: pre-wrap; overflow-wrap: anywhere; font: 0.95em/1.55 var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace;
}
.live .stream .given { color: var(--quiet); unicode-bidi: isolate; }
.live .token { unicode-bidi: isolate; border-bottom: 2px solid transparent; }
.live .token.accepted { border-color: var(--accepted); background: color-mix(in srgb, var(--accepted) 24%, var(--ground)); }
.live .token.correction { border-bottom: 4px double var(--correction); background: color-mix(in srgb, var(--correction) 30%, var(--ground)); font-weight: 700; }
.live .token.bonus { border-bottom: 3px dotted var(--bonus); background: color-mix(in srgb, var(--bonus) 24%, var(--ground)); font-weight: 700; }
.live .token.target { border-bottom: 2px dashed var(--target); background: color-mix(in srgb, var(--target) 16%, var(--ground)); font-style: italic; }
.live .legend { margin: 0 0 0.4em; display: grid; grid-template-columns: auto auto; gap: 0.3em 0.6em; justify-items: start; }
.live .legend .token { color: var(--ink); }
.live .past { display: flex; gap: 0.8em; align-items: start; min-width: 0; }
.live .runlog { flex: 1; height: 6.2em; overflow: auto; border: 1px solid var(--line); border-radius: 0.4em; min-width: 0; }
.live .runlog > p { padding: 0.2em 0.6em; }
.live table { border-collapse: collapse; width: 100%; margin: 0; font-size: 1em; }
.live tr { background: none !important; }
.live th, .live td { border: 0; padding: 0.05em 0.4em; text-align: right; font-size: 1em; color: inherit; white-space: nowrap; font-variant-numeric: tabular-nums; }
.live th { font-weight: 400; font-size: 0.92em; color: var(--quiet); position: sticky; top: 0; background: var(--ground); z-index: 1; }
.live :is(th, td):nth-child(2) { text-align: left; }
.live .speed, .live th:last-child { position: relative; width: 28%; text-align: left; }
.live th:last-child { position: sticky; }
.live .speed .bar { position: absolute; inset: 0.15em auto 0.15em 0; border-radius: 0.2em; background: color-mix(in srgb, var(--neutral) 40%, var(--ground)); }
.live .speed b { position: relative; }
.live.printed .steps button { display: none; }
.live.printed .stream { height: auto; }

@container (min-width: 40.01em) {
  .live[data-alone] .desk { grid-template: "controls controls" auto "left right" auto "past past" auto / minmax(0, 1fr) minmax(0, 1fr); }
  .live[data-alone] .controls { grid-template-columns: minmax(0, 1fr); }
  .live[data-alone] .stream { height: 11.7em; }
}
@container (max-width: 60em) {
  .live .desk { grid-template: "controls controls" auto "left right" auto "past past" auto / minmax(0, 1fr) minmax(0, 1fr); }
  .live .controls { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1.2em; }
  .live textarea { grid-row: 1 / span 4; height: 100%; }
  .live .warning { grid-column: 1 / -1; margin-top: 0.4em; }
}
@container (max-width: 40em) {
  .live .desk { grid-template: "controls" "left" "right" "past" / minmax(0, 1fr); }
  .live .controls { grid-template-columns: minmax(0, 1fr); }
  .live .controls textarea { height: auto; grid-row: auto; }
  .live .controls .slider { grid-template-columns: 10em minmax(3em, 1fr) 2.4em; }
  .live .controls .slider span { grid-column: auto; }
  .live .past { flex-direction: column; align-items: stretch; }
  .live .runlog { flex: none; height: 9em; }
  .live dl { gap: 0 0.5em; }
  .live :is(th, td):nth-child(n + 3):nth-child(-n + 6) { display: none; }
  .live :is(th, td) { padding: 0.05em 0.3em; }
  .live .speed, .live th:last-child { width: 5.5em; }
}
`;var ke=["accepted","correction","bonus","target"],ae={tokens:"tokens",calls:"calls",perCall:"per call",alpha:"α",speed:"per second"},G="Live needs Python: open lesson 00 with “make lab”, or “make present”.",Qe=ee("live",({root:t,data:e,model:a})=>{let o=!!a.alone,r=Object.entries(e.still);t.toggleAttribute("data-alone",o);let c=n("p",{class:"said",role:"status"}),d=n("p",{class:"warning",role:"status",hidden:!0}),s=j(o?"▶ Play the stored run":"▶ Start",o?_:ce,{class:"next"}),l=j("■ Stop",o?()=>M(!0):()=>z({do:"stop"})),p=n("textarea",{rows:4,"aria-label":"prompt",spellcheck:"false"});p.value=e.prompt||Object.values(e.prompts)[0];let y=V({label:"prompts",options:Object.keys(e.prompts),on:i=>p.value=e.prompts[i]});p.addEventListener("input",()=>y.set(null));let w=Object.fromEntries(Object.entries(e.sliders).map(([i,u])=>[i,R({...u,format:m=>`${Number(m.toFixed(2))}`,on:()=>{}})])),k=["left","right"].map(ie),H=X(),se=n("p",{class:"legend"},ke.map(i=>n("span",{class:`token ${i}`,title:O[i]},i))),A=0,q=[];t.append(n("div",{class:"row head"},n("h3",{},"Live"),o?"":y.element),n("div",{class:"steps"},s,l,c),n("div",{class:"desk"},n("div",{class:"controls"},...o?[n("p",{class:"quiet"},"Made when the page was stored; it plays with the times that it took then.")]:[p,Object.values(w).map(i=>i.element)],d),k.map(i=>i.element),n("div",{class:"past"},H.element,n("div",{},se,o?"":j("Clear the log",()=>z({do:"clear"}))))));function ie(i,u){let m=e.drafters.map(b=>[b,b]),g=U({label:`drafter, ${i}`,value:u?e.beside:e.drafters[0],options:u?[...m,[null,"nothing: one run alone"]]:m,on:()=>{}}),h=Object.fromEntries(Object.keys(ae).map(b=>[b,n("dd")])),f=n("p",{class:"caption quiet"}),v=ne(`text, ${i}`),x=n("dl",{},Object.entries(ae).map(([b,$])=>n("div",{},n("dt",{},$),h[b])));return{select:g,element:n("div",{class:`side ${i}`},o?"":g.element,f,x,v.element),show({key:b,title:$,prompt:B,said:I,numbers:P,ending:S}){f.title=S??"",f.textContent=[$,S?.split(":")[0]].filter(Boolean).join(" · ")||"nothing decoded yet";for(let[ue,pe]of Object.entries(D(P)))h[ue].textContent=pe;v.show({key:b,prompt:B,said:I})}}}function z(i){a.set("command",{...i,at:`${Date.now()} ${Math.random()}`}),a.save_changes()}function ce(){let i=Object.fromEntries(Object.entries(w).map(([u,m])=>[u,m.value]));z({do:"start",prompt:p.value,drafters:k.map(u=>u.select.value),...i})}function C(i,u=!1){s.setAttribute("aria-disabled",i),l.setAttribute("aria-disabled",!i||u)}function F(){let{status:i="",warning:u="",sides:m=[],...g}=a.get("run_state")??{};c.textContent=i,d.textContent=u,d.hidden=!u,C(g.busy,g.stopping),k.forEach((h,f)=>{let{run:v,drafter:x,gamma:b,temperature:$,ending:B,failure:I,...P}=m[f]??{run:0,said:[],prompt:""},S=v?`run ${v}: ${x}, γ ${b}, T ${$}`:"";h.show({...P,key:`${v} ${f}`,title:S,ending:I||B})})}let E=()=>H.show(o?q:a.get("log")??[]);function _(){if(!r.length||s.getAttribute("aria-disabled")==="true")return;let i=++A,u=performance.now(),m=Math.max(...r.map(([,h])=>1e3*h.at(-1).numbers.seconds));C(!0),c.textContent="Playing the stored run at its real speed …";let g=h=>{if(i!==A)return;let f=W()?m:h-u;r.forEach((v,x)=>K(v,x,f,i)),f<m?requestAnimationFrame(g):M(!1,i)};requestAnimationFrame(g)}function K([i,u],m,g,h){let f=u.filter(x=>1e3*x.numbers.seconds<=g),v=f.length===u.length;k[m]?.show({key:`${h}`,title:`drafter: ${i}`,prompt:e.prompt,said:f.flatMap(x=>x.said),numbers:f.at(-1)?.numbers,ending:v?"played to its end":""})}function M(i){A++,C(!1);let[[,u]]=r,{tokens:m,calls:g}=u.at(-1).numbers;if(c.textContent=i?"Stopped.":`Played: ${L(m,"token")} from ${L(g,"target call")}. ${G}`,i||q.length)return;let{gamma:h,temperature:f}=e.sliders;q.push(...r.map(([v,x],b)=>({run:b+1,drafter:v,gamma:h.value,temperature:f.value,numbers:x.at(-1).numbers,ending:""}))),E()}function le(){C(!1),c.textContent=r.length?`${G} Here a stored run can be played.`:G,s.hidden=l.hidden=!r.length,k.forEach((i,u)=>{i.element.hidden=u>=r.length,i.show({key:"before",title:r[u]&&`drafter: ${r[u][0]}`,prompt:e.prompt,said:[]})}),!(!a.get("on_paper")||!r.length)&&(t.classList.add("printed"),J())}function J(){r.forEach((i,u)=>K(i,u,1/0,A)),M(!1)}function de(){return A||!r.length?!1:(_(),!0)}return E(),o&&(t.steps={next:de,back:()=>!1,go:i=>i>0&&r.length&&J()}),o?le():F(),a.on("change:run_state",F),a.on("change:log",E),()=>{A++,a.off("change:run_state",F),a.off("change:log",E)}},oe);export{Qe as default};
