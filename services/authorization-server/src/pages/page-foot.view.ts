import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { accountForm } from "./account.view.ts";
import { LANGUAGES, type Locale } from "./locale.ts";
import { LANGUAGE_PATH } from "./paths.ts";

/** A form of the page, by its id, and the path that shows the page again with what is chosen in it. */
export interface ShownAgainBy {
  readonly form: string;
  readonly path: string;
}

/** The foot of every page: the form of the account, if somebody is signed in, the links of the configuration, and the languages. */
export function pageFoot(locale: Locale, shownAgainBy?: ShownAgainBy): Html {
  const { account } = locale.frame;
  return html`<footer>
${account && accountForm(account, locale)}
<div class="foot">
${links(locale)}
${languageSwitch(locale, shownAgainBy)}
</div>
</footer>`;
}

function links({ texts, frame }: Locale): HtmlValue {
  const { help, privacy, terms } = frame.links;
  const link = (url: string | null, text: string) => url !== null && html`<li><a href="${url}">${text}</a></li>`;
  if (help === null && privacy === null && terms === null) return null;
  return html`<ul class="foot-list">${link(help, texts.frame.help)}${link(privacy, texts.frame.privacy)}${link(terms, texts.frame.terms)}</ul>`;
}

/** Each language has its own name, so that those find it who can't read the page. */
function languageSwitch({ texts, frame }: Locale, by: ShownAgainBy | undefined): HtmlValue {
  if (frame.path === null) return null;
  const sends = by && html` form="${by.form}" formaction="${by.path}" formnovalidate`;
  const choices = LANGUAGES.map(({ language, languageName }) =>
    language === texts.language
      ? html`<li aria-current="true">${languageName}</li>`
      : html`<li><button class="link" name="language" value="${language}" lang="${language}"${sends}>${languageName}</button></li>`,
  );
  return html`<form method="post" action="${LANGUAGE_PATH}" aria-label="${texts.frame.language}">
<input type="hidden" name="page" value="${frame.path}">
<ul class="foot-list">${choices}</ul>
</form>`;
}
