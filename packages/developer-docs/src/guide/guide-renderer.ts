import { Html, html } from "@partner-connect/service-runtime/html";
import { Renderer, type Tokens } from "marked";
import { codeView } from "./code.view.ts";

export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** Markup of one page. It remembers the headings that it came by. */
export class GuideRenderer extends Renderer {
  title = "";
  /** Of the second level. */
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
