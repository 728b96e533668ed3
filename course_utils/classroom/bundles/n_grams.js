/* Built by stage/build.mjs. Course: Apache-2.0. */
function z(e,t){let n=[];return e.forEach((o,r)=>{for(let a=t.length;a<o.length;a++)t.every((c,s)=>o[a-t.length+s]===c)&&n.push([r,a])}),n}function Ne(e,t){let n=new Map;for(let[o,r]of z(e,t))n.set(e[o][r],(n.get(e[o][r])??0)+1);return[...n]}function U(e,t,n){let o=[];for(let r=0;r<=Math.min(t-1,n.length);r++){let a=Ne(e,n.slice(n.length-r));if(!a.length)break;o.push(a)}return o}function Le(e,t,n,o,r){let a=new Array(t).fill(1/t);for(let c of U(e,n,r)){let s=X(c);a=a.map(i=>i*(o*c.length/s));for(let[i,l]of c)a[i]+=(l-o)/s}return a}function je(e,t){for(let n=Math.min(t,e.length-1);n>=1;n--){let o=e.slice(-n);for(let r=e.length-n-1;r>=0;r--)if(o.every((a,c)=>e[r+c]===a))return[r,n]}return null}function J(e,t,n,{n:o,discount:r,longest:a,gamma:c}){let s=U(e,o,n),i=[],l=1;for(let f=o-1;f>=0;f--){let w=s[f]??[],_=X(w),A=_?r*w.length/_:1,C=f>n.length;i.push({length:f,ending:C?null:n.slice(n.length-f),total:_,followers:[...w].sort((L,B)=>B[1]-L[1]),share:C?0:l*(1-A),weight:_?l/_:0}),l*=A}let u=Le(e,t,o,r,n),p=u.map((f,w)=>w).sort((f,w)=>u[w]-u[f]).slice(0,6),m=je(n,a),b=m?m[0]+m[1]:n.length,k=f=>({followers:w,weight:_})=>{let A=w.find(([C])=>C===f)?.[1]??0;return Math.max(A-r,0)*_};return{orders:i,rest:l,bars:p.filter(f=>u[f]>0).map(f=>({token:f,probability:u[f],parts:[...i.map(k(f)),l/t]})),ties:u.filter(f=>f>u[p[0]]-1e-9).length,match:m,copied:n.slice(b,b+c)}}var X=e=>e.reduce((t,[,n])=>t+n,0);function d(e,t={},...n){return Me(document.createElement(e),t,n)}function Me(e,t,n){for(let[o,r]of Object.entries(t))typeof r=="function"?e.addEventListener(o.replace(/^on/,""),r):r!==!1&&r!=null&&e.setAttribute(o,r===!0?"":r);return e.append(...n.flat().filter(o=>o!=null&&o!==!1)),e}function Y({label:e,min:t,max:n,step:o=1,value:r,format:a=String,on:c}){let s=d("input",{type:"range",min:t,max:n,step:o,"aria-label":e}),i=d("output"),l=()=>{i.textContent=a(s.valueAsNumber),s.setAttribute("aria-valuetext",i.textContent)};s.addEventListener("input",()=>{l(),c(s.valueAsNumber)});let u={element:d("label",{class:"slider"},d("span",{},e),s,i),get value(){return s.valueAsNumber},set(p){s.value=p,l()},range(p,m){Object.assign(s,{min:p,max:m}),l()}};return u.set(r),u}function I(e,t,n={}){return d("button",{type:"button",onclick:t,...n},e)}function V({label:e,options:t,value:n,on:o}){let r=t.map(i=>Array.isArray(i)?i:[i,i]),a=d("select",{"aria-label":e,onchange:()=>o(r[a.selectedIndex][0])},r.map(([,i])=>d("option",{},i))),c=i=>a.selectedIndex=r.findIndex(([l])=>l===i);return c(n??r[0][0]),{element:d("label",{class:"choice"},d("span",{},e),a),set:c,get value(){return r[a.selectedIndex]?.[0]}}}function Q({label:e,options:t,value:n,on:o}){let r=t.map(s=>Array.isArray(s)?s:[s,s]),a=s=>c.forEach((i,l)=>i.setAttribute("aria-pressed",r[l][0]===s)),c=r.map(([s,i])=>I(i,()=>(a(s),o(s))));return a(n??r[0][0]),{element:d("div",{class:"tabs",role:"group","aria-label":e},c),set:a}}var M=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function Z(){let e=0,t=n=>{if(n!==e)throw O};return{stop:()=>{e++},async run(n){let o=++e,r=(c,s)=>new Promise((i,l)=>{if(M())return s(1),i();let u,p=m=>{if(o!==e)return l(O);u??=m;let b=Math.min((m-u)/c,1);s(b),b<1?requestAnimationFrame(p):i()};requestAnimationFrame(p)}),a=async c=>{M()||await new Promise(s=>setTimeout(s,c)),t(o)};try{return await n({tween:r,pause:a}),!0}catch(c){if(c!==O)throw c;return!1}}}}var ee=e=>e<.5?4*e**3:1-(2-2*e)**3/2,O=Symbol("stopped");var te=550,ne=550;function re(e,t){let n=d("div",{class:"flights","aria-hidden":"true"}),o=e.getBoundingClientRect(),r=t.map(([s,i],l)=>{let[u,p]=[s.getBoundingClientRect(),i.getBoundingClientRect()],m=s.cloneNode(!0);m.style.cssText=`position:absolute;margin:0;left:0;top:0;width:${u.width}px`,n.append(m),i.style.opacity=0;let b=[u.left-o.left-e.clientLeft,u.top-o.top-e.clientTop],k=[p.left+(p.width-u.width)/2-o.left-e.clientLeft,p.top+(p.height-u.height)/2-o.top-e.clientTop];return{copy:m,to:i,start:b,end:k,after:t.length>1?l/(t.length-1)*ne:0}}),a=te+(t.length>1?ne:0),c=s=>{for(let{copy:i,to:l,start:u,end:p,after:m}of r){let b=ee(Math.min(Math.max((s-m)/te,0),1)),[k,f]=u.map((w,_)=>w+b*(p[_]-w));i.style.transform=`translate(${k}px, ${f-40*b*(1-b)}px)`,i.style.opacity=b<1?s<m?0:1:0,l.style.opacity=b<1?0:1}};return c(0),e.append(n),{fly:s=>s(a,i=>c(i*a)).then(()=>n.remove()),land(){n.remove(),r.forEach(({to:s})=>s.style.opacity="")}}}var E=(e,t=2)=>e.toFixed(t);var oe={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},Te={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function se(e,t="given"){return d("span",{class:`chip ${t}`,title:Te[t]},d("bdi",{},N(e)),oe[t]?d("i",{class:"sign","aria-label":t},oe[t]):null)}function N(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(ae,ie).replaceAll(" ","␣")||"·"}var W=e=>e.replace(ae,ie),ae=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,ie=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var ce=3,P=5,D=(e,t="")=>d("span",{class:`word ${t}`},d("bdi",{},N(e)));function le(){let e=d("ol",{class:"corpus","aria-label":"the corpus"}),t=[];return{element:e,draw(n,o){t=n.map(r=>r.map(a=>D(o[a]))),e.replaceChildren(...t.map(r=>d("li",{},r)))},mark(n,o,r){t.flat().forEach(c=>c.className="word");for(let[c,s]of n)for(let i=s-o;i<s;i++)t[c][i].classList.add("context");let a=n.map(([c,s])=>t[c][s]);return r&&a.forEach(c=>c.classList.add("follower")),a}}}function de(e){let t=d("h3"),n=d("div",{class:"bars"}),o=d("p",{class:"quiet"}),r=(c,s,i,l)=>d("div",{class:"bar-row"},d("button",{type:"button",onclick:()=>e(c),"aria-label":`write ${N(s[c])}`},d("bdi",{},N(s[c]))),d("div",{class:"track"},i),d("b",{},l)),a=(c,s,i="")=>{t.textContent=c,n.replaceChildren(...s),o.textContent=i};return{element:d("div",{class:"panel"},t,n,o),empty:c=>a(c,[]),counts({followers:c,total:s,length:i},l){let u=new Map,p=c.slice(0,P).map(([b,k])=>{let f=Array.from({length:k},()=>d("span",{class:`cell fill f${i}`,style:`width:${100/s}%`}));return u.set(b,[...f]),r(b,l,f,`${k} of ${s}`)}),m=c.length-P;return a("What followed",p,m>0?`and ${m} more words`:""),u},shares({bars:c,orders:s},i){a("The next word, q",c.slice(0,P).map(({token:l,probability:u,parts:p})=>r(l,i,p.map((m,b)=>d("span",{class:`part fill ${b<s.length?`f${s[b].length}`:"any"}`,style:`width:${100*m}%`})),E(u))))}}}function ue(){let e=d("div",{class:"ladder",role:"table","aria-label":"contexts"}),t=(...o)=>d("div",{role:"row"},o.map(r=>d("span",{role:"cell"},r))),n=(o,r)=>[d("i",{class:`key fill ${r}`}),` ${E(o)}`];return{element:e,draw(o,{rest:r},a,c){e.replaceChildren(...o.map(({order:s,counted:i})=>{let{ending:l,total:u,followers:p,length:m}=s,b=p.slice(0,ce).map(([f,w])=>[d("bdi",{},N(a[f])),` ×${w}`]),k=u?i?[...b.flatMap((f,w)=>w?[", ",...f]:f),p.length>ce?", …":""]:`seen ${u} ×`:d("b",{},"never seen");return t(d("span",{},l.length?l.map(f=>D(a[f],"context")):"no context"),d("span",{},k),d("span",{},c&&u?n(s.share,`f${m}`):""))}),...c&&r>1e-9?[t("any word","all alike",d("span",{},n(r,"any")))]:[])}}}function pe(){let e=d("p",{class:"own"});return{element:e,draw(t,n,{context:o=0,match:r=null,copied:a=[]}){let[c,s]=r??[0,0],i=p=>r&&p>=c&&p<c+s||p>=t.length-(r?s:o)?"context":r&&p>=c+s&&p<c+s+a.length?"follower":"",[l,u]=[t.map((p,m)=>D(n[p],i(m))),a.map(p=>se(n[p],"draft"))];return e.replaceChildren(...l,...a.length?u:[d("b",{class:"ask"},"?")]),u.map((p,m)=>[l[c+s+m],p])}}}function K(e,t,n=0){let o=t.map(({words:s})=>new Map(s.map((i,l)=>[i.toLowerCase(),l]))),r=t.map((s,i)=>i===n?.5:0),a=[],c=e.split(/\s+/u).filter(Boolean);for(let[s,i]of c.entries()){let l=o.map(u=>me(i.toLowerCase(),u));if(!l.some(Boolean)){let u=s===c.length-1&&!/\s$/u.test(e)&&o.some(p=>[...p.keys()].some(m=>m.startsWith(i.toLowerCase())));return{unknown:i,begun:u}}l.forEach((u,p)=>r[p]+=u?1:0),a.push(...l[n]??l.find(Boolean))}return{tokens:a,language:r.indexOf(Math.max(...r))}}function me(e,t){if(t.has(e))return[t.get(e)];if(!/^\p{Script=Han}+$/u.test(e))return null;for(let n=e.length-1;n>0;n--){let o=t.has(e.slice(0,n))&&me(e.slice(n),t);if(o)return[t.get(e.slice(0,n)),...o]}return null}function fe(e){let t=()=>{e.dataset.ground=Be(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(a=>setTimeout(t,a)),o=new MutationObserver(n);for(let a of[document.documentElement,document.body])o.observe(a,{attributes:!0});let r=matchMedia("(prefers-color-scheme: dark)");return r.addEventListener("change",n),t(),n(),()=>{o.disconnect(),r.removeEventListener("change",n)}}function Be(e){let[t,n,o,r=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return r===0?1:(.2126*t+.7152*n+.0722*o)/255}var ge=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function be(e,t,n=""){return{render({model:o,el:r}){he("stage",ge),n&&he(e,n);let a=d("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":o.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});r.replaceChildren(a);let c=fe(a),s,i=()=>{s?.(),a.replaceChildren(),s=t({root:a,data:o.get("data"),model:o})};return o.on("change:data",i),i(),()=>{o.off("change:data",i),s?.(),c()}}}}function he(e,t){let n=`course-look-${e}`,o=document.getElementById(n);o?o.textContent=t:document.head.append(d("style",{id:n},t))}var qe=["ArrowRight","PageDown"," "],ze=["ArrowLeft","PageUp"],Ie="input, select, textarea, [role=slider]";function xe(e,{count:t,say:n,show:o}){let r=()=>typeof t=="function"?t():t,a=d("p",{class:"said",role:"status",dir:"auto"}),c=d("span",{class:"place"}),s=d("button",{type:"button",class:"back",onclick:()=>l.back()},"◀ Back"),i=d("button",{type:"button",class:"next",onclick:()=>l.next()},"Next ▶"),l={at:0,bar:d("div",{class:"steps"},s,i,c,a),go(u,p=!1){l.at=Math.max(0,Math.min(u,r()-1)),a.textContent=n(l.at),c.textContent=`${l.at+1} / ${r()}`,s.setAttribute("aria-disabled",l.at===0),i.setAttribute("aria-disabled",l.at===r()-1),o(l.at,p)},next(){return l.at>=r()-1?!1:(l.go(l.at+1,!0),!0)},back(){return l.at<=0?!1:(l.go(l.at-1),!0)}};return e.steps=l,e.onkeydown=u=>{if(u.altKey||u.ctrlKey||u.metaKey||u.defaultPrevented)return;let{key:p,target:m}=u;if(m.closest(Ie)||p===" "&&m.closest("button, summary"))return;(qe.includes(p)?l.next():ze.includes(p)?l.back():p==="Home"?(l.go(0),!0):p==="End"&&(l.go(r()-1),!0))&&(u.preventDefault(),u.stopPropagation())},l}var T=-1,kt=be("n_grams",({root:e,data:t,model:n})=>{let o={...t.settings},r=Z(),a=t.languages[0],c=K(a.texts[0],t.languages).tokens,[s,i,l]=[null,[],null],u={corpus:le(),bars:de(C),ladder:ue(),own:pe()},p=d("input",{type:"text","aria-label":"text",value:a.texts[0],spellcheck:"false",autocomplete:"off"}),m=d("p",{class:"problem",role:"status"}),b=_(),k=Q({label:"language",options:t.languages.map(({name:g},h)=>[h,g]),value:0,on:B}),f=(g,h,x,y,$=1,S=String)=>Y({label:h,min:x,max:y,step:$,value:o[g],format:S,on:j=>(o[g]=j,q())}),w=xe(e,{count:()=>i.length,say:ye,show:ke});p.addEventListener("input",()=>L(p.value,!0)),p.addEventListener("change",()=>L(p.value)),e.append(w.bar,d("div",{class:"row asked"},p,I("⌫ word",()=>A(c.slice(0,-1)),{"aria-label":"Take the last word away"}),b.element,k.element),m,u.own.element,d("div",{class:"columns"},d("div",{},u.corpus.element,u.ladder.element),d("div",{},u.bars.element,d("div",{class:"sliders"},f("n","n of the n-gram",1,t.most_n).element,f("discount","discount",0,.95,.05,E).element,f("longest","longest lookup",1,5).element,f("gamma","words copied, γ",1,8).element))));function _(){let g=[...a.texts.map((h,x)=>[x,h]),[T,"(my own text)"]];return V({label:"text to choose",options:g,value:0,on:h=>h!==T&&A(a.texts[h])})}function A(g){p.value=typeof g=="string"?g:g.map(h=>a.words[h]).join(" "),L(p.value)}function C(g){A([...c,g])}function L(g,h=!1){let x=K(g,t.languages,t.languages.indexOf(a));if(b.set(a.texts.includes(g)?a.texts.indexOf(g):T),x.unknown!==void 0){(!h||!x.begun)&&m.replaceChildren(d("bdi",{},W(x.unknown))," is no word of the corpus. The picture stays as it was.");return}m.replaceChildren(),c=x.tokens,t.languages[x.language]!==a&&F(x.language),b.set(a.texts.includes(g)?a.texts.indexOf(g):T),q(!0)}function B(g){F(g),A(c)}function F(g){a=t.languages[g],k.set(g);let h=_();b.element.replaceWith(h.element),b=h,u.corpus.draw(t.texts,a.words)}function q(g=!1){let h=i[w.at]??{kind:"text"};s=J(t.texts,a.words.length,c,o),i=[{kind:"text"}];for(let y of s.orders.filter(({ending:$})=>$))if(i.push({kind:"where",order:y}),y.total&&i.push({kind:"count",order:y}),y.total&&o.discount===0)break;i.push({kind:"mix"},{kind:"lookup"});let x=!g||h.kind==="mix"||h.kind==="lookup";w.go(x?i.findIndex(({kind:y,order:$})=>y===h.kind&&$?.length===h.order?.length):0)}let ve=g=>g.map(h=>W(a.words[h])).join(" ");function ye(g){let{kind:h,order:x}=i[g];return Oe[h]({order:x,now:s,said:ve,settings:o,found:({match:[y,$]})=>c.slice(y,y+$),next:i[g+1]?.order,short:s.orders[0].ending===null})}function ke(g,h){r.stop(),l?.land(),l=null;let{kind:x,order:y}=i[g],$=x==="mix"||x==="lookup",S=y??($?s.orders.find(({total:v})=>v):null),j=S?z(t.texts,S.ending):[],$e=u.corpus.mark(j,S?.length??0,x==="count"||$),_e=i.slice(0,g+1).filter(v=>v.kind==="where").map(v=>v.order),Ae=i.slice(0,g+1).filter(v=>v.kind==="count").map(v=>v.order);u.ladder.draw(_e.map(v=>({order:v,counted:Ae.includes(v)})),s,a.words,$);let Ee=s.orders.find(({ending:v})=>v),Ce=u.own.draw(c,a.words,x==="lookup"?s:{context:(S??Ee).length});if($&&u.bars.shares(s,a.words),x==="lookup"&&h&&G(Ce),$)return;if(x!=="count")return u.bars.empty(x==="text"?"Which word comes next?":"What followed?");let Se=u.bars.counts(y,a.words);h&&G($e.map((v,H)=>[v,Se.get(t.texts[j[H][0]][j[H][1]])?.shift()]))}function G(g){let h=g.filter(([,x])=>x);M()||!h.length||(l=re(e,h),r.run(({tween:x})=>l.fly(x)))}F(0),q();let R=!!n.get("on_paper");return e.classList.toggle("paper",R),R&&w.go(i.length-1),()=>r.stop()},We()),we=e=>e===1?"once":e===2?"twice":`${e} times`,Oe={text:({now:e,said:t,short:n})=>{let[{ending:o,length:r}]=e.orders.filter(c=>c.ending);return r?`Which word comes next? Look up ${r===1?"the last word":`the last ${r} words`} in the corpus: “${t(o)}”.`:n?"There is no text yet: no context.":"n is 1: the model looks at no context at all."},where:({order:e,said:t,next:n})=>e.length?e.total?`“${t(e.ending)}” was seen ${we(e.total)}. Which words followed?`:`“${t(e.ending)}” was never seen: nothing is marked. Back off to ${n.length?`“${t(n.ending)}”`:"no context"}.`:`No context: all ${e.total} words of the corpus count.`,count:({order:e,said:t})=>{let n=e.followers.slice(0,4).map(([o,r])=>`${t([o])} ${we(r)}`);return`What followed ${e.length?`“${t(e.ending)}”`:"any words at all"}: ${n.join(", ")}${e.followers.length>4?", …":""}.`},mix:({now:e,said:t,settings:n})=>{let[o]=e.bars,r=e.ties===1?`${t([o.token])} is likeliest, ${E(o.probability)}`:`${e.ties} words are equally likely, ${E(o.probability)} each`,a=e.orders.find(({total:c})=>c);return n.discount===0?`${a.length?`“${t(a.ending)}”`:"No context"} decides alone: ${r}.`:`Every count gives up ${E(n.discount)} to the shorter contexts: ${r}.`},lookup:({now:e,said:t,found:n})=>e.match?`The lookup needs no corpus: “${t(n(e))}” stands earlier in the text. Copy what followed.`:"The lookup drafts nothing: nothing earlier in the text reads like its end."};function We(){return`
.n_grams { display: grid; gap: 0.4em; }
.n_grams .asked input { flex: 1 1 14em; min-width: 0; }
.n_grams .asked .choice span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.n_grams .asked .choice { flex: 0 1 16em; min-width: 0; } .n_grams .asked select { width: 100%; }
.n_grams .problem { font-weight: 600; } .n_grams .problem:empty { display: none; }
.n_grams .word { display: inline-block; padding: 0 0.35em; margin: 0.08em 0.06em; border: 2px solid transparent; border-radius: 0.3em; line-height: 1.4; background: var(--ground); }
.n_grams .word.follower { border: 2px dashed var(--draft); background: color-mix(in srgb, var(--draft) 22%, var(--ground)); }
.n_grams .word.context { border-color: var(--ink); background: var(--ink); color: var(--ground); font-weight: 600; }
.n_grams .word.context.follower { outline: 2px dashed var(--draft); }
.n_grams .corpus { list-style: none; margin: 0 0 0.6em; padding: 0.3em 0.4em; border: 1px solid var(--line); border-radius: 0.4em; }
.n_grams .corpus li { margin: 0; }
.n_grams .own { font-size: 1.15em; } .n_grams .own .ask { margin-left: 0.4em; font-size: 1.3em; line-height: 1; }
.n_grams .panel { min-height: 12.8em; }
.n_grams .bar-row { display: grid; grid-template-columns: 6em 1fr 4.6em; gap: 0.5em; align-items: center; font-variant-numeric: tabular-nums; }
.n_grams .bar-row button { text-align: left; padding: 0 0.4em; min-height: 2.2em; overflow: hidden; }
.n_grams .bar-row .track { display: flex; height: 1.3em; background: var(--faint); border-radius: 0.2em; overflow: hidden; }
.n_grams .fill { box-sizing: border-box; }
.n_grams .cell { border-right: 2px solid var(--ground); }
.n_grams .f0 { background: color-mix(in srgb, var(--draft) 34%, var(--ground)); }
.n_grams .f1 { background: repeating-linear-gradient(45deg, var(--draft) 0 0.22em, color-mix(in srgb, var(--draft) 30%, var(--ground)) 0.22em 0.44em); }
.n_grams .f2 { background: var(--draft); }
.n_grams .f3 { background: repeating-linear-gradient(90deg, var(--draft) 0 0.35em, var(--ground) 0.35em 0.5em); }
.n_grams .any { background: var(--ground); box-shadow: inset 0 0 0 2px var(--draft); }
.n_grams .ladder { display: grid; gap: 0.1em; }
.n_grams .ladder .word { line-height: 1.2; margin: 0; }
.n_grams .ladder [role=row] { display: grid; grid-template-columns: minmax(10em, 1fr) 1.2fr 4em; gap: 0.6em; align-items: center; }
.n_grams .ladder .key { display: inline-block; width: 1em; height: 1em; vertical-align: -0.15em; }
.n_grams .sliders { display: grid; grid-template-columns: 1fr 1fr; gap: 0.2em 1.6em; }
.n_grams .sliders .slider { grid-template-columns: 1fr auto; gap: 0 0.5em; }
.n_grams .sliders .slider input { grid-row: 2; grid-column: 1 / -1; } .n_grams .sliders .slider output { grid-row: 1; grid-column: 2; }
.n_grams.paper :is(.steps button, .place, .asked, .sliders) { display: none; }
.n_grams.paper .panel { min-height: 0; }
.n_grams .flights { position: absolute; inset: 0; pointer-events: none; overflow: hidden; z-index: 2; }
@container (max-width: 34em) { .n_grams .corpus .word { padding: 0 0.16em; } .n_grams .ladder [role=row] { grid-template-columns: minmax(7em, 1fr) 1.2fr 4em; } .n_grams .panel { min-height: 0; } .n_grams .bar-row { grid-template-columns: 5em 1fr 4.4em; } .n_grams .sliders .slider span { grid-column: 1; } }
`}export{kt as default};
