import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { createLogger, httpServer, noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Agent, type Dispatcher } from "undici";
import { addMailPages, type Mailbox } from "./mailbox.ts";

export interface GatewayConfig {
  /** Sent with the response to `/none`, by which the stack recognizes its own gateway. */
  readonly id: string;
  readonly port: number;
  /** The port that receives the services' mails; null if mails go elsewhere. */
  readonly mailPort: number | null;
  /** The replicas' base URLs. */
  readonly authorizationServers: readonly string[];
  readonly resourceServers: readonly string[];
}

/**
 * Limits of calls to services, which are longer than any call takes, so that a service's own 503
 * arrives first. A call for changes waits for 25 seconds.
 */
const SERVICE_LIMITS = {
  connections: 256,
  connectTimeout: 1000,
  headersTimeout: 40_000,
  bodyTimeout: 60_000,
};

/** The local stack's gateway: three hosts, one port, and the Caddyfile's routes and answers. */
export function gateway(
  servers: Pick<GatewayConfig, "authorizationServers" | "resourceServers">,
  mailbox?: Mailbox,
  logLevel = "info",
): FastifyInstance {
  const logger = createLogger("gateway", logLevel);
  const app = httpServer({
    logger,
    trustedProxies: [],
    bodyLimit: 1,
    publicUrl: "http://localhost",
  });
  const agent = new Agent(SERVICE_LIMITS);
  app.addHook("onClose", () => agent.destroy());
  const askOauth = balancer(agent, servers.authorizationServers);
  const askApi = balancer(agent, servers.resourceServers);
  if (mailbox) addMailPages(app, mailbox);
  app.setNotFoundHandler(notFound);
  // A hook rather than a route, because every method and target is forwarded unchanged, without
  // parsing bodies.
  app.addHook("onRequest", (request, reply) => {
    const { host, target } = addressOf(request.raw);
    const path = target.split("?", 1)[0] ?? "";
    const name = servedName(host);
    noteFacts(request, {
      detail: `${name ?? "another host"} ${LOGGED_PATH.exec(path)?.[0] ?? "/"}...`,
    });
    if ((request.raw.headersDistinct["host"]?.length ?? 0) > 1)
      return refuse(reply, 400, "invalid_request");
    if (!isServed(name, path) && !getsPage(request, name, path)) return notFound(request, reply);
    if (!request.is404) return Promise.resolve(); // a page of the mailbox
    return forward(request, reply, { host, target, path, ask: API.test(path) ? askApi : askOauth });
  });
  return app;
}

const OAUTH =
  /^\/(?:(?:oauth|\.well-known|docs|partner)\/.*|docs|help|partner|llms\.txt|llms-full\.txt|mail|mail\.json)?$/;
/** Includes the API's metadata (RFC 9728), which is next to the authorization server's. */
const API = /^\/(?:api\/|\.well-known\/oauth-protected-resource(?:\/|$))/;
/** Only the beginning of the path is logged, because the rest may contain a code. */
const LOGGED_PATH = /^\/(?:oauth|api|docs|partner|\.well-known)\//;

const HOSTS = ["localhost", "127.0.0.1", "[::1]", "auth.localhost", "api.localhost"];

/**
 * The host without its port, if it is one of the public hosts. The port may differ if it is
 * forwarded.
 */
const servedName = (host: string) =>
  HOSTS.find((name) => name === host.toLowerCase().replace(/:\d*$/, ""));

/** True for a browser at an unknown address, which gets a page. */
function getsPage({ method, headers }: FastifyRequest, name: string | undefined, path: string) {
  if (name === undefined || name === "api.localhost" || API.test(path)) return false;
  return (method === "GET" || method === "HEAD") && headers.accept?.includes("text/html") === true;
}

function isServed(name: string | undefined, path: string): boolean {
  if (name === undefined) return false;
  return API.test(path) ? name !== "auth.localhost" : OAUTH.test(path) && name !== "api.localhost";
}

/** The host of a target in absolute form (RFC 9112 §3.2.2) takes precedence over the header. */
function addressOf({ url = "/", headers }: IncomingMessage): { host: string; target: string } {
  const [, host, target] = /^https?:\/\/([^/?]*)(.*)$/i.exec(url) ?? [];
  if (host === undefined || target === undefined) return { host: headers.host ?? "", target: url };
  return { host, target: target.startsWith("/") ? target : `/${target}` };
}

