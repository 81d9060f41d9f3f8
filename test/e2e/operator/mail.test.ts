import { connectDatabase, type Sql } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runOperator } from "../../harness/actors/operator.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

let stack: OwnStack;
let sql: Sql;

beforeAll(async () => {
  const replicas = { AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1", WORKER_REPLICAS: "1" };
  stack = await startOwnStack({ env: { ...replicas, PRODUCT_NAME: "Survey Tool" } });
  sql = connectDatabase(stack.now.database_url, { name: "test", connections: 1 });
});
afterAll(async () => {
  await sql?.end();
  await stack?.stop();
});

const get = (path: string) => fetch(stack.now.base_url + path);
const json = async (...words: string[]) => {
  const { exitCode, stdout } = await runOperator(stack.now, [...words, "--json"]);
  return { exitCode, answer: JSON.parse(stdout) };
};

test("a job that failed is listed with the reason, and runs again on request", async () => {
  const data = { kind: "test", merchant_id: null, shop_id: null, about: { to: "again@operator.example" }, link: null };
  await sql`
    INSERT INTO worker_jobs.job (name, data, source_name, source_retry_count, source_output)
    VALUES ('failed', ${sql.json(data)}, 'mail', 2, '{"reason": "RCPT TO: 550 unknown"}')`;
  const { answer } = await json("job", "list");
  expect(answer).toMatchObject([
    { queue: "worker_jobs", kind: "mail", data, attempts: 3, reason: "RCPT TO: 550 unknown" },
  ]);
  expect(await json("job", "retry", answer[0].id)).toMatchObject({ answer: { retried: 1 } });
  const taken = async () => ((await (await get("/mail.json")).json()) as { to: string }[]).map(({ to }) => to);
  await vi.waitFor(async () => expect(await taken()).toContain("again@operator.example"), 30_000);
  expect((await json("job", "list")).answer).toEqual([]);
  const unknown = await runOperator(stack.now, ["job", "retry", "none"]);
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no failed job has the id "none"') });
});
