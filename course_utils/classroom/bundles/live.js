/* Built by stage/build.mjs. Course: Apache-2.0. */
function r(e,t={},...n){return te(document.createElement(e),t,n)}function te(e,t,n){for(let[o,s]of Object.entries(t))typeof s=="function"?e.addEventListener(o.replace(/^on/,""),s):s!==!1&&s!=null&&e.setAttribute(o,s===!0?"":s);return e.append(...n.flat().filter(o=>o!=null&&o!==!1)),e}function L({label:e,min:t,max:n,step:o=1,value:s,format:i=String,on:c}){let a=r("input",{type:"range",min:t,max:n,step:o,"aria-label":e}),l=r("output"),u=()=>{l.textContent=i(a.valueAsNumber),a.setAttribute("aria-valuetext",l.textContent)};a.addEventListener("input",()=>{u(),c(a.valueAsNumber)});let f={element:r("label",{class:"slider"},r("span",{},e),a,l),get value(){return a.valueAsNumber},set(p){a.value=p,u()},range(p,g){Object.assign(a,{min:p,max:g}),u()}};return f.set(s),f}function y(e,t,n={}){return r("button",{type:"button",onclick:t,...n},e)}function _({label:e,options:t,value:n,on:o}){let s=t.map(l=>Array.isArray(l)?l:[l,l]),i=r("select",{"aria-label":e,onchange:()=>o(s[i.selectedIndex][0])},s.map(([,l])=>r("option",{},l))),c=l=>i.selectedIndex=s.findIndex(([u])=>u===l);return c(n??s[0][0]),{element:r("label",{class:"choice"},r("span",{},e),i),set:c,get value(){return s[i.selectedIndex]?.[0]}}}function D({label:e,options:t,value:n,on:o}){let s=t.map(a=>Array.isArray(a)?a:[a,a]),i=a=>c.forEach((l,u)=>l.setAttribute("aria-pressed",s[u][0]===a)),c=s.map(([a,l])=>y(l,()=>(i(a),o(a))));return i(n??s[0][0]),{element:r("div",{class:"tabs",role:"group","aria-label":e},c),set:i}}var A=(e,t=2)=>e.toFixed(t);var re=["run","drafter","γ","T","tokens","calls","per call","α","per second"];function q(e){if(!e)return{tokens:"–",calls:"–",perCall:"–",alpha:"–",speed:"–"};let{tokens:t,calls:n,accepted:o,examined:s,seconds:i}=e;return{tokens:`${t}`,calls:`${n}`,perCall:A(t/n),alpha:s?A(o/s):"–",speed:i?A(t/i,0):"–"}}function G(){let e=r("tbody"),t=r("p",{class:"quiet"},"Every run will be noted here."),n=r("table",{},r("thead",{},r("tr",{},re.map(s=>r("th",{scope:"col"},s)))),e);return{element:r("div",{class:"runlog",tabindex:"0",role:"region","aria-label":"all runs so far"},t,n),show(s){let i=({numbers:a})=>a.seconds?a.tokens/a.seconds:0,c=Math.max(...s.map(i),1e-9);t.hidden=s.length>0,n.hidden=s.length===0,e.replaceChildren(...s.toReversed().map(a=>oe(a,q(a.numbers),i(a)/c)))}}}function oe({run:e,drafter:t,gamma:n,temperature:o,numbers:s,ending:i},c,a){let l=r("i",{class:"bar","aria-hidden":"true"});l.style.width=`${100*a}%`;let u=s.examined>0,f=[e,t,u?n:"–",o,c.tokens,c.calls,c.perCall,c.alpha];return r("tr",{title:i},f.map(p=>r("td",{},`${p}`)),r("td",{class:"speed"},l,r("b",{},c.speed)))}function H(e){let t=()=>{e.dataset.ground=ne(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(i=>setTimeout(t,i)),o=new MutationObserver(n);for(let i of[document.documentElement,document.body])o.observe(i,{attributes:!0});let s=matchMedia("(prefers-color-scheme: dark)");return s.addEventListener("change",n),t(),n(),()=>{o.disconnect(),s.removeEventListener("change",n)}}function ne(e){let[t,n,o,s=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return s===0?1:(.2126*t+.7152*n+.0722*o)/255}var T=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function P(e,t,n=""){return{render({model:o,el:s}){K("stage",T),n&&K(e,n);let i=r("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":o.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});s.replaceChildren(i);let c=H(i),a,l=()=>{let{at:p,last:g}=i.steps;o.get("step")===p&&o.get("last_step")===g()||(o.set("last_step",g()),o.set("step",p),o.save_changes())},u=()=>{let p=i.steps;if(!p?.last)return;p.went=l;let g=o.get("step")??p.at;g===p.at?l():p.go(g)},f=()=>{a?.(),i.replaceChildren(),a=t({root:i,data:o.get("data"),model:o}),u()};return o.on("change:data",f),o.on("change:step",u),f(),()=>{o.off("change:data",f),o.off("change:step",u),a?.(),c()}}}}function K(e,t){let n=`course-look-${e}`,o=document.getElementById(n);o?o.textContent=t:document.head.append(r("style",{id:n},t))}var $={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};var J=e=>`…${e.replace(/^ /,"")}`;var B=e=>e.replace(ae,ie),ae=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,ie=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var R=600;function U(e){let t=r("pre",{class:"stream",tabindex:"0",role:"region","aria-label":e}),n,o=0;return{element:t,show({key:s,prompt:i,said:c}){if(s!==n||c.length<o){[n,o]=[s,0];let l=i.length>R?J(i.slice(-R)):i;t.replaceChildren(r("span",{class:"given"},B(l)))}if(c.length===o)return;let a=t.scrollHeight-t.scrollTop-t.clientHeight<40;t.append(...c.slice(o).map(ce)),o=c.length,a&&(t.scrollTop=t.scrollHeight)}}}var ce=([e,t])=>r("span",{class:`token ${t}`,title:$[t]},B(e));var V=`.live .head { margin-bottom: 0.4em; }
.live .head h3 { margin: 0; }
.live > .steps { margin-bottom: 0.5em; }
.live .desk { display: grid; gap: 0.5em 1.2em; grid-template: "controls left right" auto "controls past past" 1fr / 19em minmax(0, 1fr) minmax(0, 1fr); }
.live .controls { grid-area: controls; display: grid; gap: 0.3em; align-content: start; }
.live .left { grid-area: left; }
.live .right { grid-area: right; }
.live .past { grid-area: past; }
.live .side { min-width: 0; }
.live [hidden] { display: none; }
.live textarea { width: 100%; resize: none; font: 0.95em/1.4 var(--jp-code-font-family, ui-monospace, monospace); padding: 0.4em 0.6em; }
.live .controls .slider { grid-template-columns: max-content minmax(3em, 1fr) 2.2em; gap: 0.5em; }
.live .controls .slider input { min-height: 2.2em; }
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

@container (max-width: 60em) {
  .live .desk { grid-template: "controls controls" auto "left right" auto "past past" auto / minmax(0, 1fr) minmax(0, 1fr); }
  .live .controls { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1.2em; }
  .live textarea { grid-row: 1 / span 4; height: 100%; }
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
`;var de=["accepted","correction","bonus","target"],W={tokens:"tokens",calls:"calls",perCall:"per call",alpha:"α",speed:"per second"},ue="Live needs Python: open lesson 00 with “make lab”, or “make present”.",_e=P("live",({root:e,data:t,model:n})=>{if(n.alone){e.append(r("h3",{},"Live"),r("p",{},ue));return}let o=r("p",{class:"said",role:"status"}),s=y("▶ Start",I,{class:"next"}),i=y("■ Stop",()=>C({do:"stop"})),c=r("textarea",{rows:4,"aria-label":"prompt",spellcheck:"false"});c.value=t.prompt||Object.values(t.prompts)[0];let a=D({label:"prompts",options:Object.keys(t.prompts),on:d=>c.value=t.prompts[d]});c.addEventListener("input",()=>a.set(null));let l=Object.fromEntries(Object.entries(t.sliders).map(([d,m])=>[d,L({...m,format:v=>`${Number(v.toFixed(2))}`,on:()=>{}})])),u=["left","right"].map(X),f=G(),p=r("p",{class:"legend"},de.map(d=>r("span",{class:`token ${d}`,title:$[d]},d))),g=!1;e.append(r("div",{class:"row head"},r("h3",{},"Live"),a.element),r("div",{class:"steps"},s,i,o),r("div",{class:"desk"},r("div",{class:"controls"},c,Object.values(l).map(d=>d.element)),u.map(d=>d.element),r("div",{class:"past"},f.element,r("div",{},p,y("Clear the log",()=>C({do:"clear"}))))));function X(d,m){let v=t.drafters.map(h=>[h,h]),k=_({label:`drafter, ${d}`,value:m?t.beside:t.drafters[0],options:m?[...v,[null,"nothing: one run alone"]]:v,on:()=>{}}),x=Object.fromEntries(Object.keys(W).map(h=>[h,r("dd")])),b=r("p",{class:"caption quiet"}),j=U(`text, ${d}`),N=r("dl",{},Object.entries(W).map(([h,w])=>r("div",{},r("dt",{},w),x[h])));return{select:k,element:r("div",{class:`side ${d}`},k.element,b,N,j.element),show({key:h,title:w,prompt:z,said:O,numbers:F,ending:M}){b.title=M??"",b.textContent=[w,M?.split(":")[0]].filter(Boolean).join(" · ")||"nothing decoded yet";for(let[Z,ee]of Object.entries(q(F)))x[Z].textContent=ee;j.show({key:h,prompt:z,said:O})}}}function C(d){n.set("command",{...d,at:`${Date.now()} ${Math.random()}`}),n.save_changes()}function I(){g=!0;let d=Object.fromEntries(Object.entries(l).map(([m,v])=>[m,v.value]));C({do:"start",prompt:c.value,drafters:u.map(m=>m.select.value),...d})}function Y(d,m=!1){s.setAttribute("aria-disabled",d),i.setAttribute("aria-disabled",!d||m)}function E(){let{status:d="",sides:m=[],...v}=n.get("run_state")??{};o.textContent=d,Y(v.busy,v.stopping),u.forEach((k,x)=>{let{run:b,drafter:j,gamma:N,temperature:h,ending:w,failure:z,...O}=m[x]??{run:0,said:[],prompt:""},F=b?`run ${b}: ${j}, γ ${N}, T ${h}`:"";k.show({...O,key:`${b} ${x}`,title:F,ending:z||w})})}let S=()=>f.show(n.get("log")??[]);function Q(){return g||s.getAttribute("aria-disabled")==="true"?!1:(I(),!0)}return S(),e.steps={next:Q,back:()=>!1,go:()=>{}},E(),n.on("change:run_state",E),n.on("change:log",S),()=>{n.off("change:run_state",E),n.off("change:log",S)}},V);export{_e as default};
