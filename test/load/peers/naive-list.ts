/**
 * A peer of `bench list`: the list as one writes it first. Fastify, pg, a row of columns for each
 * record, JSON.stringify. Its table has the same responses, and the indexes that the list needs. It
 * has no other duties: it answers every caller, and counts nothing.
 */
import Fastify from "fastify";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 10 });
const { fields } = await pool.query("SELECT * FROM bench.responses LIMIT 0");
const columns = fields.map(({ name }) => name).filter((name) => name !== "shop_id");

/** The page after a response, or the first one. */
function pageStatement(column: string, direction: string, isFirst: boolean): string {
  const position = `(SELECT ${column}, id FROM bench.responses WHERE shop_id = $1 AND id = $3)`;
  const after = isFirst ? "" : `AND (${column}, id) ${direction === "asc" ? ">" : "<"} ${position}`;
  return `SELECT ${columns.join(", ")} FROM bench.responses WHERE shop_id = $1 ${after}
    ORDER BY ${column} ${direction}, id ${direction} LIMIT $2`;
}

const app = Fastify();
app.get("/api/responses", async (request) => {
  const query = request.query as Record<string, string>;
  const { shop, starting_after: cursor, limit, sort = "inserted_at_desc" } = query;
  const [column = "", direction = ""] = sort.split(/_(?=asc|desc)/);
  const isFirst = cursor === undefined;
  const values = [shop, Number(limit) + 1, ...(isFirst ? [] : [cursor])];
  const { rows } = await pool.query(pageStatement(column, direction, isFirst), values);
  const data = rows.slice(0, Number(limit));
  const link = (name: string, id: string): string =>
    `http://${request.host}/api/responses?${new URLSearchParams({ ...query, [name]: id })}`;
  return {
    data,
    prev: data.length > 0 ? link("ending_before", data[0].id) : null,
    next: rows.length > data.length ? link("starting_after", data.at(-1).id) : null,
  };
});
await app.listen({ host: "127.0.0.1", port: 0 });
const { port } = app.server.address() as { port: number };
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
