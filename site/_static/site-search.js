// Under each page that was found: the sections where the words stand, and the text around them.

const AROUND = 110; // characters before and after
const MOST = 3; // sections of a page

const words = (new URLSearchParams(location.search).get("q") ?? "")
  .toLowerCase().split(/[^\p{Letter}\p{Number}_]+/u).filter(Boolean);
const results = document.getElementById("search-results");

/** How often the words stand in it; a title counts more. */
const score = ([, title, text]) =>
  words.reduce((sum, word) => sum + 9 * title.toLowerCase().includes(word) + text.toLowerCase().split(word).length - 1, 0);

/** [before, the word, after] */
function around(text) {
  const lower = text.toLowerCase();
  const word = words.find((one) => lower.includes(one));
  const at = word ? lower.indexOf(word) : 0;
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, at + AROUND);
  return [
    (from ? "… " : "") + text.slice(from, at),
    text.slice(at, at + (word?.length ?? 0)),
    text.slice(at + (word?.length ?? 0), to) + (to < text.length ? " …" : ""),
  ];
}

function shown(item) {
  const link = item.querySelector("a");
  const [page, anchor] = link.getAttribute("href").split(".html");
  if (anchor || item.querySelector(".found")) return;
  const found = (siteTexts[page] ?? []).map((one) => [score(one), ...one]).filter(([points]) => points > 0);
  for (const [, id, title, text] of found.sort((a, b) => b[0] - a[0]).slice(0, MOST)) {
    const to = document.createElement("a");
    to.href = `${page}.html${id ? `#${id}` : ""}`;
    to.textContent = title;
    const [before, word, after] = around(text);
    const mark = document.createElement("mark");
    mark.textContent = word;
    const line = document.createElement("p");
    line.className = "found";
    line.append(...(title && title !== link.textContent ? [to, ": "] : []), before, mark, after);
    item.append(line);
  }
}

new MutationObserver(() => results.querySelectorAll("li").forEach(shown))
  .observe(results, { childList: true, subtree: true });
