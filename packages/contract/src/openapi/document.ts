import { readFileSync, writeFileSync } from "node:fs";
import { BASE_URL } from "./base.ts";
import type { OpenApiDocument } from "./swagger.ts";

export interface PublicUrls {
  /** Of the OAuth endpoints, and the issuer. */
  readonly baseUrl: string;
  /** Of the API: the base URL, or a host of its own. */
  readonly apiUrl: string;
}

/** Of the OpenAPI document: who runs this system, and on what terms (OpenAPI 3.1 §4.8.2). */
export interface ApiInformation {
  readonly termsOfService?: string;
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
  readonly license?: { readonly name: string; readonly url?: string };
}

interface Servable {
  info: object;
  servers: unknown;
  readonly paths: Record<string, object>;
  readonly components: {
    readonly securitySchemes: { readonly oauth2: { readonly flows: { authorizationCode: Record<string, unknown> } } };
  };
}

/** Both servers' public endpoints, made by `pnpm openapi` from the schemas of their routes. */
export const DOCUMENT_FILE = new URL("../../openapi.json", import.meta.url);

export const readDocument = (): OpenApiDocument => JSON.parse(readFileSync(DOCUMENT_FILE, "utf8"));

/** Writes one server's part to the file; `beside` another's. */
export function writeDocument(part: OpenApiDocument, beside?: OpenApiDocument): void {
  const document = {
    ...part,
    paths: { ...beside?.paths, ...part.paths },
    components: { ...part.components, schemas: { ...beside?.components.schemas, ...part.components.schemas } },
  };
  writeFileSync(DOCUMENT_FILE, `${JSON.stringify(document, null, 2)}\n`);
}

/** The text of `openapi.json`, as these URLs serve it. */
export function servedDocument({ baseUrl, apiUrl }: PublicUrls, information: ApiInformation = {}): string {
  const text = readFileSync(DOCUMENT_FILE, "utf8")
    .replaceAll(`${BASE_URL}/api/`, `${apiUrl}/api/`)
    .replaceAll(BASE_URL, baseUrl);
  const document = JSON.parse(text) as Servable;
  document.info = { ...document.info, ...information };
  document.servers = [{ url: baseUrl }];
  if (apiUrl !== baseUrl) {
    for (const [path, item] of Object.entries(document.paths)) {
      if (path.startsWith("/api/")) document.paths[path] = { servers: [{ url: apiUrl }], ...item };
    }
  }
  const { flows } = document.components.securitySchemes.oauth2;
  flows.authorizationCode = withWholeUrls(flows.authorizationCode, baseUrl);
  return JSON.stringify(document);
}

/** The file has these URLs relative: none may have a placeholder. */
function withWholeUrls(flow: Record<string, unknown>, baseUrl: string): Record<string, unknown> {
  const entries = Object.entries(flow).map(([name, value]) => [
    name,
    name.endsWith("Url") ? `${baseUrl}${value}` : value,
  ]);
  return Object.fromEntries(entries);
}
