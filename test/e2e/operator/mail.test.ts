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

test("what was given up is listed with the reason, and tried again on request", async () => {
  const failed = (days: string) => sql`
    INSERT INTO oauth.mails (shop_id, kind, about, attempts, created_at, failed_at, failure)
    VALUES ('shop', 'test', '{"to": "again@operator.example"}', 3, now() - ${days}::text::interval, now(), 'RCPT TO: 550 unknown')`;
  await failed("1 day");
  const { answer } = await json("mail", "list", "--failed");
  expect(answer).toMatchObject([{ kind: "test", attempts: 3, next_attempt_at: null, failure: "RCPT TO: 550 unknown" }]);
  expect(await json("mail", "retry", answer[0].id)).toMatchObject({ answer: { retried: 1 } });
  await vi.waitFor(async () => expect((await json("mail", "list")).answer).toEqual([]), 30_000);
  const taken = (await (await get("/mail.json")).json()) as { to: string }[];
  expect(taken.filter(({ to }) => to === "again@operator.example")).toHaveLength(1);
  const unknown = await runOperator(stack.now, ["mail", "retry", "mail_0"]);
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no mail with the id "mail_0" waits') });
});
