import {
  type ClientDetails,
  clientDetails,
  DirectoryError,
  endFormerSecret,
  type Rotation,
  rotateClientSecret,
} from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { formField } from "../../merchant-page/forms/form-token.ts";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, merchantActor, type PageContext } from "../../merchant-page/page-context.ts";
import { ownerOf, partnerOf } from "../partner-page/partner-of.ts";
import { sectionPath, sectionRoute } from "../partner-page/partner-paths.ts";
import { type PartnerPage, sendPartnerPage } from "../partner-page/send-partner-page.ts";
import { type CredentialsProblem, credentialsView, endingView, newSecretView } from "./credentials.view.ts";

const section = "credentials";
const ROUTE = sectionRoute(section);
const DAY_SECONDS = 24 * 3600;

/** What takes a secret away has a page of its own: 'end' ends the former one, 'replace' the new one, which was lost. */
const ENDINGS = ["end", "replace"] as const;
export type Ending = (typeof ENDINGS)[number];

/** A client's secrets. Owners make a second one, and end one of the two, after a fresh proof. */
export function credentialsRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens } = context;

  app.get(ROUTE, async (request, reply) => {
    const page = await partnerOf(context, request, reply);
    return page ? await showSecrets(context, reply, page) : reply;
  });

  // The answer shows what can't be shown again.
  app.post(ROUTE, async (request, reply) => {
    const page = await ownerOf(context, request, reply, section);
    if (!page) return reply;
    const { clientId } = page.client;
    if (!formTokens.isValid(request, sectionPath(clientId, section))) {
      return await showSecrets(context, reply, page, "outOfDate", 403);
    }
    const days = formField(request.body, "days");
    if (!/^([1-9]|[12][0-9]|30)$/.test(days)) return await showSecrets(context, reply, page, "days", 422);
    const actor = merchantActor(request, page.account);
    const work = rotateClientSecret(sql, clientId, Number(days) * DAY_SECONDS, actor);
    const rotation = await unlessMeanwhile(work);
    return rotation
      ? showNewSecret(context, reply, page, rotation)
      : await showSecrets(context, reply, page, "underWay", 409);
  });

  for (const ending of ENDINGS) {
    app.get(`${ROUTE}/${ending}`, async (request, reply) => {
      const found = await overlapOf(request, reply);
      return found ? showEnding(reply, found.page, found.details, ending) : reply;
    });

    app.post(`${ROUTE}/${ending}`, async (request, reply) => {
      const found = await overlapOf(request, reply);
      if (!found) return reply;
      const { page, details } = found;
      if (!formTokens.isValid(request, purposeOf(details, ending)))
        return showEnding(reply, page, details, ending, 403);
      const { clientId } = page.client;
      const actor = merchantActor(request, page.account);
      if (ending === "end") {
        await unlessMeanwhile(endFormerSecret(sql, clientId, actor).then(() => true));
        return redirectTo(reply, sectionPath(clientId, section));
      }
      const rotation = await unlessMeanwhile(rotateClientSecret(sql, clientId, "as before", actor));
      return rotation
        ? showNewSecret(context, reply, page, rotation)
        : await showSecrets(context, reply, page, "outOfDate", 409);
    });
  }

  /** The client while two secrets work. Null: it has answered, by the list if there is one alone. */
  async function overlapOf(request: FastifyRequest, reply: FastifyReply) {
    const page = await ownerOf(context, request, reply, section);
    if (!page) return null;
    const details = await beforeDeadline(clientDetails(sql, page.client.clientId));
    if (details.secrets.length === 2) return { page, details };
    redirectTo(reply, sectionPath(page.client.clientId, section));
    return null;
  }

  function showEnding(reply: FastifyReply, page: PartnerPage, details: ClientDetails, ending: Ending, status = 200) {
    const back = sectionPath(page.client.clientId, section);
    const token = formTokens.issue(reply, purposeOf(details, ending));
    const view = { ending, details, action: `${back}/${ending}`, back, token, isOutOfDate: status === 403 };
    return sendPartnerPage(context, reply, page, {
      section,
      status,
      title: ({ credentials }) => credentials[ending].title,
      body: ({ credentials }, locale) => endingView(credentials, view, locale),
    });
  }
}

/** A form ends the secrets that its page was about, and none that was made since. */
function purposeOf({ client, secrets }: ClientDetails, ending: Ending): string {
  return `${sectionPath(client.clientId, section)}/${ending} ${secrets[0]?.createdAt.toISOString()}`;
}

async function showSecrets(
  context: PageContext,
  reply: FastifyReply,
  page: PartnerPage,
  problem: CredentialsProblem | null = null,
  status = 200,
): Promise<FastifyReply> {
  const { clientId } = page.client;
  const { secrets } = await beforeDeadline(clientDetails(context.sql, clientId));
  const action = sectionPath(clientId, section);
  const token = page.role === "owner" ? context.formTokens.issue(reply, action) : null;
  return sendPartnerPage(context, reply, page, {
    section,
    status,
    body: ({ credentials }, locale) => credentialsView(credentials, { secrets, action, token, problem }, locale),
  });
}

function showNewSecret(context: PageContext, reply: FastifyReply, page: PartnerPage, rotation: Rotation): FastifyReply {
  const back = sectionPath(page.client.clientId, section);
  return sendPartnerPage(context, reply, page, {
    section,
    title: ({ credentials }) => credentials.made.title,
    body: ({ credentials }, locale) => newSecretView(credentials, { rotation, back }, locale),
  });
}

/** What came of a change; null where another one was faster. */
async function unlessMeanwhile<T>(change: Promise<T>): Promise<T | null> {
  try {
    return await beforeDeadline(change);
  } catch (error) {
    if (error instanceof DirectoryError && /^(ROTATION_UNDER_WAY|NO_ROTATION)$/.test(error.code)) return null;
    throw error;
  }
}
