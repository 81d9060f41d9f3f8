import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import cookie from "@fastify/cookie";
import {
  PartnerConnect,
  PartnerConnectError,
  ReconnectRequired,
  type SyncState,
} from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from "fastify";
import { type Html, html } from "./html.ts";
import { card, homePage, layout, refusedCallback, shopPage } from "./pages.ts";
import { Store } from "./store.ts";

export interface SampleOptions {
  /** Where browsers reach the app. `PUBLIC_URL/callback` is the redirect URI. */
  readonly publicUrl: string;
  /** The folder of its SQLite files. It holds refresh tokens. */
  readonly dataDir: string;
  /** The name of the product whose shops are connected. */
  readonly productName?: string;
  readonly partnerConnect: {
    readonly baseUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
}

export function samplePartner({
  publicUrl,
  dataDir,
  productName,
  partnerConnect: access,
}: SampleOptions): FastifyInstance {
  // One SDK instance per process. Its store has the connections and tokens; our store has the
  // copies.
  const connections = new SqliteStore(join(dataDir, "connections.sqlite"));
  const store = new Store(join(dataDir, "shops.sqlite"));
  const partnerConnect = new PartnerConnect({ ...access, store: connections });
  // Prefix of the HttpOnly cookie that binds a connection attempt, named by its `state`, to the
  // browser. A restarted app ignores earlier attempts, because their code may have been sent;
  // within a process, a reload after a temporary error resumes.
  const cookiePrefix = `sample_partner_${randomUUID()}_`;
  const app = Fastify({
    // No URLs in the log: the callback's has a code in it.
    logger: { level: "warn" },
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    trustProxy: publicUrl.startsWith("https:") ? "loopback" : false,
  });

  // Keeps the copies of all shops up to date for as long as the app runs. After a kill it continues
  // where it stopped.
  const stopping = new AbortController();
  const following = partnerConnect.follow({
    loadState: () => store.state("feed"),
    saveState: (state, previous) => store.replaceState("feed", state, previous),
    loadCopyState: (id) => store.state<SyncState>(id),
    async apply(batch, { connectionId: id, previous }) {
      return (await connections.get(id)) !== null && store.apply(id, batch, previous);
    },
    onConnectionChange({ connectionId, status }) {
      if (status !== "connected")
        app.log.warn({ connectionId, status }, "a connection has ended, or is on hold");
      store.setFailure(connectionId, status === "connected" ? null : status);
    },
    onError(error, connectionId) {
      app.log.warn({ err: error, connectionId }, "a sync failed");
      const code = error instanceof PartnerConnectError ? error.code : "defect";
      if (connectionId)
        store.setFailure(connectionId, error instanceof ReconnectRequired ? error.reason : code);
    },
    signal: stopping.signal,
  });
  app.addHook("onClose", async () => {
    stopping.abort();
    await following;
    connections.close();
    store.close();
  });

  const { host, protocol } = new URL(publicUrl);
  const self = "default-src 'none';style-src 'self';img-src 'self'";
  const policy = `${self};form-action 'self' ${new URL(access.baseUrl).origin};frame-ancestors 'none';base-uri 'none'`;
  const docs = `${access.baseUrl}/docs`;
  const send = (reply: FastifyReply, title: string, main: Html, status = 200) =>
    reply
      .code(status)
      .type("text/html; charset=utf-8")
      .send(layout(title, main, docs, productName ?? "Partner Connect"));
  const home = html`<p><a href="/">To your shops</a></p>`;
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({
      "content-security-policy": policy,
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      ...(protocol === "https:" && { "strict-transport-security": "max-age=31536000" }),
    });
    if (request.url === "/livez") return;
    // Under another host name a foreign page could read ours (DNS rebinding).
    if (request.host !== host) return reply.redirect(`${publicUrl}/`);
    // Browsers send the origin of a form.
    if (request.method !== "GET" && request.headers.origin !== publicUrl) {
      return send(
        reply,
        "Another page’s form",
        card("This form came from another page", home),
        403,
      );
    }
  });
  app.setNotFoundHandler((_, reply) =>
    send(reply, "There is no such page", card("There is no such page", home), 404),
  );
  app.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode >= 500)
      request.log.error({ err: error, route: request.routeOptions.url }, "a defect");
    return send(reply, "Something went wrong", card("Something went wrong", home), statusCode);
  });
  app.register(cookie);
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async () => null,
  );
  app.get("/livez", async () => "ok");
  const file = (name: string) => readFileSync(new URL(name, import.meta.url));
  app.get("/sample.css", async (_, reply) =>
    reply.type("text/css; charset=utf-8").send(file("sample.css")),
  );
  app.get("/icon.svg", async (_, reply) => reply.type("image/svg+xml").send(file("icon.svg")));

  app.get("/", async (_, reply) =>
    send(
      reply,
      "Your shops",
      homePage(await connections.list(), store, new URL(access.baseUrl).host),
    ),
  );

  app.post("/connect", async (_, reply) => {
    const redirectUri = `${publicUrl}/callback`;
    const { url, pending } = await partnerConnect.beginAuthorization({
      redirectUri,
      scope: ["responses:read"],
    });
    const secure = protocol === "https:";
    // `lax`, because with `strict` the callback, which is a link, would come without the cookie.
    const options = {
      path: "/callback",
      httpOnly: true,
      sameSite: "lax",
      secure,
      maxAge: 1800,
    } as const;
    return reply
      .setCookie(cookiePrefix + pending.state, JSON.stringify(pending), options)
      .redirect(url, 303);
  });

  app.get<{ Querystring: { state?: string } }>("/callback", async (request, reply) => {
    const { cookies } = request;
    const own = cookiePrefix + request.query.state;
    // If no attempt has this state, use any other: the SDK then reports the wrong state.
    const name =
      own in cookies ? own : Object.keys(cookies).find((other) => other.startsWith(cookiePrefix));
    const end = () => reply.clearCookie(own, { path: "/callback" });
    try {
      const pending = JSON.parse((name && cookies[name]) ?? "null");
      const { id } = await partnerConnect.completeAuthorization(request.url, pending);
      store.setFailure(id, null);
      // Waits until `follow` has copied a small shop, so that the page has something to show.
      for (let tries = 0; tries < 60 && store.state<SyncState>(id)?.copying !== false; tries++)
        await sleep(50);
      return end().redirect(`/shops/${id}`, 303); // away from this URL, which has a code in it
    } catch (error) {
      if (!(error instanceof PartnerConnectError)) throw error;
      if (!error.isTemporary) end();
      const { status, title, main } = refusedCallback(error);
      return send(reply, title, main, status);
    }
  });

  app.get<{ Params: { id: string } }>("/shops/:id", async (request, reply) => {
    const connection = await connections.get(request.params.id);
    if (connection === null) return reply.callNotFound();
    return send(reply, connection.shop.name, shopPage(connection, store));
  });

  // Ends the connection, forgets the tokens, and deletes the copy.
  app.post<{ Params: { id: string } }>("/shops/:id/disconnect", async (request, reply) => {
    const { id } = request.params;
    const connection = await connections.get(id);
    if (connection === null) return reply.callNotFound();
    await partnerConnect.disconnect(id);
    store.forget(id);
    const title = `${connection.shop.name} is disconnected`;
    return send(
      reply,
      title,
      card(title, html`<p>The tokens and our copy of its responses are deleted.</p>${home}`),
    );
  });
  return app;
}
