interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** The blocks of code of a page's markup, as `codeView` wrote them. */
export function codeBlocks(markup: string): CodeBlock[] {
  return [...markup.matchAll(/<figure class="code (?:answer )?(\w+)">.*?<code>(.*?)<\/code><\/pre>/gs)].map(
    ([, language = "", code = ""]) => ({ language, text: textOf(code) }),
  );
}

/** What a reader sees of markup. */
export function textOf(markup: string): string {
  return markup.replaceAll(/<[^>]+>/g, "").replaceAll(/&(#?\w+);/g, (_, name: string) => CHARACTERS[name] ?? "");
}
