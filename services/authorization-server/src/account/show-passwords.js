// Shows the button that shows the typed passwords. They are hidden again before they are sent.
const button = document.querySelector("#show-passwords");
const show = (isShown) => {
  button.ariaPressed = isShown;
  for (const field of button.form.querySelectorAll("[autocomplete$=password]"))
    field.type = isShown ? "text" : "password";
};
button.hidden = false;
button.addEventListener("click", () => show(button.ariaPressed === "false"));
button.form.addEventListener("submit", () => show(false));
