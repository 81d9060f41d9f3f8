import { clientsOfMember } from "@partner-connect/directory";
import { html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply } from "fastify";
import { browserSecretOrNew, formToken } from "../browser/csrf.ts";
import { withReturnTo } from "../browser/return-paths.ts";
import { cardPage, contactButton, type Locale } from "../pages/frame.ts";
import { address, isolatedName } from "../pages/names.ts";
import { PARTNER_PATH, SIGN_OUT_PATH } from "../pages/paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import { requireSignIn } from "../sign-in/session.ts";
import { connectionsRoutes } from "./connections.route.ts";
import { errorsRoute } from "./errors.route.ts";
import { overviewRoutes } from "./overview.route.ts";
import { requireClientMember, sectionPath } from "./partner-page.ts";
import { settingsRoutes } from "./settings.route.ts";
import { webhooksRoutes } from "./webhooks.route.ts";

/** The partner pages: the choice of a client, and the sections of each. */
export async function partnerRoutes(app: FastifyInstance): Promise<void> {
  app.decorateRequest("partner");
  app.addHook("preHandler", requireSignIn);

  app.get(PARTNER_PATH, async ({ merchant }, reply) => {
    const own = await clientsOfMember(app.pagesSql, merchant.id);
    const [first, ...others] = own;
    if (!first) return sendNoAppPage(reply);
    if (others.length === 0) return redirectTo(reply, sectionPath(first, "overview"));
    const rows = html`<ul class="rows">${own.map((client) => html`<li class="row"><a href="${sectionPath(client, "overview")}">${isolatedName(client.name)}</a></li>`)}</ul>`;
    const page = { title: "Partner pages", heading: "Choose an app" };
    return sendPage(reply, (locale) => cardPage(locale, page, rows), { account: merchant });
  });

  await app.register(
    async (pages) => {
      pages.addHook("preHandler", requireClientMember);
      overviewRoutes(pages);
      connectionsRoutes(pages);
      errorsRoute(pages);
      webhooksRoutes(pages);
      settingsRoutes(pages);
    },
    { prefix: `${PARTNER_PATH}/:clientId` },
  );
}

/** The page for an account without an app. It shows who is signed in and how to switch accounts. */
function sendNoAppPage(reply: FastifyReply): FastifyReply {
  const { merchant } = reply.request;
  const action = withReturnTo(reply, SIGN_OUT_PATH, { path: PARTNER_PATH, app: null });
  const token = formToken(browserSecretOrNew(reply), SIGN_OUT_PATH);
  const signedInAs = html`${isolatedName(merchant.name)} (${address(merchant.email)})`;
  const page = { title: "Partner pages", heading: "No app in this account" };
  const view = (locale: Locale) =>
    cardPage(
      locale,
      page,
      html`<p class="lead">Signed in as ${signedInAs}</p>
<p class="lead">Ask us to add you to your company’s app, or use another account.</p>
<form method="post" action="${action}"><input type="hidden" name="token" value="${token}">
<div class="actions"><button class="primary" name="where" value="here">${locale.texts.account.useAnother}</button>
${contactButton(locale, "", reply.server.config.supportUrl)}</div></form>`,
    );
  return sendPage(reply, view, { account: merchant });
}
