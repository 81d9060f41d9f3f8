import type { MerchantAccount } from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { formField } from "../merchant-page/forms/form-token.ts";
import { redirectTo, sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import type { PageContext } from "../merchant-page/page-context.ts";
import { ACCOUNT_PATH } from "../merchant-page/paths.ts";
import { signInFirst } from "../merchant-page/return/sign-in-first.ts";
import { type AccountMessage, accountView } from "./account.view.ts";

/** The page of an account: who it is, and where it is signed in. */
export function accountRoutes(app: FastifyInstance, context: PageContext): void {
  const { formTokens, signIn } = context;

  app.get<{ Querystring: { done?: unknown } }>(ACCOUNT_PATH, async (request, reply) => {
    const merchant = await signIn.merchant(request);
    if (!merchant) return signInFirst(context, reply);
    const { done } = request.query;
    return await showAccount(context, reply, merchant, { done: done === "one" || done === "others" ? done : null });
  });

  app.post(ACCOUNT_PATH, async (request, reply) => {
    const merchant = await signIn.merchant(request);
    if (!merchant) return signInFirst(context, reply);
    if (!formTokens.isValid(request, ACCOUNT_PATH)) {
      return await showAccount(context, reply, merchant, { problem: ({ frame }) => frame.outOfDate }, 403);
    }
    const session = formField(request.body, "session");
    if (session === "others") {
      await signIn.endOtherSessions(request, merchant);
      return redirectTo(reply, `${ACCOUNT_PATH}?done=others`);
    }
    const hasEnded = await signIn.endSession(request, merchant, session);
    if (!hasEnded)
      return await showAccount(context, reply, merchant, { problem: ({ sessions }) => sessions.gone }, 409);
    return redirectTo(reply, `${ACCOUNT_PATH}?done=one`);
  });
}

async function showAccount(
  { formTokens, signIn }: PageContext,
  reply: FastifyReply,
  merchant: MerchantAccount,
  message: AccountMessage,
  status = 200,
): Promise<FastifyReply> {
  const sessions = await signIn.sessions(reply.request, merchant);
  const token = formTokens.issue(reply, ACCOUNT_PATH);
  const account = signIn.account(reply, merchant);
  return sendMerchantPage(reply, (locale) => accountView({ merchant, sessions, token, ...message }, locale), {
    status,
    account,
  });
}
