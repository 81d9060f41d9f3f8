import { isDecided } from "@partner-connect/connections";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { formField } from "../pages/form-token.ts";
import { isLanguage, languageCookie } from "../pages/locale.ts";
import type { SignInPlace } from "../pages/merchant-sign-in.ts";
import { MAX_SEARCH } from "../pages/name-search.ts";
import { redirectTo } from "../pages/send-merchant-page.ts";
import { limited } from "../rate-limit.ts";
import { AUTHORIZATION_PATH, authorizationPath, returnHost } from "./authorization-paths.ts";
import { authorizationStep, openedRequest } from "./authorization-step.ts";
import type { ConsentContext } from "./consent-context.ts";
import { showConsentPage } from "./consent-page.ts";
import { decide } from "./decide.ts";
import { authorizationHash } from "./decision.ts";
import { showDeclinePage } from "./decline-page.ts";
import { showEndedPage } from "./ended-page.ts";
import type { OpenAuthorization } from "./sealed-request.ts";
import { postedChoice } from "./shop-offer.ts";

interface ConsentOptions extends ConsentContext {
  readonly decisionRateLimit: number;
}

export function consentRoutes(app: FastifyInstance, context: ConsentOptions): void {
  const { sql, signIn, formTokens, returns, decisionRateLimit } = context;
  const isOver = (authorization: Pick<OpenAuthorization, "secret">) => isDecided(sql, authorizationHash(authorization));

  app.get(
    AUTHORIZATION_PATH,
    authorizationStep(context, async (reply, authorization) => {
      const { request } = reply;
      if (await isOver(authorization)) return await showEndedPage(context, reply, authorization);
      const { client, hints } = authorization;
      returns.remember(reply, { path: authorizationPath(authorization), app: client.name, uiLocales: hints.uiLocales });
      const merchant = await signIn.merchant(request);
      if (!merchant) return signIn.showForm(reply, signInPlace(context, authorization, request));
      const field = (name: string) => formField(request.query, name);
      const [search, chosen] = [field("find"), field("shop")];
      return await showConsentPage(context, reply, authorization, { merchant, search, chosen });
    }),
  );

  app.post(
    AUTHORIZATION_PATH,
    // Each decision leaves a row, so decisions have a limit of their own. The same decision sent again leaves none.
    {
      config: limited("decision", decisionRateLimit, async (request) => {
        const opened = openedRequest(context, request);
        return opened !== null && (await isOver(opened));
      }),
    },
    authorizationStep(context, (reply, authorization) => decide(context, reply, authorization)),
  );

  app.get(
    `${AUTHORIZATION_PATH}/decline`,
    authorizationStep(context, async (reply, authorization) => {
      if (await isOver(authorization)) return await showEndedPage(context, reply, authorization);
      return showDeclinePage(context, reply, authorization);
    }),
  );

  // What these forms are answered with can be a page. Its address leads back to the authorization.
  for (const step of ["sign-in", "sign-out", "look"]) {
    app.get(
      `${AUTHORIZATION_PATH}/${step}`,
      authorizationStep(context, (reply, authorization) =>
        redirectTo(reply, authorizationPath(authorization, "", formField(reply.request.query, "shop"))),
      ),
    );
  }

  lookAgainRoute(app, context);

  app.post(
    `${AUTHORIZATION_PATH}/sign-in`,
    authorizationStep(context, (reply, authorization) =>
      signIn.signIn(reply, signInPlace(context, authorization, reply.request)),
    ),
  );

  app.post(
    `${AUTHORIZATION_PATH}/sign-out`,
    authorizationStep(context, async (reply, authorization) => {
      const path = authorizationPath(authorization);
      if (formTokens.isValid(reply.request, path)) await signIn.signOut(reply);
      return redirectTo(reply, path);
    }),
  );
}

/** Signing in leads back to the page with the shop that was chosen on it. */
function signInPlace(
  { knownEmail }: ConsentContext,
  authorization: OpenAuthorization,
  request: FastifyRequest,
): SignInPlace {
  const chosen = formField(request.query, "shop");
  return {
    action: authorizationPath(authorization, "/sign-in", chosen),
    destination: authorizationPath(authorization, "", chosen),
    app: authorization.client.name,
    asking: { client: authorization.client, returnHost: returnHost(authorization) },
    declinePath: authorizationPath(authorization, "/decline"),
    email: knownEmail.read(request) ?? authorization.hints.loginHint ?? null,
  };
}

/**
 * The decision's form without a decision: the page is shown again, with a search or in another language, and the choice stays. It changes
 * nothing but the language, so it needs no token.
 */
function lookAgainRoute(app: FastifyInstance, context: ConsentContext): void {
  const languages = languageCookie(app.pageSettings.publicBaseUrl);
  app.post(
    `${AUTHORIZATION_PATH}/look`,
    authorizationStep(context, (reply, authorization) => {
      const { body } = reply.request;
      const language = formField(body, "language");
      if (isLanguage(language)) languages.set(reply, language);
      const search = formField(body, "all") === "" ? formField(body, "find").slice(0, MAX_SEARCH) : "";
      const choice = new URLSearchParams({ find: search, shop: postedChoice(body) });
      return redirectTo(reply, `${authorizationPath(authorization)}&${choice}${isLanguage(language) ? "" : "#found"}`);
    }),
  );
}
