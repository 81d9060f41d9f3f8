import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { connectedAppsRoute } from "./account/connected-apps.route.ts";
import { connectionRoute } from "./account/connection.route.ts";
import { forgotPasswordRoute } from "./account/forgot-password.route.ts";
import { passkeysRoutes } from "./account/passkeys.route.ts";
import { changePasswordRoute, resetPasswordRoute } from "./account/password.route.ts";
import { mayBeSameOrigin } from "./browser/csrf.ts";
import { preferLanguages } from "./browser/locale.ts";
import { rememberedPage } from "./browser/return-paths.ts";
import { consentRoutes } from "./consent/consent.route.ts";
import { sendErrorPage } from "./pages/error-page.ts";
import { pagesRoutes } from "./pages/pages.route.ts";
import { AUTHORIZATION_PATH } from "./pages/paths.ts";
import { MERCHANT_HEADERS } from "./pages/send-page.ts";
import { partnerRoutes } from "./partner/partner.route.ts";
import { signInRoutes } from "./sign-in/sign-in.route.ts";

/** Maximum bytes of a posted form. A path in it has at most 12,000 (pages/forms.ts). */
const BODY_LIMIT = 16_384;

/**
 * Compresses only what is sent by `reply.compress`. If search results were compressed, their length
 * would disclose how much of the searched text is on the page.
 */
const COMPRESSION = {
  global: false,
  encodings: ["br", "gzip"] as ("br" | "gzip")[],
  globalDecompression: false,
  syncThreshold: 1_000_000,
};

/**
 * All merchant pages, as one plugin. It reads cookies, accepts no bodies but forms without NUL, and
 * refuses posts that don't come from our own pages. Other routes are not affected.
 */
export async function merchantPages(app: FastifyInstance): Promise<void> {
  const { openId, tokens } = app.config;
  await app.register(cookie);
  await app.register(compress, COMPRESSION);
  // Forms are the only bodies. Any other type gets 415, because browsers let scripts of other sites
  // send some of them, such as plain text.
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: BODY_LIMIT });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(MERCHANT_HEADERS);
    const { origin, "sec-fetch-site": secFetchSite } = request.headers;
    const from = { origin, secFetchSite: secFetchSite?.toString(), host: request.host };
    if (request.method === "POST" && !mayBeSameOrigin(from, tokens.issuer)) {
      noteFacts(request, { reason: "foreign_form" });
      return sendErrorPage(reply, { status: 403, kind: "bad_request" });
    }
    // Other pages also use the languages of the authorization request that is open in this browser.
    if (!request.url.startsWith(AUTHORIZATION_PATH))
      preferLanguages(request, rememberedPage(request)?.uiLocales);
  });
  // Postgres refuses NUL, and none of our paths and forms has one.
  app.addHook("preValidation", async ({ params, query, body }, reply) => {
    const sent = [params, query, body].flatMap((fields) => Object.entries(fields ?? {}).flat(2));
    return sent.some((text) => String(text).includes("\0"))
      ? sendErrorPage(reply, { status: 400, kind: "bad_request" })
      : undefined;
  });
  pagesRoutes(app);
  signInRoutes(app);
  await app.register(consentRoutes);
  if (!openId?.only) {
    changePasswordRoute(app);
    resetPasswordRoute(app);
    forgotPasswordRoute(app);
  }
  connectedAppsRoute(app);
  connectionRoute(app);
  passkeysRoutes(app);
  await app.register(partnerRoutes);
}
