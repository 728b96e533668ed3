/* Built by stage/build.mjs. Course: Apache-2.0. */
var ze="http://www.w3.org/2000/svg";function s(e,t={},...r){return ie(document.createElement(e),t,r)}function $(e,t={},...r){return ie(document.createElementNS(ze,e),t,r)}function ie(e,t,r){for(let[n,i]of Object.entries(t))typeof i=="function"?e.addEventListener(n.replace(/^on/,""),i):i!==!1&&i!=null&&e.setAttribute(n,i===!0?"":i);return e.append(...r.flat().filter(n=>n!=null&&n!==!1)),e}function ce(e,t,r={}){return s("button",{type:"button",onclick:t,...r},e)}var le=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function ue(){let e=0,t=r=>{if(r!==e)throw ee};return{stop:()=>{e++},async run(r){let n=++e,i=(u,m)=>new Promise((f,a)=>{if(le())return m(1),f();let d,l=v=>{if(n!==e)return a(ee);d??=v;let g=Math.min((v-d)/u,1);m(g),g<1?requestAnimationFrame(l):f()};requestAnimationFrame(l)}),o=async u=>{le()||await new Promise(m=>setTimeout(m,u)),t(n)};try{return await r({tween:i,pause:o}),!0}catch(u){if(u!==ee)throw u;return!1}}}}var ee=Symbol("stopped");function de(e){let t=()=>{e.dataset.ground=Fe(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},r=()=>[0,100,400].forEach(o=>setTimeout(t,o)),n=new MutationObserver(r);for(let o of[document.documentElement,document.body])n.observe(o,{attributes:!0});let i=matchMedia("(prefers-color-scheme: dark)");return i.addEventListener("change",r),t(),r(),()=>{n.disconnect(),i.removeEventListener("change",r)}}function Fe(e){let[t,r,n,i=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return i===0?1:(.2126*t+.7152*r+.0722*n)/255}var me=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function he(e,t,r=""){return{render({model:n,el:i}){pe("stage",me),r&&pe(e,r);let o=s("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":n.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});i.replaceChildren(o);let u=de(o),m,f=()=>{let{at:l,last:v}=o.steps;n.get("step")===l&&n.get("last_step")===v()||(n.set("last_step",v()),n.set("step",l),n.save_changes())},a=()=>{let l=o.steps;if(!l?.last)return;l.went=f;let v=n.get("step")??l.at;v===l.at?f():l.go(v)},d=()=>{m?.(),o.replaceChildren(),m=t({root:o,data:n.get("data"),model:n}),a()};return n.on("change:data",d),n.on("change:step",a),d(),()=>{n.off("change:data",d),n.off("change:step",a),m?.(),u()}}}}function pe(e,t){let r=`course-look-${e}`,n=document.getElementById(r);n?n.textContent=t:document.head.append(s("style",{id:r},t))}var Le=["ArrowRight","PageDown"," "],Oe=["ArrowLeft","PageUp"],Be="input, select, textarea, [role=slider]";function fe(e,{count:t,say:r,show:n}){let i=()=>typeof t=="function"?t():t,o=s("p",{class:"said",role:"status",dir:"auto"}),u=s("span",{class:"place"}),m=s("button",{type:"button",class:"back",onclick:()=>a.back()},"◀ Back"),f=s("button",{type:"button",class:"next",onclick:()=>a.next()},"Next ▶"),a={at:0,last:()=>i()-1,went:()=>{},bar:s("div",{class:"steps"},m,f,u,o),go(d,l=!1){a.at=Math.max(0,Math.min(d,a.last())),o.textContent=r(a.at),u.textContent=`${a.at+1} / ${i()}`,m.setAttribute("aria-disabled",a.at===0),f.setAttribute("aria-disabled",a.at===a.last()),n(a.at,l),a.went()},next(){return a.at>=a.last()?!1:(a.go(a.at+1,!0),!0)},back(){return a.at<=0?!1:(a.go(a.at-1),!0)}};return e.steps=a,e.onkeydown=d=>{if(d.altKey||d.ctrlKey||d.metaKey||d.defaultPrevented)return;let{key:l,target:v}=d;if(v.closest(Be)||l===" "&&v.closest("button, summary"))return;(Le.includes(l)?a.next():Oe.includes(l)?a.back():l==="Home"?(a.go(0),!0):l==="End"&&(a.go(a.last()),!0))&&(d.preventDefault(),d.stopPropagation())},a}var W=(e,t=0)=>`${(100*e).toFixed(t)} %`;var T=(e,t)=>`${e} ${t}${e===1?"":"s"}`;var ge={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},Pe={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function J(e,t="given"){return s("span",{class:`chip ${t}`,title:Pe[t]},s("bdi",{},De(e)),ge[t]?s("i",{class:"sign","aria-label":t},ge[t]):null)}function De(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(we,ve).replaceAll(" ","␣")||"·"}var be=e=>`…${e.replace(/^ /,"")}`;var Y=(e,t="")=>e.map(r=>/^[.,;:!?]/.test(r)?r:t+r).join(""),xe=e=>e.replace(we,ve),we=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,ve=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;function H({mode:e,turns:t,ended:r},n=t){let i=r&&n===t;return{mode:e,shown:n,ended:i,totals:e+i}}function ye({story:e},t){let[r,{mode:n,turns:i}]=[e[t-1],e[t]],o=r?.mode===n?r.turns+1:0;return Array.from({length:i-o+1},(u,m)=>o+m)}function te(e,t,r,n){let i=[];return e.modes[t].turns.slice(0,n).forEach(({lanes:o},u)=>{let[m,f]=o[r]??[null,null],a=i.at(-1);if((!a||a.row!==m)&&i.push(a={row:m,from:u,ended:!1,tokens:0}),a.to=u+1,m===null)return;let d=e.rows[m].rounds[f];a.ended=d.ends,a.tokens=d.start+X(d)}),i}var ke=({guesses:e})=>e.filter(([,t])=>t==="accepted").length,X=e=>ke(e)+(e.last?1:0),$e=({guesses:e,last:t})=>{let r=e.map(([,i])=>i),n=r.filter(i=>i==="accepted");return[...n,...t?[t[1]]:[],...r.slice(n.length)]};function V(e,t,r){let n=new Set(e.modes[t].turns.slice(0,r).flatMap(({lanes:i})=>i.map(o=>o?.[0])));return e.rows.flatMap((i,o)=>n.has(o)?[]:[o])}function ne({slots:e,modes:t},r,n){let{idle:i,tokens:o}=n?t[r].turns[n-1]:{idle:0,tokens:0};return{places:e*n,idle:i,tokens:o}}function re(e,t,r,n){let i=e.modes[t].turns[n].lanes[r];if(!i)return`Slot ${r+1}, turn ${n+1}: idle.`;let[o,u]=i,m=e.rows[o].rounds[u],{guesses:f,last:a,start:d,ends:l}=m,v=a?a[1]==="target"?"a token of the target":`a ${a[1]}`:"the text ended at a stop token",g=f.length?`${ke(m)} of ${f.length} accepted, `:"nothing drafted, ";return`Row ${o+1}, turn ${n+1}: ${g}${v}. ${T(d+X(m),"token")} so far${l?", the last ones":""}.`}function Ae({prompt:e,pieces:t},{start:r,reads:n},i){let o=e+Y(t.slice(0,r),i);return o.endsWith(n)?o.slice(0,o.length-n.length):o}var je=40;function Q(e){let t=xe(e.replaceAll(`
`,"⏎").replace(/ {3,}/g,n=>`␣×${n.length}`)),r=[...t];return r.length>je?be(r.slice(-je).join("")):t}var _e=({modes:e})=>Math.max(...e.flatMap(({turns:t})=>t.flatMap(({lengths:r})=>r)));function Se(e,t,r,n){let{lanes:i,lengths:o,new:u,filled:m,rectangle:f}=e.modes[t].turns[r],a=i.map(A=>A&&e.rows[A[0]].rounds[A[1]]),d=Math.max(...a.map(A=>A?A.guesses.length:0)),[l,v]=[_e(e),Math.max(...o)],g=i.filter(Boolean).length,z=i.map((A,C)=>{let F={class:A?"lane":"lane empty",onpointerenter:M=>M.pointerType==="mouse"&&n(C),onpointerleave:M=>M.pointerType==="mouse"&&n(null)},P=s("button",{type:"button",class:"name","aria-label":re(e,t,C,r),onclick:()=>n(C),onfocus:()=>n(C)},A?`row ${A[0]+1}`:`slot ${C+1}`);if(!A)return s("li",F,P,s("span",{class:"nothing"},"idle"));let q=a[C],K=e.rows[A[0]],D=s("span",{class:"length","aria-hidden":"true"},s("b",{},o[C]),s("span",{class:"bar",style:`--longest:${v/l}`},s("i",{class:"text",style:`width:${100*(o[C]-q.guesses.length-1)/l}%`}),s("i",{class:"new",style:`width:${100*(q.guesses.length+1)/l}%`}))),x=Array.from({length:d-q.guesses.length},()=>s("span",{class:"cell pad",title:"padding"}));return s("li",F,P,D,s("span",{class:"tail"},s("bdi",{},Q(Ae(K,q,e.between)))),s("span",{class:"cell"},J(q.reads)),q.guesses.map(([M,c])=>s("span",{class:"cell"},J(M,c))),x,Array.from({length:e.guesses-d},()=>s("span",{class:"cell"})),s("span",{class:"cell last"},q.last?J(...q.last):""))}),_=`${T(g,"row")}, ${T(m,"token")}; padded ${g} × ${v} = ${f}: ${W(m/f)} filled.`,B=s("span",{class:"about"});return{element:s("div",{class:"pass",style:`--guesses:${e.guesses}`},s("div",{class:"heads"},s("p",{class:"what"},s("b",{},`Turn ${r+1}, one pass: ${T(u,"new token")}. `),B),s("i",{"aria-hidden":"true"},"reads"),Array.from({length:e.guesses},(A,C)=>s("i",{"aria-hidden":"true"},`guess ${C+1}`)),s("i",{"aria-hidden":"true"},"then")),s("ol",{},z)),light:A=>{B.textContent=A===void 0?_:re(e,t,A,r),z.forEach((C,F)=>{C.classList.toggle("lit",F===A),C.querySelector(".name").setAttribute("aria-pressed",F===A)})}}}function Ee(e,t){let n=[...t?e.rows.keys():V(e,0,1)].map(o=>{let u=e.rows[o],m=u.rounds.reduce((f,a)=>f+X(a),0);return s("li",{},s("b",{},`row ${o+1}`),s("span",{class:t?"tail":"start"},s("bdi",{},Q(u.prompt+(t?Y(u.pieces,e.between):"")))),t?s("span",{class:"sum"},T(m,"token")):"")});return{element:s("div",{class:"texts"},s("p",{class:"what"},s("b",{},t?"The texts, whichever way":"The prompts that wait")),s("ol",{},n)),light:()=>{}}}var[Ke,L,I,Ce]=[3.4,1.2,.25,1.35],[Re,Ie,Ge]=[16,.75,6],Ue=.6,We=0;function oe(e,t){let{slots:r,guesses:n,rows:i,modes:o}=e,u=Math.max(...o.map(({turns:c})=>c.length)),m=`batch-idle-${++We}`,f=$("svg",{class:"lanes",role:"img",onpointermove:c=>t(B(c)),onpointerdown:c=>t(B(c)),onpointerleave:c=>c.pointerType==="mouse"&&t(null)}),a=s("div",{class:"field"},f),d=$("rect",{class:"pointed"}),[l,v,g,z]=[null,null,null,""];function _(){let c=parseFloat(getComputedStyle(a).fontSize)||16,h=a.clientWidth/c,k=h>34?Ke:0,w=Math.min(Ie,(Re/r-L-I)/(n+1)),j=Math.min(Ge,(h-k)/u),y=L+w*(n+1);return{em:c,width:h,left:k,block:w,pitch:j,tall:y,height:r*(y+I)+Ce}}function B(c){let h=f.getBoundingClientRect(),{em:k,left:w,pitch:j,tall:y}=g,b=Math.floor(((c.clientX-h.left)/k-w)/j),p=Math.floor((c.clientY-h.top)/k/(y+I));return b>=0&&b<l.shown&&p>=0&&p<r?{slot:p,turn:b}:null}function G(c){if(g=_(),!g.width)return;let{em:h,width:k,height:w,left:j,pitch:y,tall:b}=g;z=`${g.width} ${h}`;let p=S=>(S*h).toFixed(2);for(let[S,R]of Object.entries({width:p(k),height:p(w),viewBox:`0 0 ${p(k)} ${p(w)}`}))f.setAttribute(S,R);let E=[U(h)];for(let S=0;S<r;S++){let R=S*(b+I),O=R+b;E.push($("line",{class:"floor",x1:p(j),x2:p(k),y1:p(O),y2:p(O)})),j&&E.push($("text",{class:"slot",x:0,y:p(O-.3)},`slot ${S+1}`)),l.shown||E.push($("text",{class:"ready",x:p(j+.4),y:p(O-1)},C(S)));for(let Te of te(e,l.mode,S,l.shown))E.push(...A(Te,R,O,p))}let{turns:N}=o[l.mode];for(let S=0;S<l.shown;S++)E.push(F(N[S].lanes,S,p,c&&S===l.shown-1&&!l.ended));E.push(...q(w,p)),E.push(d),D(v),f.replaceChildren(...E),f.setAttribute("aria-label",K())}function U(c){let h=.5*c;return $("defs",{},$("pattern",{id:m,width:h,height:h,patternUnits:"userSpaceOnUse",patternTransform:"rotate(45)"},$("line",{class:"hatch",x1:0,x2:0,y1:0,y2:h})))}function A({row:c,from:h,to:k,ended:w,tokens:j},y,b,p){let[E,N]=[g.left+h*g.pitch,(k-h)*g.pitch];if(c===null){let O=N>2.4;return[$("rect",{class:"idle",x:p(E+.08),y:p(y+L),width:p(N-.16),height:p(b-y-L),fill:`url(#${m})`}),O?$("text",{class:"none",x:p(E+.15),y:p(y+L-.3)},"idle"):""]}let S=[`row ${c+1} · ${T(j,"token")}`,`row ${c+1} · ${j}`,`row ${c+1}`,`${c+1}`],R=S.find(O=>O.length*Ue<N)??S.at(-1);return[$("line",{class:"span",x1:p(E+.08),x2:p(E+N-.08),y1:p(y+L-.12),y2:p(y+L-.12)}),$("line",{class:"span",x1:p(E+.1),x2:p(E+.1),y1:p(y+.25),y2:p(b)}),w?$("line",{class:"span",x1:p(E+N-.1),x2:p(E+N-.1),y1:p(y+.25),y2:p(b)}):"",$("text",{class:w?"row ended":"row",x:p(E+.25),y:p(y+L-.35)},R)]}function C(c){let[h]=o[l.mode].turns[0].lanes[c]??[];return h===void 0?"":`${h+1}  ${Q(i[h].prompt)} …`}function F(c,h,k,w){let j=g.left+h*g.pitch,y=c.flatMap((b,p)=>{if(!b)return[];let E=p*(g.tall+I)+g.tall;return $e(i[b[0]].rounds[b[1]]).flatMap((N,S)=>P(N,j,E-(S+1)*g.block,k))});return $("g",{class:w?"turn fresh":"turn"},y)}function P(c,h,k,w){let[j,y]=[g.pitch*.8,g.block*.86],b=h+g.pitch*.1;return[$("rect",{class:`token ${c}`,x:w(b),y:w(k),width:w(j),height:w(y),rx:w(Math.min(.12,y/4))}),...se(c,b,k,j,y,w)]}function q(c,h){let k=g.pitch>1.3?1:5,w=Array.from({length:l.shown},(b,p)=>p+1).filter(b=>b===l.shown||b%k===0&&(k===1||l.shown-b>1)),j=b=>h(g.left+(b-.5)*g.pitch),y=w.map(b=>$("text",{class:b===l.shown?"tick now":"tick",x:j(b),y:h(c-.3),"text-anchor":"middle"},b));if(g.left&&y.push($("text",{class:"slot",x:0,y:h(c-.3)},"turn")),l.mode&&l.totals){let b=h(g.left+o[0].turns.length*g.pitch);y.push($("line",{class:"goal",x1:b,x2:b,y1:0,y2:h(c-Ce)})),l.shown<o[0].turns.length-5&&y.push($("text",{class:"slot",x:b,y:h(c-.3),"text-anchor":"end"},`static: ${o[0].turns.length}`))}return y}function K(){let c=Array.from({length:r},(h,k)=>{let w=te(e,l.mode,k,l.shown).at(-1),j=w?w.row===null?"idle":`row ${w.row+1}, ${T(w.tokens,"token")}`:"empty";return`slot ${k+1}: ${j}`});return`${o[l.mode].name} batch after ${T(l.shown,"turn")}; ${c.join("; ")}.`}function D(c){if(v=c,d.style.display=c?"":"none",!c)return;let{em:h,left:k,pitch:w,tall:j}=g,y={x:k+c.turn*w,y:c.slot*(j+I)+L-.1,width:w,height:j-L+.2};for(let[b,p]of Object.entries(y))d.setAttribute(b,p*h)}function x(c,h){[l,v]=[c,null],G(h)}let M=new ResizeObserver(()=>{if(!l)return;let{em:c,width:h}=_();z!==`${h} ${c}`&&G(!1)});return M.observe(a),{element:a,paint:x,point:D,stop:()=>M.disconnect()}}function se(e,t,r,n,i,o){let[u,m]=[t+n/2,r+i/2],f=(d,l,v,g)=>$("line",{class:`mark ${e}`,x1:o(d),y1:o(l),x2:o(v),y2:o(g)}),a=i*.36;return e==="rejected"?[f(u-a,m-a,u+a,m+a),f(u-a,m+a,u+a,m-a)]:e==="correction"?[-2,0,2].map(d=>f(u+(d-1)*a,r,u+(d+1)*a,r+i)):e==="bonus"?[-1,0,1].map(d=>$("circle",{class:"mark bonus",cx:o(u+d*3*a*.8),cy:o(m),r:o(a*.55)})):[]}var Je={accepted:"accepted",correction:"correction",bonus:"bonus",target:"target alone",rejected:"rejected",lost:"never examined"};function ae(e,t){let{places:r,idle:n,tokens:i}=ne(e,t.mode,t.shown),o=V(e,t.mode,t.shown);return s("div",{class:"tally"},s("ul",{class:"counts"},Z("tokens written",i),Z("slot-turns",r?`${e.slots} × ${t.shown} = ${r}`:0),Z("idle",r?`${n} (${W(n/r)})`:0,"idle"),Z("waiting",o.length?o.map(u=>s("span",{class:"waits"},u+1)):"none")),Ye(e,t))}var Z=(e,t,r="")=>s("li",{class:r},s("span",{},e),s("b",{},t));function Ye(e,t){let r=Math.max(...e.modes.map(({turns:n})=>n.length));return s("ul",{class:"compared"},e.modes.map(({name:n,turns:i},o)=>{let u=o<t.totals?i.length:o===t.mode?t.shown:0,{places:m,idle:f}=ne(e,o,u),a=d=>`width:${100*d/(r*e.slots)}%`;return s("li",{},s("span",{},n),s("b",{},u?T(u,"turn"):"?"),s("span",{class:"track","aria-hidden":"true"},s("i",{class:"used",style:a(m-f)}),s("i",{class:"hatched",style:a(f)})))}))}function Me(e){let t=new Set(e.rows.flatMap(({rounds:o})=>o.flatMap(({guesses:u,last:m})=>[...u.map(([,f])=>f),m?.[1]]))),[r,n]=[22,11],i=o=>o.toFixed(1);return s("ul",{class:"key"},Object.entries(Je).filter(([o])=>t.has(o)).map(([o,u])=>s("li",{},$("svg",{width:r,height:n,"aria-hidden":"true"},$("rect",{class:`token ${o}`,x:1,y:1,width:r-2,height:n-2,rx:2}),se(o,1,1,r-2,n-2,i)),u)))}var qe=`.batch .steps .said { flex: 1 1 22em; min-height: 2.6em; line-height: 1.3; display: flex; align-items: center; }
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
`;var[Xe,Ve,Qe]=[700,5e3,2600],It=he("batch",({root:e,data:t,model:r})=>{let{story:n}=t,i=!!r.get("on_paper"),o=ue(),[u,m,f,a]=[null,null,null,!1],d=fe(e,{count:n.length,say:x=>n[x].said,show:G}),l=ce("",()=>U(!a)),v=oe(t,B),g=s("div",{class:"count"}),z=s("div",{class:"below"});d.bar.querySelector(".next").after(l);let _=s("div",{class:"side"},g,Me(t));e.append(d.bar,s("div",{class:"stand"},v.element,_),z);function B(x){x?.slot===m?.slot&&x?.turn===m?.turn||(m=x,v.point(x),F())}function G(x,M){A(a&&M),o.run(async({pause:c})=>{let h=M?ye(t,x).slice(0,-1):[];for(let k of h)C(H(n[x],k),M),e.classList.add("passing"),await c(Math.min(Xe,Ve/h.length));if(C(H(n[x]),M),!a||x===d.last())return A(!1);await c(Qe),d.next()})}function U(x){if(!x)return d.go(d.at);d.at===d.last()&&d.go(0),A(!0),d.next()}function A(x){a=x,l.textContent=a?"❚❚ Pause":"▶ Play all"}function C(x,M){e.classList.remove("passing"),[u,m,f]=[x,null,null],g.replaceChildren(ae(t,u)),v.paint(u,M),F()}function F(){let x=m?m.turn:u.ended?-1:u.shown-1;if(f?.turn!==x){let M=[...z.querySelectorAll("button.name")].indexOf(document.activeElement);f={turn:x,...x<0?Ee(t,u.ended):Se(t,u.mode,x,c=>B(c===null?null:{slot:c,turn:x}))},z.replaceChildren(f.element),M>=0&&z.querySelectorAll("button.name")[M]?.focus()}f.light(m?.slot)}e.classList.toggle("on-paper",i),d.go(i?d.last():0);let P=()=>(o.stop(),v.stop());if(!i)return P;let q=oe(t,()=>{}),K=H(n.find(({ended:x})=>x)),D=x=>s("h3",{},t.modes[x].name);return e.querySelector(".stand").before(D(0),s("div",{class:"stand"},q.element,s("div",{class:"side"},ae(t,K))),D(1)),q.paint(K,!1),()=>(P(),q.stop())},qe);export{It as default};
