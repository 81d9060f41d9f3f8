import {
  type ClientDetails,
  clientDetails,
  DirectoryError,
  endFormerSecret,
  type Rotation,
  rotateClientSecret,
} from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { formField } from "../pages/form-token.ts";
import { merchantActor, type PageContext } from "../pages/page-context.ts";
import { redirectTo } from "../pages/send-merchant-page.ts";
import { credentialsView, endingView, newSecretView } from "./credentials.view.ts";
import { partnerSection } from "./partner-section.ts";
import { OUT_OF_DATE, type PartnerPage, type Refusal } from "./send-partner-page.ts";

const DAY_SECONDS = 24 * 3600;

const WRONG_DAYS: Refusal = { status: 422, problem: ({ credentials }) => credentials.problem.days };
const UNDER_WAY: Refusal = { status: 409, problem: ({ credentials }) => credentials.problem.underWay };

/** What takes a secret away has a page of its own: 'end' ends the former one, 'replace' the new one, which was lost. */
const ENDINGS = ["end", "replace"] as const;
type Ending = (typeof ENDINGS)[number];

/** A client's secrets. A second one is made, and one of the two ended, after a fresh proof. */
export function credentialsRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens } = context;
  const { all, proven, pathOf, send } = partnerSection(app, context, "credentials");

  all.get("", (_, reply, page) => showSecrets(reply, page));

  // The answer shows what can't be shown again.
  proven.post("", async (request, reply, page) => {
    if (!formTokens.isValid(request, pathOf(page))) return await showSecrets(reply, page, OUT_OF_DATE);
    const days = formField(request.body, "days");
    if (!/^([1-9]|[12][0-9]|30)$/.test(days)) return await showSecrets(reply, page, WRONG_DAYS);
    const actor = merchantActor(request, page.account);
    const work = rotateClientSecret(sql, page.client.clientId, Number(days) * DAY_SECONDS, actor);
    const rotation = await unlessMeanwhile(work);
    return rotation ? showNewSecret(reply, page, rotation) : await showSecrets(reply, page, UNDER_WAY);
  });

  for (const ending of ENDINGS) {
    proven.get(`/${ending}`, async (_, reply, page) => {
      const details = await overlapOf(page);
      return details ? showEnding(reply, page, details, ending) : redirectTo(reply, pathOf(page));
    });

    proven.post(`/${ending}`, async (request, reply, page) => {
      const details = await overlapOf(page);
      if (!details) return redirectTo(reply, pathOf(page));
      if (!formTokens.isValid(request, purposeOf(page, details, ending))) {
        return showEnding(reply, page, details, ending, OUT_OF_DATE);
      }
      const { clientId } = page.client;
      const actor = merchantActor(request, page.account);
      if (ending === "end") {
        await unlessMeanwhile(endFormerSecret(sql, clientId, actor).then(() => true));
        return redirectTo(reply, pathOf(page));
      }
      const rotation = await unlessMeanwhile(rotateClientSecret(sql, clientId, "as before", actor));
      return rotation
        ? showNewSecret(reply, page, rotation)
        : await showSecrets(reply, page, { ...OUT_OF_DATE, status: 409 });
    });
  }

  /** The client while two secrets work; null if there is one alone. */
  async function overlapOf({ client }: PartnerPage): Promise<ClientDetails | null> {
    const details = await clientDetails(sql, client.clientId);
    return details.secrets.length === 2 ? details : null;
  }

  /** A form ends the secrets that its page was about, and none that was made since. */
  function purposeOf(page: PartnerPage, { secrets }: ClientDetails, ending: Ending): string {
    return `${pathOf(page)}/${ending} ${secrets[0]?.createdAt.toISOString()}`;
  }

  function showEnding(
    reply: FastifyReply,
    page: PartnerPage,
    details: ClientDetails,
    ending: Ending,
    refusal?: Refusal,
  ): FastifyReply {
    const back = pathOf(page);
    const token = formTokens.issue(reply, purposeOf(page, details, ending));
    const view = { ending, details, action: `${back}/${ending}`, back, token };
    return send(reply, page, ({ credentials }, locale) => endingView(credentials, view, locale), refusal);
  }

  async function showSecrets(reply: FastifyReply, page: PartnerPage, refusal?: Refusal): Promise<FastifyReply> {
    const { secrets } = await clientDetails(sql, page.client.clientId);
    const action = pathOf(page);
    const token = formTokens.issue(reply, action);
    const view = { secrets, action, token, isWrong: refusal === WRONG_DAYS };
    return send(
      reply,
      page,
      ({ credentials }, locale) => ({ body: credentialsView(credentials, view, locale) }),
      refusal,
    );
  }

  function showNewSecret(reply: FastifyReply, page: PartnerPage, rotation: Rotation): FastifyReply {
    return send(reply, page, ({ credentials }, locale) => newSecretView(credentials, rotation, pathOf(page), locale));
  }
}

/** What came of a change; null where another one was faster. */
async function unlessMeanwhile<T>(change: Promise<T>): Promise<T | null> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof DirectoryError && /^(ROTATION_UNDER_WAY|NO_ROTATION)$/.test(error.code)) return null;
    throw error;
  }
}
