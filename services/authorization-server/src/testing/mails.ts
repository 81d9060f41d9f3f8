import { randomBytes } from "node:crypto";
import { hashCredential } from "@partner-connect/directory";
import type { MerchantFixture, TestMerchant } from "./merchant-fixture.ts";

/** Switches mail on in a fixture's environment. Queued mails are not sent. */
export const WITH_MAIL = {
  MAIL_FROM: "Partner Connect <post@connect.example>",
  MAIL_KEY: "a mail key of 32 characters.....",
};

/** The mails that wait for the merchant, the earliest first. */
export async function mailsTo({ replicas }: MerchantFixture, { id }: TestMerchant) {
  return [
    ...(await replicas.sql<{ kind: string; about: Record<string, unknown> }[]>`
      SELECT kind, about FROM worker_jobs.job, jsonb_to_record(data) AS mail (kind text, shop_id text, merchant_id text, about jsonb) WHERE merchant_id = ${id} ORDER BY created_on`),
  ];
}

/** The link of a mail to set a new password, as the worker makes it when it sends one: its token. */
export async function mailedResetLink({ replicas }: MerchantFixture, { email }: TestMerchant): Promise<string> {
  const token = `pcl_${randomBytes(32).toString("base64url")}`;
  await replicas.sql`
    INSERT INTO directory.merchant_links (token_hash, email, expires_at)
    VALUES (${hashCredential(token)}, ${email}, now() + interval '30 minutes')`;
  return token;
}
