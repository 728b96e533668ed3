/* Built by stage/build.mjs. Course: Apache-2.0. */
var ze="http://www.w3.org/2000/svg";function o(e,t={},...n){return Z(document.createElement(e),t,n)}function z(e,t={},...n){return Z(document.createElementNS(ze,e),t,n)}function Z(e,t,n){for(let[r,s]of Object.entries(t))typeof s=="function"?e.addEventListener(r.replace(/^on/,""),s):s!==!1&&s!=null&&e.setAttribute(r,s===!0?"":s);return e.append(...n.flat().filter(r=>r!=null&&r!==!1)),e}function ee({label:e,options:t,value:n,on:r}){let s=t.map(c=>Array.isArray(c)?c:[c,c]),a=o("select",{"aria-label":e,onchange:()=>r(s[a.selectedIndex][0])},s.map(([,c])=>o("option",{},c))),l=c=>a.selectedIndex=s.findIndex(([i])=>i===c);return l(n??s[0][0]),{element:o("label",{class:"choice"},o("span",{},e),a),set:l,get value(){return s[a.selectedIndex]?.[0]}}}function te(e){let t=()=>{e.dataset.ground=Oe(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(a=>setTimeout(t,a)),r=new MutationObserver(n);for(let a of[document.documentElement,document.body])r.observe(a,{attributes:!0});let s=matchMedia("(prefers-color-scheme: dark)");return s.addEventListener("change",n),t(),n(),()=>{r.disconnect(),s.removeEventListener("change",n)}}function Oe(e){let[t,n,r,s=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return s===0?1:(.2126*t+.7152*n+.0722*r)/255}var re=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function ne(e,t,n=""){return{render({model:r,el:s}){oe("stage",re),n&&oe(e,n);let a=o("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":r.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});s.replaceChildren(a);let l=te(a),p,c=()=>{let{at:u,last:h}=a.steps;r.get("step")===u&&r.get("last_step")===h()||(r.set("last_step",h()),r.set("step",u),r.save_changes())},i=()=>{let u=a.steps;if(!u?.last)return;u.went=c;let h=r.get("step")??u.at;h===u.at?c():u.go(h)},d=()=>{p?.(),a.replaceChildren(),p=t({root:a,data:r.get("data"),model:r}),i()};return r.on("change:data",d),r.on("change:step",i),d(),()=>{r.off("change:data",d),r.off("change:step",i),p?.(),l()}}}}function oe(e,t){let n=`course-look-${e}`,r=document.getElementById(n);r?r.textContent=t:document.head.append(o("style",{id:n},t))}var Be=["ArrowRight","PageDown"," "],Fe=["ArrowLeft","PageUp"],Le="input, select, textarea, [role=slider]";function se(e,{count:t,say:n,show:r}){let s=()=>typeof t=="function"?t():t,a=o("p",{class:"said",role:"status",dir:"auto"}),l=o("span",{class:"place"}),p=o("button",{type:"button",class:"back",onclick:()=>i.back()},"◀ Back"),c=o("button",{type:"button",class:"next",onclick:()=>i.next()},"Next ▶"),i={at:0,last:()=>s()-1,went:()=>{},bar:o("div",{class:"steps"},p,c,l,a),go(d,u=!1){i.at=Math.max(0,Math.min(d,i.last())),a.textContent=n(i.at),l.textContent=`${i.at+1} / ${s()}`,p.setAttribute("aria-disabled",i.at===0),c.setAttribute("aria-disabled",i.at===i.last()),r(i.at,u),i.went()},next(){return i.at>=i.last()?!1:(i.go(i.at+1,!0),!0)},back(){return i.at<=0?!1:(i.go(i.at-1),!0)}};return e.steps=i,e.onkeydown=d=>{if(d.altKey||d.ctrlKey||d.metaKey||d.defaultPrevented)return;let{key:u,target:h}=d;if(h.closest(Le)||u===" "&&h.closest("button, summary"))return;(Be.includes(u)?i.next():Fe.includes(u)?i.back():u==="Home"?(i.go(0),!0):u==="End"&&(i.go(i.last()),!0))&&(d.preventDefault(),d.stopPropagation())},i}var F={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},Re={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function Y(e,t="given"){return o("span",{class:`chip ${t}`,title:Re[t]},o("bdi",{},I(e)),F[t]?o("i",{class:"sign","aria-label":t},F[t]):null)}function I(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(le,de).replaceAll(" ","␣")||"·"}var ae=e=>`…${e.replace(/^ /,"")}`,B=e=>`“⁨${I(e)}⁩”`,ie=(e,t="")=>e.map(n=>/^[.,;:!?]/.test(n)?n:t+n).join(""),ce=e=>e.replace(le,de),le=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,de=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var q=(e,t)=>`${e} ${t}${e===1?"":"s"}`;function H(e,t){for(let n=2;n<6;n++){let[r,s]=[e.toFixed(n),t.toFixed(n)];if(r!==s)return[r,s]}return[e.toFixed(6),t.toFixed(6)]}function V({levels:e,judged:t}){return[...Array.from({length:e},(n,r)=>({kind:"level",level:r})),{kind:"pass"},...t.map((n,r)=>({kind:"verdict",turn:r})),{kind:"last"},{kind:"count"},{kind:"cache"}]}var pe=["level","pass","verdict","last","count","cache"];function ue(e,t){let n=pe.indexOf(e.kind),r=s=>n>=pe.indexOf(s);return{kind:e.kind,levels:r("pass")?t.levels:e.level+1,passed:r("pass"),turns:r("last")?t.judged.length:e.kind==="verdict"?e.turn+1:0,ended:r("last"),counted:r("count"),kept:r("cache")}}function K(e,t,n,r){if(e.depth>=n.levels)return"hidden";if(n.counted)return e.fate;let s=r.judged.slice(0,n.turns).find(a=>a.node===t);return s?s.accepted?"accepted":"rejected":"draft"}var G=(e,t)=>t.judged.slice(0,e.turns).filter(({accepted:n})=>n).map(({node:n})=>n),me=(e,t)=>t<0?"the text":`node ${t+1} ${B(e.nodes[t].text)}`;function fe(e,t){let{nodes:n,counts:r,last:s,chain:a,cache:l,certain:p}=e;switch(t.kind){case"level":{let c=n.filter(({depth:d})=>d===t.level).length,i=p?"chosen without chance: there is no q":"each drawn from the draft's q";return t.level?`Level ${t.level+1}: ${q(c,"token")}, each after a node of level ${t.level}.`:`What comes next? Level 1: ${q(c,"token")}, ${i}.`}case"pass":return`One pass of the target over the last token of the text and all ${q(n.length,"node")}. Each sees the text, its ancestors and itself.`;case"verdict":return We(e,e.judged[t.turn]);case"last":return De(s,e);case"count":{let c=r.drafted-r.accepted,i=a.tokens===r.tokens?"as many as":`${q(r.tokens-a.tokens,"token")} more than`,d=r.tokens<a.tokens?"":` That is ${i} its first path, a chain, would have brought.`;return`${q(r.tokens,"token")} of text from ${q(r.drafted,"verified node")}; ${c} not used.${d}`}case"cache":{let c=l.kept.filter((u,h)=>u!==h).length,i=r.drafted-l.kept.length;return`${l.kept.length?c?`The accepted path moves to the end of the text: ${q(c,"slot")} copied.`:"The accepted path stands in its place.":"No node stays."} ${q(i,"slot")} forgotten.`}}}function We({nodes:e,judged:t,certain:n},{node:r,ratio:s,u:a,accepted:l,rest:p}){let{rank:c,parent:i}=e[r],d=e.filter(b=>b.parent===i).length,[u,h]=H(a,s),x=`${c?"p′":"p"}${n?"":"/q"}`,k=d>1?`Child ${c+1} of ${d}`:"The only child",$=l?`u ${u} < ${x} ${h}: accepted.`:`u ${u} ≥ ${x} ${h}: rejected.`,y=c+1<d,v=l?"":` ${R(p)} of ${c?"p′":"p"} is left${y?" for the next child":""}.`;return`${k}, ${B(e[r].text)}: ${$}${v}`}var _=e=>e>0&&e<.005?"<0.01":e.toFixed(2),R=e=>e>0&&e<.005?e.toPrecision(1):e.toFixed(2);function De({kind:e,text:t,after:n},r){let s=n<0?"the text":B(r.nodes[n].text);return e==="bonus"?`Nothing was drafted after ${s}: the bonus ${B(t)} is drawn from p there.`:e==="correction"?`No child of ${s} is accepted: the correction ${B(t)} is drawn from what is left of p.`:"The text ended at a stop token: nothing more is drawn."}function P(e,t,n){let{text:r,parent:s,depth:a,rank:l,position:p,slot:c,q:i,p:d}=e.nodes[t],u=K(e.nodes[t],t,n,e);return[`node ${t+1} ${B(r)}`,`level ${a+1}`,s<0?"after the text":`after node ${s+1} ${B(e.nodes[s].text)}`,i===null?`rank ${l}`:`q ${R(i)}`,...n.passed?[`p ${R(d)}`,`position ${p}`,`slot ${c}`]:[],...u==="draft"?[]:[u==="lost"?"not used":u]].join(", ")}var[he,_e]=[1.36,3.2],J=3.6,X={low:.28,high:.56},[Xe,He]=[7.9,11.6],[U,Ke]=[2.65,1.15];function ge(e){let t=[[],...e.map(()=>[])];return e.forEach(({parent:n},r)=>t[n+1].push(r)),t}function Ge(e){let t=ge(e),n=r=>[r,...t[r+1].flatMap(n)];return t[0].flatMap(n)}function be(e,t,n,r=1/0){return t<30?Pe(e,t,r):Ue(e,t,n)}function Pe(e,t,n){let r=[],s=Ge(e).filter(a=>e[a].depth<n);return s.forEach((a,l)=>{let p=Ke*(e[a].depth+1);r[a]={x:p,y:U*(l+1),w:t-p-.3,h:U-.15-X.high}}),{mode:"outline",boxes:r,root:{x:0,y:0,w:J,h:U-.15-X.high},bars:X.high,height:U*(s.length+1)}}function Ue(e,t,n){let r=ge(e),s=[],a=0,l=b=>{r[b+1].forEach(l),s[b]=r[b+1].length?s[r[b+1][0]]:a++};r[0].forEach(l);let p=1+Math.max(...e.map(({depth:b})=>b)),c=n/he;a>c&&(a=Je(e,s,a,c));let i=Math.min(_e,Math.max(he,n/Math.max(a,1))),[d,u]=i>2?[.3,X.high]:[.02,X.low],h=Math.min(15.5,(t-J-.4)/p),x=h>8?1.4:1.2,k=(b,m,g)=>({x:b,y:m*i+.05,w:g,h:i-d-u}),$=e.map(({depth:b},m)=>k(J+b*h+x,s[m],h-x)),y=h-x;return{mode:i>=3?y>=Xe?"roomy":"tall":y>=He?"inline":"tight",boxes:$,root:k(0,0,J),bars:u,height:a*i}}function Je(e,t,n,r){let s=[];e.forEach(({depth:l},p)=>(s[l]??=[]).push(p));let a=Math.max(r,...s.map(l=>l.length));for(let l of s){l.forEach((p,c)=>t[p]=Math.max(t[p]*(a-1)/(n-1),c?t[l[c-1]]+1:0));for(let p=l.length-1,c=a-1;p>=0;p--,c=t[l[p+1]]-1)t[l[p]]=Math.min(t[l[p]],c)}return a}function xe(e,t,n){let[r,s]=[e.y+e.h/2,t.y+t.h/2];if(n==="outline")return`M${e.x+.5} ${e.y+e.h}V${s}H${t.x}`;let[a,l]=[e.x+e.w,(e.x+e.w+t.x)/2];return`M${a} ${r}C${l} ${r} ${l} ${s} ${t.x} ${s}`}var Ye=17.7;function we(e,t){let{nodes:n}=e,r=z("svg",{class:"lines","aria-hidden":"true"}),s=o("span",{class:"root"},"text"),a=n.map((m,g)=>x(m,g)),l=o("ol",{class:"nodes","aria-label":"nodes of the tree"},a.map(({button:m})=>o("li",{},m))),p=o("div",{class:"field"},r,s,l),c=o("div",{class:"branches"},p),i=n.map(()=>z("path",{fill:"none"}));r.append(...i);let[d,u,h]=["",null,0];function x(m,g){let w={q:o("i",{class:"bar q"}),p:o("i",{class:"bar p"})},j=o("span",{class:"values","aria-hidden":"true"}),C=o("i",{class:"sign","aria-hidden":"true"}),f=o("span",{class:"spoken"});return{button:o("button",{type:"button",class:"node",tabindex:"-1",onpointerenter:E=>E.pointerType==="mouse"&&t(g),onpointerleave:E=>E.pointerType==="mouse"&&t(null),onfocus:()=>t(g),onblur:()=>t(null),onclick:()=>t(g),onkeydown:E=>k(E,g)},f,o("span",{class:"number","aria-hidden":"true"},g+1),o("bdi",{class:"word","aria-hidden":"true"},I(m.text)),j,C,w.q,w.p),bars:w,values:j,sign:C,words:f}}function k(m,g){let w={ArrowDown:1,ArrowUp:-1}[m.key];if(!w)return;m.preventDefault();let j=a[g+w]?.button;j&&!j.hidden&&j.focus()}function $(){let m=parseFloat(getComputedStyle(c).fontSize)||16,g=c.clientWidth/m,w=`${g} ${m} ${u.levels}`;if(!g||d===w)return;d=w;let{mode:j,boxes:C,root:f,bars:A,height:E}=be(n,g,Ye,u.levels),M=(N,{x:T,y:D,w:S,h:O})=>N.style.cssText=`left:${T}em;top:${D}em;width:${S}em;height:${O}em`;c.dataset.mode=j,c.style.setProperty("--bar",`${A/2}em`),p.style.height=`${E}em`;for(let[N,T]of Object.entries({width:`${g}em`,height:`${E}em`,viewBox:`0 0 ${g} ${E}`}))r.setAttribute(N,T);M(s,f),C.forEach((N,T)=>{M(a[T].button,N),i[T].setAttribute("d",xe(n[T].parent<0?f:C[n[T].parent],N,j))})}function y(m,g){let w=u===m;u=m;let j=G(m,e),C=g===null?[]:n[g].path,f=m.kind==="verdict"?e.judged[m.turns-1].node:null,A=a.findIndex((E,M)=>K(n[M],M,m,e)!=="hidden");(a[h].button.hidden||A<0)&&(h=Math.max(A,0)),g!==null&&(h=g),s.classList.toggle("lit",g!==null),a.forEach(({button:E,bars:M,values:N,sign:T,words:D},S)=>{let O=n[S],L=K(O,S,m,e);E.className=["node",L,C.includes(S)&&"lit",S===g&&"pointed",S===f&&"current"].filter(Boolean).join(" "),E.hidden=L==="hidden",E.tabIndex=S===h?0:-1,w||(D.textContent=P(e,S,m)),T.textContent=L==="draft"||L==="hidden"?"":F[L],w||N.replaceChildren(...Ve(O,m)),M.q.style.transform=`scaleX(${O.q??0})`,M.p.style.transform=`scaleX(${m.passed?O.p:0})`,i[S].style.strokeWidth=.06+.5*(m.passed?O.p:O.q??0),i[S].setAttribute("class",[L==="hidden"&&"hidden",j.includes(S)&&"grown",C.includes(S)&&"lit",S===f&&"current"].filter(Boolean).join(" "))}),!w&&($(),f!==null&&v(a[f].button))}function v(m){let[g,w]=[m.offsetTop,m.offsetTop+m.offsetHeight];g<c.scrollTop?c.scrollTop=g:w>c.scrollTop+c.clientHeight&&(c.scrollTop=w-c.clientHeight)}let b=new ResizeObserver(()=>u&&$());return b.observe(c),{element:c,paint:y,stop:()=>b.disconnect()}}var ve=e=>_(e).replace("0.","."),Ve=({q:e,p:t,rank:n},r)=>[e===null?o("span",{class:"q"},`rank ${n}`):o("span",{class:"q"},o("i",{},"q"),` ${ve(e)}`),r.passed?o("span",{class:"p"},o("i",{},"p"),` ${ve(t)}`):""];var Qe=.16;function ke(e,t){let{nodes:n}=e,r=n.length,s=Math.max(1,Qe*r),a=n.map(({path:x},k)=>z("g",{},z("rect",{class:"before",x:0,y:k,width:s,height:1}),x.map($=>z("rect",{class:$===k?"own":"sees",x:s+$,y:k,width:1,height:1})))),l=z("rect",{class:"frame",x:0,width:s+r,height:1}),p=Math.min(1.35,10.6/r),c=z("svg",{class:"mask",role:"img",viewBox:`0 0 ${s+r} ${r}`,width:`${p*(s+r)}em`,height:`${p*r}em`,onpointermove:x=>{let{top:k,height:$}=c.getBoundingClientRect();t(Math.max(0,Math.min(r-1,Math.floor(r*(x.clientY-k)/$))))},onpointerleave:()=>t(null)},z("rect",{class:"ground",width:s+r,height:r}),a,l),i=o("p",{class:"about"}),d=(x,k)=>o("span",{},o("i",{class:`key ${x}`}),k);return{element:o("div",{class:"panel"},o("h3",{},"The ancestor mask"),c,o("p",{class:"legend"},d("before","the text"),d("sees","an ancestor"),d("own","itself")),i),paint:x=>{let{path:k,position:$,depth:y}=n[x];a.forEach((m,g)=>m.setAttribute("class",g===x?"lit":"")),l.setAttribute("y",x);let v=k.slice(0,-1).map(m=>m+1),b=v.length?`the text, node${v.length>1?"s":""} ${v.join(", ")} and itself`:"the text and itself";i.replaceChildren(o("b",{},`Node ${x+1}`),` sees ${b}. Its position: ${e.context} + ${y} = ${$}.`),c.setAttribute("aria-label",`The ancestor mask of ${q(r,"node")}. ${me(e,x)} sees ${b}.`)}}}var W=(e,...t)=>o("div",{class:"panel"},o("h3",{},e),t),ye=e=>o("bdi",{class:"word"},I(e));function $e({certain:e}){let t=(n,r)=>o("li",{},o("i",{class:`key ${n}`}),r);return W("A node is a drafted token",o("ul",{class:"keys"},e?o("li",{},"The likeliest tokens are taken, the likeliest first: rank 0 has its turn first."):t("q","q: how likely the draft found it"),t("p","p: how likely the target will find it"),o("li",{},"The thicker the branch, the likelier."),o("li",{},"Point at a node: what stands before it lights up.")))}function je(e,t){let{node:n,ratio:r,u:s,accepted:a,rest:l,top:p,marked:c}=e.judged[t],{parent:i,rank:d}=e.nodes[n],u=d?"p′":"p",[h,x]=H(s,r),k=e.certain?u:`${u}/q`,$=p.map(([y,v,b],m)=>o("li",{class:m===c?"marked":""},ye(y),o("span",{class:"track"},Q("p",v),e.certain?"":Q("q",b)),o("span",{class:"value"},_(v))));return W([`${d?"What is left of p":"p"} after `,o("bdi",{},i<0?"the text":I(e.nodes[i].text))],o("ol",{class:"row-of"},$),o("p",{class:"legend"},o("span",{},o("i",{class:"key p"}),u),e.certain?"":o("span",{},o("i",{class:"key q"}),"q it was drawn from")),o("div",{class:`gauge ${a?"accepted":"rejected"}`,role:"img","aria-label":`a bar up to ${k} ${x}, and u at ${h}`},o("span",{class:"fill",style:`transform:scaleX(${Math.min(1,r)})`}),o("span",{class:"uniform",style:`left:${100*s}%`})),o("p",{class:"test"},`u ${h} ${a?"<":"≥"} ${k} ${x}`,o("b",{class:a?"accepted":"rejected"},a?" ✓ accepted":" ✗ rejected")),a?"":o("p",{},e.certain?`Its token is struck out of ${u}; `:`What q had is taken out of ${u}; `,`the rest, ${R(l)}, is scaled to 1.`))}var Q=(e,t)=>o("i",{class:`bar ${e}`,style:`transform:scaleX(${t})`});function Ae(e){let{kind:t,after:n,top:r,marked:s,u:a}=e.last;if(!t)return W("The text has ended",o("p",{},"A stop token was accepted. What was drafted behind it is not used."));let l=r.map(([p,c],i)=>o("li",{class:i===s?"marked":""},ye(p),o("span",{class:"track"},Q(t,c)),o("span",{class:"value"},_(c))));return W([t==="bonus"?"The bonus: p after ":"The correction: what is left after ",o("bdi",{},n<0?"the text":I(e.nodes[n].text))],o("ol",{class:"row-of"},l),o("p",{},`The last uniform, u ${R(a)}, picks ${t==="bonus"?"from p, a row the pass has computed anyway":"from what no child took"}.`))}function Ee(e){let{counts:t,chain:n,nodes:r}=e,s=["accepted","rejected","lost"],a={accepted:t.accepted,rejected:t.rejected,lost:t.drafted-t.accepted-t.rejected},l={accepted:"accepted",rejected:"rejected",lost:r.some(({fate:d},u)=>d==="lost"&&e.judged.some(({node:h})=>h===u))?"not used":"never judged"},p=s.flatMap(d=>Array.from({length:a[d]},()=>o("i",{class:`cell ${d}`},F[d]))),c=Math.max(t.tokens,n.tokens,1),i=(d,u,h)=>o("li",{},o("span",{},d,o("small",{class:"quiet"},q(u,"node"))),o("span",{class:"track"},o("i",{class:"bar accepted",style:`transform:scaleX(${h/c})`})),o("b",{},q(h,"token")));return W("What was it worth?",o("div",{class:"cells","aria-hidden":"true"},p),o("ul",{class:"fates"},s.map(d=>o("li",{},o("i",{class:`cell ${d}`},F[d]),`${a[d]} ${l[d]}`))),o("ul",{class:"worth"},i("this tree",r.length,t.tokens),i("its first path",n.nodes,n.tokens)),o("p",{class:"quiet"},n.whole?"The first path was accepted to its end: a longer chain might have gone on.":"A longer chain would have ended there, too."))}function qe(e){let{cache:t,nodes:n,context:r}=e,s=t.kept.map((l,p)=>[l,p]).filter(([l,p])=>l!==p),a=(l,p)=>o("li",{},l,o("b",{},q(p,"token")));return W("The target's cache",o("ul",{class:"worth sums"},a("before the pass",t.before),a("with all nodes",t.during),a("after the round",t.after)),s.length?o("ul",{class:"keys moves"},s.map(([l,p])=>o("li",{},o("b",{},`node ${l+1}`),` slot ${n[l].slot} → ${r+p}`))):o("p",{},"Nothing has to move."),o("p",{class:"quiet"},"A node's keys and values were made for its position, not for its slot: they are copied as they are."))}var[Te,Ze,et,Ce]=[6.2,2.1,1.5,2];function Se(e){let{nodes:t,cache:n,context:r}=e,s=o("span",{class:"slot text"}),a=t.map(()=>o("span",{class:"slot free"})),l=t.map((y,v)=>o("span",{class:"slot held"},v+1)),p=o("div",{class:"strip"},s,a,l),c=o("span",{class:"quiet"}),i=o("div",{class:"cache",role:"img"},o("p",{},o("b",{},"target's cache "),c),p),[d,u]=[null,0];function h(y){let v=u-Te,b=Math.min(Ze,Math.max(et,v/t.length)),m=Math.max(1,Math.floor(v/b));return{x:Te+b*(y%m),y:Ce*1.15*Math.floor(y/m),pitch:b}}function x(){let y=parseFloat(getComputedStyle(i).fontSize)||16;if(u=p.clientWidth/y,!u||!d)return;let v=(b,m)=>{let{x:g,y:w,pitch:j}=h(m);b.style.width=`${j-.14}em`,b.style.transform=`translate(${g}em, ${w}em)`};p.style.height=`${h(t.length-1).y+Ce}em`,a.forEach(v),l.forEach((b,m)=>v(b,d.kept&&n.kept.includes(m)?n.kept.indexOf(m):m))}function k(y,v){let b=d===y;d=y;let m=v===null?[]:t[v].path;s.textContent=d.passed?`text ${r}`:`text ${n.before}`,s.classList.toggle("lit",v!==null&&d.passed),a.forEach((w,j)=>w.hidden=!d.passed||d.kept&&j<n.kept.length),l.forEach((w,j)=>{let C=d.kept&&!n.kept.includes(j);w.className=["slot","held",!d.passed&&"unfed",C&&"gone",d.kept&&!C&&"stays",m.includes(j)&&"lit"].filter(Boolean).join(" ")});let g=[n.before,...d.passed?[n.during]:[],...d.kept?[n.after]:[]];c.textContent=`${g.join(" → ")} tokens`,i.setAttribute("aria-label",`The target's cache: ${g.map(w=>q(w,"token")).join(", then ")}`),b||x()}let $=new ResizeObserver(x);return $.observe(p),{element:i,paint:k,move:y=>i.classList.toggle("moving",y),stop:()=>$.disconnect()}}var Me=`.tree .steps .choice { gap: 0.4em; }
.tree .so-far { display: flow-root; margin: 0.35em 0 0.5em; padding: 0 0.6em; border-left: 0.25em solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; min-height: 1.75em; font-family: var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace; }
.tree .caret { display: inline-block; width: 0.12em; height: 1.1em; vertical-align: text-bottom; background: var(--ink); }
.tree .stand { display: grid; grid-template-columns: minmax(0, 1fr) 18.6em; gap: 1em; }
.tree .side { display: flex; flex-direction: column; min-height: 17.9em; }
.tree .panel h3 { margin: 0 0 0.25em; }
.tree .panel h3 bdi, .tree .so-far .chip { display: inline-block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: pre; vertical-align: bottom; }
.tree .panel p { margin: 0.25em 0; line-height: 1.3; }
.tree .below { position: relative; }
.tree .detail { position: absolute; right: 0; top: 0; left: 15em; margin: 0; text-align: right; line-height: 1.2; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }

.tree .branches { position: relative; overflow: hidden auto; height: 17.9em; }
.tree .field { position: relative; }
.tree .lines { position: absolute; left: 0; top: 0; }
.tree .lines path { stroke: var(--line); stroke-linecap: round; transition: opacity 250ms, stroke-width 250ms; }
.tree .lines path.hidden { opacity: 0; }
.tree .lines path.lit { stroke: var(--target); }
.tree .lines path.current { stroke: var(--ink); }
.tree .lines path.grown { stroke: var(--accepted); }
.tree .nodes { list-style: none; margin: 0; padding: 0; }
.tree .root { position: absolute; display: flex; align-items: center; justify-content: center; border-radius: 0.3em; background: var(--faint); border: 1px solid var(--line); }
.tree .root.lit { border: 2px solid var(--target); background: color-mix(in srgb, var(--target) 22%, var(--ground)); }
.tree button.node { position: absolute; display: flex; align-items: center; gap: 0.35em; min-height: 0; padding: 0 0.25em; overflow: visible; border: 2px dashed var(--draft); border-radius: 0.3em; background: color-mix(in srgb, var(--draft) 12%, var(--ground)); font-size: 1em; line-height: 1; text-align: left; animation: tree-in 300ms; }
@keyframes tree-in { from { opacity: 0; transform: translateX(-0.6em); } }
.tree button.node[hidden] { display: none; }
.tree .node .number { flex: none; min-width: 1.15em; font-size: 0.92em; color: var(--quiet); font-variant-numeric: tabular-nums; }
.tree .node .word { flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: pre; line-height: 1.15; }
.tree .word { font-family: var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace; font-size: 0.94em; }
.tree .node .values { display: none; flex: none; gap: 0.4em; white-space: nowrap; font-size: 0.92em; font-variant-numeric: tabular-nums; }
.tree .node .values i { font-weight: 700; }
.tree .node .values .q i { color: color-mix(in srgb, var(--draft) 70%, var(--ink)); } .tree .node .values .p i { color: color-mix(in srgb, var(--target) 80%, var(--ink)); }
.tree .node .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.tree .node .sign { flex: none; font-style: normal; font-weight: 700; }
.tree [data-mode="inline"] .values, .tree [data-mode="outline"] .values, .tree [data-mode="roomy"] .values { display: flex; }
.tree [data-mode="roomy"] button.node { flex-wrap: wrap; align-content: center; gap: 0.1em 0.35em; }
.tree [data-mode="roomy"] .node .values { order: 5; flex: 1 0 100%; }
.tree [data-mode="tall"] button.node { flex-wrap: wrap; align-content: center; justify-content: space-between; gap: 0 0.35em; }
.tree [data-mode="tall"] .node .word { order: 5; flex: 1 0 100%; }
.tree .node .bar { position: absolute; left: 0; right: 0; height: calc(var(--bar) - 1px); transform-origin: left; transition: transform 400ms; }
.tree .node .bar.q { top: calc(100% + 2px); background: var(--draft); } .tree .node .bar.p { top: calc(100% + 1px + var(--bar)); background: var(--target); }
.tree button.node.accepted { border: 2px solid var(--accepted); background: color-mix(in srgb, var(--accepted) 24%, var(--ground)); }
.tree button.node.rejected { border: 2px solid var(--rejected); background: color-mix(in srgb, var(--rejected) 14%, var(--ground)); }
.tree button.node.rejected .word, .tree button.node.lost .word { text-decoration: line-through; }
.tree button.node.lost { border: 2px dotted var(--neutral); background: none; color: var(--quiet); }
.tree button.node.lost .bar { opacity: 0.35; }
.tree button.node.lit { box-shadow: inset 0 0 0 2px var(--target); }
.tree button.node.pointed, .tree button.node.current { outline: 3px solid var(--ink); outline-offset: 0; z-index: 1; }
.tree button.node.pointed { outline-color: var(--target); }

.tree .key { display: inline-block; width: 1em; height: 0.8em; margin-right: 0.35em; vertical-align: -0.05em; border-radius: 0.1em; }
.tree .key.q, .tree .bar.q { background: var(--draft); } .tree .key.p, .tree .bar.p { background: var(--target); }
.tree .keys { list-style: none; margin: 0.3em 0; padding: 0; display: grid; gap: 0.35em; line-height: 1.3; }
.tree .mask { touch-action: pan-y; }
.tree .mask .ground { fill: var(--faint); }
.tree .mask g { opacity: 0.5; } .tree .mask g.lit { opacity: 1; }
.tree .mask .before { fill: color-mix(in srgb, var(--neutral) 55%, var(--ground)); }
.tree .mask .sees { fill: var(--target); stroke: var(--ground); stroke-width: 0.08; } .tree .mask .own { fill: var(--ink); stroke: var(--ground); stroke-width: 0.08; }
.tree .mask .frame { fill: none; stroke: var(--target); stroke-width: 2px; vector-effect: non-scaling-stroke; }
.tree .key.before { background: color-mix(in srgb, var(--neutral) 55%, var(--ground)); } .tree .key.sees { background: var(--target); } .tree .key.own { background: var(--ink); }

.tree .row-of { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.15em; }
.tree .row-of li { display: grid; grid-template-columns: 6em 1fr 3em; gap: 0.5em; align-items: center; line-height: 1.2; padding: 0.1em 0.3em; border-left: 0.2em solid transparent; }
.tree .row-of .word { overflow: hidden; text-overflow: ellipsis; white-space: pre; }
.tree .row-of .value { font-variant-numeric: tabular-nums; text-align: right; }
.tree .row-of .marked { border-left-color: var(--ink); background: var(--faint); font-weight: 700; }
.tree .track { position: relative; display: grid; gap: 0.1em; }
.tree .track .bar { display: block; height: 0.55em; transform-origin: left; min-width: 1px; }
.tree .track .bar.q { height: 0.3em; }
.tree .track .bar.correction { background: var(--correction); height: 0.8em; } .tree .track .bar.bonus { background: var(--bonus); height: 0.8em; } .tree .track .bar.accepted { background: var(--accepted); height: 1em; }
.tree .gauge { position: relative; height: 1.3em; margin: 0.55em 0 0.3em; background: var(--faint); border: 1px solid var(--line); }
.tree .gauge .fill { position: absolute; inset: 0; transform-origin: left; background: color-mix(in srgb, var(--target) 45%, var(--ground)); border-right: 2px solid var(--target); }
.tree .gauge .uniform { position: absolute; top: -0.3em; bottom: -0.3em; width: 0.3em; margin-left: -0.15em; background: var(--ink); animation: tree-fall 350ms; }
@keyframes tree-fall { from { opacity: 0; transform: translateY(-1.2em); } }
.tree .test { font-variant-numeric: tabular-nums; }
.tree .test .accepted { color: color-mix(in srgb, var(--accepted) 80%, var(--ink)); } .tree .test .rejected { color: color-mix(in srgb, var(--rejected) 80%, var(--ink)); }
.tree .cells { display: flex; flex-wrap: wrap; gap: 0.12em; }
.tree .cell { display: inline-flex; align-items: center; justify-content: center; width: 1.15em; height: 1.15em; border-radius: 0.2em; font-style: normal; font-weight: 700; line-height: 1; }
.tree .fates { list-style: none; margin: 0.4em 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.2em 0.9em; } .tree .fates .cell { margin-right: 0.3em; }
.tree .cell.accepted { background: color-mix(in srgb, var(--accepted) 35%, var(--ground)); } .tree .cell.rejected { background: color-mix(in srgb, var(--rejected) 30%, var(--ground)); } .tree .cell.lost { border: 2px dotted var(--neutral); }
.tree .worth { list-style: none; margin: 0.5em 0; padding: 0; display: grid; gap: 0.3em; }
.tree .worth li { display: grid; grid-template-columns: 1fr 6em auto; gap: 0.5em; align-items: center; line-height: 1.15; }
.tree .worth small { display: block; }
.tree .worth b { min-width: 4.6em; white-space: nowrap; text-align: right; font-variant-numeric: tabular-nums; }
.tree .worth.sums li { grid-template-columns: 1fr auto; }

.tree .cache p { margin: 0.3em 0 0.15em; line-height: 1.2; }
.tree .strip { position: relative; height: 2em; }
.tree .slot { position: absolute; left: 0; top: 0; height: 2em; display: flex; align-items: center; justify-content: center; border-radius: 0.2em; font-variant-numeric: tabular-nums; font-size: 1em; }
.tree .slot.text { width: 6em; background: color-mix(in srgb, var(--neutral) 35%, var(--ground)); }
.tree .slot.free { border: 1px dashed var(--line); }
.tree .slot.held { background: color-mix(in srgb, var(--target) 26%, var(--ground)); border: 2px solid transparent; }
.tree .moving .slot.held { transition: transform 900ms, opacity 400ms; }
.tree .slot.unfed, .tree .slot.gone { opacity: 0; }
.tree .slot.stays { background: color-mix(in srgb, var(--accepted) 35%, var(--ground)); border-color: var(--accepted); z-index: 1; }
.tree .slot.lit { border-color: var(--target); font-weight: 700; }
.tree .slot[hidden] { display: none; }

.tree.on-paper :is(.steps button, .place, .choice) { display: none; }
@container (max-width: 34em) {
  .tree .stand { grid-template-columns: minmax(0, 1fr); gap: 0.6em; }
  .tree .branches { height: auto; max-height: 40em; }
  .tree .side { min-height: 0; }
  .tree .detail { position: static; text-align: left; white-space: normal; }
  .tree .row-of li { grid-template-columns: 7em 1fr 3em; }
}
`;var Ne=44,Jt=ne("tree",({root:e,data:t,model:n})=>{let r=t.rounds[t.chosen],s=V(r),[a,l,p]=[null,null,null],c=se(e,{count:()=>s.length,say:f=>fe(r,s[f]),show:b}),i=ee({label:"round",value:t.chosen,on:$,options:t.rounds.map(({number:f,nodes:A},E)=>[E,`${f}: ${A.length} nodes`])}),d=o("p",{class:"so-far",dir:"auto"}),u=o("div",{class:"left"}),h=o("div",{class:"side"}),x=o("div",{class:"below"}),k=o("p",{class:"detail",dir:"auto"});c.bar.querySelector(".place").after(t.rounds.length>1?i.element:""),e.append(c.bar,d,o("div",{class:"stand"},u,h),x);function $(f){r=t.rounds[f],s=V(r),p=null,a?.stop(),a=null,c.go(0)}function y(){let f=we(r,v),A=Se(r);return u.replaceChildren(f.element),x.replaceChildren(k,A.element),{tree:f,cache:A,mask:ke(r,v),stop:()=>(f.stop(),A.stop())}}function v(f){f!==p&&(p=f,m())}function b(f,A){a??=y(),l=ue(s[f],r),a.cache.move(A),p!==null&&r.nodes[p].depth>=l.levels&&(p=null),h.replaceChildren(w(s[f])),j(),m()}function m(){let f=p??(l.kind==="pass"?g():null);a.tree.paint(l,f),a.cache.paint(l,f),a.mask.paint(f??g()),k.textContent=p===null?"":P(r,p,l)}let g=()=>r.nodes.reduce((f,{depth:A},E)=>A>=r.nodes[f].depth?E:f,0);function w({kind:f,turn:A}){return f==="level"?$e(r):f==="pass"?a.mask.element:f==="verdict"?je(r,A):{last:Ae,count:Ee,cache:qe}[f](r)}function j(){let f=(t.prompt??"prompt … ")+ie(t.pieces.slice(0,r.start),t.between),A=[...f],E=A.length>Ne?ae(A.slice(-Ne).join("")):f,M=ce(E.replaceAll(`
`,"⏎").replace(/ {3,}/g,T=>`␣×${T.length}`)),N=l.ended?r.emitted.map((T,D)=>Y(T,r.kinds[D])):[...G(l,r).map(T=>Y(r.nodes[T].text,"accepted")),o("span",{class:"caret","aria-hidden":"true"})];d.replaceChildren(o("bdi",{},M,t.between??""),...N)}let C=!!n.get("on_paper");return e.classList.toggle("on-paper",C),c.go(C?s.findIndex(({kind:f})=>f==="count"):0),()=>a?.stop()},Me);export{Jt as default};
