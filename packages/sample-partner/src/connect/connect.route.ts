import type { PendingAuthorization } from "@partner-connect/partner-sdk";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Sample } from "../sample.ts";

/** All that the app can use. What a merchant grants may be less: `scope` in the answer says. */
const SCOPE = ["responses:read", "sources:write"];

/** 'Connect your shop', and 'Connect again'. */
export function connectRoute(app: FastifyInstance, { config, partnerConnect }: Sample): void {
  app.post("/connect", { preHandler: app.csrfProtection }, async (request, reply) => {
    const redirectUri = `${config.publicUrl}/callback`;
    const { url, pending } = await partnerConnect.beginAuthorization({ redirectUri, scope: SCOPE });
    keepPending(request, pending);
    return reply.redirect(url, 303);
  });
}

/** Tabs in which a merchant may have begun to connect a shop. */
const MOST = 5;

/** Keeps the attempt until the merchant comes back, in the session of their browser and nowhere else. */
function keepPending({ session }: FastifyRequest, pending: PendingAuthorization): void {
  session.pending = [...(session.pending ?? []), pending].slice(-MOST);
}

/** The attempt with this state. Else the newest one: the SDK then says that the state is wrong. */
export function findPending({ session }: FastifyRequest, state: unknown): PendingAuthorization | null {
  const attempts = session.pending ?? [];
  return attempts.find((attempt) => attempt.state === state) ?? attempts.at(-1) ?? null;
}

export function dropPending({ session }: FastifyRequest, ended: PendingAuthorization): void {
  session.pending = (session.pending ?? []).filter(({ state }) => state !== ended.state);
}
