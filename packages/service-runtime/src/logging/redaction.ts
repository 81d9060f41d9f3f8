/** The value of a field with one of these names is never logged, down to the third level of a record. A list is a level too. */
const SECRETS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "password",
  "code",
  "code_verifier",
  "refresh_token",
  "client_secret",
]);

/** Of a text in a record: what a caller presents may be as long as a request. Deeper in a record stands only what is ours. */
const MOST_CHARACTERS = 200;

export function loggedRecord(record: Record<string, unknown>): Record<string, unknown> {
  let cut = withoutSecrets(record);
  for (const name in cut) {
    const value = cut[name];
    if (typeof value !== "string" || value.length <= MOST_CHARACTERS) continue;
    if (cut === record) cut = { ...record };
    cut[name] = `${value.slice(0, MOST_CHARACTERS)}… (${value.length} characters)`;
  }
  return cut;
}

/** By hand, as pino's redaction takes twenty times as long as the rest of a record. An error is left to its serializer. */
function withoutSecrets(record: Record<string, unknown>, levels = 3): Record<string, unknown> {
  let masked = record;
  for (const name in record) {
    const value = record[name];
    const kept = SECRETS.has(name) ? "[redacted]" : inside(value, levels - 1);
    if (kept === value) continue;
    if (masked === record) masked = { ...record };
    masked[name] = kept;
  }
  return masked;
}

function inside(value: unknown, levels: number): unknown {
  if (levels === 0 || typeof value !== "object" || value === null || value instanceof Error) return value;
  if (!Array.isArray(value)) return withoutSecrets(value as Record<string, unknown>, levels);
  const masked = value.map((element) => inside(element, levels - 1));
  return masked.some((element, index) => element !== value[index]) ? masked : value;
}
