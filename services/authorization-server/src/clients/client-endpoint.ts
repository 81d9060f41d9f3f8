import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Client, hashCredential, type StoredClientSecret } from "@partner-connect/directory";
import { headerValues, noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import { methodNotAllowed } from "../errors.ts";
import { CLIENT_REFUSED, PARTNER_API_FAILURES, TOKEN_FAILURES } from "../openapi.ts";
import { CLIENT_AUTHENTICATION_FAILED, CLIENT_DISABLED, queryOf } from "../protocol.ts";
import type { Clients } from "./client-cache.ts";
import { limited } from "./rate-limit.ts";
import { asTokenError, type ClientRefusal, TokenError } from "./token-error.ts";

interface ClientEndpoint {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly limit: keyof typeof LIMITS;
  /** The largest body, in bytes. Default: the server's. */
  readonly bodyLimit?: number;
  /** The schema of the endpoint's own responses; the common ones are added. */
  readonly schema: FastifySchema & { readonly response: object };
  /**
   * Handles an authenticated call. The body is `URLSearchParams` for a form, parsed JSON, or null.
   */
  readonly answer: (
    request: FastifyRequest,
    reply: FastifyReply,
    client: Client,
  ) => Promise<FastifyReply>;
}

/** What routes with the same limit have in common. */
const LIMITS = {
  token: { counts: "tokens", failures: TOKEN_FAILURES },
  partner_api: { counts: "partner_calls", failures: PARTNER_API_FAILURES },
} as const;

const METHODS = ["POST", "GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"];

declare module "fastify" {
  interface FastifyRequest {
    /** The authenticated client of a client endpoint. */
    client: Client;
  }
}

/**
 * Adds an endpoint with HTTP Basic and the token endpoint's refusals (RFC 6749 §5.2). It
 * authenticates before it validates.
 */
export function clientEndpoint(app: FastifyInstance, endpoint: ClientEndpoint): void {
  const { url, method, limit, bodyLimit, schema, answer } = endpoint;
  const { counts, failures } = LIMITS[limit];
  const route = { url, ...(bodyLimit !== undefined && { bodyLimit }) };
  const config = { ...limited(limit, app.config.rateLimits[limit]), counts, answersJson: true };
  app.route({
    ...route,
    method,
    config,
    schema: { ...schema, response: { ...schema.response, 401: CLIENT_REFUSED, ...failures } },
    preValidation: async (request) => {
      const parameters = parametersOf(request.body);
      request.client = await authenticateClient(request.raw, parameters, app.clients, new Date());
      noteFacts(request, { clientId: request.client.clientId });
    },
    handler(request, reply) {
      reply.headers({ "cache-control": "no-store", pragma: "no-cache" });
      return answer(request, reply, request.client);
    },
  });
  const methods = method === "GET" ? ["GET", "HEAD"] : [method];
  app.route({
    ...route,
    method: METHODS.filter((other) => !methods.includes(other)),
    config: { ...config, isMethodRefusal: true },
    handler: (_request, reply) => methodNotAllowed(reply, methods.join(", ")),
  });
}

/**
 * Call it before `clientEndpoint`. It sends `TokenError`s, and parses bodies of one type. Bodies of
 * other types are read within the same limit, and become null.
 */
export function prepareClientEndpoints(app: FastifyInstance, bodies: "form" | "json"): void {
  app.removeAllContentTypeParsers();
  const [type, read] = BODIES[bodies];
  app.addContentTypeParser(
    type,
    { parseAs: "string" },
    async (_request: FastifyRequest, text: string) => read(text),
  );
  app.addContentTypeParser("*", { parseAs: "buffer" }, async () => null);

  app.setErrorHandler((error, request, reply) => {
    const refusal = asTokenError(error);
    if (!refusal) throw error;
    noteFacts(request, refusal.facts);
    if (refusal.status === 401) reply.header("www-authenticate", 'Basic realm="token"');
    return reply
      .code(refusal.status)
      .headers({ "cache-control": "no-store", pragma: "no-cache" })
      .send(refusal.body);
  });
}

const BODIES = {
  form: ["application/x-www-form-urlencoded", (text: string): unknown => new URLSearchParams(text)],
  json: ["application/json", readJson],
} as const;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")); // RFC 8259 §8.1: ignore a byte order mark
  } catch {
    throw new TokenError("invalid_request", "the body is not JSON", "unreadable_body");
  }
}

