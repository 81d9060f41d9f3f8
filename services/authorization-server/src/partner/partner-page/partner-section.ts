import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PageContext } from "../../merchant-page/page-context.ts";
import { stepRoutes } from "../../merchant-page/step-routes.ts";
import { ownerOf, partnerOf } from "./partner-of.ts";
import { type Section, sectionPath, sectionRoute } from "./partner-paths.ts";
import { type PartnerPage, type Refusal, sendPartnerPage } from "./send-partner-page.ts";

export type PartnerRequest = FastifyRequest<{
  Params: { readonly connectionId?: string; readonly shopId?: string; readonly id?: string };
}>;

type View = Parameters<typeof sendPartnerPage>[4];

/** The routes of one section, below its path: those for all of a client's people, and those for owners, after a fresh proof. */
export function partnerSection(app: FastifyInstance, context: PageContext, section: Section) {
  const routes = (open: (request: PartnerRequest, reply: FastifyReply) => Promise<PartnerPage | null>) =>
    stepRoutes(app, open, sectionRoute(section));
  return {
    all: routes((request, reply) => partnerOf(context, request, reply)),
    owners: routes((request, reply) => ownerOf(context, request, reply, section)),
    pathOf: ({ client }: PartnerPage) => sectionPath(client.clientId, section),
    send: (reply: FastifyReply, page: PartnerPage, view: View, refusal?: Refusal) =>
      sendPartnerPage(context, reply, page, section, view, refusal),
  };
}
