import { lexer, type Token, type Tokens, walkTokens } from "marked";
import { type CodeInfo, codeInfo } from "../code/code.view.ts";

export interface Snippet extends CodeInfo {
  readonly text: string;
  /** In the guide's file, of the block's first line. */
  readonly line: number;
}

/** Every block of code of a guide, in its order, those in lists too. */
export function snippetsOf(markdown: string): Snippet[] {
  const blocks = codeBlocks(lexer(markdown));
  let from = 0;
  return blocks.map(({ lang, text, raw }) => {
    const at = markdown.indexOf(raw.split("\n", 1)[0] ?? "", from);
    from = at + 1;
    return { ...codeInfo(lang), text, line: markdown.slice(0, at).split("\n").length + 1 };
  });
}

function codeBlocks(tokens: readonly Token[]): Tokens.Code[] {
  return tokens.flatMap((token) => {
    if (token.type === "code") return [token as Tokens.Code];
    const { tokens: inner = [], items = [] } = token as { tokens?: Token[]; items?: Token[] };
    return codeBlocks([...inner, ...items]);
  });
}

/** Every piece of code that stands within a sentence, a table or a list. */
export function inlineCodeOf(markdown: string): string[] {
  const found: string[] = [];
  walkTokens(lexer(markdown), (token) => {
    if (token.type === "codespan") found.push((token as Tokens.Codespan).text);
  });
  return found;
}
