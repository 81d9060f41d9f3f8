import type { FastifyInstance } from "fastify";

/** Browsers load the pages' stylesheet and icon and nothing else, and run nothing. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** `/` on the hosts that have pages. It shows the demo credentials, and is made anew for each request. */
export function startPageRoute(app: FastifyInstance, page: () => Promise<string>): void {
  app.get("/", async (_request, reply) => reply.headers(HEADERS).send(await page()));
}
