import { type Html, html } from "@partner-connect/service-runtime/html";
import { highlighted } from "./highlighting.ts";

/** What the line above a block of code says: ```` ```ts file=connect.ts ````. */
export interface CodeInfo {
  readonly language: string;
  /** The name under which the block is a file. */
  readonly file: string | null;
  /** The block shows what the one before it answers. */
  readonly isAnswer: boolean;
}

export function codeInfo(info: string | undefined): CodeInfo {
  const [language = "", ...words] = (info ?? "").split(/\s+/).filter(Boolean);
  const file = words.find((word) => word.startsWith("file="))?.slice("file=".length) ?? null;
  return { language, file, isAnswer: words.includes("answer") };
}

const LABELS: Readonly<Record<string, string>> = {
  bash: "Shell",
  ts: "TypeScript",
  python: "Python",
  go: "Go",
  ruby: "Ruby",
  perl: "Perl",
  json: "JSON",
  http: "HTTP",
};

function codeLabel({ language, file, isAnswer }: CodeInfo): string {
  return file ?? (isAnswer ? "Answer" : (LABELS[language] ?? "Text"));
}

/** The languages in which the same step is shown one beside the other: the reader chooses one for the whole page. */
const VARIANTS = { ts: "TypeScript", python: "Python" } as const;

interface Code {
  readonly lang?: string | undefined;
  readonly text: string;
}

/** A block of code, with its words marked. The keyboard scrolls it. */
export function codeView({ lang, text }: Code): Html {
  const info = codeInfo(lang);
  return html`<figure class="code ${info.isAnswer && "answer "}${info.language}"><figcaption>${codeLabel(info)}</figcaption><pre tabindex="0"><code>${highlighted(info.language, text)}</code></pre></figure>
`;
}

export function variantsView(blocks: readonly Code[]): Html {
  return html`<div class="variants">${blocks.map(codeView)}</div>
`;
}

export function isVariant(lang: string | undefined): boolean {
  const { language, isAnswer } = codeInfo(lang);
  return !isAnswer && Object.hasOwn(VARIANTS, language);
}

export function languageChoice(): Html {
  return html`<fieldset class="languages"><legend>Show programs in</legend>${Object.entries(VARIANTS).map(
    ([language, label], index) =>
      html`<label><input type="radio" name="language" value="${language}"${index === 0 && html` checked`}> ${label}</label>`,
  )}</fieldset>
`;
}
