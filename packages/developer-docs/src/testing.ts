import { lexer, type Token, type Tokens, walkTokens } from "marked";

export { guideText, referenceSamples, withBaseUrl } from "./guides.ts";
export { GUIDES } from "./navigation.ts";

/** A code block. It begins with a line such as ```` ```ts file=connect.ts ````. */
export interface Snippet {
  readonly language: string;
  readonly file: string | null;
  /** True if the block shows the response to the one before it. */
  readonly isAnswer: boolean;
  readonly text: string;
  readonly line: number;
}

/** All code blocks of a guide in order, including those in lists. */
export function snippetsOf(markdown: string): Snippet[] {
  let from = 0;
  return found<Tokens.Code>(markdown, "code").map(({ lang = "", text, raw }) => {
    const at = markdown.indexOf(raw.split("\n", 1)[0] ?? "", from);
    from = at + 1;
    const [language = "", ...words] = lang.split(/\s+/);
    const file = words.find((word) => word.startsWith("file="))?.slice("file=".length) ?? null;
    const line = markdown.slice(0, at).split("\n").length + 1;
    return { language, file, isAnswer: words.includes("answer"), text, line };
  });
}

/** Every piece of code that stands within a sentence, a table or a list. */
export function inlineCodeOf(markdown: string): string[] {
  return found<Tokens.Codespan>(markdown, "codespan").map(({ text }) => text);
}

function found<Kind extends Token>(markdown: string, type: Kind["type"]): Kind[] {
  const tokens: Kind[] = [];
  walkTokens(lexer(markdown), (token) => {
    if (token.type === type) tokens.push(token as Kind);
  });
  return tokens;
}
