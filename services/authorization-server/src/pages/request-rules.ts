import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { FastifyInstance } from "fastify";
import { errorPage } from "./error-page.ts";
import { isSameOrigin } from "./same-origin.ts";
import { MERCHANT_HEADERS } from "./send-merchant-page.ts";

/** Bytes of a posted form. The largest of ours is less than half of it. */
const BODY_LIMIT = 16_384;

/** Rules for every request to the merchant pages: cookies are read, bodies are forms, and only our own pages post them. */
export async function requestRules(app: FastifyInstance, publicBaseUrl: string): Promise<void> {
  await app.register(cookie);
  // Forms are the only bodies. Any other is 415, as browsers let scripts of other sites send some of them, such as text.
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: BODY_LIMIT });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(MERCHANT_HEADERS);
    if (request.method !== "POST") return;
    const { origin, "sec-fetch-site": secFetchSite } = request.headers;
    const post = { origin, secFetchSite: secFetchSite?.toString(), host: request.host };
    if (!isSameOrigin(post, publicBaseUrl)) {
      return errorPage(reply, { status: 403, kind: "foreign_form" });
    }
  });
}
