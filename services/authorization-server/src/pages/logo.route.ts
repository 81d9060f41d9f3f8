import type { Sql } from "@partner-connect/database";
import { type ClientLogo, findLogo, LOGOS_PATH } from "@partner-connect/directory";
import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";
import { notFoundPage } from "./error-page.ts";

/** How long a logo that an operator has taken away may still be served from memory. Browsers keep it for longer. */
const MEMORY_MS = 60_000;

const MAX_LOGOS = 50;

/**
 * Clients' logos, for everybody. Their names change with the image, so browsers keep them; under a former name the logo of now is served.
 */
export function logoRoutes(app: FastifyInstance, sql: Sql): void {
  const known = new LRUCache<string, ClientLogo>({ max: MAX_LOGOS, ttl: MEMORY_MS });

  app.get<{ Params: { client: string; file: string } }>(`${LOGOS_PATH}:client/:file`, async (request, reply) => {
    const { client, file } = request.params;
    // No logo has another name, so the database need not be asked.
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(client) || !/^[A-Za-z0-9_-]{43}\.webp$/.test(file)) return notFoundPage(reply);
    const name = `${client}/${file}`;
    const logo = known.get(name) ?? (await findLogo(sql, client));
    if (!logo) return notFoundPage(reply);

    const isExact = file === `${logo.digest}.webp`;
    if (isExact) known.set(name, logo, { noUpdateTTL: true });
    const etag = `"${logo.digest}"`;
    reply.headers({
      "cache-control": `public, ${isExact ? "max-age=31536000, immutable" : "max-age=60"}`,
      "content-security-policy": "default-src 'none'; sandbox",
      etag,
    });
    if (request.headers["if-none-match"]?.split(/,\s*/).includes(etag)) return reply.code(304).send();
    return reply.header("content-type", "image/webp").send(logo.image);
  });
}
