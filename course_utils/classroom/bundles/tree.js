/* Built by stage/build.mjs. Course: Apache-2.0. */
var Ne="http://www.w3.org/2000/svg";function o(e,t={},...n){return Z(document.createElement(e),t,n)}function M(e,t={},...n){return Z(document.createElementNS(Ne,e),t,n)}function Z(e,t,n){for(let[r,s]of Object.entries(t))typeof s=="function"?e.addEventListener(r.replace(/^on/,""),s):s!==!1&&s!=null&&e.setAttribute(r,s===!0?"":s);return e.append(...n.flat().filter(r=>r!=null&&r!==!1)),e}function ee({label:e,options:t,value:n,on:r}){let s=t.map(i=>Array.isArray(i)?i:[i,i]),a=o("select",{"aria-label":e,onchange:()=>r(s[a.selectedIndex][0])},s.map(([,i])=>o("option",{},i))),c=i=>a.selectedIndex=s.findIndex(([p])=>p===i);return c(n??s[0][0]),{element:o("label",{class:"choice"},o("span",{},e),a),set:c,get value(){return s[a.selectedIndex]?.[0]}}}function te(e){let t=()=>{e.dataset.ground=ze(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(a=>setTimeout(t,a)),r=new MutationObserver(n);for(let a of[document.documentElement,document.body])r.observe(a,{attributes:!0});let s=matchMedia("(prefers-color-scheme: dark)");return s.addEventListener("change",n),t(),n(),()=>{r.disconnect(),s.removeEventListener("change",n)}}function ze(e){let[t,n,r,s=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return s===0?1:(.2126*t+.7152*n+.0722*r)/255}var re=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function ne(e,t,n=""){return{render({model:r,el:s}){oe("stage",re),n&&oe(e,n);let a=o("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":r.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});s.replaceChildren(a);let c=te(a),d,i=()=>{d?.(),a.replaceChildren(),d=t({root:a,data:r.get("data"),model:r})};return r.on("change:data",i),i(),()=>{r.off("change:data",i),d?.(),c()}}}}function oe(e,t){let n=`course-look-${e}`,r=document.getElementById(n);r?r.textContent=t:document.head.append(o("style",{id:n},t))}var Fe=["ArrowRight","PageDown"," "],Be=["ArrowLeft","PageUp"],Ie="input, select, textarea, [role=slider]";function se(e,{count:t,say:n,show:r}){let s=()=>typeof t=="function"?t():t,a=o("p",{class:"said",role:"status",dir:"auto"}),c=o("span",{class:"place"}),d=o("button",{type:"button",class:"back",onclick:()=>p.back()},"◀ Back"),i=o("button",{type:"button",class:"next",onclick:()=>p.next()},"Next ▶"),p={at:0,bar:o("div",{class:"steps"},d,i,c,a),go(l,f=!1){p.at=Math.max(0,Math.min(l,s()-1)),a.textContent=n(p.at),c.textContent=`${p.at+1} / ${s()}`,d.setAttribute("aria-disabled",p.at===0),i.setAttribute("aria-disabled",p.at===s()-1),r(p.at,f)},next(){return p.at>=s()-1?!1:(p.go(p.at+1,!0),!0)},back(){return p.at<=0?!1:(p.go(p.at-1),!0)}};return e.steps=p,e.onkeydown=l=>{if(l.altKey||l.ctrlKey||l.metaKey||l.defaultPrevented)return;let{key:f,target:b}=l;if(b.closest(Ie)||f===" "&&b.closest("button, summary"))return;(Fe.includes(f)?p.next():Be.includes(f)?p.back():f==="Home"?(p.go(0),!0):f==="End"&&(p.go(s()-1),!0))&&(l.preventDefault(),l.stopPropagation())},p}var F={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},Le={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function J(e,t="given"){return o("span",{class:`chip ${t}`,title:Le[t]},o("bdi",{},z(e)),F[t]?o("i",{class:"sign","aria-label":t},F[t]):null)}function z(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(ce,le).replaceAll(" ","␣")||"·"}var ae=e=>`…${e.replace(/^ /,"")}`,O=e=>`“⁨${z(e)}⁩”`,ie=e=>e.replace(ce,le),ce=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,le=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var q=(e,t)=>`${e} ${t}${e===1?"":"s"}`;function H(e,t){for(let n=2;n<6;n++){let[r,s]=[e.toFixed(n),t.toFixed(n)];if(r!==s)return[r,s]}return[e.toFixed(6),t.toFixed(6)]}function Y({levels:e,judged:t}){return[{kind:"text"},...Array.from({length:e},(n,r)=>({kind:"level",level:r})),{kind:"pass"},...t.map((n,r)=>({kind:"verdict",turn:r})),{kind:"last"},{kind:"count"},{kind:"cache"}]}var de=["text","level","pass","verdict","last","count","cache"];function pe(e,t){let n=de.indexOf(e.kind),r=s=>n>=de.indexOf(s);return{kind:e.kind,levels:r("pass")?t.levels:e.kind==="level"?e.level+1:0,passed:r("pass"),turns:r("last")?t.judged.length:e.kind==="verdict"?e.turn+1:0,ended:r("last"),counted:r("count"),kept:r("cache")}}function K(e,t,n,r){if(e.depth>=n.levels)return"hidden";if(n.counted)return e.fate;let s=r.judged.slice(0,n.turns).find(a=>a.node===t);return s?s.accepted?"accepted":"rejected":"draft"}var _=(e,t)=>t.judged.slice(0,e.turns).filter(({accepted:n})=>n).map(({node:n})=>n),ue=(e,t)=>t<0?"the text":`node ${t+1} ${O(e.nodes[t].text)}`;function me(e,t){let{nodes:n,counts:r,last:s,chain:a,cache:c,certain:d}=e;switch(t.kind){case"text":return`Round ${e.number}: ${q(e.context,"token")} of text. What comes next?`;case"level":{let i=n.filter(({depth:l})=>l===t.level).length,p=d?"chosen without chance: there is no q":"each drawn from the draft's q";return t.level?`Level ${t.level+1}: ${q(i,"token")}, each after a node of level ${t.level}.`:`Level 1: ${q(i,"token")} that may come next, ${p}.`}case"pass":return`One pass of the target over the last token of the text and all ${q(n.length,"node")}. Each sees the text, its ancestors and itself.`;case"verdict":return Re(e,e.judged[t.turn]);case"last":return We(s,e);case"count":{let i=r.drafted-r.accepted,p=a.tokens===r.tokens?"as many as":`${q(r.tokens-a.tokens,"token")} more than`,l=r.tokens<a.tokens?"":` That is ${p} its first path, a chain, would have brought.`;return`${q(r.tokens,"token")} of text from ${q(r.drafted,"verified node")}; ${i} not used.${l}`}case"cache":{let i=c.kept.filter((f,b)=>f!==b).length,p=r.drafted-c.kept.length;return`${c.kept.length?i?`The accepted path moves to the end of the text: ${q(i,"slot")} copied.`:"The accepted path stands in its place.":"No node stays."} ${q(p,"slot")} forgotten.`}}}function Re({nodes:e,judged:t,certain:n},{node:r,ratio:s,u:a,accepted:c,rest:d}){let{rank:i,parent:p}=e[r],l=e.filter(v=>v.parent===p).length,[f,b]=H(a,s),x=`${i?"p′":"p"}${n?"":"/q"}`,w=l>1?`Child ${i+1} of ${l}`:"The only child",$=c?`u ${f} < ${x} ${b}: accepted.`:`u ${f} ≥ ${x} ${b}: rejected.`,j=i+1<l,h=c?"":` ${I(d)} of ${i?"p′":"p"} is left${j?" for the next child":""}.`;return`${w}, ${O(e[r].text)}: ${$}${h}`}var D=e=>e>0&&e<.005?"<0.01":e.toFixed(2),I=e=>e>0&&e<.005?e.toPrecision(1):e.toFixed(2);function We({kind:e,text:t,after:n},r){let s=n<0?"the text":O(r.nodes[n].text);return e==="bonus"?`Nothing was drafted after ${s}: the bonus ${O(t)} is drawn from p there.`:e==="correction"?`No child of ${s} is accepted: the correction ${O(t)} is drawn from what is left of p.`:"The text ended at a stop token: nothing more is drawn."}function G(e,t,n){let{text:r,parent:s,depth:a,rank:c,position:d,slot:i,q:p,p:l}=e.nodes[t],f=K(e.nodes[t],t,n,e);return[`node ${t+1} ${O(r)}`,`level ${a+1}`,s<0?"after the text":`after node ${s+1} ${O(e.nodes[s].text)}`,p===null?`rank ${c}`:`q ${I(p)}`,...n.passed?[`p ${I(l)}`,`position ${d}`,`slot ${i}`]:[],...f==="draft"?[]:[f==="lost"?"not used":f]].join(", ")}var[fe,De]=[1.36,3.2],U=3.6,V=.28,[Xe,He]=[7.9,11.6],[P,Ke]=[2.65,1.15];function he(e){let t=[[],...e.map(()=>[])];return e.forEach(({parent:n},r)=>t[n+1].push(r)),t}function _e(e){let t=he(e),n=r=>[r,...t[r+1].flatMap(n)];return t[0].flatMap(n)}function ge(e,t,n){return t<30?Ge(e,t):Pe(e,t,n)}function Ge(e,t){let n=[];return _e(e).forEach((r,s)=>{let a=Ke*(e[r].depth+1);n[r]={x:a,y:P*(s+1),w:t-a-.3,h:P-.15-V}}),{mode:"outline",boxes:n,root:{x:0,y:0,w:U,h:P-.15-V},height:P*(e.length+1)}}function Pe(e,t,n){let r=he(e),s=[],a=0,c=h=>{r[h+1].forEach(c),s[h]=r[h+1].length?s[r[h+1][0]]:a++};r[0].forEach(c);let d=1+Math.max(...e.map(({depth:h})=>h)),i=n/fe;a>i&&(a=Ue(e,s,a,i));let p=Math.min(De,Math.max(fe,n/Math.max(a,1))),l=p>2?.35:.02,f=Math.min(14,(t-U-.4)/d),b=f>8?1.4:1.2,x=(h,v,u)=>({x:h,y:v*p+.05,w:u,h:p-l-V}),w=e.map(({depth:h},v)=>x(U+h*f+b,s[v],f-b)),$=f-b;return{mode:p>=3?$>=Xe?"roomy":"tall":$>=He?"inline":"tight",boxes:w,root:x(0,0,U),height:a*p}}function Ue(e,t,n,r){let s=[];e.forEach(({depth:c},d)=>(s[c]??=[]).push(d));let a=Math.max(r,...s.map(c=>c.length));for(let c of s){c.forEach((d,i)=>t[d]=Math.max(t[d]*(a-1)/(n-1),i?t[c[i-1]]+1:0));for(let d=c.length-1,i=a-1;d>=0;d--,i=t[c[d+1]]-1)t[c[d]]=Math.min(t[c[d]],i)}return a}function be(e,t,n){let[r,s]=[e.y+e.h/2,t.y+t.h/2];if(n==="outline")return`M${e.x+.5} ${e.y+e.h}V${s}H${t.x}`;let[a,c]=[e.x+e.w,(e.x+e.w+t.x)/2];return`M${a} ${r}C${c} ${r} ${c} ${s} ${t.x} ${s}`}var Je=17.7;function ve(e,t){let{nodes:n}=e,r=M("svg",{class:"lines","aria-hidden":"true"}),s=o("span",{class:"root"},"text"),a=n.map((u,g)=>x(u,g)),c=o("ol",{class:"nodes","aria-label":"nodes of the tree"},a.map(({button:u})=>o("li",{},u))),d=o("div",{class:"field"},r,s,c),i=o("div",{class:"branches"},d),p=n.map(()=>M("path",{fill:"none"}));r.append(...p);let[l,f,b]=["",null,0];function x(u,g){let k={q:o("i",{class:"bar q"}),p:o("i",{class:"bar p"})},E=o("span",{class:"values","aria-hidden":"true"}),T=o("i",{class:"sign","aria-hidden":"true"}),m=o("span",{class:"spoken"});return{button:o("button",{type:"button",class:"node",tabindex:"-1",onpointerenter:y=>y.pointerType==="mouse"&&t(g),onpointerleave:y=>y.pointerType==="mouse"&&t(null),onfocus:()=>t(g),onblur:()=>t(null),onclick:()=>t(g),onkeydown:y=>w(y,g)},m,o("span",{class:"number","aria-hidden":"true"},g+1),o("bdi",{class:"word","aria-hidden":"true"},z(u.text)),E,T,k.q,k.p),bars:k,values:E,sign:T,words:m}}function w(u,g){let k={ArrowDown:1,ArrowUp:-1}[u.key];if(!k)return;u.preventDefault();let E=a[g+k]?.button;E&&!E.hidden&&E.focus()}function $(){let u=parseFloat(getComputedStyle(i).fontSize)||16,g=i.clientWidth/u;if(!g||l===`${g} ${u}`)return;l=`${g} ${u}`;let{mode:k,boxes:E,root:T,height:m}=ge(n,g,Je),A=(y,{x:C,y:R,w:N,h:W})=>y.style.cssText=`left:${C}em;top:${R}em;width:${N}em;height:${W}em`;i.dataset.mode=k,d.style.height=`${m}em`;for(let[y,C]of Object.entries({width:`${g}em`,height:`${m}em`,viewBox:`0 0 ${g} ${m}`}))r.setAttribute(y,C);A(s,T),E.forEach((y,C)=>{A(a[C].button,y),p[C].setAttribute("d",be(n[C].parent<0?T:E[n[C].parent],y,k))})}function j(u,g){let k=f===u;f=u;let E=_(u,e),T=g===null?[]:n[g].path,m=u.kind==="verdict"?e.judged[u.turns-1].node:null,A=a.findIndex((y,C)=>K(n[C],C,u,e)!=="hidden");(a[b].button.hidden||A<0)&&(b=Math.max(A,0)),g!==null&&(b=g),s.classList.toggle("lit",g!==null),a.forEach(({button:y,bars:C,values:R,sign:N,words:W},S)=>{let X=n[S],B=K(X,S,u,e);y.className=["node",B,T.includes(S)&&"lit",S===g&&"pointed",S===m&&"current"].filter(Boolean).join(" "),y.hidden=B==="hidden",y.tabIndex=S===b?0:-1,k||(W.textContent=G(e,S,u)),N.textContent=B==="draft"||B==="hidden"?"":F[B],k||R.replaceChildren(...Ye(X,u)),C.q.style.transform=`scaleX(${X.q??0})`,C.p.style.transform=`scaleX(${u.passed?X.p:0})`,p[S].setAttribute("class",[B==="hidden"&&"hidden",E.includes(S)&&"grown",T.includes(S)&&"lit",S===m&&"current"].filter(Boolean).join(" "))}),!k&&($(),m!==null&&h(a[m].button))}function h(u){let[g,k]=[u.offsetTop,u.offsetTop+u.offsetHeight];g<i.scrollTop?i.scrollTop=g:k>i.scrollTop+i.clientHeight&&(i.scrollTop=k-i.clientHeight)}let v=new ResizeObserver(()=>f&&$());return v.observe(i),{element:i,paint:j,stop:()=>v.disconnect()}}var xe=e=>D(e).replace("0.","."),Ye=({q:e,p:t,rank:n},r)=>[e===null?o("span",{class:"q"},`rank ${n}`):o("span",{class:"q"},o("i",{},"q"),` ${xe(e)}`),r.passed?o("span",{class:"p"},o("i",{},"p"),` ${xe(t)}`):""];var Ve=.16;function ke(e,t){let{nodes:n}=e,r=n.length,s=Math.max(1,Ve*r),a=n.map(({path:x},w)=>M("g",{},M("rect",{class:"before",x:0,y:w,width:s,height:1}),x.map($=>M("rect",{class:$===w?"own":"sees",x:s+$,y:w,width:1,height:1})))),c=M("rect",{class:"frame",x:0,width:s+r,height:1}),d=Math.min(1.35,10.6/r),i=M("svg",{class:"mask",role:"img",viewBox:`0 0 ${s+r} ${r}`,width:`${d*(s+r)}em`,height:`${d*r}em`,onpointermove:x=>{let{top:w,height:$}=i.getBoundingClientRect();t(Math.max(0,Math.min(r-1,Math.floor(r*(x.clientY-w)/$))))},onpointerleave:()=>t(null)},M("rect",{class:"ground",width:s+r,height:r}),a,c),p=o("p",{class:"about"}),l=(x,w)=>o("span",{},o("i",{class:`key ${x}`}),w);return{element:o("div",{class:"panel"},o("h3",{},"The ancestor mask"),i,o("p",{class:"legend"},l("before","the text"),l("sees","an ancestor"),l("own","itself")),p),paint:x=>{let{path:w,position:$,depth:j}=n[x];a.forEach((u,g)=>u.setAttribute("class",g===x?"lit":"")),c.setAttribute("y",x);let h=w.slice(0,-1).map(u=>u+1),v=h.length?`the text, node${h.length>1?"s":""} ${h.join(", ")} and itself`:"the text and itself";p.replaceChildren(o("b",{},`Node ${x+1}`),` sees ${v}. Its position: ${e.context} + ${j} = ${$}.`),i.setAttribute("aria-label",`The ancestor mask of ${q(r,"node")}. ${ue(e,x)} sees ${v}.`)}}}var L=(e,...t)=>o("div",{class:"panel"},o("h3",{},e),t),we=e=>o("bdi",{class:"word"},z(e));function ye({certain:e}){let t=(n,r)=>o("li",{},o("i",{class:`key ${n}`}),r);return L("A node is a drafted token",o("ul",{class:"keys"},e?o("li",{},"The likeliest tokens are taken, the likeliest first: rank 0 has its turn first."):t("q","q: how likely it was when the draft drew it"),t("p","p: how likely the target finds it, once it has looked"),o("li",{},"First children make the first path: a chain would be that and nothing else."),o("li",{},"Point at a node: what stands before it lights up.")))}function $e(e,t){let{node:n,ratio:r,u:s,accepted:a,rest:c,top:d,marked:i}=e.judged[t],{parent:p,rank:l}=e.nodes[n],f=l?"p′":"p",[b,x]=H(s,r),w=e.certain?f:`${f}/q`,$=d.map(([j,h,v],u)=>o("li",{class:u===i?"marked":""},we(j),o("span",{class:"track"},Q("p",h),e.certain?"":Q("q",v)),o("span",{class:"value"},D(h))));return L([`${l?"What is left of p":"p"} after `,o("bdi",{},p<0?"the text":z(e.nodes[p].text))],o("ol",{class:"row-of"},$),o("p",{class:"legend"},o("span",{},o("i",{class:"key p"}),f),e.certain?"":o("span",{},o("i",{class:"key q"}),"q it was drawn from")),o("div",{class:`gauge ${a?"accepted":"rejected"}`,role:"img","aria-label":`a bar up to ${w} ${x}, and u at ${b}`},o("span",{class:"fill",style:`transform:scaleX(${Math.min(1,r)})`}),o("span",{class:"uniform",style:`left:${100*s}%`})),o("p",{class:"test"},`u ${b} ${a?"<":"≥"} ${w} ${x}`,o("b",{class:a?"accepted":"rejected"},a?" ✓ accepted":" ✗ rejected")),a?"":o("p",{},e.certain?`Its token is struck out of ${f}; `:`What q had is taken out of ${f}; `,`the rest, ${I(c)}, is scaled to 1.`))}var Q=(e,t)=>o("i",{class:`bar ${e}`,style:`transform:scaleX(${t})`});function je(e){let{kind:t,after:n,top:r,marked:s,u:a}=e.last;if(!t)return L("The text has ended",o("p",{},"A stop token was accepted. What was drafted behind it is not used."));let c=r.map(([d,i],p)=>o("li",{class:p===s?"marked":""},we(d),o("span",{class:"track"},Q(t,i)),o("span",{class:"value"},D(i))));return L([t==="bonus"?"The bonus: p after ":"The correction: what is left after ",o("bdi",{},n<0?"the text":z(e.nodes[n].text))],o("ol",{class:"row-of"},c),o("p",{},`The last uniform, u ${I(a)}, picks ${t==="bonus"?"from p, a row the pass has computed anyway":"from what no child took"}.`))}function Ae(e){let{counts:t,chain:n,nodes:r}=e,s=["accepted","rejected","lost"],a={accepted:t.accepted,rejected:t.rejected,lost:t.drafted-t.accepted-t.rejected},c={accepted:"accepted",rejected:"rejected",lost:r.some(({fate:l},f)=>l==="lost"&&e.judged.some(({node:b})=>b===f))?"not used":"never judged"},d=s.flatMap(l=>Array.from({length:a[l]},()=>o("i",{class:`cell ${l}`},F[l]))),i=Math.max(t.tokens,n.tokens,1),p=(l,f,b)=>o("li",{},o("span",{},l,o("small",{class:"quiet"},q(f,"node"))),o("span",{class:"track"},o("i",{class:"bar accepted",style:`transform:scaleX(${b/i})`})),o("b",{},q(b,"token")));return L("What was it worth?",o("div",{class:"cells","aria-hidden":"true"},d),o("ul",{class:"fates"},s.map(l=>o("li",{},o("i",{class:`cell ${l}`},F[l]),`${a[l]} ${c[l]}`))),o("ul",{class:"worth"},p("this tree",r.length,t.tokens),p("its first path",n.nodes,n.tokens)),o("p",{class:"quiet"},n.whole?"The first path was accepted to its end: a longer chain might have gone on.":"A longer chain would have ended there, too."))}function Ee(e){let{cache:t,nodes:n,context:r}=e,s=t.kept.map((c,d)=>[c,d]).filter(([c,d])=>c!==d),a=(c,d)=>o("li",{},c,o("b",{},q(d,"token")));return L("The target's cache",o("ul",{class:"worth sums"},a("before the pass",t.before),a("with all nodes",t.during),a("after the round",t.after)),s.length?o("ul",{class:"keys moves"},s.map(([c,d])=>o("li",{},o("b",{},`node ${c+1}`),` slot ${n[c].slot} → ${r+d}`))):o("p",{},"Nothing has to move."),o("p",{class:"quiet"},"A node's keys and values were made for its position, not for its slot: they are copied as they are."))}var[qe,Qe,Ze,Ce]=[6.2,2.1,1.5,2];function Te(e){let{nodes:t,cache:n,context:r}=e,s=o("span",{class:"slot text"}),a=t.map(()=>o("span",{class:"slot free"})),c=t.map((j,h)=>o("span",{class:"slot held"},h+1)),d=o("div",{class:"strip"},s,a,c),i=o("span",{class:"quiet"}),p=o("div",{class:"cache",role:"img"},o("p",{},o("b",{},"target's cache "),i),d),[l,f]=[null,0];function b(j){let h=f-qe,v=Math.min(Qe,Math.max(Ze,h/t.length)),u=Math.max(1,Math.floor(h/v));return{x:qe+v*(j%u),y:Ce*1.15*Math.floor(j/u),pitch:v}}function x(){let j=parseFloat(getComputedStyle(p).fontSize)||16;if(f=d.clientWidth/j,!f||!l)return;let h=(v,u)=>{let{x:g,y:k,pitch:E}=b(u);v.style.width=`${E-.14}em`,v.style.transform=`translate(${g}em, ${k}em)`};d.style.height=`${b(t.length-1).y+Ce}em`,a.forEach(h),c.forEach((v,u)=>h(v,l.kept&&n.kept.includes(u)?n.kept.indexOf(u):u))}function w(j,h){let v=l===j;l=j;let u=h===null?[]:t[h].path;s.textContent=l.passed?`text ${r}`:`text ${n.before}`,s.classList.toggle("lit",h!==null&&l.passed),a.forEach((k,E)=>k.hidden=!l.passed||l.kept&&E<n.kept.length),c.forEach((k,E)=>{let T=l.kept&&!n.kept.includes(E);k.className=["slot","held",!l.passed&&"unfed",T&&"gone",l.kept&&!T&&"stays",u.includes(E)&&"lit"].filter(Boolean).join(" ")});let g=[n.before,...l.passed?[n.during]:[],...l.kept?[n.after]:[]];i.textContent=`${g.join(" → ")} tokens`,p.setAttribute("aria-label",`The target's cache: ${g.map(k=>q(k,"token")).join(", then ")}`),v||x()}let $=new ResizeObserver(x);return $.observe(d),{element:p,paint:w,move:j=>p.classList.toggle("moving",j),stop:()=>$.disconnect()}}var Se=`.tree .steps .choice { gap: 0.4em; }
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
.tree .lines path { stroke: var(--line); stroke-width: 0.09; transition: opacity 250ms; }
.tree .lines path.hidden { opacity: 0; }
.tree .lines path.lit { stroke: var(--target); stroke-width: 0.2; }
.tree .lines path.current { stroke: var(--ink); stroke-width: 0.16; }
.tree .lines path.grown { stroke: var(--accepted); stroke-width: 0.28; }
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
`;var Me=44,Ut=ne("tree",({root:e,data:t,model:n})=>{let r=t.rounds[t.chosen],s=Y(r),[a,c,d]=[null,null,null],i=se(e,{count:()=>s.length,say:m=>me(r,s[m]),show:v}),p=ee({label:"round",value:t.chosen,on:$,options:t.rounds.map(({number:m,nodes:A},y)=>[y,`${m}: ${A.length} nodes`])}),l=o("p",{class:"so-far",dir:"auto"}),f=o("div",{class:"left"}),b=o("div",{class:"side"}),x=o("div",{class:"below"}),w=o("p",{class:"detail",dir:"auto"});i.bar.querySelector(".place").after(t.rounds.length>1?p.element:""),e.append(i.bar,l,o("div",{class:"stand"},f,b),x);function $(m){r=t.rounds[m],s=Y(r),d=null,a?.stop(),a=null,i.go(0)}function j(){let m=ve(r,h),A=Te(r);return f.replaceChildren(m.element),x.replaceChildren(w,A.element),{tree:m,cache:A,mask:ke(r,h),stop:()=>(m.stop(),A.stop())}}function h(m){m!==d&&(d=m,u())}function v(m,A){a??=j(),c=pe(s[m],r),a.cache.move(A),d!==null&&r.nodes[d].depth>=c.levels&&(d=null),b.replaceChildren(k(s[m])),E(),u()}function u(){let m=d??(c.kind==="pass"?g():null);a.tree.paint(c,m),a.cache.paint(c,m),a.mask.paint(m??g()),w.textContent=d===null?"":G(r,d,c)}let g=()=>r.nodes.reduce((m,{depth:A},y)=>A>=r.nodes[m].depth?y:m,0);function k({kind:m,turn:A}){return m==="text"||m==="level"?ye(r):m==="pass"?a.mask.element:m==="verdict"?$e(r,A):{last:je,count:Ae,cache:Ee}[m](r)}function E(){let m=(t.prompt??"prompt … ")+t.pieces.slice(0,r.start).join(""),A=[...m],y=A.length>Me?ae(A.slice(-Me).join("")):m,C=ie(y.replaceAll(`
`,"⏎").replace(/ {3,}/g,N=>`␣×${N.length}`)),R=c.ended?r.emitted.map((N,W)=>J(N,r.kinds[W])):[..._(c,r).map(N=>J(r.nodes[N].text,"accepted")),o("span",{class:"caret","aria-hidden":"true"})];l.replaceChildren(o("bdi",{},C),...R)}let T=!!n.get("on_paper");return e.classList.toggle("on-paper",T),i.go(T?s.findIndex(({kind:m})=>m==="count"):0),()=>a?.stop()},Se);export{Ut as default};
