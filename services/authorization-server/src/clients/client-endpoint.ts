import type { Client } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import { sendMethodNotAllowed } from "../errors.ts";
import { CLIENT_REFUSED, PARTNER_API_FAILURES, TOKEN_FAILURES } from "../openapi.ts";
import { authenticateClient } from "./client-authentication.ts";
import { limitConfig } from "./rate-limit.ts";
import { asTokenError, TokenError } from "./token-error.ts";

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

/** For each rate limit, the kind of endpoint in the metrics, and the documented failures. */
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
export function addClientEndpoint(app: FastifyInstance, endpoint: ClientEndpoint): void {
  const { url, method, limit, bodyLimit, schema, answer } = endpoint;
  const { counts, failures } = LIMITS[limit];
  const route = { url, ...(bodyLimit !== undefined && { bodyLimit }) };
  const config = { ...limitConfig(limit, app.config.rateLimits[limit]), counts, answersJson: true };
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
    handler: (_request, reply) => sendMethodNotAllowed(reply, methods.join(", ")),
  });
}

/**
 * Makes the app send `TokenError`s, and parse bodies of one type; bodies of other types become
 * null. Call it before {@link addClientEndpoint}.
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
