import type { DescribedMedia, DescribedOperation } from "@partner-connect/public-api/document";
import type { Endpoint } from "../endpoints.ts";

/** What a reader has in the shell's variables, by the names of the parameters and fields that take it. */
const VARIABLES: Readonly<Record<string, string>> = {
  client_id: "CLIENT_ID",
  redirect_uri: "REDIRECT_URI",
  state: "STATE",
  code_challenge: "CODE_CHALLENGE",
  code: "CODE",
  code_verifier: "CODE_VERIFIER",
  refresh_token: "REFRESH_TOKEN",
  refresh_tokens: "REFRESH_TOKEN",
  token: "REFRESH_TOKEN",
};

interface Sample {
  readonly summary: string | null;
  readonly text: string;
}

/** The operation's call in a shell: one for each example of its body. */
export function curlSamples(endpoint: Endpoint): Sample[] {
  const [type, media] = Object.entries(endpoint.operation.requestBody?.content ?? {})[0] ?? [];
  if (!type) return [{ summary: null, text: commandOf(endpoint, []) }];
  return examplesOf(media).map(({ summary, value }) => ({
    summary,
    text: commandOf(endpoint, type === "application/json" ? json(value) : form(value)),
  }));
}

const examplesOf = (media: DescribedMedia | undefined) => Object.values(media?.examples ?? {});

/** The parts stand on one line where it holds them. */
function commandOf({ path, operation }: Endpoint, body: readonly string[]): string {
  const options = Object.values(operation.responses)[0]?.content ? "-s" : "-s -i";
  const [url, query] = addressOf(path, operation);
  const parts = [`curl ${options} ${url}`, ...credential(operation), ...query, ...body];
  const line = parts.join(" ");
  return line.length <= 96 && !line.includes("\n") ? line : parts.join(" \\\n  ");
}

function addressOf(path: string, operation: DescribedOperation): [url: string, query: string[]] {
  const sent = sentParameters(operation);
  if (sent.length < 2) return [`"$BASE${path}${queryOf(operation)}"`, []];
  return [`-G "$BASE${path}"`, sent.map(({ name, example }) => `--data-urlencode ${pair(name, example)}`)];
}

/** Of a sample: those that are required, and how many records a page has. */
function sentParameters({ parameters = [] }: DescribedOperation) {
  return parameters.filter(({ in: place, name, required }) => place === "query" && (required || name === "limit"));
}

export function queryOf(operation: DescribedOperation): string {
  const sent = sentParameters(operation).map(({ name, example }) => `${name}=${example}`);
  return sent.length > 0 ? `?${sent.join("&")}` : "";
}

function credential({ security: [scheme] }: DescribedOperation): string[] {
  if (!scheme) return [];
  return ["client" in scheme ? '-u "$CLIENT_ID:$CLIENT_SECRET"' : '-H "Authorization: Bearer $ACCESS_TOKEN"'];
}

function form(value: unknown): string[] {
  return Object.entries(value as Record<string, string>).map(([name, text]) => `-d ${pair(name, text)}`);
}

function pair(name: string, value: unknown): string {
  const variable = VARIABLES[name];
  return `"${name}=${variable ? `$${variable}` : value}"`;
}

function json(value: unknown): string[] {
  const withVariables = Object.entries(value as Record<string, unknown>).map(([name, field]) => {
    const variable = VARIABLES[name];
    if (!variable) return [name, field];
    return [name, Array.isArray(field) ? [`$${variable}`] : `$${variable}`];
  });
  const text = JSON.stringify(Object.fromEntries(withVariables), null, 2);
  const body = text.length < 70 ? text.replace(/\s*\n\s*/g, " ") : text;
  const quoted = body.includes('"$') ? `"${body.replaceAll('"', '\\"')}"` : `'${body.replaceAll("'", "'\\''")}'`;
  return ['-H "Content-Type: application/json"', `-d ${quoted}`];
}
