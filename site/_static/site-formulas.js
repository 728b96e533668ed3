// Sets every formula of the page; KaTeX was loaded before this if there is one.
for (const place of document.querySelectorAll(".math")) {
  const block = place.tagName === "DIV";
  katex.render(place.textContent, place, { displayMode: block, throwOnError: false });
  if (!block) keepTogether(place);
}

/** No line begins with the comma after a short formula. */
function keepTogether(place) {
  const after = place.nextSibling;
  const end = after?.nodeType === Node.TEXT_NODE ? /^[.,;:!?)\]]+/.exec(after.data)?.[0] : null;
  if (!end || place.textContent.length > 30) return;
  const both = document.createElement("span");
  both.className = "math-end";
  place.replaceWith(both);
  both.append(place, end);
  after.data = after.data.slice(end.length);
}
