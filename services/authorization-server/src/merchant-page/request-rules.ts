import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { FastifyInstance } from "fastify";
import { errorPage } from "./error-page.ts";
import { isSameOrigin } from "./same-origin.ts";
import { MERCHANT_HEADERS } from "./send-merchant-page.ts";

/** Bytes of a form. None of ours is half as large. */
const BODY_LIMIT = 16_384;

/** What holds for every request to the merchant pages: cookies are read, bodies are forms, and our own pages send them. */
export async function requestRules(app: FastifyInstance, publicBaseUrl: string): Promise<void> {
  await app.register(cookie);
  // Scripts of other sites may send bodies of other types without asking first. Such a body is 415.
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: BODY_LIMIT });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(MERCHANT_HEADERS);
    if (request.method !== "POST") return;
    const { origin, "sec-fetch-site": secFetchSite } = request.headers;
    const post = { origin, secFetchSite: secFetchSite?.toString(), host: request.host };
    if (!isSameOrigin(post, publicBaseUrl)) {
      return errorPage(reply, { status: 403, kind: "foreign_form", requestId: request.id });
    }
  });
}
