import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { PassThrough, type Readable, type Writable } from "node:stream";
import proxy from "@fastify/http-proxy";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerBase,
  type RouteGenericInterface,
} from "fastify";
import { API_PREFIXES, isServed, OAUTH_PREFIXES } from "./hosts.ts";
import { type Replicas, replicas } from "./replicas.ts";
import { requestHeaders } from "./request-headers.ts";

export interface GatewayOptions {
  /** Base URLs of the replicas. */
  readonly authorizationServers: readonly string[];
  readonly resourceServers: readonly string[];
  /** Of the replicas' failures, which are warnings. */
  readonly logLevel?: string;
}

const IDEMPOTENT = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;
/** Longer than a service takes for anything, so that a service's own 503 arrives first. */
const RESPONSE_LIMIT_MS = 20_000;

/**
 * The local gateway: three hosts before two services. It takes the replicas by turns; one that is down is passed
 * over, and an idempotent request that it cut off is sent to another.
 */
export function gateway(options: GatewayOptions): FastifyInstance {
  const app = Fastify({
    logger: { level: options.logLevel ?? "warn" },
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "x-request-id": randomUUID(), "x-content-type-options": "nosniff" });
    const path = request.raw.url?.split("?", 1)[0] ?? "";
    if (!isServed(request.headers.host, path)) return notFound(request, reply);
    // The framework would refuse what is no media type by itself; what a body may be is the service's to say.
    const { headers } = request.raw;
    if (!MEDIA_TYPE.test(headers["content-type"] ?? "none/at-all"))
      headers["content-type"] = "application/octet-stream";
  });
  app.setNotFoundHandler(notFound);
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
    (error.statusCode ?? 500) < 500
      ? reply.code(error.statusCode ?? 400).send({ error: "invalid_request" })
      : unavailable(reply),
  );
  const oauth = replicas(options.authorizationServers);
  const api = replicas(options.resourceServers);
  for (const prefix of OAUTH_PREFIXES) app.register(proxy, forward(prefix, oauth));
  for (const prefix of API_PREFIXES) app.register(proxy, forward(prefix, api));
  return app;
}

function forward(prefix: string, service: Replicas) {
  /** Replicas that a request may still be sent to. */
  const left = new WeakMap<object, string[]>();
  const current = (request: object) => left.get(request)?.[0] ?? "";

  const replyOptions = {
    getUpstream: current,
    rewriteRequestHeaders: (request: unknown, headers: IncomingHttpHeaders) =>
      requestHeaders(request as FastifyRequest, headers),
    rewriteHeaders(headers: IncomingHttpHeaders, request?: unknown): IncomingHttpHeaders {
      const { connection, "keep-alive": _, ...answered } = headers;
      // It is about to close: what comes next goes to the others.
      if (connection === "close") service.leaving(current(request as object));
      return answered;
    },
    onResponse(_request: unknown, answered: FastifyReply<RouteGenericInterface, RawServerBase>, answer: Answer): void {
      // The library closes the connection of a client whose body nobody wanted; it is read to its end and dropped.
      (answered as unknown as FastifyReply).removeHeader("connection").send(answer.stream);
    },
    // The library's own retries would repeat a service's 503; only a request without an answer is repeated here.
    retryDelay: () => null,
    onError(cutOff: FastifyReply<RouteGenericInterface, RawServerBase>): void {
      const reply = cutOff as unknown as FastifyReply;
      const { request } = reply;
      service.failed(current(request));
      const others = left.get(request)?.slice(1) ?? [];
      if (others.length === 0 || !IDEMPOTENT.has(request.method) || request.body) return void unavailable(reply);
      left.set(request, others);
      reply.from(undefined, replyOptions);
    },
  };

  return {
    prefix,
    upstream: "",
    rewritePrefix: prefix,
    internalRewriteLocationHeader: false,
    undici: { connections: 256, connectTimeout: 1000, headersTimeout: RESPONSE_LIMIT_MS, bodyTimeout: 60_000 },
    async preHandler(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      left.set(request, request.body ? await service.acceptingFirst() : service.order());
      if (request.body) request.body = detached(request.raw, reply.raw);
    },
    replyOptions,
  };
}

interface Answer {
  readonly stream: Readable;
}

/**
 * The body, to be forwarded. Whatever becomes of that, the client's own stream lives on; what nobody wanted of it is
 * read and dropped once the answer is out, so that the answer arrives and the connection can be used again.
 */
function detached(body: IncomingMessage, answer: Writable): Readable {
  const forwarded = body.pipe(new PassThrough());
  // Its end is told by the answer, or by the client's.
  forwarded.on("error", () => {});
  answer.once("finish", () => body.unpipe(forwarded).resume());
  body.once("close", () => {
    if (!body.complete) forwarded.destroy(new Error("the client went away"));
  });
  return forwarded;
}

function notFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ error: "not_found" });
}

function unavailable(reply: FastifyReply): FastifyReply {
  return reply.code(503).header("retry-after", "1").send({ error: "unavailable" });
}
