import { isDecided } from "@partner-connect/connections";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isOurForm } from "../browser/csrf.ts";
import { isLanguage, languageCookie } from "../browser/locale.ts";
import { knownEmail, rememberPage } from "../browser/return-paths.ts";
import { limitConfig } from "../clients/rate-limit.ts";
import { formField } from "../pages/forms.ts";
import { MAX_SEARCH } from "../pages/names.ts";
import { AUTHORIZATION_PATH, SIGN_OUT_PATH } from "../pages/paths.ts";
import { redirectTo } from "../pages/send-page.ts";
import { pageNumber } from "../pages/shop-list.ts";
import { endSession, useSession } from "../sign-in/session.ts";
import { type SignInContext, showSignInForm, signIn } from "../sign-in/sign-in.route.ts";
import { authorizationHash } from "./authorization-secret.ts";
import { showConsentPage, showDecidedPage } from "./consent-page.ts";
import { decide } from "./decide.ts";
import { authorizationPath, openSealedRequest, requirePending } from "./pending-authorization.ts";

/** An authorization's pages, from sign-in to decision. merchant-pages.ts refuses foreign posts. */
export async function consentRoutes(app: FastifyInstance): Promise<void> {
  app.decorateRequest("authorization");
  app.addHook("preHandler", requirePending);

  const counts = "authorizations";
  app.get(AUTHORIZATION_PATH, { config: { counts } }, async (request, reply) => {
    const { authorization, query } = request;
    if (await isDecided(app.pagesSql, authorizationHash(authorization.secret)))
      return await showDecidedPage(reply);
    const { client, hints } = authorization;
    rememberPage(reply, {
      path: authorizationPath(authorization),
      app: client.name,
      uiLocales: hints.uiLocales,
    });
    const merchant = await useSession(request);
    if (!merchant) return showSignInForm(reply, signInContext(request));
    const [search, chosen] = [formField(query, "find"), formField(query, "shop")];
    return await showConsentPage(reply, {
      merchant,
      search,
      chosen,
      page: pageNumber(formField(query, "page")),
    });
  });

  // Each decision adds a row, so decisions have a separate limit. Repeating a decision adds none,
  // and doesn't count.
  const config = limitConfig("decision", app.config.rateLimits.authorize, async (request) => {
    const asked = openSealedRequest(request);
    return asked !== null && (await isDecided(app.pagesSql, authorizationHash(asked.secret)));
  });
  app.post(
    AUTHORIZATION_PATH,
    { config: { ...config, counts } },
    async (_, reply) => await decide(reply),
  );

  // A form below may respond with a page. Reloading it redirects to the consent page.
  for (const step of ["sign-in", "sign-out", "look"]) {
    app.get(`${AUTHORIZATION_PATH}/${step}`, async ({ authorization, query }, reply) =>
      redirectTo(reply, authorizationPath(authorization, "", formField(query, "shop"))),
    );
  }

  app.post(
    `${AUTHORIZATION_PATH}/sign-in`,
    { config: { counts: "sign_ins" } },
    async (request, reply) => await signIn(reply, signInContext(request)),
  );

  app.post(`${AUTHORIZATION_PATH}/sign-out`, async (request, reply) => {
    if (isOurForm(request, SIGN_OUT_PATH)) await endSession(reply);
    return redirectTo(reply, authorizationPath(request.authorization));
  });

  // Shows the consent page again, with a search or in another language, and keeps the choice. The
  // consent form's other buttons post here. Only the language is stored, so no token is needed.
  app.post(`${AUTHORIZATION_PATH}/look`, async ({ authorization, body }, reply) => {
    const language = formField(body, "language");
    if (isLanguage(language)) languageCookie.set(reply, language);
    const search =
      formField(body, "all") === "" ? formField(body, "find").slice(0, MAX_SEARCH) : "";
    const page = formField(body, "page");
    const choice = new URLSearchParams({
      find: search,
      shop: formField(body, "shop"),
      ...(page !== "" && { page }),
    });
    return redirectTo(
      reply,
      `${authorizationPath(authorization)}&${choice}${isLanguage(language) ? "" : "#found"}`,
    );
  });
}

/** The sign-in form leads back to the consent page, with the shop still chosen. */
function signInContext(request: FastifyRequest): SignInContext {
  const { authorization, query } = request;
  const chosen = formField(query, "shop");
  return {
    action: authorizationPath(authorization, "/sign-in", chosen),
    secret: authorization.secret,
    destination: authorizationPath(authorization, "", chosen),
    app: authorization.client.name,
    logoPath: authorization.client.logoPath,
    email: knownEmail.read(request) ?? authorization.hints.loginHint ?? null,
  };
}
