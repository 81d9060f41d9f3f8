import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";

/** Large enough that a page fills a socket's buffers, and of another size in each shop. */
const SHOPS = 6;
const RECORDS = 400;

let server: TestResourceServer;
const shops: { shop: TestShop; mark: string }[] = [];

beforeAll(async () => {
  server = await testResourceServer({ apiRateLimit: 1_000_000 });
  for (let index = 0; index < SHOPS; index++) {
    const shop = await server.newShop();
    const mark = `only-of-shop-${index}-`.repeat(20 + 25 * index);
    await server.owner`INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
      SELECT ${shop.id}, 'r' || lpad(i::text, 4, '0'), at, at,
        '{"id":"r' || lpad(i::text, 4, '0') || '","inserted_at":"2025-01-01T00:00:00.000Z","updated_at":"2025-01-01T00:00:00.000Z","response":"' || ${mark}::text || '"}'
      FROM generate_series(1, ${RECORDS}) i, (SELECT timestamptz '2025-01-01T00:00:00Z' AS at) t`;
    shops.push({ shop, mark });
  }
});
afterAll(() => server.close());

/** What is wrong with a page of this shop; null if it is its own, whole. */
function fault(body: string, mark: string, limit: number): string | null {
  const { data } = JSON.parse(body) as { data: { id: string; response: string }[] };
  if (data.length !== Math.min(limit, RECORDS)) return `${data.length} records`;
  const foreign = data.find(
    (record, index) => record.response !== mark || record.id !== `r${String(RECORDS - index).padStart(4, "0")}`,
  );
  return foreign ? `record ${foreign.id}` : null;
}

const request = (shop: TestShop, limit: number): string =>
  `GET /api/responses?limit=${limit} HTTP/1.1\r\nhost: a\r\nauthorization: ${shop.apiKey}\r\n`;

/** A caller that reads slowly, by a socket of its own. Gives up after `most` bytes. */
async function readSlowly(shop: TestShop, limit: number, most = Number.POSITIVE_INFINITY): Promise<string> {
  const { port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  socket.write(`${request(shop, limit)}connection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) {
    text += chunk;
    if (text.length > most) break;
    await sleep(1);
  }
  socket.destroy();
  return text.slice(text.indexOf("\r\n\r\n") + 4);
}

/** Several requests sent at once on one connection: their answers come one after another. */
async function pipeline(each: readonly TestShop[], limit: number): Promise<string[]> {
  const { port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  socket.write(
    each
      .map((shop, i) => `${request(shop, limit)}${i === each.length - 1 ? "connection: close\r\n" : ""}\r\n`)
      .join(""),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  let rest = Buffer.concat(chunks);
  const bodies: string[] = [];
  while (rest.length > 0) {
    const head = rest.indexOf("\r\n\r\n") + 4;
    const length = Number(/content-length: (\d+)/i.exec(rest.toString("latin1", 0, head))?.[1]);
    bodies.push(rest.toString("utf8", head, head + length));
    rest = rest.subarray(head + length);
  }
  return bodies;
}

describe("memory that answers share", () => {
  test("never shows one shop's bytes to another, whoever reads slowly, hangs up, or asks for several at once", async () => {
    for (let round = 0; round < 4; round++) {
      const faults = await Promise.all(
        shops.flatMap(({ shop, mark }, index) => {
          const next = shops[(index + 1) % SHOPS] as (typeof shops)[number];
          return [
            ...[1, 7, 100, 1000].map(async (limit) =>
              fault(await (await server.get(`/api/responses?limit=${limit}`, shop.apiKey)).text(), mark, limit),
            ),
            readSlowly(shop, 1000).then((body) => fault(body, mark, 1000)),
            readSlowly(shop, 1000, 50_000).then(() => null),
            pipeline([shop, next.shop, shop], 300).then((bodies) =>
              bodies.length === 3
                ? ([mark, next.mark, mark]
                    .map((own, i) => fault(bodies[i] ?? "", own, 300))
                    .find((each) => each !== null) ?? null)
                : `${bodies.length} answers`,
            ),
            fetch(`${server.url}/api/responses?limit=500`, {
              headers: { authorization: shop.apiKey, "accept-encoding": "gzip" },
            }).then(async (answer) => fault(await answer.text(), mark, 500)),
          ];
        }),
      );
      expect(faults.filter((each) => each !== null)).toEqual([]);
    }
  });
});
