import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { formField } from "../merchant-page/forms/form-field.ts";
import { redirectTo } from "../merchant-page/frame/send-merchant-page.ts";
import type { SignInPlace } from "../merchant-page/merchant-sign-in.ts";
import { perMinute } from "../rate-limit.ts";
import type { ConsentContext } from "./consent-context.ts";
import { decide } from "./decision/decision.ts";
import { decisionStore } from "./decision/decision-store.ts";
import { showConsentPage } from "./pages/consent-page.ts";
import { showDeclinePage } from "./pages/decline-page.ts";
import { lookAgainRoute } from "./pages/look-again.route.ts";
import { AUTHORIZATION_PATH, authorizationPath } from "./request/authorization-paths.ts";
import { authorizationStep, endedPage } from "./request/authorization-step.ts";
import type { PendingAuthorization } from "./request/pending-authorization.ts";

export interface ConsentOptions extends Omit<ConsentContext, "decisions"> {
  readonly redis: Redis;
  /** Decisions per minute and address. */
  readonly decisionRateLimit: number;
}

/** The pages of an authorization: sign in if needed, then choose a shop and approve, or decline. */
export function consentRoutes(app: FastifyInstance, options: ConsentOptions): void {
  const { signIn, formTokens, decisionRateLimit, redis } = options;
  const decisions = decisionStore(redis);
  const context: ConsentContext = { ...options, decisions };

  app.get(
    AUTHORIZATION_PATH,
    authorizationStep(context, async (request, reply, pending) => {
      if (await decisions.isFinished(pending)) return endedPage(reply);
      const merchant = await signIn.merchant(request);
      if (!merchant) return signIn.showForm(request, reply, signInPlace(pending));
      return await showConsentPage(context, request, reply, pending, {
        merchant,
        search: formField(request.query, "find"),
        chosen: formField(request.query, "shop"),
      });
    }),
  );

  app.post(
    AUTHORIZATION_PATH,
    // Each decision leaves a record in Redis, so decisions have a limit of their own.
    { config: { rateLimit: perMinute(decisionRateLimit), limit: "decision" } },
    authorizationStep(context, (request, reply, pending) => decide(context, request, reply, pending)),
  );

  app.get(
    `${AUTHORIZATION_PATH}/decline`,
    authorizationStep(context, async (request, reply, pending) => {
      if (await decisions.isFinished(pending)) return endedPage(reply);
      return showDeclinePage(context, request, reply, pending);
    }),
  );

  // What these forms are answered with can be a page. Its address leads back to the authorization.
  for (const step of ["sign-in", "sign-out", "look"]) {
    app.get(
      `${AUTHORIZATION_PATH}/${step}`,
      authorizationStep(context, (_, reply, pending) => redirectTo(reply, authorizationPath(pending))),
    );
  }

  lookAgainRoute(app, context);

  app.post(
    `${AUTHORIZATION_PATH}/sign-in`,
    authorizationStep(context, (request, reply, pending) => signIn.signIn(request, reply, signInPlace(pending))),
  );

  app.post(
    `${AUTHORIZATION_PATH}/sign-out`,
    authorizationStep(context, async (request, reply, pending) => {
      if (formTokens.isValid(request, authorizationPath(pending))) await signIn.signOut(request, reply);
      return redirectTo(reply, authorizationPath(pending));
    }),
  );
}

function signInPlace(pending: PendingAuthorization): SignInPlace {
  return {
    action: authorizationPath(pending, "/sign-in"),
    destination: authorizationPath(pending),
    app: pending.client.name,
    declinePath: authorizationPath(pending, "/decline"),
  };
}