async function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  to: {
    readonly host: string;
    readonly target: string;
    readonly path: string;
    readonly ask: ReturnType<typeof balancer>;
  },
): Promise<unknown> {
  const method = request.method as Dispatcher.HttpMethod;
  const left = new AbortController();
  reply.raw.once("close", () => left.abort());
  try {
    const limit = to.path === "/oauth/api/token/batch" ? 300_000 : 100_000;
    const body = await readBody(request.raw, limit);
    if (body === "too large") return refuseBody(request, reply, to.path);
    const headers = requestHeaders(request, to.host);
    const answer = await to.ask(
      { method, path: to.target, headers, body, signal: left.signal },
      !body && ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].includes(method),
    );
    const {
      connection: _,
      "keep-alive": _limits,
      "transfer-encoding": _coding,
      ...passedOn
    } = answer.headers;
    return reply.code(answer.statusCode).headers(passedOn).send(answer.body);
  } catch {
    noteFacts(request, { reason: "no_replica" });
    return refuse(reply.header("retry-after", "1"), 503, "unavailable");
  }
}

const refuse = async (reply: FastifyReply, status: number, error: string): Promise<unknown> =>
  reply.code(status).send({ error });

function notFound(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  noteFacts(request, { reason: "not_served" });
  return refuse(reply, 404, "not_found");
}

/**
 * Reads the whole body, so that it can be sent to another replica; null if there is none. Checks
 * the announced length first.
 */
async function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer | null | "too large"> {
  const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  if (length === "0" && coding === undefined) return null;
  if (Number(length) > limit) return "too large";
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size > limit) return "too large";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Like Caddy: 413, except for token calls (RFC 6749 §5.2 knows only 400). */
async function refuseBody(request: FastifyRequest, reply: FastifyReply, path: string) {
  noteFacts(request, { reason: "body_too_large" });
  if (!/^\/oauth\/api\/token(?:\/batch)?$/.test(path)) {
    return refuse(reply, 413, path.startsWith("/api/") ? "payload_too_large" : "bad_request");
  }
  reply.code(400).headers({ "cache-control": "no-store", pragma: "no-cache" });
  return reply.send({ error: "invalid_request", error_description: "the body can't be read" });
}

const NOT_CONNECTED = new Set(["ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"]);

/**
 * Milliseconds for which a replica that sent `connection: close` is tried last; longer than its
 * shutdown. A write that the shutdown cuts off can't be repeated.
 */
const LEAVING_MS = 5000;

/**
 * Returns a function that calls a service's replicas in turn. Replicas that recently sent
 * `connection: close` come last, the one that sent it longest ago first. If a replica accepts no
 * connection, the next one is tried. If a connection closes without a response, the next one is
 * tried only if `mayBeRepeated`. Throws the last failure.
 */
function balancer(agent: Agent, urls: readonly string[]) {
  const replicas = urls.map((origin) => ({ origin, leftAt: Number.NEGATIVE_INFINITY }));
  let turn = 0;
  return async (options: Omit<Dispatcher.RequestOptions, "origin">, mayBeRepeated: boolean) => {
    turn = (turn + 1) % replicas.length;
    const since = Date.now() - LEAVING_MS;
    const inTurn = [...replicas.slice(turn), ...replicas.slice(0, turn)];
    let failure: unknown;
    for (const replica of inTurn.toSorted(
      (a, b) => Math.max(a.leftAt, since) - Math.max(b.leftAt, since),
    )) {
      try {
        const answer = await agent.request({ ...options, origin: replica.origin });
        if (answer.headers["connection"] === "close") replica.leftAt = Date.now();
        return answer;
      } catch (error) {
        failure = error;
        if (!mayBeRepeated && !NOT_CONNECTED.has((error as NodeJS.ErrnoException).code ?? ""))
          break;
      }
    }
    throw failure;
  };
}

const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect|content-length)$/;
const GATEWAYS_OWN = /^(?:host|forwarded|x-real-ip|x-forwarded-.*|x-request-id)$/;

/**
 * The headers to pass on: all, also repeated ones, except hop-by-hop headers. The client's address
 * and the request's id are set only by the gateway.
 */
function requestHeaders({ raw, id }: FastifyRequest, host: string): IncomingHttpHeaders {
  const named = (raw.headers.connection ?? "").toLowerCase().split(/[\s,]+/);
  const passedOn = Object.entries(raw.headersDistinct).filter(
    ([name]) => !HOP_BY_HOP.test(name) && !GATEWAYS_OWN.test(name) && !named.includes(name),
  );
  return {
    ...Object.fromEntries(passedOn),
    host,
    "x-forwarded-for": raw.socket.remoteAddress,
    "x-forwarded-host": host,
    "x-forwarded-proto": "http",
    "x-request-id": id,
  } as IncomingHttpHeaders;
}

/** Listens on `port` of `localhost`, by IPv4 and, where the machine has it, IPv6. */
export async function listenOnLocalhost(app: FastifyInstance, port: number): Promise<void> {
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    app.server.emit("connection", socket);
  });
  app.addHook("preClose", async () => void second.close());
  await app.listen({ host: "127.0.0.1", port });
  await new Promise<void>((resolve, reject) => {
    second.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT" ? resolve() : reject(error),
    );
    second.listen({ host: "::1", port, ipv6Only: true }, resolve);
  });
}
