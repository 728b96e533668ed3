/* Built by stage/build.mjs. Course: Apache-2.0. */
var Me="http://www.w3.org/2000/svg";function o(e,t={},...n){return re(document.createElement(e),t,n)}function y(e,t={},...n){return re(document.createElementNS(Me,e),t,n)}function re(e,t,n){for(let[r,a]of Object.entries(t))typeof a=="function"?e.addEventListener(r.replace(/^on/,""),a):a!==!1&&a!=null&&e.setAttribute(r,a===!0?"":a);return e.append(...n.flat().filter(r=>r!=null&&r!==!1)),e}function qe(e,t,n={}){return o("button",{type:"button",onclick:t,...n},e)}function oe({label:e,options:t,value:n,on:r}){let a=t.map(l=>Array.isArray(l)?l:[l,l]),s=l=>u.forEach((m,c)=>m.setAttribute("aria-pressed",a[c][0]===l)),u=a.map(([l,m])=>qe(m,()=>(s(l),r(l))));return s(n??a[0][0]),{element:o("div",{class:"tabs",role:"group","aria-label":e},u),set:s}}function se(e){let t=()=>{e.dataset.ground=ze(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(s=>setTimeout(t,s)),r=new MutationObserver(n);for(let s of[document.documentElement,document.body])r.observe(s,{attributes:!0});let a=matchMedia("(prefers-color-scheme: dark)");return a.addEventListener("change",n),t(),n(),()=>{r.disconnect(),a.removeEventListener("change",n)}}function ze(e){let[t,n,r,a=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return a===0?1:(.2126*t+.7152*n+.0722*r)/255}var ae=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function ie(e,t,n=""){return{render({model:r,el:a}){ce("stage",ae),n&&ce(e,n);let s=o("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":r.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});a.replaceChildren(s);let u=se(s),l,m=()=>{l?.(),s.replaceChildren(),l=t({root:s,data:r.get("data"),model:r})};return r.on("change:data",m),m(),()=>{r.off("change:data",m),l?.(),u()}}}}function ce(e,t){let n=`course-look-${e}`,r=document.getElementById(n);r?r.textContent=t:document.head.append(o("style",{id:n},t))}var Oe=["ArrowRight","PageDown"," "],Te=["ArrowLeft","PageUp"],Ne="input, select, textarea, [role=slider]";function le(e,{count:t,say:n,show:r}){let a=()=>typeof t=="function"?t():t,s=o("p",{class:"said",role:"status",dir:"auto"}),u=o("span",{class:"place"}),l=o("button",{type:"button",class:"back",onclick:()=>c.back()},"◀ Back"),m=o("button",{type:"button",class:"next",onclick:()=>c.next()},"Next ▶"),c={at:0,bar:o("div",{class:"steps"},l,m,u,s),go(h,p=!1){c.at=Math.max(0,Math.min(h,a()-1)),s.textContent=n(c.at),u.textContent=`${c.at+1} / ${a()}`,l.setAttribute("aria-disabled",c.at===0),m.setAttribute("aria-disabled",c.at===a()-1),r(c.at,p)},next(){return c.at>=a()-1?!1:(c.go(c.at+1,!0),!0)},back(){return c.at<=0?!1:(c.go(c.at-1),!0)}};return e.steps=c,e.onkeydown=h=>{if(h.altKey||h.ctrlKey||h.metaKey||h.defaultPrevented)return;let{key:p,target:E}=h;if(E.closest(Ne)||p===" "&&E.closest("button, summary"))return;(Oe.includes(p)?c.next():Te.includes(p)?c.back():p==="Home"?(c.go(0),!0):p==="End"&&(c.go(a()-1),!0))&&(h.preventDefault(),h.stopPropagation())},c}var G=(e,t=0)=>`${(100*e).toFixed(t)} %`;var M=(e,t)=>`${e} ${t}${e===1?"":"s"}`;var ue=({modes:e})=>e.flatMap(({turns:t},n)=>Array.from({length:t.length+2},(r,a)=>({mode:n,at:a}))),W=({modes:e},t,n)=>e.slice(0,t).reduce((r,{turns:a})=>r+a.length+2,0)+Math.min(n,e[t].turns.length+1);function X({modes:e},{mode:t,at:n}){let r=e[t].turns.length;return{mode:t,shown:Math.min(n,r),ended:n>r,totals:t+(n>r)}}var de=({modes:e},{mode:t,at:n})=>e[t].said[n];function V(e,t,n,r){let a=[];return e.modes[t].turns.slice(0,r).forEach(({lanes:s},u)=>{let[l,m]=s[n]??[null,null],c=a.at(-1);if((!c||c.row!==l)&&a.push(c={row:l,from:u,ended:!1,tokens:0}),c.to=u+1,l===null)return;let h=e.rows[l].rounds[m];c.ended=h.ends,c.tokens=h.start+U(h)}),a}var me=({guesses:e})=>e.filter(([,t])=>t==="accepted").length,U=e=>me(e)+(e.last?1:0),pe=({guesses:e,last:t})=>{let n=e.map(([,a])=>a),r=n.filter(a=>a==="accepted");return[...r,...t?[t[1]]:[],...n.slice(r.length)]};function he(e,t,n){let r=new Set(e.modes[t].turns.slice(0,n).flatMap(({lanes:a})=>a.map(s=>s?.[0])));return e.rows.flatMap((a,s)=>r.has(s)?[]:[s])}function Q({slots:e,modes:t},n,r){let{idle:a,tokens:s}=r?t[n].turns[r-1]:{idle:0,tokens:0};return{places:e*r,idle:a,tokens:s}}function Z(e,t,n,r){let a=e.modes[t].turns[r].lanes[n];if(!a)return`Slot ${n+1}, turn ${r+1}: idle.`;let[s,u]=a,l=e.rows[s].rounds[u],{guesses:m,last:c,start:h,ends:p}=l,E=c?c[1]==="target"?"a token of the target":`a ${c[1]}`:"the text ended at a stop token",x=m.length?`${me(l)} of ${m.length} accepted, `:"nothing drafted, ";return`Row ${s+1}, turn ${r+1}: ${x}${E}. ${M(h+U(l),"token")} so far${p?", the last ones":""}.`}function fe({prompt:e,pieces:t},{start:n,reads:r}){let a=e+t.slice(0,n).join("");return a.endsWith(r)?a.slice(0,a.length-r.length):a}var[Be,F,K,ge]=[3.4,1.2,.25,1.35],[Le,Ie,De]=[16,.75,3.4],Ke=.6,_e=0;function ee(e,t){let{slots:n,guesses:r,rows:a,modes:s}=e,u=Math.max(...s.map(({turns:i})=>i.length)),l=`batch-idle-${++_e}`,m=y("svg",{class:"lanes",role:"img",onpointermove:i=>t(N(i)),onpointerdown:i=>t(N(i)),onpointerleave:i=>i.pointerType==="mouse"&&t(null)}),c=o("div",{class:"field"},m),h=y("rect",{class:"pointed"}),[p,E,x,T]=[null,null,null,""];function I(){let i=parseFloat(getComputedStyle(c).fontSize)||16,f=c.clientWidth/i,k=f>34?Be:0,v=Math.min(Ie,(Le/n-F-K)/(r+1)),A=Math.min(De,(f-k)/u),w=F+v*(r+1);return{em:i,width:f,left:k,block:v,pitch:A,tall:w,height:n*(w+K)+ge}}function N(i){let f=m.getBoundingClientRect(),{em:k,left:v,pitch:A,tall:w}=x,b=Math.floor(((i.clientX-f.left)/k-v)/A),d=Math.floor((i.clientY-f.top)/k/(w+K));return b>=0&&b<p.shown&&d>=0&&d<n?{slot:d,turn:b}:null}function L(i){if(x=I(),!x.width)return;let{em:f,width:k,height:v,left:A,pitch:w,tall:b}=x;T=`${x.width} ${f}`;let d=j=>(j*f).toFixed(2);for(let[j,D]of Object.entries({width:d(k),height:d(v),viewBox:`0 0 ${d(k)} ${d(v)}`}))m.setAttribute(j,D);let S=[_(f)];for(let j=0;j<n;j++){let D=j*(b+K),B=D+b;S.push(y("line",{class:"floor",x1:d(A),x2:d(k),y1:d(B),y2:d(B)})),A&&S.push(y("text",{class:"slot",x:0,y:d(B-.3)},`slot ${j+1}`));for(let Ce of V(e,p.mode,j,p.shown))S.push(...$(Ce,D,B,d))}let{turns:z}=s[p.mode];for(let j=0;j<p.shown;j++)S.push(g(z[j].lanes,j,d,i&&j===p.shown-1&&!p.ended));S.push(...O(v,d)),S.push(h),P(E),m.replaceChildren(...S),m.setAttribute("aria-label",q())}function _(i){let f=.5*i;return y("defs",{},y("pattern",{id:l,width:f,height:f,patternUnits:"userSpaceOnUse",patternTransform:"rotate(45)"},y("line",{class:"hatch",x1:0,x2:0,y1:0,y2:f})))}function $({row:i,from:f,to:k,ended:v,tokens:A},w,b,d){let[S,z]=[x.left+f*x.pitch,(k-f)*x.pitch];if(i===null){let B=z>2.4;return[y("rect",{class:"idle",x:d(S+.08),y:d(w+F),width:d(z-.16),height:d(b-w-F),fill:`url(#${l})`}),B?y("text",{class:"none",x:d(S+.15),y:d(w+F-.3)},"idle"):""]}let j=[`row ${i+1} · ${M(A,"token")}`,`row ${i+1} · ${A}`,`row ${i+1}`,`${i+1}`],D=j.find(B=>B.length*Ke<z)??j.at(-1);return[y("line",{class:"span",x1:d(S+.08),x2:d(S+z-.08),y1:d(w+F-.12),y2:d(w+F-.12)}),y("line",{class:"span",x1:d(S+.1),x2:d(S+.1),y1:d(w+.25),y2:d(b)}),v?y("line",{class:"span",x1:d(S+z-.1),x2:d(S+z-.1),y1:d(w+.25),y2:d(b)}):"",y("text",{class:v?"row ended":"row",x:d(S+.25),y:d(w+F-.35)},D)]}function g(i,f,k,v){let A=x.left+f*x.pitch,w=i.flatMap((b,d)=>{if(!b)return[];let S=d*(x.tall+K)+x.tall;return pe(a[b[0]].rounds[b[1]]).flatMap((z,j)=>C(z,A,S-(j+1)*x.block,k))});return y("g",{class:v?"turn fresh":"turn"},w)}function C(i,f,k,v){let[A,w]=[x.pitch*.8,x.block*.86],b=f+x.pitch*.1;return[y("rect",{class:`token ${i}`,x:v(b),y:v(k),width:v(A),height:v(w),rx:v(Math.min(.12,w/4))}),...te(i,b,k,A,w,v)]}function O(i,f){let k=x.pitch>1.3?1:5,v=Array.from({length:p.shown},(b,d)=>d+1).filter(b=>b===p.shown||b%k===0&&(k===1||p.shown-b>1)),A=b=>f(x.left+(b-.5)*x.pitch),w=v.map(b=>y("text",{class:b===p.shown?"tick now":"tick",x:A(b),y:f(i-.3),"text-anchor":"middle"},b));if(x.left&&w.push(y("text",{class:"slot",x:0,y:f(i-.3)},"turn")),p.mode&&p.totals){let b=f(x.left+s[0].turns.length*x.pitch);w.push(y("line",{class:"goal",x1:b,x2:b,y1:0,y2:f(i-ge)})),p.shown<s[0].turns.length-5&&w.push(y("text",{class:"slot",x:b,y:f(i-.3),"text-anchor":"end"},`static: ${s[0].turns.length}`))}return w}function q(){let i=Array.from({length:n},(f,k)=>{let v=V(e,p.mode,k,p.shown).at(-1),A=v?v.row===null?"idle":`row ${v.row+1}, ${M(v.tokens,"token")}`:"empty";return`slot ${k+1}: ${A}`});return`${s[p.mode].name} batch after ${M(p.shown,"turn")}; ${i.join("; ")}.`}function P(i){if(E=i,h.style.display=i?"":"none",!i)return;let{em:f,left:k,pitch:v,tall:A}=x,w={x:k+i.turn*v,y:i.slot*(A+K)+F-.1,width:v,height:A-F+.2};for(let[b,d]of Object.entries(w))h.setAttribute(b,d*f)}function J(i,f){[p,E]=[i,null],L(f)}let R=new ResizeObserver(()=>{if(!p)return;let{em:i,width:f}=I();T!==`${f} ${i}`&&L(!1)});return R.observe(c),{element:c,paint:J,point:P,stop:()=>R.disconnect()}}function te(e,t,n,r,a,s){let[u,l]=[t+r/2,n+a/2],m=(h,p,E,x)=>y("line",{class:`mark ${e}`,x1:s(h),y1:s(p),x2:s(E),y2:s(x)}),c=a*.36;return e==="rejected"?[m(u-c,l-c,u+c,l+c),m(u-c,l+c,u+c,l-c)]:e==="correction"?[-2,0,2].map(h=>m(u+(h-1)*c,n,u+(h+1)*c,n+a)):e==="bonus"?[-1,0,1].map(h=>y("circle",{class:"mark bonus",cx:s(u+h*3*c*.8),cy:s(l),r:s(c*.55)})):[]}var be={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},Pe={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function Y(e,t="given"){return o("span",{class:`chip ${t}`,title:Pe[t]},o("bdi",{},Re(e)),be[t]?o("i",{class:"sign","aria-label":t},be[t]):null)}function Re(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(we,ye).replaceAll(" ","␣")||"·"}var xe=e=>`…${e.replace(/^ /,"")}`;var ve=e=>e.replace(we,ye),we=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,ye=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var ke=40;function $e(e){let t=ve(e.replaceAll(`
`,"⏎").replace(/ {3,}/g,r=>`␣×${r.length}`)),n=[...t];return n.length>ke?xe(n.slice(-ke).join("")):t}var Ge=({modes:e})=>Math.max(...e.flatMap(({turns:t})=>t.flatMap(({lengths:n})=>n)));function Ae(e,t,n,r){let{lanes:a,lengths:s,new:u,filled:l,rectangle:m}=e.modes[t].turns[n],c=a.map($=>$&&e.rows[$[0]].rounds[$[1]]),h=Math.max(...c.map($=>$?$.guesses.length:0)),[p,E]=[Ge(e),Math.max(...s)],x=a.filter(Boolean).length,T=a.map(($,g)=>{let C={class:$?"lane":"lane empty",onpointerenter:i=>i.pointerType==="mouse"&&r(g),onpointerleave:i=>i.pointerType==="mouse"&&r(null)},O=o("button",{type:"button",class:"name","aria-label":Z(e,t,g,n),onclick:()=>r(g),onfocus:()=>r(g)},$?`row ${$[0]+1}`:`slot ${g+1}`);if(!$)return o("li",C,O,o("span",{class:"nothing"},"idle"));let q=c[g],P=e.rows[$[0]],J=o("span",{class:"length","aria-hidden":"true"},o("b",{},s[g]),o("span",{class:"bar",style:`--longest:${E/p}`},o("i",{class:"text",style:`width:${100*(s[g]-q.guesses.length-1)/p}%`}),o("i",{class:"new",style:`width:${100*(q.guesses.length+1)/p}%`}))),R=Array.from({length:h-q.guesses.length},()=>o("span",{class:"cell pad",title:"padding"}));return o("li",C,O,J,o("span",{class:"tail"},o("bdi",{},$e(fe(P,q)))),o("span",{class:"cell"},Y(q.reads)),q.guesses.map(([i,f])=>o("span",{class:"cell"},Y(i,f))),R,Array.from({length:e.guesses-h},()=>o("span",{class:"cell"})),o("span",{class:"cell last"},q.last?Y(...q.last):""))}),I=`${M(x,"row")}, ${M(l,"token")}; padded ${x} × ${E} = ${m}: ${G(l/m)} filled.`,N=o("span",{class:"about"});return{element:o("div",{class:"pass",style:`--guesses:${e.guesses}`},o("div",{class:"heads"},o("p",{class:"what"},o("b",{},`Turn ${n+1}, one pass: ${M(u,"new token")}. `),N),o("i",{"aria-hidden":"true"},"reads"),Array.from({length:e.guesses},($,g)=>o("i",{"aria-hidden":"true"},`guess ${g+1}`)),o("i",{"aria-hidden":"true"},"then")),o("ol",{},T)),light:$=>{N.textContent=$===void 0?I:Z(e,t,$,n),T.forEach((g,C)=>{g.classList.toggle("lit",C===$),g.querySelector(".name").setAttribute("aria-pressed",C===$)})}}}function je(e,t){let n=e.rows.map((a,s)=>{let u=a.rounds.reduce((l,m)=>l+U(m),0);return o("li",{},o("b",{},`row ${s+1}`),o("span",{class:t?"tail":"start"},o("bdi",{},$e(a.prompt+(t?a.pieces.join(""):"")))),t?o("span",{class:"sum"},`${M(u,"token")}, ${M(a.rounds.length,"turn")}`):"")});return{element:o("div",{class:"texts"},o("p",{class:"what"},o("b",{},t?"The texts, whichever way":"The prompts")),o("ol",{},n)),light:()=>{}}}var We={accepted:"accepted",correction:"correction",bonus:"bonus",target:"target alone",rejected:"rejected",lost:"never examined"};function ne(e,t){let{places:n,idle:r,tokens:a}=Q(e,t.mode,t.shown),s=he(e,t.mode,t.shown);return o("div",{class:"tally"},o("ul",{class:"counts"},H("tokens written",a),H("slot-turns",n?`${e.slots} × ${t.shown} = ${n}`:0),H("idle",n?`${r} (${G(r/n)})`:0,"idle"),H("waiting",s.length?s.map(u=>o("span",{class:"waits"},u+1)):"none")),Ue(e,t))}var H=(e,t,n="")=>o("li",{class:n},o("span",{},e),o("b",{},t));function Ue(e,t){let n=Math.max(...e.modes.map(({turns:r})=>r.length));return o("ul",{class:"compared"},e.modes.map(({name:r,turns:a},s)=>{let u=s<t.totals?a.length:s===t.mode?t.shown:0,{places:l,idle:m}=Q(e,s,u),c=h=>`width:${100*h/(n*e.slots)}%`;return o("li",{},o("span",{},r),o("b",{},u?M(u,"turn"):"?"),o("span",{class:"track","aria-hidden":"true"},o("i",{class:"used",style:c(l-m)}),o("i",{class:"hatched",style:c(m)})))}))}function Se(e){let t=new Set(e.rows.flatMap(({rounds:s})=>s.flatMap(({guesses:u,last:l})=>[...u.map(([,m])=>m),l?.[1]]))),[n,r]=[22,11],a=s=>s.toFixed(1);return o("ul",{class:"key"},Object.entries(We).filter(([s])=>t.has(s)).map(([s,u])=>o("li",{},y("svg",{width:n,height:r,"aria-hidden":"true"},y("rect",{class:`token ${s}`,x:1,y:1,width:n-2,height:r-2,rx:2}),te(s,1,1,n-2,r-2,a)),u)))}var Ee=`.batch .steps .said { flex: 1 1 22em; min-height: 2.6em; line-height: 1.3; display: flex; align-items: center; }
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
`;var Tt=ie("batch",({root:e,data:t,model:n})=>{let r=ue(t),a=!!n.get("on_paper"),[s,u,l]=[null,null,null],m=le(e,{count:r.length,say:g=>de(t,r[g]),show:I}),c=oe({label:"batching",value:0,options:t.modes.map(({name:g},C)=>[C,g]),on:g=>m.go(W(t,g,r[m.at].at))}),h=ee(t,T),p=o("div",{class:"count"}),E=o("div",{class:"below"});m.bar.querySelector(".place").after(c.element);let x=o("div",{class:"side"},p,Se(t));e.append(m.bar,o("div",{class:"stand"},h.element,x),E);function T(g){g?.slot===u?.slot&&g?.turn===u?.turn||(u=g,h.point(g),N())}function I(g,C){let O=s?.mode;s=X(t,r[g]),[u,l]=[null,null],O!==s.mode&&c.set(s.mode),p.replaceChildren(ne(t,s)),h.paint(s,C),N()}function N(){let g=u?u.turn:s.ended?-1:s.shown-1;if(l?.turn!==g){let C=[...E.querySelectorAll("button.name")].indexOf(document.activeElement);l={turn:g,...g<0?je(t,s.ended):Ae(t,s.mode,g,O=>T(O===null?null:{slot:O,turn:g}))},E.replaceChildren(l.element),C>=0&&E.querySelectorAll("button.name")[C]?.focus()}l.light(u?.slot)}if(e.classList.toggle("on-paper",a),m.go(a?W(t,1,1/0):0),!a)return()=>h.stop();let L=ee(t,()=>{}),_=X(t,r[W(t,0,1/0)]),$=g=>o("h3",{},t.modes[g].name);return e.querySelector(".stand").before($(0),o("div",{class:"stand"},L.element,o("div",{class:"side"},ne(t,_))),$(1)),L.paint(_,!1),()=>(h.stop(),L.stop())},Ee);export{Tt as default};
