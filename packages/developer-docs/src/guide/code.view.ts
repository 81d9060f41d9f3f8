import { type Html, html } from "@partner-connect/service-runtime/html";
import { codeInfo, codeLabel } from "./code-block.ts";

/** The languages in which the same step is shown one beside the other: the reader chooses one for the whole page. */
const VARIANTS = { ts: "TypeScript", python: "Python" } as const;

export interface Code {
  readonly lang?: string | undefined;
  readonly text: string;
}

/** A block of code. A click selects all of it, so that it can be copied; the keyboard scrolls it. */
export function codeView({ lang, text }: Code): Html {
  const info = codeInfo(lang);
  return html`<figure class="code ${info.isAnswer ? "answer" : info.language}"><figcaption>${codeLabel(info)}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>
`;
}

/** Blocks that say the same in several languages. */
export function variantsView(blocks: readonly Code[]): Html {
  return html`<div class="variants">${blocks.map(codeView)}</div>
`;
}

export function isVariant(lang: string | undefined): boolean {
  const { language, isAnswer } = codeInfo(lang);
  return !isAnswer && Object.hasOwn(VARIANTS, language);
}

/** Above a page that has such blocks. */
export function languageChoice(): Html {
  return html`<fieldset class="languages"><legend>Show programs in</legend>${Object.entries(VARIANTS).map(
    ([language, label], index) =>
      html`<label><input type="radio" name="language" value="${language}"${index === 0 && html` checked`}> ${label}</label>`,
  )}</fieldset>
`;
}
