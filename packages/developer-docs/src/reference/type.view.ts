import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { componentName, type Resolve, type Schema } from "./api-document.ts";

/** A schema in a few words: `string or null`, `list of Response`. */
export function typeView(schema: Schema, resolve: Resolve): Html {
  const name = componentName(schema);
  if (name !== null) {
    const { properties } = resolve(schema);
    return properties ? html`<a href="#${schemaId(name)}">${name}</a>` : typeView(resolve(schema), resolve);
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return joined(choices.map((choice) => typeView(choice, resolve)));
  if (schema.allOf?.length === 1 && schema.allOf[0]) return typeView(schema.allOf[0], resolve);
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum && schema.type === undefined) return html`one of a list`;
  const types = [schema.type ?? []].flat();
  return joined(
    types.map((type) => (type === "array" && schema.items ? listOf(schema.items, resolve) : html`${type}`)),
  );
}

function listOf(items: Schema, resolve: Resolve): Html {
  return html`list of ${typeView(items, resolve)}`;
}

function joined(words: readonly Html[]): Html {
  return html`${words.map((word, index) => html`${index > 0 && " or "}${word}`)}`;
}

export function schemaId(name: string): string {
  return `schema-${name}`;
}

/** A pattern of times, which says less to people than an example. */
const TIME = /^\^\\d\{4\}-/;

/** What a value must be beside its type, one line each. */
export function boundsView(schema: Schema, resolve: Resolve): HtmlValue {
  const {
    enum: values,
    pattern,
    minimum,
    maximum,
    minLength,
    maxLength,
    maxItems,
    default: fallback,
  } = resolve(schema);
  const lines: HtmlValue[] = [
    values && html`One of ${values.map((value, index) => html`${index > 0 && ", "}<code>${shown(value)}</code>`)}`,
    fallback !== undefined && html`Default: <code>${shown(fallback)}</code>`,
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    maxLength !== undefined && `${minLength ?? 0} to ${maxLength} characters`,
    maxItems !== undefined && `At most ${maxItems}`,
    pattern !== undefined && (TIME.test(pattern) ? "A time: RFC 3339" : html`Form: <code>${pattern}</code>`),
  ];
  return lines.filter((line) => line).map((line) => html`<p class="bound">${line}</p>`);
}

export function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