/** The body's parameters by name, in which misplaced credentials are looked for. */
function parametersOf(body: unknown): URLSearchParams | null {
  if (body === null || typeof body !== "object") return null;
  if (body instanceof URLSearchParams) return body;
  return new URLSearchParams(
    Object.entries(body).filter((entry) => typeof entry[1] === "string") as [string, string][],
  );
}

const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/**
 * A hash that no secret has. Comparing with it for unknown clients makes every guess take the same
 * time.
 */
const NO_SECRET: StoredClientSecret = { hash: Buffer.alloc(32), expiresAt: null, lastUsedAt: null };

/**
 * Authenticates the client by HTTP Basic (spec, Authentication 3). All refusals are equal, except
 * that a disabled client with a valid secret learns that it is disabled. `parameters` are the
 * body's. @throws {TokenError} invalid_client
 */
export async function authenticateClient(
  request: IncomingMessage,
  parameters: URLSearchParams | null,
  clients: Pick<Clients, "find" | "findNow" | "secretUses">,
  now: Date,
): Promise<Client> {
  const credentials = basicCredentials(request);
  if (!credentials)
    throw refusal(request.headers.authorization ? "malformed_credentials" : "no_credentials");
  if (hasMisplacedCredentials(request, parameters, credentials.clientId))
    throw refusal("misplaced_credentials");
  const presented = hashCredential(credentials.secret);
  let client = await clients.find(credentials.clientId);
  let match = liveSecret(client, presented, now);
  // The cached client may lack a new secret. The limit of token calls bounds these queries.
  if (!match) {
    client = await clients.findNow(credentials.clientId);
    match = liveSecret(client, presented, now);
  }
  // Log the id only if it is a client's, because otherwise it may be a misplaced secret.
  if (!client) throw refusal("unknown_client");
  const { clientId } = client;
  if (!match) {
    // The matching secret is not valid any more: it has expired.
    const isExpired = client.secrets.some(({ hash }) => hash.equals(presented));
    throw refusal(isExpired ? "expired_secret" : "wrong_secret", clientId);
  }
  if (client.status !== "active") throw refusal("client_disabled", clientId);
  clients.secretUses.note(clientId, match, now);
  return client;
}

function liveSecret(
  client: Client | null,
  presented: Buffer,
  now: Date,
): StoredClientSecret | undefined {
  const live = (client?.secrets ?? []).filter(
    ({ expiresAt }) => expiresAt === null || expiresAt > now,
  );
  let match: StoredClientSecret | undefined;
  for (const secret of live.length > 0 ? live : [NO_SECRET]) {
    if (timingSafeEqual(presented, secret.hash)) match = secret;
  }
  return match;
}

/** RFC 6749 §2.3.1. Our ids and secrets need no percent-encoding. */
function basicCredentials(request: IncomingMessage): { clientId: string; secret: string } | null {
  const [sent = "", ...others] = headerValues(request.rawHeaders, "authorization");
  const encoded = BASIC.exec(sent)?.[1];
  if (!encoded || others.length > 0) return null;
  const [id, ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  if (!id || rest.length === 0) return null;
  try {
    return { clientId: decodeURIComponent(id), secret: decodeURIComponent(rest.join(":")) };
  } catch {
    return null;
  }
}

/**
 * True if a secret is outside the header, or a `client_id` differs from the header's. Empty
 * parameters count as absent (RFC 6749 §3.1).
 */
function hasMisplacedCredentials(
  request: IncomingMessage,
  parameters: URLSearchParams | null,
  clientId: string,
): boolean {
  const places = [queryOf(request), ...(parameters ? [parameters] : [])];
  const sent = (name: string) =>
    places.flatMap((place) => place.getAll(name)).filter((value) => value !== "");
  return sent("client_secret").length > 0 || sent("client_id").some((value) => value !== clientId);
}

function refusal(reason: ClientRefusal, clientId?: string): TokenError {
  const description = reason === "client_disabled" ? CLIENT_DISABLED : CLIENT_AUTHENTICATION_FAILED;
  return new TokenError("invalid_client", description, reason, { clientId });
}
