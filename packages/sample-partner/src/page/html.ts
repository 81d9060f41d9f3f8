/** Markup that is safe to send. Only {@link html} makes it, and escapes every value that is not markup already. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** A value in a template. Null, undefined and false are left out, so `condition && html` works. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** Markup from a template. Values may stand in text and in quoted attributes, nowhere else. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(markupOf)));
}

function markupOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(markupOf).join("");
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
