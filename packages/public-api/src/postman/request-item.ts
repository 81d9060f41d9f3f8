import type { DescribedOperation, DescribedParameter } from "../document/described-document.ts";
import { EXAMPLE } from "../oauth/examples.ts";
import { CLIENT_AUTH, NO_AUTH } from "./authentication.ts";
import { eventsOf } from "./scripts.ts";

export interface PathOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: DescribedOperation;
}

const VARIABLES: ReadonlySet<string> = new Set([
  ...["client_id", "redirect_uri", "scope", "state", "code_challenge"],
  ...["code", "code_verifier", "refresh_token"],
]);

export function requestItem({ path, method, operation }: PathOperation): object[] {
  const { operationId, summary, description, parameters = [], requestBody, security } = operation;
  const inQuery = parameters.filter((parameter) => parameter.in === "query" && !parameter.deprecated).map(queryOf);
  const request = {
    method: method.toUpperCase(),
    description: description ?? summary,
    ...authOf(security),
    url: {
      raw: `{{base_url}}${path}`,
      host: ["{{base_url}}"],
      path: path.slice(1).split("/"),
      ...(inQuery.length > 0 && { query: inQuery }),
    },
  };
  const header = parameters
    .filter((parameter) => parameter.in === "header")
    .map(({ name, example, description }) => ({ key: name, value: String(example), description, disabled: true }));
  const event = eventsOf(operationId);
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!type || !media) return [{ name: operationId, request: { ...request, header }, event, response: [] }];
  return Object.values(media.examples ?? {}).map(({ summary: name, value }) => ({
    name,
    request: {
      ...request,
      header: [...header, { key: "content-type", value: type }],
      body: bodyOf(type, value as object),
    },
    event,
    response: [],
  }));
}

/** What is not required is off until somebody wants it; older names are left out. */
function queryOf({ name, example, description, required }: DescribedParameter): object {
  return { key: name, value: filledIn(name, example), description, ...(!required && { disabled: true }) };
}

function filledIn(name: string, example: unknown): string {
  if (example === EXAMPLE.refreshToken) return "{{refresh_token}}";
  return VARIABLES.has(name) ? `{{${name}}}` : String(example);
}

function bodyOf(type: string, value: object): object {
  if (type === "application/json") {
    return {
      mode: "raw",
      raw: JSON.stringify(value, (name, inner) => (typeof inner === "string" ? filledIn(name, inner) : inner), 2),
      options: { raw: { language: "json" } },
    };
  }
  const fields = Object.entries(value).map(([key, example]) => ({ key, value: filledIn(key, example) }));
  return { mode: "urlencoded", urlencoded: fields };
}

function authOf(security: DescribedOperation["security"]): object {
  if (security.length === 0) return { auth: NO_AUTH };
  return security.some((scheme) => "client" in scheme) ? { auth: CLIENT_AUTH } : {};
}
