/* Built by stage/build.mjs. Course: Apache-2.0. */
var be="http://www.w3.org/2000/svg";function i(e,t={},...r){return X(document.createElement(e),t,r)}function P(e,t={},...r){return X(document.createElementNS(be,e),t,r)}function X(e,t,r){for(let[n,o]of Object.entries(t))typeof o=="function"?e.addEventListener(n.replace(/^on/,""),o):o!==!1&&o!=null&&e.setAttribute(n,o===!0?"":o);return e.append(...r.flat().filter(n=>n!=null&&n!==!1)),e}function K(e,t,r={}){return i("button",{type:"button",onclick:t,...r},e)}var J=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function U(){let e=0,t=r=>{if(r!==e)throw _};return{stop:()=>{e++},async run(r){let n=++e,o=(s,l)=>new Promise((d,c)=>{if(J())return l(1),d();let u,m=h=>{if(n!==e)return c(_);u??=h;let y=Math.min((h-u)/s,1);l(y),y<1?requestAnimationFrame(m):d()};requestAnimationFrame(m)}),a=async s=>{J()||await new Promise(l=>setTimeout(l,s)),t(n)};try{return await r({tween:o,pause:a}),!0}catch(s){if(s!==_)throw s;return!1}}}}var H=e=>e<.5?4*e**3:1-(2-2*e)**3/2,_=Symbol("stopped");var O=(e,t)=>`${e} ${t}${e===1?"":"s"}`;function I(e,t){for(let r=2;r<6;r++){let[n,o]=[e.toFixed(r),t.toFixed(r)];if(n!==o)return[n,o]}return[e.toFixed(6),t.toFixed(6)]}var L={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},xe={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function F(e,t="given"){return i("span",{class:`chip ${t}`,title:xe[t]},i("bdi",{},M(e)),L[t]?i("i",{class:"sign","aria-label":t},L[t]):null)}function M(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(V,Q).replaceAll(" ","␣")||"·"}var D=e=>`…${e.replace(/^ /,"")}`,T=e=>`“⁨${M(e)}⁩”`,R=e=>e.replace(V,Q),V=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,Q=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;function ne(e,t){let{guesses:r,rows:n,emitted:o,kinds:a}=t,s=a.at(-1)==="accepted"?-1:ve(t),l=r.map((p,C)=>Z(`guess ${C+1}`,C)),d=Z("next",r.length),c=Ae(t),u=i("div",{class:"drawn",hidden:!0}),m=i("div",{class:`board${r.length>7?" tight":""}${r.length?"":" empty"}`,style:`--n: ${r.length}`},c.element,l.map(p=>p.element),d.element,u),h=[...l,d],y=[c,...h].map(p=>p.beam);function x(p){let C=r.slice(0,p.judged).findIndex(({fate:$})=>$!=="accepted");l.forEach(($,g)=>{let{text:q,fate:f}=r[g],v=!t.parents&&C>=0&&g>C,b=g<p.judged?f:v?"lost":"draft",w=p.last&&f==="lost"?"lost":b;$.slot.replaceChildren(...p.drafted?[F(q,w),ee("q",r[g].q,we(t,g))]:[i("span",{class:"ghost"},"?")]),$.band.replaceChildren(...p.passed?[ee("p",r[g].p)]:[]),$.face.replaceChildren(...p.passed?[ke(e,r[g],n[g],p,g)]:[]),$.element.className=`col guess ${w}`;let k=w==="accepted"?F(q,"accepted"):p.last&&g===s?F(o.at(-1),a.at(-1)):null;$.foot.replaceChildren(...k?[k]:[]),$.foot.classList.toggle("own",w!=="accepted"&&k!==null);for(let E of[$.slot,$.foot])E.style.cssText=""});let S=s===r.length;d.slot.replaceChildren(t.parents?"":i("span",{class:"ghost"},"next")),d.band.replaceChildren(...p.passed&&!t.parents?[i("span",{class:"amount"},r.length?"one more":"one row")]:[]),d.face.replaceChildren(...p.passed&&n[r.length]&&!(p.last&&S&&e.details&&t.drawn)?[Y(n[r.length])]:[]),d.foot.replaceChildren(...p.last&&S?[F(o.at(-1),a.at(-1))]:[]),d.foot.classList.toggle("own",p.last&&S),d.element.className=`col next${p.judged&&!S&&s>=0&&C>=0?" unused":""}`,d.element.style.opacity="",c.rows(p.passed),c.model?.removeAttribute("style"),c.face(!r.length||!p.passed?"":j(p));let z=p.last&&e.details&&t.drawn;u.hidden=!z,u.className=`drawn ${z?a.at(-1):""}`,u.replaceChildren(...z?[i("small",{},qe[a.at(-1)]),Y($e(t.drawn),a.at(-1))]:[]),m.classList.toggle("passed",p.passed),m.classList.toggle("drawing",!u.hidden),y.forEach($=>$.style.opacity=0),u.style.cssText=`--from: ${s+1}`}let j=p=>p.last&&e.details&&t.drawn&&a.at(-1)==="correction"?"residual":e.uniforms?p.bars?"test":"rows":p.judged?"uniforms":"rows";return{element:m,paint:x,columns:l,next:d,beams:y,drawn:u,all:h,place:s,model:c.model}}function ve({guesses:e,parents:t,emitted:r}){return t?e.length:Math.min(r.length-1,e.length)}function Z(e,t){let[r,n,o,a]=["slot","band","face","foot"].map(d=>i("div",{class:d})),s=i("span",{class:"beam","aria-hidden":"true"});return{element:i("div",{class:"col",role:"group","aria-label":e,style:`--col: ${t}`},r,n,o,a,s),slot:r,band:n,face:o,foot:a,beam:s}}var ee=(e,t,r="")=>i("span",{class:`amount ${e}`},i("i",{},e),` ${ye(t)}`,r);function we({parents:e,guesses:t},r){return e&&e[r]>=0?i("bdi",{},` after ${M(t[e[r]].text)}`):""}var ye=e=>e>0&&e<5e-4?"<0.001":e>0&&e<.0995?e.toFixed(3):re(e),re=e=>e>0&&e<.005?"<0.01":e.toFixed(2);function ke(e,t,r,n,o){return!n.bars||!e.uniforms&&!n.judged?Y(r):je(e,t,o<n.judged)}function Y({top:e,marked:t},r="p"){return i("ol",{class:`row-of ${r}`},e.map(([n,o],a)=>i("li",{class:a===t?"marked":"",style:`--share: ${o}`},i("span",{class:"bar"}),i("bdi",{},M(n)),i("span",{class:"value"},re(o)))))}function $e({top:e,marked:t}){return{top:e.slice(0,t>3?3:4).concat(t>3?[e[t]]:[]),marked:Math.min(t,3)}}function je(e,{u:t,ratio:r,bar:n,fate:o},a){let s=a&&(o!=="lost"||!e.uniforms),[l,d]=n===null?[t.toFixed(2),""]:I(t,r),c=o==="accepted"?"✓":"✗",u=s?n===null?[i("span",{},`u ${l}`)]:[i("span",{},l),i("span",{},`${o==="accepted"?"<":"≥"} ${d}`)]:[i("span",{},n===null?"":`p/q ${r.toFixed(2)}`)];return i("div",{class:`test ${s?`landed ${o}`:""}`,style:`--bar: ${n??0}; --u: ${s?t:1.3}`},i("div",{class:`gauge${n===null?" none":""}`},i("div",{class:"fill"}),i("div",{class:"rail"},i("span",{class:"uniform"},i("i",{},"u")))),s&&e.uniforms?i("span",{class:"sign","aria-label":o},c):null,i("div",{class:"words"},u))}var Ce={"":[],rows:["rows of p","the likeliest next tokens at each place, all from the same pass"],test:["the test","a uniform u between 0 and 1","below the bar, min(1, p/q): accepted"],uniforms:["the uniforms","the rule of this run is not u < p/q, so there is no bar"],residual:["the residual","max(p − q, 0), scaled to sum 1"]};function Ae({guesses:e,certain:t,parents:r}){let n=i("div",{class:"face"}),o=i("span",{class:"beam","aria-hidden":"true"}),a=i("span"),s=t?null:te(2),l=e.length+1,d=m=>a.textContent=m?`one pass, ${l} row${l>1?"s":""}`:"one pass",c=i("div",{class:"labels"},i("div",{class:"slot"},i("span",{},s,i("b",{},t?"draft":"draft model")),i("small",{class:"quiet"},e.length?r?"candidates":t?"proposed without a model":"a small pass for each guess":"nothing is drafted")),i("div",{class:"band"},te(4),i("b",{},"target model"),a,o),n,i("div",{class:"foot"},i("b",{},"into the text"))),u=([m,...h])=>m?[i("b",{},m),...h.map(y=>i("small",{class:"quiet"},y))]:[];return{element:c,beam:o,rows:d,model:s,face:m=>n.replaceChildren(...u(Ce[m]))}}function te(e){let t=12+6*(e-1),r=Array.from({length:e},(n,o)=>t-11-6*o);return P("svg",{class:"weights",width:"1.6em",height:`${t/20}em`,viewBox:`0 0 32 ${t}`,"aria-hidden":"true"},r.map(n=>P("path",{d:`M16 ${n} l15 5 l-15 5 l-15 -5 z`})))}var qe={correction:"residual",bonus:"p, the last row",target:"p"};function oe(e,t){let{target:r,draft:n}=t.caches,o=t.context+t.guesses.length,a=[s("target","target cache",[r[0],o,r[1]],l=>l.passed)];n&&a.push(s("draft","draft cache",n,l=>l.drafted));function s(l,d,[c,u,m],h){let y=Ee(e,t).concat(t.guesses.map(({text:g})=>M(g))),x=t.context-2,j=y.map((g,q)=>i("span",{class:"cell",style:`--at: ${q}`},i("bdi",{},g??""))),p=i("span",{class:"cell rest"}),C=i("span",{class:"count"}),S=i("div",{class:`cache ${l}`,role:"img"},i("b",{class:"name",title:"in tokens"},d),p,j,C),z=(g,q)=>g<0?"none":q.done?g<m?"had":g<u?"gone":"empty":h(q)?g<c?"had":g<u?"new":"empty":g<c?"had":"empty";return{element:S,paint:g=>{j.forEach((f,v)=>f.className=`cell ${z(x+v,g)}`),p.hidden=!1,p.textContent=x>0?`… ${x} before`:"",p.className=`cell rest ${x>0?z(x-1,g):"none"}`;let q=[c,...h(g)?[u]:[],...g.done&&m!==u?[m]:[]];C.textContent=q.join(" → "),S.setAttribute("aria-label",`${d}: ${C.textContent} tokens`)}}}return{elements:a.map(({element:l})=>l),paint:l=>a.forEach(({paint:d})=>d(l))}}function Ee(e,{start:t,context:r}){return[2,1].map(n=>r<n?null:t>=n?M(e.pieces[t-n]):"prompt")}var A=(e,t)=>Object.assign(e.style,t),se=e=>e*e,ae={async draft({tween:e,ease:t,drawn:r}){let n=r.board.columns.map(({slot:a})=>a);n.forEach(a=>A(a,{opacity:0}));let{model:o}=r.board;for(let a of n)await e(Math.min(280,1150/n.length),s=>{A(a,{opacity:s,transform:`translateX(${-1.6*(1-t(s))}em)`}),o&&A(o,{transform:`scale(${1+.4*Math.sin(Math.PI*s)})`})})},async pass({tween:e,drawn:t}){let{beams:r,all:n}=t.board,o=n.flatMap(({band:a,face:s})=>[...a.children,...s.children]);await e(850,a=>{let s=a<.25?a/.25:(1-a)/.75;r.forEach(d=>A(d,{opacity:s}));let l=Math.max(0,Math.min(1,(a-.25)/.25));o.forEach(d=>A(d,{opacity:l}))})},async bars({tween:e,ease:t,drawn:r}){let n=[...r.board.element.querySelectorAll(".fill")];await e(500,o=>n.forEach(a=>a.style.setProperty("--grown",t(o))))},async test({tween:e,pause:t,ease:r,step:n,drawn:o,before:a,after:s}){a();let{columns:l,next:d}=o.board,{u:c,fate:u}=o.round.guesses[n.guess],m=l[n.guess].face.querySelector(".test"),h=1.45;if(m.classList.add("falling"),await e(620,x=>m.style.setProperty("--u",h+(c-h)*se(x))),await t(120),s(),u==="accepted"){let{foot:x}=l[n.guess];return e(260,j=>A(x,{opacity:j,transform:`translateY(${-1.5*(1-r(j))}em)`}))}let y=l.slice(n.guess+1);return e(450,x=>{y.forEach(({slot:j},p)=>A(j,x<1?{opacity:1-.55*x,transform:`translateY(${.8*se(x)}em) rotate(${(p%2?-1:1)*7*Math.sin(Math.PI*x)}deg)`}:{opacity:"",transform:""})),d.element.style.opacity=x<1?1-.6*x:""})},async verdict({tween:e,pause:t,before:r,after:n,drawn:o}){r(),await t(350),n();let a=o.board.columns.map(({foot:s})=>s);await e(300,s=>a.forEach(l=>A(l,{opacity:s})))},async last({tween:e,ease:t,drawn:r}){let{drawn:n,all:o,place:a}=r.board,s=o[a]?.foot;if(!s)return;let l=s.firstElementChild;A(l,{opacity:0}),n.hidden||await e(350,d=>A(n,{opacity:d})),await e(420,d=>A(l,{opacity:Math.min(1,2*d),transform:`translateY(${-3.5*(1-t(d))}em)`}))},async end({tween:e,ease:t,root:r}){let n=[...r.querySelectorAll(".text .chip")];await e(500,o=>{n.forEach(a=>A(a,{opacity:o,transform:`translateY(${1.2*(1-t(o))}em)`}))})}};var Se=2,ze=200;function ie(e){return e.rounds.flatMap((t,r)=>{let n=["begin"];return t.guesses.length&&n.push("draft"),n.push("pass"),t.guesses.length&&e.uniforms?(n.push("bars"),t.guesses.forEach(({fate:o},a)=>o!=="lost"&&n.push({kind:"test",guess:a}))):t.guesses.length&&n.push("verdict"),n.push("last","end"),n.map(o=>({round:r,...o.kind?o:{kind:o}}))})}function ce(e,t){let r=["begin","draft","pass","bars","test","verdict","last","end"],n=o=>r.indexOf(e.kind)>=r.indexOf(o);return{drafted:n("draft"),passed:n("pass"),bars:n("bars"),judged:e.kind==="test"?e.guess+1:n("verdict")?t.guesses.length:0,last:n("last"),done:n("end")}}function le(e,{start:t,context:r}){let n=typeof e.prompt=="string",o=e.pieces.slice(0,t).join(""),a=(n?e.prompt:"")+o,s=[...a.split(`
`).slice(-Se).join(`
`)].slice(-ze).join(""),l=s.length<a.length||!n&&0<t&&t<r,d=Math.min(o.length,s.length),[c,u]=[s.slice(0,s.length-d),s.slice(s.length-d)];return!n&&t===0&&r?{prompt:null,added:""}:l?c?{prompt:D(c),added:u}:{prompt:c,added:D(u)}:{prompt:c,added:u}}var W=e=>e.guesses.some(({fate:t})=>t==="rejected");function G(e,t,r=!1){let n=e.rounds[t.round],{guesses:o}=n,a=O(o.length,"guess").replace("guesss","guesses");switch(t.kind){case"begin":return o.length?`Round ${t.round+1} begins. ${a} will be drafted.`:`Round ${t.round+1} begins. Nothing is drafted in it.`;case"draft":return n.parents?`${a} are drafted, as candidates: several may stand at one position.`:n.certain?`${a} ${o.length>1?"are":"is"} proposed at once, without a model: q = 1 for ${o.length>1?"each":"it"}.`:o.every(({q:s})=>s===1)?`The draft writes ${a}, one after the other, and is certain of ${o.length>1?"each":"it"}: q = 1.`:`The draft writes ${a}, one after the other. q is the probability it gave to ${o.length>1?"each":"it"}.`;case"pass":return o.length?`One pass of the target reads everything at once: ${O(Me(n),"row")} of p, none waits for another.`:"One pass of the target gives one row of p.";case"bars":return`The bar of a guess is min(1, p/q) high. A uniform below it accepts the guess. ${o.length>1?"Which ones?":"Will it?"}`;case"test":return r?`A uniform falls against the bar of ${T(o[t.guess].text)} …`:Ne(n,t.guess);case"verdict":{let s=o.filter(({fate:l})=>l==="accepted").length;return r?"The rule of this run judges the draft …":`The rule of this run is not u < p/q guess by guess, so there are no bars. It accepts ${s} of ${a}.`}case"last":return Fe(e,n);default:return Te(n,e.details)}}var Me=e=>e.guesses.length+1;function Ne(e,t){let{text:r,u:n,ratio:o,fate:a}=e.guesses[t],[s,l]=I(n,o);if(a==="accepted")return`u = ${s} is below p/q = ${l}: ${T(r)} is accepted.`;let d=e.guesses.length-t-1,c=d===0?"":d===1?" The guess behind it is never examined.":` The ${d} guesses behind it are never examined.`;return`u = ${s} is not below p/q = ${l}: ${T(r)} is rejected.${c}`}function Fe(e,t){let r=T(t.emitted.at(-1));switch(t.kinds.at(-1)){case"correction":return e.details?e.uniforms?`The correction ${r} is drawn from the residual: what p has more than q, scaled to sum 1.`:`The correction ${r} is the target's own token.`:`The target's own token takes the place of the rejected guess: ${r}, the correction.`;case"bonus":return t.parents?`The accepted guess has a row of p behind it, too: the bonus ${r} is drawn from it.`:`Every guess is accepted, and the pass has one row more: the bonus ${r} is drawn from it.`;case"target":return`Nothing was drafted, so the target says the next token itself: ${r}.`;default:return`${r} is a stop token: the text ends inside the draft, and nothing more is drawn.`}}function Te(e,t){let r=O(e.emitted.length,"token"),o=t&&e.caches.target[1]<e.context+e.guesses.length?` What is not in the text leaves the cache${e.caches.draft?"s":""}.`:"";return`One pass of the target added ${r} to the text.${o}`}function de(e,t){let r=Math.max(...e.rounds.map(({emitted:s})=>s.length)),n=e.rounds.map((s,l)=>{let d=i("span",{class:"pile"});return{body:d,element:i("button",{type:"button",onclick:()=>t(l)},d),round:s}}),o=i("div",{class:"strip",role:"group","aria-label":"rounds"},n.map(s=>s.element)),a="";return{element:o,paint(s,l){a!==`${s} ${l}`&&(a=`${s} ${l}`,n.forEach(({element:d,body:c,round:u},m)=>{let h=u.kinds.filter(j=>j==="accepted").length,y=m<l,x=u.kinds.at(-1);c.replaceChildren(...y?[x==="accepted"?"":i("i",{class:x},L[x]),i("span",{class:"height",style:`--share: ${h/r}`})]:[i("i",{class:"unseen"},"·")]),d.setAttribute("aria-label",`Round ${m+1}${y?`: ${h} of ${u.guesses.length} accepted`:""}`),d.setAttribute("aria-current",m===s?"step":"false")}))}}}var ue=`.round .steps { gap: 0.4em 0.6em; }
.round .steps .said { flex: 1 1 100%; font-size: 1.08em; min-height: 1.45em; }
.round .where { color: var(--quiet); padding: 0 0.3em; font-variant-numeric: tabular-nums; }
.round .top { display: flex; gap: 1.2em; align-items: end; margin: 0.2em 0 0.5em; }
.round .text { flex: 1 1 0; min-width: 0; min-height: 3.3em; margin: 0; padding: 0.1em 0.6em; border-left: 0.25em solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; font-family: var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace; display: flow-root; }
.round .caret { display: inline-block; width: 0.12em; height: 1.1em; vertical-align: text-bottom; background: var(--ink); }

.round .strip { display: flex; align-items: end; flex: 0 1 auto; max-width: 45%; }
.round .strip button { flex: 1 1 1.6em; min-width: 0.4em; width: 1.6em; height: 3em; min-height: 2.2em; padding: 0; border: 0; border-bottom: 0.16em solid var(--line); border-radius: 0.2em 0.2em 0 0; background: none; }
.round .strip button:hover { background: var(--faint); }
.round .strip button[aria-current="step"] { border-bottom-color: var(--ink); background: var(--faint); }
.round .pile { display: flex; flex-direction: column; justify-content: end; align-items: center; height: 100%; overflow: hidden; }
.round .pile i { font-style: normal; font-size: 0.92em; line-height: 1.1; font-weight: 700; color: var(--ink); }
.round .pile .unseen { color: var(--quiet); }
.round .pile .height { width: 62%; height: calc(1.9em * var(--share)); background: var(--accepted); }

.round .board { position: relative; display: grid; row-gap: 0.35em; grid-template-columns: 7.4em 6.2em 4.2em 4.2em repeat(var(--n), minmax(2.6em, 1fr)) minmax(8em, 1.15fr); }
.round.plain .board { grid-template-columns: 20em repeat(var(--n), minmax(2.6em, 1fr)) minmax(8em, 1.15fr); }

.round .board.empty { grid-template-columns: 7.4em 6.2em 4.2em 4.2em minmax(8em, 1fr); }
.round.plain .board.empty { grid-template-columns: 20em minmax(8em, 1fr); }
.round .labels { grid-column: 1 / 5; grid-row: 1; }
.round.plain .labels { grid-column: 1 / 2; }
.round .labels > div { display: flex; flex-direction: column; justify-content: center; align-items: start; padding: 0 0.6em 0 0; text-align: left; }
.round .labels .band { white-space: nowrap; flex-direction: row; align-items: center; justify-content: start; gap: 0.5em; padding-left: 0.5em; border-radius: 0.4em 0 0 0.4em; }
.round .labels b { font-weight: 700; white-space: nowrap; }
.round .labels small { line-height: 1.25; }
.round .col { position: relative; grid-row: 1; grid-column: calc(var(--col) + 5); min-width: 0; }
.round.plain .col { grid-column: calc(var(--col) + 2); }
.round .slot { height: 3.5em; }
.round .band { height: 2.1em; }
.round .face { height: 6.6em; padding: 0.3em 0.3em 0; }
.round .foot { height: 2.1em; }
.round .col > div { display: flex; flex-direction: column; align-items: center; justify-content: center; min-width: 0; }
.round .col .face { justify-content: start; align-items: stretch; }
.round .col .chip { display: inline-flex; max-width: 100%; font-size: 1.1em; }
.round .col .chip.rejected, .round .col .chip.lost { text-decoration: none; }
.round .col .chip.rejected bdi, .round .col .chip.lost bdi { text-decoration: line-through; }
.round .col .chip bdi { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.round .amount { max-width: 100%; overflow: hidden; text-overflow: ellipsis; font-variant-numeric: tabular-nums; white-space: nowrap; }
.round .amount i { font-style: italic; }
.round .ghost { color: var(--quiet); border: 2px dotted var(--line); border-radius: 0.3em; padding: 0 0.5em; }

.round .band { background: color-mix(in srgb, var(--target) 12%, var(--ground)); border-block: 2px solid color-mix(in srgb, var(--target) 45%, var(--ground)); transition: background 300ms; }
.round .labels .band { border-left: 2px solid color-mix(in srgb, var(--target) 45%, var(--ground)); }
.round .col.next .band { border-radius: 0 0.4em 0.4em 0; border-right: 2px solid color-mix(in srgb, var(--target) 45%, var(--ground)); }
.round .passed .band { background: color-mix(in srgb, var(--target) 26%, var(--ground)); border-color: var(--target) !important; }
.round .passed .col.lost .band, .round .passed .col.unused .band { background: color-mix(in srgb, var(--target) 12%, var(--ground)); }
.round .slot .weights { display: inline-block; vertical-align: -0.05em; margin: 0 0.5em; }
.round .weights path { fill: var(--target); stroke: var(--ground); stroke-width: 1.5; }
.round .slot .weights path { fill: var(--draft); }
.round .beam { position: absolute; z-index: 2; inset: 3.4em 4% 2em; opacity: 0; pointer-events: none; border-radius: 0.3em; background: linear-gradient(color-mix(in srgb, var(--target) 80%, var(--ground)), var(--target) 22%, color-mix(in srgb, var(--target) 45%, transparent) 60%, transparent); }
.round .labels .beam { inset: 0; background: var(--target); }
.round .labels .band { position: relative; }

.round .row-of { list-style: none; margin: 0; padding: 0; width: 100%; }
.round .row-of li { position: relative; display: flex; gap: 0.3em; justify-content: space-between; margin: 0.08em 0; padding: 0 0.3em; font-size: 0.92em; line-height: 1.28; }
.round .row-of bdi { position: relative; min-width: 0; overflow: hidden; white-space: pre; text-overflow: ellipsis; font-family: var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace; }
.round .row-of .bar { position: absolute; inset: 0; border-radius: 0.15em; transform-origin: left; transform: scaleX(var(--share)); background: color-mix(in srgb, var(--own) 45%, var(--ground)); }
.round .row-of .value { position: relative; font-variant-numeric: tabular-nums; }
.round .row-of .marked { font-weight: 700; }
.round .row-of.p .marked { outline: 2px dashed var(--draft); outline-offset: -1px; border-radius: 0.15em; }
.round .drawn .marked { outline: 3px double var(--own); outline-offset: 0; border-radius: 0.15em; }
.round .row-of { --own: var(--target); }
.round .row-of.correction { --own: var(--correction); }
.round .row-of.bonus { --own: var(--bonus); }
.round .test { position: relative; display: grid; grid-template-columns: 1fr auto 1fr; width: 100%; }
.round .gauge { position: relative; grid-column: 2; width: 2.6em; height: 4.7em; border: 1px solid var(--quiet); border-radius: 0.2em; background: var(--ground); }
.round .gauge .fill { position: absolute; inset: 0; transform-origin: bottom; transform: scaleY(calc(var(--bar) * var(--grown, 1))); background: color-mix(in srgb, var(--target) 55%, var(--ground)); }
.round .test.accepted .fill { background: color-mix(in srgb, var(--accepted) 70%, var(--ground)); }
.round .gauge.none .fill { display: none; }
.round .rail { position: absolute; z-index: 1; inset: 0; opacity: 0; transform: translateY(calc((1 - var(--u)) * 100%)); }
.round .landed .rail, .round .falling .rail { opacity: 1; }
.round .uniform { position: absolute; left: -0.3em; right: -0.3em; top: -0.12em; height: 0.24em; border-radius: 0.12em; background: var(--ink); }
.round .uniform i { position: absolute; right: calc(100% + 0.25em); top: -0.75em; line-height: 1.5; font-weight: 700; }
.round .test .sign { grid-column: 3; align-self: center; padding-left: 0.2em; font-size: 1.5em; font-weight: 700; line-height: 1; }
.round .test.accepted .sign { color: var(--accepted); }
.round .test.rejected .sign { color: var(--rejected); }
.round .words { grid-column: 1 / -1; display: flex; justify-content: center; gap: 0.1em; white-space: nowrap; font-variant-numeric: tabular-nums; }

.round .col.lost > div, .round .col.unused > div { color: var(--quiet); }
.round .col.lost .gauge, .round .col.lost .bar, .round .col.unused .bar { opacity: 0.3; }
.round .drawing .col.lost .face, .round .drawing .col.unused .face { visibility: hidden; }
.round .drawn { grid-row: 1; grid-column: calc(var(--from) + 5) / -1; align-self: start; margin: 5.9em 0.2em 0 0.5em; width: min(100% - 0.7em, 18em); padding: 0.1em 0.5em; }
.round .drawn[hidden] { display: none; }
.round .drawn.bonus, .round .drawn.target { grid-column: -2 / -1; }

.round .cache { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center; min-height: 1.8em; }
.round .cache .name { font-weight: 700; white-space: nowrap; }
.round .cell { display: block; height: 1.7em; margin: 0 1px; padding: 0 0.1em; border: 1px solid transparent; border-radius: 0.2em; font-size: 0.92em; line-height: 1.7; text-align: center; white-space: pre; overflow: hidden; text-overflow: ellipsis; transition: background 250ms, border-color 250ms; }
.round .cache.target { --own: var(--target); }
.round .cache.draft { --own: var(--draft); }
.round .cell.had { background: color-mix(in srgb, var(--own) 20%, var(--ground)); border-color: color-mix(in srgb, var(--own) 70%, var(--ground)); }
.round .cell.new { background: color-mix(in srgb, var(--own) 55%, var(--ground)); border-color: var(--own); }
.round .cell.gone { border: 1px dashed var(--quiet); color: var(--quiet); text-decoration: line-through; }
.round .cell.empty { color: transparent; border: 1px dotted var(--line); }
.round .cell.none { visibility: hidden; }
.round .cache .count { padding-left: 0.6em; font-variant-numeric: tabular-nums; white-space: nowrap; }
.round .words { font-size: 0.92em; }
.round.on-paper .steps button { display: none; }
.round.on-paper .steps .said { min-height: 0; }

@container (min-width: 58em) {
  .round .board:not(.tight) .col .chip { font-size: 1.25em; }
}
@container (min-width: 44.1em) {
  .round .tight .col.guess .row-of .value, .round .tight .amount i, .round .tight .uniform i, .round .tight .test .sign { display: none; }
  .round .tight .guess .words { display: flex; flex-direction: column; line-height: 1.2; font-size: 0.92em; }
  .round .tight .guess .gauge { width: 1.6em; height: 3.9em; }
  .round .tight .guess .chip { font-size: 0.92em; padding: 0 0.1em; }
  .round .tight .guess .amount { font-size: 0.92em; }
}
@container (min-width: 44.1em) and (max-width: 58em) {
  .round .board { grid-template-columns: 7.2em 5.5em 3.8em 3.8em repeat(var(--n), minmax(2.6em, 1fr)) minmax(7.6em, 1fr); }
  .round.plain .board { grid-template-columns: 18.4em repeat(var(--n), minmax(2.6em, 1fr)) minmax(5.4em, 0.6fr); }
  .round .steps .said { min-height: 2.9em; }
}
@container (min-width: 44.1em) and (max-width: 50em) {
  .round .board { grid-template-columns: 7.2em 3.9em 2.4em 2.3em repeat(var(--n), minmax(2.6em, 1fr)) 6.6em; }
  .round .labels .band { font-size: 0.92em; height: 2.283em; gap: 0.4em; padding-left: 0.3em; }
  .round .labels .band .weights { display: none; }
  .round .guess .words, .round .col .amount { font-size: 0.92em; letter-spacing: -0.02em; }
}
@container (max-width: 44em) {
  .round .steps .said { min-height: 4.4em; font-size: 1em; }
  .round .next .amount { white-space: normal; }
  .round .gauge { overflow-x: clip; }
  .round .cell.rest { max-width: none; }
  .round .top { flex-wrap: wrap; gap: 0.4em; }
  .round .text { flex-basis: 100%; min-height: 1.6em; }
  .round .strip { max-width: 100%; }
  .round .board, .round.plain .board { display: flex; flex-direction: column; row-gap: 0; }
  .round .col, .round .labels { display: grid; grid-template-columns: 6em 5.4em minmax(0, 1fr); align-items: center; column-gap: 0.4em; border-bottom: 1px solid var(--line); }
  .round .labels small, .round .labels div .weights, .round .labels > .foot { display: none; }
  .round .labels b { white-space: normal; }
  .round .labels > div { align-items: center; padding: 0; text-align: center; }
  .round .labels .band { flex-direction: column; gap: 0; white-space: normal; }
  .round .slot, .round .band, .round .face { height: auto; min-height: 3.1em; }
  .round .board .band { align-self: stretch; border-block: 0; border-inline: 2px solid var(--target); border-radius: 0; text-align: center; line-height: 1.2; }
  .round .col .face { padding: 0.1em 0; justify-content: center; }
  .round .row-of li:nth-child(n + 3):not(.marked) { display: none; }
  .round .test { grid-template-columns: minmax(0, 1fr) 1.6em; }
  .round .gauge { grid-column: 1; width: auto; height: 1.3em; }
  .round .gauge .fill { transform-origin: left; transform: scaleX(calc(var(--bar) * var(--grown, 1))); }
  .round .rail { transform: translateX(calc(var(--u) * 100%)); }
  .round .uniform { inset: -0.2em auto -0.2em -0.12em; width: 0.24em; height: auto; }
  .round .uniform i { display: none; }
  .round .test .sign { grid-column: 2; }
  .round .words { grid-column: 1; }
  .round .col > .foot { display: none; }
  .round .col > .foot.own { display: flex; grid-column: 1 / 3; height: 2.3em; }
  .round .beam { inset: 0.2em 0 0.2em 6.2em; background: linear-gradient(to right, var(--target), transparent); }
  .round .labels .beam { inset: 0; }
  .round .drawn, .round .drawn.bonus, .round .drawn.target { margin: 0.3em 0; width: 100%; }
  .round .drawing .col.lost .face, .round .drawing .col.unused .face { visibility: visible; }
  .round .cache { display: flex; flex-wrap: wrap; row-gap: 0.2em; padding-top: 0.3em; }
  .round .cache .name { order: -2; }
  .round .cache .count { order: -1; flex: 1 1 calc(100% - 8em); }
  .round .cell { max-width: 4.4em; min-width: 1.6em; }
}
`;function me(e){let t=()=>{e.dataset.ground=Ie(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},r=()=>[0,100,400].forEach(a=>setTimeout(t,a)),n=new MutationObserver(r);for(let a of[document.documentElement,document.body])n.observe(a,{attributes:!0});let o=matchMedia("(prefers-color-scheme: dark)");return o.addEventListener("change",r),t(),r(),()=>{n.disconnect(),o.removeEventListener("change",r)}}function Ie(e){let[t,r,n,o=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return o===0?1:(.2126*t+.7152*r+.0722*n)/255}var pe=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function ge(e,t,r=""){return{render({model:n,el:o}){fe("stage",pe),r&&fe(e,r);let a=i("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":n.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});o.replaceChildren(a);let s=me(a),l,d=()=>{let{at:m,last:h}=a.steps;n.get("step")===m&&n.get("last_step")===h()||(n.set("last_step",h()),n.set("step",m),n.save_changes())},c=()=>{let m=a.steps;if(!m?.last)return;m.went=d;let h=n.get("step")??m.at;h===m.at?d():m.go(h)},u=()=>{l?.(),a.replaceChildren(),l=t({root:a,data:n.get("data"),model:n}),c()};return n.on("change:data",u),n.on("change:step",c),u(),()=>{n.off("change:data",u),n.off("change:step",c),l?.(),s()}}}}function fe(e,t){let r=`course-look-${e}`,n=document.getElementById(r);n?n.textContent=t:document.head.append(i("style",{id:r},t))}var Be=["ArrowRight","PageDown"," "],Pe=["ArrowLeft","PageUp"],Ke="input, select, textarea, [role=slider]";function he(e,{count:t,say:r,show:n}){let o=()=>typeof t=="function"?t():t,a=i("p",{class:"said",role:"status",dir:"auto"}),s=i("span",{class:"place"}),l=i("button",{type:"button",class:"back",onclick:()=>c.back()},"◀ Back"),d=i("button",{type:"button",class:"next",onclick:()=>c.next()},"Next ▶"),c={at:0,last:()=>o()-1,went:()=>{},bar:i("div",{class:"steps"},l,d,s,a),go(u,m=!1){c.at=Math.max(0,Math.min(u,c.last())),a.textContent=r(c.at),s.textContent=`${c.at+1} / ${o()}`,l.setAttribute("aria-disabled",c.at===0),d.setAttribute("aria-disabled",c.at===c.last()),n(c.at,m),c.went()},next(){return c.at>=c.last()?!1:(c.go(c.at+1,!0),!0)},back(){return c.at<=0?!1:(c.go(c.at-1),!0)}};return e.steps=c,e.onkeydown=u=>{if(u.altKey||u.ctrlKey||u.metaKey||u.defaultPrevented)return;let{key:m,target:h}=u;if(h.closest(Ke)||m===" "&&h.closest("button, summary"))return;(Be.includes(m)?c.next():Pe.includes(m)?c.back():m==="Home"?(c.go(0),!0):m==="End"&&(c.go(c.last()),!0))&&(u.preventDefault(),u.stopPropagation())},c}var zt=ge("round",({root:e,data:t,model:r})=>{let n=U(),o=ie(t),a=f=>o.findIndex(v=>v.round===f),s=null,l=0,d=-1,c=he(e,{count:o.length,say:f=>j(f),show:S}),u=de(t,f=>p(a(f))),m=i("span",{class:"where"}),h=i("p",{class:"text",dir:"auto"}),y=i("div",{class:"picture"});c.bar.querySelector(".place").replaceWith(m,K("Skip round",()=>p(a(Math.min(o[c.at].round+1,t.rounds.length-1)))),t.rounds.some(W)?K("Jump to a miss",C):"");let x=c.bar.querySelector(".said");e.append(c.bar,i("div",{class:"top"},h,u.element),y),e.classList.toggle("plain",!t.details);function j(f){let v=o[f];return v.kind==="begin"&&d===v.round?`In round ${v.round+1} a guess is rejected. Which one?`:G(t,v)}function p(f){c.go(f)}function C(){let{round:f,kind:v}=o[c.at],b=v==="begin"&&d!==f?0:1,w=t.rounds.length;for(let k=b;k<=w;k++){let E=(f+k)%w;if(W(t.rounds[E]))return d=E,p(a(E))}}function S(f,v){n.stop();let b=o[f];(!s||s.index!==b.round)&&(s=z(b.round)),b.kind!=="begin"&&(d=-1),l=Math.max(l,b.round+(b.kind==="end"?1:0)),m.textContent=`Round ${b.round+1} of ${t.rounds.length}`,u.paint(b.round,l);let w=N=>{let B=ce(N,s.round);s.board.paint(B),s.caches?.paint(B),$(B.done)};if(w(b),!v||f===0||o[f-1].round!==b.round)return;let k=()=>{x.textContent=G(t,b,!0),w(o[f-1])},E=()=>{w(b),x.textContent=j(f)};n.run(N=>ae[b.kind]?.({...N,ease:H,step:b,drawn:s,root:e,before:k,after:E}))}function z(f){let v=t.rounds[f],b={index:f,round:v,board:ne(t,v),caches:t.details?oe(t,v):null},w=b.board.element;return b.caches&&w.append(...b.caches.elements),y.replaceChildren(w),b}function $(f){let{emitted:v,kinds:b}=s.round,{prompt:w,added:k}=le(t,s.round);h.replaceChildren(i("bdi",{},i("span",{class:"quiet"},R(w??"prompt … ")),R(k)),...f?v.map((E,N)=>F(E,b[N])):[i("span",{class:"caret","aria-hidden":"true"})])}let g=!!r.get("on_paper");return e.classList.toggle("on-paper",g),c.go(g?q():0),()=>n.stop();function q(){let f=["accepted","rejected","lost"],v=({guesses:k})=>f.filter(E=>k.some(N=>N.fate===E)).length,b=Math.max(...t.rounds.map(v)),w=t.rounds.findIndex(k=>v(k)===b);return l=w+1,o.findLastIndex(k=>k.round===w)}},ue);export{zt as default};
