import { Html, html } from "@partner-connect/service-runtime/html";
import { lexer, Parser, Renderer, type Token, type Tokens } from "marked";
import { codeView, isVariant, languageChoice, variantsView } from "../code/code.view.ts";

export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** Markup of one page. It remembers the headings that it came by. */
class GuideRenderer extends Renderer {
  title = "";
  readonly headings: Heading[] = [];
  readonly #slug = slugs();

  override code(token: Tokens.Code): string {
    return codeView(token).toString();
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const words = this.parser.parseInline(tokens, this.parser.textRenderer);
    const content = new Html(this.parser.parseInline(tokens));
    if (depth === 1) {
      this.title = words;
      return html`<h1>${content}</h1>\n`.toString();
    }
    const id = this.#slug(words);
    if (depth === 2) this.headings.push({ id, text: words });
    const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to: ${words}">#</a>`;
    return `<h${depth} id="${id}">${content} ${anchor}</h${depth}>\n`;
  }

  /** An open box of a list to go through; nothing that could be pressed, as nobody would remember it. */
  override checkbox(): string {
    return '<span class="box"></span> ';
  }

  /** A wide table scrolls by itself, by the keyboard too. */
  override table(token: Tokens.Table): string {
    return `<div class="table" tabindex="0">${super.table(token)}</div>\n`;
  }
}

/** Gives each heading of one page a fragment of its own, made of its words. */
function slugs(): (heading: string) => string {
  const given = new Map<string, number>();
  return (heading) => {
    const words = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "");
    const times = given.get(words) ?? 0;
    given.set(words, times + 1);
    return times === 0 ? words : `${words}-${times + 1}`;
  };
}

/** A text of ours as markup. Who writes guides is trusted: markup in them stays as it is. */
interface Rendered {
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
