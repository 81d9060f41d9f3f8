import type { FastifyInstance } from "fastify";
import type { Sample } from "../sample.ts";
import { keepPending } from "./pending.ts";

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
