/** A form of a page, as a browser without scripts understands it. */
export interface HtmlForm {
  readonly action: string;
  readonly method: "GET" | "POST";
  readonly inputs: readonly HtmlInput[];
  /** Those of the inputs that are radio buttons. */
  readonly radios: readonly HtmlInput[];
  /** The values of the hidden inputs, by name. */
  readonly fields: Readonly<Record<string, string>>;
  readonly buttons: readonly HtmlButton[];
}

export interface HtmlInput {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  /** Its label's text. */
  readonly label: string;
  readonly checked: boolean;
  readonly disabled: boolean;
}

export interface HtmlButton {
  readonly text: string;
  readonly name: string | undefined;
  readonly value: string;
  /** Where it sends the form, if not to the form's own address. */
  readonly formaction: string | undefined;
}

/** Reads the forms of a page. It knows what our pages use: inputs, labels by `for`, buttons, `form`. */
export function readForms(html: string): HtmlForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = "", content = ""]) => {
    const id = attribute(attributes, "id");
    /** What names no form belongs to the one around it; what names one belongs to that, wherever it stands. */
    const own = <Element>(read: (from: string, form: string | undefined) => Element[]) => [
      ...read(content, undefined),
      ...(id === undefined ? [] : read(html, id)),
    ];
    const inputs = own(readInputs);
    return {
      action: attribute(attributes, "action") ?? "",
      method: attribute(attributes, "method")?.toLowerCase() === "post" ? "POST" : "GET",
      inputs,
      radios: inputs.filter(({ type }) => type === "radio"),
      fields: Object.fromEntries(
        inputs.filter(({ type }) => type === "hidden").map(({ name, value }) => [name, value]),
      ),
      buttons: own(readButtons),
    };
  });
}

function readInputs(content: string, form: string | undefined): HtmlInput[] {
  const found = [...content.matchAll(/<input\b([^>]*?)\/?>/g)].filter(
    ([, input = ""]) => attribute(input, "form") === form,
  );
  return found.map(([, input = ""]) => ({
    name: attribute(input, "name") ?? "",
    value: attribute(input, "value") ?? (attribute(input, "type") === "radio" ? "on" : ""),
    type: attribute(input, "type") ?? "text",
    label: labelOf(content, attribute(input, "id")),
    checked: attribute(input, "checked") !== undefined,
    disabled: attribute(input, "disabled") !== undefined,
  }));
}

function readButtons(content: string, form: string | undefined): HtmlButton[] {
  const all = [...content.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/g)];
  const found = all.filter(([, button = ""]) => attribute(button, "form") === form);
  return found.map(([, button = "", text = ""]) => ({
    text: textOf(text),
    name: attribute(button, "name"),
    value: attribute(button, "value") ?? "",
    formaction: attribute(button, "formaction"),
  }));
}

/** The words of a piece of HTML. */
export function textOf(html: string): string {
  return decodeEntities(html.replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();
}

function labelOf(content: string, id: string | undefined): string {
  const label = [...content.matchAll(/<label\b([^>]*)>([\s\S]*?)<\/label>/g)].find(
    ([, attributes = ""]) => id !== undefined && attribute(attributes, "for") === id,
  );
  return textOf(label?.[2] ?? "");
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}(?:="([^"]*)")?(?=\\s|$)`).exec(attributes);
  return found ? decodeEntities(found[1] ?? "") : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, entity: string) => {
    if (!entity.startsWith("#")) return ENTITIES[entity] ?? whole;
    return String.fromCodePoint(Number(entity.replace(/^#(x?)/i, (_, hex) => (hex ? "0x" : ""))));
  });
}
