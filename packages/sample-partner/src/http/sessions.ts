import { createHash, createHmac } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import cookie from "@fastify/cookie";
import csrf from "@fastify/csrf-protection";
import session, { type FastifySessionObject } from "@fastify/session";
import type { PendingAuthorization } from "@partner-connect/partner-sdk";
import type { FastifyInstance, FastifyReply, FastifyRequest, Session } from "fastify";
import type { Config } from "../config.ts";
import { type Html, html } from "../page/html.ts";

declare module "fastify" {
  interface Session {
    /** Authorizations that this browser has begun, the newest last. */
    pending?: PendingAuthorization[];
    /** To be shown by the next page, once. */
    done?: string;
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A session for each browser. `Lax`: with `Strict` the callback, which comes by a link, would have no cookie. */
export async function sessions(app: FastifyInstance, config: Config, database: DatabaseSync): Promise<void> {
  await app.register(cookie);
  await app.register(session, {
    cookieName: "sample_partner_session",
    // One secret less to keep: only who knows the client's secret can know this one.
    secret: createHmac("sha256", config.partnerConnect.clientSecret).update("session").digest("hex"),
    store: new SessionStore(database, DAY_MS),
    saveUninitialized: false,
    cookie: {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: config.publicUrl.startsWith("https:"),
      maxAge: DAY_MS,
    },
  });
  await app.register(csrf, {
    sessionPlugin: "@fastify/session",
    getToken: (request) => (request.body as Record<string, string> | undefined)?.["_csrf"],
  });
}

/** Each form has it. `app.csrfProtection` refuses a form without it. */
export function formToken(reply: FastifyReply): Html {
  return html`<input type="hidden" name="_csrf" value="${reply.generateCsrf()}">`;
}

/** What the last request has to say to this browser, once. */
export function takeDone(request: FastifyRequest): string | null {
  const { done } = request.session;
  if (done === undefined) return null;
  delete request.session.done;
  return done;
}

type Done = (error?: Error) => void;

/** Sessions outlive a restart, so that a merchant who is at Partner Connect just then can come back. Ids are kept as hashes. */
class SessionStore {
  readonly #database: DatabaseSync;
  readonly #lifetimeMs: number;

  constructor(database: DatabaseSync, lifetimeMs: number) {
    this.#database = database;
    this.#lifetimeMs = lifetimeMs;
  }

  set(id: string, session: Session, done: Done): void {
    const now = Date.now();
    this.#database.prepare("DELETE FROM sessions WHERE expires_at <= ?").run(now);
    this.#database
      .prepare("INSERT OR REPLACE INTO sessions (id_hash, session, expires_at) VALUES (?, ?, ?)")
      .run(hash(id), JSON.stringify(session), now + this.#lifetimeMs);
    done();
  }

  get(id: string, done: (error: Error | null, session?: FastifySessionObject | null) => void): void {
    const row = this.#database
      .prepare("SELECT session FROM sessions WHERE id_hash = ? AND expires_at > ?")
      .get(hash(id), Date.now());
    done(null, row ? JSON.parse(String(row["session"])) : null);
  }

  destroy(id: string, done: Done): void {
    this.#database.prepare("DELETE FROM sessions WHERE id_hash = ?").run(hash(id));
    done();
  }
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
