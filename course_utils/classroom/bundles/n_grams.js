/* Built by stage/build.mjs. Course: Apache-2.0. */
function q(e,t){let n=[];return e.forEach((r,o)=>{for(let s=t.length;s<r.length;s++)t.every((l,a)=>r[s-t.length+a]===l)&&n.push([o,s])}),n}function Le(e,t){let n=new Map;for(let[r,o]of q(e,t))n.set(e[r][o],(n.get(e[r][o])??0)+1);return[...n]}function U(e,t,n){let r=[];for(let o=0;o<=Math.min(t-1,n.length);o++){let s=Le(e,n.slice(n.length-o));if(!s.length)break;r.push(s)}return r}function Ne(e,t,n,r,o){let s=new Array(t).fill(1/t);for(let l of U(e,n,o)){let a=X(l);s=s.map(i=>i*(r*l.length/a));for(let[i,c]of l)s[i]+=(c-r)/a}return s}function je(e,t){for(let n=Math.min(t,e.length-1);n>=1;n--){let r=e.slice(-n);for(let o=e.length-n-1;o>=0;o--)if(r.every((s,l)=>e[o+l]===s))return[o,n]}return null}function J(e,t,n,{n:r,discount:o,longest:s,gamma:l}){let a=U(e,r,n),i=[],c=1;for(let f=r-1;f>=0;f--){let w=a[f]??[],_=X(w),A=_?o*w.length/_:1,C=f>n.length;i.push({length:f,ending:C?null:n.slice(n.length-f),total:_,followers:[...w].sort((N,z)=>z[1]-N[1]),share:C?0:c*(1-A),weight:_?c/_:0}),c*=A}let d=Ne(e,t,r,o,n),u=d.map((f,w)=>w).sort((f,w)=>d[w]-d[f]).slice(0,6),m=je(n,s),b=m?m[0]+m[1]:n.length,$=f=>({followers:w,weight:_})=>{let A=w.find(([C])=>C===f)?.[1]??0;return Math.max(A-o,0)*_};return{orders:i,rest:c,bars:u.filter(f=>d[f]>0).map(f=>({token:f,probability:d[f],parts:[...i.map($(f)),c/t]})),ties:d.filter(f=>f>d[u[0]]-1e-9).length,match:m,copied:n.slice(b,b+l)}}var X=e=>e.reduce((t,[,n])=>t+n,0);function p(e,t={},...n){return Me(document.createElement(e),t,n)}function Me(e,t,n){for(let[r,o]of Object.entries(t))typeof o=="function"?e.addEventListener(r.replace(/^on/,""),o):o!==!1&&o!=null&&e.setAttribute(r,o===!0?"":o);return e.append(...n.flat().filter(r=>r!=null&&r!==!1)),e}function Y({label:e,min:t,max:n,step:r=1,value:o,format:s=String,on:l}){let a=p("input",{type:"range",min:t,max:n,step:r,"aria-label":e}),i=p("output"),c=()=>{i.textContent=s(a.valueAsNumber),a.setAttribute("aria-valuetext",i.textContent)};a.addEventListener("input",()=>{c(),l(a.valueAsNumber)});let d={element:p("label",{class:"slider"},p("span",{},e),a,i),get value(){return a.valueAsNumber},set(u){a.value=u,c()},range(u,m){Object.assign(a,{min:u,max:m}),c()}};return d.set(o),d}function I(e,t,n={}){return p("button",{type:"button",onclick:t,...n},e)}function V({label:e,options:t,value:n,on:r}){let o=t.map(i=>Array.isArray(i)?i:[i,i]),s=p("select",{"aria-label":e,onchange:()=>r(o[s.selectedIndex][0])},o.map(([,i])=>p("option",{},i))),l=i=>s.selectedIndex=o.findIndex(([c])=>c===i);return l(n??o[0][0]),{element:p("label",{class:"choice"},p("span",{},e),s),set:l,get value(){return o[s.selectedIndex]?.[0]}}}function Q({label:e,options:t,value:n,on:r}){let o=t.map(a=>Array.isArray(a)?a:[a,a]),s=a=>l.forEach((i,c)=>i.setAttribute("aria-pressed",o[c][0]===a)),l=o.map(([a,i])=>I(i,()=>(s(a),r(a))));return s(n??o[0][0]),{element:p("div",{class:"tabs",role:"group","aria-label":e},l),set:s}}var M=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function Z(){let e=0,t=n=>{if(n!==e)throw O};return{stop:()=>{e++},async run(n){let r=++e,o=(l,a)=>new Promise((i,c)=>{if(M())return a(1),i();let d,u=m=>{if(r!==e)return c(O);d??=m;let b=Math.min((m-d)/l,1);a(b),b<1?requestAnimationFrame(u):i()};requestAnimationFrame(u)}),s=async l=>{M()||await new Promise(a=>setTimeout(a,l)),t(r)};try{return await n({tween:o,pause:s}),!0}catch(l){if(l!==O)throw l;return!1}}}}var ee=e=>e<.5?4*e**3:1-(2-2*e)**3/2,O=Symbol("stopped");var te=550,ne=550;function re(e,t){let n=p("div",{class:"flights","aria-hidden":"true"}),r=e.getBoundingClientRect(),o=t.map(([a,i],c)=>{let[d,u]=[a.getBoundingClientRect(),i.getBoundingClientRect()],m=a.cloneNode(!0);m.style.cssText=`position:absolute;margin:0;left:0;top:0;width:${d.width}px`,n.append(m),i.style.opacity=0;let b=[d.left-r.left-e.clientLeft,d.top-r.top-e.clientTop],$=[u.left+(u.width-d.width)/2-r.left-e.clientLeft,u.top+(u.height-d.height)/2-r.top-e.clientTop];return{copy:m,to:i,start:b,end:$,after:t.length>1?c/(t.length-1)*ne:0}}),s=te+(t.length>1?ne:0),l=a=>{for(let{copy:i,to:c,start:d,end:u,after:m}of o){let b=ee(Math.min(Math.max((a-m)/te,0),1)),[$,f]=d.map((w,_)=>w+b*(u[_]-w));i.style.transform=`translate(${$}px, ${f-40*b*(1-b)}px)`,i.style.opacity=b<1?a<m?0:1:0,c.style.opacity=b<1?0:1}};return l(0),e.append(n),{fly:a=>a(s,i=>l(i*s)).then(()=>n.remove()),land(){n.remove(),o.forEach(({to:a})=>a.style.opacity="")}}}var E=(e,t=2)=>e.toFixed(t);var oe={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},Te={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function se(e,t="given"){return p("span",{class:`chip ${t}`,title:Te[t]},p("bdi",{},L(e)),oe[t]?p("i",{class:"sign","aria-label":t},oe[t]):null)}function L(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(ae,ie).replaceAll(" ","␣")||"·"}var P=e=>e.replace(ae,ie),ae=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,ie=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var le=3,D=5,K=(e,t="")=>p("span",{class:`word ${t}`},p("bdi",{},L(e)));function ce(){let e=p("ol",{class:"corpus","aria-label":"the corpus"}),t=[];return{element:e,draw(n,r){t=n.map(o=>o.map(s=>K(r[s]))),e.replaceChildren(...t.map(o=>p("li",{},o)))},mark(n,r,o){t.flat().forEach(l=>l.className="word");for(let[l,a]of n)for(let i=a-r;i<a;i++)t[l][i].classList.add("context");let s=n.map(([l,a])=>t[l][a]);return o&&s.forEach(l=>l.classList.add("follower")),s}}}function de(e){let t=p("h3"),n=p("div",{class:"bars"}),r=p("p",{class:"quiet"}),o=(l,a,i,c)=>p("div",{class:"bar-row"},p("button",{type:"button",onclick:()=>e(l),"aria-label":`write ${L(a[l])}`},p("bdi",{},L(a[l]))),p("div",{class:"track"},i),p("b",{},c)),s=(l,a,i="")=>{t.textContent=l,n.replaceChildren(...a),r.textContent=i};return{element:p("div",{class:"panel"},t,n,r),empty:()=>s("",[]),counts({followers:l,total:a,length:i},c){let d=new Map,u=l.slice(0,D).map(([b,$])=>{let f=Array.from({length:$},()=>p("span",{class:`cell fill f${i}`,style:`width:${100/a}%`}));return d.set(b,[...f]),o(b,c,f,`${$} of ${a}`)}),m=l.length-D;return s("What followed",u,m>0?`and ${m} more words`:""),d},shares({bars:l,orders:a},i){s("The next word, q",l.slice(0,D).map(({token:c,probability:d,parts:u})=>o(c,i,u.map((m,b)=>p("span",{class:`part fill ${b<a.length?`f${a[b].length}`:"any"}`,style:`width:${100*m}%`})),E(d))))}}}function ue(){let e=p("div",{class:"ladder",role:"table","aria-label":"contexts"}),t=(...r)=>p("div",{role:"row"},r.map(o=>p("span",{role:"cell"},o))),n=(r,o)=>[p("i",{class:`key fill ${o}`}),` ${E(r)}`];return{element:e,draw(r,{rest:o},s,l){e.replaceChildren(...r.map(({order:a,counted:i})=>{let{ending:c,total:d,followers:u,length:m}=a,b=u.slice(0,le).map(([f,w])=>[p("bdi",{},L(s[f])),` ×${w}`]),$=d?i?[...b.flatMap((f,w)=>w?[", ",...f]:f),u.length>le?", …":""]:`seen ${d} ×`:p("b",{},"never seen");return t(p("span",{},c.length?c.map(f=>K(s[f],"context")):"no context"),p("span",{},$),p("span",{},l&&d?n(a.share,`f${m}`):""))}),...l&&o>1e-9?[t("any word","all alike",p("span",{},n(o,"any")))]:[])}}}function pe(){let e=p("p",{class:"own"});return{element:e,draw(t,n,{context:r=0,match:o=null,copied:s=[]}){let[l,a]=o??[0,0],i=u=>o&&u>=l&&u<l+a||u>=t.length-(o?a:r)?"context":o&&u>=l+a&&u<l+a+s.length?"follower":"",[c,d]=[t.map((u,m)=>K(n[u],i(m))),s.map(u=>se(n[u],"draft"))];return e.replaceChildren(...c,...s.length?d:[p("b",{class:"ask"},"?")]),d.map((u,m)=>[c[l+a+m],u])}}}function W(e,t,n=0){let r=t.map(({words:a})=>new Map(a.map((i,c)=>[i.toLowerCase(),c]))),o=t.map((a,i)=>i===n?.5:0),s=[],l=e.split(/\s+/u).filter(Boolean);for(let[a,i]of l.entries()){let c=r.map(d=>me(i.toLowerCase(),d));if(!c.some(Boolean)){let d=a===l.length-1&&!/\s$/u.test(e)&&r.some(u=>[...u.keys()].some(m=>m.startsWith(i.toLowerCase())));return{unknown:i,begun:d}}c.forEach((d,u)=>o[u]+=d?1:0),s.push(...c[n]??c.find(Boolean))}return{tokens:s,language:o.indexOf(Math.max(...o))}}function me(e,t){if(t.has(e))return[t.get(e)];if(!/^\p{Script=Han}+$/u.test(e))return null;for(let n=e.length-1;n>0;n--){let r=t.has(e.slice(0,n))&&me(e.slice(n),t);if(r)return[t.get(e.slice(0,n)),...r]}return null}function fe(e){let t=()=>{e.dataset.ground=ze(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(s=>setTimeout(t,s)),r=new MutationObserver(n);for(let s of[document.documentElement,document.body])r.observe(s,{attributes:!0});let o=matchMedia("(prefers-color-scheme: dark)");return o.addEventListener("change",n),t(),n(),()=>{r.disconnect(),o.removeEventListener("change",n)}}function ze(e){let[t,n,r,o=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return o===0?1:(.2126*t+.7152*n+.0722*r)/255}var ge=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function be(e,t,n=""){return{render({model:r,el:o}){he("stage",ge),n&&he(e,n);let s=p("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":r.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});o.replaceChildren(s);let l=fe(s),a,i=()=>{let{at:u,last:m}=s.steps;r.get("step")===u&&r.get("last_step")===m()||(r.set("last_step",m()),r.set("step",u),r.save_changes())},c=()=>{let u=s.steps;if(!u?.last)return;u.went=i;let m=r.get("step")??u.at;m===u.at?i():u.go(m)},d=()=>{a?.(),s.replaceChildren(),a=t({root:s,data:r.get("data"),model:r}),c()};return r.on("change:data",d),r.on("change:step",c),d(),()=>{r.off("change:data",d),r.off("change:step",c),a?.(),l()}}}}function he(e,t){let n=`course-look-${e}`,r=document.getElementById(n);r?r.textContent=t:document.head.append(p("style",{id:n},t))}var Fe=["ArrowRight","PageDown"," "],qe=["ArrowLeft","PageUp"],Ie="input, select, textarea, [role=slider]";function xe(e,{count:t,say:n,show:r}){let o=()=>typeof t=="function"?t():t,s=p("p",{class:"said",role:"status",dir:"auto"}),l=p("span",{class:"place"}),a=p("button",{type:"button",class:"back",onclick:()=>c.back()},"◀ Back"),i=p("button",{type:"button",class:"next",onclick:()=>c.next()},"Next ▶"),c={at:0,last:()=>o()-1,went:()=>{},bar:p("div",{class:"steps"},a,i,l,s),go(d,u=!1){c.at=Math.max(0,Math.min(d,c.last())),s.textContent=n(c.at),l.textContent=`${c.at+1} / ${o()}`,a.setAttribute("aria-disabled",c.at===0),i.setAttribute("aria-disabled",c.at===c.last()),r(c.at,u),c.went()},next(){return c.at>=c.last()?!1:(c.go(c.at+1,!0),!0)},back(){return c.at<=0?!1:(c.go(c.at-1),!0)}};return e.steps=c,e.onkeydown=d=>{if(d.altKey||d.ctrlKey||d.metaKey||d.defaultPrevented)return;let{key:u,target:m}=d;if(m.closest(Ie)||u===" "&&m.closest("button, summary"))return;(Fe.includes(u)?c.next():qe.includes(u)?c.back():u==="Home"?(c.go(0),!0):u==="End"&&(c.go(c.last()),!0))&&(d.preventDefault(),d.stopPropagation())},c}var T=-1,kt=be("n_grams",({root:e,data:t,model:n})=>{let r={...t.settings},o=Z(),s=t.languages[0],l=W(s.texts[0],t.languages).tokens,[a,i,c]=[null,[],null],d={corpus:ce(),bars:de(C),ladder:ue(),own:pe()},u=p("input",{type:"text","aria-label":"text",value:s.texts[0],spellcheck:"false",autocomplete:"off"}),m=p("p",{class:"problem",role:"status"}),b=_(),$=Q({label:"language",options:t.languages.map(({name:g},h)=>[h,g]),value:0,on:z}),f=(g,h,x,y,k=1,S=String)=>Y({label:h,min:x,max:y,step:k,value:r[g],format:S,on:j=>(r[g]=j,F())}),w=xe(e,{count:()=>i.length,say:ye,show:ke});u.addEventListener("input",()=>N(u.value,!0)),u.addEventListener("change",()=>N(u.value)),e.append(w.bar,p("div",{class:"row asked"},u,I("⌫ word",()=>A(l.slice(0,-1)),{"aria-label":"Take the last word away"}),b.element,$.element),m,d.own.element,p("div",{class:"columns"},p("div",{},d.corpus.element,d.ladder.element),p("div",{},d.bars.element,p("div",{class:"sliders"},f("n","n of the n-gram",1,t.most_n).element,f("discount","discount",0,.95,.05,E).element,f("longest","longest lookup",1,5).element,f("gamma","words copied, γ",1,8).element))));function _(){let g=[...s.texts.map((h,x)=>[x,h]),[T,"(my own text)"]];return V({label:"text to choose",options:g,value:0,on:h=>h!==T&&A(s.texts[h])})}function A(g){u.value=typeof g=="string"?g:g.map(h=>s.words[h]).join(" "),N(u.value)}function C(g){A([...l,g])}function N(g,h=!1){let x=W(g,t.languages,t.languages.indexOf(s));if(b.set(s.texts.includes(g)?s.texts.indexOf(g):T),x.unknown!==void 0){(!h||!x.begun)&&m.replaceChildren(p("bdi",{},P(x.unknown))," is no word of the corpus. The picture stays as it was.");return}m.replaceChildren(),l=x.tokens,t.languages[x.language]!==s&&B(x.language),b.set(s.texts.includes(g)?s.texts.indexOf(g):T),F(!0)}function z(g){B(g),A(l)}function B(g){s=t.languages[g],$.set(g);let h=_();b.element.replaceWith(h.element),b=h,d.corpus.draw(t.texts,s.words)}function F(g=!1){let h=i[w.at]??{kind:"text"};a=J(t.texts,s.words.length,l,r),i=[{kind:"text"}];for(let y of a.orders.filter(({ending:k})=>k))if(i.push({kind:"where",order:y}),y.total&&i.push({kind:"count",order:y}),y.total&&r.discount===0)break;i.push({kind:"mix"},{kind:"lookup"});let x=!g||h.kind==="mix"||h.kind==="lookup";w.go(x?i.findIndex(({kind:y,order:k})=>y===h.kind&&k?.length===h.order?.length):0)}let ve=g=>g.map(h=>P(s.words[h])).join(" ");function ye(g){let{kind:h,order:x}=i[g];return Oe[h]({order:x,now:a,said:ve,settings:r,found:({match:[y,k]})=>l.slice(y,y+k),next:i[g+1]?.order,short:a.orders[0].ending===null})}function ke(g,h){o.stop(),c?.land(),c=null;let{kind:x,order:y}=i[g],k=x==="mix"||x==="lookup";e.classList.toggle("telling",!k),e.classList.toggle("told",x==="lookup");let S=y??(k?a.orders.find(({total:v})=>v):null),j=S?q(t.texts,S.ending):[],$e=d.corpus.mark(j,S?.length??0,x==="count"||k),_e=i.slice(0,g+1).filter(v=>v.kind==="where").map(v=>v.order),Ae=i.slice(0,g+1).filter(v=>v.kind==="count").map(v=>v.order);d.ladder.draw(_e.map(v=>({order:v,counted:Ae.includes(v)})),a,s.words,k);let Ee=a.orders.find(({ending:v})=>v),Ce=d.own.draw(l,s.words,x==="lookup"?a:{context:(S??Ee).length});if(k&&d.bars.shares(a,s.words),x==="lookup"&&h&&G(Ce),k)return;if(x!=="count")return d.bars.empty();let Se=d.bars.counts(y,s.words);h&&G($e.map((v,H)=>[v,Se.get(t.texts[j[H][0]][j[H][1]])?.shift()]))}function G(g){let h=g.filter(([,x])=>x);M()||!h.length||(c=re(e,h),o.run(({tween:x})=>c.fly(x)))}B(0),F();let R=!!n.get("on_paper");return e.classList.toggle("paper",R),R&&w.go(i.length-1),()=>o.stop()},Pe()),we=e=>e===1?"once":e===2?"twice":`${e} times`,Oe={text:({now:e,said:t,short:n})=>{let[{ending:r,length:o}]=e.orders.filter(l=>l.ending);return o?`Which word comes next? Look up ${o===1?"the last word":`the last ${o} words`} in the corpus: “${t(r)}”.`:n?"There is no text yet: no context.":"n is 1: the model looks at no context at all."},where:({order:e,said:t,next:n})=>e.length?e.total?`“${t(e.ending)}” was seen ${we(e.total)}. Which words followed?`:`“${t(e.ending)}” was never seen: nothing is marked. Back off to ${n.length?`“${t(n.ending)}”`:"no context"}.`:`No context: all ${e.total} words of the corpus count.`,count:({order:e,said:t})=>{let n=e.followers.slice(0,4).map(([r,o])=>`${t([r])} ${we(o)}`);return`What followed ${e.length?`“${t(e.ending)}”`:"any words at all"}: ${n.join(", ")}${e.followers.length>4?", …":""}.`},mix:({now:e,said:t,settings:n})=>{let[r]=e.bars,o=e.ties===1?`${t([r.token])} is likeliest, ${E(r.probability)}`:`${e.ties} words are equally likely, ${E(r.probability)} each`,s=e.orders.find(({total:l})=>l);return n.discount===0?`${s.length?`“${t(s.ending)}”`:"No context"} decides alone: ${o}.`:`Every count gives up ${E(n.discount)} to the shorter contexts: ${o}.`},lookup:({now:e,said:t,found:n})=>e.match?`The lookup needs no corpus: “${t(n(e))}” stands earlier in the text. Copy what followed.`:"The lookup drafts nothing: nothing earlier in the text reads like its end."};function Pe(){return`
.n_grams { display: grid; gap: 0.4em; }
.n_grams .asked input { flex: 1 1 14em; min-width: 0; }
.n_grams .asked .choice span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.n_grams .asked .choice { flex: 0 1 18em; min-width: 0; } .n_grams .asked select { width: 100%; }
.n_grams .problem { font-weight: 600; } .n_grams .problem:empty { display: none; }
.n_grams .word { display: inline-block; padding: 0 0.35em; margin: 0.08em 0.06em; border: 2px solid transparent; border-radius: 0.3em; line-height: 1.4; background: var(--ground); }
.n_grams .word.follower { border: 2px dashed var(--draft); background: color-mix(in srgb, var(--draft) 22%, var(--ground)); }
.n_grams .word.context { border-color: var(--ink); background: var(--ink); color: var(--ground); font-weight: 600; }
.n_grams .word.context.follower { outline: 2px dashed var(--draft); }
.n_grams .corpus { list-style: none; margin: 0 0 0.6em; padding: 0.3em 0.4em; border: 1px solid var(--line); border-radius: 0.4em; }
.n_grams .corpus li { margin: 0; }
.n_grams .corpus li > :is(:first-child, :last-child):not(.context, .follower) { color: var(--quiet); }
.n_grams .own { font-size: 1.25em; } .n_grams .own .ask { margin-left: 0.4em; font-size: 1.3em; line-height: 1; }
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
.n_grams.telling .own { font-size: 1.6em; }
.n_grams.telling .sliders { visibility: hidden; } .n_grams:not(.told) .asked { display: none; }
.n_grams.paper :is(.steps button, .place, .asked, .sliders) { display: none; }
.n_grams.paper .panel { min-height: 0; }
.n_grams .flights { position: absolute; inset: 0; pointer-events: none; overflow: hidden; z-index: 2; }
@container (min-width: 62em) { .n_grams.telling .corpus { font-size: 1.15em; } }
@container (max-width: 34em) { .n_grams.telling .own { font-size: 1.25em; } .n_grams .corpus .word { padding: 0 0.16em; } .n_grams .ladder [role=row] { grid-template-columns: minmax(7em, 1fr) 1.2fr 4em; } .n_grams .panel { min-height: 0; } .n_grams.telling .sliders { display: none; } .n_grams .bar-row { grid-template-columns: 5em 1fr 4.4em; } .n_grams .sliders .slider span { grid-column: 1; } }
`}export{kt as default};
