import type { Client } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clients } from "../clients/client-cache.ts";
import { methodNotAllowed } from "../errors/http-error.ts";
import { type LimitName, limited } from "../rate-limit.ts";
import { authenticateClient } from "./client-authentication.ts";
import { asTokenError, TokenError } from "./token-error.ts";

interface ClientEndpoint {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly clients: Clients;
  readonly limit: LimitName;
  /** Calls a minute of one address. */
  readonly rateLimit: number;
  /** Bytes of the body. Default: the server's. */
  readonly bodyLimit?: number;
  /** Answers a call of this client. Its body: `URLSearchParams` of a form, what JSON says, or null. */
  readonly answer: (request: FastifyRequest, reply: FastifyReply, client: Client) => Promise<FastifyReply>;
}

const METHODS = ["POST", "GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** An endpoint that clients call by HTTP Basic, and which refuses as the token endpoint does (RFC 6749 §5.2). */
export function clientEndpoint(app: FastifyInstance, endpoint: ClientEndpoint): void {
  const { url, clients, limit, rateLimit, bodyLimit, answer } = endpoint;
  const methods = endpoint.method === "GET" ? ["GET", "HEAD"] : ["POST"];
  app.route({
    url,
    method: METHODS,
    ...(bodyLimit !== undefined && { bodyLimit }),
    config: { ...limited(limit, rateLimit), answersJson: true },
    handler: async (request, reply) => {
      if (!methods.includes(request.method)) return methodNotAllowed(reply, methods.join(", "));
      const client = await authenticateClient(request.raw, parametersOf(request.body), clients, new Date());
      noteFacts(request, { clientId: client.clientId });
      return await answer(request, reply.headers({ "cache-control": "no-store", pragma: "no-cache" }), client);
    },
  });
}

/** Reads the bodies of one type, and refuses in the token endpoint's form. A body of any other type is read to its end within the same limit, and null. */
export function answerClients(app: FastifyInstance, bodies: "form" | "json"): void {
  app.removeAllContentTypeParsers();
  const [type, read] = BODIES[bodies];
  app.addContentTypeParser(type, { parseAs: "string" }, async (_request: FastifyRequest, text: string) => read(text));
  app.addContentTypeParser("*", { parseAs: "buffer" }, async () => null);

  app.setErrorHandler((error, request, reply) => {
    const refusal = asTokenError(error);
    if (!refusal) throw error;
    noteFacts(request, refusal.facts);
    if (refusal.status === 401) reply.header("www-authenticate", 'Basic realm="token"');
    return reply.code(refusal.status).headers({ "cache-control": "no-store", pragma: "no-cache" }).send(refusal.body);
  });
}

const BODIES = {
  form: ["application/x-www-form-urlencoded", (text: string): unknown => new URLSearchParams(text)],
  json: ["application/json", readJson],
} as const;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TokenError("invalid_request", "the body is not JSON", "unreadable_body");
  }
}

/** What a body says by name, to find credentials in it. */
function parametersOf(body: unknown): URLSearchParams | null {
  if (body === null || typeof body !== "object") return null;
  if (body instanceof URLSearchParams) return body;
  return new URLSearchParams(
    Object.entries(body).filter((entry) => typeof entry[1] === "string") as [string, string][],
  );
}
