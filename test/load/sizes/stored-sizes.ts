import type { Sql } from "@partner-connect/database";
import { importResponses } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { Redis } from "ioredis";
import { manyConnections } from "../../harness/actors/many-connections.ts";
import type { StackUnderTest } from "../../harness/stack/stacks.ts";
import type { WrkRequest } from "../wrk.ts";

type Row = readonly [what: string, bytes: string];

/** Bytes of one response with its indexes, as it was imported. */
export async function responseSize(sql: Sql, shopId: string, count: number): Promise<Row[]> {
  const lines = generateResponses({ count, seed: "sizes" });
  const bytes = await grown(sql, "survey.responses", count, () =>
    importResponses(sql, { shopId, lines }, { name: "operator:bench" }),
  );
  return [["response, in Postgres", bytes]];
}

interface ConnectionSizes {
  readonly rows: readonly Row[];
  /** One for each connection. */
  readonly refreshRequests: readonly WrkRequest[];
  readonly refreshHeaders: Readonly<Record<string, string>>;
}

/** Bytes of one connection: in Postgres its row with its indexes, and its records in the audit log; in Redis its refresh token. */
export async function connectionSizes(sql: Sql, stack: StackUnderTest, count: number): Promise<ConnectionSizes> {
  let made: Awaited<ReturnType<typeof manyConnections>> | undefined;
  let audit = "";
  const row = await grown(sql, "oauth.connections", count, async () => {
    audit = await grown(sql, "oauth.audit_log", count, async () => {
      made = await manyConnections(stack, count);
    });
  });
  const { client, connections } = made as NonNullable<typeof made>;
  const refreshHeaders = {
    authorization: `Basic ${Buffer.from(`${client.clientId}:${client.secret}`).toString("base64")}`,
    "content-type": "application/x-www-form-urlencoded",
  };
  const refreshRequests = connections.map(({ refreshToken }) => ({
    method: "POST" as const,
    path: "/oauth/api/token",
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }).toString(),
  }));

  const redis = new Redis(stack.redis_url);
  const before = await usedMemory(redis);
  const url = stack.authorization_server_urls[0] as string;
  for (const { path, method, body } of refreshRequests) {
    const { status } = await fetch(url + path, { method, headers: refreshHeaders, body });
    if (status !== 200) throw new Error(`a refresh was answered with ${status}`);
  }
  const inRedis = ((await usedMemory(redis)) - before) / count;
  redis.disconnect();
  const rows: Row[] = [
    ["connection, in Postgres", row],
    ["its first two records in the audit log", audit],
    ["connection that is in use, in Redis", inRedis.toFixed(0)],
  ];
  return { rows, refreshRequests, refreshHeaders };
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

async function usedMemory(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info("memory"))?.[1]);
}
