import { createHmac } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import cookie from "@fastify/cookie";
import csrf from "@fastify/csrf-protection";
import session from "@fastify/session";
import type { PendingAuthorization } from "@partner-connect/partner-sdk";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { type Html, html } from "../page/html.ts";
import { SessionStore } from "./session-store.ts";

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
