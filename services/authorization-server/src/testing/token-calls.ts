import type { FastifyInstance } from "fastify";
import { type IssuedTestCode, REDIRECT_URI, type RegisteredClient } from "./replicas.ts";

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire; tests assert it exactly
  readonly body: any;
}

/** Sends a token request as a partner does, with HTTP Basic and a form. */
export async function callToken(
  app: FastifyInstance,
  client: RegisteredClient,
  form: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const response = await app.inject({
    method: "POST",
    url: "/oauth/api/token",
    headers: { authorization: basic(client), "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams(form).toString(),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

export function exchangeCode(
  app: FastifyInstance,
  client: RegisteredClient,
  { code, codeVerifier }: IssuedTestCode,
  overrides: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> {
  const form = {
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: codeVerifier,
  };
  return callToken(app, client, { ...form, ...overrides });
}

export function refreshTokens(
  app: FastifyInstance,
  client: RegisteredClient,
  refreshToken: string,
  overrides: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> {
  return callToken(app, client, {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    ...overrides,
  });
}

/** Sends a batch of refreshes. `body` replaces the valid body. */
export async function refreshBatch(
  app: FastifyInstance,
  client: RegisteredClient,
  refreshTokens: readonly unknown[],
  {
    body = JSON.stringify({ refresh_tokens: refreshTokens }),
    contentType = "application/json",
  } = {},
): Promise<TokenAnswer> {
  const response = await app.inject({
    method: "POST",
    url: "/oauth/api/token/batch",
    headers: { authorization: basic(client), "content-type": contentType },
    payload: body,
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

export function basic({ clientId, secret }: RegisteredClient): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`;
}
