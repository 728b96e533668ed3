/* Built by stage/build.mjs. Course: Apache-2.0. D3 modules: ISC, (c) Mike Bostock. */
var be="http://www.w3.org/2000/svg";function s(e,t={},...r){return G(document.createElement(e),t,r)}function P(e,t={},...r){return G(document.createElementNS(be,e),t,r)}function G(e,t,r){for(let[n,o]of Object.entries(t))typeof o=="function"?e.addEventListener(n.replace(/^on/,""),o):o!==!1&&o!=null&&e.setAttribute(n,o===!0?"":o);return e.append(...r.flat().filter(n=>n!=null&&n!==!1)),e}function B(e,t,r={}){return s("button",{type:"button",onclick:t,...r},e)}var J=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function _(){let e=0,t=r=>{if(r!==e)throw K};return{stop:()=>{e++},async run(r){let n=++e,o=(i,c)=>new Promise((l,d)=>{if(J())return c(1),l();let m,g=v=>{if(n!==e)return d(K);m??=v;let y=Math.min((v-m)/i,1);c(y),y<1?requestAnimationFrame(g):l()};requestAnimationFrame(g)}),a=async i=>{J()||await new Promise(c=>setTimeout(c,i)),t(n)};try{return await r({tween:o,pause:a}),!0}catch(i){if(i!==K)throw i;return!1}}}}var X=e=>e<.5?4*e**3:1-(2-2*e)**3/2,K=Symbol("stopped");var O=(e,t)=>`${e} ${t}${e===1?"":"s"}`;var I={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},xe={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function F(e,t="given"){return s("span",{class:`chip ${t}`,title:xe[t]},s("bdi",{},z(e)),I[t]?s("i",{class:"sign","aria-label":t},I[t]):null)}function z(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(H,V).replaceAll(" ","␣")||"·"}var U=e=>e.replace(H,V),H=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,V=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;function Q(e){return e.rounds.flatMap((t,r)=>{let n=["begin"];return t.guesses.length&&n.push("draft"),n.push("pass"),t.guesses.length&&e.uniforms?(n.push("bars"),t.guesses.forEach(({fate:o},a)=>o!=="lost"&&n.push({kind:"test",guess:a}))):t.guesses.length&&n.push("verdict"),n.push("last","end"),n.map(o=>({round:r,...o.kind?o:{kind:o}}))})}function Z(e,t){let r=["begin","draft","pass","bars","test","verdict","last","end"],n=o=>r.indexOf(e.kind)>=r.indexOf(o);return{drafted:n("draft"),passed:n("pass"),bars:n("bars"),judged:e.kind==="test"?e.guess+1:n("verdict")?t.guesses.length:0,last:n("last"),done:n("end")}}var Y=e=>e.guesses.some(({fate:t})=>t==="rejected");function D(e,t,r=!1){let n=e.rounds[t.round],{guesses:o}=n,a=O(o.length,"guess").replace("guesss","guesses");switch(t.kind){case"begin":return o.length?`Round ${t.round+1} begins. ${a} will be drafted.`:`Round ${t.round+1} begins. Nothing is drafted in it.`;case"draft":return n.parents?`${a} are drafted, as candidates: several may stand at one position.`:o.every(({q:i})=>i===1)?`The draft writes ${a} and is certain of ${o.length>1?"each":"it"}: q = 1.`:`The draft writes ${a}, one after the other. q is the probability it gave to each.`;case"pass":return o.length?`One pass of the target reads everything at once: ${O(ve(n),"row")} of p, none waits for another.`:"One pass of the target gives one row of p.";case"bars":return`The bar of a guess is min(1, p/q) high. A uniform below it accepts the guess. ${o.length>1?"Which ones?":"Will it?"}`;case"test":return r?`A uniform falls against the bar of ${L(o[t.guess].text)} …`:we(n,t.guess);case"verdict":{let i=o.filter(({fate:c})=>c==="accepted").length;return r?"The rule of this run judges the draft …":`The rule of this run is not u < p/q guess by guess, so there are no bars. It accepts ${i} of ${a}.`}case"last":return ye(e,n);default:return ke(n,e.details)}}var ve=e=>e.guesses.length+1;function we(e,t){let{text:r,u:n,ratio:o,fate:a}=e.guesses[t],[i,c]=R(n,o);if(a==="accepted")return`u = ${i} is below p/q = ${c}: ${L(r)} is accepted.`;let l=e.guesses.length-t-1,d=l===0?"":l===1?" The guess behind it is never examined.":` The ${l} guesses behind it are never examined.`;return`u = ${i} is not below p/q = ${c}: ${L(r)} is rejected.${d}`}function ye(e,t){let r=L(t.emitted.at(-1));switch(t.kinds.at(-1)){case"correction":return e.details?e.uniforms?`The correction ${r} is drawn from the residual: what p has more than q, scaled to sum 1.`:`The correction ${r} is the target's own token.`:`The target's own token takes the place of the rejected guess: ${r}, the correction.`;case"bonus":return t.parents?`The accepted guess has a row of p behind it, too: the bonus ${r} is drawn from it.`:`Every guess is accepted, and the pass has one row more: the bonus ${r} is drawn from it.`;case"target":return`Nothing was drafted, so the target says the next token itself: ${r}.`;default:return`${r} is a stop token: the text ends inside the draft, and nothing more is drawn.`}}function ke(e,t){let r=O(e.emitted.length,"token"),o=t&&e.caches.target[1]<e.context+e.guesses.length?` What is not in the text leaves the cache${e.caches.draft?"s":""}.`:"";return`One pass of the target added ${r} to the text.${o}`}function R(e,t){for(let r=2;r<6;r++){let[n,o]=[e.toFixed(r),t.toFixed(r)];if(n!==o)return[n,o]}return[e.toFixed(6),t.toFixed(6)]}var L=e=>`“⁨${z(e)}⁩”`;function re(e,t){let{guesses:r,rows:n,emitted:o,kinds:a}=t,i=a.at(-1)==="accepted"?-1:$e(t),c=r.map((u,C)=>ee(`guess ${C+1}`,C)),l=ee("next",r.length),d=Se(),m=s("div",{class:"drawn",hidden:!0}),g=s("div",{class:`board${r.length>7?" tight":""}${r.length?"":" empty"}`,style:`--n: ${r.length}`},d.element,c.map(u=>u.element),l.element,m),v=[...c,l],y=[d,...v].map(u=>u.beam);function x(u){let C=r.slice(0,u.judged).findIndex(({fate:$})=>$!=="accepted");c.forEach(($,f)=>{let{text:q,fate:p}=r[f],b=!t.parents&&C>=0&&f>C,h=f<u.judged?p:b?"lost":"draft",w=u.last&&p==="lost"?"lost":h;$.slot.replaceChildren(...u.drafted?[F(q,w),te("q",r[f].q,je(t,f))]:[s("span",{class:"ghost"},"?")]),$.band.replaceChildren(...u.passed?[te("p",r[f].p)]:[]),$.face.replaceChildren(...u.passed?[Ce(e,r[f],n[f],u,f)]:[]),$.element.className=`col guess ${w}`;let k=w==="accepted"?F(q,"accepted"):u.last&&f===i?F(o.at(-1),a.at(-1)):null;$.foot.replaceChildren(...k?[k]:[]),$.foot.classList.toggle("own",w!=="accepted"&&k!==null);for(let A of[$.slot,$.foot])A.style.cssText=""});let S=i===r.length;l.slot.replaceChildren(t.parents?"":s("span",{class:"ghost"},"next")),l.band.replaceChildren(...u.passed&&!t.parents?[s("span",{class:"amount"},r.length?"one row more":"one row")]:[]),l.face.replaceChildren(...u.passed&&n[r.length]&&!(u.last&&S&&e.details&&t.drawn)?[W(n[r.length])]:[]),l.foot.replaceChildren(...u.last&&S?[F(o.at(-1),a.at(-1))]:[]),l.foot.classList.toggle("own",u.last&&S),l.element.className=`col next${u.judged&&!S&&i>=0&&C>=0?" unused":""}`,l.element.style.opacity="",d.face(!r.length||!u.passed?"":j(u));let N=u.last&&e.details&&t.drawn;m.hidden=!N,m.className=`drawn ${N?a.at(-1):""}`,m.replaceChildren(...N?[s("small",{},Ne[a.at(-1)]),W(Ae(t.drawn),a.at(-1))]:[]),g.classList.toggle("passed",u.passed),g.classList.toggle("drawing",!m.hidden),y.forEach($=>$.style.opacity=0),m.style.cssText=`--from: ${i+1}`}let j=u=>u.last&&e.details&&t.drawn&&a.at(-1)==="correction"?"residual":e.uniforms?u.bars?"test":"rows":u.judged?"uniforms":"rows";return{element:g,paint:x,columns:c,next:l,beams:y,drawn:m,all:v,place:i}}function $e({guesses:e,parents:t,emitted:r}){return t?e.length:Math.min(r.length-1,e.length)}function ee(e,t){let[r,n,o,a]=["slot","band","face","foot"].map(l=>s("div",{class:l})),i=s("span",{class:"beam","aria-hidden":"true"});return{element:s("div",{class:"col",role:"group","aria-label":e,style:`--col: ${t}`},r,n,o,a,i),slot:r,band:n,face:o,foot:a,beam:i}}var te=(e,t,r="")=>s("span",{class:`amount ${e}`},s("i",{},e),` ${ne(t)}`,r);function je({parents:e,guesses:t},r){return e&&e[r]>=0?s("bdi",{},` after ${z(t[e[r]].text)}`):""}var ne=e=>e>0&&e<.005?"<0.01":e.toFixed(2);function Ce(e,t,r,n,o){return!n.bars||!e.uniforms&&!n.judged?W(r):qe(e,t,o<n.judged)}function W({top:e,marked:t},r="p"){return s("ol",{class:`row-of ${r}`},e.map(([n,o],a)=>s("li",{class:a===t?"marked":"",style:`--share: ${o}`},s("span",{class:"bar"}),s("bdi",{},z(n)),s("span",{class:"value"},ne(o)))))}function Ae({top:e,marked:t}){return{top:e.slice(0,t>3?3:4).concat(t>3?[e[t]]:[]),marked:Math.min(t,3)}}function qe(e,{u:t,ratio:r,bar:n,fate:o},a){let i=a&&(o!=="lost"||!e.uniforms),[c,l]=n===null?[t.toFixed(2),""]:R(t,r),d=o==="accepted"?"✓":"✗",m=i?n===null?[s("span",{},`u ${c}`)]:[s("span",{},`${c} ${o==="accepted"?"<":"≥"} `),s("span",{},l)]:[s("span",{},n===null?"":`p/q ${r.toFixed(2)}`)];return s("div",{class:`test ${i?`landed ${o}`:""}`,style:`--bar: ${n??0}; --u: ${i?t:1.3}`},s("div",{class:`gauge${n===null?" none":""}`},s("div",{class:"fill"}),s("div",{class:"rail"},s("span",{class:"uniform"},s("i",{},"u")))),i&&e.uniforms?s("span",{class:"sign","aria-label":o},d):null,s("div",{class:"words"},m))}var Ee={"":[],rows:["rows of p","the likeliest next tokens at each place, all from the same pass"],test:["the test","a uniform u between 0 and 1","below the bar, min(1, p/q): accepted"],uniforms:["the uniforms","the rule of this run is not u < p/q, so there is no bar"],residual:["the residual","max(p − q, 0), scaled to sum 1: where the target wants more than the draft gave"]};function Se(){let e=s("div",{class:"face"}),t=s("span",{class:"beam","aria-hidden":"true"}),r=s("div",{class:"labels"},s("div",{class:"slot"},s("b",{},"draft model"),s("small",{class:"quiet"},"its guesses, each drawn from q")),s("div",{class:"band"},ze(),s("b",{},"target model"),s("span",{},"one pass"),t),e,s("div",{class:"foot"},s("b",{},"into the text"))),n=([o,...a])=>o?[s("b",{},o),...a.map(i=>s("small",{class:"quiet"},i))]:[];return{element:r,beam:t,face:o=>e.replaceChildren(...n(Ee[o]))}}function ze(){return P("svg",{class:"weights",width:"1.6em",height:"1.5em",viewBox:"0 0 32 30","aria-hidden":"true"},[19,13,7,1].map(e=>P("path",{d:`M16 ${e} l15 5 l-15 5 l-15 -5 z`})))}var Ne={correction:"residual",bonus:"p, the last row",target:"p"};function oe(e,t){let{target:r,draft:n}=t.caches,o=t.context+t.guesses.length,a=[i("target","target cache",[r[0],o,r[1]],c=>c.passed)];n&&a.push(i("draft","draft cache",n,c=>c.drafted));function i(c,l,[d,m,g],v){let y=Me(e,t).concat(t.guesses.map(({text:f})=>z(f))),x=t.context-2,j=y.map((f,q)=>s("span",{class:"cell",style:`--at: ${q}`},s("bdi",{},f??""))),u=s("span",{class:"cell rest"}),C=s("span",{class:"count"}),S=s("div",{class:`cache ${c}`,role:"img"},s("b",{class:"name",title:"in tokens"},l),u,j,C),N=(f,q)=>f<0?"none":q.done?f<g?"had":f<m?"gone":"empty":v(q)?f<d?"had":f<m?"new":"empty":f<d?"had":"empty";return{element:S,paint:f=>{j.forEach((p,b)=>p.className=`cell ${N(x+b,f)}`),u.hidden=!1,u.textContent=x>0?`… ${x} before`:"",u.className=`cell rest ${x>0?N(x-1,f):"none"}`;let q=[d,...v(f)?[m]:[],...f.done&&g!==m?[g]:[]];C.textContent=q.join(" → "),S.setAttribute("aria-label",`${l}: ${C.textContent} tokens`)}}}return{elements:a.map(({element:c})=>c),paint:c=>a.forEach(({paint:l})=>l(c))}}function Me(e,{start:t,context:r}){return[2,1].map(n=>r<n?null:t>=n?z(e.pieces[t-n]):"prompt")}var E=(e,t)=>Object.assign(e.style,t),se=e=>e*e,ae={async draft({tween:e,ease:t,drawn:r}){let n=r.board.columns.map(({slot:o})=>o);n.forEach(o=>E(o,{opacity:0}));for(let o of n)await e(Math.min(260,1100/n.length),a=>E(o,{opacity:a,transform:`translateY(${-.9*(1-t(a))}em)`}))},async pass({tween:e,drawn:t}){let{beams:r,all:n}=t.board,o=n.flatMap(({band:a,face:i})=>[...a.children,...i.children]);await e(850,a=>{let i=a<.25?a/.25:(1-a)/.75;r.forEach(l=>E(l,{opacity:i}));let c=Math.max(0,Math.min(1,(a-.25)/.25));o.forEach(l=>E(l,{opacity:c}))})},async bars({tween:e,ease:t,drawn:r}){let n=[...r.board.element.querySelectorAll(".fill")];await e(500,o=>n.forEach(a=>a.style.setProperty("--grown",t(o))))},async test({tween:e,pause:t,ease:r,step:n,drawn:o,before:a,after:i}){a();let{columns:c,next:l}=o.board,{u:d,fate:m}=o.round.guesses[n.guess],g=c[n.guess].face.querySelector(".test"),v=1.45;if(g.classList.add("falling"),await e(620,x=>g.style.setProperty("--u",v+(d-v)*se(x))),await t(120),i(),m==="accepted"){let{foot:x}=c[n.guess];return e(260,j=>E(x,{opacity:j,transform:`translateY(${-1.5*(1-r(j))}em)`}))}let y=c.slice(n.guess+1);return e(450,x=>{y.forEach(({slot:j},u)=>E(j,x<1?{opacity:1-.55*x,transform:`translateY(${.8*se(x)}em) rotate(${(u%2?-1:1)*7*Math.sin(Math.PI*x)}deg)`}:{opacity:"",transform:""})),l.element.style.opacity=x<1?1-.6*x:""})},async verdict({tween:e,pause:t,before:r,after:n,drawn:o}){r(),await t(350),n();let a=o.board.columns.map(({foot:i})=>i);await e(300,i=>a.forEach(c=>E(c,{opacity:i})))},async last({tween:e,ease:t,drawn:r}){let{drawn:n,all:o,place:a}=r.board,i=o[a]?.foot;if(!i)return;let c=i.firstElementChild;E(c,{opacity:0}),n.hidden||await e(350,l=>E(n,{opacity:l})),await e(420,l=>E(c,{opacity:Math.min(1,2*l),transform:`translateY(${-3.5*(1-t(l))}em)`}))},async end({tween:e,ease:t,root:r}){let n=[...r.querySelectorAll(".text .chip")];await e(500,o=>{n.forEach(a=>E(a,{opacity:o,transform:`translateY(${1.2*(1-t(o))}em)`}))})}};function ie(e,t){let r=Math.max(...e.rounds.map(({emitted:a})=>a.length)),n=e.rounds.map((a,i)=>{let c=s("span",{class:"pile"});return{body:c,element:s("button",{type:"button",onclick:()=>t(i)},c),round:a}});return{element:s("div",{class:"strip",role:"group","aria-label":"rounds"},n.map(a=>a.element)),paint(a,i){n.forEach(({element:c,body:l,round:d},m)=>{let g=d.kinds.filter(x=>x==="accepted").length,v=m<i,y=d.kinds.at(-1);l.replaceChildren(...v?[y==="accepted"?"":s("i",{class:y},I[y]),s("span",{class:"height",style:`--share: ${g/r}`})]:[s("i",{class:"unseen"},"·")]),c.setAttribute("aria-label",`Round ${m+1}${v?`: ${g} of ${d.guesses.length} accepted`:""}`),c.setAttribute("aria-current",m===a?"step":"false")})}}}var ce=`.round .steps { gap: 0.4em 0.6em; }
.round .steps .said { flex: 1 1 100%; font-size: 1.08em; min-height: 1.45em; }
.round .where { color: var(--quiet); padding: 0 0.3em; font-variant-numeric: tabular-nums; }
.round .top { display: flex; gap: 1.2em; align-items: end; margin: 0.2em 0 0.5em; }
.round .text { flex: 1 1 0; min-width: 0; min-height: 3.1em; margin: 0; padding: 0.1em 0.6em; border-left: 0.25em solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; font-family: var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace; display: flow-root; }
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
.round.plain .board { grid-template-columns: 16em repeat(var(--n), minmax(2.6em, 1fr)) minmax(8em, 1.15fr); }

.round .board.empty { grid-template-columns: 7.4em 6.2em 4.2em 4.2em minmax(8em, 1fr); }
.round.plain .board.empty { grid-template-columns: 16em minmax(8em, 1fr); }
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
.round .weights path { fill: var(--target); stroke: var(--ground); stroke-width: 1.5; }
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
.round .words { grid-column: 1 / -1; text-align: center; white-space: nowrap; font-variant-numeric: tabular-nums; }

.round .col.lost > div, .round .col.unused > div { color: var(--quiet); }
.round .col.lost .gauge, .round .col.lost .bar, .round .col.unused .bar { opacity: 0.3; }
.round .drawing .col.lost .face, .round .drawing .col.unused .face { visibility: hidden; }
.round .drawn { grid-row: 1; grid-column: calc(var(--from) + 5) / -1; align-self: start; margin: 5.9em 0 0 0.5em; width: min(100%, 18em); padding: 0.1em 0.5em; }
.round .drawn[hidden] { display: none; }
.round .drawn.bonus, .round .drawn.target { grid-column: -2 / -1; }

.round .cache { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center; min-height: 1.8em; }
.round .cache .name { font-weight: 700; white-space: nowrap; }
.round .cell { display: block; height: 1.7em; margin: 0 1px; padding: 0 0.25em; border: 1px solid transparent; border-radius: 0.2em; font-size: 0.92em; line-height: 1.7; text-align: center; white-space: pre; overflow: hidden; text-overflow: ellipsis; transition: background 250ms, border-color 250ms; }
.round .cache.target { --own: var(--target); }
.round .cache.draft { --own: var(--draft); }
.round .cell.had { background: color-mix(in srgb, var(--own) 20%, var(--ground)); border-color: color-mix(in srgb, var(--own) 70%, var(--ground)); }
.round .cell.new { background: color-mix(in srgb, var(--own) 55%, var(--ground)); border-color: var(--own); }
.round .cell.gone { border: 1px dashed var(--quiet); color: var(--quiet); text-decoration: line-through; }
.round .cell.empty { color: transparent; border: 1px dotted var(--line); }
.round .cell.none { visibility: hidden; }
.round .cache .count { padding-left: 0.6em; font-variant-numeric: tabular-nums; white-space: nowrap; }
.round .words { font-size: 0.96em; }
.round.on-paper .steps button { display: none; }
.round.on-paper .steps .said { min-height: 0; }

@container (min-width: 58em) {
  .round .board:not(.tight) .col .chip { font-size: 1.25em; }
}
@container (min-width: 34.1em) {
  .round .tight .col.guess .row-of .value, .round .tight .amount i, .round .tight .uniform i, .round .tight .test .sign { display: none; }
  .round .tight .guess .words { display: flex; flex-direction: column; line-height: 1.2; font-size: 0.92em; }
  .round .tight .guess .gauge { width: 1.6em; height: 3.9em; }
  .round .tight .guess .chip { font-size: 0.92em; padding: 0 0.1em; }
  .round .tight .guess .amount { font-size: 0.92em; }
}
@container (min-width: 34.1em) and (max-width: 58em) {
  .round .board { grid-template-columns: 7.2em 5.6em 3.5em 3.5em repeat(var(--n), minmax(2.6em, 1fr)) minmax(7em, 1fr); }
  .round.plain .board { grid-template-columns: 13em repeat(var(--n), minmax(2.6em, 1fr)) minmax(7em, 1fr); }
  .round .steps .said { min-height: 2.9em; }
}
@container (max-width: 34em) {
  .round .steps .said { min-height: 5.8em; font-size: 1em; }
  .round .next .amount { white-space: normal; }
  .round .gauge { overflow-x: clip; }
  .round .cell.rest { max-width: none; }
  .round .top { flex-wrap: wrap; gap: 0.4em; }
  .round .text { flex-basis: 100%; }
  .round .strip { max-width: 100%; }
  .round .board, .round.plain .board { display: flex; flex-direction: column; row-gap: 0; }
  .round .col, .round .labels { display: grid; grid-template-columns: 6em 4.4em minmax(0, 1fr); align-items: center; column-gap: 0.4em; border-bottom: 1px solid var(--line); }
  .round .labels small, .round .labels .weights, .round .labels > .foot { display: none; }
  .round .labels b { white-space: normal; }
  .round .labels > div { align-items: center; padding: 0; text-align: center; }
  .round .labels .band { flex-direction: column; gap: 0; }
  .round .slot, .round .band, .round .face { height: auto; min-height: 3.1em; }
  .round .board .band { align-self: stretch; border-block: 0; border-inline: 2px solid var(--target); border-radius: 0; text-align: center; line-height: 1.2; }
  .round .col .face { padding: 0.1em 0; justify-content: center; }
  .round .row-of li:nth-child(n + 3) { display: none; }
  .round .test { grid-template-columns: minmax(0, 1fr) 1.6em; }
  .round .gauge { grid-column: 1; width: auto; height: 1.3em; }
  .round .gauge .fill { transform-origin: left; transform: scaleX(calc(var(--bar) * var(--grown, 1))); }
  .round .rail { transform: translateX(calc(var(--u) * 100%)); }
  .round .uniform { inset: -0.2em auto -0.2em -0.12em; width: 0.24em; height: auto; }
  .round .uniform i { display: none; }
  .round .test .sign { grid-column: 2; }
  .round .words { grid-column: 1; }
  .round .col > .foot { display: none; }
  .round .col > .foot.own { display: flex; grid-column: 1; height: 2.3em; }
  .round .beam { inset: 0.2em 0 0.2em 6.2em; background: linear-gradient(to right, var(--target), transparent); }
  .round .labels .beam { inset: 0; }
  .round .drawn, .round .drawn.bonus, .round .drawn.target { margin: 0.3em 0; width: 100%; }
  .round .drawing .col.lost .face, .round .drawing .col.unused .face { visibility: visible; }
  .round .cache { display: flex; flex-wrap: wrap; row-gap: 0.2em; padding-top: 0.3em; }
  .round .cache .name { order: -2; }
  .round .cache .count { order: -1; flex: 1 1 50%; }
  .round .cell { max-width: 4.4em; min-width: 1.6em; }
}
`;function le(e){let t=()=>{e.dataset.ground=Te(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},r=()=>[0,100,400].forEach(a=>setTimeout(t,a)),n=new MutationObserver(r);for(let a of[document.documentElement,document.body])n.observe(a,{attributes:!0});let o=matchMedia("(prefers-color-scheme: dark)");return o.addEventListener("change",r),t(),r(),()=>{n.disconnect(),o.removeEventListener("change",r)}}function Te(e){let[t,r,n,o=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return o===0?1:(.2126*t+.7152*r+.0722*n)/255}var de=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function me(e,t,r=""){return{render({model:n,el:o}){ue("stage",de),r&&ue(e,r);let a=s("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":n.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});o.replaceChildren(a);let i=le(a),c,l=()=>{c?.(),a.replaceChildren(),c=t({root:a,data:n.get("data"),model:n})};return n.on("change:data",l),l(),()=>{n.off("change:data",l),c?.(),i()}}}}function ue(e,t){let r=`course-look-${e}`,n=document.getElementById(r);n?n.textContent=t:document.head.append(s("style",{id:r},t))}var Ie=["ArrowRight","PageDown"," "],Le=["ArrowLeft","PageUp"],Pe="input, select, textarea, [role=slider]";function pe(e,{count:t,say:r,show:n}){let o=()=>typeof t=="function"?t():t,a=s("p",{class:"said",role:"status",dir:"auto"}),i=s("span",{class:"place"}),c=s("button",{type:"button",class:"back",onclick:()=>d.back()},"◀ Back"),l=s("button",{type:"button",class:"next",onclick:()=>d.next()},"Next ▶"),d={at:0,bar:s("div",{class:"steps"},c,l,i,a),go(m,g=!1){d.at=Math.max(0,Math.min(m,o()-1)),a.textContent=r(d.at),i.textContent=`${d.at+1} / ${o()}`,c.setAttribute("aria-disabled",d.at===0),l.setAttribute("aria-disabled",d.at===o()-1),n(d.at,g)},next(){return d.at>=o()-1?!1:(d.go(d.at+1,!0),!0)},back(){return d.at<=0?!1:(d.go(d.at-1),!0)}};return e.steps=d,e.onkeydown=m=>{if(m.altKey||m.ctrlKey||m.metaKey||m.defaultPrevented)return;let{key:g,target:v}=m;if(v.closest(Pe)||g===" "&&v.closest("button, summary"))return;(Ie.includes(g)?d.next():Le.includes(g)?d.back():g==="Home"?(d.go(0),!0):g==="End"&&(d.go(o()-1),!0))&&(m.preventDefault(),m.stopPropagation())},d}var fe=2,qt=me("round",({root:e,data:t,model:r})=>{let n=_(),o=Q(t),a=p=>o.findIndex(b=>b.round===p),i=null,c=0,l=-1,d=pe(e,{count:o.length,say:p=>j(p),show:S}),m=ie(t,p=>u(a(p))),g=s("span",{class:"where"}),v=s("p",{class:"text",dir:"auto"}),y=s("div",{class:"picture"});d.bar.querySelector(".place").replaceWith(g,B("Skip round",()=>u(a(Math.min(o[d.at].round+1,t.rounds.length-1)))),t.rounds.some(Y)?B("Jump to a miss",C):"");let x=d.bar.querySelector(".said");e.append(d.bar,s("div",{class:"top"},v,m.element),y),e.classList.toggle("plain",!t.details);function j(p){let b=o[p];return b.kind==="begin"&&l===b.round?`In round ${b.round+1} a guess is rejected. Which one?`:D(t,b)}function u(p){d.go(p)}function C(){let{round:p,kind:b}=o[d.at],h=b==="begin"&&l!==p?0:1,w=t.rounds.length;for(let k=h;k<=w;k++){let A=(p+k)%w;if(Y(t.rounds[A]))return l=A,u(a(A))}}function S(p,b){n.stop();let h=o[p];(!i||i.index!==h.round)&&(i=N(h.round)),h.kind!=="begin"&&(l=-1),c=Math.max(c,h.round+(h.kind==="end"?1:0)),g.textContent=`Round ${h.round+1} of ${t.rounds.length}`,m.paint(h.round,c);let w=M=>{let T=Z(M,i.round);i.board.paint(T),i.caches?.paint(T),$(T.done)};if(w(h),!b||p===0||o[p-1].round!==h.round)return;let k=()=>{x.textContent=D(t,h,!0),w(o[p-1])},A=()=>{w(h),x.textContent=j(p)};n.run(M=>ae[h.kind]?.({...M,ease:X,step:h,drawn:i,root:e,before:k,after:A}))}function N(p){let b=t.rounds[p],h={index:p,round:b,board:re(t,b),caches:t.details?oe(t,b):null},w=h.board.element;return h.caches&&w.append(...h.caches.elements),y.replaceChildren(w),h}function $(p){let{start:b,emitted:h,kinds:w}=i.round,A=t.pieces.slice(0,b).join("").split(`
`),M=A.slice(-fe).join(`
`),T=A.length>fe||b<i.round.context;v.replaceChildren(s("span",{class:"quiet"},b===0&&i.round.context?"prompt … ":T?"… ":""),s("bdi",{},U(M)),...p?h.map((ge,he)=>F(ge,w[he])):[s("span",{class:"caret","aria-hidden":"true"})])}let f=!!r.get("on_paper");return e.classList.toggle("on-paper",f),d.go(f?q():0),()=>n.stop();function q(){let p=["accepted","rejected","lost"],b=({guesses:k})=>p.filter(A=>k.some(M=>M.fate===A)).length,h=Math.max(...t.rounds.map(b)),w=t.rounds.findIndex(k=>b(k)===h);return c=w+1,o.findLastIndex(k=>k.round===w)}},ce);export{qt as default};
