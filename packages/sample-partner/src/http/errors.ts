import type { FastifyInstance, FastifyReply } from "fastify";
import { html } from "../page/html.ts";
import { cardPage, sendPage } from "../page/layout.ts";

const HOME = html`<p class="actions"><a class="button" href="/">To your shops</a></p>`;

/** What no route has an answer for. The log has the error, without the URL: a callback's URL has a code in it. */
export function errorPages(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => notFound(reply));
  app.setErrorHandler((error: { statusCode?: number; code?: string }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (error.code?.startsWith("FST_CSRF_")) {
      const why = html`<p class="lead">It was open for long, or cookies are off. Open the page again and repeat it.</p>`;
      return sendPage(reply, cardPage("This form is out of date", [why, HOME], 403));
    }
    if (status < 500) return sendPage(reply, cardPage("This request can’t be understood", HOME, status));
    request.log.error({ err: error, route: request.routeOptions.url }, "a defect");
    const why = html`<p class="lead">It is our fault. Nothing of yours was lost. Try again in a minute.</p>`;
    return sendPage(reply, cardPage("Something went wrong", [why, HOME], 500));
  });
}

export function notFound(reply: FastifyReply): FastifyReply {
  return sendPage(reply, cardPage("There is no such page", HOME, 404));
}
