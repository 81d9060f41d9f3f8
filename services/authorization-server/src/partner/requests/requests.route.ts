import {
  askForChanges,
  DirectoryError,
  redirectUriProblem,
  requestsOfClient,
  withdrawRequest,
} from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, merchantActor, type PageContext } from "../../merchant-page/page-context.ts";
import { partnerOf, refuseMember } from "../partner-page/partner-of.ts";
import { sectionPath, sectionRoute } from "../partner-page/partner-paths.ts";
import { type PartnerPage, sendPartnerPage } from "../partner-page/send-partner-page.ts";
import { acceptUploads } from "./accept-uploads.ts";
import { isProblem, type RequestsView, requestsView } from "./requests.view.ts";
import { asIs, typedIn } from "./typed-request.ts";

const section = "requests";
const ROUTE = sectionRoute(section);

/** What owners ask operators to change of the client, and what came of it. As a plugin: no other form may have a file. */
export async function requestsRoutes(app: FastifyInstance, context: PageContext): Promise<void> {
  const { sql, formTokens } = context;
  acceptUploads(app);

  app.get(ROUTE, async (request, reply) => {
    const page = await partnerOf(context, request, reply);
    return page ? await show(context, reply, page) : reply;
  });

  app.post(ROUTE, async (request, reply) => {
    const page = await ownerWithForm(request, reply);
    if (!page) return reply;
    const { account, client } = page;
    const typed = typedIn(request.body);
    const wrongUris = typed.added.flatMap((uri) => {
      const problem = redirectUriProblem(uri);
      return problem === null ? [] : [{ uri, problem }];
    });
    if (wrongUris.length > 0) return await show(context, reply, page, { typed, wrongUris, problem: "uris" });
    const asked = {
      name: typed.name === client.name ? undefined : typed.name,
      addRedirectUris: typed.added,
      removeRedirectUris: typed.removed,
      scope: typed.scope,
      logo: typed.logo,
    };
    const whose = { clientId: client.clientId, merchantId: account.id };
    try {
      await beforeDeadline(askForChanges(sql, whose, asked, merchantActor(request, account)));
    } catch (error) {
      if (!(error instanceof DirectoryError && isProblem(error.code))) throw error;
      return await show(context, reply, page, { typed, problem: error.code });
    }
    return redirectTo(reply, sectionPath(client.clientId, section));
  });

  app.post(`${ROUTE}/:id/withdraw`, async (request, reply) => {
    const page = await ownerWithForm(request, reply);
    if (!page) return reply;
    const { id } = request.params as { readonly id: string };
    try {
      await beforeDeadline(withdrawRequest(sql, page.client.clientId, id, merchantActor(request, page.account)));
    } catch (error) {
      if (!(error instanceof DirectoryError && error.code === "UNKNOWN_REQUEST")) throw error;
      return await show(context, reply, page, { problem: "decided" }, 409);
    }
    return redirectTo(reply, sectionPath(page.client.clientId, section));
  });

  async function ownerWithForm(request: FastifyRequest, reply: FastifyReply): Promise<PartnerPage | null> {
    const page = await partnerOf(context, request, reply);
    if (!page || refuseMember(context, reply, page, section)) return null;
    if (formTokens.isValid(request, sectionPath(page.client.clientId, section))) return page;
    await show(context, reply, page, { typed: typedIn(request.body), problem: "outOfDate" }, 403);
    return null;
  }
}

async function show(
  context: PageContext,
  reply: FastifyReply,
  page: PartnerPage,
  said: Partial<Pick<RequestsView, "typed" | "problem" | "wrongUris">> = {},
  status = said.problem ? 422 : 200,
): Promise<FastifyReply> {
  const { client, role } = page;
  const requests = await beforeDeadline(requestsOfClient(context.sql, client.clientId));
  const action = sectionPath(client.clientId, section);
  const view = {
    client,
    requests,
    action,
    token: role === "owner" ? context.formTokens.issue(reply, action) : null,
    typed: said.typed ?? asIs(client),
    problem: said.problem ?? null,
    wrongUris: said.wrongUris ?? [],
  };
  return sendPartnerPage(context, reply, page, {
    section,
    status,
    body: ({ requests: texts }, locale) => requestsView(texts, view, locale),
  });
}
