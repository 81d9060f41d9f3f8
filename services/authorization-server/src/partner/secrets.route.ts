import type { Queries } from "@partner-connect/database";
import {
  type ClientDetails,
  type ClientSummary,
  clientDetails,
  DirectoryError,
  endFormerSecret,
  lockClient,
  type Rotation,
  rotateClientSecret,
} from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { merchantActor } from "../pages/actor.ts";
import { formToken, isOurForm } from "../pages/csrf.ts";
import { formField } from "../pages/forms.ts";
import { redirectTo } from "../pages/send-page.ts";
import {
  CHANGED,
  changeAsMember,
  OUT_OF_DATE,
  proven,
  type Refusal,
  type ShowSettings,
  secretView,
  sectionPath,
  sendPartnerPage,
} from "./partner-page.ts";
import { endingView } from "./secrets.view.ts";

const DAY_SECONDS = 24 * 3600;

const BAD_DAYS: Refusal = { status: 422, problem: ({ secrets }) => secrets.badDays };
const UNDER_WAY: Refusal = { status: 409, problem: ({ secrets }) => secrets.underWay };

/** What takes a secret away has a page of its own: 'end' ends the former one, 'replace' the new one, which was lost. */
const ENDINGS = ["end", "replace"] as const;
type Ending = (typeof ENDINGS)[number];

/** A client's secrets. A second one is made, and one of the two ended, after a fresh proof. */
export function secretsRoutes(app: FastifyInstance, showSettings: ShowSettings): void {
  const { sql } = app;
  const preHandler = proven("settings");

  // The answer shows what can't be shown again.
  app.post("/settings/secrets", { preHandler }, async (request, reply) => {
    const { partner: client, merchant } = request;
    if (!isOurForm(request, pathOf(client))) return await showSettings(reply, OUT_OF_DATE);
    const days = formField(request.body, "days");
    if (!/^([1-9]|[12][0-9]|30)$/.test(days)) return await showSettings(reply, BAD_DAYS);
    const actor = merchantActor(request, merchant);
    const overlap = Number(days) * DAY_SECONDS;
    const rotation = await unlessMeanwhile(request, (tx) => rotateClientSecret(tx, client.clientId, overlap, actor));
    return rotation ? showNewSecret(reply, rotation) : await showSettings(reply, UNDER_WAY);
  });

  for (const ending of ENDINGS) {
    app.get(`/settings/secrets/${ending}`, { preHandler }, async ({ partner: client }, reply) => {
      const details = await overlapOf(client);
      return details ? showEnding(reply, details, ending) : redirectTo(reply, settingsPath(client));
    });

    app.post(`/settings/secrets/${ending}`, { preHandler }, async (request, reply) => {
      const { partner: client, merchant } = request;
      const details = await overlapOf(client);
      if (!details) return redirectTo(reply, settingsPath(client));
      if (!isOurForm(request, purposeOf(client, details, ending))) {
        return showEnding(reply, details, ending, OUT_OF_DATE);
      }
      const { clientId } = client;
      const actor = merchantActor(request, merchant);
      const rotation = await unlessMeanwhile(request, async (tx) => {
        await lockClient(tx, clientId);
        const now = await overlapOf(client, tx);
        // Of one form sent twice, the second ends no secret that the first has made.
        if (!now || !isOurForm(request, purposeOf(client, now, ending))) return null;
        if (ending === "replace") return await rotateClientSecret(tx, clientId, "as before", actor);
        await endFormerSecret(tx, clientId, actor);
        return null;
      });
      if (ending === "end") return redirectTo(reply, settingsPath(client));
      return rotation ? showNewSecret(reply, rotation) : await showSettings(reply, CHANGED);
    });
  }

  /** The client while two secrets work; null if there is one alone. */
  async function overlapOf({ clientId }: ClientSummary, queries: Queries = sql): Promise<ClientDetails | null> {
    const details = await clientDetails(queries, clientId);
    return details.secrets.length === 2 ? details : null;
  }

  /** A form ends the secrets that its page was about, and none that was made since. */
  function purposeOf(client: ClientSummary, { secrets }: ClientDetails, ending: Ending): string {
    return `${pathOf(client)}/${ending} ${secrets[0]?.createdAt.toISOString()}`;
  }

  function showEnding(reply: FastifyReply, details: ClientDetails, ending: Ending, refusal?: Refusal): FastifyReply {
    const { partner: client } = reply.request;
    const back = settingsPath(client);
    const token = formToken(reply, purposeOf(client, details, ending));
    const view = { ending, details, action: `${pathOf(client)}/${ending}`, back, token };
    return sendPartnerPage(reply, "settings", (texts, locale) => endingView(texts, view, locale), refusal);
  }

  function showNewSecret(reply: FastifyReply, { secret }: Rotation): FastifyReply {
    const back = settingsPath(reply.request.partner);
    return sendPartnerPage(reply, "settings", (texts) => secretView(texts, texts.secrets.made, secret, back));
  }
}

/** What came of a change; null where another one was faster. */
async function unlessMeanwhile<T>(
  request: FastifyRequest,
  change: Parameters<typeof changeAsMember<T>>[1],
): Promise<T | null> {
  try {
    return await changeAsMember(request, change);
  } catch (error) {
    if (error instanceof DirectoryError && /^(ROTATION_UNDER_WAY|NO_ROTATION)$/.test(error.code)) return null;
    throw error;
  }
}

function settingsPath(client: ClientSummary): string {
  return sectionPath(client, "settings");
}

function pathOf(client: ClientSummary): string {
  return `${settingsPath(client)}/secrets`;
}
