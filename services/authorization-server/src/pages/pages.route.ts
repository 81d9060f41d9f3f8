import { findLogo, LOGOS_PATH } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";
import { isLanguage, languageCookie } from "../browser/locale.ts";
import { knownEmail } from "../browser/return-paths.ts";
import { ASSETS_PATH, findAsset } from "./assets.ts";
import { sendErrorPage, sendNotFoundPage } from "./error-page.ts";
import { formField, ownPath } from "./forms.ts";
import { cardPage, contactButton, type Locale } from "./frame.ts";
import { CONNECTED_APPS_PATH, FORGOT_PASSWORD_PATH, HELP_PATH, LANGUAGE_PATH } from "./paths.ts";
import { redirectTo, sendPage } from "./send-page.ts";

/** Milliseconds for which a replica still serves a removed logo. Browsers keep it for longer. */
const MEMORY_MS = 60_000;

const MAX_LOGOS = 50;

/** Routes that every page needs: assets, clients' logos, help, and the choice of a language. */
export function pagesRoutes(app: FastifyInstance): void {
  const { help } = app.config.links;
  if (help === HELP_PATH) app.get(HELP_PATH, (_, reply) => sendPage(reply, helpView));
  else app.get(HELP_PATH, (_, reply) => reply.redirect(help, 302));

  app.get<{ Params: { file: string } }>(`${ASSETS_PATH}:file`, async (request, reply) => {
    const found = findAsset(app.pageAssets, request.params.file);
    if (!found) return sendNotFoundPage(reply);
    const { asset, exact } = found;
    const lifetime = exact ? "max-age=31536000, immutable" : "max-age=60";
    return reply
      .headers({
        "content-type": asset.type,
        "cache-control": `public, ${lifetime}`,
        vary: "accept-encoding",
        // A script in an SVG must not run when the SVG is opened directly.
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      })
      .compress(asset.content);
  });

  const logos = new LRUCache<string, NonNullable<Awaited<ReturnType<typeof findLogo>>>>({
    max: MAX_LOGOS,
    ttl: MEMORY_MS,
  });

  // A logo's file name changes with the image, so browsers may cache it. A former name serves the
  // current logo.
  app.get<{ Params: { client: string; file: string } }>(
    `${LOGOS_PATH}:client/:file`,
    async (request, reply) => {
      const { client, file } = request.params;
      // All logos have names of this form, so skip the query for others.
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(client) || !/^[A-Za-z0-9_-]{43}\.webp$/.test(file))
        return sendNotFoundPage(reply);
      const name = `${client}/${file}`;
      const logo = logos.get(name) ?? (await findLogo(app.pagesSql, client));
      if (!logo) return sendNotFoundPage(reply);

      const isExact = file === `${logo.digest}.webp`;
      if (isExact) logos.set(name, logo, { noUpdateTTL: true });
      return reply
        .headers({
          "content-type": "image/webp",
          "cache-control": `public, ${isExact ? "max-age=31536000, immutable" : "max-age=60"}`,
          "content-security-policy": "default-src 'none'; sandbox",
        })
        .send(logo.image);
    },
  );

  // The sign-in form is posted here too, because a link to another page would lose the typed email.
  app.post(LANGUAGE_PATH, async (request, reply) => {
    const { body, query } = request;
    const language = formField(body, "language");
    const page = ownPath(formField(query, "page") || formField(body, "page"));
    if (page === null || (language !== "" && !isLanguage(language))) {
      return sendErrorPage(reply, { status: 400, kind: "bad_request" });
    }
    if (language !== "") languageCookie.set(reply, language);
    knownEmail.set(reply, formField(body, "email").trim());
    return redirectTo(reply, page);
  });
}

function helpView(locale: Locale): Html {
  const { connectedApps, contact, frame, help, signIn } = locale.texts;
  const { title } = connectedApps;
  const { hasPasswords, links } = locale.frame;
  const inSentence = contact.replace(/^./, (first) => first.toLowerCase());
  const linked: Readonly<Record<string, string | null>> = {
    ...{ [title]: CONNECTED_APPS_PATH, [contact]: links.contact, [inSentence]: links.contact },
    [signIn.forgot]: hasPasswords ? FORGOT_PASSWORD_PATH : null,
  };
  const words = new RegExp(`(${Object.keys(linked).join("|").replaceAll("?", "\\?")})`);
  const link = (part: string) =>
    linked[part] ? html`<a href="${linked[part]}">${part}</a>` : part;
  const paragraph = (text: string) => html`<p>${text.split(words).map(link)}</p>`;
  const answers = Object.entries(help.answers).map(([id, text]) => {
    const [question, ...paragraphs] = text.split("\n");
    return html`<details class="answer"><summary><h2>${question}</h2></summary><div id="${id}">${paragraphs.map(paragraph)}</div></details>\n`;
  });
  return cardPage(
    locale,
    { title: frame.help, heading: help.heading },
    html`${answers}
${links.contact !== null && html`<p class="aside">${help.send}</p>`}
<div class="actions"><a class="button primary" href="${CONNECTED_APPS_PATH}">${title}</a>
${links.contact !== null && contactButton(locale)}</div>`,
  );
}
