import { matchesRegisteredRedirectUri } from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { consentPage } from "./consent-page.ts";
import { decide } from "./decide.ts";
import { errorPage } from "./error-page.ts";
import { decisionPurpose, formTargets, interactionPath, returnHost } from "./interaction.ts";
import { hasToken, type MerchantContext, signedInMerchant, tokenFor } from "./merchant-context.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { redirectTo, sendPage } from "./send-page.ts";
import { type SignInPlace, showSignIn, signIn, signOut } from "./sign-in.ts";
import { localeOf } from "./texts/locale.ts";
import { declineView } from "./views/decline.view.ts";

type InteractionRequest = FastifyRequest<{ Params: { uid: string }; Querystring: { signed_out?: unknown } }>;

/** A partner's request on its way through the merchant: sign in if needed, then choose a shop and approve, or decline. */
export function interactionRoutes(app: FastifyInstance, context: MerchantContext): void {
  /** Runs `answer` with the authorization of this URL, or says that there is none. */
  const withPending =
    (
      answer: (
        request: InteractionRequest,
        reply: FastifyReply,
        pending: PendingAuthorization,
      ) => Promise<FastifyReply>,
    ) =>
    async (request: InteractionRequest, reply: FastifyReply) => {
      const pending = await context.pending.find(request, reply, request.params.uid);
      if (!pending) return errorPage(reply, { status: 404, kind: "ended", requestId: request.id });
      if (pending.client.status !== "active") {
        const clientName = pending.client.name;
        return errorPage(reply, { status: 400, kind: "client_disabled", clientName, requestId: request.id });
      }
      if (!pending.client.redirectUris.some((uri) => matchesRegisteredRedirectUri(uri, pending.redirectUri))) {
        const developerDetail = "the redirect URI is no longer registered";
        return errorPage(reply, { status: 400, kind: "invalid_link", developerDetail, requestId: request.id });
      }
      return await answer(request, reply, pending);
    };

  app.get(
    "/oauth/interaction/:uid",
    withPending(async (request, reply, pending) => {
      const merchant = await signedInMerchant(context, request);
      if (merchant) return await consentPage(context, request, reply, pending, merchant);
      const ended = context.cookies.session.read(request) !== null;
      return showSignIn(context, request, reply, place(pending), ended ? { done: (texts) => texts.sessionEnded } : {});
    }),
  );

  app.post(
    "/oauth/interaction/:uid",
    withPending((request, reply, pending) => decide(context, request, reply, pending)),
  );

  app.post(
    "/oauth/interaction/:uid/sign-in",
    withPending((request, reply, pending) => signIn(context, request, reply, place(pending))),
  );

  app.post(
    "/oauth/interaction/:uid/sign-out",
    withPending(async (request, reply, pending) => {
      if (hasToken(context, request, decisionPurpose(pending))) await signOut(context, request, reply);
      return redirectTo(reply, interactionPath(pending));
    }),
  );

  app.get(
    "/oauth/interaction/:uid/decline",
    withPending(async (request, reply, pending) => {
      const locale = localeOf(request.headers["accept-language"]);
      const token = tokenFor(context, request, reply, decisionPurpose(pending));
      const view = { app: pending.client.name, host: returnHost(pending), path: interactionPath(pending), token };
      return sendPage(reply, locale, declineView(view, locale), { formTargets: formTargets(pending) });
    }),
  );
}

function place(pending: PendingAuthorization): SignInPlace {
  const path = interactionPath(pending);
  return { action: `${path}/sign-in`, destination: path, app: pending.client.name, declinePath: `${path}/decline` };
}
