/* Built by stage/build.mjs. Course: Apache-2.0. */
var Te="http://www.w3.org/2000/svg";function s(e,t={},...n){return se(document.createElement(e),t,n)}function $(e,t={},...n){return se(document.createElementNS(Te,e),t,n)}function se(e,t,n){for(let[r,i]of Object.entries(t))typeof i=="function"?e.addEventListener(r.replace(/^on/,""),i):i!==!1&&i!=null&&e.setAttribute(r,i===!0?"":i);return e.append(...n.flat().filter(r=>r!=null&&r!==!1)),e}function oe(e,t,n={}){return s("button",{type:"button",onclick:t,...n},e)}var ae=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function ie(){let e=0,t=n=>{if(n!==e)throw V};return{stop:()=>{e++},async run(n){let r=++e,i=(d,p)=>new Promise((f,a)=>{if(ae())return p(1),f();let l,u=v=>{if(r!==e)return a(V);l??=v;let g=Math.min((v-l)/d,1);p(g),g<1?requestAnimationFrame(u):f()};requestAnimationFrame(u)}),o=async d=>{ae()||await new Promise(p=>setTimeout(p,d)),t(r)};try{return await n({tween:i,pause:o}),!0}catch(d){if(d!==V)throw d;return!1}}}}var V=Symbol("stopped");function ce(e){let t=()=>{e.dataset.ground=ze(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(o=>setTimeout(t,o)),r=new MutationObserver(n);for(let o of[document.documentElement,document.body])r.observe(o,{attributes:!0});let i=matchMedia("(prefers-color-scheme: dark)");return i.addEventListener("change",n),t(),n(),()=>{r.disconnect(),i.removeEventListener("change",n)}}function ze(e){let[t,n,r,i=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return i===0?1:(.2126*t+.7152*n+.0722*r)/255}var le=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function de(e,t,n=""){return{render({model:r,el:i}){ue("stage",le),n&&ue(e,n);let o=s("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":r.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});i.replaceChildren(o);let d=ce(o),p,f=()=>{let{at:u,last:v}=o.steps;r.get("step")===u&&r.get("last_step")===v()||(r.set("last_step",v()),r.set("step",u),r.save_changes())},a=()=>{let u=o.steps;if(!u?.last)return;u.went=f;let v=r.get("step")??u.at;v===u.at?f():u.go(v)},l=()=>{p?.(),o.replaceChildren(),p=t({root:o,data:r.get("data"),model:r}),a()};return r.on("change:data",l),r.on("change:step",a),l(),()=>{r.off("change:data",l),r.off("change:step",a),p?.(),d()}}}}function ue(e,t){let n=`course-look-${e}`,r=document.getElementById(n);r?r.textContent=t:document.head.append(s("style",{id:n},t))}var Ne=["ArrowRight","PageDown"," "],Oe=["ArrowLeft","PageUp"],Le="input, select, textarea, [role=slider]";function pe(e,{count:t,say:n,show:r}){let i=()=>typeof t=="function"?t():t,o=s("p",{class:"said",role:"status",dir:"auto"}),d=s("span",{class:"place"}),p=s("button",{type:"button",class:"back",onclick:()=>a.back()},"◀ Back"),f=s("button",{type:"button",class:"next",onclick:()=>a.next()},"Next ▶"),a={at:0,last:()=>i()-1,went:()=>{},bar:s("div",{class:"steps"},p,f,d,o),go(l,u=!1){a.at=Math.max(0,Math.min(l,a.last())),o.textContent=n(a.at),d.textContent=`${a.at+1} / ${i()}`,p.setAttribute("aria-disabled",a.at===0),f.setAttribute("aria-disabled",a.at===a.last()),r(a.at,u),a.went()},next(){return a.at>=a.last()?!1:(a.go(a.at+1,!0),!0)},back(){return a.at<=0?!1:(a.go(a.at-1),!0)}};return e.steps=a,e.onkeydown=l=>{if(l.altKey||l.ctrlKey||l.metaKey||l.defaultPrevented)return;let{key:u,target:v}=l;if(v.closest(Le)||u===" "&&v.closest("button, summary"))return;(Ne.includes(u)?a.next():Oe.includes(u)?a.back():u==="Home"?(a.go(0),!0):u==="End"&&(a.go(a.last()),!0))&&(l.preventDefault(),l.stopPropagation())},a}var U=(e,t=0)=>`${(100*e).toFixed(t)} %`;var q=(e,t)=>`${e} ${t}${e===1?"":"s"}`;var me={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},Be={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function W(e,t="given"){return s("span",{class:`chip ${t}`,title:Be[t]},s("bdi",{},Pe(e)),me[t]?s("i",{class:"sign","aria-label":t},me[t]):null)}function Pe(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(ge,be).replaceAll(" ","␣")||"·"}var he=e=>`…${e.replace(/^ /,"")}`;var Y=(e,t="")=>e.map(n=>/^[.,;:!?]/.test(n)?n:t+n).join(""),fe=e=>e.replace(ge,be),ge=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,be=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;function H({mode:e,turns:t,ended:n},r=t){let i=n&&r===t;return{mode:e,shown:r,ended:i,totals:e+i}}function xe({story:e},t){let[n,{mode:r,turns:i}]=[e[t-1],e[t]],o=n?.mode===r?n.turns+1:0;return Array.from({length:i-o+1},(d,p)=>o+p)}function Q(e,t,n,r){let i=[];return e.modes[t].turns.slice(0,r).forEach(({lanes:o},d)=>{let[p,f]=o[n]??[null,null],a=i.at(-1);if((!a||a.row!==p)&&i.push(a={row:p,from:d,ended:!1,tokens:0}),a.to=d+1,p===null)return;let l=e.rows[p].rounds[f];a.ended=l.ends,a.tokens=l.start+J(l)}),i}var we=({guesses:e})=>e.filter(([,t])=>t==="accepted").length,J=e=>we(e)+(e.last?1:0),ve=({guesses:e,last:t})=>{let n=e.map(([,i])=>i),r=n.filter(i=>i==="accepted");return[...r,...t?[t[1]]:[],...n.slice(r.length)]};function ye(e,t,n){let r=new Set(e.modes[t].turns.slice(0,n).flatMap(({lanes:i})=>i.map(o=>o?.[0])));return e.rows.flatMap((i,o)=>r.has(o)?[]:[o])}function Z({slots:e,modes:t},n,r){let{idle:i,tokens:o}=r?t[n].turns[r-1]:{idle:0,tokens:0};return{places:e*r,idle:i,tokens:o}}function ee(e,t,n,r){let i=e.modes[t].turns[r].lanes[n];if(!i)return`Slot ${n+1}, turn ${r+1}: idle.`;let[o,d]=i,p=e.rows[o].rounds[d],{guesses:f,last:a,start:l,ends:u}=p,v=a?a[1]==="target"?"a token of the target":`a ${a[1]}`:"the text ended at a stop token",g=f.length?`${we(p)} of ${f.length} accepted, `:"nothing drafted, ";return`Row ${o+1}, turn ${r+1}: ${g}${v}. ${q(l+J(p),"token")} so far${u?", the last ones":""}.`}function ke({prompt:e,pieces:t},{start:n,reads:r},i){let o=e+Y(t.slice(0,n),i);return o.endsWith(r)?o.slice(0,o.length-r.length):o}var[De,N,I,$e]=[3.4,1.2,.25,1.35],[_e,Re,Ie]=[16,.75,6],Ke=.6,Ge=0;function te(e,t){let{slots:n,guesses:r,rows:i,modes:o}=e,d=Math.max(...o.map(({turns:c})=>c.length)),p=`batch-idle-${++Ge}`,f=$("svg",{class:"lanes",role:"img",onpointermove:c=>t(O(c)),onpointerdown:c=>t(O(c)),onpointerleave:c=>c.pointerType==="mouse"&&t(null)}),a=s("div",{class:"field"},f),l=$("rect",{class:"pointed"}),[u,v,g,T]=[null,null,null,""];function D(){let c=parseFloat(getComputedStyle(a).fontSize)||16,h=a.clientWidth/c,y=h>34?De:0,w=Math.min(Re,(_e/n-N-I)/(r+1)),j=Math.min(Ie,(h-y)/d),k=N+w*(r+1);return{em:c,width:h,left:y,block:w,pitch:j,tall:k,height:n*(k+I)+$e}}function O(c){let h=f.getBoundingClientRect(),{em:y,left:w,pitch:j,tall:k}=g,b=Math.floor(((c.clientX-h.left)/y-w)/j),m=Math.floor((c.clientY-h.top)/y/(k+I));return b>=0&&b<u.shown&&m>=0&&m<n?{slot:m,turn:b}:null}function K(c){if(g=D(),!g.width)return;let{em:h,width:y,height:w,left:j,pitch:k,tall:b}=g;T=`${g.width} ${h}`;let m=S=>(S*h).toFixed(2);for(let[S,R]of Object.entries({width:m(y),height:m(w),viewBox:`0 0 ${m(y)} ${m(w)}`}))f.setAttribute(S,R);let E=[G(h)];for(let S=0;S<n;S++){let R=S*(b+I),L=R+b;E.push($("line",{class:"floor",x1:m(j),x2:m(y),y1:m(L),y2:m(L)})),j&&E.push($("text",{class:"slot",x:0,y:m(L-.3)},`slot ${S+1}`));for(let qe of Q(e,u.mode,S,u.shown))E.push(...A(qe,R,L,m))}let{turns:F}=o[u.mode];for(let S=0;S<u.shown;S++)E.push(C(F[S].lanes,S,m,c&&S===u.shown-1&&!u.ended));E.push(...B(w,m)),E.push(l),P(v),f.replaceChildren(...E),f.setAttribute("aria-label",M())}function G(c){let h=.5*c;return $("defs",{},$("pattern",{id:p,width:h,height:h,patternUnits:"userSpaceOnUse",patternTransform:"rotate(45)"},$("line",{class:"hatch",x1:0,x2:0,y1:0,y2:h})))}function A({row:c,from:h,to:y,ended:w,tokens:j},k,b,m){let[E,F]=[g.left+h*g.pitch,(y-h)*g.pitch];if(c===null){let L=F>2.4;return[$("rect",{class:"idle",x:m(E+.08),y:m(k+N),width:m(F-.16),height:m(b-k-N),fill:`url(#${p})`}),L?$("text",{class:"none",x:m(E+.15),y:m(k+N-.3)},"idle"):""]}let S=[`row ${c+1} · ${q(j,"token")}`,`row ${c+1} · ${j}`,`row ${c+1}`,`${c+1}`],R=S.find(L=>L.length*Ke<F)??S.at(-1);return[$("line",{class:"span",x1:m(E+.08),x2:m(E+F-.08),y1:m(k+N-.12),y2:m(k+N-.12)}),$("line",{class:"span",x1:m(E+.1),x2:m(E+.1),y1:m(k+.25),y2:m(b)}),w?$("line",{class:"span",x1:m(E+F-.1),x2:m(E+F-.1),y1:m(k+.25),y2:m(b)}):"",$("text",{class:w?"row ended":"row",x:m(E+.25),y:m(k+N-.35)},R)]}function C(c,h,y,w){let j=g.left+h*g.pitch,k=c.flatMap((b,m)=>{if(!b)return[];let E=m*(g.tall+I)+g.tall;return ve(i[b[0]].rounds[b[1]]).flatMap((F,S)=>z(F,j,E-(S+1)*g.block,y))});return $("g",{class:w?"turn fresh":"turn"},k)}function z(c,h,y,w){let[j,k]=[g.pitch*.8,g.block*.86],b=h+g.pitch*.1;return[$("rect",{class:`token ${c}`,x:w(b),y:w(y),width:w(j),height:w(k),rx:w(Math.min(.12,k/4))}),...ne(c,b,y,j,k,w)]}function B(c,h){let y=g.pitch>1.3?1:5,w=Array.from({length:u.shown},(b,m)=>m+1).filter(b=>b===u.shown||b%y===0&&(y===1||u.shown-b>1)),j=b=>h(g.left+(b-.5)*g.pitch),k=w.map(b=>$("text",{class:b===u.shown?"tick now":"tick",x:j(b),y:h(c-.3),"text-anchor":"middle"},b));if(g.left&&k.push($("text",{class:"slot",x:0,y:h(c-.3)},"turn")),u.mode&&u.totals){let b=h(g.left+o[0].turns.length*g.pitch);k.push($("line",{class:"goal",x1:b,x2:b,y1:0,y2:h(c-$e)})),u.shown<o[0].turns.length-5&&k.push($("text",{class:"slot",x:b,y:h(c-.3),"text-anchor":"end"},`static: ${o[0].turns.length}`))}return k}function M(){let c=Array.from({length:n},(h,y)=>{let w=Q(e,u.mode,y,u.shown).at(-1),j=w?w.row===null?"idle":`row ${w.row+1}, ${q(w.tokens,"token")}`:"empty";return`slot ${y+1}: ${j}`});return`${o[u.mode].name} batch after ${q(u.shown,"turn")}; ${c.join("; ")}.`}function P(c){if(v=c,l.style.display=c?"":"none",!c)return;let{em:h,left:y,pitch:w,tall:j}=g,k={x:y+c.turn*w,y:c.slot*(j+I)+N-.1,width:w,height:j-N+.2};for(let[b,m]of Object.entries(k))l.setAttribute(b,m*h)}function _(c,h){[u,v]=[c,null],K(h)}let x=new ResizeObserver(()=>{if(!u)return;let{em:c,width:h}=D();T!==`${h} ${c}`&&K(!1)});return x.observe(a),{element:a,paint:_,point:P,stop:()=>x.disconnect()}}function ne(e,t,n,r,i,o){let[d,p]=[t+r/2,n+i/2],f=(l,u,v,g)=>$("line",{class:`mark ${e}`,x1:o(l),y1:o(u),x2:o(v),y2:o(g)}),a=i*.36;return e==="rejected"?[f(d-a,p-a,d+a,p+a),f(d-a,p+a,d+a,p-a)]:e==="correction"?[-2,0,2].map(l=>f(d+(l-1)*a,n,d+(l+1)*a,n+i)):e==="bonus"?[-1,0,1].map(l=>$("circle",{class:"mark bonus",cx:o(d+l*3*a*.8),cy:o(p),r:o(a*.55)})):[]}var Ae=40;function je(e){let t=fe(e.replaceAll(`
`,"⏎").replace(/ {3,}/g,r=>`␣×${r.length}`)),n=[...t];return n.length>Ae?he(n.slice(-Ae).join("")):t}var Ue=({modes:e})=>Math.max(...e.flatMap(({turns:t})=>t.flatMap(({lengths:n})=>n)));function Se(e,t,n,r){let{lanes:i,lengths:o,new:d,filled:p,rectangle:f}=e.modes[t].turns[n],a=i.map(A=>A&&e.rows[A[0]].rounds[A[1]]),l=Math.max(...a.map(A=>A?A.guesses.length:0)),[u,v]=[Ue(e),Math.max(...o)],g=i.filter(Boolean).length,T=i.map((A,C)=>{let z={class:A?"lane":"lane empty",onpointerenter:c=>c.pointerType==="mouse"&&r(C),onpointerleave:c=>c.pointerType==="mouse"&&r(null)},B=s("button",{type:"button",class:"name","aria-label":ee(e,t,C,n),onclick:()=>r(C),onfocus:()=>r(C)},A?`row ${A[0]+1}`:`slot ${C+1}`);if(!A)return s("li",z,B,s("span",{class:"nothing"},"idle"));let M=a[C],P=e.rows[A[0]],_=s("span",{class:"length","aria-hidden":"true"},s("b",{},o[C]),s("span",{class:"bar",style:`--longest:${v/u}`},s("i",{class:"text",style:`width:${100*(o[C]-M.guesses.length-1)/u}%`}),s("i",{class:"new",style:`width:${100*(M.guesses.length+1)/u}%`}))),x=Array.from({length:l-M.guesses.length},()=>s("span",{class:"cell pad",title:"padding"}));return s("li",z,B,_,s("span",{class:"tail"},s("bdi",{},je(ke(P,M,e.between)))),s("span",{class:"cell"},W(M.reads)),M.guesses.map(([c,h])=>s("span",{class:"cell"},W(c,h))),x,Array.from({length:e.guesses-l},()=>s("span",{class:"cell"})),s("span",{class:"cell last"},M.last?W(...M.last):""))}),D=`${q(g,"row")}, ${q(p,"token")}; padded ${g} × ${v} = ${f}: ${U(p/f)} filled.`,O=s("span",{class:"about"});return{element:s("div",{class:"pass",style:`--guesses:${e.guesses}`},s("div",{class:"heads"},s("p",{class:"what"},s("b",{},`Turn ${n+1}, one pass: ${q(d,"new token")}. `),O),s("i",{"aria-hidden":"true"},"reads"),Array.from({length:e.guesses},(A,C)=>s("i",{"aria-hidden":"true"},`guess ${C+1}`)),s("i",{"aria-hidden":"true"},"then")),s("ol",{},T)),light:A=>{O.textContent=A===void 0?D:ee(e,t,A,n),T.forEach((C,z)=>{C.classList.toggle("lit",z===A),C.querySelector(".name").setAttribute("aria-pressed",z===A)})}}}function Ee(e,t){let n=e.rows.map((i,o)=>{let d=i.rounds.reduce((p,f)=>p+J(f),0);return s("li",{},s("b",{},`row ${o+1}`),s("span",{class:t?"tail":"start"},s("bdi",{},je(i.prompt+(t?Y(i.pieces,e.between):"")))),t?s("span",{class:"sum"},q(d,"token")):"")});return{element:s("div",{class:"texts"},s("p",{class:"what"},s("b",{},t?"The texts, whichever way":"The prompts")),s("ol",{},n)),light:()=>{}}}var We={accepted:"accepted",correction:"correction",bonus:"bonus",target:"target alone",rejected:"rejected",lost:"never examined"};function re(e,t){let{places:n,idle:r,tokens:i}=Z(e,t.mode,t.shown),o=ye(e,t.mode,t.shown);return s("div",{class:"tally"},s("ul",{class:"counts"},X("tokens written",i),X("slot-turns",n?`${e.slots} × ${t.shown} = ${n}`:0),X("idle",n?`${r} (${U(r/n)})`:0,"idle"),X("waiting",o.length?o.map(d=>s("span",{class:"waits"},d+1)):"none")),Ye(e,t))}var X=(e,t,n="")=>s("li",{class:n},s("span",{},e),s("b",{},t));function Ye(e,t){let n=Math.max(...e.modes.map(({turns:r})=>r.length));return s("ul",{class:"compared"},e.modes.map(({name:r,turns:i},o)=>{let d=o<t.totals?i.length:o===t.mode?t.shown:0,{places:p,idle:f}=Z(e,o,d),a=l=>`width:${100*l/(n*e.slots)}%`;return s("li",{},s("span",{},r),s("b",{},d?q(d,"turn"):"?"),s("span",{class:"track","aria-hidden":"true"},s("i",{class:"used",style:a(p-f)}),s("i",{class:"hatched",style:a(f)})))}))}function Ce(e){let t=new Set(e.rows.flatMap(({rounds:o})=>o.flatMap(({guesses:d,last:p})=>[...d.map(([,f])=>f),p?.[1]]))),[n,r]=[22,11],i=o=>o.toFixed(1);return s("ul",{class:"key"},Object.entries(We).filter(([o])=>t.has(o)).map(([o,d])=>s("li",{},$("svg",{width:n,height:r,"aria-hidden":"true"},$("rect",{class:`token ${o}`,x:1,y:1,width:n-2,height:r-2,rx:2}),ne(o,1,1,n-2,r-2,i)),d)))}var Me=`.batch .steps .said { flex: 1 1 22em; min-height: 2.6em; line-height: 1.3; display: flex; align-items: center; }
.batch.passing .said { opacity: 0; } /* not before its turns are seen */
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
  .batch .heads, .batch .lane { grid-template-columns: 4em 5em minmax(0, 1fr) repeat(calc(var(--guesses) + 1), 5em) 5em; gap: 0 0.25em; }
}
@container (max-width: 34em) {
  .batch .stand, .batch .texts ol { grid-template-columns: minmax(0, 1fr); }
  .batch .heads { display: block; } .batch .heads i { display: none; }
  .batch .lane { display: flex; flex-wrap: wrap; gap: 0.2em 0.3em; margin-bottom: 0.5em; }
  .batch .lane .name { padding: 0; min-height: 2.2em; } .batch .lane .length { flex: 0 0 7em; } .batch .lane .tail { flex: 1 1 calc(100% - 12em); } .batch .lane.empty .nothing { flex: 1; }
  .batch .cell:empty { display: none; } .batch .texts .sum { display: none; } /* the lanes have it */
}
`;var[Je,Xe,Ve]=[700,5e3,2600],Rt=de("batch",({root:e,data:t,model:n})=>{let{story:r}=t,i=!!n.get("on_paper"),o=ie(),[d,p,f,a]=[null,null,null,!1],l=pe(e,{count:r.length,say:x=>r[x].said,show:K}),u=oe("",()=>G(!a)),v=te(t,O),g=s("div",{class:"count"}),T=s("div",{class:"below"});l.bar.querySelector(".next").after(u);let D=s("div",{class:"side"},g,Ce(t));e.append(l.bar,s("div",{class:"stand"},v.element,D),T);function O(x){x?.slot===p?.slot&&x?.turn===p?.turn||(p=x,v.point(x),z())}function K(x,c){A(a&&c),o.run(async({pause:h})=>{let y=c?xe(t,x).slice(0,-1):[];for(let w of y)C(H(r[x],w),c),e.classList.add("passing"),await h(Math.min(Je,Xe/y.length));if(C(H(r[x]),c),!a||x===l.last())return A(!1);await h(Ve),l.next()})}function G(x){if(!x)return l.go(l.at);l.at===l.last()&&l.go(0),A(!0),l.next()}function A(x){a=x,u.textContent=a?"❚❚ Pause":"▶ Play all"}function C(x,c){e.classList.remove("passing"),[d,p,f]=[x,null,null],g.replaceChildren(re(t,d)),v.paint(d,c),z()}function z(){let x=p?p.turn:d.ended?-1:d.shown-1;if(f?.turn!==x){let c=[...T.querySelectorAll("button.name")].indexOf(document.activeElement);f={turn:x,...x<0?Ee(t,d.ended):Se(t,d.mode,x,h=>O(h===null?null:{slot:h,turn:x}))},T.replaceChildren(f.element),c>=0&&T.querySelectorAll("button.name")[c]?.focus()}f.light(p?.slot)}e.classList.toggle("on-paper",i),l.go(i?l.last():0);let B=()=>(o.stop(),v.stop());if(!i)return B;let M=te(t,()=>{}),P=H(r.find(({ended:x})=>x)),_=x=>s("h3",{},t.modes[x].name);return e.querySelector(".stand").before(_(0),s("div",{class:"stand"},M.element,s("div",{class:"side"},re(t,P))),_(1)),M.paint(P,!1),()=>(B(),M.stop())},Me);export{Rt as default};
