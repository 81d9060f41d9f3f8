import {
  findMerchantByIdentity,
  findProductMerchant,
  hashCredential,
  type IdentityOwner,
  linkIdentity,
} from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import { html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { originOf } from "../../actor.ts";
import {
  knownEmail,
  type ReturnPath,
  requestedReturn,
  sealFor,
  unsealFrom,
  withReturnTo,
} from "../../browser/return-paths.ts";
import { limitConfig } from "../../clients/rate-limit.ts";
import { RETRY_AFTER_SECONDS } from "../../errors.ts";
import { formField } from "../../pages/forms.ts";
import { cardPage, contactButton } from "../../pages/frame.ts";
import { isolatedName } from "../../pages/names.ts";
import { CONNECTED_APPS_PATH, OPENID_CALLBACK_PATH, OPENID_PATH } from "../../pages/paths.ts";
import { MERCHANT_HEADERS, redirectTo, sendPage } from "../../pages/send-page.ts";
import { recordSuccess } from "../confirm-password.ts";
import { maySkipPasskey } from "../passkeys/second-factor.ts";
import { recordSignIn } from "../record-sign-in.ts";
import { startSession, useSession } from "../session.ts";
import {
  newChecks,
  type OpenIdChecks,
  OpenIdFailure,
  type OpenIdPerson,
  openIdProvider,
} from "./openid-provider.ts";

export type OpenIdChoice = NonNullable<ReturnType<typeof openIdChoice>>;

/**
 * The link that signs in with the provider and continues to `page`, and the provider's name; null
 * if there is no provider.
 */
export function openIdChoice(reply: FastifyReply, page: ReturnPath) {
  const { openId } = reply.server.config;
  return (
    openId && { name: openId.name, only: openId.only, path: withReturnTo(reply, OPENID_PATH, page) }
  );
}

/** The page for a failed sign-in. Its own path lets it open again in another language. */
const FAILED_PATH = `${OPENID_PATH}/failed`;

/** Seconds for which a used state is refused: more than its lifetime plus the clock skew. */
const USED_STATE_SECONDS = 2 * 3600;

const ATTEMPT = "openid attempt";
const FAILURE = "openid failure";

/**
 * Signing in with an OpenID provider's account: the redirect to the provider, and the callback.
 * Nothing is stored before the browser comes back.
 */
export function openIdRoutes(app: FastifyInstance): void {
  const { redis } = app;
  const { authUrl, openId, rateLimits, tokens } = app.config;
  if (openId === null) return;
  const provider = openIdProvider(openId, tokens.issuer + OPENID_CALLBACK_PATH);
  const config = limitConfig("openid", rateLimits.authorize);

  app.get<{ Querystring: { again?: unknown } }>(OPENID_PATH, { config }, async (request, reply) => {
    const page = requestedReturn(request)?.path ?? CONNECTED_APPS_PATH;
    if (await useSession(request)) return redirectTo(reply, page);
    const checks = newChecks();
    const state = sealFor(reply, ATTEMPT, JSON.stringify({ ...checks, page }));
    try {
      const url = await provider.signInUrl(checks, state, request.query.again !== undefined);
      return reply.code(303).headers(MERCHANT_HEADERS).header("location", url.href).send();
    } catch (error) {
      return sendFailure(request, reply, error, page);
    }
  });

  app.get(
    OPENID_CALLBACK_PATH,
    { config: { ...config, counts: "sign_ins" } },
    async (request, reply) => {
      const state = formField(request.query, "state");
      const attempt = unsealFrom(request, ATTEMPT, state);
      const query = request.url.slice(OPENID_CALLBACK_PATH.length);
      // The provider redirects to the public host, which gets no cookie of the auth hostname.
      if (attempt === null && authUrl !== null && new URL(authUrl).host !== request.host)
        return redirectTo(reply, authUrl + OPENID_CALLBACK_PATH + query);
      if (attempt === null) return refuse(reply, "ended", CONNECTED_APPS_PATH);
      const { page, ...checks }: OpenIdChecks & { readonly page: string } = JSON.parse(attempt);
      const key = `openid_state:${hashCredential(state).toString("base64url")}`;
      const isNew = await redis.set(key, "", "EX", USED_STATE_SECONDS, "NX");
      if (isNew === null) {
        // A second request for the same callback, such as a reload. The first may have succeeded.
        return (await useSession(request)) ? redirectTo(reply, page) : refuse(reply, "ended", page);
      }
      try {
        const person = await provider.identify(query, checks, state);
        const owner = await findOrLinkAccount(request, person);
        if (owner.outcome !== "found") return refuse(reply, owner.outcome, page, person.email);
        const { merchant } = owner;
        if (merchant.status === "disabled") return refuse(reply, "paused", page);
        noteFacts(request, { outcome: "signed_in" });
        await recordSuccess(reply, merchant.email, (device) =>
          recordSignIn(reply, merchant, device, "openid"),
        );
        knownEmail.set(reply, merchant.email);
        // The provider's second factor is enough to sign in, but confirms the identity in full only
        // on a trusted device.
        const isTrusted = await maySkipPasskey(request, merchant);
        await startSession(reply, merchant, isTrusted ? { at: Date.now(), by: "sign_in" } : null);
        return redirectTo(reply, page);
      } catch (error) {
        return sendFailure(request, reply, error, page);
      }
    },
  );

  app.get(FAILED_PATH, async (request, reply) => {
    const failure = readFailure(unsealFrom(request, FAILURE, formField(request.query, "why")));
    const again = withReturnTo(reply, OPENID_PATH, { path: failure[2], app: null });
    return showProblem(reply, failure, openId.name, again);
  });

  function sendFailure(request: FastifyRequest, reply: FastifyReply, error: unknown, page: string) {
    if (!(error instanceof OpenIdFailure)) throw error;
    if (STATUS[error.kind] === 503)
      request.log.error({ reason: error.message }, "OpenID sign-in failed");
    return refuse(reply, error.kind, page);
  }

  function refuse(
    reply: FastifyReply,
    problem: OpenIdProblem,
    page: string,
    email: string | null = null,
  ): FastifyReply {
    noteFacts(reply.request, {
      outcome: STATUS[problem] === 503 ? "failed" : "refused",
      reason: `openid_${problem}`,
    });
    const failure: Failure = [problem, email, page];
    return redirectTo(
      reply,
      `${FAILED_PATH}?why=${sealFor(reply, FAILURE, JSON.stringify(failure))}`,
    );
  }
}

/** The cause, the person's address at the provider, and the page to which the attempt led. */
type Failure = [problem: OpenIdProblem, email: string | null, page: string];

/** Doesn't check the JSON, because only the browser and we know the secret that seals it. */
function readFailure(text: string | null): Failure {
  return text === null ? ["ended", null, CONNECTED_APPS_PATH] : JSON.parse(text);
}

type Owner = IdentityOwner | { readonly outcome: "unverified" };

/**
 * Finds the account that is linked with the person's identity; if there is none, links the account
 * with the person's address. If `sub` is the merchant's id in the survey product, only `sub` counts.
 */
async function findOrLinkAccount(request: FastifyRequest, person: OpenIdPerson): Promise<Owner> {
  const { pagesSql, config } = request.server;
  const { email, subject } = person;
  const isProducts = config.openId?.subjectIsMerchantId === true;
  const merchant = await (isProducts
    ? findProductMerchant(pagesSql, subject)
    : findMerchantByIdentity(pagesSql, person));
  if (merchant) return { outcome: "found", merchant };
  if (isProducts) return { outcome: "not_connected" };
  return email === null
    ? { outcome: "unverified" }
    : await linkIdentity(pagesSql, person, email, originOf(request));
}

/** Causes of a failed sign-in, with the status of the page. */
const STATUS = {
  unavailable: 503,
  misconfigured: 503,
  cancelled: 403,
  ended: 410,
  no_account: 403,
  not_connected: 403,
  unverified: 403,
  joined_with_another: 403,
  paused: 403,
} as const;

type OpenIdProblem = keyof typeof STATUS;

/** `again`: the path that begins another attempt. */
function showProblem(
  reply: FastifyReply,
  [problem, email, page]: Failure,
  provider: string,
  again: string,
) {
  const status = STATUS[problem];
  if (status === 503) reply.header("retry-after", RETRY_AFTER_SECONDS);
  // If the problem was the account, the button asks the provider to offer other accounts.
  const offersAnotherAccount =
    status === 403 && problem !== "cancelled" && problem !== "not_connected";
  return sendPage(
    reply,
    (locale) => {
      const { openId: texts, paused } = locale.texts.signIn;
      const name = isolatedName(provider);
      const content = html`<p class="lead">${problem === "paused" ? paused : texts.problem[problem](name, email === null ? html`` : isolatedName(email))}</p>
<div class="actions">
<a class="button primary" href="${again}${offersAnotherAccount && "&again=1"}"><span>${offersAnotherAccount ? texts.another(name) : locale.texts.tryAgain}</span></a>
<a class="button" href="${page}">${texts.back}</a>
${locale.frame.links.contact && contactButton(locale)}</div>`;
      return cardPage(locale, { title: texts.failed }, content);
    },
    { status, hasSecretUrl: true },
  );
}
