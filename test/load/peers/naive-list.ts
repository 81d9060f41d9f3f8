/**
 * A peer of `bench list`: the list as it is written when nobody has measured. Fastify, pg, a row of columns for each
 * record, JSON.stringify; from a table with the same responses and the indexes that it needs. It knows no callers
 * and no limits: neither authentication nor rate limit is on its bill.
 */
import Fastify from "fastify";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 10 });
const { fields } = await pool.query("SELECT * FROM bench.responses LIMIT 0");
const columns = fields.map(({ name }) => name).filter((name) => name !== "shop_id");
const SQL = `
  SELECT ${columns.join(", ")} FROM bench.responses
  WHERE shop_id = $1 AND (inserted_at, id) < (SELECT inserted_at, id FROM bench.responses WHERE shop_id = $1 AND id = $2)
  ORDER BY inserted_at DESC, id DESC LIMIT $3`;

const app = Fastify();
app.get("/api/responses", async (request, reply) => {
  const { shop, starting_after: cursor, limit } = request.query as Record<string, string>;
  const { rows } = await pool.query({ name: "page", text: SQL, values: [shop, cursor, Number(limit) + 1] });
  const data = rows.slice(0, Number(limit));
  const link = (name: string, id: string): string =>
    `http://${request.host}/api/responses?shop=${shop}&limit=${limit}&${name}=${id}`;
  reply.type("application/json; charset=utf-8");
  return JSON.stringify({
    data,
    prev: data.length > 0 ? link("ending_before", data[0].id) : null,
    next: rows.length > data.length ? link("starting_after", data.at(-1).id) : null,
  });
});
await app.listen({ host: "127.0.0.1", port: 0 });
const { port } = app.server.address() as { port: number };
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
