/* Built by stage/build.mjs. Course: Apache-2.0. */
var ke="http://www.w3.org/2000/svg";function a(e,t={},...n){return X(document.createElement(e),t,n)}function K(e,t={},...n){return X(document.createElementNS(ke,e),t,n)}function X(e,t,n){for(let[r,o]of Object.entries(t))typeof o=="function"?e.addEventListener(r.replace(/^on/,""),o):o!==!1&&o!=null&&e.setAttribute(r,o===!0?"":o);return e.append(...n.flat().filter(r=>r!=null&&r!==!1)),e}function _(e,t,n={}){return a("button",{type:"button",onclick:t,...n},e)}var U=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function H(){let e=0,t=n=>{if(n!==e)throw D};return{stop:()=>{e++},async run(n){let r=++e,o=(c,i)=>new Promise((d,l)=>{if(U())return i(1),d();let u,p=b=>{if(r!==e)return l(D);u??=b;let x=Math.min((b-u)/c,1);i(x),x<1?requestAnimationFrame(p):d()};requestAnimationFrame(p)}),s=async c=>{U()||await new Promise(i=>setTimeout(i,c)),t(r)};try{return await n({tween:o,pause:s}),!0}catch(c){if(c!==D)throw c;return!1}}}}var V=e=>e<.5?4*e**3:1-(2-2*e)**3/2,D=Symbol("stopped");var I=(e,t)=>`${e} ${t}${e===1?"":"s"}`;function L(e,t){for(let n=2;n<6;n++){let[r,o]=[e.toFixed(n),t.toFixed(n)];if(r!==o)return[r,o]}return[e.toFixed(6),t.toFixed(6)]}var B={given:"",draft:"?",accepted:"✓",rejected:"✗",correction:"↺",bonus:"+",target:"•",lost:"–"},je={given:"given",draft:"drafted, not yet examined",accepted:"drafted and accepted",rejected:"drafted and rejected",correction:"correction, after a rejection",bonus:"bonus, after a fully accepted draft",target:"said by the target alone",lost:"drafted, never examined"};function F(e,t="given"){return a("span",{class:`chip ${t}`,title:je[t]},a("bdi",{},z(e)),B[t]?a("i",{class:"sign","aria-label":t},B[t]):null)}function z(e){return e.replaceAll(`
`,"⏎").replaceAll("	","⇥").replace(Z,ee).replaceAll(" ","␣")||"·"}var R=e=>`…${e.replace(/^ /,"")}`,M=e=>`“⁨${z(e)}⁩”`,Q=(e,t="")=>e.map(n=>/^[.,;:!?]/.test(n)?n:t+n).join(""),W=e=>e.replace(Z,ee),Z=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,ee=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;function oe(e,t){let{guesses:n,rows:r,emitted:o,kinds:s}=t,c=s.at(-1)==="accepted"?-1:Ce(t),i=n.map((m,j)=>te(`guess ${j+1}`,j)),d=te("next",n.length),l=Ne(t,e.greedy),u=a("div",{class:"drawn",hidden:!0}),p=a("div",{class:`board${n.length>7?" tight":""}${n.length?"":" empty"}`,style:`--n: ${n.length}`},l.element,i.map(m=>m.element),d.element,u),b=[...i,d],x=[l,...b].map(m=>m.beam);function y(m){let j=n.slice(0,m.judged).findIndex(({fate:$})=>$!=="accepted");i.forEach(($,h)=>{let{text:A,fate:O}=n[h],g=!t.parents&&j>=0&&h>j,v=h<m.judged?O:g?"lost":"draft",f=m.last&&O==="lost"?"lost":v;$.slot.replaceChildren(...m.drafted?[F(A,f),e.greedy?"":ne("q",n[h].q,Ae(t,h))]:[a("span",{class:"ghost"},"?")]),$.band.replaceChildren(...m.passed&&!e.greedy?[ne("p",n[h].p)]:[]),$.face.replaceChildren(...m.passed?[Ee(e,n[h],r[h],m,h)]:[]),$.element.className=`col guess ${f}`;let w=f==="accepted"?F(A,"accepted"):m.last&&h===c?F(o.at(-1),s.at(-1)):null;$.foot.replaceChildren(...w?[w]:[]),$.foot.classList.toggle("own",f!=="accepted"&&w!==null);for(let k of[$.slot,$.foot])k.style.cssText=""});let S=c===n.length;d.slot.replaceChildren(t.parents?"":a("span",{class:"ghost"},"next")),d.band.replaceChildren(...m.passed&&!t.parents?[a("span",{class:"amount"},n.length?"one more":e.greedy?"":"one row")]:[]),d.face.replaceChildren(...m.passed&&r[n.length]&&!(m.last&&S&&e.details&&t.drawn)?[e.greedy?ae(r[n.length]):Y(r[n.length])]:[]),d.foot.replaceChildren(...m.last&&S?[F(o.at(-1),s.at(-1))]:[]),d.foot.classList.toggle("own",m.last&&S),d.element.className=`col next${m.judged&&!S&&c>=0&&j>=0?" unused":""}`,d.element.style.opacity="",l.rows(m.passed),l.model?.removeAttribute("style"),l.face(!n.length||!m.passed?"":C(m));let N=m.last&&e.details&&t.drawn;u.hidden=!N,u.className=`drawn ${N?s.at(-1):""}`,u.replaceChildren(...N?[a("small",{},Te[s.at(-1)]),Y(Se(t.drawn),s.at(-1))]:[]),p.classList.toggle("passed",m.passed),p.classList.toggle("drawing",!u.hidden),x.forEach($=>$.style.opacity=0),u.style.cssText=`--from: ${c+1}`}let C=m=>m.last&&e.details&&t.drawn&&s.at(-1)==="correction"?"residual":e.greedy?m.judged?"same":"own":e.uniforms?m.bars?"test":"rows":m.judged?"uniforms":"rows";return{element:p,paint:y,columns:i,next:d,beams:x,drawn:u,all:b,place:c,model:l.model}}function Ce({guesses:e,parents:t,emitted:n}){return t?e.length:Math.min(n.length-1,e.length)}function te(e,t){let[n,r,o,s]=["slot","band","face","foot"].map(d=>a("div",{class:d})),c=a("span",{class:"beam","aria-hidden":"true"});return{element:a("div",{class:"col",role:"group","aria-label":e,style:`--col: ${t}`},n,r,o,s,c),slot:n,band:r,face:o,foot:s,beam:c}}var ne=(e,t,n="")=>a("span",{class:`amount ${e}`},a("i",{},e),` ${qe(t)}`,n);function Ae({parents:e,guesses:t},n){return e&&e[n]>=0?a("bdi",{},` after ${z(t[e[n]].text)}`):""}var qe=e=>e>0&&e<5e-4?"<0.001":e>0&&e<.0995?e.toFixed(3):se(e),se=e=>e>0&&e<.005?"<0.01":e.toFixed(2);function Ee(e,t,n,r,o){return e.greedy?ae(n,o<r.judged?t.fate:""):!r.bars||!e.uniforms&&!r.judged?Y(n):ze(e,t,o<r.judged)}function ae({top:e},t=""){let n={accepted:"same ✓",rejected:"other ✗"};return a("div",{class:`says ${t}`},a("bdi",{},z(e[0][0])),a("small",{},n[t]??""))}function Y({top:e,marked:t},n="p"){return a("ol",{class:`row-of ${n}`},e.map(([r,o],s)=>a("li",{class:s===t?"marked":"",style:`--share: ${o}`},a("span",{class:"bar"}),a("bdi",{},z(r)),a("span",{class:"value"},se(o)))))}function Se({top:e,marked:t}){return{top:e.slice(0,t>3?3:4).concat(t>3?[e[t]]:[]),marked:Math.min(t,3)}}function ze(e,{u:t,ratio:n,bar:r,fate:o},s){let c=s&&(o!=="lost"||!e.uniforms),[i,d]=r===null?[t.toFixed(2),""]:L(t,n),l=o==="accepted"?"✓":"✗",u=c?r===null?[a("span",{},`u ${i}`)]:[a("span",{},i),a("span",{},`${o==="accepted"?"<":"≥"} ${d}`)]:[a("span",{},r===null?"":`p/q ${n.toFixed(2)}`)];return a("div",{class:`test ${c?`landed ${o}`:""}`,style:`--bar: ${r??0}; --u: ${c?t:1.3}`},a("div",{class:`gauge${r===null?" none":""}`},a("div",{class:"fill"}),a("div",{class:"rail"},a("span",{class:"uniform"},a("i",{},"u")))),c&&e.uniforms?a("span",{class:"sign","aria-label":o},l):null,a("div",{class:"words"},u))}var Me={"":[],rows:["rows of p","the likeliest next tokens at each place, all from the same pass"],own:["its own tokens","what the target says at each place, all from the same pass"],same:["the comparison","accepted up to the first guess that is another token"],test:["the test","a uniform u between 0 and 1","below the bar, min(1, p/q): accepted"],uniforms:["the uniforms","the rule of this run is not u < p/q, so there is no bar"],residual:["the residual","max(p − q, 0), scaled to sum 1"]};function Ne({guesses:e,certain:t,parents:n},r){let o=a("div",{class:"face"}),s=a("span",{class:"beam","aria-hidden":"true"}),c=a("span"),i=t?null:re(2),d=e.length+1,l=r?` for ${d}`:`, ${d} row${d>1?"s":""}`,u=x=>c.textContent=`one pass${x?l:""}`,p=a("div",{class:"labels"},a("div",{class:"slot"},a("span",{},i,a("b",{},t?"draft":"draft model")),a("small",{class:"quiet"},e.length?n?"candidates":t?"proposed without a model":"a small pass for each guess":"nothing is drafted")),a("div",{class:"band"},re(4),a("b",{},"target model"),c,s),o,a("div",{class:"foot"},a("b",{},"into the text"))),b=([x,...y])=>x?[a("b",{},x),...y.map(C=>a("small",{class:"quiet"},C))]:[];return{element:p,beam:s,rows:u,model:i,face:x=>o.replaceChildren(...b(Me[x]))}}function re(e){let t=12+6*(e-1),n=Array.from({length:e},(r,o)=>t-11-6*o);return K("svg",{class:"weights",width:"1.6em",height:`${t/20}em`,viewBox:`0 0 32 ${t}`,"aria-hidden":"true"},n.map(r=>K("path",{d:`M16 ${r} l15 5 l-15 5 l-15 -5 z`})))}var Te={correction:"residual",bonus:"p, last row",target:"p"};function ie(e,t){let{target:n,draft:r}=t.caches,o=t.context+t.guesses.length,s=[c("target","target cache",[n[0],o,n[1]],i=>i.passed)];r&&s.push(c("draft","draft cache",r,i=>i.drafted));function c(i,d,[l,u,p],b){let x=Fe(e,t).concat(t.guesses.map(({text:h})=>z(h))),y=t.context-2,C=x.map((h,A)=>a("span",{class:"cell",style:`--at: ${A}`},a("bdi",{},h??""))),m=a("span",{class:"cell rest"}),j=a("span",{class:"count"}),S=a("div",{class:`cache ${i}`,role:"img"},a("b",{class:"name",title:"in tokens"},d),m,C,j),N=(h,A)=>h<0?"none":A.done?h<p?"had":h<u?"gone":"empty":b(A)?h<l?"had":h<u?"new":"empty":h<l?"had":"empty";return{element:S,paint:h=>{C.forEach((O,g)=>O.className=`cell ${N(y+g,h)}`),m.hidden=!1,m.textContent=y>0?`${y} before`:"",m.className=`cell rest ${y>0?N(y-1,h):"none"}`;let A=[l,...b(h)?[u]:[],...h.done&&p!==u?[p]:[]];j.textContent=A.join(" → "),S.setAttribute("aria-label",`${d}: ${j.textContent} tokens`)}}}return{elements:s.map(({element:i})=>i),paint:i=>s.forEach(({paint:d})=>d(i))}}function Fe(e,{start:t,context:n}){let r=e.between&&e.prompt?.split(e.between);return[2,1].map(o=>n<o?null:t>=o?z(e.pieces[t-o]):r?.at?.(t-o)??"…")}var E=(e,t)=>Object.assign(e.style,t),le=e=>e*e;function ce({tween:e,ease:t,step:n,drawn:r}){let{columns:o,next:s}=r.board;if(r.round.guesses[n.guess].fate==="accepted"){let{foot:i}=o[n.guess];return e(260,d=>E(i,{opacity:d,transform:`translateY(${-1.5*(1-t(d))}em)`}))}let c=o.slice(n.guess+1);return e(450,i=>{c.forEach(({slot:d},l)=>E(d,i<1?{opacity:1-.55*i,transform:`translateY(${.8*le(i)}em) rotate(${(l%2?-1:1)*7*Math.sin(Math.PI*i)}deg)`}:{opacity:"",transform:""})),s.element.style.opacity=i<1?1-.6*i:""})}var de={async draft({tween:e,ease:t,drawn:n}){let r=n.board.columns.map(({slot:s})=>s);r.forEach(s=>E(s,{opacity:0}));let{model:o}=n.board;for(let s of r)await e(Math.min(280,1150/r.length),c=>{E(s,{opacity:c,transform:`translateX(${-1.6*(1-t(c))}em)`}),o&&E(o,{transform:`scale(${1+.4*Math.sin(Math.PI*c)})`})})},async pass({tween:e,drawn:t}){let{beams:n,all:r}=t.board,o=r.flatMap(({band:s,face:c})=>[...s.children,...c.children]);await e(850,s=>{let c=s<.25?s/.25:(1-s)/.75;n.forEach(d=>E(d,{opacity:c}));let i=Math.max(0,Math.min(1,(s-.25)/.25));o.forEach(d=>E(d,{opacity:i}))})},async bars({tween:e,ease:t,drawn:n}){let r=[...n.board.element.querySelectorAll(".fill")];await e(500,o=>r.forEach(s=>s.style.setProperty("--grown",t(o))))},async test({tween:e,pause:t,ease:n,step:r,drawn:o,before:s,after:c}){s();let{columns:i}=o.board,{u:d}=o.round.guesses[r.guess],l=i[r.guess].face.querySelector(".test"),u=1.45;return l.classList.add("falling"),await e(620,p=>l.style.setProperty("--u",u+(d-u)*le(p))),await t(120),c(),ce({tween:e,ease:n,step:r,drawn:o})},async same({tween:e,pause:t,ease:n,step:r,drawn:o,before:s,after:c}){return s(),await t(450),c(),ce({tween:e,ease:n,step:r,drawn:o})},async verdict({tween:e,pause:t,before:n,after:r,drawn:o}){n(),await t(350),r();let s=o.board.columns.map(({foot:c})=>c);await e(300,c=>s.forEach(i=>E(i,{opacity:c})))},async last({tween:e,ease:t,drawn:n}){let{drawn:r,all:o,place:s}=n.board,c=o[s]?.foot;if(!c)return;let i=c.firstElementChild;E(i,{opacity:0}),r.hidden||await e(350,d=>E(r,{opacity:d})),await e(420,d=>E(i,{opacity:Math.min(1,2*d),transform:`translateY(${-3.5*(1-t(d))}em)`}))},async end({tween:e,ease:t,root:n}){let r=[...n.querySelectorAll(".text .chip")];await e(500,o=>{r.forEach(s=>E(s,{opacity:o,transform:`translateY(${1.2*(1-t(o))}em)`}))})}};var Oe=2,Ie=200;function me(e){return e.rounds.flatMap((t,n)=>{let r=["begin"];if(t.guesses.length&&r.push("draft"),r.push("pass"),t.guesses.length&&e.uniforms){e.greedy||r.push("bars");let o=e.greedy?"same":"test";t.guesses.forEach(({fate:s},c)=>s!=="lost"&&r.push({kind:o,guess:c}))}else t.guesses.length&&r.push("verdict");return r.push("last","end"),r.map(o=>({round:n,...o.kind?o:{kind:o}}))})}function pe(e,t){let n=["begin","draft","pass","bars","test","same","verdict","last","end"],r=o=>n.indexOf(e.kind)>=n.indexOf(o);return{drafted:r("draft"),passed:r("pass"),bars:r("bars"),judged:"guess"in e?e.guess+1:r("verdict")?t.guesses.length:0,last:r("last"),done:r("end")}}function ge(e,{start:t,context:n}){let r=typeof e.prompt=="string",o=Q(e.pieces.slice(0,t),e.between),s=(r?e.prompt:"")+o,c=[...s.split(`
`).slice(-Oe).join(`
`)].slice(-Ie).join(""),i=c.length<s.length||!r&&0<t&&t<n,d=Math.min(o.length,c.length),[l,u]=[c.slice(0,c.length-d),c.slice(c.length-d)];return!r&&t===0&&n?{prompt:null,added:""}:i?l?{prompt:R(l),added:u}:{prompt:l,added:R(u)}:{prompt:l,added:u}}var G=e=>e.guesses.some(({fate:t})=>t==="rejected");function J(e,t,n=!1){let r=e.rounds[t.round],{guesses:o}=r,s=I(o.length,"guess").replace("guesss","guesses");switch(t.kind){case"begin":return o.length?`Round ${t.round+1} begins. What comes next? The draft will write ${s}.`:`Round ${t.round+1} begins. Nothing is drafted in it.`;case"draft":return r.parents?`${s} are drafted, as candidates: several may stand at one position.`:r.certain?`${s} ${o.length>1?"are":"is"} proposed at once, without a model: q = 1 for ${o.length>1?"each":"it"}.`:e.greedy?`The draft writes ${s}, one after the other.`:o.every(({q:c})=>c===1)?`The draft writes ${s}, one after the other, and is certain of ${o.length>1?"each":"it"}: q = 1.`:`The draft writes ${s}, one after the other. q is the probability it gave to ${o.length>1?"each":"it"}.`;case"pass":return e.greedy&&o.length?`One pass of the target reads everything at once: what it says itself at all ${ue(r)} places.`:o.length?`One pass of the target reads everything at once: ${I(ue(r),"row")} of p, none waits for another.`:e.greedy?"One pass of the target gives its next token.":"One pass of the target gives one row of p.";case"bars":return`The bar of a guess is min(1, p/q) high. A uniform below it accepts the guess. ${o.length>1?"Which ones?":"Will it?"}`;case"test":return n?`A uniform falls against the bar of ${M(o[t.guess].text)} …`:Le(r,t.guess);case"same":return n?`The target's own token is laid beside the guess ${M(o[t.guess].text)} …`:Be(r,t.guess);case"verdict":{let c=o.filter(({fate:i})=>i==="accepted").length;return n?"The rule of this run judges the draft …":`The rule of this run is not u < p/q guess by guess, so there are no bars. It accepts ${c} of ${s}.`}case"last":return Pe(e,r);default:return Ke(r,e.details)}}var ue=e=>e.guesses.length+1;function Le(e,t){let{text:n,u:r,ratio:o,fate:s}=e.guesses[t],[c,i]=L(r,o);return s==="accepted"?`u = ${c} is below p/q = ${i}: ${M(n)} is accepted.`:`u = ${c} is not below p/q = ${i}: ${M(n)} is rejected.${fe(e,t)}`}function Be(e,t){let{text:n,fate:r}=e.guesses[t];return r==="accepted"?`The target says ${M(n)}, too: the guess is accepted.`:`The target says ${M(e.rows[t].top[0][0])}: the guess ${M(n)} is rejected.${fe(e,t)}`}function fe({guesses:e},t){let n=e.length-t-1;return n===0?"":n===1?" The guess behind it is never examined.":` The ${n} guesses behind it are never examined.`}function Pe(e,t){let n=M(t.emitted.at(-1));switch(t.kinds.at(-1)){case"correction":return!e.details||e.greedy?`The target's own token takes the place of the rejected guess: ${n}, the correction.`:e.uniforms?`The correction ${n} is drawn from the residual: what p has more than q, scaled to sum 1.`:`The correction ${n} is the target's own token.`;case"bonus":return e.greedy?`Every guess is accepted, and the target has one more token to give: ${n}, the bonus.`:t.parents?`The accepted guess has a row of p behind it, too: the bonus ${n} is drawn from it.`:`Every guess is accepted, and the pass has one row more: the bonus ${n} is drawn from it.`;case"target":return`Nothing was drafted, so the target says the next token itself: ${n}.`;default:return`${n} is a stop token: the text ends inside the draft, and nothing more is drawn.`}}function Ke(e,t){let n=I(e.emitted.length,"token"),o=t&&e.caches.target[1]<e.context+e.guesses.length?` What is not in the text leaves the cache${e.caches.draft?"s":""}.`:"";return`One pass of the target added ${n} to the text.${o}`}function he(e,t){let n=Math.max(...e.rounds.map(({emitted:i})=>i.length)),r=e.rounds.map((i,d)=>{let l=a("span",{class:"pile"});return{body:l,element:a("button",{type:"button",onclick:()=>t(d)},l),round:i}}),o=a("small",{class:"quiet"},"accepted in each round"),s=a("div",{class:"strip",role:"group","aria-label":"rounds"},o,a("div",{class:"piles"},r.map(i=>i.element))),c="";return{element:s,paint(i,d){c!==`${i} ${d}`&&(c=`${i} ${d}`,r.forEach(({element:l,body:u,round:p},b)=>{let x=p.kinds.filter(m=>m==="accepted").length,y=b<d,C=p.kinds.at(-1);u.replaceChildren(...y?[C==="accepted"?"":a("i",{class:C},B[C]),a("span",{class:"height",style:`--share: ${x/n}`})]:[a("i",{class:"unseen"},"·")]),l.setAttribute("aria-label",`Round ${b+1}${y?`: ${x} of ${p.guesses.length} accepted`:""}`),l.setAttribute("aria-current",b===i?"step":"false")}))}}}var be=`.round .steps { gap: 0.4em 0.6em; }
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
.round.greedy .face { height: 4em; }
.round .says { min-width: 0; text-align: center; }
.round .says bdi { display: block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: pre; padding: 0 0.2em; border-radius: 0.2em; background: color-mix(in srgb, var(--target) 26%, var(--ground)); font-family: var(--jp-code-font-family, ui-monospace, monospace), "Noto Sans CJK SC", monospace; }
.round .says small { display: block; min-height: 1.4em; font-weight: 700; white-space: nowrap; }
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
  .round.plain .board { grid-template-columns: 19.2em repeat(var(--n), minmax(2.6em, 1fr)) minmax(5.4em, 1.1fr); }
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
`;function xe(e){let t=()=>{e.dataset.ground=De(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(s=>setTimeout(t,s)),r=new MutationObserver(n);for(let s of[document.documentElement,document.body])r.observe(s,{attributes:!0});let o=matchMedia("(prefers-color-scheme: dark)");return o.addEventListener("change",n),t(),n(),()=>{r.disconnect(),o.removeEventListener("change",n)}}function De(e){let[t,n,r,o=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return o===0?1:(.2126*t+.7152*n+.0722*r)/255}var ve=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function ye(e,t,n=""){return{render({model:r,el:o}){we("stage",ve),n&&we(e,n);let s=a("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":r.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});o.replaceChildren(s);let c=xe(s),i,d=()=>{let{at:p,last:b}=s.steps;r.get("step")===p&&r.get("last_step")===b()||(r.set("last_step",b()),r.set("step",p),r.save_changes())},l=()=>{let p=s.steps;if(!p?.last)return;p.went=d;let b=r.get("step")??p.at;b===p.at?d():p.go(b)},u=()=>{i?.(),s.replaceChildren(),i=t({root:s,data:r.get("data"),model:r}),l()};return r.on("change:data",u),r.on("change:step",l),u(),()=>{r.off("change:data",u),r.off("change:step",l),i?.(),c()}}}}function we(e,t){let n=`course-look-${e}`,r=document.getElementById(n);r?r.textContent=t:document.head.append(a("style",{id:n},t))}var We=["ArrowRight","PageDown"," "],Ye=["ArrowLeft","PageUp"],Ge="input, select, textarea, [role=slider]";function $e(e,{count:t,say:n,show:r}){let o=()=>typeof t=="function"?t():t,s=a("p",{class:"said",role:"status",dir:"auto"}),c=a("span",{class:"place"}),i=a("button",{type:"button",class:"back",onclick:()=>l.back()},"◀ Back"),d=a("button",{type:"button",class:"next",onclick:()=>l.next()},"Next ▶"),l={at:0,last:()=>o()-1,went:()=>{},bar:a("div",{class:"steps"},i,d,c,s),go(u,p=!1){l.at=Math.max(0,Math.min(u,l.last())),s.textContent=n(l.at),c.textContent=`${l.at+1} / ${o()}`,i.setAttribute("aria-disabled",l.at===0),d.setAttribute("aria-disabled",l.at===l.last()),r(l.at,p),l.went()},next(){return l.at>=l.last()?!1:(l.go(l.at+1,!0),!0)},back(){return l.at<=0?!1:(l.go(l.at-1),!0)}};return e.steps=l,e.onkeydown=u=>{if(u.altKey||u.ctrlKey||u.metaKey||u.defaultPrevented)return;let{key:p,target:b}=u;if(b.closest(Ge)||p===" "&&b.closest("button, summary"))return;(We.includes(p)?l.next():Ye.includes(p)?l.back():p==="Home"?(l.go(0),!0):p==="End"&&(l.go(l.last()),!0))&&(u.preventDefault(),u.stopPropagation())},l}var It=ye("round",({root:e,data:t,model:n})=>{let r=H(),o=me(t),s=t.rounds.length>1,c=g=>o.findIndex(v=>v.round===g),i=null,d=0,l=-1,u=$e(e,{count:o.length,say:g=>m(g),show:N}),p=he(t,g=>j(c(g))),b=a("span",{class:"where"}),x=a("p",{class:"text",dir:"auto"}),y=a("div",{class:"picture"});u.bar.querySelector(".place").replaceWith(b,s?_("Skip round",()=>j(c(Math.min(o[u.at].round+1,t.rounds.length-1)))):"",s&&t.rounds.some(G)?_("Jump to a miss",S):"");let C=u.bar.querySelector(".said");e.append(u.bar,a("div",{class:"top"},x,s?p.element:""),y),e.classList.toggle("plain",!t.details),e.classList.toggle("greedy",t.greedy);function m(g){let v=o[g];return v.kind==="begin"&&l===v.round?`In round ${v.round+1} a guess is rejected. Which one?`:J(t,v)}function j(g){u.go(g)}function S(){let{round:g,kind:v}=o[u.at],f=v==="begin"&&l!==g?0:1,w=t.rounds.length;for(let k=f;k<=w;k++){let q=(g+k)%w;if(G(t.rounds[q]))return l=q,j(c(q))}}function N(g,v){r.stop();let f=o[g];(!i||i.index!==f.round)&&(i=$(f.round)),f.kind!=="begin"&&(l=-1),d=Math.max(d,f.round+(f.kind==="end"?1:0)),b.textContent=s?`Round ${f.round+1} of ${t.rounds.length}`:`${g+1} / ${o.length}`,p.paint(f.round,d);let w=T=>{let P=pe(T,i.round);i.board.paint(P),i.caches?.paint(P),h(P.done)};if(w(f),!v||g===0||o[g-1].round!==f.round)return;let k=()=>{C.textContent=J(t,f,!0),w(o[g-1])},q=()=>{w(f),C.textContent=m(g)};r.run(T=>de[f.kind]?.({...T,ease:V,step:f,drawn:i,root:e,before:k,after:q}))}function $(g){let v=t.rounds[g],f={index:g,round:v,board:oe(t,v),caches:t.details?ie(t,v):null},w=f.board.element;return f.caches&&w.append(...f.caches.elements),y.replaceChildren(w),f}function h(g){let{emitted:v,kinds:f}=i.round,{prompt:w,added:k}=ge(t,i.round);x.replaceChildren(a("bdi",{},a("span",{class:"quiet"},W(w??"prompt … ")),W(k),t.between),...g?v.map((q,T)=>F(q,f[T])):[a("span",{class:"caret","aria-hidden":"true"})])}let A=!!n.get("on_paper");return e.classList.toggle("on-paper",A),u.go(A?O():0),()=>r.stop();function O(){let g=["accepted","rejected","lost"],v=({guesses:k})=>g.filter(q=>k.some(T=>T.fate===q)).length,f=Math.max(...t.rounds.map(v)),w=t.rounds.findIndex(k=>v(k)===f);return t.details&&(d=w+1),o.findLastIndex(({round:k,kind:q})=>k===w&&(t.details||q==="pass"||q==="bars"))}},be);export{It as default};
