/**
 * Markup that is safe to send. Only {@link html} creates it, escaping every value that is not
 * markup.
 */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/**
 * A value in a template. Text is escaped; null, undefined and false render as nothing, so
 * `condition && html` works.
 */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Renders a template. Values are allowed only in text and in quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = parts[0] ?? "";
  for (const [index, value] of values.entries()) markup += render(value) + (parts[index + 1] ?? "");
  return new Html(markup);
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(render).join("");
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
