import { revoke } from "@partner-connect/connections";
import { transaction } from "@partner-connect/database";
import { endSessionsByLink, findNotMe, type NotMe, RESET_PASSWORD_PATH, useUpNotMe } from "@partner-connect/directory";
import { NOT_ME_PATH } from "@partner-connect/mail";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { redirectTo, sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, merchantActor, originOf, type PageContext } from "../merchant-page/page-context.ts";
import { CONNECTED_APPS_PATH, SIGN_IN_PATH } from "../merchant-page/paths.ts";
import { stepRoutes } from "../merchant-page/step-routes.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import { accountView, connectionView, endedView } from "./not-me.view.ts";
import { findTold, type ToldConnection } from "./told-connection.query.ts";

interface OpenLink {
  readonly token: string;
  readonly link: NotMe;
  /** Null: what the mail told of is no connection, and concerns the account. */
  readonly told: ToldConnection | null;
}

type LinkRequest = FastifyRequest<{ Querystring: { link?: unknown; done?: unknown } }>;

/**
 * 'This wasn't me' of our mails: ends the connection that the mail told of, or all sessions. Opening the page does nothing, as mail programs
 * open links by themselves. Nobody needs to be signed in: the link was sent to the mailbox alone.
 */
export function notMeRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, hasPasswords } = context;
  const options = { status: 200, hasSecretUrl: true };
  const steps = stepRoutes(app, (request: LinkRequest, reply) => openLink(context, request, reply));

  steps.get(NOT_ME_PATH, async (request, reply, open) => {
    const { link, told } = open;
    const isGone = told?.connection.status === "revoked";
    if (told && (isGone || !link.isUsed)) {
      const isDone = isGone && request.query.done !== undefined;
      const form = formOf(context, reply, open);
      return sendMerchantPage(reply, (locale) => connectionView(told, form, isDone, locale), options);
    }
    if (link.isUsed) return linkHasEnded(context, reply);
    const form = formOf(context, reply, open);
    return sendMerchantPage(reply, (locale) => accountView(link.merchant, form, locale), options);
  });

  steps.post(NOT_ME_PATH, async (request, reply, open) => {
    const { token, link, told } = open;
    const { merchant } = link;
    if (!context.formTokens.isValid(request, NOT_ME_PATH)) {
      const form = formOf(context, reply, open, true);
      const page = (l: Locale) => (told ? connectionView(told, form, false, l) : accountView(merchant, form, l));
      return sendMerchantPage(reply, page, { ...options, status: 403 });
    }
    if (told) {
      const isDone = await beforeDeadline(disconnect(context, request, open, told));
      if (isDone)
        request.log.info(
          { merchant_id: merchant.id, connection_id: told.connection.id },
          "disconnected by a mailed link",
        );
      return redirectTo(reply, `${NOT_ME_PATH}?link=${token}&done=1`);
    }
    const ended = await beforeDeadline(endSessionsByLink(sql, token, merchant.id, originOf(request)));
    if (ended === null) return linkHasEnded(context, reply);
    request.log.info({ merchant_id: merchant.id }, "signed out everywhere by a mailed link");
    await context.signIn.signOut(reply);
    return redirectTo(
      reply,
      hasPasswords ? `${RESET_PASSWORD_PATH}?link=${ended.resetToken}` : `${SIGN_IN_PATH}?signed_out=1`,
    );
  });
}

/** Null: it has answered. */
async function openLink(context: PageContext, request: LinkRequest, reply: FastifyReply): Promise<OpenLink | null> {
  const { link: text } = request.query;
  const token = typeof text === "string" && /^pcn_[\w-]{43}$/.test(text) ? text : null;
  const link = token === null ? null : await beforeDeadline(findNotMe(context.sql, token));
  const told = link?.connection ? await beforeDeadline(findTold(context, link, link.connection)) : null;
  if (token !== null && link && (told || !link.connection)) return { token, link, told };
  linkHasEnded(context, reply);
  return null;
}

/** Ends the connection as the merchant would, whatever was approved since. Once: false if the link was used meanwhile. */
async function disconnect(
  { sql }: PageContext,
  request: FastifyRequest,
  { token, link }: OpenLink,
  { shop, connection }: ToldConnection,
): Promise<boolean> {
  const actor = merchantActor(request, link.merchant);
  const ids = { shopId: shop.id, id: connection.id };
  return await transaction(sql, async (tx) => {
    if (!(await useUpNotMe(tx, token))) return false;
    const isRevoked = await revoke(tx, ids, actor, { reason: "disconnected by the link of a mail" });
    if (isRevoked) noteFacts(request, { shopId: shop.id, connectionId: connection.id, outcome: "revoked" });
    return true;
  });
}

function formOf(
  { formTokens, hasPasswords }: PageContext,
  reply: FastifyReply,
  { token }: OpenLink,
  isOutOfDate = false,
) {
  const form = { action: `${NOT_ME_PATH}?link=${token}`, token: formTokens.issue(reply, NOT_ME_PATH) };
  return { ...form, back: CONNECTED_APPS_PATH, hasPasswords, isOutOfDate };
}

/** One page for a link that was used, has expired or never was, or whose merchant left the shop. */
function linkHasEnded({ hasPasswords }: PageContext, reply: FastifyReply): FastifyReply {
  return sendMerchantPage(reply, (locale) => endedView(hasPasswords, locale), { status: 410, hasSecretUrl: true });
}
