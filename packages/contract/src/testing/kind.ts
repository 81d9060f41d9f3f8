/**
 * The kind of a value, to compare an example with a real response: the kinds of an object's fields, the form of a
 * text. Two ids of shops are of one kind, and so are two times, two codes, two signed tokens.
 */
export function kindOf(value: unknown): unknown {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.map(kindOf);
  if (typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, kindOf(inner)]));
  }
  return typeof value === "string" ? kindOfText(value) : typeof value;
}

const FORMS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, () => "a time"],
  [/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/, () => "a signed token"],
  [/^(pc[a-z])_[\w-]{43}(_shop_[0-9a-f]{32})?$/, ([, prefix]) => `a secret ${prefix}_`],
  [/^([a-z]+)_([0-9a-f]{24,32})$/, ([, prefix, hex]) => `an id ${prefix}_ of ${hex?.length}`],
  [/^(https?:\/\/[^/?#]+)([^?#]*)/, ([, , path]) => `a URL of ${path}`],
  [/^[\w-]{43}$/, () => "256 bits"],
];

function kindOfText(text: string): string {
  for (const [form, name] of FORMS) {
    const found = form.exec(text);
    if (found) return name(found);
  }
  return "a text";
}
