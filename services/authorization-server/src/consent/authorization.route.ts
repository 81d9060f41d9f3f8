import type { FastifyInstance } from "fastify";
import { hasToken, type MerchantContext, signedInMerchant, tokenFor } from "../merchant-page/merchant-context.ts";
import { redirectTo, sendPage } from "../merchant-page/send-merchant-page.ts";
import { localeOf } from "../merchant-page/texts/locale.ts";
import { type SignInPlace, showSignIn, signIn, signOut } from "../sign-in/sign-in.ts";
import { AUTHORIZATION_PATH, authorizationPath, formTargets, returnHost } from "./authorization-paths.ts";
import { authorizationStep, endedPage } from "./authorization-step.ts";
import { consentPage } from "./consent-page.ts";
import { decide } from "./decide.ts";
import { declineView } from "./decline.view.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";

export interface AuthorizationRoutesOptions {
  /** Decisions per minute and address. */
  readonly decisionRateLimit: number;
}

/** A partner's request on its way through the merchant: sign in if needed, then choose a shop and approve, or decline. */
export function authorizationRoutes(
  app: FastifyInstance,
  context: MerchantContext,
  options: AuthorizationRoutesOptions,
): void {
  app.get(
    AUTHORIZATION_PATH,
    authorizationStep(context, async (request, reply, pending) => {
      if (await context.decisions.isFinished(pending)) return endedPage(reply);
      const merchant = await signedInMerchant(context, request);
      if (merchant) return await consentPage(context, request, reply, pending, merchant);
      const ended = context.cookies.session.read(request) !== null;
      return showSignIn(context, request, reply, place(pending), ended ? { done: (texts) => texts.sessionEnded } : {});
    }),
  );

  app.post(
    AUTHORIZATION_PATH,
    // Each decision is remembered, so decisions too come no faster than authorizations may begin.
    { config: { rateLimit: { max: options.decisionRateLimit, timeWindow: 60_000 } } },
    authorizationStep(context, (request, reply, pending) => decide(context, request, reply, pending)),
  );

  app.post(
    `${AUTHORIZATION_PATH}/sign-in`,
    authorizationStep(context, (request, reply, pending) => signIn(context, request, reply, place(pending))),
  );

  app.post(
    `${AUTHORIZATION_PATH}/sign-out`,
    authorizationStep(context, async (request, reply, pending) => {
      if (hasToken(context, request, authorizationPath(pending))) await signOut(context, request, reply);
      return redirectTo(reply, authorizationPath(pending));
    }),
  );

  app.get(
    `${AUTHORIZATION_PATH}/decline`,
    authorizationStep(context, async (request, reply, pending) => {
      if (await context.decisions.isFinished(pending)) return endedPage(reply);
      const locale = localeOf(request.headers["accept-language"]);
      const path = authorizationPath(pending);
      const token = tokenFor(context, request, reply, path);
      const view = { app: pending.client.name, host: returnHost(pending), path, token };
      return sendPage(reply, locale, declineView(view, locale), { formTargets: formTargets(pending) });
    }),
  );
}

function place(pending: PendingAuthorization): SignInPlace {
  return {
    action: authorizationPath(pending, "/sign-in"),
    destination: authorizationPath(pending),
    app: pending.client.name,
    declinePath: authorizationPath(pending, "/decline"),
  };
}
