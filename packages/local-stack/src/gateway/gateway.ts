import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import proxy from "@fastify/http-proxy";
import { createLogger, logRequests, traceRequests } from "@partner-connect/service-runtime";
import { tracing } from "@partner-connect/service-runtime/tracing";
import Fastify, { type FastifyInstance, LogController } from "fastify";
import { mailPages } from "../mail/mail-pages.ts";
import type { Mailbox } from "../mail/mailbox.ts";
import { announcesTooMuch, refuseBody } from "./body-limit.ts";
import { notFound, unavailable } from "./errors.ts";
import { forward } from "./forward.ts";
import { API_PREFIXES, isServed, loggedPath, OAUTH_PREFIXES, servedHost } from "./hosts.ts";
import { loadBalancer } from "./load-balancer.ts";

interface GatewayOptions {
  readonly authorizationServers: readonly string[];
  readonly resourceServers: readonly string[];
  /** What stands at `/`: the page for who has just started the stack. Production's gateway asks the authorization server. */
  readonly startPage?: () => Promise<string>;
  /** What the services have mailed. Default: there is no such page. */
  readonly mailbox?: Mailbox | undefined;
  /** Default: info, a record for each request. Failures of replicas are warnings. */
  readonly logLevel?: string;
}

const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

export function gateway(options: GatewayOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: createLogger("gateway", options.logLevel ?? "info"),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestTimeout: LIMITS.requestTimeout,
    http: LIMITS,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
  }) as unknown as FastifyInstance;
  const traces = tracing();
  if (traces) traceRequests(app, traces, []);
  logRequests(app, ({ headers, raw }) => ({ host: servedHost(headers.host), path: loggedPath(raw.url) }));
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
    const path = request.raw.url?.split("?", 1)[0] ?? "";
    if (!isServed(request.headers.host, path)) return notFound(request, reply);
    if (announcesTooMuch(request.raw)) return refuseBody(request, reply);
    // Fastify refuses a malformed content-type by itself. Which bodies are refused is the service's to decide.
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
  const { startPage, mailbox } = options;
  if (startPage) app.get("/", async (_request, reply) => reply.headers(START_PAGE_HEADERS).send(await startPage()));
  if (mailbox) mailPages(app, mailbox, START_PAGE_HEADERS);
  const oauth = loadBalancer(options.authorizationServers);
  const api = loadBalancer(options.resourceServers);
  for (const prefix of OAUTH_PREFIXES) app.register(proxy, forward(prefix, oauth));
  for (const prefix of API_PREFIXES) app.register(proxy, forward(prefix, api));
  return app;
}

/** Browsers load the pages' stylesheet and icon and nothing else, and run nothing. */
const START_PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** How long a client may take; Node looks for late ones at each interval. A service refuses a slow body before this does. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  // 32 KB of headers and the request line, as Caddy has it.
  maxHeaderSize: 36 * 1024,
};

const CLOSE_LIMIT_MS = 5000;

/** Listens on `port` of `localhost`, by IPv4 and, where the machine has it, IPv6. Returns a function that closes both. */
export async function listenOnLocalhost(app: FastifyInstance, port: number): Promise<() => Promise<void>> {
  await app.listen({ host: "127.0.0.1", port });
  const second = createServer(LIMITS, (request, response) => app.routing(request, response));
  second.keepAliveTimeout = app.server.keepAliveTimeout;
  const listens = await new Promise<boolean>((resolve, reject) => {
    second.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT" ? resolve(false) : reject(error),
    );
    second.listen({ host: "::1", port, ipv6Only: true }, () => resolve(true));
  });
  return async () => {
    const servers = listens ? [app.server, second] : [app.server];
    const closed = Promise.all([app.close(), listens && new Promise((resolve) => second.close(resolve))]);
    // A connection that is sending its last answer is closed once it is idle.
    const closingIdle = setInterval(() => {
      for (const server of servers) server.closeIdleConnections();
    }, 50);
    const closingAll = setTimeout(() => {
      for (const server of servers) server.closeAllConnections();
    }, CLOSE_LIMIT_MS);
    await closed;
    clearInterval(closingIdle);
    clearTimeout(closingAll);
  };
}
