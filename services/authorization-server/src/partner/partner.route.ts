import { clientsOfMember } from "@partner-connect/directory";
import { html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { notFoundPage } from "../pages/error-page.ts";
import { cardPage } from "../pages/frame.ts";
import { named } from "../pages/names.ts";
import { PARTNER_PATH } from "../pages/paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import { signedIn } from "../sign-in/session.ts";
import { connectionsRoutes } from "./connections.route.ts";
import { credentialsRoutes } from "./credentials.route.ts";
import { overviewRoutes } from "./overview.route.ts";
import { belongsToClient, sectionPath } from "./partner-page.ts";
import { refusalsRoute } from "./refusals.route.ts";
import { testShopsRoutes } from "./test-shops.route.ts";
import { usageRoute } from "./usage.route.ts";
import { webhooksRoutes } from "./webhooks.route.ts";

/** The pages on which partners help themselves: the choice of a client, and the sections of each. */
export async function partnerRoutes(app: FastifyInstance): Promise<void> {
  app.decorateRequest("partner");
  app.addHook("preHandler", signedIn);

  app.get(PARTNER_PATH, async ({ merchant }, reply) => {
    const own = await clientsOfMember(app.sql, merchant.id);
    const [first, ...others] = own;
    if (!first) return notFoundPage(reply);
    if (others.length === 0) return redirectTo(reply, sectionPath(first, "overview"));
    return sendPage(
      reply,
      (locale) => {
        const { choose } = locale.texts.partner;
        return cardPage(
          locale,
          { title: choose.title, width: "medium" },
          html`<p class="lead">${choose.lead}</p>
<ul class="rows">${own.map(
            (client) =>
              html`<li class="row"><a href="${sectionPath(client, "overview")}">${named(client.name)}</a></li>`,
          )}</ul>`,
        );
      },
      { account: merchant },
    );
  });

  await app.register(
    async (pages) => {
      pages.addHook("preHandler", belongsToClient);
      overviewRoutes(pages);
      connectionsRoutes(pages);
      credentialsRoutes(pages);
      refusalsRoute(pages);
      usageRoute(pages);
      webhooksRoutes(pages);
      testShopsRoutes(pages);
    },
    { prefix: `${PARTNER_PATH}/:clientId` },
  );
}
