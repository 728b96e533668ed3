/* Built by stage/build.mjs. Course: Apache-2.0. */
var Me="http://www.w3.org/2000/svg";function s(e,t={},...r){return re(document.createElement(e),t,r)}function y(e,t={},...r){return re(document.createElementNS(Me,e),t,r)}function re(e,t,r){for(let[n,a]of Object.entries(t))typeof a=="function"?e.addEventListener(n.replace(/^on/,""),a):a!==!1&&a!=null&&e.setAttribute(n,a===!0?"":a);return e.append(...r.flat().filter(n=>n!=null&&n!==!1)),e}function qe(e,t,r={}){return s("button",{type:"button",onclick:t,...r},e)}function oe({label:e,options:t,value:r,on:n}){let a=t.map(l=>Array.isArray(l)?l:[l,l]),o=l=>d.forEach((m,c)=>m.setAttribute("aria-pressed",a[c][0]===l)),d=a.map(([l,m])=>qe(m,()=>(o(l),n(l))));return o(r??a[0][0]),{element:s("div",{class:"tabs",role:"group","aria-label":e},d),set:o}}function se(e){let t=()=>{e.dataset.ground=ze(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},r=()=>[0,100,400].forEach(o=>setTimeout(t,o)),n=new MutationObserver(r);for(let o of[document.documentElement,document.body])n.observe(o,{attributes:!0});let a=matchMedia("(prefers-color-scheme: dark)");return a.addEventListener("change",r),t(),r(),()=>{n.disconnect(),a.removeEventListener("change",r)}}function ze(e){let[t,r,n,a=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return a===0?1:(.2126*t+.7152*r+.0722*n)/255}var ae=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function ie(e,t,r=""){return{render({model:n,el:a}){ce("stage",ae),r&&ce(e,r);let o=s("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":n.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});a.replaceChildren(o);let d=se(o),l,m=()=>{let{at:u,last:k}=o.steps;n.get("step")===u&&n.get("last_step")===k()||(n.set("last_step",k()),n.set("step",u),n.save_changes())},c=()=>{let u=o.steps;if(!u?.last)return;u.went=m;let k=n.get("step")??u.at;k===u.at?m():u.go(k)},h=()=>{l?.(),o.replaceChildren(),l=t({root:o,data:n.get("data"),model:n}),c()};return n.on("change:data",h),n.on("change:step",c),h(),()=>{n.off("change:data",h),n.off("change:step",c),l?.(),d()}}}}function ce(e,t){let r=`course-look-${e}`,n=document.getElementById(r);n?n.textContent=t:document.head.append(s("style",{id:r},t))}var Oe=["ArrowRight","PageDown"," "],Te=["ArrowLeft","PageUp"],Ne="input, select, textarea, [role=slider]";function le(e,{count:t,say:r,show:n}){let a=()=>typeof t=="function"?t():t,o=s("p",{class:"said",role:"status",dir:"auto"}),d=s("span",{class:"place"}),l=s("button",{type:"button",class:"back",onclick:()=>c.back()},"◀ Back"),m=s("button",{type:"button",class:"next",onclick:()=>c.next()},"Next ▶"),c={at:0,last:()=>a()-1,went:()=>{},bar:s("div",{class:"steps"},l,m,d,o),go(h,u=!1){c.at=Math.max(0,Math.min(h,c.last())),o.textContent=r(c.at),d.textContent=`${c.at+1} / ${a()}`,l.setAttribute("aria-disabled",c.at===0),m.setAttribute("aria-disabled",c.at===c.last()),n(c.at,u),c.went()},next(){return c.at>=c.last()?!1:(c.go(c.at+1,!0),!0)},back(){return c.at<=0?!1:(c.go(c.at-1),!0)}};return e.steps=c,e.onkeydown=h=>{if(h.altKey||h.ctrlKey||h.metaKey||h.defaultPrevented)return;let{key:u,target:k}=h;if(k.closest(Ne)||u===" "&&k.closest("button, summary"))return;(Oe.includes(u)?c.next():Te.includes(u)?c.back():u==="Home"?(c.go(0),!0):u==="End"&&(c.go(c.last()),!0))&&(h.preventDefault(),h.stopPropagation())},c}var G=(e,t=0)=>`${(100*e).toFixed(t)} %`;var M=(e,t)=>`${e} ${t}${e===1?"":"s"}`;var ue=({modes:e})=>e.flatMap(({turns:t},r)=>Array.from({length:t.length+2},(n,a)=>({mode:r,at:a}))),W=({modes:e},t,r)=>e.slice(0,t).reduce((n,{turns:a})=>n+a.length+2,0)+Math.min(r,e[t].turns.length+1);function X({modes:e},{mode:t,at:r}){let n=e[t].turns.length;return{mode:t,shown:Math.min(r,n),ended:r>n,totals:t+(r>n)}}var de=({modes:e},{mode:t,at:r})=>e[t].said[r];function V(e,t,r,n){let a=[];return e.modes[t].turns.slice(0,n).forEach(({lanes:o},d)=>{let[l,m]=o[r]??[null,null],c=a.at(-1);if((!c||c.row!==l)&&a.push(c={row:l,from:d,ended:!1,tokens:0}),c.to=d+1,l===null)return;let h=e.rows[l].rounds[m];c.ended=h.ends,c.tokens=h.start+U(h)}),a}var pe=({guesses:e})=>e.filter(([,t])=>t==="accepted").length,U=e=>pe(e)+(e.last?1:0),he=({guesses:e,last:t})=>{let r=e.map(([,a])=>a),n=r.filter(a=>a==="accepted");return[...n,...t?[t[1]]:[],...r.slice(n.length)]};function me(e,t,r){let n=new Set(e.modes[t].turns.slice(0,r).flatMap(({lanes:a})=>a.map(o=>o?.[0])));return e.rows.flatMap((a,o)=>n.has(o)?[]:[o])}function Q({slots:e,modes:t},r,n){let{idle:a,tokens:o}=n?t[r].turns[n-1]:{idle:0,tokens:0};return{places:e*n,idle:a,tokens:o}}function Z(e,t,r,n){let a=e.modes[t].turns[n].lanes[r];if(!a)return`Slot ${r+1}, turn ${n+1}: idle.`;let[o,d]=a,l=e.rows[o].rounds[d],{guesses:m,last:c,start:h,ends:u}=l,k=c?c[1]==="target"?"a token of the target":`a ${c[1]}`:"the text ended at a stop token",x=m.length?`${pe(l)} of ${m.length} accepted, `:"nothing drafted, ";return`Row ${o+1}, turn ${n+1}: ${x}${k}. ${M(h+U(l),"token")} so far${u?", the last ones":""}.`}function fe({prompt:e,pieces:t},{start:r,reads:n}){let a=e+t.slice(0,r).join("");return a.endsWith(n)?a.slice(0,a.length-n.length):a}var[Be,F,D,ge]=[3.4,1.2,.25,1.35],[Le,_e,Ie]=[16,.75,3.4],De=.6,Ke=0;function ee(e,t){let{slots:r,guesses:n,rows:a,modes:o}=e,d=Math.max(...o.map(({turns:i})=>i.length)),l=`batch-idle-${++Ke}`,m=y("svg",{class:"lanes",role:"img",onpointermove:i=>t(N(i)),onpointerdown:i=>t(N(i)),onpointerleave:i=>i.pointerType==="mouse"&&t(null)}),c=s("div",{class:"field"},m),h=y("rect",{class:"pointed"}),[u,k,x,T]=[null,null,null,""];function _(){let i=parseFloat(getComputedStyle(c).fontSize)||16,f=c.clientWidth/i,$=f>34?Be:0,v=Math.min(_e,(Le/r-F-D)/(n+1)),j=Math.min(Ie,(f-$)/d),w=F+v*(n+1);return{em:i,width:f,left:$,block:v,pitch:j,tall:w,height:r*(w+D)+ge}}function N(i){let f=m.getBoundingClientRect(),{em:$,left:v,pitch:j,tall:w}=x,b=Math.floor(((i.clientX-f.left)/$-v)/j),p=Math.floor((i.clientY-f.top)/$/(w+D));return b>=0&&b<u.shown&&p>=0&&p<r?{slot:p,turn:b}:null}function L(i){if(x=_(),!x.width)return;let{em:f,width:$,height:v,left:j,pitch:w,tall:b}=x;T=`${x.width} ${f}`;let p=S=>(S*f).toFixed(2);for(let[S,I]of Object.entries({width:p($),height:p(v),viewBox:`0 0 ${p($)} ${p(v)}`}))m.setAttribute(S,I);let E=[K(f)];for(let S=0;S<r;S++){let I=S*(b+D),B=I+b;E.push(y("line",{class:"floor",x1:p(j),x2:p($),y1:p(B),y2:p(B)})),j&&E.push(y("text",{class:"slot",x:0,y:p(B-.3)},`slot ${S+1}`));for(let Ce of V(e,u.mode,S,u.shown))E.push(...A(Ce,I,B,p))}let{turns:z}=o[u.mode];for(let S=0;S<u.shown;S++)E.push(g(z[S].lanes,S,p,i&&S===u.shown-1&&!u.ended));E.push(...O(v,p)),E.push(h),P(k),m.replaceChildren(...E),m.setAttribute("aria-label",q())}function K(i){let f=.5*i;return y("defs",{},y("pattern",{id:l,width:f,height:f,patternUnits:"userSpaceOnUse",patternTransform:"rotate(45)"},y("line",{class:"hatch",x1:0,x2:0,y1:0,y2:f})))}function A({row:i,from:f,to:$,ended:v,tokens:j},w,b,p){let[E,z]=[x.left+f*x.pitch,($-f)*x.pitch];if(i===null){let B=z>2.4;return[y("rect",{class:"idle",x:p(E+.08),y:p(w+F),width:p(z-.16),height:p(b-w-F),fill:`url(#${l})`}),B?y("text",{class:"none",x:p(E+.15),y:p(w+F-.3)},"idle"):""]}let S=[`row ${i+1} · ${M(j,"token")}`,`row ${i+1} · ${j}`,`row ${i+1}`,`${i+1}`],I=S.find(B=>B.length*De<z)??S.at(-1);return[y("line",{class:"span",x1:p(E+.08),x2:p(E+z-.08),y1:p(w+F-.12),y2:p(w+F-.12)}),y("line",{class:"span",x1:p(E+.1),x2:p(E+.1),y1:p(w+.25),y2:p(b)}),v?y("line",{class:"span",x1:p(E+z-.1),x2:p(E+z-.1),y1:p(w+.25),y2:p(b)}):"",y("text",{class:v?"row ended":"row",x:p(E+.25),y:p(w+F-.35)},I)]}function g(i,f,$,v){let j=x.left+f*x.pitch,w=i.flatMap((b,p)=>{if(!b)return[];let E=p*(x.tall+D)+x.tall;return he(a[b[0]].rounds[b[1]]).flatMap((z,S)=>C(z,j,E-(S+1)*x.block,$))});return y("g",{class:v?"turn fresh":"turn"},w)}function C(i,f,$,v){let[j,w]=[x.pitch*.8,x.block*.86],b=f+x.pitch*.1;return[y("rect",{class:`token ${i}`,x:v(b),y:v($),width:v(j),height:v(w),rx:v(Math.min(.12,w/4))}),...te(i,b,$,j,w,v)]}function O(i,f){let $=x.pitch>1.3?1:5,v=Array.from({length:u.shown},(b,p)=>p+1).filter(b=>b===u.shown||b%$===0&&($===1||u.shown-b>1)),j=b=>f(x.left+(b-.5)*x.pitch),w=v.map(b=>y("text",{class:b===u.shown?"tick now":"tick",x:j(b),y:f(i-.3),"text-anchor":"middle"},b));if(x.left&&w.push(y("text",{class:"slot",x:0,y:f(i-.3)},"turn")),u.mode&&u.totals){let b=f(x.left+o[0].turns.length*x.pitch);w.push(y("line",{class:"goal",x1:b,x2:b,y1:0,y2:f(i-ge)})),u.shown<o[0].turns.length-5&&w.push(y("text",{class:"slot",x:b,y:f(i-.3),"text-anchor":"end"},`static: ${o[0].turns.length}`))}return w}function q(){let i=Array.from({length:r},(f,$)=>{let v=V(e,u.mode,$,u.shown).at(-1),j=v?v.row===null?"idle":`row ${v.row+1}, ${M(v.tokens,"token")}`:"empty";return`slot ${$+1}: ${j}`});return`${o[u.mode].name} batch after ${M(u.shown,"turn")}; ${i.join("; ")}.`}function P(i){if(k=i,h.style.display=i?"":"none",!i)return;let{em:f,left:$,pitch:v,tall:j}=x,w={x:$+i.turn*v,y:i.slot*(j+D)+F-.1,width:v,height:j-F+.2};for(let[b,p]of Object.entries(w))h.setAttribute(b,p*f)}function J(i,f){[u,k]=[i,null],L(f)}let R=new ResizeObserver(()=>{if(!u)return;let{em:i,width:f}=_();T!==`${f} ${i}`&&L(!1)});return R.observe(c),{element:c,paint:J,point:P,stop:()=>R.disconnect()}}function te(e,t,r,n,a,o){let[d,l]=[t+n/2,r+a/2],m=(h,u,k,x)=>y("line",{class:`mark ${e}`,x1:o(h),y1:o(u),x2:o(k),y2:o(x)}),c=a*.36;return e==="rejected"?[m(d-c,l-c,d+c,l+c),m(d-c,l+c,d+c,l-c)]:e==="correction"?[-2,0,2].map(h=>m(d+(h-1)*c,r,d+(h+1)*c,r+a)):e==="bonus"?[-1,0,1].map(h=>y("circle",{class:"mark bonus",cx:o(d+h*3*c*.8),cy:o(l),r:o(c*.55)})):[]}var be={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},Pe={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function Y(e,t="given"){return s("span",{class:`chip ${t}`,title:Pe[t]},s("bdi",{},Re(e)),be[t]?s("i",{class:"sign","aria-label":t},be[t]):null)}function Re(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(we,ye).replaceAll(" ","␣")||"·"}var xe=e=>`…${e.replace(/^ /,"")}`;var ve=e=>e.replace(we,ye),we=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,ye=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var ke=40;function $e(e){let t=ve(e.replaceAll(`
`,"⏎").replace(/ {3,}/g,n=>`␣×${n.length}`)),r=[...t];return r.length>ke?xe(r.slice(-ke).join("")):t}var Ge=({modes:e})=>Math.max(...e.flatMap(({turns:t})=>t.flatMap(({lengths:r})=>r)));function Ae(e,t,r,n){let{lanes:a,lengths:o,new:d,filled:l,rectangle:m}=e.modes[t].turns[r],c=a.map(A=>A&&e.rows[A[0]].rounds[A[1]]),h=Math.max(...c.map(A=>A?A.guesses.length:0)),[u,k]=[Ge(e),Math.max(...o)],x=a.filter(Boolean).length,T=a.map((A,g)=>{let C={class:A?"lane":"lane empty",onpointerenter:i=>i.pointerType==="mouse"&&n(g),onpointerleave:i=>i.pointerType==="mouse"&&n(null)},O=s("button",{type:"button",class:"name","aria-label":Z(e,t,g,r),onclick:()=>n(g),onfocus:()=>n(g)},A?`row ${A[0]+1}`:`slot ${g+1}`);if(!A)return s("li",C,O,s("span",{class:"nothing"},"idle"));let q=c[g],P=e.rows[A[0]],J=s("span",{class:"length","aria-hidden":"true"},s("b",{},o[g]),s("span",{class:"bar",style:`--longest:${k/u}`},s("i",{class:"text",style:`width:${100*(o[g]-q.guesses.length-1)/u}%`}),s("i",{class:"new",style:`width:${100*(q.guesses.length+1)/u}%`}))),R=Array.from({length:h-q.guesses.length},()=>s("span",{class:"cell pad",title:"padding"}));return s("li",C,O,J,s("span",{class:"tail"},s("bdi",{},$e(fe(P,q)))),s("span",{class:"cell"},Y(q.reads)),q.guesses.map(([i,f])=>s("span",{class:"cell"},Y(i,f))),R,Array.from({length:e.guesses-h},()=>s("span",{class:"cell"})),s("span",{class:"cell last"},q.last?Y(...q.last):""))}),_=`${M(x,"row")}, ${M(l,"token")}; padded ${x} × ${k} = ${m}: ${G(l/m)} filled.`,N=s("span",{class:"about"});return{element:s("div",{class:"pass",style:`--guesses:${e.guesses}`},s("div",{class:"heads"},s("p",{class:"what"},s("b",{},`Turn ${r+1}, one pass: ${M(d,"new token")}. `),N),s("i",{"aria-hidden":"true"},"reads"),Array.from({length:e.guesses},(A,g)=>s("i",{"aria-hidden":"true"},`guess ${g+1}`)),s("i",{"aria-hidden":"true"},"then")),s("ol",{},T)),light:A=>{N.textContent=A===void 0?_:Z(e,t,A,r),T.forEach((g,C)=>{g.classList.toggle("lit",C===A),g.querySelector(".name").setAttribute("aria-pressed",C===A)})}}}function je(e,t){let r=e.rows.map((a,o)=>{let d=a.rounds.reduce((l,m)=>l+U(m),0);return s("li",{},s("b",{},`row ${o+1}`),s("span",{class:t?"tail":"start"},s("bdi",{},$e(a.prompt+(t?a.pieces.join(""):"")))),t?s("span",{class:"sum"},`${M(d,"token")}, ${M(a.rounds.length,"turn")}`):"")});return{element:s("div",{class:"texts"},s("p",{class:"what"},s("b",{},t?"The texts, whichever way":"The prompts")),s("ol",{},r)),light:()=>{}}}var We={accepted:"accepted",correction:"correction",bonus:"bonus",target:"target alone",rejected:"rejected",lost:"never examined"};function ne(e,t){let{places:r,idle:n,tokens:a}=Q(e,t.mode,t.shown),o=me(e,t.mode,t.shown);return s("div",{class:"tally"},s("ul",{class:"counts"},H("tokens written",a),H("slot-turns",r?`${e.slots} × ${t.shown} = ${r}`:0),H("idle",r?`${n} (${G(n/r)})`:0,"idle"),H("waiting",o.length?o.map(d=>s("span",{class:"waits"},d+1)):"none")),Ue(e,t))}var H=(e,t,r="")=>s("li",{class:r},s("span",{},e),s("b",{},t));function Ue(e,t){let r=Math.max(...e.modes.map(({turns:n})=>n.length));return s("ul",{class:"compared"},e.modes.map(({name:n,turns:a},o)=>{let d=o<t.totals?a.length:o===t.mode?t.shown:0,{places:l,idle:m}=Q(e,o,d),c=h=>`width:${100*h/(r*e.slots)}%`;return s("li",{},s("span",{},n),s("b",{},d?M(d,"turn"):"?"),s("span",{class:"track","aria-hidden":"true"},s("i",{class:"used",style:c(l-m)}),s("i",{class:"hatched",style:c(m)})))}))}function Se(e){let t=new Set(e.rows.flatMap(({rounds:o})=>o.flatMap(({guesses:d,last:l})=>[...d.map(([,m])=>m),l?.[1]]))),[r,n]=[22,11],a=o=>o.toFixed(1);return s("ul",{class:"key"},Object.entries(We).filter(([o])=>t.has(o)).map(([o,d])=>s("li",{},y("svg",{width:r,height:n,"aria-hidden":"true"},y("rect",{class:`token ${o}`,x:1,y:1,width:r-2,height:n-2,rx:2}),te(o,1,1,r-2,n-2,a)),d)))}var Ee=`.batch .steps .said { flex: 1 1 22em; min-height: 2.6em; line-height: 1.3; display: flex; align-items: center; }
.batch .stand { display: grid; grid-template-columns: minmax(0, 1fr) 15.4em; gap: 1.1em; margin-top: 0.3em; }
.batch .field { min-width: 0; }
.batch .lanes { touch-action: pan-y; }
.batch .lanes .floor { stroke: var(--line); stroke-width: 1; }
.batch .lanes .slot, .batch .lanes .tick, .batch .lanes .none { fill: var(--quiet); font-variant-numeric: tabular-nums; }
.batch .lanes .tick.now { fill: var(--ink); font-weight: 700; }
.batch .lanes .row { font-weight: 600; font-variant-numeric: tabular-nums; }
.batch .lanes .row.ended { font-weight: 400; }
.batch .lanes .span { stroke: var(--ink); stroke-width: 1.5; opacity: 0.55; }
.batch .lanes .goal { stroke: var(--ink); stroke-width: 2; stroke-dasharray: 6 4; opacity: 0.6; }
.batch .lanes .idle { stroke: var(--neutral); stroke-width: 1; stroke-dasharray: 4 3; }
.batch .lanes .hatch { stroke: var(--neutral); stroke-width: 2; opacity: 0.75; }
.batch .lanes .pointed { fill: none; stroke: var(--ink); stroke-width: 2.5; pointer-events: none; }
.batch .lanes .fresh { animation: batch-in 320ms; }
@keyframes batch-in { from { opacity: 0; transform: translateY(-0.8em); } }

.batch .token.accepted { fill: var(--accepted); }
.batch .token.correction { fill: var(--correction); }
.batch .token.bonus { fill: var(--bonus); }
.batch .token.target { fill: var(--target); }
.batch .token.rejected { fill: color-mix(in srgb, var(--rejected) 16%, var(--ground)); stroke: var(--rejected); stroke-width: 1.2; }
.batch .token.lost { fill: none; stroke: var(--neutral); stroke-width: 1; stroke-dasharray: 2 2; opacity: 0.7; }
.batch .mark { pointer-events: none; stroke: var(--ground); stroke-width: 1.4; } .batch .mark.rejected { stroke: var(--rejected); stroke-width: 1.6; } .batch circle.mark { fill: var(--ground); stroke: none; }

.batch .side { display: flex; flex-direction: column; justify-content: space-between; gap: 0.4em; }
.batch .counts, .batch .compared, .batch .key, .batch .pass ol, .batch .texts ol { list-style: none; margin: 0; padding: 0; }
.batch .counts li { display: flex; justify-content: space-between; line-height: 1.4; }
.batch .counts b, .batch .compared b { font-variant-numeric: tabular-nums; }
.batch .counts .idle { font-size: 1.15em; }
.batch .hatched { background: repeating-linear-gradient(45deg, var(--neutral) 0 0.16em, var(--ground) 0.16em 0.42em); }
.batch .waits { display: inline-block; min-width: 1.25em; margin-left: 0.12em; text-align: center; line-height: 1.3; border: 1px solid var(--line); border-radius: 0.3em; font-weight: 400; }
.batch .compared { display: grid; gap: 0.2em; margin-top: 0.4em; }
.batch .compared li { display: grid; grid-template-columns: 1fr auto; line-height: 1.25; }
.batch .compared .track { grid-column: 1 / -1; display: flex; height: 0.7em; }
.batch .compared .used { background: var(--accepted); } 
.batch .key { display: flex; flex-wrap: wrap; gap: 0.05em 0.8em; font-size: 0.92em; color: var(--quiet); }
.batch .key li { display: flex; align-items: center; gap: 0.35em; }

.batch .below { margin-top: 0.35em; }
.batch .stand + h3, .batch .steps + h3 { margin: 0.5em 0 0; text-transform: capitalize; }
.batch .what { margin: 0 0 0.15em; line-height: 1.3; }
.batch .heads p { grid-column: 1 / -1; margin: 0; } .batch .heads i:first-of-type { grid-column: 4; } .batch .heads { align-items: end; line-height: 1.3; } .batch .heads i { font-style: normal; color: var(--quiet); padding-left: 0.35em; }
.batch .heads, .batch .lane { display: grid; grid-template-columns: 4.2em 10em minmax(0, 1fr) repeat(calc(var(--guesses) + 1), 4.9em) 5.6em; gap: 0 0.35em; }
.batch .lane { align-items: center; min-height: 1.65em; border-radius: 0.3em; }
.batch .lane.lit { background: var(--faint); box-shadow: 0 0 0 2px var(--ink); }
.batch .lane .name { min-height: 0; padding: 0 0.3em; border-color: transparent; background: none; font-weight: 600; text-align: left; line-height: 1.55; }
.batch .lane .name[aria-pressed="true"] { color: var(--ink); }
.batch .lane.empty .nothing { grid-column: 2 / -1; height: 1.3em; line-height: 1.3em; padding-left: 0.5em; color: var(--quiet); border: 1px dashed var(--neutral); background: repeating-linear-gradient(45deg, color-mix(in srgb, var(--neutral) 45%, var(--ground)) 0 0.1em, var(--ground) 0.1em 0.5em); }
.batch .length { display: grid; grid-template-columns: 1.9em minmax(0, 1fr); gap: 0.3em; }
.batch .length b { text-align: right; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1.25; }
.batch .length .bar { position: relative; display: flex; height: 1.25em; }
.batch .bar::before { content: ""; position: absolute; inset: 0 auto 0 0; width: calc(100% * var(--longest)); border: 1px dashed var(--neutral); background: repeating-linear-gradient(45deg, color-mix(in srgb, var(--neutral) 35%, var(--ground)) 0 0.1em, var(--ground) 0.1em 0.4em); }
.batch .bar i { position: relative; background: color-mix(in srgb, var(--neutral) 45%, var(--ground)); } .batch .bar .new { background: var(--draft); }
.batch .tail { display: flex; flex: 1 1 0; min-width: 0; justify-content: flex-end; overflow: hidden; white-space: pre; mask-image: linear-gradient(90deg, transparent, #000 1.6em); } .batch .tail bdi { flex: none; }
.batch .start { flex: 1 1 0; min-width: 0; } .batch .start bdi { display: block; overflow: hidden; white-space: pre; text-overflow: ellipsis; }
.batch .tail, .batch .start { color: var(--quiet); font-family: var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace; font-size: 0.94em; }
.batch .cell { min-width: 0; line-height: 1.3; }
.batch .cell .chip { display: flex; margin: 0; max-width: 100%; justify-content: space-between; line-height: 1.2; }
.batch .cell .chip bdi { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.batch .cell .chip.given { border: 2px solid var(--line); padding: 0 0.3em; }
.batch .cell .chip.rejected, .batch .cell .chip.lost { text-decoration: none; } .batch .cell .chip.rejected bdi, .batch .cell .chip.lost bdi { text-decoration: line-through; }
.batch .cell.pad { height: 1.35em; border: 1px dashed var(--neutral); background: repeating-linear-gradient(45deg, color-mix(in srgb, var(--neutral) 35%, var(--ground)) 0 0.1em, var(--ground) 0.1em 0.4em); }

.batch .texts ol { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.15em 1.6em; }
.batch .texts li { display: flex; gap: 0.6em; line-height: 1.5; min-width: 0; } .batch .texts b, .batch .texts .sum { flex: none; font-variant-numeric: tabular-nums; }

@container (max-width: 64em) {
  .batch .about { display: block; }
}
@container (max-width: 50em) {
  .batch .heads, .batch .lane { grid-template-columns: 4em 5em minmax(0, 1fr) repeat(calc(var(--guesses) + 1), 4.2em) 4.6em; gap: 0 0.25em; }
}
@container (max-width: 34em) {
  .batch .stand, .batch .texts ol { grid-template-columns: minmax(0, 1fr); }
  .batch .heads { display: block; } .batch .heads i { display: none; }
  .batch .lane { grid-template-columns: repeat(calc(var(--guesses) + 2), minmax(0, 1fr)); margin-bottom: 0.4em; }
  .batch .lane .name { grid-column: span 1; padding: 0; min-height: 2.2em; } .batch .lane .length { grid-column: span 2; } .batch .lane .tail { grid-column: span calc(var(--guesses) - 1); }
}
`;var Tt=ie("batch",({root:e,data:t,model:r})=>{let n=ue(t),a=!!r.get("on_paper"),[o,d,l]=[null,null,null],m=le(e,{count:n.length,say:g=>de(t,n[g]),show:_}),c=oe({label:"batching",value:0,options:t.modes.map(({name:g},C)=>[C,g]),on:g=>m.go(W(t,g,n[m.at].at))}),h=ee(t,T),u=s("div",{class:"count"}),k=s("div",{class:"below"});m.bar.querySelector(".place").after(c.element);let x=s("div",{class:"side"},u,Se(t));e.append(m.bar,s("div",{class:"stand"},h.element,x),k);function T(g){g?.slot===d?.slot&&g?.turn===d?.turn||(d=g,h.point(g),N())}function _(g,C){let O=o?.mode;o=X(t,n[g]),[d,l]=[null,null],O!==o.mode&&c.set(o.mode),u.replaceChildren(ne(t,o)),h.paint(o,C),N()}function N(){let g=d?d.turn:o.ended?-1:o.shown-1;if(l?.turn!==g){let C=[...k.querySelectorAll("button.name")].indexOf(document.activeElement);l={turn:g,...g<0?je(t,o.ended):Ae(t,o.mode,g,O=>T(O===null?null:{slot:O,turn:g}))},k.replaceChildren(l.element),C>=0&&k.querySelectorAll("button.name")[C]?.focus()}l.light(d?.slot)}if(e.classList.toggle("on-paper",a),m.go(a?W(t,1,1/0):0),!a)return()=>h.stop();let L=ee(t,()=>{}),K=X(t,n[W(t,0,1/0)]),A=g=>s("h3",{},t.modes[g].name);return e.querySelector(".stand").before(A(0),s("div",{class:"stand"},L.element,s("div",{class:"side"},ne(t,K))),A(1)),L.paint(K,!1),()=>(h.stop(),L.stop())},Ee);export{Tt as default};
