import { clientsOfMember } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { notFoundPage } from "../pages/error-page.ts";
import type { PageContext } from "../pages/page-context.ts";
import { pagePath } from "../pages/page-frame.ts";
import { redirectTo } from "../pages/send-merchant-page.ts";
import { signInFirst } from "../pages/sign-in-first.ts";
import { type Section, sectionPath } from "./partner-paths.ts";
import type { PartnerPage } from "./send-partner-page.ts";

/** The client that the URL names, if who is signed in belongs to it. Null: it has answered, by the sign-in or as if there were no such page. */
export async function partnerOf(
  context: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PartnerPage | null> {
  const account = await context.signIn.merchant(request);
  if (!account) {
    signInFirst(context, reply);
    return null;
  }
  const { clientId } = request.params as { readonly clientId: string };
  const [client] = await clientsOfMember(context.sql, account.id, clientId);
  if (!client) {
    notFoundPage(reply);
    return null;
  }
  noteFacts(request, { clientId });
  return { account, client };
}

/**
 * The same for a change that needs a fresh proof where the account has a passkey. The proof leads back to this page or, where it can't be
 * opened, to its section. Null: it has answered.
 */
export async function provenPartnerOf(
  context: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  section: Section,
): Promise<PartnerPage | null> {
  const page = await partnerOf(context, request, reply);
  if (!page || !(await context.signIn.mustProve(request, page.account))) return page;
  const path = pagePath(reply) ?? sectionPath(page.client.clientId, section);
  redirectTo(reply, context.signIn.proofPath(reply, path));
  return null;
}
