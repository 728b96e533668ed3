// What is found first: the glossary, then the lessons, then what refers to the code.
var Scorer = {
  score: ([page, , , , score]) =>
    score + (page === "GLOSSARY" ? 12 : page.startsWith("notebooks/") ? 8 : page.startsWith("reference/") ? -2 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
