import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import proxy from "@fastify/http-proxy";
import { createLogger, logRequests, noteFacts } from "@partner-connect/service-runtime";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { type Mailbox, mailPages } from "./mailbox.ts";

/** What the program needs to know. */
export interface GatewayConfig {
  readonly port: number;
  /** Where it takes the services' mails; null: it takes none. */
  readonly mailPort: number | null;
  /** The replicas' base URLs. */
  readonly authorizationServers: readonly string[];
  readonly resourceServers: readonly string[];
}

interface GatewayOptions extends Pick<GatewayConfig, "authorizationServers" | "resourceServers"> {
  readonly mailbox?: Mailbox | undefined;
  /** Default: info, a record for each request. Failures of replicas are warnings. */
  readonly logLevel?: string;
}

/** How long a client may take, and how much it may send in headers (32 KB, and the request line): as Caddy has it. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 36 * 1024,
  keepAliveTimeout: 72_000,
};

/** Longer than a service takes for anything, so that its own 503 arrives first: a call for changes waits for 25 seconds. */
const SERVICE_LIMITS = { connections: 256, connectTimeout: 1000, headersTimeout: 40_000, bodyTimeout: 60_000 };

/** The local stack's gateway: three hosts, one port, the same routes and answers as the Caddyfile. */
export function gateway(options: GatewayOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: createLogger("gateway", options.logLevel ?? "info"),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestTimeout: LIMITS.requestTimeout,
    keepAliveTimeout: LIMITS.keepAliveTimeout,
    http: LIMITS,
    rewriteUrl: originForm,
    clientErrorHandler: refuseUnreadable,
    // A path that can't be decoded.
    frameworkErrors: (_error, request, reply) => notFound(request as FastifyRequest, reply as unknown as FastifyReply),
    forceCloseConnections: true,
  }) as unknown as FastifyInstance;
  logRequests(app, ({ headers, raw }) => ({ host: servedHost(headers.host), path: loggedPath(raw) }));
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
    if (!isServed(request.headers.host, pathOf(request.raw))) return notFound(request, reply);
    // Every body is taken as it is; `headersDistinct` still has what the client calls it.
    if (request.raw.headers["content-type"]) request.raw.headers["content-type"] = "application/octet-stream";
  });
  app.setNotFoundHandler(notFound);
  app.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    if (error instanceof BodyTooLarge) return refuseBody(request, reply);
    if ((error.statusCode ?? 500) >= 500) return unavailable(request, reply);
    return reply.code(error.statusCode ?? 400).send({ error: "invalid_request" });
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", readBody);
  if (options.mailbox) mailPages(app, options.mailbox);
  const authorizationServers = new Replicas(options.authorizationServers);
  const resourceServers = new Replicas(options.resourceServers);
  app.register(proxy, {
    ...{ prefix: "/", upstream: "", proxyPayloads: false, internalRewriteLocationHeader: false },
    ...{ disableRequestLogging: true, undici: SERVICE_LIMITS },
    // The library's own retries would repeat a service's 503.
    replyOptions: {
      ...{ getUpstream: () => "", rewriteRequestHeaders: requestHeaders, retryDelay: () => null },
    },
    handler(request, reply, _path, replyOptions) {
      const replicas = API.test(pathOf(request.raw)) ? resourceServers : authorizationServers;
      return replicas.forward(request as FastifyRequest, reply as unknown as FastifyReply, replyOptions ?? {});
    },
  });
  return app;
}

const OAUTH = /^\/(?:(?:oauth|\.well-known|docs|partner)\/.*|docs|partner|llms\.txt|llms-full\.txt|mail|mail\.json)?$/;
/** With the API's metadata (RFC 9728), which stands beside the authorization server's. */
const API = /^\/(?:api\/|\.well-known\/oauth-protected-resource(?:\/|$))/;

const HOSTS = ["localhost", "127.0.0.1", "[::1]", "auth.localhost", "api.localhost"];

/** The host without its port, if it is one of the public hosts. The port doesn't count, as a forwarded port differs. */
function servedHost(host = ""): string | undefined {
  return HOSTS.find((name) => name === host.toLowerCase().replace(/:\d*$/, ""));
}

function isServed(host: string | undefined, path: string): boolean {
  const name = servedHost(host);
  if (API.test(path)) return name !== undefined && name !== "auth.localhost";
  return OAUTH.test(path) && name !== undefined && name !== "api.localhost";
}

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] ?? "";

/** The path's beginning only, as the rest may hold a code. */
function loggedPath(request: IncomingMessage): string {
  return `${/^\/(?:oauth|api|docs|partner|\.well-known)\//.exec(pathOf(request))?.[0] ?? ""}...`;
}

/** A target in absolute form (RFC 9112 §3.2.2), as proxies get it, names the host, whatever the header says. */
function originForm(request: IncomingMessage): string {
  const [, host, path = ""] = /^https?:\/\/([^/?]*)(.*)$/i.exec(request.url ?? "") ?? [];
  if (host === undefined) return request.url ?? "/";
  request.headers.host = host;
  return path.startsWith("/") ? path : `/${path}`;
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteFacts(request, { reason: "not_served" });
  return reply.code(404).send({ error: "not_found" });
}

function unavailable(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteFacts(request, { reason: "no_replica" });
  return reply.code(503).header("retry-after", "1").send({ error: "unavailable" });
}

