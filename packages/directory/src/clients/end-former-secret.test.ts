import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import { clientDetails, endFormerSecret, rotateClientSecret } from "../index.ts";
import { onboardClient, onboardMerchant, TEST_OPERATOR as operator } from "../testing.ts";

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "secrets-test", connections: 4 });

test("the former secret can be ended before its time, once; each change is mailed to everybody of the client", async () => {
  const { clientId } = await onboardClient(sql, { scope: ["responses:read"] });
  const merchantId = (await onboardMerchant(sql)).id;
  const colleague = (await onboardMerchant(sql)).id;
  const actor = { name: `merchant:${merchantId}` };
  await sql`
    INSERT INTO directory.client_members (client_id, merchant_id)
    VALUES (${clientId}, ${merchantId}), (${clientId}, ${colleague})`;
  await expect(endFormerSecret(sql, clientId, actor)).rejects.toMatchObject({
    name: "DirectoryError",
    code: "NO_ROTATION",
  });
  await rotateClientSecret(sql, clientId, 3600, actor);
  const ends = await Promise.allSettled([1, 2].map(() => endFormerSecret(sql, clientId, operator)));
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const { secrets } = await clientDetails(sql, clientId);
  expect(secrets).toEqual([expect.objectContaining({ expiresAt: null })]);
  expect(await sql`SELECT event FROM directory.audit_log WHERE client_id = ${clientId} ORDER BY id`).toEqual([
    { event: "client_create" },
    { event: "client_rotate_secret" },
    { event: "client_end_secret" },
  ]);
  const mails = await sql`
    SELECT kind, merchant_id AS id, about FROM worker_jobs.job, jsonb_to_record(data) AS mail (kind text, shop_id text, merchant_id text, about jsonb) WHERE about ->> 'client_id' = ${clientId}
    ORDER BY kind DESC, merchant_id = ${colleague}`;
  expect(mails.map(({ kind, id, about }) => [kind, id, about])).toEqual([
    ...[merchantId, colleague].map((id) => ["client_secret_made", id, { client_id: clientId, by: merchantId }]),
    ...[merchantId, colleague].map((id) => ["client_secret_ended", id, { client_id: clientId, by: null }]),
  ]);
});
