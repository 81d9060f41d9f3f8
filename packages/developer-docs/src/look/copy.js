// The one script of these pages: a button that copies the block of code below it. Without it a click selects the block.
if (navigator.clipboard) {
  document.documentElement.classList.add("copies");
  for (const caption of document.querySelectorAll(".code figcaption")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(caption.nextElementSibling.textContent.trimEnd());
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    });
    caption.append(button);
  }
}
