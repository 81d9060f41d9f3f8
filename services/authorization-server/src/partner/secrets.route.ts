import type { Queries } from "@partner-connect/database";
import {
  type ClientDetails,
  type ClientSummary,
  clientDetails,
  endFormerSecret,
  lockClient,
  type Rotation,
  rotateClientSecret,
} from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply } from "fastify";
import { browserSecretOrNew, formToken, isOurForm } from "../browser/csrf.ts";
import { ENGLISH } from "../browser/locale.ts";
import { exactTime, relativeTime } from "../pages/moment.ts";
import { redirectTo } from "../pages/send-page.ts";
import {
  CHANGED,
  changeAsMember,
  confirmationRoutes,
  formPurpose,
  OUT_OF_DATE,
  requireIdentity,
  type ShowSettings,
  secretView,
  sectionPath,
  sendPartnerPage,
} from "./partner-page.ts";

/** Days for which the old secret still works beside a new one. */
const OVERLAP_DAYS = 7;

export const TWO_SECRETS = "Two secrets are active. Use the new one, then revoke the old one.";

/** The texts of the pages that revoke one of a client's two secrets. */
const REVOCATIONS = {
  end: {
    title: "Revoke the old secret?",
    button: "Revoke old secret",
    lead: "Calls with it fail immediately.",
  },
  replace: {
    title: "Replace the new secret?",
    button: "Replace new secret",
    lead: "It stops working immediately. The old one keeps working.",
  },
} as const;

/** A client's secrets. Adding a second or revoking one of two requires a confirmed identity. */
export function secretsRoutes(app: FastifyInstance, showSettings: ShowSettings): void {
  const { pagesSql } = app;
  const preHandler = requireIdentity("settings");

  // No redirect: the new secret is shown in this response only.
  app.post("/settings/secrets", { preHandler }, async (request, reply) => {
    const { clientId } = request.partner;
    if (!isOurForm(request, secretsPath(request.partner)))
      return await showSettings(reply, OUT_OF_DATE);
    const made = await changeAsMember(request, (tx, actor) =>
      rotateClientSecret(tx, clientId, OVERLAP_DAYS * 86_400, actor),
    );
    return made ? showNewSecret(reply, made) : await showSettings(reply, CHANGED);
  });

  // 'end' revokes the old secret; 'replace' revokes the new one if it was lost.
  for (const ending of ["end", "replace"] as const) {
    confirmationRoutes<ClientDetails>(app, {
      path: `/settings/secrets/${ending}`,
      section: "settings",
      preHandler,
      find: async ({ partner: client }) =>
        (await findRotatingClient(client, pagesSql)) ?? sectionPath(client, "settings"),
      state: newestOf,
      view({ secrets }) {
        const { lead, ...texts } = REVOCATIONS[ending];
        const concerned = secrets.find(
          ({ expiresAt }) => (expiresAt !== null) === (ending === "end"),
        );
        return {
          ...texts,
          body: html`<p>${lead}</p>\n<ul class="rows">${concerned && secretRow(concerned)}</ul>`,
        };
      },
      back: (client) => sectionPath(client, "settings"),
      async change(request, _, reply) {
        const { partner: client } = request;
        const rotation = await changeAsMember(request, async (tx, actor) => {
          await lockClient(tx, client.clientId);
          const now = await findRotatingClient(client, tx);
          // If a form is sent twice, the second must not revoke the secret that the first made.
          if (!now || !isOurForm(request, formPurpose(request, newestOf(now)))) return null;
          if (ending === "replace")
            return await rotateClientSecret(tx, client.clientId, "as before", actor);
          await endFormerSecret(tx, client.clientId, actor);
          return null;
        });
        if (ending === "end") return redirectTo(reply, sectionPath(client, "settings"));
        return rotation ? showNewSecret(reply, rotation) : await showSettings(reply, CHANGED);
      },
    });
  }

  function showNewSecret(reply: FastifyReply, { secret }: Rotation): FastifyReply {
    const back = sectionPath(reply.request.partner, "settings");
    return sendPartnerPage(reply, "settings", secretView("Your new client secret", secret, back));
  }
}

/** The client if two of its secrets are valid, otherwise null. */
async function findRotatingClient({ clientId }: ClientSummary, queries: Queries) {
  const details = await clientDetails(queries, clientId);
  return details.secrets.length === 2 ? details : null;
}

/** The form's state, so that it can't revoke a secret that is newer than its page. */
const newestOf = ({ secrets }: ClientDetails) => String(secrets[0]?.createdAt.toISOString());

const secretsPath = (client: ClientSummary) => `${sectionPath(client, "settings")}/secrets`;

type Secret = ClientDetails["secrets"][number];

/** `secrets` are sorted, newest first. There are two during a rotation, otherwise one. */
export function secretsView(reply: FastifyReply, secrets: readonly Secret[]): Html {
  const path = secretsPath(reply.request.partner);
  const isRotating = secrets.length > 1;
  const add = html`<form method="post" action="${path}">
<input type="hidden" name="token" value="${formToken(browserSecretOrNew(reply), path)}">
<button>Add a second secret</button></form>`;
  const revoke = (what: keyof typeof REVOCATIONS) =>
    html`<a class="button" href="${path}/${what}">${REVOCATIONS[what].button}</a>`;
  const row = (secret: Secret) =>
    secretRow(secret, isRotating && revoke(secret.expiresAt ? "end" : "replace"));
  return html`<section class="card whole"><div class="row"><div><h2>Client secrets</h2>
<p>${isRotating ? TWO_SECRETS : "To rotate, add a second secret, install it, then revoke the old one."}</p></div>${!isRotating && add}</div>
<ul class="rows">${secrets.map(row)}</ul></section>`;
}

function secretRow({ createdAt, expiresAt, lastUsedAt, lastFour }: Secret, action?: HtmlValue) {
  const expiry =
    expiresAt && html`<span class="tag caution">Expires ${relativeTime(expiresAt, ENGLISH)}</span>`;
  const use = lastUsedAt ? html`Last used ${relativeTime(lastUsedAt, ENGLISH)}` : "Never used";
  return html`<li class="row"><div><p><code>…${lastFour}</code> ${expiry}</p>
<p class="fine">Created ${exactTime(createdAt, ENGLISH)}&nbsp;· ${use}</p></div>${action}</li>
`;
}
