/* Built by stage/build.mjs. Course: Apache-2.0. */
var Te="http://www.w3.org/2000/svg";function o(e,t={},...r){return ae(document.createElement(e),t,r)}function $(e,t={},...r){return ae(document.createElementNS(Te,e),t,r)}function ae(e,t,r){for(let[n,i]of Object.entries(t))typeof i=="function"?e.addEventListener(n.replace(/^on/,""),i):i!==!1&&i!=null&&e.setAttribute(n,i===!0?"":i);return e.append(...r.flat().filter(n=>n!=null&&n!==!1)),e}function ie(e,t,r={}){return o("button",{type:"button",onclick:t,...r},e)}var ce=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function le(){let e=0,t=r=>{if(r!==e)throw Z};return{stop:()=>{e++},async run(r){let n=++e,i=(u,m)=>new Promise((f,s)=>{if(ce())return m(1),f();let d,l=v=>{if(n!==e)return s(Z);d??=v;let g=Math.min((v-d)/u,1);m(g),g<1?requestAnimationFrame(l):f()};requestAnimationFrame(l)}),a=async u=>{ce()||await new Promise(m=>setTimeout(m,u)),t(n)};try{return await r({tween:i,pause:a}),!0}catch(u){if(u!==Z)throw u;return!1}}}}var Z=Symbol("stopped");function ue(e){let t=()=>{e.dataset.ground=ze(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},r=()=>[0,100,400].forEach(a=>setTimeout(t,a)),n=new MutationObserver(r);for(let a of[document.documentElement,document.body])n.observe(a,{attributes:!0});let i=matchMedia("(prefers-color-scheme: dark)");return i.addEventListener("change",r),t(),r(),()=>{n.disconnect(),i.removeEventListener("change",r)}}function ze(e){let[t,r,n,i=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return i===0?1:(.2126*t+.7152*r+.0722*n)/255}var de=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function pe(e,t,r=""){return{render({model:n,el:i}){me("stage",de),r&&me(e,r);let a=o("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":n.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});i.replaceChildren(a);let u=ue(a),m,f=()=>{let{at:l,last:v}=a.steps;n.get("step")===l&&n.get("last_step")===v()||(n.set("last_step",v()),n.set("step",l),n.save_changes())},s=()=>{let l=a.steps;if(!l?.last)return;l.went=f;let v=n.get("step")??l.at;v===l.at?f():l.go(v)},d=()=>{m?.(),a.replaceChildren(),m=t({root:a,data:n.get("data"),model:n}),s()};return n.on("change:data",d),n.on("change:step",s),d(),()=>{n.off("change:data",d),n.off("change:step",s),m?.(),u()}}}}function me(e,t){let r=`course-look-${e}`,n=document.getElementById(r);n?n.textContent=t:document.head.append(o("style",{id:r},t))}var Ne=["ArrowRight","PageDown"," "],Le=["ArrowLeft","PageUp"],Oe="input, select, textarea, [role=slider]";function he(e,{count:t,say:r,show:n}){let i=()=>typeof t=="function"?t():t,a=o("p",{class:"said",role:"status",dir:"auto"}),u=o("span",{class:"place"}),m=o("button",{type:"button",class:"back",onclick:()=>s.back()},"◀ Back"),f=o("button",{type:"button",class:"next",onclick:()=>s.next()},"Next ▶"),s={at:0,last:()=>i()-1,went:()=>{},bar:o("div",{class:"steps"},m,f,u,a),go(d,l=!1){s.at=Math.max(0,Math.min(d,s.last())),a.textContent=r(s.at),u.textContent=`${s.at+1} / ${i()}`,m.setAttribute("aria-disabled",s.at===0),f.setAttribute("aria-disabled",s.at===s.last()),n(s.at,l),s.went()},next(){return s.at>=s.last()?!1:(s.go(s.at+1,!0),!0)},back(){return s.at<=0?!1:(s.go(s.at-1),!0)}};return e.steps=s,e.onkeydown=d=>{if(d.altKey||d.ctrlKey||d.metaKey||d.defaultPrevented)return;let{key:l,target:v}=d;if(v.closest(Oe)||l===" "&&v.closest("button, summary"))return;(Ne.includes(l)?s.next():Le.includes(l)?s.back():l==="Home"?(s.go(0),!0):l==="End"&&(s.go(s.last()),!0))&&(d.preventDefault(),d.stopPropagation())},s}var W=(e,t=0)=>`${(100*e).toFixed(t)} %`;var T=(e,t)=>`${e} ${t}${e===1?"":"s"}`;var fe={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},Be={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function J(e,t="given"){return o("span",{class:`chip ${t}`,title:Be[t]},o("bdi",{},Pe(e)),fe[t]?o("i",{class:"sign","aria-label":t},fe[t]):null)}function Pe(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(xe,we).replaceAll(" ","␣")||"·"}var ge=e=>`…${e.replace(/^ /,"")}`;var be=e=>e.replace(xe,we),xe=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,we=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;function Y({mode:e,turns:t,ended:r},n=t){let i=r&&n===t;return{mode:e,shown:n,ended:i,totals:e+i}}function ve({story:e},t){let[r,{mode:n,turns:i}]=[e[t-1],e[t]],a=r?.mode===n?r.turns+1:0;return Array.from({length:i-a+1},(u,m)=>a+m)}function ee(e,t,r,n){let i=[];return e.modes[t].turns.slice(0,n).forEach(({lanes:a},u)=>{let[m,f]=a[r]??[null,null],s=i.at(-1);if((!s||s.row!==m)&&i.push(s={row:m,from:u,ended:!1,tokens:0}),s.to=u+1,m===null)return;let d=e.rows[m].rounds[f];s.ended=d.ends,s.tokens=d.start+H(d)}),i}var ye=({guesses:e})=>e.filter(([,t])=>t==="accepted").length,H=e=>ye(e)+(e.last?1:0),ke=({guesses:e,last:t})=>{let r=e.map(([,i])=>i),n=r.filter(i=>i==="accepted");return[...n,...t?[t[1]]:[],...r.slice(n.length)]};function X(e,t,r){let n=new Set(e.modes[t].turns.slice(0,r).flatMap(({lanes:i})=>i.map(a=>a?.[0])));return e.rows.flatMap((i,a)=>n.has(a)?[]:[a])}function te({slots:e,modes:t},r,n){let{idle:i,tokens:a}=n?t[r].turns[n-1]:{idle:0,tokens:0};return{places:e*n,idle:i,tokens:a}}function ne(e,t,r,n){let i=e.modes[t].turns[n].lanes[r];if(!i)return`Slot ${r+1}, turn ${n+1}: idle.`;let[a,u]=i,m=e.rows[a].rounds[u],{guesses:f,last:s,start:d,ends:l}=m,v=s?s[1]==="target"?"a token of the target":`a ${s[1]}`:"the text ended at a stop token",g=f.length?`${ye(m)} of ${f.length} accepted, `:"nothing drafted, ";return`Row ${a+1}, turn ${n+1}: ${g}${v}. ${T(d+H(m),"token")} so far${l?", the last ones":""}.`}function $e({prompt:e,pieces:t},{start:r,reads:n}){let i=e+t.slice(0,r).join("");return i.endsWith(n)?i.slice(0,i.length-n.length):i}var Ae=40;function V(e){let t=be(e.replaceAll(`
`,"⏎").replace(/ {3,}/g,n=>`␣×${n.length}`)),r=[...t];return r.length>Ae?ge(r.slice(-Ae).join("")):t}var De=({modes:e})=>Math.max(...e.flatMap(({turns:t})=>t.flatMap(({lengths:r})=>r)));function je(e,t,r,n){let{lanes:i,lengths:a,new:u,filled:m,rectangle:f}=e.modes[t].turns[r],s=i.map(A=>A&&e.rows[A[0]].rounds[A[1]]),d=Math.max(...s.map(A=>A?A.guesses.length:0)),[l,v]=[De(e),Math.max(...a)],g=i.filter(Boolean).length,z=i.map((A,C)=>{let F={class:A?"lane":"lane empty",onpointerenter:M=>M.pointerType==="mouse"&&n(C),onpointerleave:M=>M.pointerType==="mouse"&&n(null)},P=o("button",{type:"button",class:"name","aria-label":ne(e,t,C,r),onclick:()=>n(C),onfocus:()=>n(C)},A?`row ${A[0]+1}`:`slot ${C+1}`);if(!A)return o("li",F,P,o("span",{class:"nothing"},"idle"));let q=s[C],K=e.rows[A[0]],D=o("span",{class:"length","aria-hidden":"true"},o("b",{},a[C]),o("span",{class:"bar",style:`--longest:${v/l}`},o("i",{class:"text",style:`width:${100*(a[C]-q.guesses.length-1)/l}%`}),o("i",{class:"new",style:`width:${100*(q.guesses.length+1)/l}%`}))),x=Array.from({length:d-q.guesses.length},()=>o("span",{class:"cell pad",title:"padding"}));return o("li",F,P,D,o("span",{class:"tail"},o("bdi",{},V($e(K,q)))),o("span",{class:"cell"},J(q.reads)),q.guesses.map(([M,c])=>o("span",{class:"cell"},J(M,c))),x,Array.from({length:e.guesses-d},()=>o("span",{class:"cell"})),o("span",{class:"cell last"},q.last?J(...q.last):""))}),_=`${T(g,"row")}, ${T(m,"token")}; padded ${g} × ${v} = ${f}: ${W(m/f)} filled.`,B=o("span",{class:"about"});return{element:o("div",{class:"pass",style:`--guesses:${e.guesses}`},o("div",{class:"heads"},o("p",{class:"what"},o("b",{},`Turn ${r+1}, one pass: ${T(u,"new token")}. `),B),o("i",{"aria-hidden":"true"},"reads"),Array.from({length:e.guesses},(A,C)=>o("i",{"aria-hidden":"true"},`guess ${C+1}`)),o("i",{"aria-hidden":"true"},"then")),o("ol",{},z)),light:A=>{B.textContent=A===void 0?_:ne(e,t,A,r),z.forEach((C,F)=>{C.classList.toggle("lit",F===A),C.querySelector(".name").setAttribute("aria-pressed",F===A)})}}}function Se(e,t){let n=[...t?e.rows.keys():X(e,0,1)].map(a=>{let u=e.rows[a],m=u.rounds.reduce((f,s)=>f+H(s),0);return o("li",{},o("b",{},`row ${a+1}`),o("span",{class:t?"tail":"start"},o("bdi",{},V(u.prompt+(t?u.pieces.join(""):"")))),t?o("span",{class:"sum"},T(m,"token")):"")});return{element:o("div",{class:"texts"},o("p",{class:"what"},o("b",{},t?"The texts, whichever way":"The prompts that wait")),o("ol",{},n)),light:()=>{}}}var[_e,L,I,Ee]=[3.4,1.2,.25,1.35],[Ke,Re,Ie]=[16,.75,6],Ge=.6,Ue=0;function re(e,t){let{slots:r,guesses:n,rows:i,modes:a}=e,u=Math.max(...a.map(({turns:c})=>c.length)),m=`batch-idle-${++Ue}`,f=$("svg",{class:"lanes",role:"img",onpointermove:c=>t(B(c)),onpointerdown:c=>t(B(c)),onpointerleave:c=>c.pointerType==="mouse"&&t(null)}),s=o("div",{class:"field"},f),d=$("rect",{class:"pointed"}),[l,v,g,z]=[null,null,null,""];function _(){let c=parseFloat(getComputedStyle(s).fontSize)||16,h=s.clientWidth/c,k=h>34?_e:0,w=Math.min(Re,(Ke/r-L-I)/(n+1)),j=Math.min(Ie,(h-k)/u),y=L+w*(n+1);return{em:c,width:h,left:k,block:w,pitch:j,tall:y,height:r*(y+I)+Ee}}function B(c){let h=f.getBoundingClientRect(),{em:k,left:w,pitch:j,tall:y}=g,b=Math.floor(((c.clientX-h.left)/k-w)/j),p=Math.floor((c.clientY-h.top)/k/(y+I));return b>=0&&b<l.shown&&p>=0&&p<r?{slot:p,turn:b}:null}function G(c){if(g=_(),!g.width)return;let{em:h,width:k,height:w,left:j,pitch:y,tall:b}=g;z=`${g.width} ${h}`;let p=S=>(S*h).toFixed(2);for(let[S,R]of Object.entries({width:p(k),height:p(w),viewBox:`0 0 ${p(k)} ${p(w)}`}))f.setAttribute(S,R);let E=[U(h)];for(let S=0;S<r;S++){let R=S*(b+I),O=R+b;E.push($("line",{class:"floor",x1:p(j),x2:p(k),y1:p(O),y2:p(O)})),j&&E.push($("text",{class:"slot",x:0,y:p(O-.3)},`slot ${S+1}`)),l.shown||E.push($("text",{class:"ready",x:p(j+.4),y:p(O-1)},C(S)));for(let qe of ee(e,l.mode,S,l.shown))E.push(...A(qe,R,O,p))}let{turns:N}=a[l.mode];for(let S=0;S<l.shown;S++)E.push(F(N[S].lanes,S,p,c&&S===l.shown-1&&!l.ended));E.push(...q(w,p)),E.push(d),D(v),f.replaceChildren(...E),f.setAttribute("aria-label",K())}function U(c){let h=.5*c;return $("defs",{},$("pattern",{id:m,width:h,height:h,patternUnits:"userSpaceOnUse",patternTransform:"rotate(45)"},$("line",{class:"hatch",x1:0,x2:0,y1:0,y2:h})))}function A({row:c,from:h,to:k,ended:w,tokens:j},y,b,p){let[E,N]=[g.left+h*g.pitch,(k-h)*g.pitch];if(c===null){let O=N>2.4;return[$("rect",{class:"idle",x:p(E+.08),y:p(y+L),width:p(N-.16),height:p(b-y-L),fill:`url(#${m})`}),O?$("text",{class:"none",x:p(E+.15),y:p(y+L-.3)},"idle"):""]}let S=[`row ${c+1} · ${T(j,"token")}`,`row ${c+1} · ${j}`,`row ${c+1}`,`${c+1}`],R=S.find(O=>O.length*Ge<N)??S.at(-1);return[$("line",{class:"span",x1:p(E+.08),x2:p(E+N-.08),y1:p(y+L-.12),y2:p(y+L-.12)}),$("line",{class:"span",x1:p(E+.1),x2:p(E+.1),y1:p(y+.25),y2:p(b)}),w?$("line",{class:"span",x1:p(E+N-.1),x2:p(E+N-.1),y1:p(y+.25),y2:p(b)}):"",$("text",{class:w?"row ended":"row",x:p(E+.25),y:p(y+L-.35)},R)]}function C(c){let[h]=a[l.mode].turns[0].lanes[c]??[];return h===void 0?"":`${h+1}  ${V(i[h].prompt)} …`}function F(c,h,k,w){let j=g.left+h*g.pitch,y=c.flatMap((b,p)=>{if(!b)return[];let E=p*(g.tall+I)+g.tall;return ke(i[b[0]].rounds[b[1]]).flatMap((N,S)=>P(N,j,E-(S+1)*g.block,k))});return $("g",{class:w?"turn fresh":"turn"},y)}function P(c,h,k,w){let[j,y]=[g.pitch*.8,g.block*.86],b=h+g.pitch*.1;return[$("rect",{class:`token ${c}`,x:w(b),y:w(k),width:w(j),height:w(y),rx:w(Math.min(.12,y/4))}),...oe(c,b,k,j,y,w)]}function q(c,h){let k=g.pitch>1.3?1:5,w=Array.from({length:l.shown},(b,p)=>p+1).filter(b=>b===l.shown||b%k===0&&(k===1||l.shown-b>1)),j=b=>h(g.left+(b-.5)*g.pitch),y=w.map(b=>$("text",{class:b===l.shown?"tick now":"tick",x:j(b),y:h(c-.3),"text-anchor":"middle"},b));if(g.left&&y.push($("text",{class:"slot",x:0,y:h(c-.3)},"turn")),l.mode&&l.totals){let b=h(g.left+a[0].turns.length*g.pitch);y.push($("line",{class:"goal",x1:b,x2:b,y1:0,y2:h(c-Ee)})),l.shown<a[0].turns.length-5&&y.push($("text",{class:"slot",x:b,y:h(c-.3),"text-anchor":"end"},`static: ${a[0].turns.length}`))}return y}function K(){let c=Array.from({length:r},(h,k)=>{let w=ee(e,l.mode,k,l.shown).at(-1),j=w?w.row===null?"idle":`row ${w.row+1}, ${T(w.tokens,"token")}`:"empty";return`slot ${k+1}: ${j}`});return`${a[l.mode].name} batch after ${T(l.shown,"turn")}; ${c.join("; ")}.`}function D(c){if(v=c,d.style.display=c?"":"none",!c)return;let{em:h,left:k,pitch:w,tall:j}=g,y={x:k+c.turn*w,y:c.slot*(j+I)+L-.1,width:w,height:j-L+.2};for(let[b,p]of Object.entries(y))d.setAttribute(b,p*h)}function x(c,h){[l,v]=[c,null],G(h)}let M=new ResizeObserver(()=>{if(!l)return;let{em:c,width:h}=_();z!==`${h} ${c}`&&G(!1)});return M.observe(s),{element:s,paint:x,point:D,stop:()=>M.disconnect()}}function oe(e,t,r,n,i,a){let[u,m]=[t+n/2,r+i/2],f=(d,l,v,g)=>$("line",{class:`mark ${e}`,x1:a(d),y1:a(l),x2:a(v),y2:a(g)}),s=i*.36;return e==="rejected"?[f(u-s,m-s,u+s,m+s),f(u-s,m+s,u+s,m-s)]:e==="correction"?[-2,0,2].map(d=>f(u+(d-1)*s,r,u+(d+1)*s,r+i)):e==="bonus"?[-1,0,1].map(d=>$("circle",{class:"mark bonus",cx:a(u+d*3*s*.8),cy:a(m),r:a(s*.55)})):[]}var We={accepted:"accepted",correction:"correction",bonus:"bonus",target:"target alone",rejected:"rejected",lost:"never examined"};function se(e,t){let{places:r,idle:n,tokens:i}=te(e,t.mode,t.shown),a=X(e,t.mode,t.shown);return o("div",{class:"tally"},o("ul",{class:"counts"},Q("tokens written",i),Q("slot-turns",r?`${e.slots} × ${t.shown} = ${r}`:0),Q("idle",r?`${n} (${W(n/r)})`:0,"idle"),Q("waiting",a.length?a.map(u=>o("span",{class:"waits"},u+1)):"none")),Je(e,t))}var Q=(e,t,r="")=>o("li",{class:r},o("span",{},e),o("b",{},t));function Je(e,t){let r=Math.max(...e.modes.map(({turns:n})=>n.length));return o("ul",{class:"compared"},e.modes.map(({name:n,turns:i},a)=>{let u=a<t.totals?i.length:a===t.mode?t.shown:0,{places:m,idle:f}=te(e,a,u),s=d=>`width:${100*d/(r*e.slots)}%`;return o("li",{},o("span",{},n),o("b",{},u?T(u,"turn"):"?"),o("span",{class:"track","aria-hidden":"true"},o("i",{class:"used",style:s(m-f)}),o("i",{class:"hatched",style:s(f)})))}))}function Ce(e){let t=new Set(e.rows.flatMap(({rounds:a})=>a.flatMap(({guesses:u,last:m})=>[...u.map(([,f])=>f),m?.[1]]))),[r,n]=[22,11],i=a=>a.toFixed(1);return o("ul",{class:"key"},Object.entries(We).filter(([a])=>t.has(a)).map(([a,u])=>o("li",{},$("svg",{width:r,height:n,"aria-hidden":"true"},$("rect",{class:`token ${a}`,x:1,y:1,width:r-2,height:n-2,rx:2}),oe(a,1,1,r-2,n-2,i)),u)))}var Me=`.batch .steps .said { flex: 1 1 22em; min-height: 2.6em; line-height: 1.3; display: flex; align-items: center; }
.batch.passing .said { opacity: 0; } /* not before its turns are seen */
.batch .stand { display: grid; grid-template-columns: minmax(0, 1fr) 15.4em; gap: 1.1em; margin-top: 0.3em; }
.batch .field { min-width: 0; }
.batch .lanes { touch-action: pan-y; }
.batch .lanes .floor { stroke: var(--line); stroke-width: 1; }
.batch .lanes .slot, .batch .lanes .tick, .batch .lanes .none { fill: var(--quiet); font-variant-numeric: tabular-nums; }
.batch .lanes .tick.now { fill: var(--ink); font-weight: 700; }
.batch .lanes .ready { font-size: 1.15em; font-family: var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace; white-space: pre; }
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
.batch .heads, .batch .lane { display: grid; grid-template-columns: 4.2em 9em minmax(0, 1fr) repeat(calc(var(--guesses) + 1), minmax(4.9em, 6.3em)) 6.3em; gap: 0 0.35em; }
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
@container (max-width: 58em) {
  .batch .heads, .batch .lane { grid-template-columns: 4em 5em minmax(0, 1fr) repeat(calc(var(--guesses) + 1), minmax(4.8em, 6.2em)) minmax(4.8em, 6.2em); gap: 0 0.25em; }
}
@container (max-width: 34em) {
  .batch .stand, .batch .texts ol { grid-template-columns: minmax(0, 1fr); }
  .batch .heads { display: block; } .batch .heads i { display: none; }
  .batch .lane { display: flex; flex-wrap: wrap; gap: 0.2em 0.3em; margin-bottom: 0.5em; }
  .batch .lane .name { padding: 0; min-height: 2.2em; } .batch .lane .length { flex: 0 0 7em; } .batch .lane .tail { flex: 1 1 calc(100% - 12em); } .batch .lane.empty .nothing { flex: 1; }
  .batch .cell:empty { display: none; } .batch .texts .sum { display: none; } /* the lanes have it */
}
`;var[He,Xe,Ve]=[700,5e3,2600],Kt=pe("batch",({root:e,data:t,model:r})=>{let{story:n}=t,i=!!r.get("on_paper"),a=le(),[u,m,f,s]=[null,null,null,!1],d=he(e,{count:n.length,say:x=>n[x].said,show:G}),l=ie("",()=>U(!s)),v=re(t,B),g=o("div",{class:"count"}),z=o("div",{class:"below"});d.bar.querySelector(".next").after(l);let _=o("div",{class:"side"},g,Ce(t));e.append(d.bar,o("div",{class:"stand"},v.element,_),z);function B(x){x?.slot===m?.slot&&x?.turn===m?.turn||(m=x,v.point(x),F())}function G(x,M){A(s&&M),a.run(async({pause:c})=>{let h=M?ve(t,x).slice(0,-1):[];for(let k of h)C(Y(n[x],k),M),e.classList.add("passing"),await c(Math.min(He,Xe/h.length));if(C(Y(n[x]),M),!s||x===d.last())return A(!1);await c(Ve),d.next()})}function U(x){if(!x)return d.go(d.at);d.at===d.last()&&d.go(0),A(!0),d.next()}function A(x){s=x,l.textContent=s?"❚❚ Pause":"▶ Play all"}function C(x,M){e.classList.remove("passing"),[u,m,f]=[x,null,null],g.replaceChildren(se(t,u)),v.paint(u,M),F()}function F(){let x=m?m.turn:u.ended?-1:u.shown-1;if(f?.turn!==x){let M=[...z.querySelectorAll("button.name")].indexOf(document.activeElement);f={turn:x,...x<0?Se(t,u.ended):je(t,u.mode,x,c=>B(c===null?null:{slot:c,turn:x}))},z.replaceChildren(f.element),M>=0&&z.querySelectorAll("button.name")[M]?.focus()}f.light(m?.slot)}e.classList.toggle("on-paper",i),d.go(i?d.last():0);let P=()=>(a.stop(),v.stop());if(!i)return P;let q=re(t,()=>{}),K=Y(n.find(({ended:x})=>x)),D=x=>o("h3",{},t.modes[x].name);return e.querySelector(".stand").before(D(0),o("div",{class:"stand"},q.element,o("div",{class:"side"},se(t,K))),D(1)),q.paint(K,!1),()=>(P(),q.stop())},Me);export{Kt as default};
