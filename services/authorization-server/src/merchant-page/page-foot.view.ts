import { type Html, type HtmlValue, html } from "@partner-connect/html";
import { LANGUAGE_PATH } from "./paths.ts";
import { LANGUAGES, type Locale } from "./texts/locale.ts";

/** The foot of every page: the account, if somebody is signed in, the links of the configuration, and the languages. */
export function pageFoot(locale: Locale, account: HtmlValue): Html {
  return html`<footer>
${account && html`<div class="foot">${account}</div>`}
<div class="foot">
${links(locale)}
${languageSwitch(locale)}
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
function languageSwitch({ texts, frame }: Locale): HtmlValue {
  if (frame.path === null) return null;
  const choices = LANGUAGES.map(({ language, languageName }) =>
    language === texts.language
      ? html`<li aria-current="true">${languageName}</li>`
      : html`<li><button class="link" name="language" value="${language}" lang="${language}">${languageName}</button></li>`,
  );
  return html`<form method="post" action="${LANGUAGE_PATH}" aria-label="${texts.frame.language}">
<input type="hidden" name="page" value="${frame.path}">
<ul class="foot-list">${choices}</ul>
</form>`;
}
