// Sets every formula of the page; KaTeX was loaded before this.
for (const place of document.querySelectorAll(".tex")) {
  katex.render(place.textContent, place, { displayMode: place.tagName === "DIV", throwOnError: false });
}
