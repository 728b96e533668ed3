/* Built by stage/build.mjs. Course: Apache-2.0. */
function o(t,e={},...a){return me(document.createElement(t),e,a)}function me(t,e,a){for(let[r,n]of Object.entries(e))typeof n=="function"?t.addEventListener(r.replace(/^on/,""),n):n!==!1&&n!=null&&t.setAttribute(r,n===!0?"":n);return t.append(...a.flat().filter(r=>r!=null&&r!==!1)),t}function U({label:t,min:e,max:a,step:r=1,value:n,format:c=String,on:d}){let s=o("input",{type:"range",min:e,max:a,step:r,"aria-label":t}),l=o("output"),p=()=>{l.textContent=c(s.valueAsNumber),s.setAttribute("aria-valuetext",l.textContent)};s.addEventListener("input",()=>{p(),d(s.valueAsNumber)});let y={element:o("label",{class:"slider"},o("span",{},t),s,l),get value(){return s.valueAsNumber},set(m){s.value=m,p()},range(m,h){Object.assign(s,{min:m,max:h}),p()}};return y.set(n),y}function j(t,e,a={}){return o("button",{type:"button",onclick:e,...a},t)}function W({label:t,options:e,value:a,on:r}){let n=e.map(l=>Array.isArray(l)?l:[l,l]),c=o("select",{"aria-label":t,onchange:()=>r(n[c.selectedIndex][0])},n.map(([,l])=>o("option",{},l))),d=l=>c.selectedIndex=n.findIndex(([p])=>p===l);return d(a??n[0][0]),{element:o("label",{class:"choice"},o("span",{},t),c),set:d,get value(){return n[c.selectedIndex]?.[0]}}}function V({label:t,options:e,value:a,on:r}){let n=e.map(s=>Array.isArray(s)?s:[s,s]),c=s=>d.forEach((l,p)=>l.setAttribute("aria-pressed",n[p][0]===s)),d=n.map(([s,l])=>j(l,()=>(c(s),r(s))));return c(a??n[0][0]),{element:o("div",{class:"tabs",role:"group","aria-label":t},d),set:c}}var X=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;var N=(t,e=2)=>t.toFixed(e);var L=(t,e)=>`${t} ${e}${t===1?"":"s"}`;var fe=["run","drafter","γ","T","tokens","calls","per call","α","per second"];function D(t){if(!t)return{tokens:"–",calls:"–",perCall:"–",alpha:"–",speed:"–"};let{tokens:e,calls:a,accepted:r,examined:n,seconds:c}=t;return{tokens:`${e}`,calls:`${a}`,perCall:N(e/a),alpha:n?N(r/n):"–",speed:c?N(e/c,0):"–"}}function Y(){let t=o("tbody"),e=o("p",{class:"quiet"},"Every run will be noted here."),a=o("table",{},o("thead",{},o("tr",{},fe.map(n=>o("th",{scope:"col"},n)))),t);return{element:o("div",{class:"runlog",tabindex:"0",role:"region","aria-label":"all runs so far"},e,a),show(n){let c=({numbers:s})=>s.seconds?s.tokens/s.seconds:0,d=Math.max(...n.map(c),1e-9);e.hidden=n.length>0,a.hidden=n.length===0,t.replaceChildren(...n.toReversed().map(s=>ge(s,D(s.numbers),c(s)/d)))}}}function ge({run:t,drafter:e,gamma:a,temperature:r,numbers:n,ending:c},d,s){let l=o("i",{class:"bar","aria-hidden":"true"});l.style.width=`${100*s}%`;let p=n.examined>0,y=[t,e,p?a:"–",r,d.tokens,d.calls,d.perCall,d.alpha];return o("tr",{title:c},y.map(m=>o("td",{},`${m}`)),o("td",{class:"speed"},l,o("b",{},d.speed)))}function Q(t){let e=()=>{t.dataset.ground=he(getComputedStyle(t).backgroundColor)<.4?"dark":"light"},a=()=>[0,100,400].forEach(c=>setTimeout(e,c)),r=new MutationObserver(a);for(let c of[document.documentElement,document.body])r.observe(c,{attributes:!0});let n=matchMedia("(prefers-color-scheme: dark)");return n.addEventListener("change",a),e(),a(),()=>{r.disconnect(),n.removeEventListener("change",a)}}function he(t){let[e,a,r,n=1]=(t.match(/[\d.]+/g)??["255","255","255"]).map(Number);return n===0?1:(.2126*e+.7152*a+.0722*r)/255}var Z=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function te(t,e,a=""){return{render({model:r,el:n}){ee("stage",Z),a&&ee(t,a);let c=o("section",{class:`course-scene ${t}`,tabindex:"0",role:"group","aria-label":r.get("alt")||t,"data-scene":t,"data-lm-suppress-shortcuts":"true"});n.replaceChildren(c);let d=Q(c),s,l=()=>{let{at:m,last:h}=c.steps;r.get("step")===m&&r.get("last_step")===h()||(r.set("last_step",h()),r.set("step",m),r.save_changes())},p=()=>{let m=c.steps;if(!m?.last)return;m.went=l;let h=r.get("step")??m.at;h===m.at?l():m.go(h)},y=()=>{s?.(),c.replaceChildren(),s=e({root:c,data:r.get("data"),model:r}),p()};return r.on("change:data",y),r.on("change:step",p),y(),()=>{r.off("change:data",y),r.off("change:step",p),s?.(),d()}}}}function ee(t,e){let a=`course-look-${t}`,r=document.getElementById(a);r?r.textContent=e:document.head.append(o("style",{id:a},e))}var O={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};var re=t=>`…${t.replace(/^ /,"")}`;var T=t=>t.replace(be,xe),be=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,xe=t=>t==="�"?t:`‹${t.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var ne=600;function oe(t){let e=o("pre",{class:"stream",tabindex:"0",role:"region","aria-label":t}),a,r=0;return{element:e,show({key:n,prompt:c,said:d}){if(n!==a||d.length<r){[a,r]=[n,0];let l=c.length>ne?re(c.slice(-ne)):c;e.replaceChildren(o("span",{class:"given"},T(l)))}if(d.length===r)return;let s=e.scrollHeight-e.scrollTop-e.clientHeight<40;e.append(...d.slice(r).map(we)),r=d.length,s&&(e.scrollTop=e.scrollHeight)}}}var we=([t,e])=>o("span",{class:`token ${e}`,title:O[e]},T(t));var ae=`.live .head { margin-bottom: 0.4em; }
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
.live[data-alone] .runlog:has(> p:not([hidden])) { visibility: hidden; }
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
`;var ke=["accepted","correction","bonus","target"],se={tokens:"tokens",calls:"calls",perCall:"per call",alpha:"α",speed:"per second"},Ae="Live needs Python: open lesson 00 with “make lab”, or “make present”.",Ze=te("live",({root:t,data:e,model:a})=>{let r=!!a.alone,n=Object.entries(e.still);t.toggleAttribute("data-alone",r);let c=o("p",{class:"said",role:"status"}),d=o("p",{class:"warning",role:"status",hidden:!0}),s=j(r?"▶ Watch a stored run":"▶ Start",r?K:H,{class:"next"}),l=j("■ Stop",r?()=>B(!0):()=>F({do:"stop"})),p=o("textarea",{rows:4,"aria-label":"prompt",spellcheck:"false"});p.value=e.prompt||Object.values(e.prompts)[0];let y=V({label:"prompts",options:Object.keys(e.prompts),on:i=>p.value=e.prompts[i]});p.addEventListener("input",()=>y.set(null));let m=Object.fromEntries(Object.entries(e.sliders).map(([i,u])=>[i,U({...u,format:f=>`${Number(f.toFixed(2))}`,on:()=>{}})])),h=["left","right"].map(ce),G=Y(),ie=o("p",{class:"legend"},ke.map(i=>o("span",{class:`token ${i}`,title:O[i]},i))),A=0,q=!1,z=[];t.append(o("div",{class:"row head"},o("h3",{},"Live"),r?"":y.element),o("div",{class:"steps"},s,l,c),o("div",{class:"desk"},o("div",{class:"controls"},...r?[o("p",{class:"quiet"},`${n.length?"A stored run, at the times that it took. ":""}${Ae}`)]:[p,Object.values(m).map(i=>i.element)],d),h.map(i=>i.element),o("div",{class:"past"},G.element,o("div",{},ie,r?"":j("Clear the log",()=>F({do:"clear"}))))));function ce(i,u){let f=e.drafters.map(w=>[w,w]),v=W({label:`drafter, ${i}`,value:u?e.beside:e.drafters[0],options:u?[...f,[null,"nothing: one run alone"]]:f,on:()=>{}}),b=Object.fromEntries(Object.keys(se).map(w=>[w,o("dd")])),g=o("p",{class:"caption quiet"}),x=oe(`text, ${i}`),k=o("dl",{},Object.entries(se).map(([w,$])=>o("div",{},o("dt",{},$),b[w])));return{select:v,element:o("div",{class:`side ${i}`},r?"":v.element,g,k,x.element),show({key:w,title:$,prompt:I,said:P,numbers:_,ending:S}){g.title=S??"",g.textContent=[$,S?.split(":")[0]].filter(Boolean).join(" · ")||"nothing decoded yet";for(let[ue,pe]of Object.entries(D(_)))b[ue].textContent=pe;x.show({key:w,prompt:I,said:P})}}}function F(i){a.set("command",{...i,at:`${Date.now()} ${Math.random()}`}),a.save_changes()}function H(){q=!0;let i=Object.fromEntries(Object.entries(m).map(([u,f])=>[u,f.value]));F({do:"start",prompt:p.value,drafters:h.map(u=>u.select.value),...i})}function C(i,u=!1){s.setAttribute("aria-disabled",i),l.setAttribute("aria-disabled",!i||u)}function M(){let{status:i="",warning:u="",sides:f=[],...v}=a.get("run_state")??{};c.textContent=i,d.textContent=u,d.hidden=!u,C(v.busy,v.stopping),h.forEach((b,g)=>{let{run:x,drafter:k,gamma:w,temperature:$,ending:I,failure:P,..._}=f[g]??{run:0,said:[],prompt:""},S=x?`run ${x}: ${k}, γ ${w}, T ${$}`:"";b.show({..._,key:`${x} ${g}`,title:S,ending:P||I})})}let E=()=>G.show(r?z:a.get("log")??[]);function K(){if(!n.length||s.getAttribute("aria-disabled")==="true")return;q=!0;let i=++A,u=performance.now(),f=Math.max(...n.map(([,b])=>1e3*b.at(-1).numbers.seconds));C(!0),c.textContent="Playing the stored run at its real speed …";let v=b=>{if(i!==A)return;let g=X()?f:b-u;n.forEach((x,k)=>J(x,k,g,i)),g<f?requestAnimationFrame(v):B(!1,i)};requestAnimationFrame(v)}function J([i,u],f,v,b){let g=u.filter(k=>1e3*k.numbers.seconds<=v),x=g.length===u.length;h[f]?.show({key:`${b}`,title:`drafter: ${i}`,prompt:e.prompt,said:g.flatMap(k=>k.said),numbers:g.at(-1)?.numbers,ending:x?"played to its end":""})}function B(i){A++,C(!1);let[[,u]]=n,{tokens:f,calls:v}=u.at(-1).numbers;if(c.textContent=i?"Stopped.":`Played: ${L(f,"token")} from ${L(v,"target call")}.`,i||z.length)return;let{gamma:b,temperature:g}=e.sliders;z.push(...n.map(([x,k],w)=>({run:w+1,drafter:x,gamma:b.value,temperature:g.value,numbers:k.at(-1).numbers,ending:""}))),E()}function le(){C(!1),c.textContent=n.length?"One prompt, with a draft and without. Which run is done first?":"",s.hidden=l.hidden=!n.length,h.forEach((i,u)=>{i.element.hidden=u>=n.length,i.show({key:"before",title:n[u]&&`drafter: ${n[u][0]}`,prompt:e.prompt,said:[]})}),!(!a.get("on_paper")||!n.length)&&(t.classList.add("printed"),R())}function R(){n.forEach((i,u)=>J(i,u,1/0,A)),B(!1)}function de(){return q||s.hidden||s.getAttribute("aria-disabled")==="true"?!1:((r?K:H)(),!0)}return E(),t.steps={next:de,back:()=>!1,go:i=>r&&i>0&&n.length&&R()},r?le():M(),a.on("change:run_state",M),a.on("change:log",E),()=>{A++,a.off("change:run_state",M),a.off("change:log",E)}},ae);export{Ze as default};
