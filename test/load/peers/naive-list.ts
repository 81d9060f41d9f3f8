/**
 * A peer of `bench list`: the list as one writes it first. Fastify, pg, a row of columns for each record, JSON.stringify.
 * Its table has the same responses, and the indexes that the list needs.
 *
 * It has our duties: the token is verified by jose, the connection looked up, the call counted in Redis by the plugin.
 * With LIST_ALONE=1 it has none of these duties, and answers every caller.
 */
import rateLimit from "@fastify/rate-limit";
import Fastify from "fastify";
import { Redis } from "ioredis";
import { createRemoteJWKSet, jwtVerify } from "jose";
import pg from "pg";

const { DATABASE_URL, REDIS_URL = "", ISSUER = "", LIST_ALONE } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const { fields } = await pool.query("SELECT * FROM bench.responses LIMIT 0");
const columns = fields.map(({ name }) => name).filter((name) => name !== "shop_id");
const PAGE = `
  SELECT ${columns.join(", ")} FROM bench.responses
  WHERE shop_id = $1 AND (inserted_at, id) < (SELECT inserted_at, id FROM bench.responses WHERE shop_id = $1 AND id = $2)
  ORDER BY inserted_at DESC, id DESC LIMIT $3`;

const app = Fastify();
if (!LIST_ALONE) {
  const keys = createRemoteJWKSet(new URL(`${ISSUER}/oauth/api/jwks`));
  app.addHook("onRequest", async (request, reply) => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const { payload } = await jwtVerify(token, keys, { issuer: ISSUER, audience: `${ISSUER}/api` });
    const { rows } = await pool.query(
      `SELECT c.status, c.disabled, c.generation, c.scope, k.status AS client_status
       FROM oauth.connections c JOIN directory.clients k USING (client_id) WHERE c.shop_id = $1 AND c.id = $2`,
      [payload.sub, payload["connection_id"]],
    );
    const [connection] = rows;
    const lives = connection?.status === "connected" && !connection.disabled && connection.client_status === "active";
    if (!lives || connection.generation !== payload["generation"]) return reply.code(403).send({ error: "forbidden" });
    if (!connection.scope.includes("responses:read")) return reply.code(403).send({ error: "insufficient_scope" });
  });
  await app.register(rateLimit, { redis: new Redis(REDIS_URL), nameSpace: "bench-naive:", max: 100_000_000 });
}
app.get("/api/responses", async (request) => {
  const { shop, starting_after: cursor, limit } = request.query as Record<string, string>;
  const { rows } = await pool.query(PAGE, [shop, cursor, Number(limit) + 1]);
  const data = rows.slice(0, Number(limit));
  const link = (name: string, id: string): string =>
    `http://${request.host}/api/responses?shop=${shop}&limit=${limit}&${name}=${id}`;
  return {
    data,
    prev: data.length > 0 ? link("ending_before", data[0].id) : null,
    next: rows.length > data.length ? link("starting_after", data.at(-1).id) : null,
  };
});
await app.listen({ host: "127.0.0.1", port: 0 });
const { port } = app.server.address() as { port: number };
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
