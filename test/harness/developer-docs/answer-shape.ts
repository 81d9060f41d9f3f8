/** Marks an omission in a shown response. */
const LEFT_OUT = "…";
/** Values that a reader compares letter by letter. */
const EXACT = ["error", "error_description", "param", "token_type", "expires_in"];
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Differences in shape (names, types, forms of values) from the response that a guide shows. */
function differences(shown: unknown, came: unknown, path = "answer"): string[] {
  const differs = (what: string) => [`${path} ${what}: ${JSON.stringify(came)?.slice(0, 200)}`];
  if (typeOf(shown) !== typeOf(came)) return differs(`is no ${typeOf(shown)}`);
  if (Array.isArray(shown) && Array.isArray(came)) {
    if (shown.length > 0 !== came.length > 0)
      return differs(shown.length > 0 ? "is empty" : "is not empty");
    return shown.length > 0 ? differences(shown[0], came[0], `${path}[0]`) : [];
  }
  if (isObject(shown) && isObject(came)) {
    const { [LEFT_OUT]: open, ...fields } = shown;
    const more = Object.keys(came).filter((name) => open === undefined && !(name in fields));
    return [
      ...more.map((name) => `${path}.${name} is not shown`),
      ...Object.entries(fields).flatMap(([name, value]) =>
        differences(value, came[name], `${path}.${name}`),
      ),
    ];
  }
  if (EXACT.includes(path.split(".").at(-1) ?? ""))
    return shown === came ? [] : differs(`is not ${shown}`);
  if (typeof shown === "string" && typeof came === "string") {
    const form = formOf(shown);
    return formOf(came).startsWith(form) ? [] : differs(`has not the form ${form}`);
  }
  return [];
}

/** Compares output of `curl -i`: the status, the headers that the guide shows, and the body. */
function httpDifferences(shown: string, came: string): string[] {
  const [a, b] = [httpAnswer(shown), httpAnswer(came)];
  if (a.status !== b.status) return [`the status is ${b.status}, not ${a.status}`];
  const headers = [...a.headers].flatMap(([name, value]) => {
    const found = b.headers.get(name);
    const same = /^\d+$/.test(value)
      ? /^\d+$/.test(found ?? "")
      : readable(found) === readable(value);
    return same ? [] : [`${name} is ${found}, not ${value}`];
  });
  return [
    ...headers,
    ...(a.body ? differences(JSON.parse(a.body), JSON.parse(b.body || "null")) : []),
  ];
}

/** A URL without percent-encoding, as people read it. */
function readable(value: string | undefined): string | undefined {
  return value?.startsWith("http") ? decodeURIComponent(value) : value;
}

function httpAnswer(text: string) {
  const [head = "", ...rest] = text.replaceAll("\r", "").split("\n\n");
  const [line = "", ...lines] = head.split("\n").filter(Boolean);
  const headers = lines.map(
    (header) => /^([^:]+): (.*)$/.exec(header)?.slice(1) as [string, string],
  );
  return { status: line.split(" ")[1], headers: new Map(headers), body: rest.join("\n\n").trim() };
}

/** Differences between a response and the one that a guide shows in this language. */
export function compare(shown: { language: string; text: string }, came: string): string[] {
  const { language, text } = shown;
  if (language === "http") return httpDifferences(text, came);
  if (language === "json") return differences(JSON.parse(text), JSON.parse(came));
  return textDifferences(text, came);
}

/** Compares a program's output line by line; `…` matches anything. */
function textDifferences(shown: string, came: string): string[] {
  const [expected, lines] = [shown.trim().split("\n"), came.trim().split("\n")];
  if (expected.length !== lines.length)
    return [`${lines.length} lines came, not ${expected.length}: ${came}`];
  return lines
    .filter((line, index) => !pattern(expected[index] ?? "").test(line))
    .map((line) => `not as shown: ${line}`);
}

function pattern(line: string): RegExp {
  const parts = line.split(LEFT_OUT).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeOf(value) === "object";
}

/** The format of a text: a time, a URL with its parameters, the prefix of an id. */
function formOf(text: string): string {
  if (TIME.test(text)) return "a time";
  if (/^https?:/.test(text)) {
    const url = new URL(text);
    return `${url.origin}${url.pathname} with ${[...url.searchParams.keys()].sort().join(", ")}`;
  }
  return /^[a-z]+_(?=[\w-]*…?$)/.exec(text)?.[0] ?? "";
}
