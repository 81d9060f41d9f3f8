import type { Endpoint } from "../endpoints.ts";
import { queryOf } from "./curl.ts";

/** A call without credentials. @throws Error for another one: it belongs to sdk-calls.ts */
export function plainTypeScript({ path, operation }: Endpoint): string {
  if (operation.security.length > 0) throw new Error(`sdk-calls.ts has no call of ${operation.operationId}`);
  return `const answer = await fetch("{base_url}${path}${queryOf(operation)}");\nconsole.log(await answer.json());`;
}

/** Fields whose value comes from the connected shop. */
const PYTHON_VALUES: Readonly<Record<string, string>> = {
  refresh_tokens: "[connection.refresh_token]",
  token: "connection.refresh_token",
};

const MODULES = ["base64", "json", "os", "urllib.parse", "urllib.request"];

/** A call with the standard library, for what the Python SDK has no method for. Access tokens come from the SDK. */
export function plainPython({ path, operation }: Endpoint): string {
  const { security, requestBody, responses } = operation;
  const [scheme] = security;
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const isJson = type === "application/json";
  const fields = Object.values(media?.examples ?? {})[0]?.value;
  const isClient = scheme !== undefined && "client" in scheme;
  const url = `"{base_url}${path}${queryOf(operation)}"`;
  const printed = Object.values(responses)[0]?.content ? "json.load(answer)" : "answer.status";
  const lines = [
    ...(scheme ? authorization(isClient) : []),
    ...(type ? [`body = ${isJson ? "json.dumps" : "urllib.parse.urlencode"}(${pythonDict(fields)}).encode()`] : []),
    ...(scheme
      ? [`headers = {"Authorization": authorization${isJson ? ', "Content-Type": "application/json"' : ""}}`]
      : []),
    ...(scheme ? [`request = urllib.request.Request(${url}, ${type ? "body, " : "headers="}headers)`] : []),
    `with urllib.request.urlopen(${scheme ? "request" : url}) as answer:`,
    `    print(${printed})`,
  ].join("\n");
  const imports = MODULES.filter((name) => lines.includes(`${name}.`)).map((name) => `import ${name}\n`);
  return `${imports.join("")}\n${lines}`;
}

const authorization = (isClient: boolean): string[] =>
  isClient
    ? [
        `client = f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}"`,
        'authorization = "Basic " + base64.b64encode(client.encode()).decode()',
      ]
    : ['authorization = "Bearer " + shop.tokens.access_token()'];

/** Strings and lists of strings are written alike in JSON and Python. */
function pythonDict(fields: unknown): string {
  const entries = Object.entries(fields as Record<string, string | string[]>);
  const items = entries.map(([name, value]) => `"${name}": ${PYTHON_VALUES[name] ?? JSON.stringify(value)}`);
  const line = `{${items.join(", ")}}`;
  return line.length < 80 ? line : `{\n${items.map((item) => `    ${item},\n`).join("")}}`;
}
