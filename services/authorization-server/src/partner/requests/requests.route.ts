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
import { refuseMember } from "../partner-page/partner-of.ts";
import { partnerSection } from "../partner-page/partner-section.ts";
import { OUT_OF_DATE, type PartnerPage, type Refusal } from "../partner-page/send-partner-page.ts";
import { acceptUploads } from "./accept-uploads.ts";
import { isProblem, type RequestsView, requestsView } from "./requests.view.ts";
import { asIs, typedIn } from "./typed-request.ts";

type Said = Partial<Pick<RequestsView, "typed" | "problem" | "wrongUris">>;

/** What owners ask operators to change of the client, and what came of it. As a plugin: no other form may have a file. */
export async function requestsRoutes(app: FastifyInstance, context: PageContext): Promise<void> {
  const { sql, formTokens } = context;
  const { all, pathOf, send } = partnerSection(app, context, "requests");
  acceptUploads(app);

  all.get("", (_, reply, page) => show(reply, page));

  all.post("", async (request, reply, page) => {
    if (await isRefused(request, reply, page)) return reply;
    const { account, client } = page;
    const typed = typedIn(request.body);
    const wrongUris = typed.added.flatMap((uri) => {
      const problem = redirectUriProblem(uri);
      return problem === null ? [] : [{ uri, problem }];
    });
    if (wrongUris.length > 0) return await show(reply, page, { typed, wrongUris, problem: "uris" });
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
      return await show(reply, page, { typed, problem: error.code });
    }
    return redirectTo(reply, pathOf(page));
  });

  all.post("/:id/withdraw", async (request, reply, page) => {
    if (await isRefused(request, reply, page)) return reply;
    const { client, account } = page;
    try {
      const id = request.params.id ?? "";
      await beforeDeadline(withdrawRequest(sql, client.clientId, id, merchantActor(request, account)));
    } catch (error) {
      if (!(error instanceof DirectoryError && error.code === "UNKNOWN_REQUEST")) throw error;
      return await show(reply, page, { problem: "decided" }, { status: 409 });
    }
    return redirectTo(reply, pathOf(page));
  });

  /** Whether the form is not an owner's, or out of date: then it has answered. */
  async function isRefused(request: FastifyRequest, reply: FastifyReply, page: PartnerPage): Promise<boolean> {
    if (refuseMember(context, reply, page, "requests")) return true;
    if (formTokens.isValid(request, pathOf(page))) return false;
    await show(reply, page, { typed: typedIn(request.body) }, OUT_OF_DATE);
    return true;
  }

  async function show(
    reply: FastifyReply,
    page: PartnerPage,
    { typed, problem = null, wrongUris = [] }: Said = {},
    refusal: Refusal = { status: problem ? 422 : 200 },
  ): Promise<FastifyReply> {
    const { client, role } = page;
    const requests = await beforeDeadline(requestsOfClient(sql, client.clientId));
    const action = pathOf(page);
    const token = role === "owner" ? formTokens.issue(reply, action) : null;
    const view = { client, requests, action, token, typed: typed ?? asIs(client), problem, wrongUris };
    return send(reply, page, ({ requests: texts }, locale) => ({ body: requestsView(texts, view, locale) }), refusal);
  }
}
