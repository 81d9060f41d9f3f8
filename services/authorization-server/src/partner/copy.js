// Shows the buttons that copy the text next to them.
for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
  const id = button.previousElementSibling.textContent;
  button.ariaLabel = `Copy ${id}`;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(id);
    button.textContent = button.ariaLabel = "Copied";
  });
}
