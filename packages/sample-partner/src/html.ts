/** Markup that is safe to send. Only {@link html} makes it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Value = Html | string | number | null | false | readonly Value[];

/**
 * Markup from a template. Values are escaped unless they are markup; null and false are left out.
 * Attributes must be quoted.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(markupOf)));
}

function markupOf(value: Value): string {
  if (value === null || value === false) return "";
  if (value instanceof Html) return value.markup;
  if (typeof value === "object") return value.map(markupOf).join("");
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
