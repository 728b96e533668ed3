// The button of a lesson: it shows two commands and copies them.
for (const box of document.querySelectorAll(".run-it")) {
  const button = box.querySelector("button");
  const panel = box.querySelector(".run-it-panel");
  const commands = panel.querySelector("pre");
  const said = panel.querySelector("[role=status]");
  button.addEventListener("click", async () => {
    panel.hidden = false;
    button.setAttribute("aria-expanded", "true");
    said.textContent = (await copied(commands)) ? "Copied. Paste it into a terminal." : "Copy it into a terminal.";
  });
}

/** Into the clipboard; false where the browser does not let us. */
async function copied(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return document.execCommand("copy");
  }
}
