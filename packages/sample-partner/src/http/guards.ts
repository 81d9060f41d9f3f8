import type { FastifyInstance } from "fastify";
import { html } from "../page/html.ts";
import { cardPage, sendPage } from "../page/layout.ts";

/** Asked by the supervisor of the process, under any name of the machine. */
const LIVENESS = "/livez";

/**
 * Answers under its own name only: else a page elsewhere could give this machine's address a name of its own (DNS rebinding), and read
 * ours.
 */
export function ownNameOnly(app: FastifyInstance, publicUrl: string): void {
  const { host } = new URL(publicUrl);
  app.get(LIVENESS, async () => "ok");
  app.addHook("onRequest", async (request, reply) => {
    if (request.host !== host && request.url !== LIVENESS) return reply.redirect(`${publicUrl}/`);
  });
}

/** Browsers say where a form was sent from. The form's token holds it as well, for those that don't. */
export function sameOriginForms(app: FastifyInstance, publicUrl: string): void {
  app.addHook("onRequest", async (request, reply) => {
    if (request.method === "GET") return;
    const { origin, "sec-fetch-site": site } = request.headers;
    if ((origin ?? publicUrl) === publicUrl && (site ?? "same-origin") === "same-origin") return;
    return sendPage(
      reply,
      cardPage("This form came from another page", html`<p><a href="/">To your shops</a></p>`, 403),
    );
  });
}
