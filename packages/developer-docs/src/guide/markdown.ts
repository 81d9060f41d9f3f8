import { Html } from "@partner-connect/service-runtime/html";
import { lexer, Parser, type Token, type Tokens } from "marked";
import { isVariant, languageChoice, variantsView } from "./code.view.ts";
import { GuideRenderer, type Heading } from "./guide-renderer.ts";

/** A text of ours as markup. Who writes guides is trusted: markup in them stays as it is. */
export interface Rendered {
  /** The first heading. */
  readonly title: string;
  readonly body: Html;
  readonly headings: readonly Heading[];
}

export function renderMarkdown(text: string): Rendered {
  const renderer = new GuideRenderer();
  const parser = new Parser({ renderer });
  // The language is chosen once, before the first choice.
  let choice: Html | null = languageChoice();
  const markup = runs(lexer(text)).map((run) => {
    if (!isChoice(run)) return parser.parse(run);
    const before = choice ?? "";
    choice = null;
    return `${before}${variantsView(run)}`;
  });
  const { title, headings } = renderer;
  return { title, headings, body: new Html(markup.join("")) };
}

/** Neighbouring blocks that can stand for each other are one run, and what is between such runs is another. */
function runs(tokens: readonly Token[]): Token[][] {
  const found: Token[][] = [];
  for (const token of tokens) {
    const last = found.at(-1);
    const previous = last?.at(-1);
    if (token.type === "space" && isProgram(previous)) continue;
    if (last && isProgram(previous) === isProgram(token)) last.push(token);
    else found.push([token]);
  }
  return found;
}

function isProgram(token: Token | undefined): token is Tokens.Code {
  return token?.type === "code" && isVariant(token["lang"] as string | undefined);
}

function isChoice(run: readonly Token[]): run is Tokens.Code[] {
  return run.length > 1 && run.every(isProgram);
}
