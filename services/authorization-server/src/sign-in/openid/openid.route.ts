import { hashCredential } from "@partner-connect/directory";
import { noteFacts, type Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { formField } from "../../pages/form-token.ts";
import { CONNECTED_APPS_PATH, OPENID_CALLBACK_PATH, OPENID_PATH } from "../../pages/paths.ts";
import type { SealedForBrowser } from "../../pages/sealed-for-browser.ts";
import { MERCHANT_HEADERS, redirectTo } from "../../pages/send-merchant-page.ts";
import { limited } from "../../rate-limit.ts";
import { forgiveGuesses } from "../confirm.ts";
import { recordSignIn } from "../record-sign-in.ts";
import type { SignInContext } from "../sign-in-context.ts";
import { ownerOf } from "./openid-account.ts";
import { type OpenIdProblem, showOpenIdProblem } from "./openid-problem.view.ts";
import { newChecks, type OpenIdChecks, OpenIdFailure, type OpenIdProvider } from "./openid-provider.ts";

/** Why nobody was signed in. A page of its own, so that it can be opened again in another language. */
const FAILED_PATH = `${OPENID_PATH}/failed`;

/** Longer than a state can be opened, with the difference of two clocks. */
const USED_STATE_SECONDS = 2 * 3600;

const ATTEMPT = "openid attempt";
const FAILURE = "openid failure";

interface OpenIdOptions {
  readonly redis: Redis;
  readonly sealed: SealedForBrowser;
  readonly provider: OpenIdProvider;
  /** What the provider is called. */
  readonly name: string;
  /** Requests a minute of one client address. */
  readonly rateLimit: number;
}

/** An attempt, as its state carries it, sealed for the browser that began it. */
interface Attempt extends OpenIdChecks {
  /** Where it leads. */
  readonly page: string;
}

/** Signing in with an account elsewhere: to the provider and back. Nothing is stored before the browser comes back. */
export function openIdRoutes(app: FastifyInstance, context: SignInContext, options: OpenIdOptions): void {
  const { session, returns } = context;
  const { redis, sealed, provider, name } = options;
  const config = limited("openid", options.rateLimit);

  app.get<{ Querystring: { again?: unknown } }>(OPENID_PATH, { config }, async (request, reply) => {
    const page = returns.asked(request)?.path ?? CONNECTED_APPS_PATH;
    if (await session.merchant(request)) return redirectTo(reply, page);
    const checks = newChecks();
    const state = sealed.seal(reply, ATTEMPT, JSON.stringify([checks.verifier, checks.nonce, page]));
    try {
      const url = await provider.signInUrl(checks, state, request.query.again !== undefined);
      return reply.code(303).headers(MERCHANT_HEADERS).header("location", url.href).send();
    } catch (error) {
      return failed(request, reply, error, page);
    }
  });

  app.get(OPENID_CALLBACK_PATH, { config }, async (request, reply) => {
    const state = formField(request.query, "state");
    const attempt = readAttempt(sealed.open(request, ATTEMPT, state));
    if (!attempt) return refuse(reply, "ended", CONNECTED_APPS_PATH);
    const { page } = attempt;
    const key = `openid_state:${hashCredential(state).toString("base64url")}`;
    const isNew = await redis.set(key, "", "EX", USED_STATE_SECONDS, "NX");
    if (isNew === null) {
      // Opened twice, as by a reload: the first one may have signed her in.
      return (await session.merchant(request)) ? redirectTo(reply, page) : refuse(reply, "ended", page);
    }
    try {
      const query = request.url.slice(OPENID_CALLBACK_PATH.length);
      const person = await provider.person(query, attempt, state);
      const owner = await ownerOf(context, request, person);
      if (owner.outcome !== "found") return refuse(reply, owner.outcome, page, person.email);
      const { merchant } = owner;
      if (merchant.status === "disabled") return refuse(reply, "paused", page);
      noteFacts(request, { outcome: "signed_in" });
      const device = await forgiveGuesses(context, reply, merchant.email);
      await recordSignIn(context, reply, merchant, device, "openid");
      context.knownEmail.set(reply, merchant.email);
      // The provider's second factor counts for the sign-in. For what needs a proof here it does not, except on a trusted device.
      const isTrusted = await context.secondFactor.isTrusted(request, merchant);
      await session.start(reply, merchant, isTrusted ? { at: Date.now(), by: "sign_in" } : null);
      return redirectTo(reply, page);
    } catch (error) {
      return failed(request, reply, error, page);
    }
  });

  app.get(FAILED_PATH, async (request, reply) => {
    const [problem, email, page] = readFailure(sealed.open(request, FAILURE, formField(request.query, "why")));
    const again = returns.leadingTo(reply, OPENID_PATH, { path: page, app: null });
    return showOpenIdProblem(reply, { problem, email, provider: name, again, back: page });
  });

  function failed(request: FastifyRequest, reply: FastifyReply, error: unknown, page: string): FastifyReply {
    if (!(error instanceof OpenIdFailure)) throw error;
    if (error.kind === "unavailable") request.log.error({ reason: error.message }, "sign-in elsewhere failed");
    return refuse(reply, error.kind, page);
  }

  function refuse(
    reply: FastifyReply,
    problem: OpenIdProblem,
    page: string,
    email: string | null = null,
  ): FastifyReply {
    noteFacts(reply.request, {
      outcome: problem === "unavailable" ? "failed" : "refused",
      reason: `openid_${problem}`,
    });
    const failure: Failure = [problem, email, page];
    return redirectTo(reply, `${FAILED_PATH}?why=${sealed.seal(reply, FAILURE, JSON.stringify(failure))}`);
  }
}

type Failure = [problem: OpenIdProblem, email: string | null, page: string];

/** Sealed texts are ours: nobody else knows a browser's secret but its owner. */
function readFailure(text: string | null): Failure {
  return text === null ? ["ended", null, CONNECTED_APPS_PATH] : JSON.parse(text);
}

function readAttempt(text: string | null): Attempt | null {
  if (text === null) return null;
  const [verifier, nonce, page] = JSON.parse(text);
  return { verifier, nonce, page };
}
