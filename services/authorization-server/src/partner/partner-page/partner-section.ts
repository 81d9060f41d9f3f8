import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PageContext } from "../../merchant-page/page-context.ts";
import { ownerOf, partnerOf } from "./partner-of.ts";
import { type Section, sectionPath, sectionRoute } from "./partner-paths.ts";
import { type PartnerPage, type Refusal, sendPartnerPage } from "./send-partner-page.ts";

export type PartnerRequest = FastifyRequest<{
  Params: { readonly connectionId?: string; readonly shopId?: string; readonly id?: string };
}>;

type View = Parameters<typeof sendPartnerPage>[4];
type Step = (request: PartnerRequest, reply: FastifyReply, page: PartnerPage) => Promise<FastifyReply> | FastifyReply;

/** The routes of one section, below its path: those for all of a client's people, and those for owners, after a fresh proof. */
export function partnerSection(app: FastifyInstance, context: PageContext, section: Section) {
  const routes = (open: (request: PartnerRequest, reply: FastifyReply) => Promise<PartnerPage | null>) => {
    const add = (method: "GET" | "POST") => (below: string, step: Step) => {
      const handler = async (request: PartnerRequest, reply: FastifyReply) => {
        const page = await open(request, reply);
        return page ? await step(request, reply, page) : reply;
      };
      app.route({ method, url: sectionRoute(section) + below, handler });
    };
    return { get: add("GET"), post: add("POST") };
  };
  return {
    all: routes((request, reply) => partnerOf(context, request, reply)),
    owners: routes((request, reply) => ownerOf(context, request, reply, section)),
    pathOf: ({ client }: PartnerPage) => sectionPath(client.clientId, section),
    send: (reply: FastifyReply, page: PartnerPage, view: View, refusal?: Refusal) =>
      sendPartnerPage(context, reply, page, section, view, refusal),
  };
}
