/* Built by stage/build.mjs. Course: Apache-2.0. */
var ze="http://www.w3.org/2000/svg";function n(e,t={},...o){return Z(document.createElement(e),t,o)}function M(e,t={},...o){return Z(document.createElementNS(ze,e),t,o)}function Z(e,t,o){for(let[r,s]of Object.entries(t))typeof s=="function"?e.addEventListener(r.replace(/^on/,""),s):s!==!1&&s!=null&&e.setAttribute(r,s===!0?"":s);return e.append(...o.flat().filter(r=>r!=null&&r!==!1)),e}function ee({label:e,options:t,value:o,on:r}){let s=t.map(c=>Array.isArray(c)?c:[c,c]),a=n("select",{"aria-label":e,onchange:()=>r(s[a.selectedIndex][0])},s.map(([,c])=>n("option",{},c))),l=c=>a.selectedIndex=s.findIndex(([i])=>i===c);return l(o??s[0][0]),{element:n("label",{class:"choice"},n("span",{},e),a),set:l,get value(){return s[a.selectedIndex]?.[0]}}}function te(e){let t=()=>{e.dataset.ground=Oe(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},o=()=>[0,100,400].forEach(a=>setTimeout(t,a)),r=new MutationObserver(o);for(let a of[document.documentElement,document.body])r.observe(a,{attributes:!0});let s=matchMedia("(prefers-color-scheme: dark)");return s.addEventListener("change",o),t(),o(),()=>{r.disconnect(),s.removeEventListener("change",o)}}function Oe(e){let[t,o,r,s=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return s===0?1:(.2126*t+.7152*o+.0722*r)/255}var re=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function oe(e,t,o=""){return{render({model:r,el:s}){ne("stage",re),o&&ne(e,o);let a=n("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":r.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});s.replaceChildren(a);let l=te(a),p,c=()=>{let{at:u,last:h}=a.steps;r.get("step")===u&&r.get("last_step")===h()||(r.set("last_step",h()),r.set("step",u),r.save_changes())},i=()=>{let u=a.steps;if(!u?.last)return;u.went=c;let h=r.get("step")??u.at;h===u.at?c():u.go(h)},d=()=>{p?.(),a.replaceChildren(),p=t({root:a,data:r.get("data"),model:r}),i()};return r.on("change:data",d),r.on("change:step",i),d(),()=>{r.off("change:data",d),r.off("change:step",i),p?.(),l()}}}}function ne(e,t){let o=`course-look-${e}`,r=document.getElementById(o);r?r.textContent=t:document.head.append(n("style",{id:o},t))}var Be=["ArrowRight","PageDown"," "],Ie=["ArrowLeft","PageUp"],Le="input, select, textarea, [role=slider]";function se(e,{count:t,say:o,show:r}){let s=()=>typeof t=="function"?t():t,a=n("p",{class:"said",role:"status",dir:"auto"}),l=n("span",{class:"place"}),p=n("button",{type:"button",class:"back",onclick:()=>i.back()},"◀ Back"),c=n("button",{type:"button",class:"next",onclick:()=>i.next()},"Next ▶"),i={at:0,last:()=>s()-1,went:()=>{},bar:n("div",{class:"steps"},p,c,l,a),go(d,u=!1){i.at=Math.max(0,Math.min(d,i.last())),a.textContent=o(i.at),l.textContent=`${i.at+1} / ${s()}`,p.setAttribute("aria-disabled",i.at===0),c.setAttribute("aria-disabled",i.at===i.last()),r(i.at,u),i.went()},next(){return i.at>=i.last()?!1:(i.go(i.at+1,!0),!0)},back(){return i.at<=0?!1:(i.go(i.at-1),!0)}};return e.steps=i,e.onkeydown=d=>{if(d.altKey||d.ctrlKey||d.metaKey||d.defaultPrevented)return;let{key:u,target:h}=d;if(h.closest(Le)||u===" "&&h.closest("button, summary"))return;(Be.includes(u)?i.next():Ie.includes(u)?i.back():u==="Home"?(i.go(0),!0):u==="End"&&(i.go(i.last()),!0))&&(d.preventDefault(),d.stopPropagation())},i}var F={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},Re={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function J(e,t="given"){return n("span",{class:`chip ${t}`,title:Re[t]},n("bdi",{},z(e)),F[t]?n("i",{class:"sign","aria-label":t},F[t]):null)}function z(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(le,de).replaceAll(" ","␣")||"·"}var ae=e=>`…${e.replace(/^ /,"")}`,O=e=>`“⁨${z(e)}⁩”`,ie=(e,t="")=>e.map(o=>/^[.,;:!?]/.test(o)?o:t+o).join(""),ce=e=>e.replace(le,de),le=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,de=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var q=(e,t)=>`${e} ${t}${e===1?"":"s"}`;function X(e,t){for(let o=2;o<6;o++){let[r,s]=[e.toFixed(o),t.toFixed(o)];if(r!==s)return[r,s]}return[e.toFixed(6),t.toFixed(6)]}function Y({levels:e,judged:t}){return[{kind:"text"},...Array.from({length:e},(o,r)=>({kind:"level",level:r})),{kind:"pass"},...t.map((o,r)=>({kind:"verdict",turn:r})),{kind:"last"},{kind:"count"},{kind:"cache"}]}var pe=["text","level","pass","verdict","last","count","cache"];function ue(e,t){let o=pe.indexOf(e.kind),r=s=>o>=pe.indexOf(s);return{kind:e.kind,levels:r("pass")?t.levels:e.kind==="level"?e.level+1:0,passed:r("pass"),turns:r("last")?t.judged.length:e.kind==="verdict"?e.turn+1:0,ended:r("last"),counted:r("count"),kept:r("cache")}}function H(e,t,o,r){if(e.depth>=o.levels)return"hidden";if(o.counted)return e.fate;let s=r.judged.slice(0,o.turns).find(a=>a.node===t);return s?s.accepted?"accepted":"rejected":"draft"}var K=(e,t)=>t.judged.slice(0,e.turns).filter(({accepted:o})=>o).map(({node:o})=>o),me=(e,t)=>t<0?"the text":`node ${t+1} ${O(e.nodes[t].text)}`;function fe(e,t){let{nodes:o,counts:r,last:s,chain:a,cache:l,certain:p}=e;switch(t.kind){case"text":return`Round ${e.number}: ${q(e.context,"token")} of text. What comes next?`;case"level":{let c=o.filter(({depth:d})=>d===t.level).length,i=p?"chosen without chance: there is no q":"each drawn from the draft's q";return t.level?`Level ${t.level+1}: ${q(c,"token")}, each after a node of level ${t.level}.`:`Level 1: ${q(c,"token")} that may come next, ${i}.`}case"pass":return`One pass of the target over the last token of the text and all ${q(o.length,"node")}. Each sees the text, its ancestors and itself.`;case"verdict":return We(e,e.judged[t.turn]);case"last":return De(s,e);case"count":{let c=r.drafted-r.accepted,i=a.tokens===r.tokens?"as many as":`${q(r.tokens-a.tokens,"token")} more than`,d=r.tokens<a.tokens?"":` That is ${i} its first path, a chain, would have brought.`;return`${q(r.tokens,"token")} of text from ${q(r.drafted,"verified node")}; ${c} not used.${d}`}case"cache":{let c=l.kept.filter((u,h)=>u!==h).length,i=r.drafted-l.kept.length;return`${l.kept.length?c?`The accepted path moves to the end of the text: ${q(c,"slot")} copied.`:"The accepted path stands in its place.":"No node stays."} ${q(i,"slot")} forgotten.`}}}function We({nodes:e,judged:t,certain:o},{node:r,ratio:s,u:a,accepted:l,rest:p}){let{rank:c,parent:i}=e[r],d=e.filter(v=>v.parent===i).length,[u,h]=X(a,s),x=`${c?"p′":"p"}${o?"":"/q"}`,w=d>1?`Child ${c+1} of ${d}`:"The only child",$=l?`u ${u} < ${x} ${h}: accepted.`:`u ${u} ≥ ${x} ${h}: rejected.`,j=c+1<d,g=l?"":` ${L(p)} of ${c?"p′":"p"} is left${j?" for the next child":""}.`;return`${w}, ${O(e[r].text)}: ${$}${g}`}var _=e=>e>0&&e<.005?"<0.01":e.toFixed(2),L=e=>e>0&&e<.005?e.toPrecision(1):e.toFixed(2);function De({kind:e,text:t,after:o},r){let s=o<0?"the text":O(r.nodes[o].text);return e==="bonus"?`Nothing was drafted after ${s}: the bonus ${O(t)} is drawn from p there.`:e==="correction"?`No child of ${s} is accepted: the correction ${O(t)} is drawn from what is left of p.`:"The text ended at a stop token: nothing more is drawn."}function G(e,t,o){let{text:r,parent:s,depth:a,rank:l,position:p,slot:c,q:i,p:d}=e.nodes[t],u=H(e.nodes[t],t,o,e);return[`node ${t+1} ${O(r)}`,`level ${a+1}`,s<0?"after the text":`after node ${s+1} ${O(e.nodes[s].text)}`,i===null?`rank ${l}`:`q ${L(i)}`,...o.passed?[`p ${L(d)}`,`position ${p}`,`slot ${c}`]:[],...u==="draft"?[]:[u==="lost"?"not used":u]].join(", ")}var[he,_e]=[1.36,3.2],U=3.6,V=.28,[Xe,He]=[7.9,11.6],[P,Ke]=[2.65,1.15];function ge(e){let t=[[],...e.map(()=>[])];return e.forEach(({parent:o},r)=>t[o+1].push(r)),t}function Ge(e){let t=ge(e),o=r=>[r,...t[r+1].flatMap(o)];return t[0].flatMap(o)}function be(e,t,o){return t<30?Pe(e,t):Ue(e,t,o)}function Pe(e,t){let o=[];return Ge(e).forEach((r,s)=>{let a=Ke*(e[r].depth+1);o[r]={x:a,y:P*(s+1),w:t-a-.3,h:P-.15-V}}),{mode:"outline",boxes:o,root:{x:0,y:0,w:U,h:P-.15-V},height:P*(e.length+1)}}function Ue(e,t,o){let r=ge(e),s=[],a=0,l=g=>{r[g+1].forEach(l),s[g]=r[g+1].length?s[r[g+1][0]]:a++};r[0].forEach(l);let p=1+Math.max(...e.map(({depth:g})=>g)),c=o/he;a>c&&(a=Je(e,s,a,c));let i=Math.min(_e,Math.max(he,o/Math.max(a,1))),d=i>2?.35:.02,u=Math.min(14,(t-U-.4)/p),h=u>8?1.4:1.2,x=(g,v,m)=>({x:g,y:v*i+.05,w:m,h:i-d-V}),w=e.map(({depth:g},v)=>x(U+g*u+h,s[v],u-h)),$=u-h;return{mode:i>=3?$>=Xe?"roomy":"tall":$>=He?"inline":"tight",boxes:w,root:x(0,0,U),height:a*i}}function Je(e,t,o,r){let s=[];e.forEach(({depth:l},p)=>(s[l]??=[]).push(p));let a=Math.max(r,...s.map(l=>l.length));for(let l of s){l.forEach((p,c)=>t[p]=Math.max(t[p]*(a-1)/(o-1),c?t[l[c-1]]+1:0));for(let p=l.length-1,c=a-1;p>=0;p--,c=t[l[p+1]]-1)t[l[p]]=Math.min(t[l[p]],c)}return a}function xe(e,t,o){let[r,s]=[e.y+e.h/2,t.y+t.h/2];if(o==="outline")return`M${e.x+.5} ${e.y+e.h}V${s}H${t.x}`;let[a,l]=[e.x+e.w,(e.x+e.w+t.x)/2];return`M${a} ${r}C${l} ${r} ${l} ${s} ${t.x} ${s}`}var Ye=17.7;function ke(e,t){let{nodes:o}=e,r=M("svg",{class:"lines","aria-hidden":"true"}),s=n("span",{class:"root"},"text"),a=o.map((m,b)=>x(m,b)),l=n("ol",{class:"nodes","aria-label":"nodes of the tree"},a.map(({button:m})=>n("li",{},m))),p=n("div",{class:"field"},r,s,l),c=n("div",{class:"branches"},p),i=o.map(()=>M("path",{fill:"none"}));r.append(...i);let[d,u,h]=["",null,0];function x(m,b){let k={q:n("i",{class:"bar q"}),p:n("i",{class:"bar p"})},E=n("span",{class:"values","aria-hidden":"true"}),C=n("i",{class:"sign","aria-hidden":"true"}),f=n("span",{class:"spoken"});return{button:n("button",{type:"button",class:"node",tabindex:"-1",onpointerenter:y=>y.pointerType==="mouse"&&t(b),onpointerleave:y=>y.pointerType==="mouse"&&t(null),onfocus:()=>t(b),onblur:()=>t(null),onclick:()=>t(b),onkeydown:y=>w(y,b)},f,n("span",{class:"number","aria-hidden":"true"},b+1),n("bdi",{class:"word","aria-hidden":"true"},z(m.text)),E,C,k.q,k.p),bars:k,values:E,sign:C,words:f}}function w(m,b){let k={ArrowDown:1,ArrowUp:-1}[m.key];if(!k)return;m.preventDefault();let E=a[b+k]?.button;E&&!E.hidden&&E.focus()}function $(){let m=parseFloat(getComputedStyle(c).fontSize)||16,b=c.clientWidth/m;if(!b||d===`${b} ${m}`)return;d=`${b} ${m}`;let{mode:k,boxes:E,root:C,height:f}=be(o,b,Ye),A=(y,{x:T,y:W,w:N,h:D})=>y.style.cssText=`left:${T}em;top:${W}em;width:${N}em;height:${D}em`;c.dataset.mode=k,p.style.height=`${f}em`;for(let[y,T]of Object.entries({width:`${b}em`,height:`${f}em`,viewBox:`0 0 ${b} ${f}`}))r.setAttribute(y,T);A(s,C),E.forEach((y,T)=>{A(a[T].button,y),i[T].setAttribute("d",xe(o[T].parent<0?C:E[o[T].parent],y,k))})}function j(m,b){let k=u===m;u=m;let E=K(m,e),C=b===null?[]:o[b].path,f=m.kind==="verdict"?e.judged[m.turns-1].node:null,A=a.findIndex((y,T)=>H(o[T],T,m,e)!=="hidden");(a[h].button.hidden||A<0)&&(h=Math.max(A,0)),b!==null&&(h=b),s.classList.toggle("lit",b!==null),a.forEach(({button:y,bars:T,values:W,sign:N,words:D},S)=>{let B=o[S],I=H(B,S,m,e);y.className=["node",I,C.includes(S)&&"lit",S===b&&"pointed",S===f&&"current"].filter(Boolean).join(" "),y.hidden=I==="hidden",y.tabIndex=S===h?0:-1,k||(D.textContent=G(e,S,m)),N.textContent=I==="draft"||I==="hidden"?"":F[I],k||W.replaceChildren(...Ve(B,m)),T.q.style.transform=`scaleX(${B.q??0})`,T.p.style.transform=`scaleX(${m.passed?B.p:0})`,i[S].style.strokeWidth=.06+.5*(m.passed?B.p:B.q??0),i[S].setAttribute("class",[I==="hidden"&&"hidden",E.includes(S)&&"grown",C.includes(S)&&"lit",S===f&&"current"].filter(Boolean).join(" "))}),!k&&($(),f!==null&&g(a[f].button))}function g(m){let[b,k]=[m.offsetTop,m.offsetTop+m.offsetHeight];b<c.scrollTop?c.scrollTop=b:k>c.scrollTop+c.clientHeight&&(c.scrollTop=k-c.clientHeight)}let v=new ResizeObserver(()=>u&&$());return v.observe(c),{element:c,paint:j,stop:()=>v.disconnect()}}var ve=e=>_(e).replace("0.","."),Ve=({q:e,p:t,rank:o},r)=>[e===null?n("span",{class:"q"},`rank ${o}`):n("span",{class:"q"},n("i",{},"q"),` ${ve(e)}`),r.passed?n("span",{class:"p"},n("i",{},"p"),` ${ve(t)}`):""];var Qe=.16;function we(e,t){let{nodes:o}=e,r=o.length,s=Math.max(1,Qe*r),a=o.map(({path:x},w)=>M("g",{},M("rect",{class:"before",x:0,y:w,width:s,height:1}),x.map($=>M("rect",{class:$===w?"own":"sees",x:s+$,y:w,width:1,height:1})))),l=M("rect",{class:"frame",x:0,width:s+r,height:1}),p=Math.min(1.35,10.6/r),c=M("svg",{class:"mask",role:"img",viewBox:`0 0 ${s+r} ${r}`,width:`${p*(s+r)}em`,height:`${p*r}em`,onpointermove:x=>{let{top:w,height:$}=c.getBoundingClientRect();t(Math.max(0,Math.min(r-1,Math.floor(r*(x.clientY-w)/$))))},onpointerleave:()=>t(null)},M("rect",{class:"ground",width:s+r,height:r}),a,l),i=n("p",{class:"about"}),d=(x,w)=>n("span",{},n("i",{class:`key ${x}`}),w);return{element:n("div",{class:"panel"},n("h3",{},"The ancestor mask"),c,n("p",{class:"legend"},d("before","the text"),d("sees","an ancestor"),d("own","itself")),i),paint:x=>{let{path:w,position:$,depth:j}=o[x];a.forEach((m,b)=>m.setAttribute("class",b===x?"lit":"")),l.setAttribute("y",x);let g=w.slice(0,-1).map(m=>m+1),v=g.length?`the text, node${g.length>1?"s":""} ${g.join(", ")} and itself`:"the text and itself";i.replaceChildren(n("b",{},`Node ${x+1}`),` sees ${v}. Its position: ${e.context} + ${j} = ${$}.`),c.setAttribute("aria-label",`The ancestor mask of ${q(r,"node")}. ${me(e,x)} sees ${v}.`)}}}var R=(e,...t)=>n("div",{class:"panel"},n("h3",{},e),t),ye=e=>n("bdi",{class:"word"},z(e));function $e({certain:e}){let t=(o,r)=>n("li",{},n("i",{class:`key ${o}`}),r);return R("A node is a drafted token",n("ul",{class:"keys"},e?n("li",{},"The likeliest tokens are taken, the likeliest first: rank 0 has its turn first."):t("q","q: how likely it was when the draft drew it"),t("p","p: how likely the target finds it, once it has looked"),n("li",{},"The thicker the branch, the likelier."),n("li",{},"First children make the first path: a chain would be that and nothing else."),n("li",{},"Point at a node: what stands before it lights up.")))}function je(e,t){let{node:o,ratio:r,u:s,accepted:a,rest:l,top:p,marked:c}=e.judged[t],{parent:i,rank:d}=e.nodes[o],u=d?"p′":"p",[h,x]=X(s,r),w=e.certain?u:`${u}/q`,$=p.map(([j,g,v],m)=>n("li",{class:m===c?"marked":""},ye(j),n("span",{class:"track"},Q("p",g),e.certain?"":Q("q",v)),n("span",{class:"value"},_(g))));return R([`${d?"What is left of p":"p"} after `,n("bdi",{},i<0?"the text":z(e.nodes[i].text))],n("ol",{class:"row-of"},$),n("p",{class:"legend"},n("span",{},n("i",{class:"key p"}),u),e.certain?"":n("span",{},n("i",{class:"key q"}),"q it was drawn from")),n("div",{class:`gauge ${a?"accepted":"rejected"}`,role:"img","aria-label":`a bar up to ${w} ${x}, and u at ${h}`},n("span",{class:"fill",style:`transform:scaleX(${Math.min(1,r)})`}),n("span",{class:"uniform",style:`left:${100*s}%`})),n("p",{class:"test"},`u ${h} ${a?"<":"≥"} ${w} ${x}`,n("b",{class:a?"accepted":"rejected"},a?" ✓ accepted":" ✗ rejected")),a?"":n("p",{},e.certain?`Its token is struck out of ${u}; `:`What q had is taken out of ${u}; `,`the rest, ${L(l)}, is scaled to 1.`))}var Q=(e,t)=>n("i",{class:`bar ${e}`,style:`transform:scaleX(${t})`});function Ae(e){let{kind:t,after:o,top:r,marked:s,u:a}=e.last;if(!t)return R("The text has ended",n("p",{},"A stop token was accepted. What was drafted behind it is not used."));let l=r.map(([p,c],i)=>n("li",{class:i===s?"marked":""},ye(p),n("span",{class:"track"},Q(t,c)),n("span",{class:"value"},_(c))));return R([t==="bonus"?"The bonus: p after ":"The correction: what is left after ",n("bdi",{},o<0?"the text":z(e.nodes[o].text))],n("ol",{class:"row-of"},l),n("p",{},`The last uniform, u ${L(a)}, picks ${t==="bonus"?"from p, a row the pass has computed anyway":"from what no child took"}.`))}function Ee(e){let{counts:t,chain:o,nodes:r}=e,s=["accepted","rejected","lost"],a={accepted:t.accepted,rejected:t.rejected,lost:t.drafted-t.accepted-t.rejected},l={accepted:"accepted",rejected:"rejected",lost:r.some(({fate:d},u)=>d==="lost"&&e.judged.some(({node:h})=>h===u))?"not used":"never judged"},p=s.flatMap(d=>Array.from({length:a[d]},()=>n("i",{class:`cell ${d}`},F[d]))),c=Math.max(t.tokens,o.tokens,1),i=(d,u,h)=>n("li",{},n("span",{},d,n("small",{class:"quiet"},q(u,"node"))),n("span",{class:"track"},n("i",{class:"bar accepted",style:`transform:scaleX(${h/c})`})),n("b",{},q(h,"token")));return R("What was it worth?",n("div",{class:"cells","aria-hidden":"true"},p),n("ul",{class:"fates"},s.map(d=>n("li",{},n("i",{class:`cell ${d}`},F[d]),`${a[d]} ${l[d]}`))),n("ul",{class:"worth"},i("this tree",r.length,t.tokens),i("its first path",o.nodes,o.tokens)),n("p",{class:"quiet"},o.whole?"The first path was accepted to its end: a longer chain might have gone on.":"A longer chain would have ended there, too."))}function qe(e){let{cache:t,nodes:o,context:r}=e,s=t.kept.map((l,p)=>[l,p]).filter(([l,p])=>l!==p),a=(l,p)=>n("li",{},l,n("b",{},q(p,"token")));return R("The target's cache",n("ul",{class:"worth sums"},a("before the pass",t.before),a("with all nodes",t.during),a("after the round",t.after)),s.length?n("ul",{class:"keys moves"},s.map(([l,p])=>n("li",{},n("b",{},`node ${l+1}`),` slot ${o[l].slot} → ${r+p}`))):n("p",{},"Nothing has to move."),n("p",{class:"quiet"},"A node's keys and values were made for its position, not for its slot: they are copied as they are."))}var[Te,Ze,et,Ce]=[6.2,2.1,1.5,2];function Se(e){let{nodes:t,cache:o,context:r}=e,s=n("span",{class:"slot text"}),a=t.map(()=>n("span",{class:"slot free"})),l=t.map((j,g)=>n("span",{class:"slot held"},g+1)),p=n("div",{class:"strip"},s,a,l),c=n("span",{class:"quiet"}),i=n("div",{class:"cache",role:"img"},n("p",{},n("b",{},"target's cache "),c),p),[d,u]=[null,0];function h(j){let g=u-Te,v=Math.min(Ze,Math.max(et,g/t.length)),m=Math.max(1,Math.floor(g/v));return{x:Te+v*(j%m),y:Ce*1.15*Math.floor(j/m),pitch:v}}function x(){let j=parseFloat(getComputedStyle(i).fontSize)||16;if(u=p.clientWidth/j,!u||!d)return;let g=(v,m)=>{let{x:b,y:k,pitch:E}=h(m);v.style.width=`${E-.14}em`,v.style.transform=`translate(${b}em, ${k}em)`};p.style.height=`${h(t.length-1).y+Ce}em`,a.forEach(g),l.forEach((v,m)=>g(v,d.kept&&o.kept.includes(m)?o.kept.indexOf(m):m))}function w(j,g){let v=d===j;d=j;let m=g===null?[]:t[g].path;s.textContent=d.passed?`text ${r}`:`text ${o.before}`,s.classList.toggle("lit",g!==null&&d.passed),a.forEach((k,E)=>k.hidden=!d.passed||d.kept&&E<o.kept.length),l.forEach((k,E)=>{let C=d.kept&&!o.kept.includes(E);k.className=["slot","held",!d.passed&&"unfed",C&&"gone",d.kept&&!C&&"stays",m.includes(E)&&"lit"].filter(Boolean).join(" ")});let b=[o.before,...d.passed?[o.during]:[],...d.kept?[o.after]:[]];c.textContent=`${b.join(" → ")} tokens`,i.setAttribute("aria-label",`The target's cache: ${b.map(k=>q(k,"token")).join(", then ")}`),v||x()}let $=new ResizeObserver(x);return $.observe(p),{element:i,paint:w,move:j=>i.classList.toggle("moving",j),stop:()=>$.disconnect()}}var Me=`.tree .steps .choice { gap: 0.4em; }
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
.tree .node .bar { position: absolute; left: 0; right: 0; height: 0.14em; transform-origin: left; transition: transform 400ms; }
.tree .node .bar.q { top: calc(100% + 2px); background: var(--draft); } .tree .node .bar.p { top: calc(100% + 2px + 0.14em); background: var(--target); }
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
  .tree .branches { height: auto; max-height: 24em; }
  .tree .side { min-height: 0; }
  .tree .detail { position: static; text-align: left; white-space: normal; }
  .tree .row-of li { grid-template-columns: 7em 1fr 3em; }
}
`;var Ne=44,Jt=oe("tree",({root:e,data:t,model:o})=>{let r=t.rounds[t.chosen],s=Y(r),[a,l,p]=[null,null,null],c=se(e,{count:()=>s.length,say:f=>fe(r,s[f]),show:v}),i=ee({label:"round",value:t.chosen,on:$,options:t.rounds.map(({number:f,nodes:A},y)=>[y,`${f}: ${A.length} nodes`])}),d=n("p",{class:"so-far",dir:"auto"}),u=n("div",{class:"left"}),h=n("div",{class:"side"}),x=n("div",{class:"below"}),w=n("p",{class:"detail",dir:"auto"});c.bar.querySelector(".place").after(t.rounds.length>1?i.element:""),e.append(c.bar,d,n("div",{class:"stand"},u,h),x);function $(f){r=t.rounds[f],s=Y(r),p=null,a?.stop(),a=null,c.go(0)}function j(){let f=ke(r,g),A=Se(r);return u.replaceChildren(f.element),x.replaceChildren(w,A.element),{tree:f,cache:A,mask:we(r,g),stop:()=>(f.stop(),A.stop())}}function g(f){f!==p&&(p=f,m())}function v(f,A){a??=j(),l=ue(s[f],r),a.cache.move(A),p!==null&&r.nodes[p].depth>=l.levels&&(p=null),h.replaceChildren(k(s[f])),E(),m()}function m(){let f=p??(l.kind==="pass"?b():null);a.tree.paint(l,f),a.cache.paint(l,f),a.mask.paint(f??b()),w.textContent=p===null?"":G(r,p,l)}let b=()=>r.nodes.reduce((f,{depth:A},y)=>A>=r.nodes[f].depth?y:f,0);function k({kind:f,turn:A}){return f==="text"||f==="level"?$e(r):f==="pass"?a.mask.element:f==="verdict"?je(r,A):{last:Ae,count:Ee,cache:qe}[f](r)}function E(){let f=(t.prompt??"prompt … ")+ie(t.pieces.slice(0,r.start),t.between),A=[...f],y=A.length>Ne?ae(A.slice(-Ne).join("")):f,T=ce(y.replaceAll(`
`,"⏎").replace(/ {3,}/g,N=>`␣×${N.length}`)),W=l.ended?r.emitted.map((N,D)=>J(N,r.kinds[D])):[...K(l,r).map(N=>J(r.nodes[N].text,"accepted")),n("span",{class:"caret","aria-hidden":"true"})];d.replaceChildren(n("bdi",{},T),...W)}let C=!!o.get("on_paper");return e.classList.toggle("on-paper",C),c.go(C?s.findIndex(({kind:f})=>f==="count"):0),()=>a?.stop()},Me);export{Jt as default};
