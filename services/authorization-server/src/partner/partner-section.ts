import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PageContext } from "../pages/page-context.ts";
import { stepRoutes } from "../pages/step-routes.ts";
import { partnerOf, provenPartnerOf } from "./partner-of.ts";
import { type Section, sectionPath, sectionRoute } from "./partner-paths.ts";
import { type PartnerPage, type Refusal, sendPartnerPage } from "./send-partner-page.ts";

export type PartnerRequest = FastifyRequest<{
  Params: { readonly connectionId?: string; readonly shopId?: string; readonly id?: string };
}>;

type View = Parameters<typeof sendPartnerPage>[4];

/** The routes of one section, below its path: the plain ones, and those that need a fresh proof. */
export function partnerSection(app: FastifyInstance, context: PageContext, section: Section) {
  const routes = (open: (request: PartnerRequest, reply: FastifyReply) => Promise<PartnerPage | null>) =>
    stepRoutes(app, open, sectionRoute(section));
  return {
    all: routes((request, reply) => partnerOf(context, request, reply)),
    proven: routes((request, reply) => provenPartnerOf(context, request, reply, section)),
    pathOf: ({ client }: PartnerPage) => sectionPath(client.clientId, section),
    send: (reply: FastifyReply, page: PartnerPage, view: View, refusal?: Refusal) =>
      sendPartnerPage(context, reply, page, section, view, refusal),
  };
}
