/* Built by stage/build.mjs. Course: Apache-2.0. */
function M(e){let t=0,n=0,r=e.turns.map(({times:i})=>t+=i[0]+i[1]+i[2]),o=[0,...e.turns.map(({written:i})=>n+=i.length)];return{...e,ends:r,after:o}}function pe({ends:e},t){let n=0,r=e.length;for(;n<r;){let o=n+r>>1;e[o]<=t?n=o+1:r=o}return n}function z(e,t){let n=pe(e,t),r=[0,0,0];for(let{times:l}of e.turns.slice(0,n))l.forEach((p,d)=>r[d]+=p);let o=n?e.ends[n-1]:0,i=e.turns[n],s=t-o;i?.times.forEach((l,p)=>{r[p]+=Math.min(l,Math.max(s,0)),s-=l});let a=i?.times[0]??0,c=t-o,u=a>0?Math.min(c/a,1):1;return{tokens:e.after[n],calls:n,elapsed:Math.min(t,e.ends.at(-1)),spent:r,done:n===e.turns.length,phase:i?c<a?0:c<a+i.times[1]?1:2:null,guesses:i?Math.floor(u*i.drafted.length):0}}var de="http://www.w3.org/2000/svg";function v(e,t={},...n){return I(document.createElement(e),t,n)}function A(e,t={},...n){return I(document.createElementNS(de,e),t,n)}function I(e,t,n){for(let[r,o]of Object.entries(t))typeof o=="function"?e.addEventListener(r.replace(/^on/,""),o):o!==!1&&o!=null&&e.setAttribute(r,o===!0?"":o);return e.append(...n.flat().filter(r=>r!=null&&r!==!1)),e}function q(e,t,n={}){return v("button",{type:"button",onclick:t,...n},e)}var T=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;var S=(e,t)=>`${e} ${t}${e===1?"":"s"}`;function B(e){let t=()=>{e.dataset.ground=he(getComputedStyle(e).backgroundColor)<.4?"dark":"light"},n=()=>[0,100,400].forEach(i=>setTimeout(t,i)),r=new MutationObserver(n);for(let i of[document.documentElement,document.body])r.observe(i,{attributes:!0});let o=matchMedia("(prefers-color-scheme: dark)");return o.addEventListener("change",n),t(),n(),()=>{r.disconnect(),o.removeEventListener("change",n)}}function he(e){let[t,n,r,o=1]=(e.match(/[\d.]+/g)??["255","255","255"]).map(Number);return o===0?1:(.2126*t+.7152*n+.0722*r)/255}var R=`/* One look for all scenes, on the variables of whatever page they stand in. */
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
`;function P(e,t,n=""){return{render({model:r,el:o}){O("stage",R),n&&O(e,n);let i=v("section",{class:`course-scene ${e}`,tabindex:"0",role:"group","aria-label":r.get("alt")||e,"data-scene":e,"data-lm-suppress-shortcuts":"true"});o.replaceChildren(i);let s=B(i),a,c=()=>{let{at:p,last:d}=i.steps;r.get("step")===p&&r.get("last_step")===d()||(r.set("last_step",d()),r.set("step",p),r.save_changes())},u=()=>{let p=i.steps;if(!p?.last)return;p.went=c;let d=r.get("step")??p.at;d===p.at?c():p.go(d)},l=()=>{a?.(),i.replaceChildren(),a=t({root:i,data:r.get("data"),model:r}),u()};return r.on("change:data",l),r.on("change:step",u),l(),()=>{r.off("change:data",l),r.off("change:step",u),a?.(),s()}}}}function O(e,t){let n=`course-look-${e}`,r=document.getElementById(n);r?r.textContent=t:document.head.append(v("style",{id:n},t))}var V=e=>e.replace(ge,ve),ge=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,ve=e=>e==="�"?e:`‹${e.charCodeAt(0).toString(16).padStart(4,"0").toUpperCase()}›`;var $="http://www.w3.org/1999/xhtml",D={svg:"http://www.w3.org/2000/svg",xhtml:$,xlink:"http://www.w3.org/1999/xlink",xml:"http://www.w3.org/XML/1998/namespace",xmlns:"http://www.w3.org/2000/xmlns/"};function H(e){var t=e+="",n=t.indexOf(":");return n>=0&&(t=e.slice(0,n))!=="xmlns"&&(e=e.slice(n+1)),D.hasOwnProperty(t)?{space:D[t],local:e}:e}function ye(e){return function(){var t=this.ownerDocument,n=this.namespaceURI;return n===$&&t.documentElement.namespaceURI===$?t.createElement(e):t.createElementNS(n,e)}}function we(e){return function(){return this.ownerDocument.createElementNS(e.space,e.local)}}function G(e){var t=H(e);return(t.local?we:ye)(t)}function xe(){}function U(e){return e==null?xe:function(){return this.querySelector(e)}}function be(e){typeof e!="function"&&(e=U(e));for(var t=this._groups,n=t.length,r=new Array(n),o=0;o<n;++o)for(var i=t[o],s=i.length,a=r[o]=new Array(s),c,u,l=0;l<s;++l)(c=i[l])&&(u=e.call(c,c.__data__,l,i))&&("__data__"in c&&(u.__data__=c.__data__),a[l]=u);return new b(r,this._parents)}function _e(e){return e==null?[]:Array.isArray(e)?e:Array.from(e)}function ke(){return[]}function Ae(e){return e==null?ke:function(){return this.querySelectorAll(e)}}function Se(e){return function(){return _e(e.apply(this,arguments))}}function Ce(e){typeof e=="function"?e=Se(e):e=Ae(e);for(var t=this._groups,n=t.length,r=[],o=[],i=0;i<n;++i)for(var s=t[i],a=s.length,c,u=0;u<a;++u)(c=s[u])&&(r.push(e.call(c,c.__data__,u,s)),o.push(c));return new b(r,o)}function Ee(e){return function(){return this.matches(e)}}function X(e){return function(t){return t.matches(e)}}var $e=Array.prototype.find;function Ne(e){return function(){return $e.call(this.children,e)}}function Fe(){return this.firstElementChild}function Le(e){return this.select(e==null?Fe:Ne(typeof e=="function"?e:X(e)))}var Me=Array.prototype.filter;function ze(){return Array.from(this.children)}function Ie(e){return function(){return Me.call(this.children,e)}}function qe(e){return this.selectAll(e==null?ze:Ie(typeof e=="function"?e:X(e)))}function Te(e){typeof e!="function"&&(e=Ee(e));for(var t=this._groups,n=t.length,r=new Array(n),o=0;o<n;++o)for(var i=t[o],s=i.length,a=r[o]=[],c,u=0;u<s;++u)(c=i[u])&&e.call(c,c.__data__,u,i)&&a.push(c);return new b(r,this._parents)}function Y(e){return new Array(e.length)}function Be(){return new b(this._enter||this._groups.map(Y),this._parents)}function C(e,t){this.ownerDocument=e.ownerDocument,this.namespaceURI=e.namespaceURI,this._next=null,this._parent=e,this.__data__=t}C.prototype={constructor:C,appendChild:function(e){return this._parent.insertBefore(e,this._next)},insertBefore:function(e,t){return this._parent.insertBefore(e,t)},querySelector:function(e){return this._parent.querySelector(e)},querySelectorAll:function(e){return this._parent.querySelectorAll(e)}};function Re(e){return function(){return e}}function Oe(e,t,n,r,o,i){for(var s=0,a,c=t.length,u=i.length;s<u;++s)(a=t[s])?(a.__data__=i[s],r[s]=a):n[s]=new C(e,i[s]);for(;s<c;++s)(a=t[s])&&(o[s]=a)}function Pe(e,t,n,r,o,i,s){var a,c,u=new Map,l=t.length,p=i.length,d=new Array(l),f;for(a=0;a<l;++a)(c=t[a])&&(d[a]=f=s.call(c,c.__data__,a,t)+"",u.has(f)?o[a]=c:u.set(f,c));for(a=0;a<p;++a)f=s.call(e,i[a],a,i)+"",(c=u.get(f))?(r[a]=c,c.__data__=i[a],u.delete(f)):n[a]=new C(e,i[a]);for(a=0;a<l;++a)(c=t[a])&&u.get(d[a])===c&&(o[a]=c)}function Ve(e){return e.__data__}function De(e,t){if(!arguments.length)return Array.from(this,Ve);var n=t?Pe:Oe,r=this._parents,o=this._groups;typeof e!="function"&&(e=Re(e));for(var i=o.length,s=new Array(i),a=new Array(i),c=new Array(i),u=0;u<i;++u){var l=r[u],p=o[u],d=p.length,f=He(e.call(l,l&&l.__data__,u,r)),h=f.length,m=a[u]=new Array(h),y=s[u]=new Array(h),x=c[u]=new Array(d);n(l,p,m,y,x,f,t);for(var k=0,_=0,g,w;k<h;++k)if(g=m[k]){for(k>=_&&(_=k+1);!(w=y[_])&&++_<h;);g._next=w||null}}return s=new b(s,r),s._enter=a,s._exit=c,s}function He(e){return typeof e=="object"&&"length"in e?e:Array.from(e)}function Ge(){return new b(this._exit||this._groups.map(Y),this._parents)}function Ue(e,t,n){var r=this.enter(),o=this,i=this.exit();return typeof e=="function"?(r=e(r),r&&(r=r.selection())):r=r.append(e+""),t!=null&&(o=t(o),o&&(o=o.selection())),n==null?i.remove():n(i),r&&o?r.merge(o).order():o}function Xe(e){for(var t=e.selection?e.selection():e,n=this._groups,r=t._groups,o=n.length,i=r.length,s=Math.min(o,i),a=new Array(o),c=0;c<s;++c)for(var u=n[c],l=r[c],p=u.length,d=a[c]=new Array(p),f,h=0;h<p;++h)(f=u[h]||l[h])&&(d[h]=f);for(;c<o;++c)a[c]=n[c];return new b(a,this._parents)}function Ye(){for(var e=this._groups,t=-1,n=e.length;++t<n;)for(var r=e[t],o=r.length-1,i=r[o],s;--o>=0;)(s=r[o])&&(i&&s.compareDocumentPosition(i)^4&&i.parentNode.insertBefore(s,i),i=s);return this}function Ke(e){e||(e=Je);function t(p,d){return p&&d?e(p.__data__,d.__data__):!p-!d}for(var n=this._groups,r=n.length,o=new Array(r),i=0;i<r;++i){for(var s=n[i],a=s.length,c=o[i]=new Array(a),u,l=0;l<a;++l)(u=s[l])&&(c[l]=u);c.sort(t)}return new b(o,this._parents).order()}function Je(e,t){return e<t?-1:e>t?1:e>=t?0:NaN}function We(){var e=arguments[0];return arguments[0]=this,e.apply(null,arguments),this}function Qe(){return Array.from(this)}function Ze(){for(var e=this._groups,t=0,n=e.length;t<n;++t)for(var r=e[t],o=0,i=r.length;o<i;++o){var s=r[o];if(s)return s}return null}function je(){let e=0;for(let t of this)++e;return e}function et(){return!this.node()}function tt(e){for(var t=this._groups,n=0,r=t.length;n<r;++n)for(var o=t[n],i=0,s=o.length,a;i<s;++i)(a=o[i])&&e.call(a,a.__data__,i,o);return this}function nt(e){return function(){this.removeAttribute(e)}}function rt(e){return function(){this.removeAttributeNS(e.space,e.local)}}function ot(e,t){return function(){this.setAttribute(e,t)}}function it(e,t){return function(){this.setAttributeNS(e.space,e.local,t)}}function at(e,t){return function(){var n=t.apply(this,arguments);n==null?this.removeAttribute(e):this.setAttribute(e,n)}}function st(e,t){return function(){var n=t.apply(this,arguments);n==null?this.removeAttributeNS(e.space,e.local):this.setAttributeNS(e.space,e.local,n)}}function ct(e,t){var n=H(e);if(arguments.length<2){var r=this.node();return n.local?r.getAttributeNS(n.space,n.local):r.getAttribute(n)}return this.each((t==null?n.local?rt:nt:typeof t=="function"?n.local?st:at:n.local?it:ot)(n,t))}function K(e){return e.ownerDocument&&e.ownerDocument.defaultView||e.document&&e||e.defaultView}function lt(e){return function(){this.style.removeProperty(e)}}function ut(e,t,n){return function(){this.style.setProperty(e,t,n)}}function ft(e,t,n){return function(){var r=t.apply(this,arguments);r==null?this.style.removeProperty(e):this.style.setProperty(e,r,n)}}function pt(e,t,n){return arguments.length>1?this.each((t==null?lt:typeof t=="function"?ft:ut)(e,t,n??"")):dt(this.node(),e)}function dt(e,t){return e.style.getPropertyValue(t)||K(e).getComputedStyle(e,null).getPropertyValue(t)}function ht(e){return function(){delete this[e]}}function mt(e,t){return function(){this[e]=t}}function gt(e,t){return function(){var n=t.apply(this,arguments);n==null?delete this[e]:this[e]=n}}function vt(e,t){return arguments.length>1?this.each((t==null?ht:typeof t=="function"?gt:mt)(e,t)):this.node()[e]}function J(e){return e.trim().split(/^|\s+/)}function F(e){return e.classList||new W(e)}function W(e){this._node=e,this._names=J(e.getAttribute("class")||"")}W.prototype={add:function(e){var t=this._names.indexOf(e);t<0&&(this._names.push(e),this._node.setAttribute("class",this._names.join(" ")))},remove:function(e){var t=this._names.indexOf(e);t>=0&&(this._names.splice(t,1),this._node.setAttribute("class",this._names.join(" ")))},contains:function(e){return this._names.indexOf(e)>=0}};function Q(e,t){for(var n=F(e),r=-1,o=t.length;++r<o;)n.add(t[r])}function Z(e,t){for(var n=F(e),r=-1,o=t.length;++r<o;)n.remove(t[r])}function yt(e){return function(){Q(this,e)}}function wt(e){return function(){Z(this,e)}}function xt(e,t){return function(){(t.apply(this,arguments)?Q:Z)(this,e)}}function bt(e,t){var n=J(e+"");if(arguments.length<2){for(var r=F(this.node()),o=-1,i=n.length;++o<i;)if(!r.contains(n[o]))return!1;return!0}return this.each((typeof t=="function"?xt:t?yt:wt)(n,t))}function _t(){this.textContent=""}function kt(e){return function(){this.textContent=e}}function At(e){return function(){var t=e.apply(this,arguments);this.textContent=t??""}}function St(e){return arguments.length?this.each(e==null?_t:(typeof e=="function"?At:kt)(e)):this.node().textContent}function Ct(){this.innerHTML=""}function Et(e){return function(){this.innerHTML=e}}function $t(e){return function(){var t=e.apply(this,arguments);this.innerHTML=t??""}}function Nt(e){return arguments.length?this.each(e==null?Ct:(typeof e=="function"?$t:Et)(e)):this.node().innerHTML}function Ft(){this.nextSibling&&this.parentNode.appendChild(this)}function Lt(){return this.each(Ft)}function Mt(){this.previousSibling&&this.parentNode.insertBefore(this,this.parentNode.firstChild)}function zt(){return this.each(Mt)}function It(e){var t=typeof e=="function"?e:G(e);return this.select(function(){return this.appendChild(t.apply(this,arguments))})}function qt(){return null}function Tt(e,t){var n=typeof e=="function"?e:G(e),r=t==null?qt:typeof t=="function"?t:U(t);return this.select(function(){return this.insertBefore(n.apply(this,arguments),r.apply(this,arguments)||null)})}function Bt(){var e=this.parentNode;e&&e.removeChild(this)}function Rt(){return this.each(Bt)}function Ot(){var e=this.cloneNode(!1),t=this.parentNode;return t?t.insertBefore(e,this.nextSibling):e}function Pt(){var e=this.cloneNode(!0),t=this.parentNode;return t?t.insertBefore(e,this.nextSibling):e}function Vt(e){return this.select(e?Pt:Ot)}function Dt(e){return arguments.length?this.property("__data__",e):this.node().__data__}function Ht(e){return function(t){e.call(this,t,this.__data__)}}function Gt(e){return e.trim().split(/^|\s+/).map(function(t){var n="",r=t.indexOf(".");return r>=0&&(n=t.slice(r+1),t=t.slice(0,r)),{type:t,name:n}})}function Ut(e){return function(){var t=this.__on;if(t){for(var n=0,r=-1,o=t.length,i;n<o;++n)i=t[n],(!e.type||i.type===e.type)&&i.name===e.name?this.removeEventListener(i.type,i.listener,i.options):t[++r]=i;++r?t.length=r:delete this.__on}}}function Xt(e,t,n){return function(){var r=this.__on,o,i=Ht(t);if(r){for(var s=0,a=r.length;s<a;++s)if((o=r[s]).type===e.type&&o.name===e.name){this.removeEventListener(o.type,o.listener,o.options),this.addEventListener(o.type,o.listener=i,o.options=n),o.value=t;return}}this.addEventListener(e.type,i,n),o={type:e.type,name:e.name,value:t,listener:i,options:n},r?r.push(o):this.__on=[o]}}function Yt(e,t,n){var r=Gt(e+""),o,i=r.length,s;if(arguments.length<2){var a=this.node().__on;if(a){for(var c=0,u=a.length,l;c<u;++c)for(o=0,l=a[c];o<i;++o)if((s=r[o]).type===l.type&&s.name===l.name)return l.value}return}for(a=t?Xt:Ut,o=0;o<i;++o)this.each(a(r[o],t,n));return this}function j(e,t,n){var r=K(e),o=r.CustomEvent;typeof o=="function"?o=new o(t,n):(o=r.document.createEvent("Event"),n?(o.initEvent(t,n.bubbles,n.cancelable),o.detail=n.detail):o.initEvent(t,!1,!1)),e.dispatchEvent(o)}function Kt(e,t){return function(){return j(this,e,t)}}function Jt(e,t){return function(){return j(this,e,t.apply(this,arguments))}}function Wt(e,t){return this.each((typeof t=="function"?Jt:Kt)(e,t))}function*Qt(){for(var e=this._groups,t=0,n=e.length;t<n;++t)for(var r=e[t],o=0,i=r.length,s;o<i;++o)(s=r[o])&&(yield s)}var ee=[null];function b(e,t){this._groups=e,this._parents=t}function Zt(){return new b([[document.documentElement]],ee)}function jt(){return this}b.prototype=Zt.prototype={constructor:b,select:be,selectAll:Ce,selectChild:Le,selectChildren:qe,filter:Te,data:De,enter:Be,exit:Ge,join:Ue,merge:Xe,selection:jt,order:Ye,sort:Ke,call:We,nodes:Qe,node:Ze,size:je,empty:et,each:tt,attr:ct,style:pt,property:vt,classed:bt,text:St,html:Nt,raise:Lt,lower:zt,append:It,insert:Tt,remove:Rt,clone:Vt,datum:Dt,on:Yt,dispatch:Wt,[Symbol.iterator]:Qt};function te(e){return typeof e=="string"?new b([[document.querySelector(e)]],[document.documentElement]):new b([[e]],ee)}var en=0;function tn(){return new N}function N(){this._="@"+(++en).toString(36)}N.prototype=tn.prototype={constructor:N,get:function(e){for(var t=this._;!(t in e);)if(!(e=e.parentNode))return;return e[t]},set:function(e,t){return e[this._]=t},remove:function(e){return this._ in e&&delete e[this._]},toString:function(){return this._}};function ne(e,{label:t,height:n,draw:r}){let o=te(e).append("svg").attr("role","img").attr("aria-label",t),i="",s=()=>{let c=parseFloat(getComputedStyle(e).fontSize)||16,u=e.clientWidth;if(!u)return;let l=c*(typeof n=="function"?n(u/c):n);i=`${u} ${c}`,o.attr("width",u).attr("height",l).attr("viewBox",`0 0 ${u} ${l}`),r({svg:o,width:u,height:l,em:c})},a=new ResizeObserver(()=>{let c=parseFloat(getComputedStyle(e).fontSize);i!==`${e.clientWidth} ${c}`&&s()});return a.observe(e),s(),{svg:o,redraw:s,stop:()=>a.disconnect(),say:c=>o.attr("aria-label",c)}}var re=1100;var oe=1.8,L=1;function ie(e,t,n){let r=t.turns.flatMap(({written:l})=>l.map(([,p])=>p)),o=t.turns.map(({drafted:l})=>l.filter(([,p])=>p!=="accepted").length),i=null,s=null,a=ne(e,{label:`${t.name}: the lane`,height:oe+.3,draw:({svg:l,width:p,height:d,em:f})=>{let h=(p-.5*f)/n,m=d-.2*f,[y,x]=[A("g"),A("g")];l.node().replaceChildren(A("line",{class:"ground",x1:0,x2:p,y1:m,y2:m}),A("line",{class:"goal",x1:n*h+3,x2:n*h+3,y1:0,y2:m}),y,x),s={step:h,floor:m,em:f,written:y,passing:x},u()}});function c(l,p,d,f={}){let{step:h,floor:m,em:y}=s,x=Math.max(h-Math.min(.18*h,2),.6);return A("rect",{class:d,x:l*h,width:x,y:m-p*y,height:p*y,...f})}function u(){if(!i||!s)return;let{step:l,floor:p,em:d,written:f,passing:h}=s,[m,y,x,k]=i;for(;f.childElementCount>m.tokens;)f.lastChild.remove();for(let g=f.childElementCount;g<m.tokens;g++)f.append(c(g,r[g]==="accepted"?L:oe,r[g]));let _=[];for(let g=0;g<m.guesses;g++)_.push(c(m.tokens+g,L,m.phase===1?"draft looked-at":"draft"));for(let g=m.calls-1;g>=0;g--){let w=(y-t.ends[g])*x/re;if(!(w<1))break;let ue=t.after[g+1]-1,fe={transform:`translate(0 ${2.2*d*w*w})`,opacity:1-w};for(let E=0;E<o[g];E++)_.push(c(ue+E,L,"ghost",fe))}if(k&&!m.done){let[g,w]=[m.tokens*l,n*l];_.push(A("path",{class:"gap",d:`M${g} ${p-.45*d}v${.3*d}v${-.15*d}H${w}v${-.15*d}v${.3*d}`}),A("text",{class:"togo",x:(g+w)/2,y:p-.8*d,"text-anchor":"middle"},`${S(t.tokens-m.tokens,"token")} to go`))}h.replaceChildren(..._)}return{draw(...l){i=l,a.say(`${t.name}: ${l[0].tokens} of ${t.tokens} tokens written, in ${S(l[0].calls,"target call")}`),u()},stop:a.stop}}var ae=`.opening .lanes { display: grid; grid-template-columns: 1fr 1fr; gap: 0.4em 1.6em; }
.opening .track { min-width: 0; }
.opening .head { display: flex; justify-content: space-between; align-items: baseline; gap: 0.6em; white-space: nowrap; }
.opening .head h3 { margin: 0; }
.opening .head .calls { font-variant-numeric: tabular-nums; font-size: 1.15em; }
.opening .code { height: 15em; overflow: hidden; display: flex; flex-direction: column-reverse; margin: 0.4em 0; }
.opening .flow { margin-bottom: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-family: var(--jp-code-font-family, ui-monospace, monospace); font-size: 0.92em; line-height: 1.5; }
.opening .flow .target { background: color-mix(in srgb, var(--target) 22%, var(--ground)); }
.opening .flow .accepted { background: color-mix(in srgb, var(--accepted) 30%, var(--ground)); }
.opening .flow .correction { background: color-mix(in srgb, var(--correction) 45%, var(--ground)); }
.opening .flow .bonus { background: color-mix(in srgb, var(--bonus) 35%, var(--ground)); }
.opening .flow .draft { background: color-mix(in srgb, var(--draft) 25%, var(--ground)); outline: 1px dashed var(--draft); outline-offset: -1px; }
.opening .foot { justify-content: space-between; margin-top: 0.3em; }
@container (max-width: 40em) {
  .opening .lanes { grid-template-columns: 1fr; }
  .opening .code { height: 8.4em; }
}
`;var se=`.race { display: grid; gap: 0.25em; }
.race .wager { display: flex; flex-wrap: wrap; gap: 0.4em 1.6em; align-items: center; }
.race .bets { display: flex; flex-wrap: wrap; gap: 0.6em; flex: 1 1 18em; }
.race .bet { text-align: center; flex: 1 1 5.5em; min-height: 6em; font-weight: 600; display: grid; align-content: end; justify-items: center; gap: 0.2em; }
.race .bet .sum { order: -1; margin: 0; font-size: 1.6em; line-height: 1.2; }
.race .bet .bar { transform: scaleY(var(--share, 0)); transform-origin: bottom; }
.race .bet.right { border: 4px solid var(--accepted); opacity: 1; }
.race .none[hidden], .race .mark:empty { display: none; }
.race[data-at="4"] .bet { min-height: 5em; }
@container (max-width: 34em) {
  .race .bets { flex-direction: column; flex-wrap: nowrap; flex-basis: 100%; }
  .race .bet, .race[data-at="4"] .bet { min-height: 2.6em; flex: none; display: flex; justify-content: flex-start; align-items: center; gap: 0.6em; }
  .race .bet .sum { order: 1; margin-left: auto; }
  .race .bet .bar { transform: scaleX(var(--share, 0)); transform-origin: left; }
  .race .counts b { min-width: 0 !important; }
}
.race .big { font-size: 3.2em; font-weight: 700; line-height: 1.1; margin: 0; }
.race .big:empty { display: none; }
.race:is([data-at="1"], [data-at="2"], [data-at="3"], [data-at="5"]) .wager { display: none; }
.race:is([data-at="0"], [data-at="4"], [data-at="5"]) :is(.writing, .clock) { display: none; }
.race:not([data-at="5"]) .parts { display: none; }
.race[data-at="0"] :is(.strip, .legend) { display: none; }
.race .head { justify-content: space-between; row-gap: 0; }
.race .head h3 { margin: 0; }
.race[data-at="5"] .legend span:has(.key) { display: none; } /* the lanes have them, with their times */
.race .legend { margin: 0; align-items: center; }
.race:not([data-at="2"]) .doing { display: none; }
.race .doing { flex: 1; }
.race .counts { display: flex; flex-wrap: wrap; gap: 0 1.4em; font-size: 1.15em; font-variant-numeric: tabular-nums; }
.race .counts b { min-width: 7em; text-align: right; }
.race .writing { height: 4.8em; overflow: hidden auto; display: flex; flex-direction: column-reverse; }
.race .flow { line-height: 1.6; margin-bottom: auto; padding-bottom: 1.5em; /* what is thrown away falls there */ }
.race .flow .chip { padding: 0 0.12em; margin: 0 1px; }
.race .flow .chip:is(.correction, .bonus) { margin: -1px 1px; }
.race .chip .sign { display: none; }
.race .flow.looked-at .chip.draft { border: 2px solid var(--target); background: color-mix(in srgb, var(--target) 26%, var(--ground)); }
.race .fall { position: relative; display: inline-block; width: 0; }
.race .ghost .chip { background: none; border-color: transparent; color: var(--rejected); font-weight: 600; }
.race .ghost { position: absolute; left: 0; bottom: -0.4em; white-space: pre; z-index: 1; pointer-events: none; will-change: transform, opacity; }
.race .way .ground, .race .strip .ground { stroke: var(--line); }
.race .way .goal { stroke: var(--ink); stroke-width: 4; stroke-dasharray: 4 4; }
.race .way .target { fill: var(--target); } .race .way .accepted { fill: var(--accepted); }
.race .way .correction { fill: var(--correction); } .race .way .bonus { fill: var(--bonus); }
.race .way .draft, .race .way .ghost { fill: color-mix(in srgb, var(--draft) 30%, var(--ground)); stroke: var(--draft); }
.race .way .draft.looked-at { stroke: var(--target); fill: color-mix(in srgb, var(--target) 35%, var(--ground)); }
.race .way .ghost { fill: none; stroke: var(--rejected); }
.race .p0 { fill: var(--draft); background: var(--draft); } .race .p1 { fill: var(--target); background: var(--target); } .race .p2 { fill: var(--neutral); background: var(--neutral); }
.race .way .gap { fill: none; stroke: var(--ink); stroke-width: 2; }
.race .way .togo, .race .strip .spent { font-weight: 600; font-size: 1em; font-variant-numeric: tabular-nums; }
.race .strip .now { stroke: var(--ink); stroke-width: 2; }
.race .key { display: inline-block; width: 0.8em; height: 1em; vertical-align: -0.1em; }
.race .key.p0 { height: 0.64em; vertical-align: 0; } .race .key.p2 { height: 0.32em; vertical-align: 0; }
.race .parts { display: flex; flex-wrap: wrap; gap: 0.2em 1.4em; margin: 0.2em 0 0; font-variant-numeric: tabular-nums; }
.race.paper :is(.steps button, .place) { display: none; }
.race .clock { flex-wrap: wrap; }
.race .clock .slider { flex: 1 1 16em; grid-template-columns: max-content 1fr 5em; }
.race .clock .play { min-width: 6em; }
`;var ce=4e3,on=600,Un=P("opening",({root:e,data:t})=>{let n=t.runs.map(M),r=Math.max(...n.map(f=>f.ends.at(-1))),o=ce/r,i=Math.max(...n.map(f=>f.tokens)),s=n.map(u),a=q("↻ Again",p,{class:"again"}),c=0;e.classList.add("race"),e.append(v("div",{class:"lanes"},s.map(({element:f})=>f)),v("div",{class:"row foot"},v("span",{class:"quiet"},`${Math.round(o)} times slower than it was`),a));function u(f,h){let m=v("b",{class:"calls"}),[y,x]=[v("div",{class:"way"}),an(f)],k=ie(y,f,i);return{element:v("div",{class:"track"},v("div",{class:"head"},v("h3",{},["the large model alone","with a small one guessing"][h]),m),x.element,y),draw(_,g){let w=z(f,_);m.textContent=S(w.calls,"call")+(w.done?" ✓":""),x.draw(w),k.draw(w,_,g,!1)},stop:k.stop}}let l=(f,h)=>s.forEach(m=>m.draw(f,h));function p(){let f=++c,h,m=y=>{if(f!==c)return;h??=y;let x=(y-h)/o;l(Math.min(x,r),o),y-h<ce+on?requestAnimationFrame(m):l(r,1/0)};T()?l(r,1/0):requestAnimationFrame(m)}l(0,o);let d=new IntersectionObserver(f=>{f.some(h=>h.isIntersecting)&&(d.disconnect(),p())},{threshold:.5});return d.observe(e),()=>{c++,d.disconnect(),s.forEach(f=>f.stop())}},se+ae);function an(e){let t=e.turns.map(({written:i})=>i.map(([s,a])=>le(s,a))),n=v("div",{class:"flow","aria-hidden":"true"}),[r,o]=[0,[]];return{element:v("div",{class:"code"},n),draw({calls:i,guesses:s}){for(i<r&&(r=0,n.replaceChildren()),o.forEach(a=>a.remove());r<i;r++)n.append(...t[r]);o=(e.turns[i]?.drafted??[]).slice(0,s).map(([a])=>le(a,"draft")),n.append(...o)}}}var le=(e,t)=>v("span",{class:t},V(e));export{Un as default};
/*! d3-selection

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.
*/
