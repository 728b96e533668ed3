/* Built by stage/build.mjs. Course: Apache-2.0. */
var be="http://www.w3.org/2000/svg";function a(e,t={},...n){return _(document.createElement(e),t,n)}function P(e,t={},...n){return _(document.createElementNS(be,e),t,n)}function _(e,t,n){for(let[r,o]of Object.entries(t))typeof o=="function"?e.addEventListener(r.replace(/^on/,""),o):o!==!1&&o!=null&&e.setAttribute(r,o===!0?"":o);return e.append(...n.flat().filter(r=>r!=null&&r!==!1)),e}function K(e,t,n={}){return a("button",{type:"button",onclick:t,...n},e)}var J=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function U(){let e=0,t=n=>{if(n!==e)throw D};return{stop:()=>{e++},async run(n){let r=++e,o=(s,c)=>new Promise((l,d)=>{if(J())return c(1),l();let u,p=v=>{if(r!==e)return d(D);u??=v;let y=Math.min((v-u)/s,1);c(y),y<1?requestAnimationFrame(p):l()};requestAnimationFrame(p)}),i=async s=>{J()||await new Promise(c=>setTimeout(c,s)),t(r)};try{return await n({tween:o,pause:i}),!0}catch(s){if(s!==D)throw s;return!1}}}}var H=e=>e<.5?4*e**3:1-(2-2*e)**3/2,D=Symbol("stopped");var O=(e,t)=>`${e} ${t}${e===1?"":"s"}`;function I(e,t){for(let n=2;n<6;n++){let[r,o]=[e.toFixed(n),t.toFixed(n)];if(r!==o)return[r,o]}return[e.toFixed(6),t.toFixed(6)]}var L={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},xe={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function F(e,t="given"){return a("span",{class:`chip ${t}`,title:xe[t]},a("bdi",{},M(e)),L[t]?a("i",{class:"sign","aria-label":t},L[t]):null)}function M(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(V,Q).replaceAll(" ","␣")||"·"}var R=e=>`…${e.replace(/^ /,"")}`,T=e=>`“⁨${M(e)}⁩”`,Y=e=>e.replace(V,Q),V=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,Q=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;function ne(e,t){let{guesses:n,rows:r,emitted:o,kinds:i}=t,s=i.at(-1)==="accepted"?-1:ve(t),c=n.map((m,C)=>Z(`guess ${C+1}`,C)),l=Z("next",n.length),d=Ae(t),u=a("div",{class:"drawn",hidden:!0}),p=a("div",{class:`board${n.length>7?" tight":""}${n.length?"":" empty"}`,style:`--n: ${n.length}`},d.element,c.map(m=>m.element),l.element,u),v=[...c,l],y=[d,...v].map(m=>m.beam);function b(m){let C=n.slice(0,m.judged).findIndex(({fate:$})=>$!=="accepted");c.forEach(($,g)=>{let{text:q,fate:f}=n[g],x=!t.parents&&C>=0&&g>C,h=g<m.judged?f:x?"lost":"draft",w=m.last&&f==="lost"?"lost":h;$.slot.replaceChildren(...m.drafted?[F(q,w),ee("q",n[g].q,we(t,g))]:[a("span",{class:"ghost"},"?")]),$.band.replaceChildren(...m.passed?[ee("p",n[g].p)]:[]),$.face.replaceChildren(...m.passed?[ke(e,n[g],r[g],m,g)]:[]),$.element.className=`col guess ${w}`;let k=w==="accepted"?F(q,"accepted"):m.last&&g===s?F(o.at(-1),i.at(-1)):null;$.foot.replaceChildren(...k?[k]:[]),$.foot.classList.toggle("own",w!=="accepted"&&k!==null);for(let E of[$.slot,$.foot])E.style.cssText=""});let S=s===n.length;l.slot.replaceChildren(t.parents?"":a("span",{class:"ghost"},"next")),l.band.replaceChildren(...m.passed&&!t.parents?[a("span",{class:"amount"},n.length?"one more":"one row")]:[]),l.face.replaceChildren(...m.passed&&r[n.length]&&!(m.last&&S&&e.details&&t.drawn)?[W(r[n.length])]:[]),l.foot.replaceChildren(...m.last&&S?[F(o.at(-1),i.at(-1))]:[]),l.foot.classList.toggle("own",m.last&&S),l.element.className=`col next${m.judged&&!S&&s>=0&&C>=0?" unused":""}`,l.element.style.opacity="",d.rows(m.passed),d.model?.removeAttribute("style"),d.face(!n.length||!m.passed?"":j(m));let z=m.last&&e.details&&t.drawn;u.hidden=!z,u.className=`drawn ${z?i.at(-1):""}`,u.replaceChildren(...z?[a("small",{},qe[i.at(-1)]),W($e(t.drawn),i.at(-1))]:[]),p.classList.toggle("passed",m.passed),p.classList.toggle("drawing",!u.hidden),y.forEach($=>$.style.opacity=0),u.style.cssText=`--from: ${s+1}`}let j=m=>m.last&&e.details&&t.drawn&&i.at(-1)==="correction"?"residual":e.uniforms?m.bars?"test":"rows":m.judged?"uniforms":"rows";return{element:p,paint:b,columns:c,next:l,beams:y,drawn:u,all:v,place:s,model:d.model}}function ve({guesses:e,parents:t,emitted:n}){return t?e.length:Math.min(n.length-1,e.length)}function Z(e,t){let[n,r,o,i]=["slot","band","face","foot"].map(l=>a("div",{class:l})),s=a("span",{class:"beam","aria-hidden":"true"});return{element:a("div",{class:"col",role:"group","aria-label":e,style:`--col: ${t}`},n,r,o,i,s),slot:n,band:r,face:o,foot:i,beam:s}}var ee=(e,t,n="")=>a("span",{class:`amount ${e}`},a("i",{},e),` ${ye(t)}`,n);function we({parents:e,guesses:t},n){return e&&e[n]>=0?a("bdi",{},` after ${M(t[e[n]].text)}`):""}var ye=e=>e>0&&e<5e-4?"<0.001":e>0&&e<.0995?e.toFixed(3):re(e),re=e=>e>0&&e<.005?"<0.01":e.toFixed(2);function ke(e,t,n,r,o){return!r.bars||!e.uniforms&&!r.judged?W(n):je(e,t,o<r.judged)}function W({top:e,marked:t},n="p"){return a("ol",{class:`row-of ${n}`},e.map(([r,o],i)=>a("li",{class:i===t?"marked":"",style:`--share: ${o}`},a("span",{class:"bar"}),a("bdi",{},M(r)),a("span",{class:"value"},re(o)))))}function $e({top:e,marked:t}){return{top:e.slice(0,t>3?3:4).concat(t>3?[e[t]]:[]),marked:Math.min(t,3)}}function je(e,{u:t,ratio:n,bar:r,fate:o},i){let s=i&&(o!=="lost"||!e.uniforms),[c,l]=r===null?[t.toFixed(2),""]:I(t,n),d=o==="accepted"?"✓":"✗",u=s?r===null?[a("span",{},`u ${c}`)]:[a("span",{},c),a("span",{},`${o==="accepted"?"<":"≥"} ${l}`)]:[a("span",{},r===null?"":`p/q ${n.toFixed(2)}`)];return a("div",{class:`test ${s?`landed ${o}`:""}`,style:`--bar: ${r??0}; --u: ${s?t:1.3}`},a("div",{class:`gauge${r===null?" none":""}`},a("div",{class:"fill"}),a("div",{class:"rail"},a("span",{class:"uniform"},a("i",{},"u")))),s&&e.uniforms?a("span",{class:"sign","aria-label":o},d):null,a("div",{class:"words"},u))}var Ce={"":[],rows:["rows of p","the likeliest next tokens at each place, all from the same pass"],test:["the test","a uniform u between 0 and 1","below the bar, min(1, p/q): accepted"],uniforms:["the uniforms","the rule of this run is not u < p/q, so there is no bar"],residual:["the residual","max(p − q, 0), scaled to sum 1"]};function Ae({guesses:e,certain:t,parents:n}){let r=a("div",{class:"face"}),o=a("span",{class:"beam","aria-hidden":"true"}),i=a("span"),s=t?null:te(2),c=e.length+1,l=p=>i.textContent=p?`one pass, ${c} row${c>1?"s":""}`:"one pass",d=a("div",{class:"labels"},a("div",{class:"slot"},a("span",{},s,a("b",{},t?"draft":"draft model")),a("small",{class:"quiet"},e.length?n?"candidates":t?"proposed without a model":"a small pass for each guess":"nothing is drafted")),a("div",{class:"band"},te(4),a("b",{},"target model"),i,o),r,a("div",{class:"foot"},a("b",{},"into the text"))),u=([p,...v])=>p?[a("b",{},p),...v.map(y=>a("small",{class:"quiet"},y))]:[];return{element:d,beam:o,rows:l,model:s,face:p=>r.replaceChildren(...u(Ce[p]))}}function te(e){let t=12+6*(e-1),n=Array.from({length:e},(r,o)=>t-11-6*o);return P("svg",{class:"weights",width:"1.6em",height:`${t/20}em`,viewBox:`0 0 32 ${t}`,"aria-hidden":"true"},n.map(r=>P("path",{d:`M16 ${r} l15 5 l-15 5 l-15 -5 z`})))}var qe={correction:"residual",bonus:"p, the last row",target:"p"};function oe(e,t){let{target:n,draft:r}=t.caches,o=t.context+t.guesses.length,i=[s("target","target cache",[n[0],o,n[1]],c=>c.passed)];r&&i.push(s("draft","draft cache",r,c=>c.drafted));function s(c,l,[d,u,p],v){let y=Ee(e,t).concat(t.guesses.map(({text:g})=>M(g))),b=t.context-2,j=y.map((g,q)=>a("span",{class:"cell",style:`--at: ${q}`},a("bdi",{},g??""))),m=a("span",{class:"cell rest"}),C=a("span",{class:"count"}),S=a("div",{class:`cache ${c}`,role:"img"},a("b",{class:"name",title:"in tokens"},l),m,j,C),z=(g,q)=>g<0?"none":q.done?g<p?"had":g<u?"gone":"empty":v(q)?g<d?"had":g<u?"new":"empty":g<d?"had":"empty";return{element:S,paint:g=>{j.forEach((f,x)=>f.className=`cell ${z(b+x,g)}`),m.hidden=!1,m.textContent=b>0?`… ${b} before`:"",m.className=`cell rest ${b>0?z(b-1,g):"none"}`;let q=[d,...v(g)?[u]:[],...g.done&&p!==u?[p]:[]];C.textContent=q.join(" → "),S.setAttribute("aria-label",`${l}: ${C.textContent} tokens`)}}}return{elements:i.map(({element:c})=>c),paint:c=>i.forEach(({paint:l})=>l(c))}}function Ee(e,{start:t,context:n}){return[2,1].map(r=>n<r?null:t>=r?M(e.pieces[t-r]):"prompt")}var A=(e,t)=>Object.assign(e.style,t),se=e=>e*e,ae={async draft({tween:e,ease:t,drawn:n}){let r=n.board.columns.map(({slot:i})=>i);r.forEach(i=>A(i,{opacity:0}));let{model:o}=n.board;for(let i of r)await e(Math.min(280,1150/r.length),s=>{A(i,{opacity:s,transform:`translateX(${-1.6*(1-t(s))}em)`}),o&&A(o,{transform:`scale(${1+.4*Math.sin(Math.PI*s)})`})})},async pass({tween:e,drawn:t}){let{beams:n,all:r}=t.board,o=r.flatMap(({band:i,face:s})=>[...i.children,...s.children]);await e(850,i=>{let s=i<.25?i/.25:(1-i)/.75;n.forEach(l=>A(l,{opacity:s}));let c=Math.max(0,Math.min(1,(i-.25)/.25));o.forEach(l=>A(l,{opacity:c}))})},async bars({tween:e,ease:t,drawn:n}){let r=[...n.board.element.querySelectorAll(".fill")];await e(500,o=>r.forEach(i=>i.style.setProperty("--grown",t(o))))},async test({tween:e,pause:t,ease:n,step:r,drawn:o,before:i,after:s}){i();let{columns:c,next:l}=o.board,{u:d,fate:u}=o.round.guesses[r.guess],p=c[r.guess].face.querySelector(".test"),v=1.45;if(p.classList.add("falling"),await e(620,b=>p.style.setProperty("--u",v+(d-v)*se(b))),await t(120),s(),u==="accepted"){let{foot:b}=c[r.guess];return e(260,j=>A(b,{opacity:j,transform:`translateY(${-1.5*(1-n(j))}em)`}))}let y=c.slice(r.guess+1);return e(450,b=>{y.forEach(({slot:j},m)=>A(j,b<1?{opacity:1-.55*b,transform:`translateY(${.8*se(b)}em) rotate(${(m%2?-1:1)*7*Math.sin(Math.PI*b)}deg)`}:{opacity:"",transform:""})),l.element.style.opacity=b<1?1-.6*b:""})},async verdict({tween:e,pause:t,before:n,after:r,drawn:o}){n(),await t(350),r();let i=o.board.columns.map(({foot:s})=>s);await e(300,s=>i.forEach(c=>A(c,{opacity:s})))},async last({tween:e,ease:t,drawn:n}){let{drawn:r,all:o,place:i}=n.board,s=o[i]?.foot;if(!s)return;let c=s.firstElementChild;A(c,{opacity:0}),r.hidden||await e(350,l=>A(r,{opacity:l})),await e(420,l=>A(c,{opacity:Math.min(1,2*l),transform:`translateY(${-3.5*(1-t(l))}em)`}))},async end({tween:e,ease:t,root:n}){let r=[...n.querySelectorAll(".text .chip")];await e(500,o=>{r.forEach(i=>A(i,{opacity:o,transform:`translateY(${1.2*(1-t(o))}em)`}))})}};var Se=2,ze=200;function ie(e){return e.rounds.flatMap((t,n)=>{let r=["begin"];return t.guesses.length&&r.push("draft"),r.push("pass"),t.guesses.length&&e.uniforms?(r.push("bars"),t.guesses.forEach(({fate:o},i)=>o!=="lost"&&r.push({kind:"test",guess:i}))):t.guesses.length&&r.push("verdict"),r.push("last","end"),r.map(o=>({round:n,...o.kind?o:{kind:o}}))})}function ce(e,t){let n=["begin","draft","pass","bars","test","verdict","last","end"],r=o=>n.indexOf(e.kind)>=n.indexOf(o);return{drafted:r("draft"),passed:r("pass"),bars:r("bars"),judged:e.kind==="test"?e.guess+1:r("verdict")?t.guesses.length:0,last:r("last"),done:r("end")}}function le(e,{start:t,context:n}){let r=typeof e.prompt=="string",o=e.pieces.slice(0,t).join(""),i=(r?e.prompt:"")+o,s=[...i.split(`
`).slice(-Se).join(`
`)].slice(-ze).join(""),c=s.length<i.length||!r&&0<t&&t<n,l=Math.min(o.length,s.length),[d,u]=[s.slice(0,s.length-l),s.slice(s.length-l)];return!r&&t===0&&n?{prompt:null,added:""}:c?d?{prompt:R(d),added:u}:{prompt:d,added:R(u)}:{prompt:d,added:u}}var G=e=>e.guesses.some(({fate:t})=>t==="rejected");function X(e,t,n=!1){let r=e.rounds[t.round],{guesses:o}=r,i=O(o.length,"guess").replace("guesss","guesses");switch(t.kind){case"begin":return o.length?`Round ${t.round+1} begins. ${i} will be drafted.`:`Round ${t.round+1} begins. Nothing is drafted in it.`;case"draft":return r.parents?`${i} are drafted, as candidates: several may stand at one position.`:r.certain?`${i} ${o.length>1?"are":"is"} proposed at once, without a model: q = 1 for ${o.length>1?"each":"it"}.`:o.every(({q:s})=>s===1)?`The draft writes ${i}, one after the other, and is certain of ${o.length>1?"each":"it"}: q = 1.`:`The draft writes ${i}, one after the other. q is the probability it gave to ${o.length>1?"each":"it"}.`;case"pass":return o.length?`One pass of the target reads everything at once: ${O(Me(r),"row")} of p, none waits for another.`:"One pass of the target gives one row of p.";case"bars":return`The bar of a guess is min(1, p/q) high. A uniform below it accepts the guess. ${o.length>1?"Which ones?":"Will it?"}`;case"test":return n?`A uniform falls against the bar of ${T(o[t.guess].text)} …`:Ne(r,t.guess);case"verdict":{let s=o.filter(({fate:c})=>c==="accepted").length;return n?"The rule of this run judges the draft …":`The rule of this run is not u < p/q guess by guess, so there are no bars. It accepts ${s} of ${i}.`}case"last":return Fe(e,r);default:return Te(r,e.details)}}var Me=e=>e.guesses.length+1;function Ne(e,t){let{text:n,u:r,ratio:o,fate:i}=e.guesses[t],[s,c]=I(r,o);if(i==="accepted")return`u = ${s} is below p/q = ${c}: ${T(n)} is accepted.`;let l=e.guesses.length-t-1,d=l===0?"":l===1?" The guess behind it is never examined.":` The ${l} guesses behind it are never examined.`;return`u = ${s} is not below p/q = ${c}: ${T(n)} is rejected.${d}`}function Fe(e,t){let n=T(t.emitted.at(-1));switch(t.kinds.at(-1)){case"correction":return e.details?e.uniforms?`The correction ${n} is drawn from the residual: what p has more than q, scaled to sum 1.`:`The correction ${n} is the target's own token.`:`The target's own token takes the place of the rejected guess: ${n}, the correction.`;case"bonus":return t.parents?`The accepted guess has a row of p behind it, too: the bonus ${n} is drawn from it.`:`Every guess is accepted, and the pass has one row more: the bonus ${n} is drawn from it.`;case"target":return`Nothing was drafted, so the target says the next token itself: ${n}.`;default:return`${n} is a stop token: the text ends inside the draft, and nothing more is drawn.`}}function Te(e,t){let n=O(e.emitted.length,"token"),o=t&&e.caches.target[1]<e.context+e.guesses.length?` What is not in the text leaves the cache${e.caches.draft?"s":""}.`:"";return`One pass of the target added ${n} to the text.${o}`}function de(e,t){let n=Math.max(...e.rounds.map(({emitted:s})=>s.length)),r=e.rounds.map((s,c)=>{let l=a("span",{class:"pile"});return{body:l,element:a("button",{type:"button",onclick:()=>t(c)},l),round:s}}),o=a("div",{class:"strip",role:"group","aria-label":"rounds"},r.map(s=>s.element)),i="";return{element:o,paint(s,c){i!==`${s} ${c}`&&(i=`${s} ${c}`,r.forEach(({element:l,body:d,round:u},p)=>{let v=u.kinds.filter(j=>j==="accepted").length,y=p<c,b=u.kinds.at(-1);d.replaceChildren(...y?[b==="accepted"?"":a("i",{class:b},L[b]),a("span",{class:"height",style:`--share: ${v/n}`})]:[a("i",{class:"unseen"},"·")]),l.setAttribute("aria-label",`Round ${p+1}${y?`: ${v} of ${u.guesses.length} accepted`:""}`),l.setAttribute("aria-current",p===s?"step":"false")}))}}}var ue=`.round .steps { gap: 0.4em 0.6em; }
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
`;function me(e){let t=()=>{e.dataset.ground=Ie(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(i=>setTimeout(t,i)),r=new MutationObserver(n);for(let i of[document.documentElement,document.body])r.observe(i,{attributes:!0});let o=matchMedia("(prefers-color-scheme: dark)");return o.addEventListener("change",n),t(),n(),()=>{r.disconnect(),o.removeEventListener("change",n)}}function Ie(e){let[t,n,r,o=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return o===0?1:(.2126*t+.7152*n+.0722*r)/255}var pe=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function ge(e,t,n=""){return{render({model:r,el:o}){fe("stage",pe),n&&fe(e,n);let i=a("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":r.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});o.replaceChildren(i);let s=me(i),c,l=()=>{c?.(),i.replaceChildren(),c=t({root:i,data:r.get("data"),model:r})};return r.on("change:data",l),l(),()=>{r.off("change:data",l),c?.(),s()}}}}function fe(e,t){let n=`course-look-${e}`,r=document.getElementById(n);r?r.textContent=t:document.head.append(a("style",{id:n},t))}var Be=["ArrowRight","PageDown"," "],Pe=["ArrowLeft","PageUp"],Ke="input, select, textarea, [role=slider]";function he(e,{count:t,say:n,show:r}){let o=()=>typeof t=="function"?t():t,i=a("p",{class:"said",role:"status",dir:"auto"}),s=a("span",{class:"place"}),c=a("button",{type:"button",class:"back",onclick:()=>d.back()},"◀ Back"),l=a("button",{type:"button",class:"next",onclick:()=>d.next()},"Next ▶"),d={at:0,bar:a("div",{class:"steps"},c,l,s,i),go(u,p=!1){d.at=Math.max(0,Math.min(u,o()-1)),i.textContent=n(d.at),s.textContent=`${d.at+1} / ${o()}`,c.setAttribute("aria-disabled",d.at===0),l.setAttribute("aria-disabled",d.at===o()-1),r(d.at,p)},next(){return d.at>=o()-1?!1:(d.go(d.at+1,!0),!0)},back(){return d.at<=0?!1:(d.go(d.at-1),!0)}};return e.steps=d,e.onkeydown=u=>{if(u.altKey||u.ctrlKey||u.metaKey||u.defaultPrevented)return;let{key:p,target:v}=u;if(v.closest(Ke)||p===" "&&v.closest("button, summary"))return;(Be.includes(p)?d.next():Pe.includes(p)?d.back():p==="Home"?(d.go(0),!0):p==="End"&&(d.go(o()-1),!0))&&(u.preventDefault(),u.stopPropagation())},d}var zt=ge("round",({root:e,data:t,model:n})=>{let r=U(),o=ie(t),i=f=>o.findIndex(x=>x.round===f),s=null,c=0,l=-1,d=he(e,{count:o.length,say:f=>j(f),show:S}),u=de(t,f=>m(i(f))),p=a("span",{class:"where"}),v=a("p",{class:"text",dir:"auto"}),y=a("div",{class:"picture"});d.bar.querySelector(".place").replaceWith(p,K("Skip round",()=>m(i(Math.min(o[d.at].round+1,t.rounds.length-1)))),t.rounds.some(G)?K("Jump to a miss",C):"");let b=d.bar.querySelector(".said");e.append(d.bar,a("div",{class:"top"},v,u.element),y),e.classList.toggle("plain",!t.details);function j(f){let x=o[f];return x.kind==="begin"&&l===x.round?`In round ${x.round+1} a guess is rejected. Which one?`:X(t,x)}function m(f){d.go(f)}function C(){let{round:f,kind:x}=o[d.at],h=x==="begin"&&l!==f?0:1,w=t.rounds.length;for(let k=h;k<=w;k++){let E=(f+k)%w;if(G(t.rounds[E]))return l=E,m(i(E))}}function S(f,x){r.stop();let h=o[f];(!s||s.index!==h.round)&&(s=z(h.round)),h.kind!=="begin"&&(l=-1),c=Math.max(c,h.round+(h.kind==="end"?1:0)),p.textContent=`Round ${h.round+1} of ${t.rounds.length}`,u.paint(h.round,c);let w=N=>{let B=ce(N,s.round);s.board.paint(B),s.caches?.paint(B),$(B.done)};if(w(h),!x||f===0||o[f-1].round!==h.round)return;let k=()=>{b.textContent=X(t,h,!0),w(o[f-1])},E=()=>{w(h),b.textContent=j(f)};r.run(N=>ae[h.kind]?.({...N,ease:H,step:h,drawn:s,root:e,before:k,after:E}))}function z(f){let x=t.rounds[f],h={index:f,round:x,board:ne(t,x),caches:t.details?oe(t,x):null},w=h.board.element;return h.caches&&w.append(...h.caches.elements),y.replaceChildren(w),h}function $(f){let{emitted:x,kinds:h}=s.round,{prompt:w,added:k}=le(t,s.round);v.replaceChildren(a("bdi",{},a("span",{class:"quiet"},Y(w??"prompt … ")),Y(k)),...f?x.map((E,N)=>F(E,h[N])):[a("span",{class:"caret","aria-hidden":"true"})])}let g=!!n.get("on_paper");return e.classList.toggle("on-paper",g),d.go(g?q():0),()=>r.stop();function q(){let f=["accepted","rejected","lost"],x=({guesses:k})=>f.filter(E=>k.some(N=>N.fate===E)).length,h=Math.max(...t.rounds.map(x)),w=t.rounds.findIndex(k=>x(k)===h);return c=w+1,o.findLastIndex(k=>k.round===w)}},ue);export{zt as default};