/** What Node could not read as a request, or not in time. */
function refuseUnreadable({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[code ?? ""] ?? 400;
  const body = '{"error":"invalid_request"}';
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${body.length}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** A batch of refreshes may have 256 KB. What is too much elsewhere its service refuses itself. */
const BODY_LIMIT = 300_000;

/** How long a client whose body was refused may read the answer, before the connection ends. */
const LINGER_MS = 2000;

class BodyTooLarge extends Error {}
type BodyDone = (error: Error | null, body?: Buffer) => void;

/** The whole body, so that it can be sent to another replica. Of one that is too large the rest is not read. */
function readBody(_request: FastifyRequest, body: IncomingMessage, done: BodyDone): void {
  const chunks: Buffer[] = [];
  let size = 0;
  body.on("data", (chunk: Buffer) => {
    const isFirstTooMuch = size < BODY_LIMIT && size + chunk.length >= BODY_LIMIT;
    size += chunk.length;
    if (size < BODY_LIMIT) chunks.push(chunk);
    if (isFirstTooMuch) done(new BodyTooLarge());
    if (size > BODY_LIMIT) body.pause();
  });
  body.once("end", () => size < BODY_LIMIT && done(null, Buffer.concat(chunks)));
  body.once("error", done);
}

/** As each service says it: 413, except for token calls (RFC 6749 §5.2 knows only 400). */
function refuseBody(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { raw } = request;
  // Fastify would close the connection before the client has read the answer.
  reply.removeHeader("connection");
  reply.raw.once("finish", () => setTimeout(() => raw.complete || raw.socket.destroy(), LINGER_MS).unref());
  noteFacts(request, { reason: "body_too_large" });
  const path = pathOf(raw);
  if (!/^\/oauth\/api\/token(?:\/batch)?$/.test(path)) {
    return reply.code(413).send({ error: path.startsWith("/api/") ? "payload_too_large" : "bad_request" });
  }
  return reply
    .code(400)
    .headers({ "cache-control": "no-store", pragma: "no-cache" })
    .send({ error: "invalid_request", error_description: "the body can't be read" });
}

const IDEMPOTENT = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
const NOT_CONNECTED = new Set(["ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"]);

/** Longer than a replica that is about to close still answers. A write that meets its close could not be repeated. */
const LEAVING_MS = 5000;

/** A service's replicas. Each comes first in turn; those that said `connection: close` of late come last, the first of them first. */
class Replicas {
  readonly #urls: readonly string[];
  readonly #leavingUntil = new Map<string, number>();
  #turn = 0;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  forward(request: FastifyRequest, reply: FastifyReply, options: object): FastifyReply {
    this.#turn = (this.#turn + 1) % this.#urls.length;
    const inTurn = [...this.#urls.slice(this.#turn), ...this.#urls.slice(0, this.#turn)];
    const now = Date.now();
    for (const [url, until] of this.#leavingUntil) if (until <= now) this.#leavingUntil.delete(url);
    const leavingUntil = (url: string) => this.#leavingUntil.get(url) ?? 0;
    const order = inTurn.toSorted((one, other) => leavingUntil(one) - leavingUntil(other));
    return this.#send(request, reply, order, options);
  }

  /** Where a replica takes no connection, the next one is tried; where it closes one without an answer, only for what may be repeated. */
  #send(
    request: FastifyRequest,
    reply: FastifyReply,
    [replica = "", ...others]: readonly string[],
    options: object,
  ): FastifyReply {
    const body = request.body as Buffer | undefined;
    return reply.from(undefined as unknown as string, {
      ...options,
      ...(body && { body, contentType: "application/octet-stream" }),
      getUpstream: () => replica,
      rewriteHeaders: ({ connection, "keep-alive": _keepAlive, ...headers }) => {
        if (connection === "close") this.#leavingUntil.set(replica, Date.now() + LEAVING_MS);
        return headers;
      },
      onError: (_reply, { error }) => {
        const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
        const mayRepeat = NOT_CONNECTED.has(code ?? "") || (!body && IDEMPOTENT.has(request.method));
        if (mayRepeat && others.length > 0) this.#send(request, reply, others, options);
        else unavailable(request, reply);
      },
    }) as unknown as FastifyReply;
  }
}

/** Headers of one connection. The library drops `connection` and the headers that it names. */
const HOP_BY_HOP = /^(?:keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect|content-length)$/;
const GATEWAYS_OWN = /^(?:forwarded|x-real-ip|x-forwarded-.*|x-request-id)$/;

/** All headers, also those that came twice. Only the gateway says who the client is (`x-forwarded-*`) and the request's id. */
function requestHeaders(request: unknown, kept: IncomingHttpHeaders): IncomingHttpHeaders {
  const { raw, headers, id } = request as FastifyRequest;
  const sent = Object.entries(raw.headersDistinct).filter(
    ([name]) => name in kept && !HOP_BY_HOP.test(name) && !GATEWAYS_OWN.test(name),
  );
  return {
    ...Object.fromEntries(sent),
    host: headers.host,
    "x-forwarded-for": raw.socket.remoteAddress,
    "x-forwarded-host": headers.host,
    "x-forwarded-proto": "http",
    "x-request-id": id,
  } as IncomingHttpHeaders;
}

/** Listens on `port` of `localhost`, by IPv4 and, where the machine has it, IPv6. Returns a function that closes both. */
export async function listenOnLocalhost(app: FastifyInstance, port: number): Promise<() => Promise<void>> {
  await app.listen({ host: "127.0.0.1", port });
  const second = createServer(LIMITS, (request, response) => app.routing(request, response));
  second.on("clientError", (error, socket) => refuseUnreadable(error, socket as Socket));
  await new Promise<void>((resolve, reject) => {
    second.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT" ? resolve() : reject(error),
    );
    second.listen({ host: "::1", port, ipv6Only: true }, resolve);
  });
  return async () => {
    second.close();
    second.closeAllConnections();
    await app.close();
  };
}
