import { clientsOfMember } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { notFoundPage } from "../../merchant-page/errors/error-page.ts";
import { pagePath } from "../../merchant-page/frame/page-frame.ts";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, type PageContext } from "../../merchant-page/page-context.ts";
import { signInFirst } from "../../merchant-page/return/sign-in-first.ts";
import { type Section, sectionPath } from "./partner-paths.ts";
import { type PartnerPage, sendPartnerPage } from "./send-partner-page.ts";
import type { PartnerTexts } from "./texts/en.ts";

/**
 * The client that the URL names, if who is signed in belongs to it. Null: it has answered, by the sign-in or as if there were no such page.
 * `back`: where a sign-in leads back to. Default: to this page.
 */
export async function partnerOf(
  context: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  back?: string,
): Promise<PartnerPage | null> {
  const account = await context.signIn.merchant(request);
  if (!account) {
    signInFirst(context, reply, back);
    return null;
  }
  const { clientId } = request.params as { readonly clientId: string };
  const [own] = await beforeDeadline(clientsOfMember(context.sql, account.id, clientId));
  if (!own) {
    notFoundPage(reply);
    return null;
  }
  noteFacts(request, { clientId });
  return { account, ...own };
}

/**
 * The same for a change that only owners make, after a fresh proof where the account has a passkey. The proof leads back to this page or,
 * where it can't be opened, to its section. Null: it has answered.
 */
export async function ownerOf(
  context: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  section: Section,
  back?: string,
): Promise<PartnerPage | null> {
  const page = await partnerOf(context, request, reply, back);
  if (!page) return null;
  if (refuseMember(context, reply, page, section)) return null;
  if (await context.signIn.mustProve(request, page.account)) {
    const path = back ?? pagePath(reply) ?? sectionPath(page.client.clientId, section);
    redirectTo(reply, context.signIn.proofPath(reply, path));
    return null;
  }
  return page;
}

/** Whether who is signed in is no owner: then it has answered. */
function refuseMember(context: PageContext, reply: FastifyReply, page: PartnerPage, section: Section): boolean {
  if (page.role === "owner") return false;
  const problem = ({ ownersOnly }: PartnerTexts) => ownersOnly;
  sendPartnerPage(context, reply, page, section, () => ({ body: null }), { status: 403, problem });
  return true;
}
