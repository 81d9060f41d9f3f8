import { connectDatabase, type Sql } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { manyConnections } from "../../harness/actors/many-connections.ts";
import { onboardClient } from "../../harness/actors/onboarding.ts";
import { operator, runOperator } from "../../harness/actors/operator.ts";
import { partner } from "../../harness/actors/partner.ts";
import { keepAsking, until } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { countCalls, reportRow } from "../row.ts";

const CONNECTIONS = process.env["TEST_NIGHTLY"] ? 50_000 : 5000;
const MOST_SECONDS = 60;

let stack: OwnStack;
let sql: Sql;

beforeAll(async () => {
  stack = await startOwnStack();
  sql = connectDatabase(stack.now.database_url, { name: "test", connections: 1 });
});
afterAll(async () => {
  await sql?.end();
  await stack?.stop();
});

/** As the services store them. */
async function connectedShops(clientId: string): Promise<void> {
  await sql`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer_many', 'many@b.example', 'M', '-')`;
  await sql`
    INSERT INTO directory.shops (id, name, plan)
    SELECT 'shop_many_' || i, 'S', 'standard' FROM generate_series(1, ${CONNECTIONS}) AS i`;
  await sql`
    INSERT INTO oauth.connections
      (shop_id, client_id, grant_id, scope, merchant_id, refresh_token_hash, status, connected_at, exchanged_at, last_used_at)
    SELECT 'shop_many_' || i, ${clientId}, 'grant_' || i, '{responses:read}', 'mer_many', sha256(i::text::bytea), 'connected',
      now(), now(), now()
    FROM generate_series(1, ${CONNECTIONS}) AS i`;
}

test("all connections of a partner end within a minute, once each, though the first try is killed, while another is served", {
  timeout: 300_000,
}, async () => {
  const ending = await onboardClient(stack.now, { scope: "responses:read" });
  await connectedShops(ending.clientId);
  const staying = await manyConnections(stack.now, 20);
  const app = partner(stack.now, staying.client);
  let turn = 0;
  const next = () => staying.connections[turn++ % staying.connections.length]?.refreshToken ?? "";
  const { access_token: token } = (await app.refresh(next())).json();
  const load = [keepAsking(() => app.refresh(next()), 2), keepAsking(() => app.call("/api/responses", token), 2)];
  const ended = async () => {
    const [row] = await sql<{ ended: number }[]>`
      SELECT count(*)::int AS ended FROM oauth.connections WHERE client_id = ${ending.clientId} AND status = 'revoked'`;
    return row?.ended ?? 0;
  };
  const words = ["connection", "revoke", "--client", ending.clientId, "--yes"];
  const since = performance.now();
  await operator(stack.now, ["client", "disable", ending.clientId, "--yes"]);

  const first = runOperator(stack.now, words);
  await until(async () => (await ended()) > CONNECTIONS / 10);
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'partner-connect' AND datname = current_database()`;
  const { exitCode, stderr } = await first;
  const before = await ended();
  const { revoked } = await operator(stack.now, words);
  const seconds = (performance.now() - since) / 1000;
  const counts = await Promise.all(load.map((each) => each.stop()));

  expect(exitCode).toBe(1);
  expect(stderr.trim().split("\n").at(-1)).toMatch(
    /^partner-connect: .*\d connections done before stay so; the same command goes on from there$/,
  );
  expect(before + revoked).toBe(CONNECTIONS);
  const [records] = await sql<{ all: number; each: number }[]>`
    SELECT count(*)::int AS all, count(DISTINCT connection_id)::int AS each FROM oauth.audit_log
    WHERE client_id = ${ending.clientId} AND event = 'revoke'`;
  const { requests, failed } = countCalls(counts, [200]);
  const wrong = CONNECTIONS - (records?.each ?? 0) + ((records?.all ?? 0) - (records?.each ?? 0));
  reportRow({
    scenario: `a partner with ${CONNECTIONS.toLocaleString("en")} connections is ended, and its first try killed`,
    requests,
    failed,
    wrong,
    seconds,
    note: `killed after ${before.toLocaleString("en")}; records of each: 1`,
  });
  expect({ failed, wrong }).toEqual({ failed: 0, wrong: 0 });
  expect(seconds).toBeLessThan(MOST_SECONDS);
});
