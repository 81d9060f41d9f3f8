// Asks the browser for a passkey. The served file begins with @simplewebauthn/browser.
(() => {
  const { browserSupportsWebAuthn, startAuthentication, startRegistration } = SimpleWebAuthnBrowser;
  const form = document.querySelector("#passkey");
  if (!form || !browserSupportsWebAuthn()) return;
  const [credential, problem, button] = [
    form.credential,
    form.querySelector("#passkey-problem"),
    form.querySelector("button"),
  ];
  document.querySelector("#no-passkey").hidden = true;
  form.hidden = false;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.hidden = true;
    button.disabled = true;
    try {
      const ask = form.dataset.ceremony === "create" ? startRegistration : startAuthentication;
      credential.value = JSON.stringify(
        await ask({ optionsJSON: JSON.parse(form.dataset.options) }),
      );
      form.submit();
    } catch (error) {
      console.info(error);
      problem.hidden = false;
      button.disabled = false;
    }
  });
})();
