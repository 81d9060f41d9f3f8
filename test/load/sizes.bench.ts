import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { startLocalStack } from "@partner-connect/local-stack";
import { importResponses } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { Redis } from "ioredis";
import { type ManyConnections, manyConnections } from "../harness/actors/many-connections.ts";
import { onboardMerchant, onboardShop } from "../harness/actors/onboarding.ts";
import { basic } from "../harness/actors/partner.ts";
import { table } from "./table.ts";

/** What a connection and a response take in the stores: figures of deploy/operations/scaling.md. */
export async function benchSizes({ quick }: { quick: boolean }): Promise<void> {
  const [responses, connections] = quick ? [20_000, 2000] : [100_000, 10_000];
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-bench-"));
  const stack = await startLocalStack({ dataDir, env: { TOKEN_RATE_LIMIT: "100000000", LOG_LEVEL: "warn" } });
  const place = { ...stack.state, dataDir };
  const sql = connectDatabase(stack.state.database_url, { name: "test", connections: 1 });
  try {
    const shop = await onboardShop(place, await onboardMerchant(place));
    const lines = generateResponses({ count: responses, seed: "sizes" });
    const response = await grown(sql, "survey.responses", responses, () =>
      importResponses(sql, { shopId: shop.id, lines }, { name: "operator:bench" }),
    );
    let made: ManyConnections | undefined;
    let audit = "";
    const row = await grown(sql, "oauth.connections", connections, async () => {
      audit = await grown(sql, "oauth.audit_log", connections, async () => {
        made = await manyConnections(place, connections);
      });
    });
    const inRedis = await refreshTokens(stack.state, made as ManyConnections);
    const rows = [
      ["response, in Postgres", response],
      ["connection, in Postgres", row],
      ["its first two records in the audit log", audit],
      ["connection that is in use, in Redis", inRedis],
    ];
    console.log(`\n${table(["stored, with indexes", "bytes"], rows)}\n`);
  } finally {
    await sql.end();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Bytes for one of `count`, by which a table, its parts and its indexes grow. */
async function grown(sql: Sql, name: string, count: number, work: () => Promise<unknown>): Promise<string> {
  const size = async (): Promise<number> => {
    // Of a table without parts the tree is empty.
    const [row] = await sql<{ bytes: number }[]>`
      SELECT greatest(pg_total_relation_size(${name}::text::regclass), sum(pg_total_relation_size(relid)))::float8 AS bytes
      FROM pg_partition_tree(${name}::text::regclass)`;
    return row?.bytes ?? 0;
  };
  const before = await size();
  await work();
  return (((await size()) - before) / count).toFixed(0);
}

/** Bytes of a connection in Redis: all are refreshed once. */
async function refreshTokens(
  stores: { readonly redis_url: string; readonly authorization_server_urls: readonly string[] },
  { client, connections }: ManyConnections,
): Promise<string> {
  const redis = new Redis(stores.redis_url);
  const usedMemory = async () => Number(/^used_memory:(\d+)/m.exec(await redis.info("memory"))?.[1]);
  const before = await usedMemory();
  for (const { refreshToken } of connections) {
    const { status } = await fetch(`${stores.authorization_server_urls[0]}/oauth/api/token`, {
      method: "POST",
      headers: { authorization: basic(client) },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }),
    });
    if (status !== 200) throw new Error(`a refresh was answered with ${status}`);
  }
  const bytes = ((await usedMemory()) - before) / connections.length;
  redis.disconnect();
  return bytes.toFixed(0);
}
